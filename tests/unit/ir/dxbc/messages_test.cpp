// printf and errorf.
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <unshade/ir/verify.hpp>

#include "unit/ir/dxbc/lowered.hpp"

namespace unshade::ir {
namespace {

// The messages of a module and what prints them.
std::string printed(std::string_view lines) {
  const auto module =
      test::lowered("cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input vThreadID.xy\ndcl_temps 2\ndcl_thread_group 1, 1, 1\n" +
                    std::string(lines) + "\nret\n");
  if (!module) return to_string(module.error());
  for (const auto& finding : findings_of(*module)) ADD_FAILURE() << to_string(finding) << '\n' << print(*module);
  const std::string text = print(*module);
  std::string made;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    line = line.substr(0, line.find(" !"));
    if (line.starts_with("message") || line.starts_with("  print")) made.append(line) += '\n';
  }
  return made;
}

TEST(DxbcMessages, BecomePrint) {
  EXPECT_EQ(printed("printf \"simple\""), "message @0 printf text \"simple\"\n  print @0\n");
  EXPECT_EQ(printed("errorf \"at %d %u\", vThreadID.x, l(7)"),
            "message @0 errorf text \"at %d %u\" types 2 i32 i32\n  print @0 %0 7:i32\n");
}

// Registers have no types: the conversion says what a value is.
TEST(DxbcMessages, TakeTypesFromConversions) {
  EXPECT_EQ(printed("mov r0.xy, l(1.0, 2.0, 0, 0)\nprintf \"%f %x %v2f\", r0.x, r0.x, r0.xyxy"),
            "message @0 printf text \"%f %x %v4f\" types 6 f32 i32 f32 f32 f32 f32\n"
            "  print @0 1.0:f32 0x3f800000:i32 1.0:f32 2.0:f32 1.0:f32 2.0:f32\n");
  EXPECT_TRUE(printed("mov r0.x, l(1.0)\nprintf \"%f\", -r0.x").starts_with("message @0 printf text \"%f\" types 1 f32\n  print @0 %"));
}

TEST(DxbcMessages, ShowConversionsWithoutAnArgumentAsText) {
  EXPECT_EQ(printed("printf \"%d %d\", l(1)"), "message @0 printf text \"%d %%d\" types 1 i32\n  print @0 1:i32\n");
  EXPECT_EQ(printed("printf \"%s %y %d\", l(1), l(2)"), "message @0 printf text \"%%s %%y %d\" types 1 i32\n  print @0 2:i32\n");
  // a constant buffer that is not declared, a sampler
  EXPECT_EQ(printed("printf \"%d %d %d\", cb3[1].x, s0, l(5)"), "message @0 printf text \"%%d %%d %d\" types 1 i32\n  print @0 5:i32\n");
}

TEST(DxbcMessages, AreWrittenOnlyWhereTheyAreReached) { EXPECT_EQ(printed("ret\nprintf \"never\""), ""); }

}  // namespace
}  // namespace unshade::ir
