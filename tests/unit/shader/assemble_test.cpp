#include <unshade/shader/assemble.hpp>

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <unshade/pica/assembler.hpp>

using namespace unshade;
using shader::Family;

namespace {

constexpr std::string_view kPica = ".proc main\n  mov o0, v0\n  end\n.end\n.out o0 position\n";

TEST(Assemble, ASourceOfThePICA200IsAFileByItself) {
  const pica::Source source{"", kPica};
  const Assembly made = shader::assemble(Family::pica, kPica);
  ASSERT_TRUE(made.ok);
  EXPECT_EQ(made.file, pica::write_assembly(pica::assemble({&source, 1})));
  EXPECT_EQ(shader::identify(View(made.file)), Family::pica);
}

TEST(Assemble, ErrorsOfThePICA200HaveTheirLine) {
  const Assembly made = shader::assemble(Family::pica, "\n  mov o0, q1\n");
  EXPECT_FALSE(made.ok);
  EXPECT_TRUE(made.file.empty());
  ASSERT_FALSE(made.messages.empty());
  EXPECT_EQ(made.messages.front().line, 2U);
}

TEST(Assemble, TheLanguageOfAText) {
  struct Text {
    std::string_view text;
    Family language;
  };
  constexpr Text kTexts[] = {
      {"; a comment\n.vbc\n", Family::vbc},
      {"OpCapability Shader\n", Family::spirv},
      {"// a comment\nps_5_0\nret\n", Family::dxbc},
      {"\xef\xbb\xbf\f\r\nps_5_0\r\nret\r\n", Family::dxbc},
      {"Shader hash 01234567-89abcdef-01234567-89abcdef\n\nps_5_0\n   0: ret\n", Family::dxbc},
      {"target triple = \"dxil-ms-dx\"\n", Family::dxil},
      {kPica, Family::pica},
      {"nothing that a language has", Family::pica},
      {"", Family::pica},
  };
  for (const Text& row : kTexts) EXPECT_EQ(shader::language_of(row.text), row.language) << row.text;
}

// Listings of all families where a shader is wanted.
TEST(Assemble, TheBinaryOfAListing) {
  const auto binary = [](std::string_view text) { return shader::binary_of(View(std::as_bytes(std::span(text)))); };
  const auto made = binary(std::string(kPica) + std::string(2, '\0'));
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(*made, shader::assemble(Family::pica, kPica).file);
  const auto dxbc = binary("ps_5_0\ndcl_globalFlags refactoringAllowed\nret\n");
  ASSERT_TRUE(dxbc) << to_string(dxbc.error());
  EXPECT_EQ(shader::identify(View(*dxbc)), Family::dxbc);
  const auto spirv = binary("OpCapability Shader\nOpMemoryModel Logical GLSL450\n");
  ASSERT_TRUE(spirv) << to_string(spirv.error());
  EXPECT_EQ(shader::identify(View(*spirv)), Family::spirv);
  EXPECT_EQ(binary("float4 main() : SV_Target { return 1; }\n").error().code, ErrorCode::unsupported);
  const auto wrong = binary(".proc main\n\tmov o0, q1\n\tend\n.end\n");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(to_string(wrong.error()), "error[bad-value]: 2:10: expected a register or an alias, found `q1`");
  const auto prose = binary("once upon a time\nthere was\n");
  ASSERT_FALSE(prose);
  EXPECT_EQ(to_string(prose.error()), "error[bad-value]: expected a compiled shader or a listing, found text");
  EXPECT_TRUE(shader::may_be_listing(View(std::as_bytes(std::span(kPica)))));
  EXPECT_FALSE(shader::may_be_listing(View(*made)));
}

/// What editors and programs put before, between and behind the lines of a text.
TEST(Assemble, TextsAreReadAsFilesHaveThem) {
  const std::string_view texts[] = {
      "ps_4_0\ndcl_temps 1\nmov r0.x, l(1.0)\nret\n",
      "define void @main() {\n  ret void\n}\n",
      kPica,
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\n",
  };
  constexpr Family kLanguages[] = {Family::dxbc, Family::dxil, Family::pica, Family::spirv};
  for (std::size_t i = 0; i < std::size(texts); ++i) {
    const Assembly plain = shader::assemble(kLanguages[i], texts[i]);
    ASSERT_TRUE(plain.ok) << texts[i] << ": " << to_string(plain.messages.front());
    std::string crlf, pages;
    for (const char c : texts[i]) {
      if (c == '\n') crlf += '\r';
      crlf += c;
      pages += c;
      if (c == '\n') pages += "\f \v";
    }
    const std::string others[] = {
        "\xef\xbb\xbf" + std::string(texts[i]),
        std::string(texts[i]) + '\0',
        std::string(texts[i]) + std::string("\0\0\r\n\0", 5),
        std::string(texts[i]) + '\x1a',
        crlf,
        crlf + '\0',
        '\f' + pages,
    };
    for (const std::string& other : others) {
      const Assembly made = shader::assemble(kLanguages[i], other);
      EXPECT_TRUE(made.ok) << &other - others << ": " << (made.messages.empty() ? "" : to_string(made.messages.front()));
      EXPECT_EQ(made.file, plain.file) << &other - others << " of " << texts[i];
    }
    // a zero inside is not the end
    EXPECT_FALSE(shader::assemble(kLanguages[i], std::string(texts[i]) + '\0' + std::string(texts[i])).ok);
  }
}

TEST(Assemble, AFamilyWithoutAnAssembler) {
  const Assembly made = shader::assemble(Family::unknown, "ret");
  EXPECT_FALSE(made.ok);
  ASSERT_EQ(made.messages.size(), 1U);
  EXPECT_EQ(made.messages.front().id, "unsupported");
}

}  // namespace
