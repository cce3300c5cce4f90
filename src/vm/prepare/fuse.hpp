// Two operations of f32 in one: a pass over a list of operations, which a compiler whose values stay in registers may skip.
#pragma once

#include <cstdint>
#include <span>

#include "vm/prepare/operations.hpp"

namespace unshade::vm {

/// Makes one operation of each whose result one other of its list alone needs, and of that, in the place of the second. It rounds twice
/// too: fmad, or a Pair. `uses`: count_uses() of the function.
void fuse_pairs(const ir::Function& function, std::span<const std::uint32_t> uses, Operations& operations);

}  // namespace unshade::vm
