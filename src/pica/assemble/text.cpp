// Words, numbers and texts of a line, and what is said of them.
#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>
#include <utility>

#include <unshade/core/text/numbers.hpp>
#include <unshade/pica/float24.hpp>

#include "pica/assemble/dialect.hpp"
#include "pica/assemble/state.hpp"
#include "pica/characters.hpp"

namespace unshade::pica::assembler {

using namespace characters;

namespace {

constexpr std::size_t kMostErrors = 100;
constexpr std::size_t kMostWarnings = 1000;
constexpr std::size_t kQuoted = 40;  // characters of the source in a message

void append_safely(std::string& out, std::string_view text) {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      out += "\\x";
      out += kHexDigits[byte >> 4];
      out += kHexDigits[byte & 15];
    }
  }
}

/// The number a real's text begins with; `length` is how much of the text that is.
float real_prefix(std::string_view text, std::size_t& length) {
  const bool negative = text.starts_with('-');
  const std::size_t sign = negative || text.starts_with('+') ? 1 : 0;
  const char* from = text.data() + sign;
  const char* end = text.data() + text.size();
  auto format = std::chars_format::general;
  length = 0;
  if (end - from > 2 && from[0] == '0' && lower(from[1]) == 'x' && (is(from[2], kHex) || from[2] == '.')) {
    from += 2;
    format = std::chars_format::hex;
  }
  if (from == end || *from == '-' || *from == '+') return 0;
  double value = 0;
  const auto [next, error] = read_real(from, end, value, format);
  if (error == std::errc::invalid_argument) {
    if (format == std::chars_format::hex) length = sign + 1;  // the 0 before the x
    return negative ? -0.0F : 0.0F;
  }
  length = static_cast<std::size_t>(next - text.data());
  if (error == std::errc::result_out_of_range) {
    // too small if its exponent is negative, or it has none and begins with a zero
    const std::string_view digits(from, static_cast<std::size_t>(next - from));
    const auto exponent = digits.find_first_of(format == std::chars_format::hex ? "pP" : "eE");
    const bool small = exponent == std::string_view::npos ? digits.starts_with('0') || digits.starts_with('.')
                                                          : exponent + 1 < digits.size() && digits[exponent + 1] == '-';
    value = small ? 0 : std::numeric_limits<double>::infinity();
  }
  return static_cast<float>(negative ? -value : value);
}

}  // namespace

std::string_view Assembler::name() {
  const char* from = at_;
  while (at_ != end_ && is(*at_, kName)) ++at_;
  return {from, static_cast<std::size_t>(at_ - from)};
}

std::string_view Assembler::word() {
  const char* from = at_;
  while (!at_end() && !is(*at_, kBlank)) ++at_;
  const std::string_view text(from, static_cast<std::size_t>(at_ - from));
  blanks();
  return text;
}

std::int64_t Assembler::decimal() {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;  // beyond this, only that it is large
  blanks();
  const char* from = at_;
  const bool negative = at_ != end_ && *at_ == '-';
  if (at_ != end_ && (*at_ == '-' || *at_ == '+')) ++at_;
  if (at_ == end_ || !is(*at_, kDigit)) {
    at_ = from;
    return 0;
  }
  std::int64_t value = 0;
  for (; at_ != end_ && is(*at_, kDigit); ++at_)
    if (value < kMost) value = value * 10 + (*at_ - '0');
  return negative ? -value : value;
}

