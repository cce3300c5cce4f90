// Other names in VBC files: in the tables and in the SPIR-V of the stages together.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/spirv/edit_names.hpp>
#include <unshade/vbc/file.hpp>

namespace unshade::vbc {

/// Renames in every stage that has the name: inputs are those of the vertex stage, outputs those of the fragment stage, variables the
/// uniform's members, which are in the tables too. If one fails, the file is not changed. Returns notes.
/// Errors: missing if neither tables nor stages have the name; unsupported for nodes, and for entry points, which Vega calls `main`; limit,
/// for a stage of more than 65535 words; those of spirv::rename.
Result<std::vector<std::string>> rename(File& file, std::span<const Rename> renames);

}  // namespace unshade::vbc
