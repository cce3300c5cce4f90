// Sizes of the numbers of a reflection.
#pragma once

#include <cstdint>

#include <unshade/shader/reflection.hpp>

namespace unshade::shader::reflection {

/// Bytes of a number of this type; of minimum precision, and of what is no number, as many as of a float.
constexpr std::uint32_t scalar_bytes(BaseType base) {
  switch (base) {
    case BaseType::int8:
    case BaseType::uint8: return 1;
    case BaseType::int16:
    case BaseType::uint16:
    case BaseType::float16: return 2;
    case BaseType::int64:
    case BaseType::uint64:
    case BaseType::double_:
    case BaseType::pointer: return 8;
    default: return 4;
  }
}

}  // namespace unshade::shader::reflection
