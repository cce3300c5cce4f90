// Puts SPIR-V modules together to a file, its tables made from what the modules show.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/vbc/file.hpp>

namespace unshade::vbc {

/// What the modules do not tell: whatever no stage uses is not in them, nor is the order of bindings. If both say something, they have
/// to agree.
struct PackOptions {
  std::optional<TableSizes> tables;  ///< sizes of tables that no stage has; the defaults else
  std::vector<Variable> inputs;
  std::vector<Variable> outputs;
  std::vector<Binding> bindings;   ///< come first, in this order; their stage masks are added to those of the modules
  std::optional<Uniform> uniform;  ///< its names are taken, its stage mask is added
  std::vector<SubpassInput> subpass_inputs;
};

/// What the modules of another file would not tell, from its tables.
PackOptions options_like(File file);

/// Each module goes to the stage of its entry point. Bindings are found by the slots that index the tables, and are in the order of
/// slots. Errors: bad_value (path `stages[0]`, `bindings[2]`: two modules of a stage, or tables that contradict each other), limit (a
/// module of more than 65535 words), missing (a table is indexed by what is no slot, and no bindings were given), unsupported (a big-endian
/// module).
Result<File> pack(std::span<const View> modules, const PackOptions& options = {});

}  // namespace unshade::vbc
