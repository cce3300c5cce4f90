#include <unshade/system/child.hpp>

#include <gtest/gtest.h>

#include <string>

namespace unshade::system {
namespace {

TEST(Child, ReturnsItsText) {
  const std::string much(1 << 20, 'x');
  const auto text = in_child({}, [&] { return much; });
  ASSERT_TRUE(text) << to_string(text.error());
  EXPECT_EQ(*text, much);
  EXPECT_EQ(*in_child({}, [] { return std::string(); }), "");
}

TEST(Child, ReturnsNoMoreThanItMay) {
  const auto text = in_child({.result_bytes = 1 << 20}, [] { return std::string(3 << 20, 'x'); });
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::limit);
  EXPECT_EQ(text.error().message, "the result exceeds 1 MiB");
}

}  // namespace
}  // namespace unshade::system
