#include <unshade/run/run.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>

namespace unshade::run {
namespace {

constexpr std::string_view kRows = R"(stage vertex
input "TEXCOORD" index 2 type f32 register 0 columns 3 rows 2
output "COLOR" type f32 register 0 columns 1 rows 2

function @main {
^0:
  %0 = input f32 in0.z
  %1 = input f32 in0.x row 1
  output f32 out0.x %0
  output f32 out0.x row 1 %1
  return
}
)";

Value numbers(std::initializer_list<int> from) {
  Value list = Value::list();
  for (const int one : from) list.push(Value::signed_integer(one));
  return list;
}

TEST(Run, RefusesModulesThatDoNotVerify) {
  auto module = ir::parse(kRows);
  ASSERT_TRUE(module) << to_string(module.error());
  module->functions[0].insts[module->functions[0].blocks[0].first].type = ir::Type::f64;
  const ir::Module wrong = *module;
  const auto prepared = prepare(ir::Module(wrong));
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::bad_value);
  EXPECT_TRUE(prepared.error().path.starts_with("main/^0/")) << prepared.error().path;
  const auto done = execute(ir::Module(wrong), Value::map());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().path, prepared.error().path);
}

TEST(Run, GivesEachRowOfAnElementASemantic) {
  auto module = ir::parse(kRows);
  ASSERT_TRUE(module) << to_string(module.error());
  Value lane = Value::map();
  lane.add("texcoord3", numbers({4, 5, 6}));
  lane.add("TEXCOORD2", numbers({1, 2, 3, 7}));
  Value lanes = Value::list();
  lanes.push(std::move(lane));
  Value given = Value::map();
  given.add("lanes", std::move(lanes));
  const auto done = execute(std::move(*module), given);
  ASSERT_TRUE(done) << to_string(done.error());
  const Value& made = (*done->find("lanes")->as_list())[0];
  EXPECT_EQ((*made.find("COLOR")->as_list())[0].as_real()->narrow, 3.0F);
  EXPECT_EQ((*made.find("COLOR1")->as_list())[0].as_real()->narrow, 4.0F);
}

/// A loop as long as an input says; of 0 without an end.
constexpr std::string_view kCounts = R"(stage vertex
input "COUNT" type i32 register 0 columns 1
output "SUM" type i32 register 0 columns 1

function @main {
^0:
  %0 = input i32 in0.x
  jump ^1
^1:
  %1 = phi i32 ^0 %0 ^1 %2
  %2 = iadd i32 %1 -1
  %3 = ine i32 %2 0
  branch %3 ^1 ^2
^2:
  output i32 out0.x %2
  return
}
)";

TEST(Run, LimitsWhatGeneratedInputsTake) {
  const auto made = [] {
    auto module = ir::parse(kCounts);
    EXPECT_TRUE(module) << to_string(module.error());
    ir::canonicalize(*module);  // the value of the loop that is used after it
    return prepare(std::move(*module));
  }();
  ASSERT_TRUE(made) << to_string(made.error());
  const auto stopped = [&](const Value& given, std::optional<std::uint64_t> operations = {}) {
    RunOptions options;
    options.operations = operations;
    const auto done = execute(*made, given, options);
    EXPECT_TRUE(done) << to_string(done.error());
    const Value* const fault = done->find("fault");
    return *done->find("stop")->as_text() + ": " + (fault == nullptr ? "" : *fault->as_text());
  };
  const std::string generated = stopped(Value::map());
  EXPECT_TRUE(generated.starts_with("budget: the run took more than 16777216 operations")) << generated;
  EXPECT_TRUE(generated.ends_with(", on inputs that were generated")) << generated;
  Value wave = Value::map();
  wave.add("wave", Value::integer(8));
  for (const Value& given : {Value(), wave}) {
    const std::string fewer = stopped(given, 100);
    EXPECT_TRUE(fewer.starts_with("budget: the run took more than 100 operations")) << fewer;
    EXPECT_TRUE(fewer.ends_with(", on inputs that were generated")) << fewer;
  }

  // what a case says may take more
  Value lane = Value::map();
  lane.add("COUNT", Value::integer(4'500'000));
  Value lanes = Value::list();
  lanes.push(std::move(lane));
  Value given = Value::map();
  given.add("lanes", std::move(lanes));
  EXPECT_EQ(stopped(given), "finished: ");
  const std::string stated = stopped(given, 100);
  EXPECT_TRUE(stated.starts_with("budget: the run took more than 100 operations")) << stated;
  EXPECT_EQ(stated.find("generated"), std::string::npos) << stated;
}

