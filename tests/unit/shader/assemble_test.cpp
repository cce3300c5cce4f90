#include <unshade/shader/assemble.hpp>

#include <string_view>

#include <gtest/gtest.h>

#include <unshade/pica/assembler.hpp>

using namespace unshade;
using shader::Family;

namespace {

constexpr std::string_view kPica = ".proc main\n  mov o0, v0\n  end\n.end\n.out o0 position\n";

TEST(Assemble, a_source_of_the_PICA200_is_a_file_by_itself) {
  const pica::Source source{"", kPica};
  const Assembly made = shader::assemble(Family::pica, kPica);
  ASSERT_TRUE(made.ok);
  EXPECT_EQ(made.file, pica::write_assembly(pica::assemble({&source, 1})));
  EXPECT_EQ(shader::identify(View(made.file)), Family::pica);
}

TEST(Assemble, errors_of_the_PICA200_have_their_line) {
  const Assembly made = shader::assemble(Family::pica, "\n  mov o0, q1\n");
  EXPECT_FALSE(made.ok);
  EXPECT_TRUE(made.file.empty());
  ASSERT_FALSE(made.messages.empty());
  EXPECT_EQ(made.messages.front().line, 2U);
}

TEST(Assemble, the_language_of_a_text) {
  struct Text {
    std::string_view text;
    Family language;
  };
  constexpr Text kTexts[] = {
      {"; a comment\n.vbc\n", Family::vbc},
      {"OpCapability Shader\n", Family::spirv},
      {"// a comment\nps_5_0\nret\n", Family::dxbc},
      {"target triple = \"dxil-ms-dx\"\n", Family::dxil},
      {kPica, Family::pica},
      {"nothing that a language has", Family::pica},
      {"", Family::pica},
  };
  for (const Text& row : kTexts) EXPECT_EQ(shader::language_of(row.text), row.language) << row.text;
}

TEST(Assemble, a_family_without_an_assembler) {
  const Assembly made = shader::assemble(Family::unknown, "ret");
  EXPECT_FALSE(made.ok);
  ASSERT_EQ(made.messages.size(), 1U);
  EXPECT_EQ(made.messages.front().id, "unsupported");
}

}  // namespace
