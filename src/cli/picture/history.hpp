// The history of a pixel: for people and as JSON.
#pragma once

#include <unshade/suite/scene.hpp>

#include "cli/io/json.hpp"
#include "cli/io/printer.hpp"

namespace unshade::cli::print {

/// Passes that draw into a target, each primitive at the pixel in its order.
void print_history(const suite::Drawn& drawn, std::size_t target, const draw::PixelPlace& place, Printer& out);
void write_history(const suite::Drawn& drawn, std::size_t target, Json& json);

}  // namespace unshade::cli::print