/// TEXCOORD v1.xy, TEXCOORD1 v1.zw, FOO v2.yzw; the outputs have them one after the other.
constexpr std::string_view kPacked = R"(stage vertex
input "TEXCOORD" type f32 register 1 columns 2
input "TEXCOORD" index 1 type f32 register 1 column 2 columns 2
input "FOO" type f32 register 2 column 1 columns 3
output "COLOR" type f32 register 0 columns 4
output "COLOR" index 1 type f32 register 1 columns 3

function @main {
^0:
  %0 = input f32 in0.x
  %1 = input f32 in0.y
  %2 = input f32 in1.x
  %3 = input f32 in1.y
  %4 = input f32 in2.x
  %5 = input f32 in2.y
  %6 = input f32 in2.z
  output f32 out0.x %0
  output f32 out0.y %1
  output f32 out0.z %2
  output f32 out0.w %3
  output f32 out1.x %4
  output f32 out1.y %5
  output f32 out1.z %6
  return
}
)";

/// What a lane gives, or why it is refused.
std::string packed(std::initializer_list<std::pair<std::string_view, Value>> inputs, std::string_view text = kPacked) {
  auto module = ir::parse(text);
  if (!module) return to_string(module.error());
  Value lane = Value::map();
  for (const auto& [name, value] : inputs) lane.add(name, value);
  Value given = Value::map();
  given.add("lanes", Value::list({std::move(lane)}));
  const auto done = execute(std::move(*module), given);
  if (!done) return done.error().path + ": " + done.error().message;
  std::string made;
  for (const char* const name : {"COLOR", "COLOR1"})
    for (const Value& one : *(*done->find("lanes")->as_list())[0].find(name)->as_list())
      made += std::to_string(static_cast<int>(one.as_real()->narrow));
  return made;
}

TEST(Run, RegistersHaveAllTheirElements) {
  EXPECT_EQ(packed({{"v1", numbers({1, 2, 3, 4})}, {"v2", numbers({5, 6, 7, 8})}}), "1234678");
  EXPECT_EQ(packed({{"v1", numbers({1, 2, 3})}, {"v2", numbers({5, 6})}}), "1230600");
  EXPECT_EQ(packed({{"v1", Value::integer(1)}, {"FOO", numbers({6, 7, 8})}}), "1000678");
  EXPECT_EQ(packed({{"v1", numbers({1, 2})}, {"TEXCOORD1", numbers({3, 4})}}), "1234000");
  EXPECT_EQ(packed({{"v1", numbers({1, 2, 3, 4, 5})}}), "lanes[0]/v1: found 5 numbers, the input has 2");
  EXPECT_EQ(packed({{"v2", Value::integer(5)}}),
            "lanes[0]/v2: the shader does not read the first component of this register: give a list of its components from x on");
}

TEST(Run, RefusesTwoNamesOfAnInput) {
  EXPECT_EQ(packed({{"TEXCOORD", numbers({1, 2})}, {"texcoord0", numbers({1, 2})}}),
            "lanes[0]/texcoord0: `TEXCOORD` is another name of this input, which must have one of them");
  EXPECT_EQ(packed({{"v1", numbers({1, 2, 3})}, {"TEXCOORD1", numbers({3})}}),
            "lanes[0]/TEXCOORD1: `v1` is another name of this input, which must have one of them");
  EXPECT_EQ(packed({{"FOO", numbers({1})}, {"v2", numbers({0, 1})}}),
            "lanes[0]/v2: `FOO` is another name of this input, which must have one of them");
}

TEST(Run, SemanticsMayEndInNumbers) {
  std::string text(kPacked);
  text.replace(text.find("\"FOO\""), 5, "\"v10\"");
  text.replace(text.find("\"TEXCOORD\""), 10, "\"v1\"");
  EXPECT_EQ(packed({{"v1", numbers({1, 2})}, {"v10", numbers({6, 7, 8})}}, text), "1200678");
  EXPECT_EQ(packed({{"v1", numbers({1, 2})}, {"v100", numbers({6, 7, 8})}}, text), "1200678");
}

/// What is wrong with a case; `none` if nothing is.
std::string fault_of(Value given) {
  auto module = ir::parse(kRows);
  if (!module) return to_string(module.error());
  const auto done = execute(std::move(*module), given);
  return done ? "none" : done.error().path + ": " + done.error().message;
}

Value lane_of(std::string_view name, Value value) {
  Value lane = Value::map();
  lane.add(name, std::move(value));
  Value lanes = Value::list();
  lanes.push(std::move(lane));
  Value given = Value::map();
  given.add("lanes", std::move(lanes));
  return given;
}

