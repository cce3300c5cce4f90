// What of a module the SPIRV-Tools that is linked cannot know, since it is newer: the library itself is asked, by its parser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <spirv-tools/libspirv.h>

#include <unshade/spirv/module.hpp>

namespace unshade::khronos {

/// `2023.1`
std::string tools_version();

/// A module as SPIRV-Tools gets it.
struct Known {
  std::vector<std::uint32_t> words;         ///< without the instructions that are newer than the library
  std::vector<std::uint32_t> first_words;   ///< of each instruction of `words`, in the module
  std::vector<std::string> newer;           ///< opcodes and enumerants that the grammar has and the library does not know, each once
  std::vector<std::string> extensions;      ///< what OpExtension names, likewise
  std::size_t more = 0;                     ///< how many more instructions are newer
  std::uint32_t first_newer = 0xffff'ffff;  ///< place of the first of them among the module's instructions

  bool is_whole() const { return newer.empty() && extensions.empty(); }
};

/// Enumerants of debug instructions that the library does not know are 0 in the words: they have no meaning that a validator needs.
Known known_part(const spirv::Module& module, spv_target_env environment);

}  // namespace unshade::khronos
