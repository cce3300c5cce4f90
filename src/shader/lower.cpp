#include <unshade/ir/verify.hpp>
#include <unshade/shader/lower.hpp>

#include "shader/family/family.hpp"

namespace unshade::shader {

Result<ir::Module> lower(const Shader& shader, const LowerOptions& options) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.lower != nullptr) {
    auto module = row.lower(shader, options);
    if (!module) return module;
    // what the program breaks of its own rules shows as a module that breaks those of the IR
    for (const Diagnostic& finding : ir::findings_of(*module)) {
      return Error{ErrorCode::bad_value, shader.file.file_offset(), finding.path,
                   "the program cannot be lowered: " + std::string(finding.rule->id) + ": " + finding.message};
    }
    return module;
  }
  return Error{ErrorCode::unsupported, shader.file.file_offset(), "file",
               "files of the family " + std::string(id(shader.family)) + " cannot be lowered"};
}

Result<std::vector<std::string>> instruction_lines(const Shader& shader, std::string_view function) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.instruction_lines != nullptr) return row.instruction_lines(shader, function);
  return Error{ErrorCode::unsupported, shader.file.file_offset(), "file",
               "files of the family " + std::string(id(shader.family)) + " cannot be lowered"};
}

Result<SteppedLines> stepped_lines(const Shader& shader, std::string_view function) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.stepped_lines != nullptr) return row.stepped_lines(shader, function);
  auto lines = instruction_lines(shader, function);
  if (!lines) return std::move(lines).error();
  return SteppedLines{std::string(function), *std::move(lines)};
}

Result<SourceLines> source_lines(const Shader& shader, std::string_view function) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.source_lines != nullptr) return row.source_lines(shader, function);
  return Error{ErrorCode::missing, shader.file.file_offset(), "file",
               "files of the family " + std::string(id(shader.family)) + " have no lines of sources"};
}

}  // namespace unshade::shader
