// The history of a pixel: for people and as JSON.
#pragma once

#include <optional>
#include <vector>

#include <unshade/suite/scene.hpp>

#include "cli/io/json.hpp"
#include "cli/io/printer.hpp"

namespace unshade::cli::print {

/// An event of the list of a target, and what its pixel shader executed.
struct TracedEvent {
  std::size_t number = 0;  ///< in the list, from 1
  std::vector<Value> steps;
};
/// Passes that draw into a target, each primitive at the pixel in its order; or one of them alone, with its trace.
void print_history(const suite::Drawn& drawn, std::size_t target, const draw::PixelPlace& place, const std::optional<TracedEvent>& traced,
                   Printer& out);
void write_history(const suite::Drawn& drawn, std::size_t target, const std::optional<TracedEvent>& traced, Json& json);

/// The pass and the event in it by the number in the list of a target.
struct EventPlace {
  std::size_t pass = 0, event = 0;
  bool has_run = false;  ///< the pixel shader
};
std::optional<EventPlace> find_event(const suite::Drawn& drawn, std::size_t target, std::size_t number);

}  // namespace unshade::cli::print
