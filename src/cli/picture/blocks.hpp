// Pictures on a terminal.
#pragma once

#include <cstdint>

#include <unshade/picture/picture.hpp>

#include "cli/io/printer.hpp"

namespace unshade::cli::print {

/// A picture in R8G8B8A8_UNORM, two pixels a character, one above the other, on black; without colours as letters, bright ones as dense
/// ones. Wider pictures are made as wide as `columns`.
void print_picture(const picture::Picture& picture, std::uint32_t columns, Printer& out);

}  // namespace unshade::cli::print
