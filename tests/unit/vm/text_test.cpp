#include <unshade/vm/text.hpp>

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/vm/machine.hpp>

#include "support/files.hpp"

namespace unshade::vm::test {
namespace {

std::string listed(std::string_view module, const Options& options) {
  const auto parsed = ir::parse(module);
  if (!parsed) return to_string(parsed.error());
  const auto verified = ir::verify(*parsed);
  for (const Diagnostic& one : verified.diagnostics()) return to_string(one);
  const auto program = prepare(*verified.valid(), options);
  return program ? print(*program, Listing::scheduled) : to_string(program.error());
}

TEST(VmText, IsTheSameForEachInstructionSet) {
  const std::string module = unshade::test::read_text(unshade::test::source_dir() / "tests/golden/ir/program_operations.ir");
  const std::string best = listed(module, {});
  EXPECT_NE(best.find("preamble"), std::string::npos) << best;
  for (const Isa isa : available_isas()) EXPECT_EQ(listed(module, {.isa = isa}), best) << id(isa);
}

}  // namespace
}  // namespace unshade::vm::test
