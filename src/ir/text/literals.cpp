#include "ir/text/literals.hpp"

#include <bit>
#include <cmath>

#include <unshade/core/bits/sign_extended.hpp>
#include <unshade/core/text/numbers.hpp>

namespace unshade::ir {
namespace {

void print_float(Text& out, double value, std::uint64_t bits, bool single) {
  if (!std::isfinite(value)) {
    out << "0x";
    out.hex(bits);
  } else if (single) {
    out.shortest(static_cast<float>(value));
  } else {
    out.shortest(value);
  }
}

}  // namespace

void print_literal(Text& out, Type type, std::uint64_t bits) {
  // numbers from here on are easier to read as bits
  constexpr std::int64_t kDecimals = 0x1000'0000;
  switch (type) {
    case Type::b1: out << (bits == 0 ? "false" : "true"); return;
    case Type::f32:
    case Type::f24: print_float(out, static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))), bits, true); return;
    case Type::f64: print_float(out, std::bit_cast<double>(bits), bits, false); return;
    case Type::i8:
    case Type::i16:
    case Type::i32:
    case Type::i64: {
      const std::int64_t value = sign_extended(bits, bit_width(type));
      if (value > -kDecimals && value < kDecimals) return void(out.dec_signed(value));
      break;
    }
    default: break;
  }
  out << "0x";
  out.hex(bits);
}

std::optional<std::uint64_t> parse_literal(Type type, std::string_view text) {
  if (type == Type::b1) {
    if (text == "false" || text == "true") return text == "true" ? 1 : 0;
    return std::nullopt;
  }
  const unsigned width = type == Type::f24 ? 32 : bit_width(type);
  if (width == 0) return std::nullopt;
  const std::uint64_t most = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  if (text.starts_with("0x")) {
    const auto bits = as_number<std::uint64_t>(text.substr(2), 16);
    return bits && *bits <= most ? bits : std::nullopt;
  }
  if (type == Type::f32 || type == Type::f24) {
    const auto value = as_number<float>(text);
    return value ? std::optional<std::uint64_t>(std::bit_cast<std::uint32_t>(*value)) : std::nullopt;
  }
  if (type == Type::f64) {
    const auto value = as_number<double>(text);
    return value ? std::optional(std::bit_cast<std::uint64_t>(*value)) : std::nullopt;
  }
  if (!is_integer(type)) return std::nullopt;
  if (text.starts_with('-')) {
    const auto value = as_number<std::int64_t>(text);
    if (!value || *value < -static_cast<std::int64_t>(most / 2) - 1) return std::nullopt;
    return static_cast<std::uint64_t>(*value) & most;
  }
  const auto value = as_number<std::uint64_t>(text);
  return value && *value <= most ? value : std::nullopt;
}

}  // namespace unshade::ir
