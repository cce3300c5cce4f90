#include "dxbc/assemble/scanner.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <iterator>
#include <limits>
#include <system_error>

#include <unshade/core/text/numbers.hpp>

#include "dxbc/listing/number_text.hpp"

namespace unshade::dxbc {

namespace {

constexpr Rule kMessageRules[] = {
#define DXBC_MESSAGE(id, text, severity, summary) {"as." text, Severity::severity, summary},
#include <unshade/dxbc/assembler_messages.def>
#undef DXBC_MESSAGE
};

}  // namespace

const Rule& rule(MessageKind message) { return kMessageRules[static_cast<std::size_t>(message)]; }

std::span<const Rule> assembler_rules() { return kMessageRules; }

namespace assembler {

namespace {

constexpr std::size_t kQuoted = 40;  // characters of the source in a message

std::string found(std::string_view text) {
  if (text.empty()) return "the end of the text";
  if (text[0] == '\n' || text[0] == '\r') return "the end of the line";
  const std::size_t end = std::min({text.find_first_of(text[0] == ',' ? " \n\r" : " ,\n\r"), text.size(), kQuoted});
  std::string quoted = "`";
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  for (const char c : text.substr(0, std::max<std::size_t>(end, 1))) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      quoted += c;
    } else {
      quoted += "\\x";
      quoted += kHexDigits[byte >> 4];
      quoted += kHexDigits[byte & 15];
    }
  }
  return quoted + '`';
}

}  // namespace

bool Messages::expected(MessageKind message, const char* at, std::string_view what, std::string_view question) {
  failed_ = true;
  if (quiet_) return false;
  const auto offset = static_cast<std::size_t>(at - text_.data());
  return report(message, at, "expected " + std::string(what) + ", found " + found(text_.substr(offset)) + std::string(question));
}

bool Messages::report(MessageKind message, const char* at, std::string sentence) {
  const Rule& of = rule(message);
  failed_ = failed_ || of.severity == Severity::error;
  if (quiet_ || full()) return false;
  const auto place = lines_.at(static_cast<std::size_t>(at - text_.data()));
  messages_.push_back({of.severity, of.id, place.line, place.column, std::move(sentence)});
  if (messages_.size() + 1 == kMost) {
    const Rule& more = rule(MessageKind::too_many_messages);
    messages_.push_back({more.severity, more.id, place.line, place.column, "the rest of the text is ignored"});
  }
  return false;
}

void Scanner::blanks_and_lines() {
  for (;;) {
    if (!at_line_end() || at_ == end_) return;
    skip_line();
  }
}

void Scanner::skip_line() {
  while (at_ != end_ && *at_ != '\n') ++at_;
  if (at_ != end_) ++at_;
}

bool Scanner::expect(char c) {
  blanks();
  if (take(c)) return true;
  const char quoted[] = {'`', c, '`'};
  return fail(MessageKind::syntax, {quoted, sizeof quoted});
}

bool Scanner::digits(std::uint32_t& value) {
  const char* from = at_;
  std::uint64_t wide = 0;
  for (; at_ != end_ && is_digit(*at_); ++at_) {
    wide = wide * 10 + static_cast<std::uint64_t>(*at_ - '0');
    if (wide > std::numeric_limits<std::uint32_t>::max()) {
      at_ = from;
      return fail(MessageKind::number_range, "a 32-bit number");
    }
  }
  value = static_cast<std::uint32_t>(wide);
  return at_ != from || fail(MessageKind::invalid_number, "a number");
}

bool Scanner::number(std::uint32_t& value, std::string_view what) {
  blanks();
  if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
    const auto [next, error] = std::from_chars(at_ + 2, end_, value, 16);
    if (error == std::errc::result_out_of_range) return fail(MessageKind::number_range, what);
    if (error != std::errc{}) return fail(MessageKind::invalid_number, what);
    at_ = next;
    return true;
  }
  if (!is_digit(peek())) return fail(MessageKind::invalid_number, what);
  return digits(value);
}

bool Scanner::number_up_to(std::uint32_t& value, std::uint32_t most, std::string_view what) {
  blanks();
  const char* from = at_;
  if (!number(value, what)) return false;
  if (value <= most) return true;
  at_ = from;
  return fail(MessageKind::number_range, std::string(what) + " of at most " + std::to_string(most));
}

// --- literals --------------------------------------------------------------------------------------------------------------------------

namespace {

// What runtimes print for values that are no numbers. src: number_text.cpp writes them; here they are read.
struct Special {
  std::string_view text;
  std::uint32_t bits;
  std::uint64_t wide;
};
constexpr std::uint32_t kInfinity = 0x7f80'0000;
constexpr std::uint32_t kQuiet = 0x7fc0'0000;
constexpr std::uint32_t kSignaling = 0x7f80'0001;
constexpr std::uint64_t kWideInfinity = 0x7ff0'0000'0000'0000;
constexpr std::uint64_t kWideQuiet = 0x7ff8'0000'0000'0000;
constexpr std::uint64_t kWideSignaling = 0x7ff0'0000'0000'0001;
constexpr Special kSpecials[] = {
    {"1.#INF00", kInfinity, kWideInfinity},
    {"1.#INF", kInfinity, kWideInfinity},
    {"1.#IND00", kQuiet, kWideQuiet},
    {"1.#IND", kQuiet, kWideQuiet},
    {"1.#QNAN0", kQuiet | 1, kWideQuiet | 1},
    {"1.#QNAN", kQuiet | 1, kWideQuiet | 1},
    {"1.#SNAN0", kSignaling, kWideSignaling},
    {"1.#SNAN", kSignaling, kWideSignaling},
    {"infinity", kInfinity, kWideInfinity},
    {"inf", kInfinity, kWideInfinity},
    {"nan(ind)", kQuiet, kWideQuiet},
    {"nan(snan)", kSignaling, kWideSignaling},
    {"nan", kQuiet, kWideQuiet},
};

const Special* special_at(std::string_view text) {
  if (text.empty() || (text[0] != 'i' && text[0] != 'n' && !text.starts_with("1.#"))) return nullptr;
  for (const Special& special : kSpecials)
    if (text.starts_with(special.text)) return &special;
  return nullptr;
}

// Numbers whose six decimals and what is before them fit 24 bits: both operands of the division are floats, so that one rounding
// happens, the right one. Most literals are such.
constexpr std::uint32_t kMillion = 1'000'000;
constexpr std::uint32_t kExactIntegers = 1U << 24;

}  // namespace

