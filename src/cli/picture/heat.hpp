// Heat maps: as pictures, for people and as JSON.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include <unshade/suite/scene.hpp>

#include "cli/io/json.hpp"
#include "cli/io/printer.hpp"

namespace unshade::cli::print {

/// In R8G8B8A8_UNORM: from the least number to the most from violet over green to yellow, black where there is nothing.
shader::Picture colored(const draw::Heat& heat);
/// The numbers: R32_UINT, or R32_FLOAT with -1 where there is nothing.
shader::Picture numbers_of(const draw::Heat& heat);

using Pixel = std::pair<std::uint32_t, std::uint32_t>;

/// What the colors say, and what each pass that draws into the target adds. `pixels`: pixels whose numbers are printed too.
void print_heat(const suite::Drawn& drawn, const suite::Drawn::Target& target, std::span<const Pixel> pixels, Printer& out);
void write_heat(const suite::Drawn& drawn, const suite::Drawn::Target& target, std::span<const Pixel> pixels, Json& json);

}  // namespace unshade::cli::print
