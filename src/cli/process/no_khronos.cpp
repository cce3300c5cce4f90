// In place of khronos.cpp where the command is built without SPIRV-Tools and SPIRV-Cross.
#include "cli/process/khronos.hpp"

namespace unshade::cli {

bool has_khronos() { return false; }

std::vector<Diagnostic> validate_in_child(View, const khronos::ValidationOptions&, const ChildLimits&) { return {}; }

Result<std::string> decompile_in_child(View module, const khronos::DecompileOptions&, const ChildLimits&) {
  return Error{ErrorCode::unsupported, module.file_offset(), "module", "this command was built without SPIRV-Cross"};
}

}  // namespace unshade::cli
