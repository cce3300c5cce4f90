// Other assembly languages of the PICA200, which are told apart by what picasso's does not have.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <unshade/core/message.hpp>

namespace unshade::pica::assembler {

struct Dialect {
  std::string_view tool;  ///< whose language it is: `nihstro`
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string_view sign;  ///< the text there
};

/// The language of a text that does not assemble; nothing if no line is a sign of one.
std::optional<Dialect> dialect_of(std::string_view text);
/// What is said of it; `file`: the name of the source.
Message message_of(const Dialect& dialect, std::string_view file);

}  // namespace unshade::pica::assembler