TEST(Run, RefusesNumbersThatNoElementHas) {
  EXPECT_EQ(fault_of(lane_of("TEXCOORD2", numbers({1, 2, 3, 4, 5, 6}))), "none");
  EXPECT_EQ(fault_of(lane_of("TEXCOORD2", numbers({1, 2, 3, 4, 5, 6, 7}))), "lanes[0]/TEXCOORD2: found 7 numbers, the input has 6");
  EXPECT_EQ(fault_of(lane_of("TEXCOORD3", numbers({1, 2, 3, 4}))), "none");
  EXPECT_EQ(fault_of(lane_of("TEXCOORD3", numbers({1, 2, 3, 4, 5}))), "lanes[0]/TEXCOORD3: found 5 numbers, the input has 3");
  EXPECT_EQ(fault_of(lane_of("TEXCOORD3", Value::text("$x"))), "lanes[0]/TEXCOORD3: expected a number, found `$x`");
  EXPECT_EQ(fault_of(lane_of("helper", Value::text("yes"))), "lanes[0]/helper: expected true or false");
}

TEST(Run, RefusesContentsThatContradictOrDoNotFit) {
  const auto with = [](std::initializer_list<std::pair<std::string_view, Value>> fields) {
    Value resource = Value::map();
    for (const auto& [name, value] : fields) resource.add(name, value);
    Value resources = Value::map();
    resources.add("t0", std::move(resource));
    Value given = Value::map();
    given.add("resources", std::move(resources));
    return fault_of(std::move(given));
  };
  EXPECT_EQ(with({{"words", numbers({1})}, {"values", numbers({1})}}), "resources/t0/values: `words` and `values` are mutually exclusive");
  Value large = Value::list();
  large.push(Value::integer(std::uint64_t{1} << 32));
  EXPECT_EQ(with({{"words", std::move(large)}}), "resources/t0/words: 4294967296 does not fit into 32 bits: -2147483648 to 4294967295");
  EXPECT_EQ(with({{"words", numbers({-2147483647 - 1})}}), "none");
  Value half = Value::list();
  half.push(Value::real(0.5));
  EXPECT_EQ(with({{"words", std::move(half)}}), "resources/t0/words: expected a whole number, found 0.5");
}

// Values of 16 bits are those of their type, given and generated.
TEST(Run, GivesInputsOf16Bits) {
  constexpr std::string_view kText = R"(stage vertex
input "HALF" type f16 register 0 columns 1
input "SHORT" type i16 signed register 1 columns 1
output "HALF" type f16 register 0 columns 1
output "INT" type i32 signed register 1 columns 1

function @main {
^0:
  %0 = input f16 in0.x
  %1 = fadd f16 %0 0x3800
  output f16 out0.x %1
  %2 = input i16 in1.x
  %3 = sext i32 %2
  output i32 out1.x %3
  return
}
)";
  const auto made = [&](const Value& given) {
    auto module = ir::parse(kText);
    EXPECT_TRUE(module) << to_string(module.error());
    return execute(std::move(*module), given);
  };
  const auto with = [&](Value half, Value whole) {
    Value lane = Value::map();
    lane.add("HALF", std::move(half));
    lane.add("SHORT", std::move(whole));
    Value given = Value::map();
    given.add("lanes", Value::list({lane}));
    return made(given);
  };
  const auto first = [](const Result<Value>& done, std::size_t lane, std::string_view output) {
    return (*(*done->find("lanes")->as_list())[lane].find(output)->as_list())[0];
  };
  const auto done = with(Value::real(0.25), Value::signed_integer(-2));
  ASSERT_TRUE(done) << to_string(done.error());
  EXPECT_EQ(first(done, 0, "HALF").as_real()->narrow, 0.75F);
  EXPECT_EQ(first(done, 0, "INT"), Value::signed_integer(-2));
  const auto generated = made({});
  ASSERT_TRUE(generated) << to_string(generated.error());
  EXPECT_EQ(first(generated, 3, "HALF").as_real()->narrow, 3.5F);
  EXPECT_EQ(with(Value::real(1e30), Value::integer(0)).error().message, "1e+30 does not fit into a float of 16 bits, of at most 65504");
  EXPECT_EQ(with(Value::integer(0), Value::integer(70000)).error().message, "70000 does not fit into 16 bits: -32768 to 65535");
  EXPECT_TRUE(with(Value::text("-inf"), Value::integer(65535)));
}

