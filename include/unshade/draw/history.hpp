// What became of a pixel in a draw: each primitive that would have colored it, with the reason if it did not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <unshade/vm/machine.hpp>

namespace unshade::draw {

/// Whether a fragment landed, or what it was lost to.
enum class Fate : std::uint8_t {
  written,
  blend_result,     ///< written, and the target holds what it held before
  logic_operation,  ///< the same, with a logic operation
  write_mask,
  facing,         ///< the primitive: culled by its side
  clip,           ///< by the near or far plane
  clip_distance,  ///< below 0 here, or at all vertices
  cull_distance,
  scissor,
  sample_mask,
  early_depth,
  early_stencil,
  depth_bounds,
  discard,
  coverage,  ///< the shader's
  alpha_to_coverage,
  late_depth,
  late_stencil,
};
/// `early depth`: the words of reports.
std::string_view id(Fate fate);

struct PixelPlace {
  std::uint32_t x = 0, y = 0;
  std::optional<std::uint32_t> sample;  ///< none: all of the pixel
  std::uint32_t layer = 0;
};

template <class T>
struct Change {
  T before{}, after{};
};

/// A primitive at the pixel. Of one that was lost before the pixel shader ran there are no inputs and outputs.
struct HistoryEvent {
  Fate fate = Fate::written;
  std::uint32_t primitive = 0;  ///< SV_PrimitiveID
  bool is_front = true;
  std::vector<std::array<double, 2>> corners;  ///< on the screen, in pixels; of a divided primitive those of the part that covers the pixel
  std::uint16_t covered = 0;                   ///< samples that the primitive covers
  std::uint16_t landed = 0;                    ///< and that passed all tests
  std::uint32_t sample = 0;                    ///< that the events of depth, stencil and targets are of
  std::vector<std::uint64_t> inputs;           ///< of the pixel shader, by component: bits
  std::vector<std::array<std::uint32_t, 4>> outputs;  ///< by target: bits
  std::optional<float> depth;                         ///< that was compared
  std::optional<Change<float>> depth_target;
  std::optional<Change<std::uint8_t>> stencil_target;
  std::vector<Change<std::array<std::uint32_t, 4>>> targets;  ///< by target, as a load gives them; empty if nothing was written
};

/// Given to a draw, which adds events in the order of its primitives. Primitives that do not reach the pixel have none, except those that
/// would without culling, clipping or the scissor.
struct History {
  PixelPlace place;
  std::vector<HistoryEvent> events;
  bool is_cut = false;  ///< there were more than kMostEvents

  /// Follows the pixel shader of an event: called after each operation that its wave executes, with the number of its lane there.
  std::optional<std::size_t> traced;
  void* self = nullptr;
  void (*step)(void* self, const vm::TraceStep& step, unsigned lane) = nullptr;

  static constexpr std::size_t kMostEvents = 16384;
};

}  // namespace unshade::draw
