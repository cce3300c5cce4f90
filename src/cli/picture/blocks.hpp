// Pictures on a terminal.
#pragma once

#include <array>
#include <cstdint>

#include <unshade/run/picture.hpp>

#include "cli/io/printer.hpp"

namespace unshade::cli::print {

using Color = std::array<std::uint32_t, 3>;
/// The mean of a part of a picture in R8G8B8A8_UNORM, on black.
Color mean_color(const run::Picture& picture, std::uint32_t left, std::uint32_t top, std::uint32_t right, std::uint32_t bottom);

/// A picture in R8G8B8A8_UNORM, two pixels a character, one above the other, on black; without colours as letters, bright ones as dense
/// ones. Wider pictures are made as wide as `columns`.
void print_picture(const run::Picture& picture, std::uint32_t columns, Printer& out);

}  // namespace unshade::cli::print
