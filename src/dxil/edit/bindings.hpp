// Ranges of registers that move: of modules, PSV0 and RDAT alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include <unshade/dxil/edit.hpp>

namespace unshade::dxil::edit {

struct PlacedRange {
  ResourceClass resource_class = ResourceClass::invalid;
  std::uint32_t space = 0;
  std::uint32_t lower = 0;
  std::uint32_t upper = 0;  ///< inclusive; 0xffffffff: unbounded
  bool moved = false;
};

/// The change that moves a range; how many there are if none does.
std::size_t find_change(std::span<const BindingChange> changes, const PlacedRange& range);
/// False if it would end beyond the last register.
bool move(PlacedRange& range, const BindingChange& change);
/// Of a range that has moved with any other.
std::optional<Error> find_overlap(std::vector<PlacedRange> ranges);
Error beyond_registers();

}  // namespace unshade::dxil::edit
