#include "dxcontainer/root_signature/scanner.hpp"

#include <algorithm>

#include <unshade/core/text/characters.hpp>

#include "dxcontainer/root_signature/text_layout.hpp"

namespace unshade::dxcontainer::root_signature {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

/// After a comment that begins at `at`; `at` if none does. One that does not end reaches to the end of the text.
std::size_t comment_end(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  if (text.substr(at, 2) != "/*") return at;
  const auto end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

/// After blanks and comments.
std::size_t skip(std::string_view text, std::size_t at) {
  for (;;) {
    while (at < text.size() && is_blank(text[at])) ++at;
    const std::size_t end = comment_end(text, at);
    if (end == at) return at;
    at = end;
  }
}

std::size_t word_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_name_character(text[at])) ++at;
  return at;
}

}  // namespace

std::string_view first_comment(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_blank(text[at])) ++at;
  std::size_t end = comment_end(text, at);
  if (end == at) return {};
  if (text[at + 1] == '*' && end - at >= 4 && text.substr(end - 2, 2) == "*/") end -= 2;
  at += 2;
  while (at < end && is_blank(text[at])) ++at;
  while (end > at && is_blank(text[end - 1])) --end;
  return end > at ? text.substr(at, end - at) : std::string_view();
}

std::size_t find_version_comment(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('/', from); at != std::string_view::npos;) {
    const std::size_t end = comment_end(text, at);
    const std::string_view comment = text.substr(at, end - at);
    for (std::size_t i = 0; i + kVersionWord.size() < comment.size(); ++i)
      if (is_digit(comment[i + kVersionWord.size()]) && same_letters(comment.substr(i, kVersionWord.size()), kVersionWord)) return at;
    at = text.find('/', std::max(end, at + 1));
  }
  return std::string_view::npos;
}

bool begins_root_signature(std::string_view text) {
  const std::size_t from = skip(text, 0);
  const std::size_t to = word_end(text, from);
  const std::string_view word = text.substr(from, to - from);
  if (const std::size_t behind = skip(text, to); behind < text.size() && text[behind] != '(') return false;
  for (const std::string_view known : {kRootFlagsWord, kConstantsWord, kTableWord, kStaticSamplerWord})
    if (same_letters(word, known)) return true;
  return std::any_of(std::begin(kDescriptorWords), std::end(kDescriptorWords),
                     [&](const DescriptorWord& known) { return known.is_parameter && same_letters(word, known.text); });
}

bool is_blank_text(std::string_view text) { return skip(text, 0) == text.size(); }

std::size_t Scanner::number_end(std::size_t from) const {
  std::size_t at = from;
  const auto here = [&] { return at < text_.size() ? text_[at] : '\0'; };
  const auto digits = [&] {
    while (is_digit(here())) ++at;
  };
  if (here() == '+' || here() == '-') ++at;
  if (here() == '0' && at + 1 < text_.size() && lower(text_[at + 1]) == 'x') return word_end(text_, at);
  digits();
  if (here() == '.') {
    ++at;
    digits();
  }
  if (lower(here()) == 'e') {
    ++at;
    if (here() == '+' || here() == '-') ++at;
    digits();
  }
  // What is left of a word belongs to it: `1f`, and `1x` to be complained of.
  return word_end(text_, at);
}

void Scanner::scan() {
  if (comments_) at_ = skip(text_, at_);
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  token_ = {Token::Kind::end, text_.substr(at_, 0), at_};
  if (at_ >= text_.size()) return;
  const std::size_t from = at_;
  const char c = text_[from];
  if (is_name_start(c)) {
    token_.kind = Token::Kind::word;
    at_ = word_end(text_, from);
  } else if (is_digit(c) || c == '+' || c == '-' || c == '.') {
    token_.kind = Token::Kind::number;
    at_ = number_end(from);
  } else {
    constexpr std::string_view kSigns = "(),=|";
    token_.kind = kSigns.find(c) != std::string_view::npos ? Token::Kind::sign : Token::Kind::other;
    at_ = from + 1;
  }
  token_.text = text_.substr(from, at_ - from);
}

}  // namespace unshade::dxcontainer::root_signature
