// What a scene left, as JSON and for people, and the history of a pixel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/value.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/present/json.hpp>
#include <unshade/present/printer.hpp>
#include <unshade/scene/scene.hpp>

namespace unshade::present {

using PixelAt = std::pair<std::uint32_t, std::uint32_t>;

/// The components that a picture has at a pixel, and its bytes; nothing outside of it.
struct Texel {
  Value value;
  std::span<const std::byte> bytes;
};
std::optional<Texel> texel_at(const picture::Picture& picture, const PixelAt& pixel);

/// An event of the history of a target, and what its pixel shader executed.
struct TracedEvent {
  std::size_t number = 0;  ///< in the history, from 1
  std::vector<Value> steps;
};
/// Calls `visit` with each event of passes that draw into a target: a map, as it is in the JSON.
void each_event(const scene::Drawn& drawn, std::size_t target,
                const std::function<void(const Value& event, const scene::Drawn::Pass& pass)>& visit);

/// What the document has beside targets and passes.
struct DrawnParts {
  std::span<const PixelAt> pixels = {};        ///< what all targets hold there; beside a heat map, its numbers there too
  std::optional<std::size_t> history = {};     ///< of this target
  const TracedEvent* traced = nullptr;         ///< instead of all events: this one, with its steps
  const scene::Drawn::Target* heat = nullptr;  ///< whose heat map it has
  bool resources = false;
};
/// docs/reference/json/draw.schema.json has its shape.
void write_drawn(const scene::Drawn& drawn, const DrawnParts& parts, Json& json);

/// What each target holds at pixels, a line each: `picture 12,40: 0.5 0.25 0 1`.
void print_pixels(const scene::Drawn& drawn, std::span<const PixelAt> pixels, Printer& out);
/// Passes that draw into a target, each primitive at the pixel in its order; or one of them alone, with its trace.
void print_history(const scene::Drawn& drawn, std::size_t target, const draw::PixelPlace& place, const TracedEvent* traced, Printer& out);
/// A picture in R8G8B8A8_UNORM, two pixels a character, one above the other, on black; without colours as letters, bright ones as dense
/// ones. Wider pictures are made as wide as `columns`.
void print_picture(const picture::Picture& picture, std::uint32_t columns, Printer& out);

/// What is to be said of a drawing that was made.
struct Doubt {
  /// `linkage`: Direct3D or Vulkan refuses a pipeline; `format`: a resource of integers where a shader declares floats, or the reverse;
  /// `constants`: some are zeros because the scene does not give them
  std::string_view id;
  std::string message;
};
std::vector<Doubt> doubts_of(const scene::Drawn& drawn);

}  // namespace unshade::present
