#include "shader/capability/opcodes.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/core/spelling.hpp>
#include <unshade/dxbc/effect.hpp>
#include <unshade/dxbc/instruction_lines.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/program/counts.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/operations.hpp>
#include <unshade/dxil/program/call.hpp>
#include <unshade/dxil/query.hpp>
#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/shader/code.hpp>
#include <unshade/shader/spirv_modules.hpp>
#include <unshade/spirv/edit.hpp>
#include <unshade/spirv/grammar.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>

#include "shader/capability/modules.hpp"
#include "shader/family/dxil.hpp"
#include "shader/family/family.hpp"

namespace unshade::shader::capability {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

/// The parts that are code, or of a container without any the program that stands for it.
Result<std::vector<std::byte>> container_code(const Shader& shader) {
  const dxcontainer::Container& container = *shader.container();
  std::vector<std::byte> code;
  const auto add = [&](const dxcontainer::Part& part) { code.insert(code.end(), part.data.bytes().begin(), part.data.bytes().end()); };
  for (const dxcontainer::Part& part : container.parts) {
    const dxcontainer::PartKind* const kind = dxcontainer::find_part_kind(part.fourcc);
    if (kind != nullptr && kind->meaning == dxcontainer::PartMeaning::code) add(part);
  }
  for (const dxcontainer::PartRole role : {dxcontainer::PartRole::module, dxcontainer::PartRole::level9})
    if (const dxcontainer::Part* const part = code.empty() ? container.find(role) : nullptr) add(*part);
  if (code.empty()) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the container has no program"};
  return code;
}

/// The table of Direct3D 9 in the numbers of opcodes.
constexpr std::uint32_t kLevel9Opcodes = 0x10000;

Result<std::vector<std::uint32_t>> dxbc_opcodes(const Shader& shader) {
  const dxcontainer::Container& container = *shader.container();
  std::vector<std::uint32_t> opcodes;
  if (const Part* const code = container.find(dxcontainer::PartRole::tokens)) {
    const auto program = dxbc::parse_program(*code);
    if (!program) return program.error();
    dxbc::Decoder decoder(*program);
    dxbc::Instruction instruction;
    while (!decoder.at_end()) {
      if (!decoder.next(instruction)) return decoder.error();
      if (instruction.info == nullptr || instruction.info->counted != dxbc::Counted::dcl) opcodes.push_back(instruction.code);
    }
    return opcodes;
  }
  const Part* const part = container.find(dxcontainer::PartRole::level9);
  if (part == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the container has no program"};
  const auto level9 = dxbc::parse_level9(*part);
  if (!level9) return level9.error();
  dxbc::sm2::Cursor cursor(level9->program);
  dxbc::sm2::Instruction instruction;
  while (cursor.next(instruction)) {
    const bool is_declaration = instruction.info != nullptr && (instruction.info->declares() || instruction.info->defines());
    if (!instruction.is_comment() && !is_declaration) opcodes.push_back(kLevel9Opcodes | instruction.code());
  }
  return opcodes;
}

/// As fxc counts, also where it states no count. An effect has what its shaders have.
Result<std::uint64_t> count_dxbc_instructions(const Shader& shader) {
  const dxcontainer::Container& container = *shader.container();
  if (const Part* const code = container.find(dxcontainer::PartRole::tokens)) {
    const auto program = dxbc::parse_program(*code);
    if (!program) return program.error();
    dxbc::Decoder decoder(*program);
    dxbc::Instruction instruction;
    dxbc::Statistics counted;
    dxbc::program::ArithmeticCounts arithmetic;
    std::uint64_t unknown = 0;
    while (!decoder.at_end()) {
      if (!decoder.next(instruction)) return decoder.error();
      if (instruction.info == nullptr) {
        ++unknown;
      } else {
        dxbc::program::count_instruction(instruction, counted, arithmetic);
      }
    }
    return counted.instruction_count + unknown;
  }
  if (const Part* const part = container.find(fourcc("FX10"))) {
    const auto effect = dxbc::parse_effect(*part);
    if (!effect) return effect.error();
    const std::vector<dxbc::EffectShaderPlace> shaders = dxbc::shaders_of(*effect);
    if (shaders.empty()) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the effect has no shaders"};
    std::uint64_t all = 0;
    for (const dxbc::EffectShaderPlace& place : shaders) {
      const auto opened = open(place.bytes);
      if (!opened) return opened.error();
      if (opened->container() != nullptr && opened->container()->find(fourcc("FX10")) != nullptr)
        return Error{ErrorCode::bad_value, place.bytes.file_offset(), place.name, "expected a shader, found an effect"};
      const auto count = instruction_count(*opened);
      if (!count) return count.error();
      all += *count;
    }
    return all;
  }
  const auto level9 = dxbc_opcodes(shader);
  if (!level9) return level9.error();
  return std::uint64_t{level9->size()};
}

std::string dxbc_opcode_text(std::uint32_t opcode) {
  if (opcode >= kLevel9Opcodes) {
    const dxbc::sm2::OpcodeInfo* const info = dxbc::sm2::find_opcode(opcode & 0xffff);
    return info != nullptr ? std::string(info->text) : std::string();
  }
  const dxbc::OpcodeInfo* const info = dxbc::find_opcode(opcode);
  return info != nullptr ? std::string(info->text) : std::string();
}

std::vector<std::string> dxbc_opcodes_listed_as(std::string_view pattern) {
  pattern = pattern.substr(0, pattern.find('('));
  std::vector<std::string> texts;
  const auto add = [&](std::string_view text, const std::vector<std::string>& spellings) {
    if (std::any_of(spellings.begin(), spellings.end(), [&](const std::string& one) { return fits_pattern(one, pattern); }))
      texts.emplace_back(text);
  };
  for (std::uint32_t code = 0; code < dxbc::opcode_table().size(); ++code) add(dxbc::opcode_table()[code].text, dxbc::mnemonics_of(code));
  constexpr std::uint32_t kLevel9Codes = 0x100;
  for (std::uint32_t code = 0; code < kLevel9Codes; ++code)
    if (const dxbc::sm2::OpcodeInfo* const info = dxbc::sm2::find_opcode(code)) add(info->text, dxbc::sm2::mnemonics_of(*info));
  return texts;
}

Result<std::vector<std::byte>> dxil_code(const Shader& shader) {
  const auto* const bitcode = std::get_if<Bitcode>(&shader.content);
  if (bitcode == nullptr) return container_code(shader);
  return std::vector<std::byte>(bitcode->bytes.bytes().begin(), bitcode->bytes.bytes().end());
}

/// The operations of DXIL in the numbers of opcodes.
constexpr std::uint32_t kOperationOpcodes = 0x10000;

const char* const kOperationPrefix = "dx.op.";

Result<std::vector<std::uint32_t>> dxil_opcodes(const Shader& shader) {
  const auto bitcode = family::program_bitcode(shader);
  if (!bitcode) return bitcode.error();
  const auto parsed = shader.module(*bitcode);
  if (!parsed) return parsed.error();
  const dxil::Module& module = **parsed;
  const dxil::ModuleQuery query{module};
  std::vector<std::uint32_t> opcodes;
  for (const dxil::Body& body : module.bodies) {
    for (std::uint32_t i = 0; i < body.instructions.count; ++i) {
      const dxil::Instruction& instruction = module.instructions[body.instructions.first + i];
      const auto operation = dxil::opcode_of(query, body, instruction);
      opcodes.push_back(operation ? kOperationOpcodes | (*operation & 0xffff) : static_cast<std::uint32_t>(instruction.opcode));
    }
  }
  return opcodes;
}

std::string dxil_opcode_text(std::uint32_t opcode) {
  if (opcode >= kOperationOpcodes) {
    const dxil::OperationInfo* const info = dxil::find_operation(opcode & 0xffff);
    return info != nullptr ? kOperationPrefix + std::string(info->text) : std::string();
  }
  return opcode < static_cast<std::uint32_t>(dxil::Opcode::invalid) ? std::string(text(static_cast<dxil::Opcode>(opcode))) : std::string();
}

// The call names the function, which several operations share, and its overload; the comment after it the operation.
std::vector<std::string> dxil_opcodes_listed_as(std::string_view pattern) {
  const std::string_view prefix = kOperationPrefix;
  if (pattern.starts_with('@')) pattern.remove_prefix(1);
  pattern = pattern.substr(0, pattern.find('('));
  if (pattern.starts_with(prefix)) pattern = pattern.substr(0, pattern.find('.', prefix.size()));
  std::vector<std::string> texts;
  for (const dxil::OperationInfo& info : dxil::operations())
    if (fits_pattern(kOperationPrefix + std::string(info.function), pattern) || fits_pattern(info.text, pattern))
      texts.push_back(kOperationPrefix + std::string(info.text));
  return texts;
}

Result<std::vector<std::byte>> pica_code(const Shader& shader) {
  std::vector<std::byte> bytes;
  const auto add = [&](const auto& code, const auto& descriptors) {
    append_all_little_endian<std::uint32_t>(bytes, code);
    for (const pica::Descriptor& descriptor : descriptors) append_little_endian(bytes, descriptor.bits);
  };
  if (const auto* const object = std::get_if<pica::Object>(&shader.content)) {
    add(object->code, object->descriptors);
  } else {
    const auto& shbin = std::get<pica::Shbin>(shader.content);
    add(shbin.program.code, shbin.program.descriptors);
  }
  return bytes;
}

Result<std::vector<std::uint32_t>> pica_opcodes(const Shader& shader) {
  const auto* const object = std::get_if<pica::Object>(&shader.content);
  const auto& code = object != nullptr ? object->code : std::get<pica::Shbin>(shader.content).program.code;
  std::vector<std::uint32_t> opcodes;
  opcodes.reserve(code.size());
  for (const std::uint32_t word : code) opcodes.push_back(static_cast<std::uint32_t>(pica::decode(word).opcode));
  return opcodes;
}

std::string pica_opcode_text(std::uint32_t opcode) {
  return opcode < static_cast<std::uint32_t>(pica::Opcode::unknown) ? std::string(pica::info(static_cast<pica::Opcode>(opcode)).text)
                                                                    : std::string();
}

/// Calls `visit(module)` with each module of a file, stripped of debug information and reflection.
template <class Visit>
Result<void> for_each_stripped(const Shader& shader, Visit visit) {
  const auto modules = all_modules(shader);
  if (!modules) return modules.error();
  for (const ModuleBytes& bytes : *modules) {
    const auto module = spirv::parse(bytes.bytes);
    if (!module) return module.error();
    const std::vector<std::byte> stripped = spirv::strip(*module, {.debug = true, .reflection = true});
    visit(*spirv::parse(View(stripped)));
  }
  return {};
}

/// The table of instructions of an extended set in the numbers of opcodes.
constexpr std::uint32_t extended_opcode(spirv::ExtendedSet set, std::uint32_t number) {
  return (static_cast<std::uint32_t>(set) + 1) << 16 | (number & 0xffff);
}

Result<std::vector<std::byte>> spirv_code(const Shader& shader) {
  std::vector<std::byte> code;
  auto done = for_each_stripped(shader, [&](const spirv::Module& module) {
    const auto words = module.bytes().bytes().subspan(spirv::kHeaderBytes);
    code.insert(code.end(), words.begin(), words.end());
  });
  if (!done) return std::move(done).error();
  return code;
}

Result<std::vector<std::uint32_t>> spirv_opcodes(const Shader& shader) {
  std::vector<std::uint32_t> opcodes;
  auto done = for_each_stripped(shader, [&](const spirv::Module& module) {
    const spirv::IdTable ids(module);
    bool in_functions = false;
    for (const spirv::Instruction instruction : module) {
      in_functions = in_functions || instruction.opcode() == spirv::Opcode::function;
      if (!in_functions) continue;
      const bool is_extended = spirv::is_extended(instruction.opcode());
      opcodes.push_back(is_extended ? extended_opcode(ids.set(instruction.word(3)), instruction.word(4))
                                    : static_cast<std::uint32_t>(instruction.opcode()));
    }
  });
  if (!done) return std::move(done).error();
  return opcodes;
}

std::string spirv_opcode_text(std::uint32_t opcode) {
  if (opcode >> 16 == 0) {
    const spirv::OpcodeInfo* const info = spirv::find_opcode(opcode);
    return info != nullptr ? std::string(info->text) : std::string();
  }
  const spirv::ExtendedInfo* const info = spirv::find_extended(static_cast<spirv::ExtendedSet>((opcode >> 16) - 1), opcode & 0xffff);
  return info != nullptr ? std::string(info->text) : std::string();
}

constexpr OpcodesRow kOpcodes[] = {
    {Family::dxbc, container_code, dxbc_opcodes, dxbc_opcode_text, dxbc_opcodes_listed_as, count_dxbc_instructions},
    {Family::dxil, dxil_code, dxil_opcodes, dxil_opcode_text, dxil_opcodes_listed_as},
    {Family::pica, pica_code, pica_opcodes, pica_opcode_text},
    {Family::spirv, spirv_code, spirv_opcodes, spirv_opcode_text},
    {Family::vbc, spirv_code, spirv_opcodes, spirv_opcode_text},
};

}  // namespace

const OpcodesRow& opcodes_row(Family family) { return family::find_row(kOpcodes, family); }

}  // namespace unshade::shader::capability
