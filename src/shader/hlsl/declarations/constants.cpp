#include "shader/hlsl/declarations/constants.hpp"

#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>

namespace unshade::shader::hlsl {

namespace {

constexpr unsigned kDeepest = 32;
// Macros of macros multiply.
constexpr std::size_t kMostSteps = std::size_t{1} << 20;

std::optional<std::uint64_t> literal(std::string_view text) {
  while (!text.empty() && (unshade::lower(text.back()) == 'u' || unshade::lower(text.back()) == 'l')) text.remove_suffix(1);
  if (text.starts_with("0x") || text.starts_with("0X")) return as_number<std::uint64_t>(text.substr(2), 16);
  const bool is_octal = text.size() > 1 && text[0] == '0';
  return as_number<std::uint64_t>(text, is_octal ? 8 : 10);
}

/// Of a binary operator, the higher the closer; 0: it is none. A shift is two marks.
unsigned level_of(const Token& token) {
  if (token.kind != Token::Kind::mark) return 0;
  switch (token.text[0]) {
    case '<':
    case '>': return 1;
    case '+':
    case '-': return 2;
    case '*':
    case '/':
    case '%': return 3;
    default: return 0;
  }
}

std::optional<std::uint64_t> computed(char op, std::uint64_t a, std::uint64_t b) {
  switch (op) {
    case '<': return b < 64 ? std::optional(a << b) : std::nullopt;
    case '>': return b < 64 ? std::optional(a >> b) : std::nullopt;
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return b != 0 ? std::optional(a / b) : std::nullopt;
    default: return b != 0 ? std::optional(a % b) : std::nullopt;
  }
}

}  // namespace

void Constants::define(std::string_view name, std::string_view expression) {
  const auto made = value(expression);
  const auto [found, is_new] = values_.emplace(name, made);
  if (!is_new && found->second != made) found->second = std::nullopt;
}

std::optional<std::uint64_t> Constants::value(std::string_view expression) { return whole(expression, 0); }

std::optional<std::uint64_t> Constants::whole(std::string_view expression, unsigned depth) {
  if (depth > kDeepest) return std::nullopt;
  Source from{Lexer(expression), {}};
  from.advance();
  const auto made = binary(from, 1, depth);
  return from.token.kind == Token::Kind::end ? made : std::nullopt;
}

std::optional<std::uint64_t> Constants::binary(Source& from, unsigned level, unsigned depth) {
  if (level > 3) return unary(from, depth);
  auto made = binary(from, level + 1, depth);
  while (made && level_of(from.token) == level) {
    const Token op = from.token;
    from.advance();
    if (level == 1) {
      if (!from.token.is(op.text) || from.token.at != op.at + 1) return std::nullopt;
      from.advance();
    }
    const auto other = binary(from, level + 1, depth);
    made = other ? computed(op.text[0], *made, *other) : std::nullopt;
  }
  return made;
}

std::optional<std::uint64_t> Constants::unary(Source& from, unsigned depth) {
  if (++steps_ > kMostSteps || depth > kDeepest) return std::nullopt;
  const Token token = from.token;
  from.advance();
  if (token.kind == Token::Kind::number) return literal(token.text);
  if (token.is("(")) {
    const auto made = binary(from, 1, depth + 1);
    if (!from.token.is(")")) return std::nullopt;
    from.advance();
    return made;
  }
  if (token.is("-") || token.is("+")) {
    const auto made = unary(from, depth + 1);
    return made && token.is("-") ? std::optional(0 - *made) : made;
  }
  if (token.kind != Token::Kind::identifier) return std::nullopt;
  if (const Macro* const macro = names_.find_macro(token.text); macro != nullptr) {
    steps_ += macro->body.size();
    return macro->is_function || macro->is_unknown ? std::nullopt : whole(macro->body, depth + 1);
  }
  const auto found = values_.find(token.text);
  return found == values_.end() ? std::nullopt : found->second;
}

}  // namespace unshade::shader::hlsl
