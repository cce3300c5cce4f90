#include <unshade/shader/code.hpp>

#include <string_view>
#include <utility>

#include <unshade/core/text.hpp>

#include "shader/capability/opcodes.hpp"

namespace unshade::shader {

namespace {

Error without_code(const Shader& shader) { return {ErrorCode::missing, shader.file.file_offset(), "file", "the file has no program"}; }

}  // namespace

Result<std::vector<std::byte>> code_bytes(const Shader& shader) {
  const capability::OpcodesRow& row = capability::opcodes_row(shader.family);
  if (row.code_bytes == nullptr) return without_code(shader);
  return row.code_bytes(shader);
}

Result<std::vector<std::uint32_t>> opcodes(const Shader& shader) {
  const capability::OpcodesRow& row = capability::opcodes_row(shader.family);
  if (row.opcodes == nullptr) return without_code(shader);
  return row.opcodes(shader);
}

Result<std::uint64_t> instruction_count(const Shader& shader) {
  const capability::OpcodesRow& row = capability::opcodes_row(shader.family);
  if (row.count_instructions != nullptr) return row.count_instructions(shader);
  const auto all = opcodes(shader);
  if (!all) return all.error();
  return std::uint64_t{all->size()};
}

std::string opcode_text(Family family, std::uint32_t opcode) {
  const capability::OpcodesRow& row = capability::opcodes_row(family);
  std::string text = row.opcode_text == nullptr ? std::string() : row.opcode_text(opcode);
  if (!text.empty()) return text;
  Text unknown;
  unknown << "unknown(0x";
  unknown.hex(opcode) << ')';
  return unknown.str();
}

std::vector<std::string> opcodes_listed_as(Family family, std::string_view pattern) {
  const capability::OpcodesRow& row = capability::opcodes_row(family);
  return row.opcodes_listed_as == nullptr ? std::vector<std::string>() : row.opcodes_listed_as(pattern);
}

}  // namespace unshade::shader
