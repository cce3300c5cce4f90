#include <unshade/ir/text.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/builder.hpp>

namespace unshade::ir {
namespace {

std::string again(std::string_view text) {
  const auto module = parse(text);
  return module ? print(*module) : to_string(module.error());
}

std::string error_of(std::string_view text) {
  const auto module = parse(text);
  return module ? "parsed" : module.error().path + ": " + module.error().message;
}

std::string in_function(std::string_view lines) { return "stage compute\nfunction @f {\n^0:\n" + std::string(lines) + "\n  return\n}\n"; }

constexpr std::string_view kLoop = R"(stage compute
info group_size 64 1 1
modes denorm32 flush fused_mad
resource @Params cbuffer register 0 bytes 32
resource @keys uav_byte_address register 1
variable @shared group bytes 256

function @main {
^0:
  %params = handle @Params 0
  %count = cbuffer_load i32 %params 4
  %keys = handle @keys 0 {non_uniform}
  %tid = builtin i32 local_id.x !3.1
  jump ^1
^1: merge ^3 continue ^2
  %i = phi i32 ^0 0 ^2 %next
  %less = ilt i32 %i %count
  branch %less ^2 ^3
^2:
  %a = buffer_load i32 x2 raw %keys %i
  %7 = get i32 0 %a
  %8 = fadd f32 1.5 -0.0 {precise|relaxed}
  store i32 @shared %tid %7
  %next = iadd i32 %i 1
  jump ^1
^3:
  %last = phi i32 ^1 %i
  barrier sync_group|group_memory
  jump ^4
^4:
  switch i32 %last ^5 1 ^6 2 ^5
^5:
  return
^6:
  unreachable
}
)";

TEST(IrText, PrintsWhatItParses) { EXPECT_EQ(again(kLoop), kLoop); }

TEST(IrText, PrintsEveryPartOfAModule) {
  constexpr std::string_view text = R"(stage pixel
entry "main \"1\""
patch_constant "patch"
info group_size 8 4 1 input_primitive triangle streams 2 triangle_strip 2 max_vertices 12 max_tess_factor 12.5
modes denorm16 flush f24 nearest wave_min 8 wave_max 64 early_depth
input "POSITION" type f32 register 0
input "A \"name\" \x0a" index 3 system_value position type i32 signed interpolation linear register 1 column 1 columns 2 rows 3
output "SV_Target" type f32 register 0 stream 1 per_primitive second_source
patch "TESS" type f16
resource @t texture dimension texture2d returns float space 1 register 2 count 0 coherent
resource @1 "two words" uav_structured register 3 stride 16
resource @2 sampler register 4 comparison heap
resource @image uav_typed dimension texture2d register 5 ordered format r11f_g11f_b10f
resource @counted uav_byte_address register 6 counter 1
variable @0 private bytes 16 element f32 stride 4
variable @table constant offset 4 bytes 4 initial 0x0102fe00
variable @2 "table" payload

function @main (i32 f32) -> (f32 b1) irreducible {
^0:
  %0 = param f32 1
  return %0 true:b1
}

function @other -> (f32) {
^0:
  %0 = call f32 x2 @main 3:i32 %1
  %1 = get f32 0 %0
  call @other
  return %1
}
)";
  EXPECT_EQ(again(text), text);
}

TEST(IrText, PrintsEveryExtraField) {
  constexpr std::string_view lines = R"(  %0 = builtin f32 position.w
  %1 = builtin i32 lane
  %2 = fclass f32 nan|infinite|subnormal 1.0
  %3 = f_to_f f16 toward_zero 1.0:f32
  %4 = pack_i8 i32 clamp_signed 1 2 3 4
  %5 = unpack_i8 i32 zero_extend %4
  %6 = input f32 in3.y vertex row %1 2
  output f32 out2.w row 1 %0
  %7 = output_load f32 patch0.x
  %8 = interpolate f32 in1.z offset 1:i32 2:i32
  %9 = handle_null
  %10 = counter down %9
  %11 = buffer_load f32 x5 typed status %9 1
  %12 = buffer_atomic i32 structured offset compare_exchange %9 0 4 1 2
  %13 = sample f32 x4 texture2d lod offset %9 %9 0.5 0.25 0.0 1 -1
  %14 = gather f32 x4 texture2d_array reference component 2 %9 %9 0.5 0.25 0.0 1.0
  %15 = texel_atomic i32 texture3d smin %9 1 2 3 4
  %16 = texel_load f32 x4 texture2d_ms sample %9 1 2 3
  texel_store f32 texture1d %9 1 2.0 3.0
  %17 = query_size x2 texture2d lod %9 0
  %18 = wave_reduce f32 fmin cluster 2 %0
  %19 = wave_scan i32 iadd inclusive %1
  %20 = quad_swap f32 2 %0
  emit 3
  demote
  demote true
  %21 = bitcast i32 %0
  %22 = select f32 true undef 0x7fc00000
  %23 = iadd i64 -1 0x7fffffffffffffff
  %24 = fadd f64 1e+300 0.1
  %25 = fadd f24 1.5 0x7f800000
  %26 = fadd f16 0x3c00 0x3c00
  %27 = iadd i16 -1 255
  barrier device_memory)";
  const auto text = again(in_function(lines));
  EXPECT_NE(text.find(lines), std::string::npos) << text;
  EXPECT_EQ(again(text), text);
}

