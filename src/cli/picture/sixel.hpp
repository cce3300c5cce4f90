// Pictures on terminals that show sixel graphics.
#pragma once

#include <cstdint>

#include <unshade/run/picture.hpp>

#include "cli/io/printer.hpp"

namespace unshade::cli::print {

/// A picture in R8G8B8A8_UNORM, a pixel for each of its, on black. Of more than 256 colors, which sixel has in percent, 216 are made in a
/// pattern of 4x4 pixels. Wider pictures are made as wide as `pixels`.
void print_sixel(const run::Picture& picture, std::uint32_t pixels, Printer& out);

}  // namespace unshade::cli::print
