// System values are what the interpreter has of them.
#include <gtest/gtest.h>

#include <string_view>

#include <unshade/ir/text.hpp>

#include "unit/write/translated.hpp"

namespace unshade::write {
namespace {

TEST(TranslatedInterface, InnerCoverageIsZeroOrOne) {
  const auto module = ir::parse(R"(stage pixel
output "SV_Target" system_value target type f32 register 0

function @main {
^0:
  %mask = builtin i32 inner_coverage
  %value = u_to_f f32 %mask
  output f32 out0.x %value
  return
}
)");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(test::difference(*module), "");
}

// The one position of Vulkan has the name of its semantic once.
TEST(TranslatedInterface, PositionsOfStreamsAreOne) {
  const auto module = ir::parse(R"(stage geometry
info input_primitive point streams 2 point_list point_list max_vertices 2
input "A" type f32 register 0
output "SV_Position" system_value position type f32 register 0
output "SV_Position" system_value position type f32 register 0 stream 1

function @main {
^0:
  %x = input f32 in0.x vertex 0
  output f32 out0.x %x
  emit 0
  output f32 out1.x %x
  emit 1
  return
}
)");
  ASSERT_TRUE(module) << to_string(module.error());
  const auto bytes = test::translated(*module);
  ASSERT_TRUE(bytes) << to_string(bytes.error());
  EXPECT_EQ(test::invalid(View(*bytes)), "");
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  EXPECT_EQ(text.find("SV_Position"), text.rfind("SV_Position"));
}

}  // namespace
}  // namespace unshade::write
