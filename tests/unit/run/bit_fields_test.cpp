// Fields of all bits: valid in SPIR-V, where only a sum of offset and width that is greater is not.
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unit/run/run_support.hpp"

namespace unshade::run {
namespace {

using run_test::list_of;
using run_test::made_by_text;
using run_test::map_of;
using run_test::text_of;

constexpr std::string_view kSpirv = R"(; SPIR-V
; Version: 1.0
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %in %out
OpName %in "a"
OpName %out "r"
OpDecorate %in Location 0
OpDecorate %out Location 0
%void = OpTypeVoid
%entry = OpTypeFunction %void
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%v4 = OpTypeVector %uint 4
%in_v4 = OpTypePointer Input %v4
%out_v4 = OpTypePointer Output %v4
%in = OpVariable %in_v4 Input
%out = OpVariable %out_v4 Output
%zero = OpConstant %uint 0
%w32 = OpConstant %uint 32
%main = OpFunction %void None %entry
%first = OpLabel
%a = OpLoad %v4 %in
%value = OpCompositeExtract %uint %a 0
%base = OpCompositeExtract %uint %a 1
%offset = OpCompositeExtract %uint %a 2
%width = OpCompositeExtract %uint %a 3
%signed = OpBitcast %int %value
%u = OpBitFieldUExtract %uint %value %offset %width
%s = OpBitFieldSExtract %int %signed %offset %width
%s_bits = OpBitcast %uint %s
%i = OpBitFieldInsert %uint %base %value %offset %width
%known = OpBitFieldUExtract %uint %value %zero %w32
%made = OpCompositeConstruct %v4 %u %s_bits %i %known
OpStore %out %made
OpReturn
OpFunctionEnd
)";

std::string made_of(std::string_view text, std::string_view input, std::string_view output, const std::vector<std::uint32_t>& numbers) {
  const Value lane = map_of({{input, run_test::list_of_numbers(numbers)}});
  return text_of(made_by_text(text, map_of({{"lanes", list_of({lane})}})), "lanes", 0, output);
}

TEST(RunBitFields, OfSpirvMayHaveAllBits) {
  EXPECT_EQ("2147483649 2147483649 2147483649 2147483649", made_of(kSpirv, "a", "r", {0x80000001, 7, 0, 32}));
  EXPECT_EQ("0 0 7 2147483649", made_of(kSpirv, "a", "r", {0x80000001, 7, 0, 0}));
  EXPECT_EQ("1073741824 3221225472 2 2147483649", made_of(kSpirv, "a", "r", {0x80000001, 2, 1, 31}));
}

}  // namespace
}  // namespace unshade::run
