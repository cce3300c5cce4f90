#include <unshade/shader/run.hpp>

#include <gtest/gtest.h>

#include <initializer_list>
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

}  // namespace
}  // namespace unshade::shader
