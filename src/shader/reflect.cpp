#include <unshade/shader/reflection.hpp>

#include <string>

#include "shader/capability/reflection.hpp"

namespace unshade::shader {

Result<Reflection> reflect(const Shader& shader) {
  const capability::ReflectionRow& row = capability::reflection_row(shader.family);
  if (row.reflect == nullptr)
    return Error{ErrorCode::unsupported, shader.file.file_offset(), "file",
                 "reflections of the family " + std::string(id(shader.family)) + " are not supported"};
  auto reflection = row.reflect(shader);
  if (reflection) reflection->family = shader.family;
  return reflection;
}

}  // namespace unshade::shader
