// SPIRV-Tools and SPIRV-Cross in a child process with limits.
#pragma once

#include <string>
#include <vector>

#include <unshade/khronos/decompile.hpp>
#include <unshade/khronos/validate.hpp>

#include "cli/process/child.hpp"

namespace unshade::cli {

/// Whether this command was built with them. Without, nothing is found, and nothing can be decompiled by them (unsupported).
bool has_khronos();

/// khronos::validate_module; a finding of khronos::kLimit if a limit was reached.
std::vector<Diagnostic> validate_in_child(View module, const khronos::ValidationOptions& options, const ChildLimits& limits);
/// khronos::decompile; an error of the code limit if a limit was reached.
Result<std::string> decompile_in_child(View module, const khronos::DecompileOptions& options, const ChildLimits& limits);

}  // namespace unshade::cli