TEST(Run, RefusesNumbersThatFillNoTexel) {
  const auto with = [](std::initializer_list<std::pair<std::string_view, Value>> fields) {
    Value resource = Value::map();
    for (const auto& [name, value] : fields) resource.add(name, value);
    Value resources = Value::map();
    resources.add("t0", std::move(resource));
    Value given = Value::map();
    given.add("resources", std::move(resources));
    return fault_of(std::move(given));
  };
  const Value format = Value::text("R32G32B32A32_FLOAT"), one = Value::text("R32_FLOAT");
  EXPECT_EQ(with({{"format", format}, {"values", numbers({1, 2, 3})}}),
            "resources/t0/values: the last texel has 3 of the 4 numbers of the format");
  EXPECT_EQ(with({{"format", format}, {"values", numbers({1, 2, 3, 4})}}), "none");
  EXPECT_EQ(with({{"format", one}, {"width", Value::integer(1)}, {"values", numbers({1, 2, 3})}}),
            "resources/t0/values: 12 bytes, the texture has 4");
  EXPECT_EQ(with({{"size", Value::integer(4)}, {"words", numbers({1, 2})}}), "resources/t0/words: 8 bytes, the size is 4");
  EXPECT_EQ(with({{"size", Value::integer(12)}, {"words", numbers({1, 2})}}), "none");
}

/// What is wrong with a case that gives a shader with a buffer of texels and a texture `t0`, or `t1`; `none` if nothing is.
std::string fault_of_texels(std::string_view name, std::initializer_list<std::pair<std::string_view, Value>> fields) {
  auto module = ir::parse(R"(stage vertex
resource @t0 texture dimension buffer returns float register 0
resource @t1 texture dimension texture2d returns float register 1
output "HALF" type f32 register 0

function @main {
^0:
  %t = handle @t0 0
  %v = buffer_load f32 x4 typed %t 0
  %x = get f32 0 %v
  output f32 out0.x %x
  return
}
)");
  if (!module) return to_string(module.error());
  Value resource = Value::map();
  for (const auto& [field, value] : fields) resource.add(field, value);
  Value resources = Value::map();
  resources.add(name, std::move(resource));
  Value given = Value::map();
  given.add("resources", std::move(resources));
  given.add("lanes", Value::list({Value::map()}));
  RunOptions options;
  options.read_file = [](void*, std::string_view) -> Result<std::vector<std::byte>> { return std::vector<std::byte>(6); };
  const auto done = execute(std::move(*module), given, options);
  return done ? "none" : done.error().path + ": " + done.error().message;
}

TEST(Run, RefusesNumbersThatTexelsCannotHold) {
  const auto of = [](std::string_view format, const Value& number) {
    return fault_of_texels("t0", {{"format", Value::text(format)}, {"values", Value::list({number})}});
  };
  EXPECT_EQ(of("R8_UINT", Value::integer(300)), "resources/t0/values: 300 does not fit into R8_UINT: 0 to 255");
  EXPECT_EQ(of("R8_UINT", Value::signed_integer(-1)), "resources/t0/values: -1 does not fit into R8_UINT: 0 to 255");
  EXPECT_EQ(of("R16_SINT", Value::signed_integer(-40000)), "resources/t0/values: -40000 does not fit into R16_SINT: -32768 to 32767");
  EXPECT_EQ(of("R16_FLOAT", Value::integer(70000)), "resources/t0/values: 70000 does not fit into R16_FLOAT: at most 65504.0");
  EXPECT_EQ(of("R16_FLOAT", Value::real(-1e6)), "resources/t0/values: -1e+06 does not fit into R16_FLOAT: at most 65504.0");
  EXPECT_EQ(of("R11G11B10_FLOAT", Value::signed_integer(-1)), "resources/t0/values: -1 does not fit into R11G11B10_FLOAT: 0 to 65024.0");
  EXPECT_EQ(of("R11G11B10_FLOAT", Value::text("-inf")),
            "resources/t0/values: `-inf` does not fit into R11G11B10_FLOAT: 0 to 65024.0, infinity or NaN");
  EXPECT_EQ(of("R11G11B10_FLOAT", Value::text("nan")), "resources/t0/values: the last texel has 1 of the 3 numbers of the format");
  EXPECT_EQ(of("R9G9B9E5_SHAREDEXP", Value::real(-0.5)), "resources/t0/values: -0.5 does not fit into R9G9B9E5_SHAREDEXP: 0 to 65408.0");
  for (const char* const text : {"inf", "nan", "-inf"})
    EXPECT_EQ(of("R9G9B9E5_SHAREDEXP", Value::text(text)),
              std::string("resources/t0/values: `") + text +
                  "` does not fit into R9G9B9E5_SHAREDEXP: 0 to 65408.0, and the format has no infinity and no NaN");
  for (const std::int64_t number : {-32768, 32767}) EXPECT_EQ(of("R16_SINT", Value::signed_integer(number)), "none");
  for (const char* const format : {"R8_UNORM", "R8_SNORM", "R32_FLOAT"}) EXPECT_EQ(of(format, Value::integer(70000)), "none") << format;
  EXPECT_EQ(of("R16_FLOAT", Value::text("-inf")), "none");
  EXPECT_EQ(of("R16_FLOAT", Value::integer(65504)), "none");
  EXPECT_EQ(of("R32_UINT", Value::signed_integer(-1)), "none");
}

