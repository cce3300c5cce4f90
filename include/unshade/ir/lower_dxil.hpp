// Lowers modules of DXIL to the IR.
#pragma once

#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::ir {

struct DxilOptions {
  std::string_view entry{};  ///< empty: the first
  bool keep_copies = false;  ///< Builder::keep_copies(), of what takes composites apart and makes them
  bool keep_calls = false;   ///< functions that are called stay functions; passes::inline_calls() makes one of them
};

/// Lowers an entry point. Types of minimum precision (half and i16, unless the module says that they are native) are f32 and i32 with the
/// flag `relaxed`. Calls are inlined, unless they are kept.
/// Errors: missing without a program or that entry; unsupported, by the name of what cannot be lowered (ray tracing, work graphs,
/// linear algebra, recursion); limit. Offsets are those of the instruction's record in the bitcode.
Result<Module> lower(const dxil::Module& module, const DxilOptions& options = {});

}  // namespace unshade::ir
