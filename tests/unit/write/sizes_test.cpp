// Source of numbers of 16 and 64 bits: members of buffers, words of another size, atomic operations, bits.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/write/source.hpp>

#include "unit/write/written.hpp"

namespace unshade::write {
namespace {

std::string hlsl_of(std::string_view text) { return written(text); }
std::string glsl_of(std::string_view text, Setting setting = Setting::readable) {
  SourceOptions options;
  options.language = ShadingLanguage::glsl;
  options.setting = setting;
  return written(text, options);
}
testing::AssertionResult has(const std::string& text, std::string_view part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '`' << part << "` is missing in\n" << text;
}

constexpr std::string_view kMembers = R"(stage compute
resource @from structured dimension buffer register 0 stride 32
resource @to uav_structured dimension buffer register 0 stride 8
function @main {
^0:
  %f = handle @from 0
  %t = handle @to 0
  %a = buffer_load i64 structured offset %f 0 0
  %b = buffer_load f64 structured offset %f 1 8
  %c = buffer_load f16 x4 structured offset %f 2 16
  %d = get f16 1 %c
  %e = get f16 2 %c
  %g = fadd f16 %d %e
  %h = buffer_load i32 structured offset %f 2 28
  %i = bitcast i64 %b
  %j = iadd i64 %a %i
  %k = zext i64 %h
  %l = iadd i64 %j %k
  %m = bitcast i16 %g
  %n = zext i64 %m
  %o = iadd i64 %l %n
  buffer_store i64 structured offset %t 0 0 %o
  return
}
)";

TEST(SourceOfSizes, InfersMembersOfTheSizeOfTheirNumbers) {
  const std::string text = hlsl_of(kMembers);
  EXPECT_TRUE(has(text, "struct Element32 {\n  uint64_t f0;\n  double f8;\n  float16_t4 f16;\n  uint f24;\n  uint f28;\n};")) << text;
  EXPECT_TRUE(has(text, "RWStructuredBuffer<uint64_t> to"));
  EXPECT_TRUE(has(text, "from[2].f16"));
  const std::string glsl = glsl_of(kMembers);
  EXPECT_TRUE(has(glsl, "  uint64_t f0;\n  double f8;\n  f16vec4 f16;\n  uint f24;\n"));
  EXPECT_TRUE(has(glsl, "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require"));
}

// What one access takes as words and another as one number.
constexpr std::string_view kWords = R"(stage compute
resource @both uav_structured dimension buffer register 0 stride 16
function @main {
^0:
  %b = handle @both 0
  %low = buffer_load i32 structured offset %b 0 4
  %whole = buffer_load i64 structured offset %b 0 0
  %real = buffer_load f64 structured offset %b 1 8
  %bits = bitcast i64 %real
  %sum = iadd i64 %whole %bits
  buffer_store i64 structured offset %b 2 0 %sum
  buffer_store i32 structured offset %b 3 0 %low
  return
}
)";

TEST(SourceOfSizes, ComposesNumbersOfTheWordsThatTheyLieIn) {
  const std::string text = hlsl_of(kWords);
  EXPECT_TRUE(has(text, "uint words[4];"));
  EXPECT_TRUE(has(text, "uint64_t(both[0].words[1]) << 32 | uint64_t(both[0].words[0])"));
  EXPECT_TRUE(has(text, "asdouble(both[1].words[2], both[1].words[3])"));
  // the words are stored when the number is known
  EXPECT_TRUE(has(text, "{ uint64_t stored = "));
  EXPECT_TRUE(has(text, "; both[2].words[0] = uint(stored); both[2].words[1] = uint(stored >> 32); }"));
  const std::string glsl = glsl_of(kWords);
  EXPECT_TRUE(has(glsl, "packUint2x32(uvec2(both[0].words[0], both[0].words[1]))"));
  EXPECT_TRUE(has(glsl, "packDouble2x32(uvec2(both[1].words[2], both[1].words[3]))"));
}

constexpr std::string_view kHalves = R"(stage compute
resource @both uav_structured dimension buffer register 0 stride 8
function @main {
^0:
  %b = handle @both 0
  %half = buffer_load f16 structured offset %b 0 6
  %word = buffer_load f32 structured offset %b 0 4
  %wide = f_to_f f32 nearest_even %half
  %sum = fadd f32 %word %wide
  buffer_store f32 structured offset %b 1 4 %sum
  return
}
)";

TEST(SourceOfSizes, ComposesWordsOfHalves) {
  const std::string text = hlsl_of(kHalves);
  EXPECT_TRUE(has(text, "uint16_t words[4];"));
  EXPECT_TRUE(has(text, "asfloat(uint(both[0].words[3]) << 16 | uint(both[0].words[2]))"));
  EXPECT_TRUE(has(text, "asfloat16(both[0].words[3])"));
  EXPECT_TRUE(has(text, "both[1].words[2] = uint16_t(stored); both[1].words[3] = uint16_t(stored >> 16); }"));
}

