// Asking a module of the IR, and renumbering its functions.
#include <unshade/ir/module.hpp>

#include <algorithm>
#include <utility>

#include "ir/operands.hpp"

namespace unshade::ir {
namespace {

std::vector<bool> reachable_blocks(const Function& function) {
  std::vector<bool> reached(function.blocks.size());
  std::vector<BlockId> waiting;
  const auto reach = [&](BlockId block) {
    if (reached[block]) return;
    reached[block] = true;
    waiting.push_back(block);
  };
  if (!function.blocks.empty()) reach(0);
  while (!waiting.empty()) {
    const BlockId block = waiting.back();
    waiting.pop_back();
    for_each_successor(function, block, reach);
  }
  return reached;
}

// Whether the instructions that compact() keeps, in its order, and all that belongs to them have the numbers already that it would give.
bool is_compact(const Function& function, std::span<const Id> kept) {
  if (kept.size() != function.insts.size() || function.order.size() != function.blocks.size()) return false;
  std::size_t operands = 0, constants = 0, predecessors = 0;
  for (std::size_t at = 0; at < kept.size(); ++at) {
    const Inst& inst = function.insts[at];
    if (kept[at] != at || inst.first_operand != operands) return false;
    operands += inst.operand_count;
    if (inst.op == Op::constant && bit_width(inst.type) > 32 && inst.extra != constants++) return false;
  }
  for (std::size_t at = 0; at < function.order.size(); ++at) {
    if (function.order[at] != at || function.blocks[at].first_predecessor != predecessors) return false;
    const auto origins = function.predecessors_of(static_cast<BlockId>(at));
    if (!std::ranges::is_sorted(origins)) return false;
    predecessors += origins.size();
  }
  return operands == function.operands.size() && constants == function.constants.size() && predecessors == function.predecessors.size();
}

}  // namespace

bool has_counter(const Resource& resource) {
  using dxcontainer::ResourceKind;
  switch (resource.kind) {
    case ResourceKind::uav_append:
    case ResourceKind::uav_consume:
    case ResourceKind::uav_structured_with_counter: return true;
    default: return resource.counter != kNone;
  }
}

std::uint32_t space_bytes(const Module& module, Space space) {
  std::uint32_t end = 0;
  for (const Variable& variable : module.variables)
    if (variable.space == space) end = std::max(end, variable.offset + variable.bytes);
  return end;
}

Type result_type(const Function& function, Id id, unsigned member) {
  const Inst& inst = function.insts[id];
  if (member >= inst.results) return Type::void_;
  const OpInfo& row = info(inst.op);
  const bool has_status = (row.extra == Extra::buffer && BufferExtra(inst.extra).has_status) ||
                          (row.extra == Extra::texture && TextureExtra(inst.extra).has_status);
  if (has_status && member + 1U == inst.results) return Type::i32;
  const char letter = row.results[row.results.ends_with('*') ? 0 : member];
  return letter == 'u' ? inst.type : letter_type(inst, letter);
}

std::uint64_t constant_bits(const Function& function, Id id) {
  const Inst& inst = function.insts[id];
  return bit_width(inst.type) > 32 ? function.constants[inst.extra] : inst.extra;
}

void link_predecessors(Function& function) {
  const auto reached = reachable_blocks(function);
  std::erase_if(function.order, [&](BlockId block) { return !reached[block]; });
  link_blocks(function);
}

void link_blocks(Function& function) {
  // edges sorted by target and then by origin, each once
  std::vector<std::pair<BlockId, BlockId>> edges;
  edges.reserve(2 * function.order.size());
  for (const BlockId block : function.order) {
    for_each_successor(function, block, [&](BlockId target) { edges.emplace_back(target, block); });
  }
  std::ranges::sort(edges);
  edges.erase(std::ranges::unique(edges).begin(), edges.end());

  std::vector<BlockId> linked;
  linked.reserve(edges.size());
  std::vector<std::uint32_t> kept;
  std::size_t edge = 0;
  for (BlockId number = 0; number < function.blocks.size(); ++number) {
    Block& block = function.blocks[number];
    const auto before = std::as_const(function).predecessors_of(number);
    const auto first = static_cast<std::uint32_t>(linked.size());
    for (; edge < edges.size() && edges[edge].first == number; ++edge) linked.push_back(edges[edge].second);
    const std::span<const BlockId> now{linked.data() + first, linked.size() - first};
    for (Id id = block.first; id != kNone && function.insts[id].op == Op::phi; id = function.next[id]) {
      const auto operands = function.operands_of(id);
      if (std::ranges::equal(before, now) || operands.size() != before.size()) continue;
      kept.clear();
      for (const BlockId origin : now) {
        const auto found = std::ranges::lower_bound(before, origin);
        if (found != before.end() && *found == origin) kept.push_back(operands[static_cast<std::size_t>(found - before.begin())]);
      }
      std::ranges::copy(kept, operands.begin());
      function.insts[id].operand_count = operand_count(kept.size());
    }
    block.first_predecessor = first;
    block.predecessor_count = static_cast<std::uint32_t>(now.size());
  }
  function.predecessors = std::move(linked);
}

void replace_uses(Function& function, std::span<Id> value) {
  const auto last = [&](Id id) {
    Id end = id;
    while (end < value.size() && value[end] != kNone) end = value[end];
    while (id != end) id = std::exchange(value[id], end);
    return end;
  };
  for (const BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id])
      for_each_value(function, id, [&](Id& operand) { operand = last(operand); });
  }
}

