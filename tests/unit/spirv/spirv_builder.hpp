// Modules for tests: words, or the text that is assembled.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/listing.hpp>
#include <unshade/spirv/module.hpp>

#include "support/files.hpp"

namespace unshade::test {

/// A header, version 1.0 and bound 100, and words behind it.
inline std::vector<std::byte> module_of(std::initializer_list<std::uint32_t> words, bool is_big_endian = false) {
  std::vector<std::uint32_t> all{spirv::kMagic, 0x10000, 0, 100, 0};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<std::byte> bytes;
  for (const std::uint32_t word : all)
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(word >> 8 * (is_big_endian ? 3 - i : i)));
  return bytes;
}

inline constexpr std::uint32_t head(unsigned opcode, unsigned words) { return words << 16 | opcode; }

inline std::vector<std::byte> assembled(std::string_view text, const spirv::AssemblerOptions& options = {}) {
  auto bytes = spirv::assemble(text, options);
  if (!bytes) {
    ADD_FAILURE() << to_string(bytes.error());
    return {};
  }
  return std::move(*bytes);
}

inline std::string listed(const std::vector<std::byte>& bytes, const spirv::ListingOptions& options = {}) {
  const auto module = spirv::parse(view_of(bytes));
  if (!module) return to_string(module.error());
  Text text;
  spirv::list_module(*module, text, options);
  return text.str();
}

/// Whether two modules are the same but for the numbers of their ids: an empty text, or where they part.
inline std::string difference_but_for_ids(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  const auto first = spirv::parse(view_of(a));
  const auto second = spirv::parse(view_of(b));
  if (!first || !second) return "not read";
  const spirv::IdTable first_ids(*first);
  const spirv::IdTable second_ids(*second);
  std::map<std::uint32_t, std::uint32_t> there;
  std::map<std::uint32_t, std::uint32_t> back;
  auto other = second->begin();
  std::vector<spirv::Operand> operands;
  for (const spirv::Instruction instruction : *first) {
    const auto shown = [&] {
      Text text;
      spirv::list_instruction(instruction, first_ids, text);
      return text.str();
    };
    if (other == second->end() || (*other).word(0) != instruction.word(0)) return shown();
    spirv::decode_operands(instruction, first_ids, operands);
    for (const spirv::Operand& operand : operands)
      for (std::uint32_t at = operand.word; at < operand.word + std::uint32_t{operand.words}; ++at) {
        const std::uint32_t x = instruction.word(at);
        const std::uint32_t y = (*other).word(at);
        const bool same =
            spirv::is_id(operand.kind) ? there.emplace(x, y).first->second == y && back.emplace(y, x).first->second == x : x == y;
        if (!same) return shown();
      }
    ++other;
  }
  return other == second->end() ? std::string() : "more instructions";
}

}  // namespace unshade::test
