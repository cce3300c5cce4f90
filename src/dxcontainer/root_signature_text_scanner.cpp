#include "dxcontainer/root_signature_text_scanner.hpp"

#include <algorithm>

#include "core/characters.hpp"
#include "dxcontainer/root_signature_text_layout.hpp"

namespace unshade::dxcontainer {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

/// Behind a comment that begins at `at`; `at` where none does. One that does not end reaches to the end of the text.
std::size_t comment_end(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  if (text.substr(at, 2) != "/*") return at;
  const auto end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

/// Behind blanks and comments.
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

/// Whether a word that opens a part of a root signature stands at the start, blanks apart, and a bracket or the end behind it.
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

/// The place behind `#define NAME`, or the end of the text.
std::size_t find_define(std::string_view source, std::string_view name) {
  constexpr std::string_view kDefine = "define";
  for (auto at = source.find('#'); at != std::string_view::npos; at = source.find('#', at + 1)) {
    std::size_t from = at + 1;
    while (from < source.size() && (source[from] == ' ' || source[from] == '\t')) ++from;
    if (source.substr(from, kDefine.size()) != kDefine) continue;
    from += kDefine.size();
    while (from < source.size() && (source[from] == ' ' || source[from] == '\t')) ++from;
    const std::size_t to = word_end(source, from);
    if (source.substr(from, to - from) == name) return to;
  }
  return source.size();
}

/// The end of a string that begins with the quote at `at`: the place of its closing quote, of the line's end, or of the text's.
std::size_t string_end(std::string_view source, std::size_t at) {
  for (++at; at < source.size() && source[at] != '"' && source[at] != '\n'; ++at)
    if (source[at] == '\\' && at + 1 < source.size() && source[at + 1] != '\n') ++at;
  return std::min(at, source.size());
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

std::optional<std::string> root_signature_strings(std::string_view source, std::string_view define) {
  if (define.empty() && begins_root_signature(source)) return std::nullopt;
  std::size_t at = define.empty() ? 0 : find_define(source, define);
  // The first string that begins like one.
  while (at < source.size()) {
    const std::size_t behind = comment_end(source, at);
    if (behind != at) {
      at = behind;
    } else if (source[at] != '"') {
      ++at;
    } else {
      const std::size_t end = string_end(source, at);
      if (!define.empty() || begins_root_signature(source.substr(at + 1, end - at - 1))) break;
      at = end + 1;
    }
  }
  if (at >= source.size()) return std::nullopt;
  std::string blanked(source.size(), ' ');
  std::size_t last = at;
  for (;;) {
    const std::size_t end = string_end(source, at);
    for (std::size_t i = at + 1; i < end; ++i) {
      // A backslash stands for what follows it: a line end or a tab. Nothing that a root signature has needs one.
      if (source[i] == '\\' && i + 1 < end) {
        ++i;
        continue;
      }
      blanked[i] = source[i];
    }
    last = end;
    at = std::min(end + 1, source.size());
    // Strings side by side are one, as are those that the end of a line with a backslash parts.
    for (;;) {
      at = skip(source, at);
      if (at >= source.size() || source[at] != '\\') break;
      ++at;
    }
    if (at >= source.size() || source[at] != '"') break;
  }
  blanked.resize(last);
  for (std::size_t i = 0; i < last; ++i)
    if (source[i] == '\n') blanked[i] = '\n';
  return blanked;
}

std::size_t RootSignatureScanner::number_end(std::size_t from) const {
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

void RootSignatureScanner::scan() {
  at_ = skip(text_, at_);
  token_ = {RootSignatureToken::Kind::end, text_.substr(at_, 0), at_};
  if (at_ >= text_.size()) return;
  const std::size_t from = at_;
  const char c = text_[from];
  if (is_name_start(c)) {
    token_.kind = RootSignatureToken::Kind::word;
    at_ = word_end(text_, from);
  } else if (is_digit(c) || c == '+' || c == '-' || c == '.') {
    token_.kind = RootSignatureToken::Kind::number;
    at_ = number_end(from);
  } else {
    constexpr std::string_view kSigns = "(),=|";
    token_.kind = kSigns.find(c) != std::string_view::npos ? RootSignatureToken::Kind::sign : RootSignatureToken::Kind::other;
    at_ = from + 1;
  }
  token_.text = text_.substr(from, at_ - from);
}

}  // namespace unshade::dxcontainer
