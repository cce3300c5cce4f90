#include "vm/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <utility>

namespace unshade::vm {
namespace {

using ir::kNone;

class Scheduling {
 public:
  Scheduling(Program::Data& data, const std::vector<bool>& in_preamble)
      : data_(data), in_preamble_(in_preamble), writer_(data.slots, kNone), readers_(data.slots) {}

  void run() {
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
      if (data_.code[codes[at]].kernel == kAccess) {
        depends(at, access);
        access = at;
      }
    }
    for (const std::uint32_t slot : touched) {
      writer_[slot] = kNone;
      readers_[slot].clear();
    }
  }

  // Of what can run: the same kernel again, else an access, else the kernel of which most can run.
  void order(const std::vector<std::uint32_t>& codes) {
    find_dependences(codes);
    std::map<std::uint16_t, Waiting> ready;
    const auto kernel_of = [&](std::uint32_t at) { return data_.code[codes[at]].kernel; };
    for (std::uint32_t at = 0; at < codes.size(); ++at) {
      if (missing_[at] == 0) ready[kernel_of(at)].push(at);
    }
    while (!ready.empty()) {
      auto group = ready.find(kAccess);
      if (group == ready.end()) {
        group = std::ranges::max_element(ready, {}, [](const auto& one) { return one.second.size(); });
      }
      const std::uint16_t kernel = group->first;
      if (kernel != kAccess) data_.steps.push_back({data_.kernels[kernel], static_cast<std::uint32_t>(data_.scheduled.size()), 0});
      while (!group->second.empty()) {
        const std::uint32_t at = group->second.top();
        group->second.pop();
        if (kernel == kAccess) {
          data_.steps.push_back({nullptr, data_.code[codes[at]].extra, 1});
        } else {
          data_.scheduled.push_back(data_.code[codes[at]]);
          ++data_.steps.back().count;
        }
        for (const std::uint32_t follower : followers_[at]) {
          if (--missing_[follower] == 0) ready[kernel_of(follower)].push(follower);
        }
      }
      ready.erase(group);
    }
  }

  Program::Data& data_;
  const std::vector<bool>& in_preamble_;
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
