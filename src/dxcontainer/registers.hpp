// Ranges of registers.
#pragma once

#include <cstdint>

namespace unshade::dxcontainer {

/// The last register, and the number of registers, of a range without an end.
inline constexpr std::uint32_t kUnbounded = 0xffff'ffff;

}  // namespace unshade::dxcontainer
