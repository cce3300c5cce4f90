#include "shader/family/dxil.hpp"

#include <variant>

#include <unshade/dxil/parts.hpp>

namespace unshade::shader::family {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;

dxil::ModuleSource source_of(const Shader& shader) {
  return {[](const void* self, View bitcode) { return static_cast<const Shader*>(self)->module(bitcode); }, &shader};
}

Result<View> program_bitcode(const Shader& shader, bool listed) {
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) return bitcode->bytes;
  const Container& container = *shader.container();
  const Part* const part =
      listed ? container.find_any({fourcc("ILDB"), fourcc("DXIL")}) : container.find_any({fourcc("DXIL"), fourcc("ILDB")});
  if (part == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the container has no bitcode"};
  const auto program = dxil::parse_program(*part);
  if (!program) return program.error();
  return program->bitcode;
}

}  // namespace unshade::shader::family