constexpr std::string_view kConstants = R"(stage compute
resource @sizes cbuffer register 0 bytes 32
resource @to uav_structured dimension buffer register 0 stride 8
function @main {
^0:
  %s = handle @sizes 0
  %t = handle @to 0
  %wide = cbuffer_load i64 %s 8
  %half = cbuffer_load i16 %s 18
  %more = zext i64 %half
  %sum = iadd i64 %wide %more
  buffer_store i64 structured offset %t 0 0 %sum
  return
}
)";

TEST(SourceOfSizes, ComposesConstantsOfRegisters) {
  const std::string text = hlsl_of(kConstants);
  EXPECT_TRUE(has(text, "uint64_t(sizes_data[0].w) << 32 | uint64_t(sizes_data[0].z)"));
  EXPECT_TRUE(has(text, "uint16_t(sizes_data[1].x >> 16)"));
  EXPECT_TRUE(has(glsl_of(kConstants), "packUint2x32(uvec2(sizes_data[0].z, sizes_data[0].w))"));
}

constexpr std::string_view kEight = R"(stage compute
resource @sizes cbuffer register 0 bytes 32
resource @to uav_structured dimension buffer register 0 stride 2
function @main {
^0:
  %s = handle @sizes 0
  %t = handle @to 0
  %all = cbuffer_load i16 x8 %s 16
  %a = get i16 1 %all
  %b = get i16 6 %all
  %sum = iadd i16 %a %b
  buffer_store i16 structured offset %t 0 0 %sum
  return
}
)";

TEST(SourceOfSizes, SplitsLoadsOfMoreNumbersThanAVectorHas) {
  const std::string text = written_prepared(kEight);
  EXPECT_TRUE(has(text, "uint16_t(sizes_data[1].x >> 16)"));
  EXPECT_TRUE(has(text, "uint16_t(sizes_data[1].w)"));
}

constexpr std::string_view kRaw = R"(stage compute
resource @from byte_address dimension buffer register 0
resource @to uav_byte_address dimension buffer register 0
function @main {
^0:
  %f = handle @from 0
  %t = handle @to 0
  %id = builtin i32 thread_id.x
  %at = imul i32 %id 24
  %a = buffer_load i64 raw %f %at
  %b = buffer_load f16 x2 raw %f 2
  %c = get f16 0 %b
  %d = get f16 1 %b
  %e = fadd f16 %c %d
  buffer_store f16 raw %t 6 %e
  buffer_store i64 raw %t %at %a
  return
}
)";

TEST(SourceOfSizes, ReadsAndWritesNumbersInBuffersOfBytes) {
  const std::string text = hlsl_of(kRaw);
  EXPECT_TRUE(has(text, "from.Load<float16_t2>(2)"));
  EXPECT_TRUE(has(text, "to.Store<float16_t>(6, "));
  EXPECT_TRUE(has(text, "from.Load<uint64_t>("));
  EXPECT_TRUE(has(text, "to.Store<uint64_t>("));
  const std::string glsl = glsl_of(kRaw);
  EXPECT_TRUE(has(glsl, "uint16_t from_halves[];"));
  EXPECT_TRUE(has(glsl, "u16vec2(from_halves[1], from_halves[2])"));
  EXPECT_TRUE(has(glsl, "to_halves[3] = float16BitsToUint16("));
  EXPECT_TRUE(has(glsl, "= unpackUint2x32(value).y;"));
}

constexpr std::string_view kAtomic = R"(stage compute
resource @sums uav_structured dimension buffer register 0 stride 8
resource @bytes uav_byte_address dimension buffer register 1
function @main {
^0:
  %s = handle @sums 0
  %b = handle @bytes 0
  %a = buffer_atomic i64 structured offset add %s 1 0 5
  %c = buffer_atomic i64 raw umax %b 16 %a
  return
}
)";

TEST(SourceOfSizes, HasAtomicOperationsOn64Bits) {
  const std::string text = hlsl_of(kAtomic);
  EXPECT_TRUE(has(text, "InterlockedAdd(sums[1], 5ul, "));
  EXPECT_TRUE(has(text, "bytes.InterlockedMax64(16, "));
  const std::string glsl = glsl_of(kAtomic);
  EXPECT_TRUE(has(glsl, "#extension GL_EXT_shader_atomic_int64 : require"));
  EXPECT_TRUE(has(glsl, "atomicAdd(sums[1], 5ul)"));
  EXPECT_TRUE(has(glsl, "atomicMax(bytes_wide[2], "));
}

constexpr std::string_view kBits = R"(stage compute
resource @from structured dimension buffer register 0 stride 8
resource @halves structured dimension buffer register 1 stride 2
resource @to uav_byte_address dimension buffer register 0
function @main {
^0:
  %f = handle @from 0
  %h = handle @halves 0
  %t = handle @to 0
  %a = buffer_load i64 structured offset %f 0 0
  %b = bit_count i64 %a
  %c = first_high i64 %a
  %d = irem i64 %a 7
  %e = trunc i32 %d
  %g = buffer_load i16 structured offset %h 0 0
  %i = wave_reduce i16 smax %g
  %j = sext i32 %i
  %k = first_high_signed i16 %g
  buffer_store i32 raw %t 0 %b %c %e %j
  buffer_store i32 raw %t 16 %k
  return
}
)";