TEST(IrText, KeepsWhereInstructionsComeFrom) {
  const std::string text =
      "stage compute\n\nfunction @f {\n^0:\n  %0 = fneg f32 1.0 !3\n  %1 = fneg f32 1.0 !3.4\n  %2 = fneg f32 1.0 !3.4.x\n"
      "  %3 = fneg f32 1.0 !3.4.w\n  %4 = fneg f32 1.0 !3.4.4\n  %5 = fneg f32 1.0 !3.4.254\n  return\n}\n";
  EXPECT_EQ(again(text), text);
  const auto module = parse(text);
  ASSERT_TRUE(module);
  const std::vector<Source>& sources = module->functions[0].sources;
  EXPECT_EQ(sources[1], (Source{3, 4}));
  EXPECT_EQ(sources[3], (Source{3, 4, 3}));
  EXPECT_EQ(sources[5], (Source{3, 4, 254}));
}

TEST(IrText, KeepsTheOrderOfBlocks) {
  const auto text = again("stage compute\nfunction @f {\n^0:\n  branch true ^7 ^5\n^7:\n  jump ^5\n^5:\n  return\n}\n");
  EXPECT_EQ(text, "stage compute\n\nfunction @f {\n^0:\n  branch true ^2 ^1\n^2:\n  jump ^1\n^1:\n  return\n}\n");
}

TEST(IrText, MakesNamesUnique) {
  Function function;
  Builder builder(function);
  builder.at(builder.block());
  for (const char* name : {"r0.x", "r0.x", "two words", "3", "r0.x.1"}) {
    function.names.emplace(builder.inst(Op::fneg, Type::f32, {builder.f32(1)}), name);
  }
  builder.return_values();
  Module module;
  module.functions.push_back(std::move(function));
  const auto text = print(module);
  EXPECT_NE(text.find("%r0.x = "), std::string::npos) << text;
  EXPECT_NE(text.find("%r0.x.1 = "), std::string::npos) << text;
  EXPECT_NE(text.find("%two_words = "), std::string::npos) << text;
  EXPECT_NE(text.find("%_3 = "), std::string::npos) << text;
  EXPECT_NE(text.find("%r0.x.1.4 = "), std::string::npos) << text;
  EXPECT_EQ(again(text), text);
}

TEST(IrText, LocatesErrors) {
  EXPECT_EQ(error_of("stage compute\nwhat\n"), "2:1: expected a declaration, a function or a block");
  EXPECT_EQ(error_of("stage nowhere\n"), "1:7: unknown word");
  EXPECT_EQ(error_of("stage compute \x01"), "1:15: unexpected character");
  EXPECT_EQ(error_of("input \"unended\n"), "1:7: unexpected character");
  EXPECT_EQ(error_of("resource @a cbuffer\nresource @a cbuffer\n"), "2:10: the name is already in use");
  EXPECT_EQ(error_of("resource @a cbuffer space 4294967296\n"), "1:27: expected a number below 4294967296");
  EXPECT_EQ(error_of(in_function("  %a = fadd f32 %b 1.0")), "4:17: unknown value");
  EXPECT_EQ(error_of(in_function("  %a = fadd f32 1.0:f32")), "parsed");
  EXPECT_EQ(error_of(in_function("  %a = fadd f32 x 1.0")), "4:17: expected a constant of type f32");
  EXPECT_EQ(error_of(in_function("  %a = iadd i8 256 1")), "4:16: expected a constant of type i8");
  EXPECT_EQ(error_of(in_function("  %a = iadd i8 -129 1")), "4:16: expected a constant of type i8");
  EXPECT_EQ(error_of(in_function("  %a = bitcast i32 1")), "4:20: expected a type after the constant, such as 1:i32");
  EXPECT_EQ(error_of(in_function("  %a = fsquare f32 1.0")), "4:8: unknown operation");
  EXPECT_EQ(error_of(in_function("  fadd f32 1.0 1.0")), "4:3: expected a name for the result");
  EXPECT_EQ(error_of(in_function("  %a = demote")), "4:8: the operation has no result");
  EXPECT_EQ(error_of(in_function("  jump ^1")), "4:8: unknown block");
  EXPECT_EQ(error_of(in_function("  branch true ^0")), "4:17: wrong number of operands for the operation");
  EXPECT_EQ(error_of(in_function("  %a = load f32 @x 0")), "4:17: unknown name");
  EXPECT_EQ(error_of(in_function("  %a = phi f32 ^0 1.0")), "4:22: expected an operand for each predecessor of the block, which are none");
  EXPECT_EQ(error_of(in_function("  %a = fneg f32 1.0 {exact}")), "4:22: unknown word");
  EXPECT_EQ(error_of(in_function("  %a = fneg f32 1.0 !x")),
            "4:21: expected the number of an instruction of the file, of its group and a component, with points between");
  for (const char* source : {"!1.x", "!1.2.", "!1.2.q", "!1.2.255", "!1.2.x.y", "!1..x"}) {
    EXPECT_EQ(error_of(in_function(std::string("  %a = fneg f32 1.0 ") + source)).substr(0, 15), "4:21: expected ") << source;
  }
  EXPECT_EQ(error_of(in_function("  %a = fneg f32 1.0\n  %a = fneg f32 1.0")), "5:3: the value is defined twice");
  EXPECT_EQ(error_of(in_function("^0:\n")), "4:1: the block is defined twice");
  EXPECT_EQ(error_of("function @f {\n^0:\n  return\n"), "4:1: expected an operation");
}

}  // namespace
}  // namespace unshade::ir
