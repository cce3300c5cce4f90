// Validators of the families.
#pragma once

#include <unshade/core/findings.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::capability {

struct ValidationRow {
  Family family = Family::unknown;
  /// What breaks the rules, the family's and its containers', in any order. The file is claimed; it need not be opened.
  void (*validate)(const Shader& shader, Findings& findings) = nullptr;
};

const ValidationRow& validation_row(Family family);

}  // namespace unshade::shader::capability
