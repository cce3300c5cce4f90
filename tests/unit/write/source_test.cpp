// Source of modules of the IR: what a person would write.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/write/source.hpp>

namespace unshade::write {
namespace {

std::string source_of(std::string_view text, const SourceOptions& options = {}) {
  auto module = ir::parse(text);
  if (!module) return to_string(module.error());
  auto valid = ir::verified(*std::move(module));
  if (!valid) return to_string(valid.error());
  const auto structured = ir::structured(*std::move(valid));
  if (!structured) return to_string(structured.error());
  const auto made = to_source(*structured, nullptr, options);
  return made ? made->text : to_string(made.error());
}

/// The statements of the entry point.
std::string body_of(std::string_view text, const SourceOptions& options = {}) {
  const std::string all = source_of(text, options);
  const std::size_t start = all.find(" main(");
  if (start == std::string::npos) return all;
  return all.substr(all.find('\n', start) + 1);
}

TEST(Source, HasDeclarationsThatBindWhereTheModuleDoes) {
  EXPECT_EQ(source_of(R"(stage pixel
input "TEXCOORD" index 3 type f32 interpolation linear_noperspective register 0 columns 2
output "SV_Target" system_value target type f32 register 0
resource @albedo texture dimension texture2d returns float space 1 register 4
resource @wrap sampler register 2
function @main {
^0:
  %t = handle @albedo 0
  %s = handle @wrap 0
  %u = input f32 in0.x
  %v = input f32 in0.y
  %c = sample_implicit f32 x4 texture2d %t %s %u %v
  %r = get f32 0 %c
  %g = get f32 1 %c
  %b = get f32 2 %c
  output f32 out0.x %r
  output f32 out0.y %g
  output f32 out0.z %b
  output f32 out0.w 1.0
  return
}
)"),
            R"(Texture2D<float4> albedo : register(t4, space1);
SamplerState wrap : register(s2);

struct Input {
  noperspective float2 texcoord3 : TEXCOORD3;
};

struct Output {
  float4 target : SV_Target;
};

Output main(Input input) {
  Output output;
  float4 c = albedo.Sample(wrap, input.texcoord3);
  output.target = float4(c.xyz, 1.0);
  return output;
}
)");
}

TEST(Source, HasALoopThatCountsAsFor) {
  EXPECT_EQ(body_of(R"(stage vertex
input "COUNT" type i32 signed register 0 columns 1
output "SUM" type i32 signed register 0 columns 1
function @main {
^0:
  %n = input i32 in0.x
  jump ^1
^1:
  %i = phi i32 ^0 0 ^2 %next
  %sum = phi i32 ^0 0 ^2 %more
  %less = ilt i32 %i %n
  branch %less ^2 ^3
^2:
  %more = iadd i32 %sum %i
  %next = iadd i32 %i 1
  jump ^1
^3:
  %all = phi i32 ^1 %sum
  output i32 out0.x %all
  return
}
)"),
            R"(  Output output;
  int sum = 0;
  for (int i = 0; i < input.count; i++) {
    sum += i;
  }
  output.sum = sum;
  return output;
}
)");
}

}  // namespace
}  // namespace unshade::write
