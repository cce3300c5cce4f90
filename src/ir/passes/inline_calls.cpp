// Functions are built anew, callees before callers: each call becomes a jump to a copy of the callee's blocks, and the rest of the caller's
// block one of its own, to which the copy's returns lead.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>

#include "ir/operands.hpp"
#include "ir/passes/copies.hpp"
#include "ir/sizes.hpp"

namespace unshade::ir::passes {
namespace {

class Inliner {
 public:
  Inliner(const Module& module, const Function& root) : module_(module), copied_(root) { copy(root, nullptr, kNone); }

  Result<Function> finish() && {
    if (!fault_.empty()) return Error{ErrorCode::limit, 0, made_.name, std::move(fault_)};
    for (const Pending& pending : pending_) fill(pending);
    for (const Copy& one : copies_) {
      for (const BlockId number : one.from->order) {
        const Block& hints = one.from->blocks[number];
        if (hints.merge != kNone) made_.blocks[one.exit[number]].merge = one.entry[hints.merge];
        if (hints.continue_ != kNone) made_.blocks[one.entry[number]].continue_ = one.entry[hints.continue_];
      }
    }
    return std::move(copied_).finish();
  }

  std::size_t calls() const { return calls_; }

 private:
  // The blocks of a function once more.
  struct Copy {
    const Function* from;
    Copy* caller;
    Id call;
    std::vector<Id> value;                // of each instruction
    std::vector<BlockId> entry, exit;     // of each block: its first and last part
    std::unordered_map<Id, Copy*> calls;  // what became of calls
    // Returns: the block that has one, and the instruction.
    std::vector<std::pair<BlockId, Id>> returns;
    std::vector<Id> results;  // phis of the values returned
  };
  // An instruction whose operands are filled in when all values are known; of a phi of returns, `result` is its number.
  struct Pending {
    Copy* copy;
    Id made;
    Id from;
    std::size_t result;
  };
  static constexpr std::size_t kNoResult = ~std::size_t{0};

  Copy* copy(const Function& from, Copy* caller, Id call) {
    Copy& made = copies_.emplace_back(Copy{&from, caller, call, {}, {}, {}, {}, {}, {}});
    made.value.resize(from.insts.size(), kNone);
    made.entry.resize(from.blocks.size(), kNone);
    made.exit.resize(from.blocks.size(), kNone);
    for (const BlockId number : from.order) {
      BlockId block = made.entry[number] = copied_.new_block();
      for (Id id = from.blocks[number].first; id != kNone && fault_.empty(); id = from.next[id]) block = copy_instruction(made, block, id);
      made.exit[number] = block;
    }
    return &made;
  }

  BlockId copy_instruction(Copy& copy_of, BlockId block, Id id) {
    const Function& from = *copy_of.from;
    const Inst& inst = from.insts[id];
    const Source source = from.sources.empty() ? Source{} : from.sources[id];
    if (made_.insts.size() > limits::kIrInstructions) fault_ = "the function has too many instructions once calls are inlined";
    if (inst.op == Op::call) {
      ++calls_;
      return copy_call(copy_of, block, id, source);
    }
    if (copy_of.caller != nullptr && inst.op == Op::param) return block;
    if (copy_of.caller != nullptr && inst.op == Op::return_) {
      copy_of.returns.emplace_back(block, id);
      return block;
    }
    if (inst.op == Op::get && copy_of.calls.contains(from.operands_of(id)[0])) return block;
    const Id made = copied_.add_like(block, from, id, true);
    copy_of.value[id] = made;
    pending_.push_back({&copy_of, made, id, kNoResult});
    return block;
  }

  BlockId copy_call(Copy& caller, BlockId block, Id id, Source source) {
    const Function& called = module_.functions[caller.from->insts[id].extra];
    if (++depth_ > limits::kIrNesting) {
      fault_ = "calls nest deeper than " + std::to_string(limits::kIrNesting) + ", or a function calls itself: " + called.name;
      return block;
    }
    Copy* const made = copy(called, &caller, id);
    --depth_;
    caller.calls.emplace(id, made);
    if (!fault_.empty()) return block;
    copied_.jump(block, made->entry[0], source);
    const BlockId rest = copied_.new_block();
    for (const auto& [from, instruction] : made->returns) copied_.jump(from, rest, source);
    for (std::size_t at = 0; at < called.results.size(); ++at) {
      made->results.push_back(copied_.add(rest, Op::phi, called.results[at], {}, source));
      pending_.push_back({made, made->results.back(), kNone, at});
    }
    return rest;
  }

  // What a value of a function is in one of its copies.
  Id value_of(const Copy* copy_of, Id id) {
    for (;;) {
      const Function& from = *copy_of->from;
      const Inst& inst = from.insts[id];
      if (from.block_of[id] == kNone) return copied_.constant_like(from, id);
      if (inst.op == Op::param && copy_of->caller != nullptr) {
        id = std::as_const(*copy_of->caller->from).operands_of(copy_of->call)[inst.extra];
        copy_of = copy_of->caller;
        continue;
      }
      if (const auto call = copy_of->calls.find(id); call != copy_of->calls.end()) return call->second->results[0];
      if (inst.op == Op::get) {
        const auto call = copy_of->calls.find(from.operands_of(id)[0]);
        if (call != copy_of->calls.end()) return call->second->results[inst.extra];
      }
      return copy_of->value[id];
    }
  }

