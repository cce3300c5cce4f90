#include <unshade/shader/run.hpp>

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/ir/text.hpp>

namespace unshade::shader {
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
  const auto done = run(std::move(*module), given);
  ASSERT_TRUE(done) << to_string(done.error());
  const Value& made = (*done->find("lanes")->as_list())[0];
  EXPECT_EQ((*made.find("COLOR")->as_list())[0].as_real()->narrow, 3.0F);
  EXPECT_EQ((*made.find("COLOR1")->as_list())[0].as_real()->narrow, 4.0F);
}

/// What is wrong with a case; `none` if nothing is.
std::string fault_of(Value given) {
  auto module = ir::parse(kRows);
  if (!module) return to_string(module.error());
  const auto done = run(std::move(*module), given);
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
  EXPECT_EQ(fault_of(lane_of("TEXCOORD2", numbers({1, 2, 3, 4, 5, 6, 7}))), "lanes[0]/TEXCOORD2: 7 numbers, the input has 6");
  EXPECT_EQ(fault_of(lane_of("TEXCOORD3", numbers({1, 2, 3, 4}))), "none");
  EXPECT_EQ(fault_of(lane_of("TEXCOORD3", numbers({1, 2, 3, 4, 5}))), "lanes[0]/TEXCOORD3: 5 numbers, the input has 3");
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
  EXPECT_EQ(with({{"words", std::move(large)}}), "resources/t0/words: 4294967296 does not fit into 32 bits");
  EXPECT_EQ(with({{"words", numbers({-2147483647 - 1})}}), "none");
  Value half = Value::list();
  half.push(Value::real(0.5));
  EXPECT_EQ(with({{"words", std::move(half)}}), "resources/t0/words: expected a whole number, found 0.5");
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

}  // namespace
}  // namespace unshade::shader
