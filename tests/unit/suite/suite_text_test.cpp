// What has to hold of any text of a suite, over the suites of this project, cut and changed.
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "fuzz/properties.hpp"
#include "support/files.hpp"

namespace unshade::test {
namespace {

void holds(std::string_view text) { EXPECT_EQ(fuzz::suite_text(View(std::as_bytes(std::span(text)))), "") << text; }

TEST(SuiteText, CutAnywhereIsRefusedOrRuns) {
  for (const char* const name : {"lit.test.toml", "sums.test.yaml", "wrong.test.toml"}) {
    std::string text = read_text(source_dir() / "tests/data/suites" / name);
    holds(text);
    for (std::size_t length = 0; length < text.size(); length += 7) holds(std::string_view(text).substr(0, length));
  }
}

TEST(SuiteText, RunsOnItsShaders) {
  holds(
      "shader = 'v'\nlanes = [{in = [1, 2, 3, 4]}]\n[[case]]\nname = 'a'\nexpect.lanes = {out = []}\n[[case]]\nexpect.lanes = [{out = [1, "
      "nan, '>= 9', 4]}]\n");
  const std::string_view compute =
      "shader = 'c'\nresources.u0 = {words = [1, 2, 3], size = 64}\n[[case]]\nname = '{n}'\ntable = [{n = 1}, {n = "
      "[2]}]\nexpect.resources.u0 = ";
  for (const std::string_view expected :
       {"{values = []}", "{words = ['$n'], type = ['u8', 'f64', 'i16']}", "{hex = '0', type = 'f16'}", "{values = 1, unordered = true}",
        "{values = [[1, 2], 3], unordered = true, offset = 60, type = ['u8', 'u8']}", "{file = 'x', type = 'bool'}", "{csv = 'x'}",
        "{npy = 'x'}", "{image = 'x.png', format = 'R8_UNORM', width = 16384, height = 16384}",
        "{image = 'x', format = 'R8G8B8A8_UNORM', width = 4, height = 4}", "{format = 'BC1_UNORM', values = 1}",
        "{format = 'R11G11B10_FLOAT', values = [1, 2, 3], ulp = 1e300}", "{counter = 1}", "{values = {value = {value = 1}}}",
        "{values = [{value = [1]}], absolute = inf}", "{offset = 4294967295, values = '0..1'}"}) {
    holds(std::string(compute) + std::string(expected) + "\n");
  }
}

}  // namespace
}  // namespace unshade::test
