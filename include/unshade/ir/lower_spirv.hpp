// Lowers modules of SPIR-V to the IR.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/stage.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::ir {

struct SpirvOptions {
  std::string_view entry{};   ///< empty: the first of `stage`. Of several of one name, which their stages tell apart: `main:vertex`
  Stage stage = Stage::none;  ///< none, or one without an entry point: the first of any
  bool keep_copies = false;   ///< Builder::keep_copies(), of what takes composites apart and makes them
  /// Functions that are called stay functions, if their parameters and results are numbers or truth values, or such in vectors, matrices,
  /// arrays and structures, and if none ends the invocation; others are inlined. passes::inline_calls() makes one of them.
  bool keep_calls = false;
};

/// Lowers an entry point of Vulkan's stages. Functions are inlined into their callers, unless they are kept; specialization constants have
/// their defaults. A binding is a resource of that register in the space of its set; a combined image sampler is two of one binding; push
/// constants are a constant buffer in space 0xffffffff. Errors: missing without that entry point; unsupported, by the name of what cannot
/// be lowered; bad_value for ids without a value; limit. Offsets are those of the instruction.
Result<Module> lower(const spirv::Module& module, const SpirvOptions& options = {});

/// An entry point's name with its stage, which tells apart those of one name: `main:vertex`.
std::string name_with_stage(std::string_view name, Stage stage);

/// Of the modules of one program, each with entry points of its own, the one that has the entry point. Errors: missing; bad_value, if
/// several entry points have the name.
Result<std::size_t> module_of_entry(std::span<const spirv::Module> modules, const SpirvOptions& options);

/// What reads a built-in input of SPIR-V, `VertexIndex`, in a stage; nothing of what is an element of a signature, or unknown.
std::optional<Builtin> builtin_of_spirv(std::string_view built_in, Stage stage);

}  // namespace unshade::ir
