// The history of a pixel, for people.
#pragma once

#include <unshade/present/drawn.hpp>

#include "cli/io/printer.hpp"

namespace unshade::cli::print {

/// Passes that draw into a target, each primitive at the pixel in its order; or one of them alone, with its trace.
void print_history(const scene::Drawn& drawn, std::size_t target, const draw::PixelPlace& place, const present::TracedEvent* traced,
                   Printer& out);

}  // namespace unshade::cli::print
