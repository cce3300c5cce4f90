// Words of the assembly language: tokens, numbers and names, the comments between them, and messages about them.
#include <tuple>

#include "dxil/assemble/parser.hpp"
#include "dxil/listing/module.hpp"
#include "dxil/listing/text_lines.hpp"

namespace unshade::dxil::assembler {

bool TextParser::fail(ErrorCode code, std::size_t at, std::string text) {
  if (failed_) return false;
  failed_ = true;
  message_.id = id(code);
  message_.text = std::move(text);
  fault_at_ = at;
  return false;
}

void TextParser::note_gap() {
  message_.severity = Severity::note;
  message_.id = "numbers";
  message_.text = "the numbers of values are not one after the other: they are numbered anew";
  fault_at_ = gap_at_;
}

Message TextParser::message() const {
  Message result = message_;
  std::tie(result.line, result.column) = listing::line_and_column(lexer_.text(), fault_at_);
  return result;
}

void TextParser::next() {
  last_end_ = lexer_.at();
  token_ = lexer_.next();
  for (const auto& [begin, end] : lexer_.comments()) {
    const std::string_view note = lexer_.text().substr(begin, end - begin);
    if (!note.starts_with(listing::kExactComment)) continue;
    const std::string_view word = note.substr(listing::kExactComment.size(),
                                              note.find_first_of(" \r", listing::kExactComment.size()) - listing::kExactComment.size());
    if (word != listing::kExactFlags && word != listing::kExactKinds && word != listing::kExactSections)
      fail(ErrorCode::bad_value, begin, "expected `flags`, `kinds` or `sections` in an exact comment");
    const std::size_t line = lexer_.text().rfind('\n', begin) + 1;  // npos + 1 is the first
    if (word == listing::kExactKinds && lexer_.text().substr(line, begin - line).find_first_not_of(" \t") != std::string_view::npos)
      fail(ErrorCode::bad_value, begin, "the comment `; exact: kinds` must be on a line of its own");
    if (word != listing::kExactFlags) continue;
    if (!exact_flags_.empty()) fail(ErrorCode::bad_value, begin, "`; exact: flags` is given twice");
    exact_flags_ = note;
  }
}

/// Those between the token before and this one.
void TextParser::keep_comments(listing::PlacedComment::By by, std::uint32_t index) {
  if (comments_ == nullptr) return;
  for (const auto& [begin, end] : lexer_.comments()) comments_->push_back({by, index, begin, end});
}

/// The one after an instruction: in the line of its last token.
void TextParser::keep_comment_behind(std::uint32_t instruction) {
  if (comments_ == nullptr || lexer_.comments().empty()) return;
  const auto [begin, end] = lexer_.comments().front();
  if (lexer_.text().substr(last_end_, begin - last_end_).find('\n') == std::string_view::npos)
    comments_->push_back({listing::PlacedComment::By::instruction, instruction, begin, end});
}

/// `; exact: sections 0x1234abcd`: whether the tables above are as they were listed.
bool TextParser::check_sections() {
  for (const auto& [begin, end] : lexer_.comments()) {
    std::string_view note = lexer_.text().substr(begin, end - begin);
    if (!note.starts_with(listing::kExactComment)) continue;
    note.remove_prefix(listing::kExactComment.size());
    if (!note.starts_with(listing::kExactSections)) continue;
    note.remove_prefix(listing::kExactSections.size());
    Text right;
    right << " 0x";
    right.hex(listing::sections_checksum(lexer_.text().substr(0, begin)), 8);
    while (!note.empty() && (note.back() == '\r' || note.back() == ' ')) note.remove_suffix(1);
    if (note == right.view()) continue;
    return fail(ErrorCode::bad_value, begin,
                "the tables above were edited, but are ignored: edit the module, or remove this line to keep the tables");
  }
  return true;
}

bool TextParser::expected(std::string_view what, std::string_view question) {
  constexpr std::size_t kQuoted = 40;
  std::string text = "expected " + std::string(what) + ", found ";
  if (token_.kind == Kind::end) {
    text += "the end of the text";
  } else {
    std::string_view found = lexer_.text().substr(token_.at, lexer_.at() - token_.at);
    found = found.substr(0, found.find('\n'));
    text += '`' + std::string(found.substr(0, kQuoted)) + (found.size() > kQuoted ? "...`" : "`");
    text += question;
  }
  return fail(ErrorCode::bad_value, token_.at, std::move(text));
}

bool TextParser::expect(char mark) { return take(mark) || expected(std::string("`") + (mark == '.' ? "..." : std::string(1, mark)) + '`'); }
bool TextParser::expect(std::string_view word) { return take(word) || expected('`' + std::string(word) + '`'); }

bool TextParser::number(std::uint64_t& value, std::string_view what) {
  if (token_.kind != Kind::integer || token_.text[0] == '-') return expected(what);
  value = 0;
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  for (const char c : token_.text) {
    if (c == '+') continue;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (kMost - digit) / 10) return fail(ErrorCode::bad_value, token_.at, "the number is too large");
    value = value * 10 + digit;
  }
  next();
  return true;
}

bool TextParser::number32(std::uint32_t& value, std::string_view what) {
  const std::size_t at = token_.at;
  std::uint64_t wide = 0;
  if (!number(wide, what)) return false;
  if (wide > 0xffff'ffff) return fail(ErrorCode::bad_value, at, "the number is too large");
  value = static_cast<std::uint32_t>(wide);
  return true;
}

bool TextParser::fits_in(std::uint64_t value, std::uint64_t most, std::size_t at, std::string_view what) {
  if (value <= most) return true;
  return fail(ErrorCode::bad_value, at,
              std::string(what) + " must be at most " + std::to_string(most) + ", found " + std::to_string(value));
}

std::string_view TextParser::name_of(const Token& token) {
  if (!token.quoted || token.text.find('\\') == std::string_view::npos) {
    if (token.kind != Kind::metadata_name || token.text.find('\\') == std::string_view::npos) return token.text;
  }
  append_unescaped(unescaped_.emplace_back(), token.text);
  return unescaped_.back();
}

StringRange TextParser::keep(std::string_view text) {
  const StringRange range{static_cast<std::uint32_t>(m_.characters.size()), static_cast<std::uint32_t>(text.size())};
  m_.characters += text;
  return range;
}

bool TextParser::string(StringRange& range) {
  if (token_.kind != Kind::string) return expected("a string");
  range = keep(name_of(token_));
  next();
  return true;
}

}  // namespace unshade::dxil::assembler
