#include "vm/prepare/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vm/access.hpp"
#include "vm/kernel_list.hpp"

namespace unshade::vm {
namespace {

using ir::kNone;

class Scheduling {
 public:
  Scheduling(Program::Data& data, const std::vector<bool>& in_preamble)
      : data_(data), in_preamble_(in_preamble), uses_(data.function->insts.size()), writer_(data.slots, kNone), readers_(data.slots) {
    const ir::Function& function = *data.function;
    for (ir::Id id = 0; id < function.insts.size(); ++id) {
      if (function.block_of[id] == kNone) continue;
      const auto operands = function.operands_of(id);
      for (std::size_t at = 0; at < operands.size(); ++at) {
        if (!ir::is_block_operand(function.insts[id].op, at)) ++uses_[operands[at]];
      }
    }
  }

  void run() {
    of_sums_ = kernel_number(ir::Op::fmad, ir::Type::f32, ir::Type::f32);
    std::vector<std::uint32_t> codes;
    for (std::uint32_t at = 0; at < data_.code.size(); ++at) {
      if (in_preamble_[data_.origin[at]]) codes.push_back(at);
    }
    order(codes);
    data_.preamble_steps = static_cast<std::uint32_t>(data_.steps.size());
    for (BlockCode& block : data_.blocks) {
      codes.clear();
      for (std::uint32_t at = block.first; at < block.first + block.count; ++at) {
        if (!in_preamble_[data_.origin[at]]) codes.push_back(at);
      }
      block.first_step = static_cast<std::uint32_t>(data_.steps.size());
      order(codes);
      block.step_count = static_cast<std::uint32_t>(data_.steps.size()) - block.first_step;
    }
  }

 private:
  using Waiting = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;

  void depends(std::uint32_t later, std::uint32_t earlier) {
    if (earlier == kNone || earlier == later) return;
    followers_[earlier].push_back(later);
    ++missing_[later];
  }

  void reads(std::uint32_t at, std::uint32_t slot) {
    depends(at, writer_[slot]);
    readers_[slot].push_back(at);
  }

  void writes(std::uint32_t at, std::uint32_t slot) {
    depends(at, writer_[slot]);
    for (const std::uint32_t reader : readers_[slot]) depends(at, reader);
    readers_[slot].clear();
    writer_[slot] = at;
  }

  bool is(std::uint32_t code, ir::Op op) const {
    const ir::Inst& inst = data_.function->insts[data_.origin[code]];
    return data_.code[code].kernel < kKernelRows.size() && inst.op == op && inst.type == ir::Type::f32;
  }

  ir::Op op_of(std::uint32_t code) const { return data_.function->insts[data_.origin[code]].op; }

  // The results of a code's lanes of 4 bytes.
  bool writes_slot(std::uint32_t code, std::uint16_t slot) const {
    CodeSlots slots;
    find_slots(data_, code, slots);
    return slot >= slots.first_result && slot < slots.first_result + slots.result_words;
  }

  // The kernel that does an operation of f32 together with the one that alone needs its result.
  std::uint16_t kernel_of_pair(ir::Op first, ir::Op second, bool on_right) const {
    if (first == ir::Op::fmul && second == ir::Op::fadd) return of_sums_;
    const std::size_t number = pair_number(first, second, on_right);
    return number == kKernelCount ? kNoKernel : static_cast<std::uint16_t>(number);
  }

  static constexpr std::size_t kReach = 96;  // codes between the two of a pair, which must leave the first's operands alone

  bool keeps_operands(std::span<const std::uint32_t> between, const Code& first) const {
    return std::ranges::none_of(between, [&](std::uint32_t one) { return writes_slot(one, first.a) || writes_slot(one, first.b); });
  }