std::vector<bool> used_values(const Function& function) {
  std::vector<bool> used(function.insts.size());
  for (const BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id])
      for_each_value(function, id, [&](Id operand) { used[operand] = true; });
  }
  return used;
}

void compact(Function& function) {
  // Constants first, then blocks in their order. `number` first has what is used, then the new number of each; kNone: it is dropped.
  std::vector<Id> number(function.insts.size(), kNone);
  for (const BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id])
      for_each_value(std::as_const(function), id, [&](Id operand) { number[operand] = 0; });
  }
  std::vector<Id> kept;
  kept.reserve(function.insts.size());
  std::size_t kept_operands = 0;
  const auto keep = [&](Id id) {
    number[id] = static_cast<Id>(kept.size());
    kept.push_back(id);
    kept_operands += function.insts[id].operand_count;
  };
  for (Id id = 0; id < function.insts.size(); ++id) {
    if (number[id] == kNone) continue;
    if (function.block_of[id] == kNone) {
      keep(id);
    } else {
      number[id] = kNone;
    }
  }
  const std::size_t constant_count = kept.size();
  for (const BlockId block : function.order)
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) keep(id);
  if (is_compact(function, kept)) return;

  Function made;
  std::vector<BlockId> block_number(function.blocks.size(), kNone);
  made.blocks.reserve(function.order.size());
  made.order.reserve(function.order.size());
  for (const BlockId block : function.order) {
    block_number[block] = static_cast<BlockId>(made.blocks.size());
    made.blocks.push_back(function.blocks[block]);
    made.order.push_back(block_number[block]);
  }
  const auto now = [&](Id id) { return id == kNone ? kNone : number[id]; };
  const auto block_now = [&](BlockId block) { return block == kNone ? kNone : block_number[block]; };

  made.insts.resize(kept.size());
  made.next.resize(kept.size(), kNone);
  made.previous.resize(kept.size(), kNone);
  made.block_of.resize(kept.size(), kNone);
  made.operands.reserve(std::max(function.operands.size(), kept_operands));  // more may come, as came before
  made.operands.resize(kept_operands);
  std::uint32_t* operand = made.operands.data();
  const auto copy = [&](std::size_t at) {
    const Id id = kept[at];
    Inst& inst = made.insts[at] = function.insts[id];
    const auto operands = std::as_const(function).operands_of(id);
    inst.first_operand = static_cast<std::uint32_t>(operand - made.operands.data());
    if (names_blocks(inst.op)) {
      for (std::size_t place = 0; place < operands.size(); ++place)
        *operand++ = is_block_operand(inst.op, place) ? block_now(operands[place]) : now(operands[place]);
    } else {
      for (const Id value : operands) *operand++ = now(value);
    }
  };
  for (std::size_t at = 0; at < constant_count; ++at) {
    copy(at);
    Inst& inst = made.insts[at];
    if (inst.op != Op::constant || bit_width(inst.type) <= 32) continue;
    made.constants.push_back(function.constants[inst.extra]);
    inst.extra = static_cast<std::uint32_t>(made.constants.size() - 1);
  }
  auto next = static_cast<Id>(constant_count);
  for (BlockId to = 0; to < made.blocks.size(); ++to) {
    Block& block = made.blocks[to];
    block.merge = block_now(block.merge);
    block.continue_ = block_now(block.continue_);
    if (block.first == kNone) continue;
    const Id first = next, last = number[block.last];
    for (; next <= last; ++next) {
      copy(next);
      made.block_of[next] = to;
      if (next != first) made.previous[next] = next - 1;
      if (next != last) made.next[next] = next + 1;
    }
    block.first = first;
    block.last = last;
  }
  if (!function.sources.empty()) {
    made.sources.reserve(kept.size());
    for (const Id id : kept) made.sources.push_back(function.sources[id]);
  }
  for (const auto& [id, name] : function.names) {
    if (now(id) != kNone) made.names.emplace(now(id), name);
  }
  // Blocks have new numbers, so that their predecessors, which stand by rising number, and with them operands of phis may change places.
  std::vector<BlockId> predecessors;
  predecessors.reserve(function.predecessors.size());
  std::vector<std::pair<BlockId, std::size_t>> places;
  std::vector<std::uint32_t> moved;
  for (BlockId old : function.order) {
    Block& block = made.blocks[block_number[old]];
    const auto origins = std::as_const(function).predecessors_of(old);
    block.first_predecessor = static_cast<std::uint32_t>(predecessors.size());
    if (std::ranges::is_sorted(origins, {}, [&](BlockId origin) { return block_number[origin]; })) {
      for (const BlockId origin : origins) predecessors.push_back(block_number[origin]);
      continue;
    }
    places.clear();
    for (std::size_t at = 0; at < origins.size(); ++at) places.emplace_back(block_number[origins[at]], at);
    std::ranges::sort(places);
    for (const auto& [origin, at] : places) predecessors.push_back(origin);
    for (Id id = block.first; id != kNone && made.insts[id].op == Op::phi; id = made.next[id]) {
      const auto operands = made.operands_of(id);
      if (operands.size() != places.size()) continue;
      moved.clear();
      for (const auto& [origin, at] : places) moved.push_back(operands[at]);
      std::ranges::copy(moved, operands.begin());
    }
  }
  made.predecessors = std::move(predecessors);
  made.name = std::move(function.name);
  made.parameters = std::move(function.parameters);
  made.results = std::move(function.results);
  made.irreducible = function.irreducible;
  function = std::move(made);
}

}  // namespace unshade::ir
