// System values are what the interpreter has of them.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace unshade::write
