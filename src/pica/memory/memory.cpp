#include <unshade/pica/memory.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <unshade/pica/instruction.hpp>
#include <unshade/pica/usage.hpp>

namespace unshade::pica {

namespace {

constexpr std::uint32_t kSemantic = 0x1f;  // of the byte of a component
constexpr std::uint32_t kNoSemantic = 0x1f;

/// The outputs that have components among the semantics: the first one's number, and how many.
struct Semantics {
  Output output;
  std::uint32_t first;
  std::uint32_t count;
};
constexpr Semantics kSemantics[] = {
    {Output::position, 0, 4},   {Output::normal_quaternion, 4, 4}, {Output::color, 8, 4}, {Output::texcoord0, 12, 2},
    {Output::texcoord1, 14, 2}, {Output::texcoord0_w, 16, 1},      {Output::view, 18, 3}, {Output::texcoord2, 22, 2},
};

const Semantics* semantics_of(std::uint32_t semantic) {
  const auto* const found =
      std::find_if(std::begin(kSemantics), std::end(kSemantics), [&](const Semantics& row) { return semantic - row.first < row.count; });
  return found != std::end(kSemantics) ? found : nullptr;
}

/// Adds what the components of a register mean. Those that a record cannot state (in another order, or of unknown semantics) become
/// generic.
void add_outputs(Table<OutputRecord>& outputs, std::uint16_t register_index, std::uint32_t map) {
  std::uint16_t generic = 0;
  for (unsigned component = 0; component < 4;) {
    const std::uint32_t semantic = map >> (8 * component) & kSemantic;
    const Semantics* const row = semantics_of(semantic);
    unsigned run = 1;
    if (row == nullptr || semantic != row->first) {
      if (semantic != kNoSemantic) generic = static_cast<std::uint16_t>(generic | 1U << component);
    } else {
      while (component + run < 4 && run < row->count && (map >> (8 * (component + run)) & kSemantic) == semantic + run) ++run;
      const auto mask = static_cast<std::uint16_t>(((1U << run) - 1) << component);
      outputs.items.push_back({row->output, register_index, mask, 0});
    }
    component += run;
  }
  if (generic != 0) outputs.items.push_back({Output::generic, register_index, generic, 0});
}

/// The highest address that an instruction may name, and the word after it.
std::size_t reach_of(const Instruction& i) {
  const OpcodeInfo& row = info(i.opcode);
  if (row.opens_block()) return i.whole_block_end();
  if (row.flow == Flow::call) return i.end();
  return row.flow == Flow::jump ? i.target + std::size_t{1} : 0;
}

}  // namespace

// read: libctru's DVLE_GenerateOutmap
unsigned component_count(Output output) {
  const auto* const found = std::ranges::find(kSemantics, output, &Semantics::output);
  return found != std::end(kSemantics) ? found->count : 4;
}

unsigned meant_mask(const OutputRecord& record) {
  unsigned meant = 0;
  unsigned left = component_count(record.type);
  for (unsigned bit = 1; bit <= 8 && left != 0; bit <<= 1) {
    if ((record.mask & bit) == 0) continue;
    meant |= bit;
    --left;
  }
  return meant;
}

Result<Shbin> shbin_of_memory(std::span<const std::uint32_t> words, std::span<const std::uint32_t> descriptors,
                              std::span<const MemoryEntry> entries) {
  const std::vector<std::uint32_t> code(words.begin(), words.end());
  std::vector<Descriptor> table;
  table.reserve(descriptors.size());
  for (const std::uint32_t bits : descriptors) table.push_back({bits, 0});
  Shbin shbin;
  std::size_t code_words = 0;
  std::size_t descriptor_count = 0;
  for (const MemoryEntry& entry : entries) {
    if (entry.entry_words >= code.size())
      return Error{ErrorCode::out_of_range,
                   0,
                   {},
                   "entry point " + std::to_string(entry.entry_words) + " of " + std::to_string(code.size()) + " words"};
    const Usage usage = usage_of(code, table, entry.entry_words);
    Executable executable;
    executable.entry_words = entry.entry_words;
    executable.output_mask = entry.output_mask;
    for (std::size_t at = 0; at < code.size(); ++at) {
      if (!usage.reached[at]) continue;
      const Instruction i = decode(code[at]);
      code_words = std::max({code_words, at + 1, std::min(reach_of(i), code.size())});
      if (has_descriptor(info(i.opcode).format)) descriptor_count = std::max<std::size_t>(descriptor_count, i.descriptor + std::size_t{1});
      const bool ends = info(i.opcode).flow == Flow::stop && at >= entry.entry_words;
      if (ends && executable.end_words == 0) executable.end_words = static_cast<std::uint32_t>(at + 1);
    }
    for (std::size_t i = 0; i < usage.inputs.size(); ++i)
      if (usage.inputs[i] != 0) executable.input_mask = static_cast<std::uint16_t>(executable.input_mask | 1U << i);
    std::size_t next = 0;
    for (std::uint16_t i = 0; i < kOutputs; ++i) {
      if ((entry.output_mask >> i & 1) == 0) continue;
      const std::size_t at = next++;
      if (at < std::min<std::size_t>(entry.output_count, kMappedOutputs)) add_outputs(executable.outputs, i, entry.output_maps[at]);
    }
    shbin.executables.push_back(std::move(executable));
  }
  for (Executable& executable : shbin.executables)
    if (executable.end_words == 0) executable.end_words = static_cast<std::uint32_t>(code_words);
  shbin.program.code.items.assign(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(code_words));
  table.resize(std::min(descriptor_count, table.size()));
  shbin.program.descriptors.items = std::move(table);
  return shbin;
}

}  // namespace unshade::pica
