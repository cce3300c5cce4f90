// The ends of texts in UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace unshade::system {

/// How many bytes at the end begin a character whose other bytes are missing: up to 3.
std::size_t unfinished_bytes(std::string_view text);

}  // namespace unshade::system
