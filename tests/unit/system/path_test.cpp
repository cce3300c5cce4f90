#include <unshade/system/path.hpp>

#include <gtest/gtest.h>

#include <string>

namespace unshade::system {
namespace {

TEST(Path, IsTextWithSlashes) {
  EXPECT_EQ(text_of(path_of("a//\xc3\xa4") / "b"), "a//\xc3\xa4/b");
#ifdef _WIN32
  EXPECT_EQ(text_of(path_of("a\\b") / "c"), "a/b/c");
  EXPECT_EQ(text_of(path_of("\\\\?\\C:\\a") / "b"), "\\\\?\\C:\\a\\b") << "which has no other separator";
#else
  EXPECT_EQ(text_of(path_of("a\\b") / "c"), "a\\b/c");
#endif
}

}  // namespace
}  // namespace unshade::system
