#include "shader/hlsl/declarations/lexer.hpp"

#include <algorithm>

#include <unshade/core/text/characters.hpp>

namespace unshade::shader::hlsl {

namespace {

/// Macros that stand for macros are followed so far.
constexpr unsigned kMostMacros = 16;

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

/// The word at the begin of a text, which loses it and the blanks after it.
std::string_view take_word(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_name_character(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

}  // namespace

const Macro* Lexer::find_macro(std::string_view name) const {
  const auto found = macros_.find(name);
  return found == macros_.end() ? nullptr : &found->second;
}

bool Lexer::skip_comment() {
  if (peek() != '/' || (peek(1) != '/' && peek(1) != '*')) return false;
  if (peek(1) == '/') {
    at_ = std::min(text_.find('\n', at_), text_.size());
    return true;
  }
  const std::size_t end = text_.find("*/", at_ + 2);
  if (end == std::string_view::npos) open_comment_ = at_;
  at_ = end == std::string_view::npos ? text_.size() : end + 2;
  return true;
}

// The rest of a line, with those that backslashes join to it; without the comment at its end.
std::string_view Lexer::line() {
  const std::size_t first = at_;
  std::size_t comment = std::string_view::npos;
  while (at_ < text_.size() && peek() != '\n') {
    if (peek() == '/' && (peek(1) == '/' || peek(1) == '*')) {
      comment = std::min(comment, at_);
      (void)skip_comment();
      continue;
    }
    const bool is_joined = peek() == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'));
    at_ += !is_joined ? 1 : peek(1) == '\n' ? 2 : 3;
  }
  return trimmed(text_.substr(first, std::min(comment, at_) - first));
}

void Lexer::define(std::string_view rest) {
  const std::string_view name = take_word(rest);
  if (name.empty()) return;
  // a macro with arguments has the parenthesis right behind its name
  const bool is_function = name.data() + name.size() < text_.data() + text_.size() && name.data()[name.size()] == '(';
  Macro made{rest, static_cast<std::size_t>(name.data() - text_.data()), is_function, false, false};
  made.is_word = !is_function && !rest.empty() && std::ranges::all_of(rest, is_name_character);
  const auto [found, is_new] = macros_.emplace(name, made);
  if (is_new) return;
  made.is_unknown = found->second.is_unknown || found->second.body != rest || found->second.is_function != is_function;
  found->second = made;
}

std::string_view Lexer::meaning(std::string_view word) const {
  for (unsigned depth = 0; depth < kMostMacros; ++depth) {
    const Macro* const macro = find_macro(word);
    if (macro == nullptr || macro->is_unknown || (!macro->is_word && !macro->is_empty())) break;
    word = macro->body;
  }
  return word;
}

// What `#if 0` leaves out. Returns the word that ends it.
std::string_view Lexer::skip_group() {
  unsigned depth = 1;
  while (at_ < text_.size()) {
    while (at_ < text_.size() && is_blank(peek())) ++at_;
    if (peek() != '#') {
      (void)line();
      continue;
    }
    ++at_;
    std::string_view rest = line();
    const std::string_view word = take_word(rest);
    if (word == "if" || word == "ifdef" || word == "ifndef") ++depth;
    if (word == "endif" && --depth == 0) return word;
    if ((word == "else" || word == "elif") && depth == 1) return word;
  }
  return {};
}

// A line of the preprocessor. True: `made` is a condition.
bool Lexer::directive(Token& made) {
  const std::size_t at = at_++;
  std::string_view rest = line();
  const std::string_view word = take_word(rest);
  if (word == "define") {
    define(rest);
  } else if (word == "undef") {
    macros_.erase(take_word(rest));
  } else if (word == "pragma") {
    if (take_word(rest) == "pack_matrix") packs_rows_ = rest.find("row_major") != std::string_view::npos;
  } else if (word == "if" && rest == "0") {
    const std::string_view end = skip_group();
    if (end == "else" || end == "elif") decided_.push_back(end == "else");
    if (end != "elif") return false;
    made = {Token::Kind::condition, at, end};
    return true;
  } else if (word == "endif" && !decided_.empty()) {
    const bool is_decided = decided_.back();
    decided_.pop_back();
    made = {Token::Kind::condition, at, word};
    return !is_decided;
  } else if (word == "if" || word == "ifdef" || word == "ifndef" || word == "elif" || word == "else" || word == "endif" ||
             word == "include") {
    if (word.starts_with("if")) decided_.push_back(false);
    made = {Token::Kind::condition, at, word};
    return true;
  }
  return false;
}

Token Lexer::quotation(char quote) {
  const std::size_t first = at_++;
  while (at_ < text_.size() && peek() != quote && peek() != '\n') at_ += peek() == '\\' ? 2 : 1;
  at_ = std::min(at_ + 1, text_.size());
  return {Token::Kind::text, first, text_.substr(first, at_ - first)};
}

Token Lexer::next() {
  for (;;) {
    while (at_ < text_.size() && is_blank(peek())) {
      at_line_start_ = at_line_start_ || peek() == '\n';
      ++at_;
    }
    if (skip_comment()) continue;
    if (at_ == 0 && text_.starts_with("\xef\xbb\xbf")) {
      at_ = 3;
      continue;
    }
    if (at_ >= text_.size()) return {Token::Kind::end, text_.size()};
    if (at_line_start_ && peek() == '#') {
      Token made;
      if (directive(made)) return made;
      continue;
    }
    at_line_start_ = false;
    const std::size_t first = at_;
    if (peek() == '"' || peek() == '\'') return quotation(peek());
    if (!is_name_character(peek())) {
      ++at_;
      return {Token::Kind::mark, first, text_.substr(first, 1)};
    }
    const bool is_number = is_digit(peek());
    while (is_name_character(peek()) || (is_number && peek() == '.')) ++at_;
    const std::string_view word = text_.substr(first, at_ - first);
    if (is_number) return {Token::Kind::number, first, word};
    if (meaning(word).empty()) continue;
    return {Token::Kind::identifier, first, word};
  }
}

}  // namespace unshade::shader::hlsl
