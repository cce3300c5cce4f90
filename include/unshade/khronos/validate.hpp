// SPIR-V checked by Khronos' own validator, SPIRV-Tools. Optional: built if that library is found.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/view.hpp>

namespace unshade::khronos {

struct ValidationOptions {
  std::string_view environment = "spv1.6";  ///< what the module is for, as spirv-val --target-env names it: `vulkan1.2`
  bool scalar_block_layout = false;         ///< as VK_EXT_scalar_block_layout allows
  bool relax_block_layout = false;          ///< as VK_KHR_relaxed_block_layout allows
};

/// Whether there is an environment of that name.
bool is_environment(std::string_view name);

/// A module that SPIRV-Tools, which has no limits of its own, would not get through in a few seconds.
inline constexpr Rule kLimit{
    "khronos.limit", Severity::error,
    "A module must be simple enough for SPIRV-Tools: see docs/reference/cli.md, \"Limits for Khronos' libraries\"."};

/// What the linked SPIRV-Tools cannot judge since it is older.
inline constexpr Rule kNewer{"khronos.newer", Severity::note,
                             "What a module uses should be known to SPIRV-Tools: what is newer is checked by unshade's own rules alone."};

/// The rules under which the validator's messages are reported.
std::span<const Rule* const> validation_rules();

/// What SPIRV-Tools has to say of a module: its messages, at the instruction that each concerns. It stops at the first error. Empty if
/// the module is valid. Of a module with opcodes, enumerants or extensions that this grammar has and the linked SPIRV-Tools does not know,
/// a finding of kNewer names them: it is given to the validator only if extensions are all, and what that finds are warnings. Enumerants of
/// debug instructions are not given to it. A module beyond our limits (kLimit) is not given to it. Some modules within them take it long
/// all the same: if that matters, call it in a process that can be ended.
std::vector<Diagnostic> validate_module(View module, const ValidationOptions& options = {});

}  // namespace unshade::khronos