  void fill(const Pending& pending) {
    Origins origins;
    if (pending.result != kNoResult) {
      for (const auto& [block, id] : pending.copy->returns) {
        origins.emplace_back(block, value_of(pending.copy, std::as_const(*pending.copy->from).operands_of(id)[pending.result]));
      }
      return copied_.set_origins(pending.made, std::move(origins));
    }
    const Function& from = *pending.copy->from;
    const auto operands = from.operands_of(pending.from);
    const Op op = from.insts[pending.from].op;
    if (op == Op::phi) {
      const auto predecessors = from.predecessors_of(from.block_of[pending.from]);
      for (std::size_t at = 0; at < operands.size(); ++at) {
        origins.emplace_back(pending.copy->exit[predecessors[at]], value_of(pending.copy, operands[at]));
      }
      return copied_.set_origins(pending.made, std::move(origins));
    }
    operands_.clear();
    for (std::size_t at = 0; at < operands.size(); ++at) {
      operands_.push_back(is_block_operand(op, at) ? pending.copy->entry[operands[at]] : value_of(pending.copy, operands[at]));
    }
    set_operands(made_, pending.made, operands_);
  }

  const Module& module_;
  CopiedFunction copied_;
  Function& made_ = copied_.function();
  std::deque<Copy> copies_;
  std::vector<Pending> pending_;
  std::vector<std::uint32_t> operands_;
  std::size_t calls_ = 0;
  unsigned depth_ = 0;
  std::string fault_;
};

// What functions are with the functions that they call, found before any is copied: calls multiply. A function that calls itself is refused
// when it is copied, and counts here as if it did not.
class Expansion {
 public:
  explicit Expansion(const Module& module) : module_(module), sizes_(module.functions.size()), state_(module.functions.size()) {
    std::size_t instructions = 0, blocks = 0;
    for (const Function& function : module.functions) {
      instructions += function.insts.size();
      blocks += function.blocks.size();
    }
    most_ = {most_inlined(instructions), most_inlined(blocks)};
  }

  Result<void> check(std::size_t root) {
    const Size size = size_of(root, 0);
    const std::string& name = module_.functions[root].name;
    if (size.instructions > most_.instructions)
      return Error{ErrorCode::limit, 0, name, "more than " + std::to_string(most_.instructions) + " instructions once calls are inlined"};
    if (size.blocks > most_.blocks)
      return Error{ErrorCode::limit, 0, name, "more than " + std::to_string(most_.blocks) + " blocks once calls are inlined"};
    return {};
  }

 private:
  struct Size {
    std::size_t instructions = 0, blocks = 0;
  };
  enum class State : std::uint8_t { unknown, open, known };

  // Constants count too: each copy has a place for every value.
  Size size_of(std::size_t number, unsigned depth) {
    if (state_[number] != State::unknown || depth > limits::kIrNesting) return sizes_[number];
    state_[number] = State::open;
    const Function& function = module_.functions[number];
    Size size{function.insts.size(), function.blocks.size()};
    for (Id id = 0; id < function.insts.size(); ++id) {
      if (function.block_of[id] == kNone || function.insts[id].op != Op::call) continue;
      const Size called = size_of(function.insts[id].extra, depth + 1);
      size.instructions = std::min(size.instructions + called.instructions, most_.instructions + 1);
      size.blocks = std::min(size.blocks + called.blocks + 1, most_.blocks + 1);
    }
    state_[number] = State::known;
    return sizes_[number] = size;
  }

  const Module& module_;
  Size most_;
  std::vector<Size> sizes_;
  std::vector<State> state_;
};

}  // namespace

Result<std::size_t> inline_calls(Module& module) {
  std::vector<bool> called(module.functions.size());
  bool any = false;
  for (const Function& function : module.functions) {
    for (Id id = 0; id < function.insts.size(); ++id) {
      if (function.block_of[id] == kNone || function.insts[id].op != Op::call) continue;
      called[function.insts[id].extra] = any = true;
    }
  }
  if (!any) return std::size_t{0};
  std::vector<Function> made;
  std::size_t calls = 0;
  Expansion expansion(module);
  for (std::size_t at = 0; at < module.functions.size(); ++at) {
    // the entry point stays; if it calls itself, that is found
    if (called[at] && at != 0) continue;
    if (auto fits = expansion.check(at); !fits) return std::move(fits).error();
    Inliner inliner(module, module.functions[at]);
    calls += inliner.calls();
    auto function = std::move(inliner).finish();
    if (!function) return std::move(function).error();
    made.push_back(*std::move(function));
  }
  module.functions = std::move(made);
  canonicalize(module);
  return calls;
}

}  // namespace unshade::ir::passes
