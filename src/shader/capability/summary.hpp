// What outline() tells of files of the families.
#pragma once

#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::capability {

struct SummaryRow {
  Family family = Family::unknown;
  void (*summarize)(const Shader& shader, Summary& summary) = nullptr;
};

const SummaryRow& summary_row(Family family);

}  // namespace unshade::shader::capability
