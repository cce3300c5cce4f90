// Memory that a test program takes from operator new, counted by a replacement of it (memory.cpp).
#pragma once

#include <cstddef>

namespace unshade::test {

/// Bytes held now. 0 where the replacement is not built in.
std::size_t live_bytes();
/// The most bytes held at once since the last call of reset_peak().
std::size_t peak_bytes();
void reset_peak();

}  // namespace unshade::test
