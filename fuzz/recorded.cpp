#include "fuzz/recorded.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/ir/numeric/convert.hpp>
#include <unshade/ir/types.hpp>
#include <unshade/texel/memory.hpp>
#include <unshade/vm/machine.hpp>

#include "fuzz/properties.hpp"
#include "vm/kernel_list.hpp"
#include "vm/program.hpp"
#include "vm/recorded/record.hpp"

namespace unshade::fuzz {

namespace {

namespace numeric = ir::numeric;
using ir::Type;

// Two slots for each operand, and eight for results.
constexpr unsigned kOperandSlots[] = {2, 4, 6, 8, 0};
constexpr unsigned kResultSlot = 16;
constexpr unsigned kSlots = 24;

struct Signature {
  std::string_view operands, results;
  Type type, from;

  explicit Signature(std::size_t number) {
    const bool is_pair = number >= vm::kKernelRows.size();
    const vm::KernelRow row = is_pair ? vm::KernelRow{ir::Op::fmad, Type::f32, Type::f32} : vm::kKernelRows[number];
    operands = ir::info(row.op).operands;
    results = ir::info(row.op).results;
    type = row.type;
    from = row.from;
  }
  Type type_of(char letter) const {
    switch (letter) {
      case 'b': return Type::b1;
      case 'i': return Type::i32;
      case 'f': return Type::f32;
      case 'u': return from;
      default: return type;
    }
  }
};

std::uint64_t in_lane(Type type, std::uint64_t word) {
  switch (type) {
    case Type::b1: return (word & 1) != 0 ? 0xffff'ffff : 0;
    case Type::f24: {
      const numeric::U32<1> bits(static_cast<std::uint32_t>(word));
      return std::bit_cast<std::uint32_t>(numeric::from_memory_bits<Type::f24>(bits).lane(0));
    }
    default: return texel::from_memory(type, lane_bytes(type) == 8 ? word : word & 0xffff'ffff);
  }
}

/// The results of a kernel, lane by lane, of operands in lanes that stand as evaluate() takes them.
std::vector<std::uint64_t> run_kernel(vm::Kernel kernel, const Signature& signature, vm::Code code, std::span<const std::uint64_t> operands,
                                      std::size_t wave) {
  std::vector<std::uint64_t> made(signature.results.size() * kRecordedLanes);
  std::vector<std::byte> slots(kSlots * wave * 4);
  const auto at = [&](unsigned slot, std::size_t lane, Type type) { return slots.data() + slot * wave * 4 + lane * lane_bytes(type); };
  for (std::size_t first = 0; first < kRecordedLanes; first += wave) {
    for (std::size_t k = 0; k < signature.operands.size(); ++k) {
      const Type type = signature.type_of(signature.operands[k]);
      for (std::size_t lane = 0; lane < wave; ++lane)
        std::memcpy(at(kOperandSlots[k], lane, type), &operands[k * kRecordedLanes + first + lane], lane_bytes(type));
    }
    kernel(&code, 1, slots.data(), 1);
    unsigned slot = kResultSlot;
    for (std::size_t k = 0; k < signature.results.size(); ++k) {
      const Type type = signature.type_of(signature.results[k]);
      for (std::size_t lane = 0; lane < wave; ++lane)
        std::memcpy(&made[k * kRecordedLanes + first + lane], at(slot, lane, type), lane_bytes(type));
      slot += lane_bytes(type) / 4;
    }
  }
  return made;
}

}  // namespace

std::string fault_of_recording(std::size_t number, std::uint32_t extra, bool flushes, std::span<const std::uint64_t> words) {
  const Signature signature(number);
  std::vector<std::uint64_t> operands(signature.operands.size() * kRecordedLanes);
  for (std::size_t at = 0; at < operands.size(); ++at)
    operands[at] = in_lane(signature.type_of(signature.operands[at / kRecordedLanes]), at < words.size() ? words[at] : 0);
  const bool is_sum = number < vm::kKernelRows.size() && vm::adds_up(vm::kKernelRows[number].op);
  const vm::Code code{.d = kResultSlot,
                      .a = kOperandSlots[0],
                      .b = kOperandSlots[1],
                      .c = kOperandSlots[2],
                      .more = is_sum ? std::uint16_t{0} : std::uint16_t{kOperandSlots[3]},
                      .extra = extra};

  std::vector<std::uint64_t> expected;
  std::string fault;
  const auto compare = [&](std::string_view which, std::span<const std::uint64_t> made) {
    const auto differs = std::ranges::mismatch(made, expected).in1;
    if (!fault.empty() || differs == made.end()) return;
    const auto at = static_cast<std::size_t>(differs - made.begin());
    Text text;
    text << vm::kernel_name(number) << (flushes ? ", flushing: " : ": ") << which << " gives ";
    text.hex(made[at]) << ", not ";
    text.hex(expected[at]) << " of";
    for (std::size_t k = 0; k < signature.operands.size(); ++k) {
      text << ' ';
      text.hex(operands[k * kRecordedLanes + at % kRecordedLanes]);
    }
    fault = text.str();
  };
  const auto by_kernel = [&](const vm::Kernel* kernels, std::size_t wave) {
    const vm::FlushMode mode(flushes);
    return run_kernel(kernels[number], signature, code, operands, wave);
  };
  expected = by_kernel(vm::narrow_kernels(flushes), vm::kNarrow);
  for (const vm::Isa isa : vm::available_isas()) compare(vm::id(isa), by_kernel(vm::kernels_of(isa, flushes), vm::kChunk));

  const auto compare_recording = [&](std::string_view which, vm::Flushing flushing, bool mode_flushes) {
    const auto made = vm::record_kernel(number, extra, flushing);
    const vm::FlushMode mode(mode_flushes && !made->keeps_denormals);
    for (const auto nans : {ir::recorded::Nans::of_processor, ir::recorded::Nans::others})
      compare(which, ir::recorded::evaluate(made->recording, operands, kRecordedLanes, nans));
  };
#if defined(__SSE2__) && defined(__GNUC__)
  constexpr bool kHasMode = true;
#else
  constexpr bool kHasMode = false;
#endif
  if (kHasMode || !flushes) compare_recording("its recording", vm::Flushing::by_mode, flushes);
  if (flushes) compare_recording("its recording with rules that flush", vm::Flushing::by_rules, false);
  return fault;
}

std::string recording(View file) {
  std::size_t at = 0;
  const auto next = [&] { return at < file.size() ? std::to_integer<std::uint32_t>(file.bytes()[at++]) : 0U; };
  const std::size_t number = (next() | next() << 8) % vm::kKernelCount;
  const std::uint32_t choice = next();
  if (!vm::record_kernel(number, 0, vm::Flushing::by_mode)) return {};
  const std::uint32_t extra = vm::extra_of_kernel(number, choice >> 1);
  std::vector<std::uint64_t> words(std::size(kOperandSlots) * kRecordedLanes);
  for (std::uint64_t& word : words) {
    for (unsigned byte = 0; byte < 8; ++byte) word |= std::uint64_t{next()} << (8 * byte);
  }
  return fault_of_recording(number, extra, (choice & 1) != 0, words);
}

}  // namespace unshade::fuzz
