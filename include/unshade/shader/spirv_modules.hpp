// The SPIR-V modules inside a file.
#pragma once

#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

struct ModuleBytes {
  std::string_view stage;  ///< `vertex`, `fragment`, if the file says which; else empty
  View bytes;              ///< the module, in the file's bytes
  /// Whose rules the file has its modules keep, as spirv-val calls it; empty if it does not tell. And whether blocks may be scalar.
  std::string_view environment{};
  bool has_scalar_blocks = false;
};

/// The module that a file is, or those in it in their order. Errors: missing if the family has none; those of the family's parser.
Result<std::vector<ModuleBytes>> modules_of(const Shader& shader);

}  // namespace unshade::shader
