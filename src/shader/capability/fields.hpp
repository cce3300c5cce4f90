// The bytes of files by name.
#pragma once

#include <vector>

#include <unshade/core/tree.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::capability {

struct FieldsRow {
  Family family = Family::unknown;
  /// Names every byte as far as the file, which is claimed and need not be open, can be read; faults go to the tree. Gaps are filled by the
  /// caller with `regions`.
  void (*annotate)(Shader& shader, Tree& tree, std::vector<Tree::Region>& regions) = nullptr;
};

const FieldsRow& fields_row(Family family);

}  // namespace unshade::shader::capability
