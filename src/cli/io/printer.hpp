// What the command prints with is the library's.
#pragma once

#include <unshade/present/printer.hpp>

#include "cli/io/stream.hpp"

namespace unshade::cli {

using present::Paint;
using present::part_paint;
using present::Printer;

/// The name of a file, in a line above what is printed of it.
inline void print_heading(std::string_view name, Printer& out) {
  print_safely(out.paint(Paint::heading), name);
  out.paint(Paint::plain) << '\n';
}

}  // namespace unshade::cli
