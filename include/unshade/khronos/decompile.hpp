// SPIR-V as text in a shading language, by SPIRV-Cross. Optional: built if that library is found.
#pragma once

#include <string>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/khronos/languages.hpp>
#include <unshade/khronos/validate.hpp>

namespace unshade::khronos {

/// How modules are validated for it: layouts are no matter, since the text states them, or says that it cannot.
inline constexpr ValidationOptions kDecompileValidation{.scalar_block_layout = true};

/// The text. The module is validated first, since SPIRV-Cross may crash for one that is not valid. Errors: bad_value, with the validator's
/// or SPIRV-Cross' message, or for an unknown version; missing if there is no such entry point; unsupported if the language cannot say
/// what the module does; limit, for a module beyond our limits. Some modules within them take SPIRV-Cross long all the same: if that
/// matters, call it in a process that can be ended.
Result<std::string> decompile(View module, const DecompileOptions& options = {});

}  // namespace unshade::khronos