bool Assembler::number(std::int64_t& value, const char* what) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  blanks();
  const char* from = at_;
  if (at_end()) return fail(MessageKind::missing_parameter, at_, std::string("expected ") + what);
  const bool negative = *at_ == '-';
  if (*at_ == '-' || *at_ == '+') ++at_;
  int base = 10;
  if (end_ - at_ > 2 && at_[0] == '0' && lower(at_[1]) == 'x' && is(at_[2], kHex)) {
    base = 16;
    at_ += 2;
  } else if (at_ != end_ && *at_ == '0') {
    base = 8;
  }
  const char* digits = at_;
  value = 0;
  for (; at_ != end_ && is(*at_, kHex); ++at_) {
    const char c = lower(*at_);
    const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
    if (digit >= base) break;
    if (value < kMost) value = value * base + digit;
  }
  // what goes on as a number does is none: 08 is no octal number
  if (at_ == digits || (at_ != end_ && is(*at_, kDigit))) {
    const bool is_octal = at_ != digits && base == 8;
    at_ = from;
    return fail(MessageKind::invalid_number, from,
                std::string("expected ") + what + ", found " + found(from) + (is_octal ? ": a number that begins with 0 is octal" : ""));
  }
  if (negative) value = -value;
  return true;
}

bool Assembler::number_in(std::uint32_t& value, std::int64_t least, std::int64_t most, const char* what) {
  blanks();
  const char* from = at_;
  std::int64_t wide = 0;
  if (!number(wide, what)) return false;
  if (wide < least || wide > most)
    return fail(
        MessageKind::number_range, from,
        std::string("expected ") + what + " from " + std::to_string(least) + " to " + std::to_string(most) + ", found " + found(from));
  value = static_cast<std::uint32_t>(wide);
  return true;
}

std::uint32_t Assembler::real() {
  blanks();
  if (at_ != end_ && *at_ == '$') {
    std::uint32_t bits = 0;
    const auto [next, error] = std::from_chars(at_ + 1, end_, bits, 16);
    if (error != std::errc::invalid_argument) {
      if (error != std::errc{} || bits > kFloat24Bits)
        fail(MessageKind::number_range, at_, "expected the 24 bits of a float, $0 to $ffffff, found " + found(at_));
      at_ = next;
      return bits & kFloat24Bits;
    }
  }
  std::size_t length = 0;
  const char* from = at_;
  const char* stop = at_;
  while (stop != end_ && *stop != '\n' && *stop != ';' && *stop != ',' && *stop != ')') ++stop;
  const float value = real_prefix({at_, static_cast<std::size_t>(stop - at_)}, length);
  if (length == 0) warn(MessageKind::ignored_text, at_, "expected a number, found " + found(at_) + "; it counts as 0");
  at_ += length;
  const std::uint32_t bits = to_float24(value);
  // `inf` and `nan` are meant so
  const char first = length == 0 ? 'n' : *from == '-' || *from == '+' ? from[1] : *from;
  if ((bits >> 16 & 0x7f) == 0x7f && (is(first, kDigit) || first == '.'))
    warn(MessageKind::constant_range, from,
         "expected a number below 2^64, found `" + std::string(from, at_) + "`; the constant becomes " +
             ((bits & 0xffff) == 0 ? "infinite" : "a NaN"));
  if (value != 0 && (bits & kFloat24Bits >> 1) == 0)
    warn(MessageKind::constant_range, from,
         "expected 0 or a number above 2^-63, found `" + std::string(from, at_) + "`; the constant becomes 0");
  return bits;
}

void Assembler::skip_ignored(std::string_view until) {
  blanks();
  const char* from = at_;
  while (!at_end() && until.find(*at_) == std::string_view::npos) ++at_;
  if (at_ != from) warn(MessageKind::ignored_text, from, "ignored " + found(from));
}

bool Assembler::string(std::string_view& text) {
  blanks();
  const char* from = at_;
  if (at_ == end_ || *at_ != '"') return fail(MessageKind::syntax, at_, "expected a quoted string, found " + found(at_));
  std::string out;
  for (++at_; at_ != end_ && *at_ != '\n' && *at_ != '"'; ++at_) {
    if (*at_ != '\\' || at_ + 1 == end_) {
      out += *at_;
      continue;
    }
    ++at_;
    if (*at_ == 'x' && end_ - at_ > 2 && is(at_[1], kHex) && is(at_[2], kHex)) {
      const auto digit = [](char c) { return static_cast<unsigned>(is(c, kDigit) ? c - '0' : lower(c) - 'a' + 10); };
      out += static_cast<char>(digit(at_[1]) << 4 | digit(at_[2]));
      at_ += 2;
    } else {
      out += *at_;
    }
  }
  if (at_ == end_ || *at_ != '"') return fail(MessageKind::syntax, from, "expected a closing quote");
  ++at_;
  text = keep(std::move(out));
  return true;
}

