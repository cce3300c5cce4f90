// Numbers of a reflection as text.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include <unshade/core/text.hpp>
#include <unshade/shader/reflection.hpp>

#include "core/half.hpp"
#include "core/sign_extended.hpp"

namespace unshade::shader::reflection {

/// Whether a scalar's bits are those of a finite number or of a boolean. False for types that are no scalars.
inline bool has_decimal(BaseType type, std::uint64_t bits) {
  switch (type) {
    case BaseType::float16: return (bits >> 10 & 0x1f) != 0x1f;
    case BaseType::float_: return (bits >> 23 & 0xff) != 0xff;
    case BaseType::double_: return (bits >> 52 & 0x7ff) != 0x7ff;
    case BaseType::bool_:
    case BaseType::int8:
    case BaseType::int16:
    case BaseType::int_:
    case BaseType::int64:
    case BaseType::uint8:
    case BaseType::uint16:
    case BaseType::uint_:
    case BaseType::uint64: return true;
    default: return false;
  }
}

/// Appends a scalar: `true`, `-5`, `0.5`, `inf`, `nan`. Types that are no scalars: the bits in hexadecimal.
inline void print_scalar(Text& out, BaseType type, std::uint64_t bits) {
  switch (type) {
    case BaseType::bool_: out << (bits != 0 ? "true" : "false"); break;
    case BaseType::float16: out.shortest(std::bit_cast<float>(single_bits_of_half(static_cast<std::uint32_t>(bits & 0xffff)))); break;
    case BaseType::float_: out.shortest(std::bit_cast<float>(static_cast<std::uint32_t>(bits))); break;
    case BaseType::double_: out.shortest(std::bit_cast<double>(bits)); break;
    case BaseType::int8: out.dec_signed(sign_extended(bits, 8)); break;
    case BaseType::int16: out.dec_signed(sign_extended(bits, 16)); break;
    case BaseType::int_: out.dec_signed(sign_extended(bits, 32)); break;
    case BaseType::int64: out.dec_signed(sign_extended(bits, 64)); break;
    case BaseType::uint8:
    case BaseType::uint16:
    case BaseType::uint_:
    case BaseType::uint64: out.dec(bits); break;
    default: (out << "0x").hex(bits);
  }
}

/// Appends `stride 4`, or of an array of arrays with gaps `strides 64, 4`; nothing for types that state none.
inline void print_stride(Text& out, const Type& type, std::string_view before) {
  if (type.array_stride == 0) return;
  out << before << (type.outer_strides.empty() ? "stride " : "strides ");
  for (const std::uint32_t stride : type.outer_strides) out.dec(stride) << ", ";
  out.dec(type.array_stride);
}

}  // namespace unshade::shader::reflection
