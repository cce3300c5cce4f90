// Escapes that color text on terminals, where they got into a file.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <unshade/core/message.hpp>

namespace unshade {

/// Where the first escape is that changes colors (`ESC [ 31 m`); npos if none is.
std::size_t find_color_escape(std::string_view text);

/// What is said of a text that cannot be read and has such escapes; nothing if it has none.
std::optional<Message> color_escape_fault(std::string_view text);

}  // namespace unshade
