// Edits of files of the families.
#pragma once

#include <span>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxil/source_info.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::capability {

struct EditRow {
  Family family = Family::unknown;
  Result<Edited> (*strip)(const Shader& shader, const Strip& options) = nullptr;
  Result<Edited> (*rename)(const Shader& shader, std::span<const Rename> renames) = nullptr;
  Result<Edited> (*rebind)(const Shader& shader, std::span<const Rebind> rebinds) = nullptr;
  Result<Edited> (*sign)(const Shader& shader, Sign how, bool hash) = nullptr;
  Result<Edited> (*change_parts)(const Shader& shader, std::span<const PartChange> changes) = nullptr;
  Result<Edited> (*restore_definitions)(const Shader& shader, View definitions) = nullptr;
  Result<Edited> (*make_definitions)(const Shader& shader) = nullptr;
  Result<Edited> (*embed_sources)(const Shader& shader, std::span<const dxil::SourceText> files, dxil::Inflate inflate,
                                  dxil::Deflate deflate) = nullptr;
  const char* holds_no_sources = "";  ///< why no sources can be put into a file
};

const EditRow& edit_row(Family family);

}  // namespace unshade::shader::capability
