// What the command prints with is the library's.
#pragma once

#include <unshade/present/printer.hpp>

#include "cli/io/stream.hpp"

namespace unshade::cli {

using present::Paint;
using present::part_paint;
using present::Printer;

}  // namespace unshade::cli
