// Arrays of numbers in source text: found, read, written.
#include <unshade/shader/array_text.hpp>

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace unshade {
namespace {

const View view_of(std::string_view text) { return View(std::as_bytes(std::span(text))); }

std::vector<unsigned> numbers(const std::vector<std::byte>& bytes) {
  std::vector<unsigned> list;
  for (const std::byte byte : bytes) list.push_back(std::to_integer<unsigned>(byte));
  return list;
}

std::vector<unsigned> counting(unsigned count) {
  std::vector<unsigned> list;
  for (unsigned i = 1; i <= count; ++i) list.push_back(i);
  return list;
}

constexpr std::string_view kSixteen = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16";

/// The one array of a text: its name, and the bytes 1 to 16.
std::string name_of_sixteen(const std::string& text) {
  const auto arrays = shader::find_source_arrays(text);
  if (arrays.size() != 1) return std::to_string(arrays.size()) + " arrays";
  const auto read = shader::read_source_array(view_of(text), arrays[0]);
  if (!read.read) return to_string(read.read.error());
  return numbers(read.bytes) == counting(16) ? arrays[0].name : "other bytes";
}

TEST(SourceArray, DeclarationsOfManyLanguagesNameTheirArray) {
  for (const std::string_view before :
       {"const BYTE x[] =\n{", "static const unsigned char x[16] = {", "constexpr std::uint8_t x[]{",
        "std::array<unsigned char, 16> x = {{", "alignas(16) inline constexpr uint8_t x[16] = {",
        "const uint8_t x[16] __attribute__((aligned(4))) = {", "pub static x: [u8; 16] = [", "pub const x: &'static [u8] = &[",
        "pub static x: Aligned<[u8; 16]> = Aligned([", "private static readonly byte[] x = new byte[] {", "const x = new Uint8Array([",
        "var x = []byte{", "x = bytes([", "namespace a { namespace b {\nconst BYTE x[] = {",
        "void f(int a)\n{\n  static const char x[] = {", "int unrelated = 3; const BYTE x[] = {",
        "#define NAME {1,2,3,4}\nconst BYTE x[] = {"}) {
    std::string text(before);
    text += kSixteen;
    for (std::size_t i = before.size(); i-- != 0;) {
      if (i >= before.rfind('=') || before.rfind('=') == std::string_view::npos) {
        if (before[i] == '{') text += '}';
        if (before[i] == '[' && before.find(']', i) == std::string_view::npos) text += ']';
        if (before[i] == '(' && before.find(')', i) == std::string_view::npos) text += ')';
      }
    }
    EXPECT_EQ(name_of_sixteen(text + ";"), "x") << text;
  }
}

TEST(SourceArray, NumbersOfAllKinds) {
  const std::string text =
      "const BYTE x[] = { 0x01, 2u, 03, 0b100, 5ULL, '\\x06', 7 /* , 99 */, 8, // 98\n"
      "#if 0\n 97, it's /* \n */ #endif?\n#else\n 9,\n#endif\n 0xA, 11, 12, 0x0'D, 14, (char)15, static_cast<BYTE>(16), -1, };";
  const auto arrays = shader::find_source_arrays(text);
  ASSERT_EQ(arrays.size(), 1U);
  const auto read = shader::read_source_array(view_of(text), arrays[0]);
  ASSERT_TRUE(read.read) << to_string(read.read.error());
  auto expected = counting(16);
  expected.push_back(255);
  EXPECT_EQ(numbers(read.bytes), expected);
}

TEST(SourceArray, WordsAreLittleEndian) {
  for (const std::string text : {"static const DWORD x[] = { 0x04030201, 0x08070605, 0x0c0b0a09, 0x100f0e0d };",
                                 "pub static x: [u32; 4] = [0x0403_0201, 0x0807_0605, 0x0c0b_0a09u32, 0x100f_0e0d];",
                                 "unsigned int x[] = { 67305985, 134678021, 202050057, 269422093 };",
                                 "const what_is_this x[] = { 0x04030201, 0x08070605, 0x0c0b0a09, 0x100f0e0d };"})
    EXPECT_EQ(name_of_sixteen(text), "x") << text;
}

TEST(SourceArray, TextOfNothingButNumbers) {
  EXPECT_EQ(name_of_sixteen("\t// a comment\n\t0x04030201,0x08070605,\n 0x0c0b0a09,0x100f0e0d"), "");
  EXPECT_EQ(name_of_sixteen(std::string(kSixteen)), "");
  EXPECT_TRUE(shader::find_source_arrays("the year 1999, 2000, 2001, 2002, 2003 and more words").empty());
}

TEST(SourceArray, StringsWithEscapes) {
  EXPECT_EQ(name_of_sixteen("const char x[] = \"\\x01\\2\\003\\x04\\x05\\x06\\a\\b\" \"\\t\\n\\v\\f\\r\\x0e\\x0f\\x10\";"), "x");
  EXPECT_EQ(name_of_sixteen("static x: &[u8] = b\"\\x01\\x02\\x03\\x04\\x05\\x06\\x07\\x08\\x09\\x0a\\x0b\\x0c\\x0d\\x0e\\x0f\\x10\";"),
            "x");
  EXPECT_TRUE(shader::find_source_arrays("const char x[] = \"just a text that is long enough\";").empty());
}

TEST(SourceArray, NamesInNestedInitialisers) {
  const std::string list(kSixteen);
  const std::string text = "struct { const char* name; BYTE code[16]; } shaders[] = { {\"a\", {" + list + "}}, {.code = {" + list + "}} };";
  const auto arrays = shader::find_source_arrays(text);
  ASSERT_EQ(arrays.size(), 2U);
  EXPECT_EQ(arrays[0].name, "shaders[0][1]");
  EXPECT_EQ(arrays[1].name, "shaders[1].code");
}

TEST(SourceArray, TheSecondOfAName) {
  const std::string one = "const BYTE x[] = {" + std::string(kSixteen) + "};\n";
  const std::string text = "#ifdef A\n" + one + "#else\n" + one + "#endif\n";
  const auto arrays = shader::find_source_arrays(text);
  ASSERT_EQ(arrays.size(), 2U);
  EXPECT_EQ(arrays[0].name, "x");
  EXPECT_EQ(arrays[1].name, "x#2");
}

TEST(SourceArray, FaultsHaveAPlaceAndWhatStandsBeforeThemIsRead) {
  struct Case {
    std::string_view bad;
    ErrorCode code;
  };
  for (const Case& c : {Case{"300", ErrorCode::out_of_range}, Case{"-129", ErrorCode::out_of_range}, Case{"NAME", ErrorCode::bad_value},
                        Case{"1 + 1", ErrorCode::bad_value}, Case{"1.5", ErrorCode::bad_value}, Case{"0x", ErrorCode::bad_value},
                        Case{"99999999999999999999", ErrorCode::bad_value}, Case{"'ab'", ErrorCode::bad_value}}) {
    const std::string text = "const BYTE x[] = {" + std::string(kSixteen) + ", " + std::string(c.bad) + ", 18};";
    const auto arrays = shader::find_source_arrays(text);
    ASSERT_EQ(arrays.size(), 1U) << c.bad;
    const auto read = shader::read_source_array(view_of(text), arrays[0]);
    ASSERT_FALSE(read.read) << c.bad;
    EXPECT_EQ(read.read.error().code, c.code) << c.bad;
    EXPECT_EQ(read.read.error().path, "x[16]") << c.bad;
    EXPECT_GE(read.read.error().offset, text.find(", " + std::string(c.bad))) << c.bad;
    EXPECT_LT(read.read.error().offset, text.find("18}")) << c.bad;
    EXPECT_EQ(numbers(read.bytes), counting(16)) << c.bad;
  }
}

// A text in proportion to which anything else than linear work would show.
TEST(SourceArray, HostileTextsEndSoon) {
  constexpr std::size_t kSize = 1 << 20;
  for (const std::string_view piece : {"{",
                                       "[",
                                       "(",
                                       "{1,2,3,4,",
                                       "R\"x(",
                                       "r#\"",
                                       "/*",
                                       "'",
                                       "\"",
                                       "\"\\",
                                       "#if 0\n",
                                       "#if 1\n",
                                       "{=",
                                       "a{",
                                       "a[1,2,3,4]",
                                       "}",
                                       "x={{1,2,3,4,5,6,7,8,9,1,1,1,1,1,1,1}}",
                                       "\\\n",
                                       "1'",
                                       "0x",
                                       "{\"\\x00aaaaaaaaaaaaaaaaaaaaaa\""}) {
    std::string text;
    while (text.size() < kSize) text += piece;
    std::size_t total = 0;
    for (const shader::SourceArray& array : shader::find_source_arrays(text)) {
      EXPECT_LE(array.begin, array.end);
      EXPECT_LE(array.end, text.size());
      total += array.name.size();
    }
    EXPECT_LE(total, text.size() * 17 + (1 << 17)) << piece;
  }
}

TEST(SourceArray, WhatIsWrittenIsReadAgain) {
  std::string bytes;
  for (unsigned i = 0; i < 256; ++i) bytes += static_cast<char>(i * 7);
  for (const std::size_t size : {std::size_t{16}, std::size_t{20}, std::size_t{24}, std::size_t{252}, std::size_t{256}}) {
    const std::string_view part = std::string_view(bytes).substr(0, size);
    for (const auto language : {shader::SourceLanguage::c, shader::SourceLanguage::cpp, shader::SourceLanguage::rust}) {
      for (const auto type : {shader::SourceType::byte, shader::SourceType::unsigned_char, shader::SourceType::uint8,
                              shader::SourceType::dword, shader::SourceType::uint32}) {
        Text text;
        shader::write_source_comment("it's \"open /* \n#endif\n{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}\\", language, text);
        shader::write_source_array(view_of(part), "g_main", language, type, text);
        const auto arrays = shader::find_source_arrays(text.view());
        ASSERT_EQ(arrays.size(), 1U) << text.view();
        EXPECT_EQ(arrays[0].name, "g_main");
        const auto read = shader::read_source_array(view_of(text.view()), arrays[0]);
        ASSERT_TRUE(read.read) << to_string(read.read.error());
        EXPECT_EQ(View(read.bytes).text(), part);
      }
    }
  }
}

TEST(SourceArray, TheLayoutOfFxcAndOfDxc) {
  const std::string_view bytes = "DXBC\x01\xff\x0a\x63";
  Text fxc;
  shader::write_source_array(view_of(bytes), "g_main", shader::SourceLanguage::c, shader::SourceType::byte, fxc);
  EXPECT_EQ(fxc.view(), "const BYTE g_main[] =\n{\n     68,  88,  66,  67,   1, 255, \n     10,  99\n};\n");
  Text dxc;
  shader::write_source_array(view_of("0123456789abc"), "g_main", shader::SourceLanguage::c, shader::SourceType::unsigned_char, dxc);
  EXPECT_EQ(dxc.view(),
            "const unsigned char g_main[] = {\n  0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x61, 0x62,\n  0x63\n};\n");
}

TEST(SourceArray, CommentsThatNothingEnds) {
  const auto comment = [](std::string_view text, shader::SourceLanguage language = shader::SourceLanguage::c) {
    Text out;
    shader::write_source_comment(text, language, out);
    return out.str();
  };
  // What a compiler skips stays as it is.
  for (const std::string_view line :
       {"// Name /* R\"x(", "ps_5_0", "#line 12 \"a.hlsl\"", "; it's", "\"COLOR\" /", "!{!\"SV_R\"}", "  mov r0, l(1)"})
    EXPECT_EQ(comment(line), "#if 0\n" + std::string(line) + "\n#endif\n");
  // What it does not stands behind //.
  for (const std::string_view line :
       {"#endif", "  # else", "%:endif", "\?\?=elif X", "#ifdef A", "#/**/endif", "a /* b", "R\"x(", "u8R\"(", "\"open /*"})
    EXPECT_EQ(comment(line), "#if 0\n// " + std::string(line) + "\n#endif\n");
  EXPECT_EQ(comment("a\\"), "#if 0\n// a\\ .\n#endif\n");
  EXPECT_EQ(comment("// a\\  "), "#if 0\n// // a\\   .\n#endif\n");
  EXPECT_EQ(comment("a\?\?/"), "#if 0\n// a\?\?/ .\n#endif\n");
  EXPECT_EQ(comment("a\rb\x1b"), "#if 0\n// a\\x0db\\x1b\n#endif\n");
  EXPECT_EQ(comment("a\n\n/// \xe2\x80\xae", shader::SourceLanguage::rust), "// a\n//\n// /// \\xe2\\x80\\xae\n");
}

TEST(SourceArray, Identifiers) {
  EXPECT_EQ(shader::source_identifier("g_main"), "g_main");
  EXPECT_EQ(shader::source_identifier("blur.ps-5"), "blur_ps_5");
  EXPECT_EQ(shader::source_identifier("3d"), "_3d");
  EXPECT_EQ(shader::source_identifier(""), "_");
  EXPECT_EQ(shader::source_identifier("static"), "static_");
  EXPECT_EQ(shader::source_identifier("\xc3\xa4*/"), "____");
}

}  // namespace
}  // namespace unshade
