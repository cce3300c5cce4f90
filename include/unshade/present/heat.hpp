// Heat maps as pictures, as JSON and for people.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include <unshade/core/value.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/present/drawn.hpp>
#include <unshade/present/json.hpp>
#include <unshade/present/printer.hpp>
#include <unshade/scene/scene.hpp>

namespace unshade::present {

/// In R8G8B8A8_UNORM: from the least number to the most from violet over green to yellow, black where there is nothing.
picture::Picture heat_colors(const draw::Heat& heat);
/// The numbers: R32_UINT, or R32_FLOAT with -1 where there is nothing.
picture::Picture heat_numbers(const draw::Heat& heat);

/// Red, green and blue of a share from 0 (the least number) to 1.
std::array<std::uint8_t, 3> heat_shade(double share);
/// `pixels`, and if there are any, `least`, `most`, `mean` and, of what can be added up, `total`.
Value heat_sum(const draw::HeatRow& row, const draw::HeatSum& sum);
/// Whole numbers without a point.
Value heat_number(const draw::HeatRow& row, double number);
/// The count at a pixel; nothing outside.
std::optional<std::uint32_t> heat_count(const draw::Heat& heat, const PixelAt& place);
/// Calls `visit` with each pass that draws into the target first and has a heat map.
void each_heated_pass(const scene::Drawn& drawn, const scene::Drawn::Target& target,
                      const std::function<void(const scene::Drawn::Pass& pass)>& visit);

/// What the target's heat map has, and each pass that draws into it; the numbers at `pixels` too.
void write_heat(const scene::Drawn& drawn, const scene::Drawn::Target& target, std::span<const PixelAt> pixels, Json& json);

/// The same for people: what the colors say, and what each pass adds.
void print_heat(const scene::Drawn& drawn, const scene::Drawn::Target& target, std::span<const PixelAt> pixels, Printer& out);

}  // namespace unshade::present
