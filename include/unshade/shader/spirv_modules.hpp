// The SPIR-V modules inside a file.
#pragma once

#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/stage.hpp>
#include <unshade/core/view.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/spirv/module.hpp>

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

/// The module with an entry point. Errors: those of modules_of(); missing and bad_value, as lower() has them.
/// @param entry its name, as LowerOptions::entry; empty: the first of `stage`, of any if none has it
Result<spirv::Module> module_with_entry(const Shader& shader, std::string_view entry, Stage stage = Stage::none);

}  // namespace unshade::shader
