// The order in which runs that nobody watches execute the operations of a block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vm/prepare/operations.hpp"
#include "vm/prepare/select.hpp"

namespace unshade::vm {

struct ScheduleRequest {
  const ir::Module& module;
  const ir::Function& function;
  const Selection& selection;
  std::span<const std::uint32_t> uses;  ///< count_uses()
};

/// Orders lists of operations, each the preamble or what a block executes, so that those of one kernel follow each other and are one step,
/// and marks where steps begin. An operation stands after those that make its operands; accesses keep their order. Between the first
/// operation that is not yet done and one that is taken before it are less than kScheduleReach others, so that not too many values live at
/// once. Sums that add to the result of the operation before them are marked.
void schedule(const ScheduleRequest& request, Operations& operations);

inline constexpr std::uint32_t kScheduleReach = 128;

}  // namespace unshade::vm
