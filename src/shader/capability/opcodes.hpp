// The code of a file as bytes and as opcodes. See code_bytes(), opcodes(), opcode_text() and opcodes_listed_as().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::capability {

struct OpcodesRow {
  Family family = Family::unknown;
  Result<std::vector<std::byte>> (*code_bytes)(const Shader& shader) = nullptr;
  Result<std::vector<std::uint32_t>> (*opcodes)(const Shader& shader) = nullptr;
  /// Gives an empty text for what is in no table.
  std::string (*opcode_text)(std::uint32_t opcode) = nullptr;
  /// Null: texts are listed as they are.
  std::vector<std::string> (*opcodes_listed_as)(std::string_view pattern) = nullptr;
  /// Where that is not the number of opcodes().
  Result<std::uint64_t> (*count_instructions)(const Shader& shader) = nullptr;
};

const OpcodesRow& opcodes_row(Family family);

}  // namespace unshade::shader::capability
