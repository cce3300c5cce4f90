#include <unshade/shader/lower.hpp>

#include "shader/family/family.hpp"

namespace unshade::shader {

Result<ir::Module> lower(const Shader& shader, const LowerOptions& options) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.lower != nullptr) return row.lower(shader, options);
  return Error{ErrorCode::unsupported, shader.file.file_offset(), "file",
               "files of the family " + std::string(id(shader.family)) + " cannot be lowered"};
}

Result<std::vector<std::string>> instruction_lines(const Shader& shader, std::string_view function) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.instruction_lines != nullptr) return row.instruction_lines(shader, function);
  return Error{ErrorCode::unsupported, shader.file.file_offset(), "file",
               "files of the family " + std::string(id(shader.family)) + " cannot be lowered"};
}

}  // namespace unshade::shader
