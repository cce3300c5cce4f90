#include <unshade/ir/builder.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include "ir/operands.hpp"
#include "ir/sizes.hpp"

namespace unshade::ir {
namespace {

std::uint64_t key(std::uint32_t variable, BlockId block) { return std::uint64_t{variable} << 32 | block; }

}  // namespace

std::uint32_t SsaVariables::declare(Type type) {
  types_.push_back(type);
  return static_cast<std::uint32_t>(types_.size() - 1);
}

void SsaVariables::write(std::uint32_t variable, BlockId block, Id value) {
  if (block != kNone) values_[key(variable, block)] = value;
}

Id SsaVariables::read(std::uint32_t variable, BlockId block) {
  if (block == kNone) return builder_.undef(types_[variable]);
  const Id value = find(variable, block);
  while (!waiting_.empty()) {
    const Id phi = waiting_.back();
    waiting_.pop_back();
    fill(phi);
  }
  return value;
}

// Walks up single predecessors; a block with several gets a phi, which is filled later: chains of blocks take no stack.
Id SsaVariables::find(std::uint32_t variable, BlockId block) {
  passed_.clear();
  Id value = kNone;
  for (BlockId at = block; value == kNone;) {
    if (const Id* const known = values_.find(key(variable, at)); known != nullptr) {
      value = *known;
      break;
    }
    passed_.push_back(at);
    const auto& origins = builder_.predecessors_[at];
    if (!sealed(at)) {
      value = new_phi(variable, at);
      if (at >= incomplete_.size()) incomplete_.resize(at + std::size_t{1});
      incomplete_[at].push_back(value);
    } else if (origins.empty() || passed_.size() > builder_.predecessors_.size()) {
      // the entry, or a block that cannot be reached, such as one of a cycle without a way in
      value = builder_.undef(types_[variable]);
    } else if (origins.size() == 1) {
      at = origins[0];
    } else {
      value = new_phi(variable, at);
      waiting_.push_back(value);
    }
  }
  for (const BlockId at : passed_) values_.add(key(variable, at), value);
  return value;
}

Id SsaVariables::new_phi(std::uint32_t variable, BlockId block) {
  Function& function = builder_.function_;
  if (const std::size_t most = std::min(most_phis_, most_phis(function.insts.size() - phi_count_)); phi_count_ >= most) {
    overflows_ = true;
    most_phis_ = most;
    return builder_.undef(types_[variable]);
  }
  const Id id = append(function, Op::phi, types_[variable], {});
  if (const Id first = function.blocks[block].first; first == kNone) {
    insert_at_end(function, block, id);
  } else {
    insert_before(function, first, id);
  }
  ++phi_count_;
  phis_.emplace(id, Phi{variable, block});
  return id;
}

Result<void> SsaVariables::check() const {
  if (!overflows_) return {};
  return Error{ErrorCode::limit, 0, {}, "the function needs more than " + std::to_string(most_phis_) + " phi nodes"};
}

void SsaVariables::fill(Id id) {
  if (overflows_) return;
  const auto [variable, block] = phis_.extract(id).mapped();
  origins_ = builder_.predecessors_[block];
  std::ranges::sort(origins_);
  phi_operands_.clear();
  for (const BlockId origin : origins_) phi_operands_.push_back(builder_.as(types_[variable], find(variable, origin)));
  set_operands(builder_.function_, id, phi_operands_);
}

void SsaVariables::seal(BlockId block) {
  if (block >= sealed_.size()) sealed_.resize(block + std::size_t{1});
  sealed_[block] = true;
  if (block < incomplete_.size()) {
    for (const Id phi : std::exchange(incomplete_[block], {})) waiting_.push_back(phi);
  }
  while (!waiting_.empty()) {
    const Id phi = waiting_.back();
    waiting_.pop_back();
    fill(phi);
  }
}

void SsaVariables::finish() {
  Function& function = builder_.function_;
  for (BlockId block = 0; block < function.blocks.size(); ++block) {
    if (!sealed(block)) seal(block);
  }
  // Phis stand by the predecessors as they were when they were filled: all that terminators name. link_predecessors() drops what cannot be
  // reached.
  std::vector<BlockId> all;
  for (BlockId block = 0; block < function.blocks.size(); ++block) {
    auto origins = builder_.predecessors_[block];
    std::ranges::sort(origins);
    function.blocks[block].first_predecessor = static_cast<std::uint32_t>(all.size());
    function.blocks[block].predecessor_count = static_cast<std::uint32_t>(origins.size());
    all.insert(all.end(), origins.begin(), origins.end());
  }
  function.predecessors = std::move(all);
  link_predecessors(function);
  replace_trivial();
}

// A phi of one value besides itself is that value; taking it away may make others so.
void SsaVariables::replace_trivial() {
  Function& function = builder_.function_;
  std::vector<Id> value(function.insts.size(), kNone);
  const auto now = [&](Id id) {
    while (value[id] != kNone) {
      if (value[value[id]] != kNone) value[id] = value[value[id]];
      id = value[id];
    }
    return id;
  };
  std::unordered_map<Id, std::vector<Id>> users;  // of phis, among phis
  std::vector<Id> waiting;
  for (const BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != kNone && function.insts[id].op == Op::phi; id = function.next[id]) {
      waiting.push_back(id);
      for (const Id operand : function.operands_of(id)) {
        if (function.insts[operand].op == Op::phi) users[operand].push_back(id);
      }
    }
  }
  if (waiting.empty()) return;
  // The first is looked at first: what it comes to is known to those after it.
  std::ranges::reverse(waiting);
  while (!waiting.empty()) {
    const Id id = waiting.back();
    waiting.pop_back();
    if (value[id] != kNone) continue;
    Id only = kNone;
    bool several = false;
    for (const Id operand : function.operands_of(id)) {
      const Id other = now(operand);
      if (other == id || other == only) continue;
      several = only != kNone;
      only = other;
      if (several) break;
    }
    if (several) continue;
    value[id] = only == kNone ? builder_.undef(function.insts[id].type) : only;
    value.resize(function.insts.size(), kNone);
    const auto mine = users.extract(id);
    if (mine.empty()) continue;
    std::vector<Id>& freed = mine.mapped();
    std::erase_if(freed, [&](Id user) { return value[user] != kNone; });
    waiting.insert(waiting.end(), freed.begin(), freed.end());
    if (only == kNone || function.insts[only].op != Op::phi) continue;
    // each list goes on in one other: the shorter is copied
    std::vector<Id>& others = users[only];
    if (others.size() < freed.size()) std::swap(others, freed);
    others.insert(others.end(), freed.begin(), freed.end());
  }
  replace_uses(function, value);
  for (Id id = 0; id < value.size(); ++id) {
    if (value[id] != kNone && function.block_of[id] != kNone) remove(function, id);
  }
}

}  // namespace unshade::ir
