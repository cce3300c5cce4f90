#include <unshade/pica/usage.hpp>

#include <algorithm>
#include <utility>

namespace unshade::pica {

namespace {

/// Words that are looked at again because a longer path comes to them.
constexpr std::uint64_t kMostRepeats = 1U << 16;

void note(Usage& usage, const Instruction& i, const Descriptor* d) {
  const OpcodeInfo& row = info(i.opcode);
  const Operands operands = operands_of(i, d != nullptr ? &d->bits : nullptr);
  for (const SourceOperand& source : operands.all()) {
    if (source.is_input()) {
      usage.inputs[source.reg] = static_cast<std::uint8_t>(usage.inputs[source.reg] | source.read.bits());
    } else if (source.is_constant()) {
      (source.index != Index::none ? usage.bases : usage.constants).set(source.number());
    }
  }
  if (row.takes('d') && i.destination < kOutputs)
    usage.outputs[i.destination] = static_cast<std::uint8_t>(usage.outputs[i.destination] | operands.written.bits());
  for (const char letter : row.shape) {
    if (letter == 'b' || letter == 'n') usage.booleans = static_cast<std::uint16_t>(usage.booleans | 1U << i.uniform);
    if (letter == 'i') usage.integers = static_cast<std::uint16_t>(usage.integers | 1U << i.uniform);
  }
  usage.emits |= i.opcode == Opcode::emit;
  usage.sets_emit |= i.opcode == Opcode::setemit;
}

}  // namespace

std::bitset<kFloatConstants> indexed_constants(const Usage& usage, const Tables& tables) {
  std::bitset<kFloatConstants> found;
  std::bitset<kFloatConstants> bases = usage.bases;
  for (const Uniform& uniform : tables.uniforms) {
    if (bases.none()) break;
    if (uniform.first < kUniformConstants || uniform.last <= uniform.first) continue;
    const std::size_t first = uniform.first - kUniformConstants;
    const std::size_t end = std::min<std::size_t>(uniform.last + 1U - kUniformConstants, kFloatConstants);
    bool holds_base = false;
    for (std::size_t at = first; at < end; ++at) {
      holds_base = holds_base || bases.test(at);
      bases.reset(at);
    }
    for (std::size_t at = first; holds_base && at < end; ++at) found.set(at);
  }
  return bases.any() ? found.set() : found;
}

Usage usage_of(const std::vector<std::uint32_t>& code, const std::vector<Descriptor>& descriptors, std::uint32_t entry) {
  Usage usage;
  usage.reached.assign(code.size(), false);
  struct Path {
    std::size_t at;
    std::size_t end;  ///< of the procedure; code after it is the caller's business
  };
  std::vector<Path> paths{{entry, code.size() + 1}};
  // How far a path could go on from a word when it was last there: a longer one may reach more.
  std::vector<std::size_t> reach(code.size(), 0);
  std::uint64_t steps = 0;
  while (!paths.empty()) {
    auto [at, end] = paths.back();
    paths.pop_back();
    for (; at < end; ++at) {
      if (at >= code.size()) {
        usage.runs_off = true;
        break;
      }
      if (usage.reached[at] && (reach[at] >= end || ++steps > kMostRepeats)) break;
      usage.reached[at] = true;
      reach[at] = end;
      const Instruction i = decode(code[at]);
      note(usage, i, i.descriptor < descriptors.size() ? &descriptors[i.descriptor] : nullptr);
      const OpcodeInfo& row = info(i.opcode);
      if (row.flow == Flow::stop) break;
      if (row.flow == Flow::call) paths.push_back({i.target, i.end()});
      if (row.flow == Flow::jump) paths.push_back({i.target, end});
      if (row.opens_block()) paths.push_back({i.block_end(), end});
    }
  }
  return usage;
}

}  // namespace unshade::pica
