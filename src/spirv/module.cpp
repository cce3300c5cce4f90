#include <unshade/spirv/module.hpp>

#include <algorithm>
#include <string>

#include <unshade/core/limits.hpp>
#include <unshade/core/text.hpp>

#include "spirv/grammar/operands.hpp"

namespace unshade::spirv {

namespace {

constexpr std::uint32_t swapped(std::uint32_t value) { return value << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24; }

Error error_at(ErrorCode code, View bytes, std::size_t offset, std::string path, std::string message) {
  return {code, bytes.file_offset() + offset, std::move(path), std::move(message)};
}

}  // namespace

bool is_module(View bytes) {
  const auto magic = bytes.u32(0);
  return magic && (*magic == kMagic || *magic == swapped(kMagic));
}

Result<Module> parse(View bytes) {
  if (bytes.size() < kHeaderBytes)
    return error_at(ErrorCode::truncated, bytes, 0, "header",
                    std::to_string(kHeaderBytes) + " bytes needed, " + std::to_string(bytes.size()) + " left");
  if (bytes.size() > limits::kFileBytes) return error_at(ErrorCode::limit, bytes, 0, "header", "the module is too large");
  if (!is_module(bytes))
    return error_at(ErrorCode::bad_magic, bytes, 0, "header/magic",
                    "expected " + hex32(kMagic) + ", found " + hex32(bytes.u32(0).value_or(0)));
  if (bytes.size() % 4 != 0)
    return error_at(ErrorCode::truncated, bytes, bytes.size() - bytes.size() % 4, "instructions",
                    std::to_string(bytes.size() % 4) + " bytes after the last whole word");
  Module module;
  module.bytes_ = bytes;
  module.is_big_endian_ = *bytes.u32(0) != kMagic;
  const auto word = [&](std::size_t index) {
    const auto value = bytes.load_unchecked<std::uint32_t>(4 * index);
    return module.is_big_endian_ ? swapped(value) : value;
  };
  module.header_ = {word(1), word(2), word(3), word(4)};
  const std::uint32_t end = module.word_count();
  std::uint32_t count = 0;
  for (std::uint32_t at = kHeaderWords; at < end; ++count) {
    const std::uint32_t words = word(at) >> 16;
    if (words == 0 || words > end - at) {
      return error_at(words == 0 ? ErrorCode::bad_value : ErrorCode::truncated, bytes, std::size_t{4} * at,
                      "instructions[" + std::to_string(count) + "]/word_count",
                      std::to_string(words) + " words stated, " + std::to_string(end - at) + " left");
    }
    at += words;
  }
  module.instruction_count_ = count;
  return module;
}

// Ids below a few for each word of the module are found at once: tools leave gaps, but no large ones in large modules.
IdTable::IdTable(const Module& module) : module_(&module), entries_(std::size_t{4} * module.word_count()) {
  entries_.reserve(module.header().bound);
  for (const Instruction instruction : module) {
    const OpcodeInfo* const info = instruction.info();
    if (info == nullptr) continue;
    if (!info->has_result) {
      if (instruction.word_count() <= 2) continue;
      if (instruction.opcode() == Opcode::name) {
        Entry& entry = entries_[instruction.word(1)];
        if (entry.name == 0) entry.name = instruction.first_word();
      } else if (instruction.opcode() == Opcode::decorate) {
        entries_[instruction.word(1)];
      }
      continue;
    }
    const std::uint32_t at = info->has_type ? 2 : 1;
    if (instruction.word_count() <= at) continue;
    Entry& entry = entries_[instruction.word(at)];
    if (entry.definition != 0) continue;
    entry.definition = instruction.first_word();
    if (info->has_type || instruction.opcode() == Opcode::label) continue;
    entry.number = grammar::number_type(instruction);
    if (instruction.opcode() == Opcode::ext_inst_import && grammar::string_words(instruction, 2) != 0) {
      std::string buffer;
      entry.set = find_set(literal_string(instruction, 2, buffer));
    }
  }
}

std::uint32_t IdTable::type_of(std::uint32_t id) const {
  const auto defined = definition(id);
  if (!defined) return 0;
  const OpcodeInfo* const info = defined->info();
  return info != nullptr && info->has_type ? defined->word(1) : 0;
}

std::optional<Instruction> IdTable::name(std::uint32_t id) const {
  const std::uint32_t word = entry(id).name;
  if (word == 0) return std::nullopt;
  return module_->at(word);
}

std::string_view literal_string(const Instruction& instruction, std::uint32_t word, std::string& buffer) {
  if (word >= instruction.word_count()) return {};
  const std::size_t most = std::size_t{4} * (instruction.word_count() - word);
  const auto* const from = reinterpret_cast<const char*>(instruction.data()) + std::size_t{4} * word;
  // Octets are from the low end of each word. src: SPIR-V specification, "Literal"
  if (!instruction.is_swapped() && std::endian::native == std::endian::little) {
    const auto* const end = static_cast<const char*>(std::memchr(from, 0, most));
    return {from, end != nullptr ? static_cast<std::size_t>(end - from) : most};
  }
  buffer.clear();
  for (std::uint32_t at = word; at < instruction.word_count(); ++at)
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>(instruction.word(at) >> shift & 0xff);
      if (c == 0) return buffer;
      buffer.push_back(c);
    }
  return buffer;
}

std::string literal_string(const Instruction& instruction, std::uint32_t word) {
  std::string buffer;
  return std::string(literal_string(instruction, word, buffer));
}

std::uint64_t literal_bits(const Instruction& instruction, const Operand& operand) {
  std::uint64_t bits = instruction.word(operand.word);
  if (operand.words > 1) bits |= std::uint64_t{instruction.word(operand.word + 1U)} << 32;
  return bits;
}

Decoded decode_operands(const Instruction& instruction, const IdTable& ids, std::vector<Operand>& operands) {
  operands.clear();
  return grammar::each_operand(instruction, instruction.info(), ids, [&](const Operand& operand) { operands.push_back(operand); });
}

}  // namespace unshade::spirv
