#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unit/vm/prepare/listed.hpp"
#include "vm/prepare/schedule.hpp"

namespace unshade::vm::test {
namespace {

// The lines of a program after its constants.
std::string scheduled(std::string_view blocks) {
  const std::string text = listed(
      "stage pixel\nmodes denorm32 preserve\ninput \"A\" type f32 register 0\noutput \"B\" type f32 register 0\n"
      "resource @numbers cbuffer register 0 bytes 64\nresource @keys uav_byte_address register 0\n"
      "variable @p private bytes 64\n\nfunction @main {\n" +
          std::string(blocks) + "}\n",
      Listing::scheduled);
  for (const std::string_view begin : {"preamble:", "^0:"}) {
    if (const auto found = text.find(begin); found != text.npos) return '\n' + text.substr(found);
  }
  return text;
}

// What is far behind the first operation that is not done must wait, although its kernel is that of most.
TEST(ScheduleText, OperationsAreTakenFromNotTooFarAway) {
  std::string lines = "^0:\n  %x = input f32 in0.x\n  %n = fneg f32 %x\n";
  for (unsigned at = 0; at < 3 * kScheduleReach; ++at) lines += "  %a" + std::to_string(at) + " = fabs f32 %x\n";
  const std::string text = scheduled(lines + "  output f32 out0.x %n\n  return\n");
  std::vector<std::size_t> lengths;  // of steps
  for (std::size_t at = text.find("\n  "); at != text.npos; at = text.find("\n  ", at + 1)) {
    if (text[at + 3] == '-') lengths.push_back(0);
    if (!lengths.empty()) ++lengths.back();
  }
  EXPECT_EQ(text.find("fneg"), text.find("fneg.f32 s0"));
  ASSERT_EQ(lengths.size(), 5U) << text;
  EXPECT_EQ(lengths[1], kScheduleReach - 1) << "those before the reach of the fneg";
  EXPECT_EQ(lengths[2], 1U) << "the fneg";
  EXPECT_EQ(lengths[3], 2 * kScheduleReach + 1);
}

}  // namespace
}  // namespace unshade::vm::test
