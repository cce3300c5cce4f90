#include <unshade/run/values.hpp>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <unshade/core/bits/half.hpp>
#include <unshade/core/text.hpp>
#include <unshade/ir/numeric/nan.hpp>
#include <unshade/texel/formats.hpp>

namespace unshade::run {
namespace {

// `nan`, `inf` and `-inf`, as YAML writes them too: `.NaN`, `-.inf`.
std::optional<double> special_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('.')) text.remove_prefix(1);
  const auto is = [&](std::string_view word) {
    return std::ranges::equal(text, word, {}, [](unsigned char c) { return std::tolower(c); });
  };
  if (is("nan")) return std::numeric_limits<double>::quiet_NaN();
  if (!is("inf")) return std::nullopt;
  return std::numeric_limits<double>::infinity() * (negative ? -1 : 1);
}

}  // namespace

std::string found(const Value& value) {
  constexpr std::size_t kMost = 40;
  if (const std::string* const text = value.as_text()) return '`' + text->substr(0, kMost) + (text->size() > kMost ? "...`" : "`");
  if (const Integer* const whole = value.as_integer()) return (whole->negative ? "-" : "") + std::to_string(whole->magnitude);
  if (const Real* const real = value.as_real()) {
    Text text;
    text.shortest(real->wide);
    return text.str();
  }
  const std::string kind(id(value.kind()));
  return value.as_list() != nullptr || value.as_map() != nullptr || value.as_boolean() != nullptr ? "a " + kind : kind;
}

Result<std::uint64_t> bits_of(const Value& value, ir::Type type, std::string_view path) {
  if (const bool* const truth = value.as_boolean()) return bits_of(Value::integer(*truth ? 1 : 0), type, path);
  if (ir::is_float(type)) {
    double wide = 0;
    float narrow = 0;
    if (const Real* const real = value.as_real()) {
      wide = real->wide;
      narrow = real->narrow;
    } else if (const Integer* const number = value.as_integer()) {
      wide = static_cast<double>(number->magnitude) * (number->negative ? -1 : 1);
      narrow = static_cast<float>(number->magnitude) * (number->negative ? -1.0F : 1.0F);
    } else if (const auto special = value.as_text() == nullptr ? std::nullopt : special_number(*value.as_text())) {
      wide = *special;
      narrow = static_cast<float>(wide);
    } else {
      return fault(value, std::string(path), "expected a number, found " + found(value));
    }
    if (type == ir::Type::f64) return ir::numeric::canonical_bits(wide);
    const bool is_half = type == ir::Type::f16;
    const std::uint16_t half = is_half ? texel::nearest_f16(wide) : std::uint16_t{0};
    if (std::isfinite(wide) && (is_half ? (half & 0x7fffU) == 0x7c00 : std::isinf(narrow)))
      return fault(
          value, std::string(path),
          found(value) + " does not fit into a float of " + (is_half ? "16 bits, of at most " + std::to_string(kGreatestHalf) : "32 bits"));
    return is_half ? half : ir::numeric::canonical_bits(narrow);
  }
  if (const Integer* const number = value.as_integer()) {
    const unsigned width = type == ir::Type::b1 ? 32 : ir::bit_width(type);
    const std::uint64_t most = ~std::uint64_t{0} >> (64 - width);
    if (number->magnitude > (number->negative ? most / 2 + 1 : most))
      return fault(value, std::string(path),
                   found(value) + " does not fit into " + std::to_string(width) + " bits: -" + std::to_string(most / 2 + 1) + " to " +
                       std::to_string(most));
    return (number->negative ? 0 - number->magnitude : number->magnitude) & most;
  }
  if (const Real* const real = value.as_real(); real != nullptr && real->wide == std::floor(real->wide) && std::abs(real->wide) < 9.2e18) {
    const double whole = std::abs(real->wide);
    return bits_of(Value::integer(Integer{static_cast<std::uint64_t>(whole), real->wide < 0, false}), type, path);
  }
  return fault(value, std::string(path), "expected a whole number, found " + found(value));
}

Error fault(const Value& at, std::string path, std::string message, ErrorCode code) {
  return {code, at.text_offset, std::move(path), std::move(message)};
}

Result<std::uint32_t> number_of(const Value& value, std::string_view path) {
  const Integer* const number = value.as_integer();
  if (number == nullptr || number->negative || number->magnitude > 0xffff'ffff) {
    return fault(value, std::string(path), "expected a whole number from 0 to 4294967295");
  }
  return static_cast<std::uint32_t>(number->magnitude);
}

std::string hex_of(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex(bytes.size() * 2, '0');
  char* to = hex.data();
  for (const std::byte byte : bytes) {
    *to++ = kDigits[static_cast<unsigned>(byte) >> 4];
    *to++ = kDigits[static_cast<unsigned>(byte) & 15];
  }
  return hex;
}

}  // namespace unshade::run
