// The order of blocks.
#pragma once

#include <cstdint>
#include <span>

#include <unshade/ir/module.hpp>

namespace unshade::ir::passes {

/// Sets Function::order and Function::irreducible. `position` of each block: where it stood in the file; of blocks with the same position
/// the one of lower number is first.
void order_function(Function& function, std::span<const std::uint32_t> position);

}  // namespace unshade::ir::passes
