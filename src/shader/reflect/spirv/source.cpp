// What a module of SPIR-V was made of, and by what.
#include <string>

#include <unshade/spirv/grammar.hpp>
#include <unshade/spirv/module.hpp>

#include "shader/reflect/spirv.hpp"

namespace unshade::shader::reflection {
namespace {

constexpr std::uint32_t kSlangLanguage = 11;
constexpr std::uint32_t kDxcGenerator = 14;  // "Google spiregg"

}  // namespace

std::string generator_name(const spirv::Header& header) {
  const std::string_view tool = spirv::generator_text(header.generator >> 16);
  return (tool.empty() ? "Unknown(" + std::to_string(header.generator >> 16) + ')' : std::string(tool)) + "; " +
         std::to_string(header.generator & 0xffff);
}

bool has_transposed_matrices(const spirv::Module& module) {
  for (const spirv::Instruction instruction : module) {
    if (instruction.opcode() == spirv::Opcode::function) break;
    if (instruction.opcode() != spirv::Opcode::source || instruction.word_count() < 2) continue;
    const std::uint32_t language = instruction.word(1);
    return language == static_cast<std::uint32_t>(spirv::SourceLanguage::hlsl) || language == kSlangLanguage;
  }
  // DXC compiles nothing else, and its modules are known by their header once OpSource is gone
  return module.header().generator >> 16 == kDxcGenerator;
}

}  // namespace unshade::shader::reflection
