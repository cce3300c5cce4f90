#include <unshade/ir/message.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include <unshade/core/bits/half.hpp>
#include <unshade/core/bits/sign_extended.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/text/characters.hpp>

namespace unshade::ir {
namespace {

constexpr std::string_view kPrintConversions = "diuoxXcpfFeEgGaAs";
constexpr std::string_view kLengths = "hlLjzt";
constexpr std::string_view kCutOff = "...";

// A number, cut off at limits::kMessageWidth; nothing if there is no digit.
std::optional<unsigned> take_digits(std::string_view text, std::size_t& at) {
  std::optional<unsigned> value;
  for (; at < text.size() && is_digit(text[at]); ++at)
    value = std::min(value.value_or(0) * 10 + static_cast<unsigned>(text[at] - '0'), limits::kMessageWidth);
  return value;
}

// Whether a character is a flag, which it sets.
bool take_flag(char c, FormatPart& part) {
  switch (c) {
    case '-': return part.left = true;
    case '+': return part.sign = true;
    case ' ': return part.blank = true;
    case '#': return part.alternate = true;
    case '0': return part.zeros = true;
    default: return false;
  }
}

void make_upper(std::string& text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
}

/// A value before it is padded: zeros go between the sign and the digits.
struct Shown {
  std::string sign, digits;
  bool takes_zeros = true;
};

void append_padded(const FormatPart& part, const Shown& shown, std::string& to) {
  const std::size_t size = shown.sign.size() + shown.digits.size();
  const std::size_t missing = part.width > size ? part.width - size : 0;
  const bool zeros = part.zeros && !part.left && shown.takes_zeros;
  if (!part.left && !zeros) to.append(missing, ' ');
  to += shown.sign;
  if (zeros) to.append(missing, '0');
  to += shown.digits;
  if (part.left) to.append(missing, ' ');
}

std::string_view sign_of(const FormatPart& part, bool negative) { return negative ? "-" : part.sign ? "+" : part.blank ? " " : ""; }

std::string digits_of(std::uint64_t value, int base) {
  char buffer[32];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value, base).ptr;
  return {std::begin(buffer), end};
}

Shown integer_of(const FormatPart& part, Type type, std::uint64_t bits) {
  const unsigned width = type == Type::b1 || type == Type::f24 ? 32 : bit_width(type);
  if (type == Type::b1) bits = bits != 0 ? 1 : 0;
  if (width < 64) bits &= (std::uint64_t{1} << width) - 1;
  Shown made;
  switch (part.conversion) {
    case 'd':
    case 'i': {
      const std::int64_t value = sign_extended(bits, width);
      made.sign = sign_of(part, value < 0);
      made.digits = digits_of(value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value), 10);
      break;
    }
    case 'o':
      made.digits = digits_of(bits, 8);
      if (part.alternate && bits != 0) made.digits.insert(0, 1, '0');
      break;
    case 'x':
    case 'X':
    case 'p':
      made.digits = digits_of(bits, 16);
      if (part.conversion == 'p' || (part.alternate && bits != 0)) made.sign = "0x";
      if (part.conversion == 'X') {
        make_upper(made.sign);
        make_upper(made.digits);
      }
      break;
    default: made.digits = digits_of(bits, 10); break;
  }
  if (part.precision) {
    if (*part.precision == 0 && bits == 0) made.digits.clear();
    if (*part.precision > made.digits.size()) made.digits.insert(0, *part.precision - made.digits.size(), '0');
    made.takes_zeros = false;
  }
  return made;
}

Shown character_of(std::uint64_t bits) {
  const auto c = static_cast<char>(bits & 0xff);
  Shown made{{}, {}, false};
  if ((c >= ' ' && c <= '~') || c == '\n' || c == '\t') {
    made.digits = c;
  } else {
    made.digits = digits_of(0x100 | (bits & 0xff), 16);
    made.digits[0] = 'x';
    made.digits.insert(0, 1, '\\');
  }
  return made;
}

