#include <unshade/core/text/file_names.hpp>

#include <gtest/gtest.h>

#include <string>

namespace unshade {
namespace {

TEST(FileNames, OrdinaryOnesStay) {
  for (const std::string name : {"main.hlsl", "0x5BA01B57.ps_5_0.dxbc", "a b.c", "Gr\u00fc\u00dfe \u4f60\u597d \U0001f600.spv", "com10",
                                 "console.txt", "com", "lpt0.x", "nulls", "a.con"})
    EXPECT_EQ(portable_file_name(name), name);
  EXPECT_EQ(portable_file_name(""), "");
}

TEST(FileNames, HaveNothingThatASystemRefuses) {
  EXPECT_EQ(portable_file_name("C:\\a/b"), "C__a_b");
  EXPECT_EQ(portable_file_name("<a>:\"|?*"), "_a______");
  EXPECT_EQ(portable_file_name(std::string("a\0\x1f\x7f\n", 5)), "a____");
  EXPECT_EQ(portable_file_name("a\xff\xc3z"), "a__z");
  EXPECT_EQ(portable_file_name(".."), "__");
  EXPECT_EQ(portable_file_name(" .a. ."), "__a___");
}

TEST(FileNames, AreNoDevices) {
  for (const std::string name :
       {"con", "PRN", "Aux.hlsl", "nul.tar.gz", "COM1", "lpt9.bin", "CONIN$", "conout$.txt", "com\u00b9", "NUL .txt"}) {
    EXPECT_TRUE(names_device(name)) << name;
    EXPECT_EQ(portable_file_name(name), '_' + name);
    EXPECT_FALSE(names_device('_' + name)) << name;
  }
}

TEST(FileNames, AreCutBeforeTheirEnding) {
  const std::string made = portable_file_name(std::string(300, 'a') + ".ps_5_0.dxbc");
  EXPECT_EQ(made.size(), kMostFileNameBytes);
  EXPECT_TRUE(made.ends_with("a.dxbc"));
  // between characters
  std::string umlauts;
  for (int i = 0; i < 200; ++i) umlauts += "\u00fc";
  EXPECT_EQ(portable_file_name('x' + umlauts).size(), kMostFileNameBytes - 1);
  EXPECT_EQ(portable_file_name(std::string(239, 'a') + "." + std::string(100, 'b')).substr(239), "_");
  EXPECT_EQ(portable_file_name(portable_file_name(umlauts)), portable_file_name(umlauts));
}

TEST(FileNames, AreTheSameInCapitalLetters) {
  EXPECT_EQ(folded_path("A/b.DXBC"), "a/b.dxbc");
  EXPECT_EQ(folded_path("\u00c4\u0160\u0139\u0178\u03a9\u0416\u0401"), "\u00e4\u0161\u013a\u00ff\u03c9\u0436\u0451");
  EXPECT_EQ(folded_path("\u00d7\u4f60_\xff["), "\u00d7\u4f60_\xff[");
}

}  // namespace
}  // namespace unshade
