#include <unshade/shader/code.hpp>

#include <string_view>
#include <utility>

#include <unshade/core/text.hpp>

#include "shader/diff/plain.hpp"
#include "shader/family/family.hpp"

namespace unshade::shader {

namespace {

Error without_code(const Shader& shader) { return {ErrorCode::missing, shader.file.file_offset(), "file", "the file has no program"}; }

}  // namespace

Result<std::vector<std::byte>> code_bytes(const Shader& shader) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.code_bytes == nullptr) return without_code(shader);
  return row.code_bytes(shader);
}

Result<std::vector<std::uint32_t>> opcodes(const Shader& shader) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.opcodes == nullptr) return without_code(shader);
  return row.opcodes(shader);
}

Result<std::uint64_t> instruction_count(const Shader& shader) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.count_instructions != nullptr) return row.count_instructions(shader);
  const auto all = opcodes(shader);
  if (!all) return all.error();
  return std::uint64_t{all->size()};
}

std::string opcode_text(Family family, std::uint32_t opcode) {
  const family::FamilyRow& row = family::row_of(family);
  std::string text = row.opcode_text == nullptr ? std::string() : row.opcode_text(opcode);
  if (!text.empty()) return text;
  Text unknown;
  unknown << "unknown(0x";
  unknown.hex(opcode) << ')';
  return unknown.str();
}

std::vector<std::string> opcodes_listed_as(Family family, std::string_view pattern) {
  const family::FamilyRow& row = family::row_of(family);
  return row.opcodes_listed_as == nullptr ? std::vector<std::string>() : row.opcodes_listed_as(pattern);
}

Result<std::string> plain_code(const Shader& shader) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.code.list == nullptr) return without_code(shader);
  if (const auto code = code_bytes(shader); !code) return code.error();
  Text listing;
  const auto list = [&](const Shader& listed) {
    return (row.code.list_plainly != nullptr ? row.code.list_plainly : row.code.list)(listed, listing);
  };
  if (row.strip == nullptr || shader.container() != nullptr) {
    // code in containers is listed without what other parts say
    if (auto done = list(shader); !done) return std::move(done).error();
    return diff::plain_listing(row.code.syntax, listing.view());
  }
  Strip names;
  names.debug = names.reflection = names.names = true;
  const auto stripped = row.strip(shader, names);
  if (!stripped) return stripped.error();
  const auto opened = stripped->changed ? open(View(stripped->bytes)) : Result<Shader>(shader);
  if (!opened) return opened.error();
  if (auto done = list(*opened); !done) return std::move(done).error();
  return diff::plain_listing(row.code.syntax, listing.view());
}

}  // namespace unshade::shader
