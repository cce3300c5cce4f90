// A module's words in the order of this machine, as the libraries of Khronos want them.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/spirv/module.hpp>

namespace unshade::khronos {

std::vector<std::uint32_t> words_of(const spirv::Module& module);

}  // namespace unshade::khronos
