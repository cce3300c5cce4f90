#include <unshade/find/name_template.hpp>

#include <gtest/gtest.h>

#include <string>

namespace unshade::test {

namespace {

using find::NameTemplate;

std::string expanded(std::string_view text, const std::string& a, const std::string& b = "b") {
  NameTemplate name;
  EXPECT_EQ(name.parse(text, {"a", "b"}), "");
  return name.expand([&](std::string_view field) { return field == "a" ? a : b; });
}

TEST(NameTemplate, PutsInFields) {
  EXPECT_EQ(expanded("{a}.{b}.x", "one", "two"), "one.two.x");
  EXPECT_EQ(expanded("plain.bin", "one"), "plain.bin");
  EXPECT_EQ(expanded("{a}{a}", "one"), "oneone");
  EXPECT_EQ(expanded("{a}/{b}", "one", "two"), "one/two");
  EXPECT_EQ(expanded("x{a}", ""), "xnone");
}

// Values come from files: they make no folders, and no names that are hidden or lead elsewhere.
TEST(NameTemplate, ValuesStayInTheirPlace) {
  EXPECT_EQ(expanded("{a}", "../../etc/passwd"), "___.._etc_passwd");
  EXPECT_EQ(expanded("{a}", ".."), "__");
  EXPECT_EQ(expanded("x/{a}", ".hidden"), "x/_hidden");
  EXPECT_EQ(expanded("x{a}", ".ext"), "x.ext");
  EXPECT_EQ(expanded("{a}", "ps 5\n0"), "ps_5_0");
}

// Also on systems that refuse more than this one.
TEST(NameTemplate, NamesAreThoseOfEverySystem) {
  EXPECT_EQ(expanded("{a}", "con"), "_con");
  EXPECT_EQ(expanded("{a}.{b}", "nul", "bin"), "_nul.bin");
  EXPECT_EQ(expanded("c{a}/x", "om1"), "_com1/x");
  EXPECT_EQ(expanded("{a}", "a."), "a_");
  EXPECT_EQ(expanded("{a}", "C:\\x"), "C__x");
  EXPECT_EQ(expanded(".x/.{a}", "y"), ".x/.y");
  EXPECT_EQ(expanded("x/.{a}", "."), "x/__");
  EXPECT_EQ(expanded("{a}.bin", std::string(300, 'a')), std::string(236, 'a') + ".bin");
}

TEST(NameTemplate, RefusesWhatIsNoName) {
  NameTemplate name;
  for (const char* text : {"",    "{a",     "a}",    "{c}",  "{}",   "/x",     "../x", "x/../y",  "x//y",    "x/",
                           "./x", "x\\{a}", "C:{a}", "{a}?", "{a}.", "{a} /x", " {a}", "nul.{a}", "aux/{a}", "..."})
    EXPECT_NE(name.parse(text, {"a", "b"}), "") << text;
}

}  // namespace

}  // namespace unshade::test
