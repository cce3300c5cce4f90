// Specialization constants with other values.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include <unshade/core/text.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/edit.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::spirv {
namespace {

TEST(Specialize, ReplacesLiteralsAndTruthValues) {
  const auto bytes = assemble(
      "OpCapability Shader\nOpCapability Int64\nOpMemoryModel Logical GLSL450\nOpDecorate %a SpecId 1\nOpDecorate %b SpecId 2\n"
      "OpDecorate %c SpecId 3\nOpDecorate %d SpecId 4\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%long = OpTypeInt 64 0\n"
      "%a = OpSpecConstant %uint 5\n%b = OpSpecConstantTrue %bool\n%c = OpSpecConstant %long 7\n%d = OpSpecConstant %uint 9\n");
  ASSERT_TRUE(bytes) << to_string(bytes.error());
  const auto module = parse(View(*bytes));
  ASSERT_TRUE(module);
  const auto made = specialize(*module, std::array<SpecializedConstant, 4>{{{1, 50}, {2, 0}, {3, 0x1'0000'0002}, {77, 1}}});
  const auto again = parse(View(made));
  ASSERT_TRUE(again);
  ASSERT_EQ(made.size(), bytes->size());
  const Interface shown = interface_of(*again);
  ASSERT_EQ(shown.constants.size(), 4U);
  EXPECT_EQ(shown.constants[0].value, 50U);
  EXPECT_EQ(shown.constants[1].value, 0U);
  EXPECT_EQ(shown.constants[2].value, 0x1'0000'0002U);
  EXPECT_EQ(shown.constants[3].value, 9U);
}

}  // namespace
}  // namespace unshade::spirv