TEST(Run, RefusesTexelsWithoutAFormat) {
  EXPECT_EQ(fault_of_texels("t0", {{"values", numbers({1, 1, 1, 1})}}),
            "resources/t0/format: the shader reads or writes texels: the case must state the format of this resource");
  EXPECT_EQ(fault_of_texels("t0", {{"size", Value::integer(16)}}),
            "resources/t0/format: the shader reads or writes texels: the case must state the format of this resource");
  EXPECT_EQ(fault_of_texels("t1", {{"width", Value::integer(2)}, {"values", numbers({1, 1})}}),
            "resources/t1/format: a texture must have a format");
  EXPECT_EQ(fault_of_texels("t2", {{"values", numbers({1})}}), "none");
}

TEST(Run, RefusesPartsOfTexels) {
  const Value format = Value::text("R32_FLOAT");
  EXPECT_EQ(fault_of_texels("t0", {{"format", format}, {"size", Value::integer(6)}}),
            "resources/t0/size: 6 bytes are not a multiple of the 4 of a texel");
  EXPECT_EQ(fault_of_texels("t0", {{"format", format}, {"hex", Value::text("000000000000")}}),
            "resources/t0/hex: 6 bytes are not a multiple of the 4 of a texel");
  EXPECT_EQ(fault_of_texels("t0", {{"format", format}, {"file", Value::text("six")}}),
            "resources/t0/file: 6 bytes are not a multiple of the 4 of a texel");
  EXPECT_EQ(fault_of_texels("t0", {{"format", Value::text("R32G32_FLOAT")}, {"words", numbers({1, 2, 3})}}),
            "resources/t0/words: 12 bytes are not a multiple of the 8 of a texel");
  EXPECT_EQ(fault_of_texels("t0", {{"format", format}, {"hex", Value::text("0000")}, {"size", Value::integer(8)}}), "none");
}

TEST(Run, PicturesHaveSizesAndContentsOfTheirOwn) {
  const Value image = Value::text("a.png");
  EXPECT_EQ(fault_of_texels("t1", {{"image", image}, {"values", numbers({1})}}),
            "resources/t1/image: `image` and `values` are mutually exclusive");
  for (const char* const field : {"width", "height", "layers", "levels", "samples", "size"})
    EXPECT_EQ(fault_of_texels("t1", {{"image", image}, {field, Value::integer(1)}}),
              "resources/t1/image: `image` and `" + std::string(field) + "` are mutually exclusive");
}

// Texels become f16 as floats become texels of 16 bits: toward zero.
TEST(Run, RoundsTexelsThatAreReadAs16Bits) {
  auto module = ir::parse(R"(stage vertex
resource @t0 texture dimension buffer returns float register 0
output "HALF" type f16 register 0

function @main {
^0:
  %t = handle @t0 0
  %v = buffer_load f16 x4 typed %t 0
  %x = get f16 0 %v
  output f16 out0.x %x
  %y = get f16 1 %v
  output f16 out0.y %y
  return
}
)");
  ASSERT_TRUE(module) << to_string(module.error());
  Value texels = Value::map();
  texels.add("format", Value::text("R32G32B32A32_FLOAT"));
  texels.add("values", Value::list({Value::integer(100000), Value::real(0.3), Value::integer(0), Value::integer(0)}));
  Value resources = Value::map();
  resources.add("t0", std::move(texels));
  Value given = Value::map();
  given.add("resources", std::move(resources));
  given.add("lanes", Value::list({Value::map()}));
  const auto done = execute(std::move(*module), given);
  ASSERT_TRUE(done) << to_string(done.error());
  const Value& half = *(*done->find("lanes")->as_list())[0].find("HALF");
  EXPECT_EQ((*half.as_list())[0].as_real()->narrow, 65504.0F);
  EXPECT_EQ((*half.as_list())[1].as_real()->narrow, 0.2998046875F);
}

}  // namespace
}  // namespace unshade::run
