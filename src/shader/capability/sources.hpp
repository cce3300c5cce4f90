// Sources that files of the families carry, and the lines of instructions in them.
#pragma once

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/dxil/source_info.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/source_files.hpp>

namespace unshade::shader::capability {

struct SourcesRow {
  Family family = Family::unknown;
  Result<Sources> (*sources)(const Shader& shader, dxil::Inflate inflate) = nullptr;
  /// Appends them, each below a comment with its name.
  Result<void> (*list)(const Shader& shader, Text& out, dxil::Inflate inflate) = nullptr;
  /// The lines of the instructions that are listed, with their offsets.
  Result<SourceLines> (*listed_lines)(const Shader& shader) = nullptr;
};

const SourcesRow& sources_row(Family family);

}  // namespace unshade::shader::capability
