// Slots in the code of a stage.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/spirv/module.hpp>

#include "vbc/stage_facts.hpp"

namespace unshade::vbc {

/// By slot: where it goes.
using SlotMap = std::array<std::uint8_t, kSlots>;

/// The stage with its reads of push constants at the new slots, and a block of `push_words` of them. Errors: unsupported if a table is
/// indexed by something that is no slot, or the block is not of the compiler's kind.
Result<std::vector<std::byte>> move_slots(Stage stage, const spirv::Module& module, const SlotMap& slots, std::uint32_t push_words);

}  // namespace unshade::vbc