bool Assembler::comma(const char* what) {
  blanks();
  if (at_ != end_ && *at_ == ',') {
    ++at_;
    blanks();
    if (!at_end()) return true;
  } else if (!at_end()) {
    return fail(MessageKind::syntax, at_, "expected a comma, found " + found(at_));
  }
  return fail(MessageKind::missing_parameter, at_, std::string("expected ") + what);
}

bool Assembler::no_more() {
  blanks();
  if (at_ != end_ && *at_ == ',') {
    const char* from = at_++;
    blanks();
    if (at_end()) return true;  // picasso lets one comma pass
    at_ = from;
  }
  if (at_end()) return true;
  return fail(MessageKind::too_many_parameters, at_, "expected the end of the line, found " + found(at_));
}

bool Assembler::finish_instruction() {
  blanks();
  if (at_ != end_ && *at_ == '{') {
    ++at_;
    std::uint32_t index = 0;
    if (!number_in(index, 0, kProgramWords - 1, "the number of a descriptor")) return false;
    blanks();
    if (at_ == end_ || *at_ != '}') return fail(MessageKind::syntax, at_, "expected }, found " + found(at_));
    ++at_;
    chosen_ = index;
  }
  return no_more();
}

std::string Assembler::found(const char* where) const {
  const char* stop = where;
  while (stop != end_ && *stop != '\n' && *stop != ';' && *stop != ',' && !is(*stop, kBlank) && stop - where < static_cast<int>(kQuoted))
    ++stop;
  if (stop == where) return ends_line(where) || *where == ';' ? "the end of the line" : std::string("`") + *where + '`';
  std::string out = "`";
  append_safely(out, {where, static_cast<std::size_t>(stop - where)});
  return out + '`';
}

Message message_of(const Dialect& dialect, std::string_view file) {
  const Rule& of = rule(MessageKind::other_language);
  std::string text = "expected picasso's assembly language, found that of " + std::string(dialect.tool) + ": `";
  append_safely(text, dialect.sign);
  return {of.severity, of.id, dialect.line, dialect.column, text + '`', safe_name(file)};
}

Message message_of(const NoProgram& none, std::string_view file) {
  const Rule& of = rule(MessageKind::no_program);
  std::string text = "expected a program in picasso's language, found text: " + std::to_string(none.unknown) + " of " +
                     std::to_string(none.statements) + " lines begin with no label, directive or instruction, the first with `";
  append_safely(text, none.word.substr(0, kQuoted));
  return {of.severity, of.id, none.line, none.column, text + '`', safe_name(file)};
}

std::string safe_name(std::string_view file) {
  constexpr std::size_t kMost = 256;
  std::string name;
  append_safely(name, file.substr(0, kMost));
  return name;
}

void Assembler::report(MessageKind message, std::uint32_t file, std::uint32_t line, std::uint32_t column, std::string text) {
  if (rule(message).severity == Severity::error) {
    if (++errors_ > kMostErrors) {
      if (stop_) return;
      stop_ = true;
      message = MessageKind::too_many_messages;
      text = "too many errors";
    }
  } else if (++warnings_ > kMostWarnings) {
    return;
  }
  std::string name = file < files_.size() ? safe_name(files_[file]) : std::string();
  const Rule& of = rule(message);
  messages_.push_back({of.severity, of.id, line, column, std::move(text), std::move(name)});
}

bool Assembler::fail(MessageKind message, const char* where, std::string text) {
  report(message, file_, line_, column(where), std::move(text));
  return false;
}

void Assembler::warn(MessageKind message, const char* where, std::string text) {
  report(message, file_, line_, column(where), std::move(text));
}

}  // namespace unshade::pica::assembler
