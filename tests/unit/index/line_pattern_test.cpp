// Regular expressions: what they match, their bounds, and the text that lines must have.
#ifdef UNSHADE_HAS_DATABASE
#include "index/line_pattern.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "fuzz/properties.hpp"

namespace unshade::test {

namespace {

using index::LineMatcher;
using index::LinePattern;
using index::required_literal;
using Outcome = LineMatcher::Outcome;

Outcome match(std::string_view expression, std::string_view line, bool ignores_case = false) {
  const auto pattern = LinePattern::compile(expression, ignores_case);
  if (!pattern) return Outcome::fault;
  return LineMatcher(*pattern).match(line);
}

std::string fault_of(std::string_view expression) {
  const auto pattern = LinePattern::compile(expression, false);
  return pattern ? std::string() : pattern.error().path + ": " + pattern.error().message;
}

TEST(LinePattern, HasTheSyntaxOfPerl) {
  EXPECT_EQ(match("^dp4 .*cb0\\[12\\]", "dp4 r0.x, cb0[12].xyzw"), Outcome::match);
  EXPECT_EQ(match("(?<!dp)4 r\\d+\\b", "dp4 r0.x"), Outcome::no_match);
  EXPECT_EQ(match("mul(?=.*\\bcb1)", "mul r0, cb1[0]"), Outcome::match);
  EXPECT_EQ(match("MUL", "mul r0", true), Outcome::match);
  EXPECT_EQ(match("^mul$", "mul\n"), Outcome::no_match);
  EXPECT_EQ(match("a.b", "a\nb"), Outcome::match);
  EXPECT_EQ(match("", ""), Outcome::match);
}

TEST(LinePattern, HasCharactersOfUtf8) {
  EXPECT_EQ(match("^.$", "\u00fc"), Outcome::match);
  EXPECT_EQ(match("^Gr\u00f6?\u00dfe$", "Gr\u00dfe"), Outcome::match);
  EXPECT_EQ(match("[\u00fc]", "\u00e4"), Outcome::no_match);
  EXPECT_EQ(match("\u00fc", "\u00dc", true), Outcome::match);
  EXPECT_EQ(match("\\p{Lu}", "\u00dc"), Outcome::match);
  // bytes that are none match nothing, and what is beside them is matched
  EXPECT_EQ(match("b$", "a\xff\xc3z b"), Outcome::match);
  EXPECT_EQ(match("a.*b", "a\xff\xc3z b"), Outcome::no_match);
  EXPECT_EQ(match("(?<=a)b",
                  "a\xff"
                  "b"),
            Outcome::no_match);
}

TEST(LinePattern, SaysWhereAnExpressionIsWrong) {
  EXPECT_EQ(fault_of("("), "regex: missing closing parenthesis at byte 1 of the expression");
  EXPECT_EQ(fault_of("mul [z-a]"), "regex: range out of order in character class at byte 7 of the expression");
  EXPECT_EQ(fault_of("a\xff").find("regex: UTF-8 error"), 0U);
  EXPECT_NE(fault_of("\\C"), "");
  EXPECT_NE(fault_of(std::string(20'000, 'a')), "");
  EXPECT_NE(fault_of(std::string(200, '(') + std::string(200, ')')), "");
  EXPECT_NE(fault_of("((((a{1,60}){1,60}){1,60}){1,60})"), "");
}

TEST(LinePattern, EndsAtBounds) {
  const auto fault = [](std::string_view expression, const std::string& line) {
    const auto pattern = LinePattern::compile(expression, false);
    if (!pattern) return pattern.error().message;
    LineMatcher matcher(*pattern);
    return matcher.match(line) == Outcome::fault ? matcher.fault() : std::string();
  };
  const std::string line(500, 'a');
  const std::string long_line(1'000'000, 'a');
  EXPECT_EQ(fault("(a+)+[bc]", line), "match limit exceeded");
  EXPECT_EQ(fault("(*LIMIT_MATCH=4000000000)(a+)+[bc]", line), "match limit exceeded");
  EXPECT_EQ(fault("(a|b)*", long_line + long_line + long_line), "heap limit exceeded");
  EXPECT_NE(fault("((?1))", line), "");
  // no place is returned to, but all that is left is passed again and again
  EXPECT_EQ(fault("a++[bc]", long_line), "match limit exceeded");
  EXPECT_EQ(fault("a++[bc]", line), "");
  EXPECT_EQ(fault("(?:a|b)*+$", long_line), "");
}

TEST(LinePattern, CountsInLongLinesWithoutAnotherResult) {
  const std::string padding(2000, '-');
  for (const std::string_view line : {"dp4 r0.x, cb0[12]", "mul r1, r2", "", "aab"})
    for (const std::string_view expression :
         {"dp4 .*cb0\\[12\\]", "(a+)+b", "r\\d,", "(?:mul|mad) r(\\d)", "\\Ka", "a(*SKIP)b|aab", "(?i)MUL"})
      EXPECT_EQ(match(expression, line), match(expression, padding + std::string(line))) << expression << ' ' << line;
}

TEST(RequiredLiteral, IsInAllThatMatches) {
  const auto expect = [](std::string_view expression, std::string_view literal) {
    EXPECT_EQ(required_literal(expression), literal) << expression;
  };
  expect("sample_indexable", "sample_indexable");
  expect("dp4 .*cb0\\[12\\]", "cb0[12]");
  expect("ab*c", "a");
  expect("abc?", "ab");
  expect("abc{0,1}de", "ab");
  expect("abc{,3}d", "ab");
  expect("ab{x}cd", "a");
  expect("abc+def", "abc");
  expect("ab+{0}c", "a");
  expect("a|bcd", "");
  expect("ab(cd)?", "ab");
  expect("ab(?#comment)?", "a");
  expect("(?i)abc", "");
  expect("(?x)a b c", "");
  expect("ab(?i)cd", "a");
  expect("(*UCP)abc", "");
  expect("abc(*ACCEPT)def", "abc");
  expect("[]abc]xy", "xy");
  expect("[^]a]xy", "xy");
  expect("[\\]a]xy", "xy");
  expect("[[:alpha:]]xyz", "xyz");
  expect("ab[[:<:]]xyz", "ab");
  expect("ab[\\Q]\\E]xyz", "ab");
  expect("x\\w+yz", "yz");
  expect("ab\\x41cde", "ab");
  expect("ab\\p{Lu}cde", "ab");
  expect("ab\\1cde", "ab");
  expect("ab\\N{U+41}cde", "ab");
  expect("\\Qa.b*\\Ec", "a.b*c");
  expect("\\Qab\\E*", "a");
  expect("a\\Eb\\E?", "a");
  expect("\\.\\<\\-", ".<-");
  expect("a\u00fc*b", "a");
  expect("a\\\u00fc?b", "a");
  expect("abc\\", "");
  expect("", "");
}

// Expressions of pieces that change what is around them, and lines of few characters, so that many match.
TEST(RequiredLiteral, IsInLinesThatMatchRandomExpressions) {
  constexpr std::string_view kPieces[] = {
      "a",           "b",         "ab",       "c",     " ",         "\\Q",     "\\E",     "\\Qa*\\E", "*",       "+",      "?",
      "{2}",         "{0}",       "{,2}",     "{0,",   "}",         "(",       ")",       "(?:",      "(?=",     "(?!",    "(?<=",
      "(?i)",        "(?-i)",     "(?x)",     "(?#a)", "#",         "|",       "[ab]",    "[^a]",     "[]a]",    "[^]a]",  "[\\]b]",
      "[[:alpha:]]", "[\\Q]\\E]", "\\d",      "\\w",   "\\b",       "\\K",     "\\x61",   "\\1",      "\\.",     ".",      "^",
      "$",           "\\N{U+61}", "\\o{141}", "\\ca",  "(*ACCEPT)", "(*SKIP)", "(*FAIL)", "(?R)",     "(?(1)a)", "\\p{L}", "\u00fc",
      "\\\u00fc",    "A",         "*+",       "+?",    "??",        "(?>",     "(a)",     "(?|",      "\\g{-1}", "\\h",    "(?(DEFINE)b)",
      "(?C1)",       "\\R",       "[[:<:]]",  "\\Q\\E"};
  constexpr std::string_view kCharacters[] = {"a", "b", "c", "A", " ", "*", "#", "]", ".", "\u00fc", "\xff", "1", "\\", "{"};
  std::mt19937 random(39);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  std::size_t matched = 0;
  std::size_t required = 0;
  for (int i = 0; i < 60'000; ++i) {
    std::string expression;
    for (std::size_t n = 1 + below(7); n != 0; --n) expression += kPieces[below(std::size(kPieces))];
    const auto pattern = LinePattern::compile(expression, false);
    if (!pattern) continue;
    required += pattern->literal().empty() ? 0U : 1U;
    LineMatcher matcher(*pattern);
    for (int k = 0; k < 12; ++k) {
      std::string line;
      for (std::size_t n = below(7); n != 0; --n) line += kCharacters[below(std::size(kCharacters))];
      if (matcher.match(line) != Outcome::match) continue;
      ++matched;
      ASSERT_NE(line.find(pattern->literal()), std::string::npos)
          << expression << " requires " << pattern->literal() << " and matches " << line;
    }
  }
  EXPECT_GT(matched, 10'000U);
  EXPECT_GT(required, 5'000U);
}

TEST(LinePattern, HoldsForAnyText) {
  for (const std::string_view text :
       {"a(b\nab\n", "(\n(\n", "\n\n\n", "(a+)+[bc]\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", "x\n\xff\nx"})
    EXPECT_EQ(fuzz::line_pattern(View(std::as_bytes(std::span(text)))), "") << text;
}

}  // namespace

}  // namespace unshade::test
#endif