TEST(SourceOfSizes, CountsBitsAndReducesByTheSizeOfTheNumber) {
  const std::string glsl = glsl_of(kBits);
  EXPECT_TRUE(has(glsl, "return bitCount(words.x) + bitCount(words.y);"));
  EXPECT_TRUE(has(glsl, "return words.y != 0u ? findMSB(words.y) + 32 : findMSB(words.x);"));
  EXPECT_TRUE(has(glsl, "int64_t remainder(int64_t a, int64_t b)"));
  EXPECT_TRUE(has(glsl, "subgroupMax(int16_t("));
  EXPECT_TRUE(has(glsl, "#extension GL_EXT_shader_subgroup_extended_types_int16 : require"));
  EXPECT_TRUE(has(glsl_of(kBits, Setting::exact), "b == int64_t(0) ? int64_t(-1)"));
  EXPECT_TRUE(has(hlsl_of(kBits), "WaveActiveMax(int16_t("));
}

constexpr std::string_view kLiterals = R"(stage compute
resource @reals uav_structured dimension buffer register 0 stride 8
resource @halves uav_structured dimension buffer register 1 stride 2
resource @wholes uav_structured dimension buffer register 2 stride 8
function @main {
^0:
  %r = handle @reals 0
  %h = handle @halves 0
  %w = handle @wholes 0
  %x = buffer_load f64 structured offset %r 0 0
  %bits = bitcast i64 %x
  buffer_store f64 structured offset %r 1 0 inf
  buffer_store f16 structured offset %h 0 0 0x7c00
  buffer_store f16 structured offset %h 1 0 0x3e00
  buffer_store i64 structured offset %w 0 0 %bits
  return
}
)";

TEST(SourceOfSizes, SpellsLiteralsAndBits) {
  const std::string text = hlsl_of(kLiterals);
  EXPECT_TRUE(has(text, "asdouble(0x0u, 0x7ff00000u)"));
  EXPECT_TRUE(has(text, "asfloat16(uint16_t(0x7c00))"));
  EXPECT_TRUE(has(text, "1.5h"));
  EXPECT_TRUE(has(text, "uint64_t bitsOf(double value)"));
}

constexpr std::string_view kTexels = R"(stage compute
resource @wrap sampler register 0
resource @texels texture dimension texture2d returns uint register 0
resource @to uav_byte_address dimension buffer register 0
function @main {
^0:
  %s = handle @wrap 0
  %x = handle @texels 0
  %t = handle @to 0
  %a = gather i16 x4 texture2d %x %s 0.5 0.5
  %b = get i16 0 %a
  %c = get i16 1 %a
  buffer_store i16 raw %t 0 %b %c
  return
}
)";

TEST(SourceOfSizes, ConvertsTexelsOfWords) {
  EXPECT_TRUE(has(hlsl_of(kTexels), "uint16_t2(texels.GatherRed(wrap, (float2)0.5).xy)"));
  EXPECT_TRUE(has(glsl_of(kTexels), "u16vec2(textureGather("));
}

// Compilers have matrices by columns where nothing says otherwise, and glslang takes no word for it in an argument.
TEST(SourceOfSizes, HasNoPackingInTheArgumentOfABuffer) {
  auto module = ir::parse(R"(stage compute
resource @from structured dimension buffer register 0 stride 64
resource @to uav_structured dimension buffer register 0 stride 4
function @main {
^0:
  %f = handle @from 0
  %t = handle @to 0
  %a = buffer_load f32 structured offset %f 0 20
  buffer_store f32 structured offset %t 0 0 %a
  return
}
)");
  ASSERT_TRUE(module);
  auto valid = ir::verified(*std::move(module));
  ASSERT_TRUE(valid);
  const auto structured = ir::structured(*std::move(valid));
  ASSERT_TRUE(structured);
  shader::Reflection reflection;
  shader::Type type;
  type.type_class = shader::TypeClass::matrix_columns;
  type.base = shader::BaseType::float_;
  type.rows = type.columns = 4;
  reflection.types.push_back(type);
  shader::Variable element;
  element.name = "$Element";
  element.type = 0;
  element.size = 64;
  shader::Buffer buffer;
  buffer.name = "from";
  buffer.kind = shader::BufferKind::resource_bind_info;
  buffer.variables.push_back(element);
  reflection.buffers.push_back(buffer);
  shader::Resource resource;
  resource.name = "from";
  resource.kind = shader::ResourceKind::structured;
  resource.bind_count = 1;
  resource.buffer = 0;
  reflection.resources.push_back(resource);
  const auto made = to_source(*structured, &reflection, {});
  ASSERT_TRUE(made);
  EXPECT_TRUE(has(made->text, "StructuredBuffer<float4x4> from : register(t0);"));
  EXPECT_TRUE(has(made->text, "from[0][1][1]"));
}

}  // namespace
}  // namespace unshade::write