double real_of(Type type, std::uint64_t bits) {
  switch (type) {
    case Type::i64:
    case Type::f64: return std::bit_cast<double>(bits);
    case Type::i16:
    case Type::f16: return static_cast<double>(std::bit_cast<float>(single_bits_of_half(static_cast<std::uint32_t>(bits & 0xffff))));
    case Type::b1: return bits != 0 ? 1 : 0;
    case Type::i8: return static_cast<double>(sign_extended(bits, 8));
    default: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
}

Shown real_text_of(const FormatPart& part, double value) {
  Shown made;
  const bool is_upper = part.conversion < 'a';
  made.sign = sign_of(part, std::signbit(value) && !std::isnan(value));
  if (!std::isfinite(value)) {
    made.digits = std::isnan(value) ? "nan" : "inf";
    made.takes_zeros = false;
  } else {
    constexpr int kDefault = 6;
    char buffer[1024];  // 309 digits before the point, and limits::kMessageWidth after it
    const double magnitude = std::fabs(value);
    const int precision = part.precision ? int{*part.precision} : kDefault;
    std::to_chars_result end{};
    switch (part.conversion) {
      case 'e':
      case 'E': end = std::to_chars(std::begin(buffer), std::end(buffer), magnitude, std::chars_format::scientific, precision); break;
      case 'g':
      case 'G': end = std::to_chars(std::begin(buffer), std::end(buffer), magnitude, std::chars_format::general, precision); break;
      case 'a':
      case 'A':
        made.sign += "0x";
        end = part.precision ? std::to_chars(std::begin(buffer), std::end(buffer), magnitude, std::chars_format::hex, precision)
                             : std::to_chars(std::begin(buffer), std::end(buffer), magnitude, std::chars_format::hex);
        break;
      default: end = std::to_chars(std::begin(buffer), std::end(buffer), magnitude, std::chars_format::fixed, precision); break;
    }
    made.digits.assign(std::begin(buffer), end.ptr);
  }
  if (is_upper) {
    make_upper(made.sign);
    make_upper(made.digits);
  }
  return made;
}

}  // namespace

std::optional<FormatPart> FormatParts::next() {
  if (rest_.empty()) return std::nullopt;
  FormatPart part;
  const auto take = [&](std::size_t count, std::size_t skipped) {
    part.text = rest_.substr(skipped, count - skipped);
    rest_.remove_prefix(count);
    return part;
  };
  const auto take_sign = [&] {
    part = {};
    return take(1, 0);
  };
  if (rest_[0] != '%') return take(std::min(rest_.find('%'), rest_.size()), 0);
  if (rest_.starts_with("%%")) return take(2, 1);
  std::size_t at = 1;
  while (at < rest_.size() && take_flag(rest_[at], part)) ++at;
  part.width = static_cast<std::uint8_t>(take_digits(rest_, at).value_or(0));
  if (at < rest_.size() && rest_[at] == '.') part.precision = static_cast<std::uint8_t>(take_digits(rest_, ++at).value_or(0));
  if (at < rest_.size() && rest_[at] == 'v') {
    const unsigned values = take_digits(rest_, ++at).value_or(0);
    if (values == 0 || values > FormatPart::kMostComponents) return take_sign();
    part.values = static_cast<std::uint8_t>(values);
  }
  while (at < rest_.size() && kLengths.find(rest_[at]) != std::string_view::npos) ++at;
  if (at == rest_.size() || kPrintConversions.find(rest_[at]) == std::string_view::npos) return take_sign();
  part.conversion = rest_[at];
  return take(at + 1, 0);
}

void FormatParts::skip_long() {
  if (rest_.starts_with('l')) rest_.remove_prefix(1);
}

bool FormatWriter::fits(std::size_t characters) {
  if (is_full_) return false;
  if (text_.size() + characters + kCutOff.size() <= limits::kMessageCharacters) return true;
  is_full_ = true;
  text_ += kCutOff;
  return false;
}

void FormatWriter::add_text(std::string_view text) {
  for (const char c : text) {
    if (!fits(c == '%' ? 2 : 1)) return;
    text_.append(c == '%' ? 2 : 1, c);
  }
}

bool FormatWriter::add_conversion(const FormatPart& part, std::size_t values) {
  if (values == 0 || values > FormatPart::kMostComponents) return false;
  std::string made = "%";
  for (const auto& [is_set, flag] : {std::pair{part.left, '-'}, std::pair{part.sign, '+'}, std::pair{part.blank, ' '},
                                     std::pair{part.alternate, '#'}, std::pair{part.zeros, '0'}})
    if (is_set) made += flag;
  if (part.width != 0) made += std::to_string(part.width);
  if (part.precision) made += '.' + std::to_string(*part.precision);
  if (values != 1) made += 'v' + std::to_string(values);
  made += part.conversion;
  if (!fits(made.size())) return false;
  text_ += made;
  return true;
}

std::size_t values_of(std::string_view format) {
  std::size_t count = 0;
  FormatParts parts(format);
  while (const auto part = parts.next()) count += part->conversion == 0 || part->conversion == 's' ? 0 : part->values;
  return count;
}

std::string text_of(const MessageFormat& message, std::span<const std::uint64_t> values) {
  std::string made;
  std::size_t at = 0;
  const std::size_t count = std::min(values.size(), message.types.size());
  FormatParts parts(message.text);
  while (const auto part = parts.next()) {
    if (part->conversion == 0 || part->conversion == 's') {
      made += part->text;
      continue;
    }
    for (unsigned k = 0; k < part->values && at < count; ++k, ++at) {
      if (k != 0) made += ", ";
      const Type type = message.types[at];
      append_padded(*part,
                    part->is_real()           ? real_text_of(*part, real_of(type, values[at]))
                    : part->conversion == 'c' ? character_of(values[at])
                                              : integer_of(*part, type, values[at]),
                    made);
    }
  }
  return made;
}

}  // namespace unshade::ir