Scanner::NumberForm Scanner::number_form() const {
  const char* at = at_;
  if (end_ - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
    at += 2;
    while (at != end_ && (is_digit(*at) || (*at >= 'a' && *at <= 'f') || (*at >= 'A' && *at <= 'F'))) ++at;
    return {at, false, true};
  }
  bool is_real = false;
  while (at != end_ && is_digit(*at)) ++at;
  if (at != end_ && *at == '.') {
    is_real = true;
    ++at;
    while (at != end_ && is_digit(*at)) ++at;
  }
  if (at != end_ && (*at == 'e' || *at == 'E')) {
    const char* exponent = at + 1;
    if (exponent != end_ && (*exponent == '-' || *exponent == '+')) ++exponent;
    if (exponent != end_ && is_digit(*exponent)) {
      is_real = true;
      for (at = exponent; at != end_ && is_digit(*at); ++at) {
      }
    }
  }
  return {at, is_real, false};
}

bool Scanner::literal(std::uint32_t& bits, char kind, bool guess_rounded) {
  blanks();
  const char* from = at_;
  const bool negative = take('-');
  if (!negative) take('+');
  const std::uint32_t sign = negative ? 0x8000'0000U : 0;
  if (const Special* special = special_at(rest())) {
    at_ += special->text.size();
    bits = special->bits | sign;
    return true;
  }
  const NumberForm form = number_form();
  const char* digits = at_;
  if (form.end == at_ || (form.is_hex && form.end == at_ + 2) || (form.is_real && form.end == at_ + 1)) {
    at_ = from;
    return fail(MessageKind::invalid_number, "a number");
  }
  if (form.is_hex || (!form.is_real && kind != 'f')) {
    std::uint32_t magnitude = 0;
    const auto [next, error] = std::from_chars(form.is_hex ? digits + 2 : digits, form.end, magnitude, form.is_hex ? 16 : 10);
    if (error != std::errc{} || (negative && magnitude > 0x8000'0000U)) {
      at_ = from;
      return fail(MessageKind::number_range, "a 32-bit number");
    }
    at_ = form.end;
    bits = negative ? 0U - magnitude : magnitude;
    return true;
  }
  at_ = form.end;
  if (form.is_real && form.end - digits >= 8 && form.end[-7] == '.') {  // six decimals
    std::uint32_t millionths = 0;
    const std::size_t whole = static_cast<std::size_t>(form.end - digits) - 7;
    if (whole <= 2) {
      for (const char* c = digits; c != form.end; ++c)
        if (*c != '.') millionths = millionths * 10 + static_cast<std::uint32_t>(*c - '0');
      if (guess_rounded) {
        bits = listing::guess_float(millionths) | sign;
      } else if (millionths <= kExactIntegers) {
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(millionths) / static_cast<float>(kMillion)) | sign;
      } else {
        float value = 0;
        read_real(digits, form.end, value);
        bits = std::bit_cast<std::uint32_t>(value) | sign;
      }
      if (at_ != end_ && (*at_ == 'f' || *at_ == 'F') && !is_name_character(peek(1))) ++at_;
      return true;
    }
  }
  float value = 0;
  const auto [next, error] = read_real(digits, form.end, value);
  if (error == std::errc::result_out_of_range) {
    double wide = 0;  // too small for a float, or too large: a double tells, which reaches further but for exponents that are absurd
    if (read_real(digits, form.end, wide).ec != std::errc{} || wide > 1) {
      at_ = from;
      return fail(MessageKind::number_range, "a number in the range of float");
    }
    value = 0;
  }
  bits = std::bit_cast<std::uint32_t>(value) | sign;
  if (at_ != end_ && (*at_ == 'f' || *at_ == 'F') && !is_name_character(peek(1))) ++at_;
  return true;
}

bool Scanner::literal_double(std::uint64_t& bits) {
  blanks();
  const char* from = at_;
  const bool negative = take('-');
  const std::uint64_t sign = negative ? std::uint64_t{1} << 63 : 0;
  if (const Special* special = special_at(rest())) {
    at_ += special->text.size();
    bits = special->wide | sign;
    take('l');
    return true;
  }
  const NumberForm form = number_form();
  std::errc error{};
  if (form.is_hex) {
    error = std::from_chars(at_ + 2, form.end, bits, 16).ec;
  } else {
    double value = 0;
    error = read_real(at_, form.end, value).ec;
    bits = std::bit_cast<std::uint64_t>(value);
  }
  if (error != std::errc{} || form.end == at_) {
    at_ = from;
    return error == std::errc::result_out_of_range ? fail(MessageKind::number_range, "a number in the range of double")
                                                   : fail(MessageKind::invalid_number, "a number");
  }
  bits |= sign;
  at_ = form.end;
  take('l');  // as C marks long ones, and fxc prints them
  return true;
}

}  // namespace assembler

}  // namespace unshade::dxbc
