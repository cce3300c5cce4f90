#include <unshade/shader/lower.hpp>

#include <string>
#include <utility>

#include <unshade/ir/verify.hpp>

#include "shader/capability/run.hpp"

namespace unshade::shader {

Result<Validated<ir::Module>> lower(const Shader& shader, const LowerOptions& options) {
  const capability::RunRow& row = capability::run_row(shader.family);
  if (row.lower != nullptr) {
    auto module = row.lower(shader, options);
    if (!module) return std::move(module).error();
    // what the program breaks of its own rules shows as a module that breaks those of the IR
    auto outcome = ir::verify(*std::move(module));
    if (outcome.diagnostics().empty()) return *std::move(outcome).valid();
    const Diagnostic& finding = outcome.diagnostics().front();
    return Error{ErrorCode::bad_value, shader.file.file_offset(), finding.path,
                 "the program cannot be lowered: " + std::string(finding.rule->id) + ": " + finding.message};
  }
  return Error{ErrorCode::unsupported, shader.file.file_offset(), "file",
               "files of the family " + std::string(id(shader.family)) + " cannot be lowered"};
}

Result<std::vector<std::string>> instruction_lines(const Shader& shader, std::string_view function) {
  const capability::RunRow& row = capability::run_row(shader.family);
  if (row.instruction_lines != nullptr) return row.instruction_lines(shader, function);
  return Error{ErrorCode::unsupported, shader.file.file_offset(), "file",
               "files of the family " + std::string(id(shader.family)) + " cannot be lowered"};
}

Result<SteppedLines> stepped_lines(const Shader& shader, std::string_view function) {
  const capability::RunRow& row = capability::run_row(shader.family);
  if (row.stepped_lines != nullptr) return row.stepped_lines(shader, function);
  auto lines = instruction_lines(shader, function);
  if (!lines) return std::move(lines).error();
  return SteppedLines{std::string(function), *std::move(lines)};
}

Result<SourceLines> source_lines(const Shader& shader, std::string_view function) {
  const capability::RunRow& row = capability::run_row(shader.family);
  if (row.source_lines != nullptr) return row.source_lines(shader, function);
  return Error{ErrorCode::missing, shader.file.file_offset(), "file",
               "files of the family " + std::string(id(shader.family)) + " have no lines of sources"};
}

}  // namespace unshade::shader