  // Makes one instruction of each operation whose result one other alone needs, and of that. Takes away the codes of the first ones.
  template <class IsFirst, class IsSecond>
  void fuse(std::vector<std::uint32_t>& codes, const IsFirst& is_first, const IsSecond& is_second) {
    std::unordered_map<ir::Id, std::size_t> firsts;  // by value: where in `codes`
    std::vector<bool> taken(codes.size());
    for (std::size_t at = 0; at < codes.size(); ++at) {
      if (fused_.contains(codes[at])) continue;
      const ir::Id id = data_.origin[codes[at]];
      const auto operands = data_.function->operands_of(id);
      bool is_pair = false;
      for (unsigned side = 0; side < 2 && !is_pair && is_second(codes[at]); ++side) {
        const auto found = firsts.find(operands[side]);
        if (found == firsts.end() || at - found->second > kReach) continue;
        const std::uint32_t number = codes[found->second];
        const Code& first = data_.code[number];
        const std::uint16_t kernel = kernel_of_pair(op_of(number), op_of(codes[at]), side == 1);
        if (kernel == kNoKernel || !keeps_operands(std::span(codes).subspan(found->second + 1, at - found->second - 1), first)) continue;
        const Code& second = data_.code[codes[at]];
        fused_[codes[at]] = {{kernel, second.d, first.a, first.b, side == 0 ? second.b : second.a}, operands[1 - side]};
        taken[found->second] = true;
        is_pair = true;
      }
      if (!is_pair && is_first(codes[at]) && uses_[id] == 1) firsts.emplace(id, at);
    }
    std::size_t kept = 0;
    for (std::size_t at = 0; at < codes.size(); ++at)
      if (!taken[at]) codes[kept++] = codes[at];
    codes.resize(kept);
  }

  // Sums of products first: sums that follow each other stay in a register.
  void fuse_pairs(std::vector<std::uint32_t>& codes) {
    if (of_sums_ == kNoKernel) return;
    using ir::Op;
    fuse(codes, [&](std::uint32_t code) { return is(code, Op::fmul); }, [&](std::uint32_t code) { return is(code, Op::fadd); });
    const auto is_short = [&](std::uint32_t code) { return is(code, Op::fadd) || is(code, Op::fsub) || is(code, Op::fmul); };
    fuse(codes, is_short, [&](std::uint32_t code) { return is_short(code) || is(code, Op::fmin) || is(code, Op::fmax); });
  }

  const Code& code_of(std::uint32_t number) const {
    const auto found = fused_.find(number);
    return found == fused_.end() ? data_.code[number] : found->second.code;
  }
  // Of an operation that adds up.
  ir::Id addend_of(std::uint32_t number) const {
    const auto found = fused_.find(number);
    return found == fused_.end() ? data_.function->operands_of(data_.origin[number])[2] : found->second.addend;
  }

  // What must run before what: by number in `codes`.
  void find_dependences(const std::vector<std::uint32_t>& codes) {
    followers_.assign(codes.size(), {});
    missing_.assign(codes.size(), 0);
    std::vector<std::uint32_t> touched;
    std::uint32_t access = kNone;
    for (std::uint32_t at = 0; at < codes.size(); ++at) {
      CodeSlots slots;
      find_slots(data_, codes[at], slots);
      const ir::Id id = data_.origin[codes[at]];
      const auto operands = data_.function->operands_of(id);
      if (const auto fused = fused_.find(codes[at]); fused != fused_.end()) {
        const Code& code = fused->second.code;
        for (const std::uint16_t slot : {code.a, code.b, code.c}) {
          reads(at, slot);
          touched.push_back(slot);
        }
        slots.operands = {};
      }
      for (std::size_t k = 0; k < slots.operands.size(); ++k) {
        const bool wide = ir::lane_bytes(ir::result_type(*data_.function, operands[k])) == 8;
        for (unsigned word = 0; word < (wide ? 2U : 1U); ++word) {
          reads(at, slots.operands[k] + word);
          touched.push_back(slots.operands[k] + word);
        }
      }
      for (unsigned word = 0; word < slots.result_words; ++word) {
        writes(at, slots.first_result + word);
        touched.push_back(slots.first_result + word);
      }
      if (const std::uint16_t group = group_of(codes[at]); group == kAccess || group == kOutputs) {
        depends(at, access);
        access = at;
      }
    }
    for (const std::uint32_t slot : touched) {
      writer_[slot] = kNone;
      readers_[slot].clear();
    }
  }

  /// Instructions that one step may hold: those of a kernel, or these. Inputs depend on nothing.
  static constexpr std::uint16_t kInputs = kAccess - 1, kOutputs = kAccess - 2;
  static_assert(kKernelCount < kOutputs);
  std::uint16_t group_of(std::uint32_t code) const {
    const Code& one = code_of(code);
    if (one.kernel != kAccess) return one.kernel;
    const Access& access = data_.accesses[one.extra];
    return access.component == kNone ? kAccess : access.op == ir::Op::input ? kInputs : kOutputs;
  }

