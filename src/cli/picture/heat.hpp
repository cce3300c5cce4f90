// Heat maps, for people.
#pragma once

#include <span>

#include <unshade/present/drawn.hpp>

#include "cli/io/printer.hpp"

namespace unshade::cli::print {

/// What the colors say, and what each pass that draws into the target adds. `pixels`: pixels whose numbers are printed too.
void print_heat(const scene::Drawn& drawn, const scene::Drawn::Target& target, std::span<const present::PixelAt> pixels, Printer& out);

}  // namespace unshade::cli::print
