// Changes to files. Each leaves what it is not about as it is, byte for byte; if one fails, the file is not changed at all.
#pragma once

#include <span>
#include <string_view>

#include <unshade/core/edit.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/spirv/edit.hpp>
#include <unshade/vbc/file.hpp>

namespace unshade::vbc {

/// Puts a module in the place of a stage's code, or of none. The tables stay: validate() says whether they agree.
/// Errors: those of spirv::parse, bad_value (no entry point of that stage), limit (more than 65535 words), unsupported (big-endian).
Result<void> replace_stage(File& file, Stage stage, View spirv);

/// Takes out of each stage what spirv::strip does, and with `names` the names of the uniform's members in the tables: they become empty.
Result<void> strip(File& file, const Strip& options);

/// Puts sources into each stage: one text of Vega's language is the source of all. Errors: those of spirv::parse and spirv::embed_sources;
/// limit if a stage would grow beyond 65535 words.
Result<void> embed_sources(File& file, std::span<const spirv::SourceText> sources);

using unshade::Rebind;

/// Gives bindings other slots, all at once: in the table, and in the code of the stages, which takes slots out of push constants. Errors:
/// those of spirv::parse; missing if no binding has a slot; bad_value if two would have one, beyond slot 31, or for a kind or set;
/// unsupported if the code chooses by something that is no slot; limit.
Result<void> rebind(File& file, std::span<const Rebind> changes);

/// Gives the descriptor tables other sizes: in the header, and as the lengths of the arrays in the SPIR-V.
/// Errors: those of spirv::parse; bad_value for a size of 0, or a table that shares its array type with another that is to differ; limit
/// if a stage would grow beyond 65535 words.
Result<void> set_table_sizes(File& file, const TableSizes& sizes);
/// Changes the sizes that a text names: `samplers=16,images=4`. Errors: bad_value.
Result<void> parse_table_sizes(std::string_view text, TableSizes& sizes);

}  // namespace unshade::vbc
