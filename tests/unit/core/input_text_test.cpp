#include <unshade/core/text/input_text.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/view.hpp>

namespace unshade {

namespace {

using namespace std::string_view_literals;

TEST(InputText, EndsBeforeWhatIsNoText) {
  EXPECT_EQ(InputText("a\n\0"sv).view(), "a\n");
  EXPECT_EQ(InputText("a\0\0\r\n\0"sv).view(), "a");
  EXPECT_EQ(InputText("a\n\x1a"sv).view(), "a\n");
  EXPECT_EQ(InputText("\xef\xbb\xbf"
                      "a"sv)
                .view(),
            "a");
  EXPECT_EQ(InputText("\xef\xbb\xbf"
                      "a\0"sv,
                      true)
                .view(),
            "\xef\xbb\xbf"
            "a");
  EXPECT_EQ(InputText("a\0b\0"sv).view(), "a\0b"sv);  // for what reads it to refuse
  EXPECT_EQ(InputText("\0\0"sv).view(), "");
  EXPECT_EQ(InputText("").view(), "");
}

TEST(InputText, HasBlanksForPageBreaksThatBeginLines) { EXPECT_EQ(InputText("a\n\fb \v\n \f\n\"c\fd\"").view(), "a\n b \v\n  \n\"c\fd\""); }

TEST(InputText, HasLineFeedsForReturnsThatEndLinesAlone) {
  EXPECT_EQ(InputText("a\r// b\r\r").view(), "a\n// b\n\n");
  EXPECT_EQ(InputText("a\r \fb").view(), "a\n  b");
  EXPECT_EQ(InputText("a\r\nb\rc\r\n").view(), "a\r\nb\rc\r\n");  // only where nothing else ends a line
}

TEST(InputText, IsTextWithItsTerminator) {
  const auto view = [](std::string_view text) { return View(std::as_bytes(std::span(text))); };
  EXPECT_TRUE(is_text(view("ps_4_0\0"sv)));
  EXPECT_FALSE(is_text(view("ps\0_4_0"sv)));
  EXPECT_FALSE(is_text(view("\0\0\0\0"sv)));
  EXPECT_FALSE(is_text(view("")));
}

}  // namespace

}  // namespace unshade
