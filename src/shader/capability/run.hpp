// Programs in the IR, and what they are stepped through by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::capability {

struct RunRow {
  Family family = Family::unknown;
  /// What it makes is verified by the caller.
  Result<ir::Module> (*lower)(const Shader& shader, const LowerOptions& options) = nullptr;
  /// See instruction_lines().
  Result<std::vector<std::string>> (*instruction_lines)(const Shader& shader, std::string_view function) = nullptr;
  /// See stepped_lines(); null: what is stepped through is what runs.
  Result<SteppedLines> (*stepped_lines)(const Shader& shader, std::string_view function) = nullptr;
  /// See source_lines().
  Result<SourceLines> (*source_lines)(const Shader& shader, std::string_view function) = nullptr;
};

const RunRow& run_row(Family family);

}  // namespace unshade::shader::capability
