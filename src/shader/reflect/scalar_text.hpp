// Numbers of a reflection as text.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <unshade/core/bits/half.hpp>
#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/bits/sign_extended.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/view.hpp>
#include <unshade/shader/reflection.hpp>

#include "shader/reflect/scalar_bytes.hpp"

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

/// Whether a type is a scalar, a vector, a matrix, or an array of these.
inline bool has_numbers(const Type& of) {
  return of.type_class == TypeClass::scalar || of.type_class == TypeClass::vector || of.type_class == TypeClass::matrix_rows ||
         of.type_class == TypeClass::matrix_columns;
}

/// Appends the numbers of such a type, each after a blank: `most` of them, then `...`. Each row (or column) of a matrix and each element of
/// an array begins in a register.
inline void print_numbers(Text& out, const Type& of, View bytes, std::size_t most) {
  constexpr std::uint64_t kRegisterBytes = 16, kMostLanes = 4;
  const bool by_columns = of.type_class == TypeClass::matrix_columns;
  const bool is_matrix = by_columns || of.type_class == TypeClass::matrix_rows;
  const std::uint64_t columns = std::clamp<std::uint64_t>(of.columns, 1, kMostLanes);
  const std::uint64_t rows = is_matrix ? std::clamp<std::uint64_t>(of.rows, 1, kMostLanes) : 1;
  const std::uint64_t size = scalar_bytes(of.base);
  const std::uint64_t step = round_up((by_columns ? rows : columns) * size, kRegisterBytes);
  const std::uint64_t element_bytes = step * (by_columns ? columns : rows);
  std::size_t shown = 0;
  for (std::uint64_t element = 0; element < std::max(1U, of.elements); ++element) {
    for (std::uint64_t at = 0; at < rows * columns; ++at, ++shown) {
      const std::uint64_t row = at / columns, column = at % columns;
      const std::uint64_t place = element * element_bytes + (by_columns ? column : row) * step + (by_columns ? row : column) * size;
      if (!bytes.holds(place, size)) return;
      if (shown == most) {
        out << " ...";
        return;
      }
      std::uint64_t bits = 0;
      for (std::uint64_t byte = 0; byte < size; ++byte)
        bits |= std::uint64_t{bytes.load_unchecked<std::uint8_t>(place + byte)} << (8 * byte);
      print_scalar(out << ' ', of.base, bits);
    }
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
