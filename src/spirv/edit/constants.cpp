// Specialization constants with other values: their literals and opcodes. src: SPIR-V specification, 2.12 "Specialization"
#include <algorithm>
#include <unordered_map>

#include <unshade/spirv/edit.hpp>
#include <unshade/spirv/word_writer.hpp>

namespace unshade::spirv {

std::vector<std::byte> specialize(const Module& module, std::span<const SpecializedConstant> values) {
  std::unordered_map<std::uint32_t, std::uint64_t> bits;  // by id
  for (const Instruction i : module) {
    if (i.opcode() != Opcode::decorate || static_cast<Decoration>(i.word(2)) != Decoration::spec_id) continue;
    const auto value = std::ranges::find(values, i.word(3), &SpecializedConstant::spec_id);
    if (value != values.end()) bits.emplace(i.word(1), value->bits);
  }
  WordWriter out(module);
  for (const Instruction i : module) {
    const Opcode opcode = i.opcode();
    const bool is_truth = opcode == Opcode::spec_constant_true || opcode == Opcode::spec_constant_false;
    const auto found = is_truth || opcode == Opcode::spec_constant ? bits.find(i.word(2)) : bits.end();
    if (found == bits.end()) {
      out.copy(i);
      continue;
    }
    out.put_head(is_truth ? (found->second != 0 ? Opcode::spec_constant_true : Opcode::spec_constant_false) : opcode, i.word_count());
    out.put(i.word(1));
    out.put(i.word(2));
    for (std::uint32_t word = 3; word < i.word_count(); ++word)
      out.put(word < 5 ? static_cast<std::uint32_t>(found->second >> (32 * (word - 3))) : i.word(word));
  }
  return out.take();
}

}  // namespace unshade::spirv
