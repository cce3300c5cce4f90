// Which shader of one build is which of another one.
#include <unshade/find/match.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <unshade/shader/assemble.hpp>
#include <unshade/shader/shader.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

/// A pixel shader of some instructions, the `changed`-th of which has another opcode.
find::Fingerprint made(int instructions, const char* constant = "1.0", int changed = -1, const char* opcode = "mul") {
  std::string text = "ps_5_0\ndcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\nmov r0.xyzw, v1.xyzw\n";
  constexpr const char* kOpcodes[] = {"mul", "add", "max", "min", "div"};
  for (int i = 0; i < instructions; ++i) {
    const std::string mask = std::string(".") + "xyzw"[i % 4];
    text += std::string(i == changed ? opcode : kOpcodes[(i + i / 7) % 5]) + " r" + std::to_string(i % 2) + mask + ", r" +
            std::to_string((i + 1) % 2) + mask + ", l(" + constant + ")\n";
  }
  const auto assembled = shader::assemble(shader::Family::dxbc, text + "mov o0.xyzw, r0.xyzw\nret\n");
  EXPECT_TRUE(assembled.ok) << text;
  const auto opened = shader::open(view_of(assembled.file));
  EXPECT_TRUE(opened);
  return find::fingerprint(*opened);
}

TEST(Match, NamesHowAShaderWasRecognized) {
  const std::vector<find::Fingerprint> before = {made(20), made(20, "2.0"), made(60)};
  const std::vector<find::Fingerprint> after = {made(60, "1.0", 30, "lt"), made(20), made(5)};
  const auto matches = find::match(before, after);
  ASSERT_EQ(matches.size(), 3U);
  ASSERT_FALSE(matches[0].counterparts.empty());
  EXPECT_EQ(matches[0].counterparts.front().kind, find::MatchKind::same);
  EXPECT_EQ(matches[0].counterparts.front().index, 1U);
  EXPECT_EQ(matches[0].counterparts.front().similarity, 1.0);
  ASSERT_FALSE(matches[1].counterparts.empty());
  EXPECT_EQ(matches[1].counterparts.front().kind, find::MatchKind::plain);
  EXPECT_EQ(matches[1].counterparts.front().index, 1U);
  ASSERT_FALSE(matches[2].counterparts.empty());
  EXPECT_EQ(matches[2].counterparts.front().kind, find::MatchKind::alike);
  EXPECT_EQ(matches[2].counterparts.front().index, 0U);
  EXPECT_GT(matches[2].counterparts.front().similarity, 0.9);
  EXPECT_LT(matches[2].counterparts.front().similarity, 1.0);
}

TEST(Match, TellsFilesWithTrailingBytesApart) {
  auto bytes = sample("lit_vs_4_0.dxbc");
  const auto before = find::fingerprint(*shader::open(view_of(bytes)));
  bytes.resize(bytes.size() + 5);
  const auto after = find::fingerprint(*shader::open(view_of(bytes)));
  const auto matches = find::match(std::vector{before}, std::vector{after});
  ASSERT_EQ(matches.front().counterparts.size(), 1U);
  EXPECT_EQ(matches.front().counterparts.front().kind, find::MatchKind::code);
  EXPECT_EQ(matches.front().counterparts.front().similarity, 1.0);
}

TEST(Match, SaysWhatIsAmbiguous) {
  // two that differ from the old one in a constant alone, and equally
  const std::vector<find::Fingerprint> after = {made(20, "2.0"), made(20, "3.0")};
  const auto matches = find::match(std::vector{made(20)}, after);
  ASSERT_EQ(matches.front().counterparts.size(), 2U);
  EXPECT_TRUE(matches.front().ambiguous);
  // copies of one file are not two
  const auto copies = find::match(std::vector{made(20)}, std::vector{made(20, "2.0"), made(20, "2.0")});
  EXPECT_FALSE(copies.front().ambiguous);
  // the same bytes are the one, whatever else is like it
  const auto same = find::match(std::vector{made(20)}, std::vector{made(20, "2.0"), made(20)});
  EXPECT_FALSE(same.front().ambiguous);
  EXPECT_EQ(same.front().counterparts.front().index, 1U);
}

TEST(Match, GivesEachNewShaderOnceWhereItCan) {
  // both old ones are most like the first new one
  const std::vector<find::Fingerprint> before = {made(60, "1.0", 30, "lt"), made(60)};
  const std::vector<find::Fingerprint> after = {made(60), made(60, "1.0", 40, "ge")};
  const auto matches = find::match(before, after);
  EXPECT_EQ(matches[1].counterparts.front().index, 0U);
  EXPECT_EQ(matches[0].counterparts.front().index, 1U);
  EXPECT_TRUE(matches[0].ambiguous);
}

TEST(Match, KeepsToFamilyStageAndThreshold) {
  const auto fingerprint_of = [](const char* path) {
    const auto bytes = read_bytes(source_dir() / "tests/data" / path);
    const auto opened = shader::open(view_of(bytes));
    EXPECT_TRUE(opened) << path;
    return find::fingerprint(*opened);
  };
  const std::vector<find::Fingerprint> pixel = {fingerprint_of("dxbc/textured_ps_5_0.dxbc")};
  const std::vector<find::Fingerprint> others = {fingerprint_of("dxbc/lit_vs_5_0.dxbc"), fingerprint_of("dxil/textured_ps_6_6.dxil"),
                                                 fingerprint_of("spirv/odd.spv"), fingerprint_of("pica/skin.v.shbin")};
  EXPECT_TRUE(find::match(pixel, others).front().counterparts.empty());
  const std::vector<find::Fingerprint> changed = {made(60, "1.0", 30, "lt")};
  find::MatchOptions strict;
  strict.threshold = 1;
  EXPECT_TRUE(find::match(std::vector{made(60)}, changed, strict).front().counterparts.empty());
  EXPECT_TRUE(find::match({}, others).empty());
  EXPECT_TRUE(find::match(pixel, {}).front().counterparts.empty());
}

// A shader among two thousand others, all of which are a little different.
TEST(Match, FindsOneAmongMany) {
  std::vector<find::Fingerprint> many(2000, made(12));
  for (std::size_t i = 0; i < many.size(); ++i) {
    many[i].bytes[0] = static_cast<std::byte>(i);
    many[i].bytes[1] = static_cast<std::byte>(i >> 8);
    many[i].code.reset();
    many[i].plain.reset();
    for (std::size_t k = 0; k < find::kSketchHashes; ++k) (*many[i].sketch)[k] = static_cast<std::uint16_t>(i * 131 + k * 977);
  }
  many[1234] = made(60, "1.0", 30, "lt");
  const auto matches = find::match(std::vector{made(60)}, many);
  ASSERT_FALSE(matches.front().counterparts.empty());
  EXPECT_EQ(matches.front().counterparts.front().index, 1234U);
  EXPECT_FALSE(matches.front().ambiguous);
}

}  // namespace

}  // namespace unshade::test
