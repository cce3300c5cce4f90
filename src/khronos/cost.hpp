// What a module would cost in the libraries of Khronos, which follow shared types, calls and names again and again.
#pragma once

#include <optional>

#include <unshade/core/result.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::khronos {

/// The first instruction by which a module grows beyond what SPIRV-Tools and SPIRV-Cross get through in a few seconds, as an error of the
/// code `limit`: types or constants that expand, or nest deeply; calls that expand, or nest deeply; equal names; nested constructs;
/// decoration groups. Time and memory are linear in the module.
std::optional<Error> find_excess(const spirv::Module& module);

}  // namespace unshade::khronos
