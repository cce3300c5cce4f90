#include "pica/usage.hpp"

#include <utility>

namespace unshade::pica {

namespace {

constexpr std::uint8_t kAll = 0xf;

/// Of a descriptor's mask, whose bit 3 is x.
std::uint8_t turned(std::uint32_t mask) {
  return static_cast<std::uint8_t>((mask >> 3 & 1) | (mask >> 1 & 2) | (mask << 1 & 4) | (mask << 3 & 8));
}

void note(Usage& usage, const Instruction& i, const Descriptor* d) {
  const OpcodeInfo& row = info(i.opcode);
  const int wide = wide_source(row.format);
  for (unsigned operand = 0; operand < source_count(row.format); ++operand) {
    const std::uint8_t source = i.source[operand];
    if (source < kInputs) {
      usage.inputs[source] = static_cast<std::uint8_t>(usage.inputs[source] | read_mask(i, d, operand));
    } else if (source >= kSourceConstants) {
      const bool is_indexed = wide == static_cast<int>(operand) && i.index != Index::none;
      (is_indexed ? usage.bases : usage.constants).set(source - kSourceConstants);
    }
  }
  if (has_destination(row.format) && i.opcode != Opcode::mova && i.destination < kOutputs)
    usage.outputs[i.destination] = static_cast<std::uint8_t>(usage.outputs[i.destination] | write_mask(i, d));
  for (const char letter : row.shape) {
    if (letter == 'b' || letter == 'n') usage.booleans = static_cast<std::uint16_t>(usage.booleans | 1U << i.uniform);
    if (letter == 'i') usage.integers = static_cast<std::uint16_t>(usage.integers | 1U << i.uniform);
  }
  usage.emits |= i.opcode == Opcode::emit;
  usage.sets_emit |= i.opcode == Opcode::setemit;
}

}  // namespace

std::uint8_t write_mask(const Instruction& i, const Descriptor* d) {
  if (!has_destination(format_of(i.opcode))) return 0;
  return d == nullptr ? kAll : turned(descriptor::kMask.get(d->bits));
}

std::uint8_t read_mask(const Instruction& i, const Descriptor* d, unsigned operand) {
  if (d == nullptr) return kAll;
  std::uint8_t places = kAll;
  switch (info(i.opcode).lanes) {
    case Lanes::none: places = 0; break;
    case Lanes::each: places = write_mask(i, d); break;
    case Lanes::one: places = 1; break;
    case Lanes::two: places = i.opcode == Opcode::mova ? write_mask(i, d) & 3 : 3; break;
    case Lanes::three: places = 7; break;
    case Lanes::four: break;
    case Lanes::head: places = operand == 0 ? 7 : kAll; break;
  }
  const std::uint32_t selectors = descriptor::kSelectors[operand].get(d->bits);
  std::uint8_t mask = 0;
  for (unsigned place = 0; place < 4; ++place)
    if ((places >> place & 1) != 0) mask = static_cast<std::uint8_t>(mask | 1U << descriptor::selector(selectors, place));
  return mask;
}

Usage usage_of(const std::vector<std::uint32_t>& code, const std::vector<Descriptor>& descriptors, std::uint32_t entry) {
  Usage usage;
  usage.reached.assign(code.size(), false);
  struct Path {
    std::size_t at;
    std::size_t end;  ///< of the procedure; code after it is the caller's business
  };
  std::vector<Path> paths{{entry, code.size() + 1}};
  while (!paths.empty()) {
    auto [at, end] = paths.back();
    paths.pop_back();
    for (; at < end; ++at) {
      if (at >= code.size()) {
        usage.runs_off = true;
        break;
      }
      if (usage.reached[at]) break;
      usage.reached[at] = true;
      const Instruction i = decode(code[at]);
      note(usage, i, i.descriptor < descriptors.size() ? &descriptors[i.descriptor] : nullptr);
      const Flow flow = info(i.opcode).flow;
      if (flow == Flow::stop) break;
      if (flow == Flow::call) paths.push_back({i.target, std::size_t{i.target} + i.count});
      if (flow == Flow::jump) paths.push_back({i.target, end});
      if (flow == Flow::block) paths.push_back({std::size_t{i.target} + (i.opcode == Opcode::for_ ? 1 : 0), end});
    }
  }
  return usage;
}

}  // namespace unshade::pica