  // Adds a code to a step of its group: the last one, if it may be longer.
  void add(std::uint32_t number, std::uint16_t group, bool again) {
    const Code& code = code_of(number);
    const auto begin = [&](Step::Kind kind, std::size_t first, Kernel kernel = nullptr) {
      if (!again) data_.steps.push_back({kernel, kind, static_cast<std::uint32_t>(first), 0});
      ++data_.steps.back().count;
    };
    const auto transfer = [&](Step::Kind kind) {
      begin(kind, data_.transfers.size());
      const Access& access = data_.accesses[code.extra];
      data_.transfers.push_back({access.component, kind == Step::Kind::inputs ? access.first_result : access.operands.back(), code.extra});
    };
    switch (group) {
      case kAccess: data_.steps.push_back({nullptr, Step::Kind::access, code.extra, 1}); break;
      case kInputs: transfer(Step::Kind::inputs); break;
      case kOutputs: transfer(Step::Kind::outputs); break;
      default:
        begin(Step::Kind::kernel, data_.scheduled.size(), data_.kernels[code.kernel]);
        data_.scheduled.push_back(code);
        if (again) join_sum(data_.origin[last_], number);
        last_ = number;
        break;
    }
  }

  // The last two instructions of a step: if the second adds to what the first gives, that stays in a register.
  void join_sum(ir::Id first_id, std::uint32_t number) {
    Code& second = data_.scheduled.back();
    Code& first = data_.scheduled[data_.scheduled.size() - 2];
    if (second.kernel >= kKernelRows.size() || !adds_up(kKernelRows[second.kernel].op) || second.c != first.d) return;
    second.more |= kFromLast;
    const bool is_the_use = uses_[first_id] == 1 && addend_of(number) == first_id;
    if (is_the_use) first.more |= kDropped;
  }

  // Of what can run: the same group again, else inputs, else an access, else the kernel of which most can run, and outputs last.
  void order(std::vector<std::uint32_t>& codes) {
    fuse_pairs(codes);
    find_dependences(codes);
    std::map<std::uint16_t, Waiting> ready;
    const auto make_ready = [&](std::uint32_t at) { ready[group_of(codes[at])].push(at); };
    for (std::uint32_t at = 0; at < codes.size(); ++at) {
      if (missing_[at] == 0) make_ready(at);
    }
    const auto rank = [](const auto& one) -> std::size_t {
      switch (one.first) {
        case kInputs: return ~std::size_t{0};
        case kAccess: return ~std::size_t{0} - 1;
        case kOutputs: return 0;
        default: return one.second.size();
      }
    };
    while (!ready.empty()) {
      const auto group = std::ranges::max_element(ready, {}, rank);
      for (bool again = false; !group->second.empty(); again = true) {
        const std::uint32_t at = group->second.top();
        group->second.pop();
        add(codes[at], group->first, again);
        for (const std::uint32_t follower : followers_[at]) {
          if (--missing_[follower] == 0) make_ready(follower);
        }
      }
      ready.erase(group);
    }
  }

  Program::Data& data_;
  const std::vector<bool>& in_preamble_;
  std::vector<std::uint32_t> uses_;  // of each value
  /// Two operations in one instruction, in the place of the second.
  struct Fused {
    Code code;
    ir::Id addend;  ///< the operand that the first does not give
  };
  std::map<std::uint32_t, Fused> fused_;             // by the number of the second
  std::uint16_t of_sums_ = kNoKernel;                // the kernel of fmad
  std::uint32_t last_ = kNone;                       // the number of the last of `scheduled`
  std::vector<std::uint32_t> writer_;                // of each slot, among those before
  std::vector<std::vector<std::uint32_t>> readers_;  // since then
  std::vector<std::vector<std::uint32_t>> followers_;
  std::vector<std::uint32_t> missing_;
};

}  // namespace

void find_slots(const Program::Data& program, std::uint32_t at, CodeSlots& slots) {
  const ir::Function& function = *program.function;
  const ir::Id id = program.origin[at];
  const Code& code = program.code[at];
  if (code.kernel == kAccess) {
    const Access& access = program.accesses[code.extra];
    slots.operands = access.operands;
    slots.first_result = access.first_result;
  } else {
    slots.inline_operands = {code.a, code.b, code.c, code.more, static_cast<std::uint16_t>(code.extra)};
    slots.operands = std::span(slots.inline_operands).first(std::min<std::size_t>(function.operands_of(id).size(), 5));
    slots.first_result = code.d;
  }
  slots.result_words = 0;
  for (unsigned member = 0; member < function.insts[id].results; ++member)
    slots.result_words += ir::lane_bytes(ir::result_type(function, id, member)) == 8 ? 2 : 1;
}

void schedule(Program::Data& data, const std::vector<bool>& in_preamble) { Scheduling(data, in_preamble).run(); }

}  // namespace unshade::vm
