#include "ir/dxbc/blocks.hpp"

#include <utility>

#include <unshade/core/limits.hpp>

namespace unshade::ir::lower_dxbc {

BlockId Blocks::make() {
  overflows_ |= builder_.function().blocks.size() >= limits::kInlinedBlocks;
  return builder_.block();
}

void Blocks::go_on(BlockId block) {
  builder_.at(block);
  if (block != kNone) order_.push_back(block);
}

void Blocks::behind(BlockId merge) {
  if (reachable()) builder_.jump(merge);
  variables_.seal(merge);
  go_on(merge);
}

void Blocks::leave(BlockId& target) {
  if (target == kNone) target = make();
  builder_.jump(target);
  go_on(kNone);
}

void Blocks::leave_if(BlockId& target, Id condition, bool if_set) {
  if (target == kNone) target = make();
  const BlockId next = make();
  builder_.branch(condition, if_set ? target : next, if_set ? next : target);
  variables_.seal(next);
  go_on(next);
}

Blocks::Construct& Blocks::open(Construct::Kind kind) {
  open_.push_back({.kind = kind, .is_dead = !reachable(), .head = builder_.at()});
  return open_.back();
}

Blocks::Construct Blocks::close() {
  Construct closed = std::move(open_.back());
  open_.pop_back();
  return closed;
}

void Blocks::begin_if(Id condition, bool if_set) {
  Construct& made = open(Construct::Kind::if_);
  if (made.is_dead) return;
  const BlockId then = make();
  made.otherwise = make();
  builder_.branch(condition, if_set ? then : made.otherwise, if_set ? made.otherwise : then);
  variables_.seal(then);
  go_on(then);
}

std::string Blocks::begin_else() {
  if (!is_inside(Construct::Kind::if_) || open_.back().has_else) return "no matching if";
  Construct& made = open_.back();
  made.has_else = true;
  if (made.is_dead) return {};
  if (reachable()) leave(made.merge);
  variables_.seal(made.otherwise);
  go_on(made.otherwise);
  return {};
}

std::string Blocks::end_if() {
  if (!is_inside(Construct::Kind::if_)) return "no matching if";
  const Construct closed = close();
  if (closed.is_dead) return {};
  BlockId merge = closed.has_else ? closed.merge : closed.otherwise;
  if (merge == kNone && reachable()) merge = make();
  builder_.function().blocks[closed.head].merge = merge;
  if (merge != kNone) behind(merge);
  return {};
}

void Blocks::begin_loop() {
  Construct& made = open(Construct::Kind::loop);
  if (made.is_dead) return;
  made.head = make();
  builder_.jump(made.head);
  go_on(made.head);
}

void Blocks::leave_loop(const Construct& loop) {
  Block& header = builder_.function().blocks[loop.head];
  header.merge = loop.merge;
  header.continue_ = builder_.at();
  if (reachable()) builder_.jump(loop.head);
  variables_.seal(loop.head);
  go_on(kNone);
  if (loop.merge != kNone) behind(loop.merge);
}

void Blocks::begin_switch(Id value, Source source) {
  Construct& made = open(Construct::Kind::switch_);
  made.value = value;
  made.source = source;
  go_on(kNone);
}

// Labels that follow each other name one block; code above that does not end falls through.
std::string Blocks::begin_case(std::optional<std::uint32_t> value) {
  if (!is_inside(Construct::Kind::switch_)) return "not directly in a switch";
  Construct& made = open_.back();
  if (made.is_dead) return {};
  const bool is_fresh =
      !made.blocks.empty() && made.blocks.back() == builder_.at() && builder_.function().blocks[builder_.at()].first == kNone;
  if (!is_fresh) {
    const BlockId block = make();
    if (reachable()) builder_.jump(block);
    go_on(block);
    made.blocks.push_back(block);
  }
  if (!value) return std::exchange(made.otherwise, builder_.at()) == kNone ? "" : "a second default";
  const Id constant = builder_.i32(*value);
  made.cases.insert(made.cases.end(), {constant, builder_.at()});
  overflows_ |= made.cases.size() > limits::kInlinedBlocks;
  return made.values.insert(constant).second ? "" : "two cases " + std::to_string(*value);
}

std::string Blocks::end_switch() {
  if (!is_inside(Construct::Kind::switch_)) return "no matching switch";
  Construct closed = close();
  if (closed.is_dead) return {};
  if (closed.merge == kNone && (reachable() || closed.otherwise == kNone)) closed.merge = make();
  if (reachable()) builder_.jump(closed.merge);
  builder_.from(closed.source);
  builder_.at(closed.head);
  const BlockId otherwise = closed.otherwise == kNone ? closed.merge : closed.otherwise;
  if (closed.cases.empty()) {
    builder_.jump(otherwise);
  } else {
    builder_.switch_on(closed.value, otherwise, closed.cases);
  }
  builder_.function().blocks[closed.head].merge = closed.merge;
  for (const BlockId block : closed.blocks) variables_.seal(block);
  go_on(kNone);
  if (closed.merge != kNone) behind(closed.merge);
  return {};
}

BlockId* Blocks::break_target() {
  for (std::size_t at = open_.size(); at > floor_; --at) {
    if (open_[at - 1].kind != Construct::Kind::if_) return &open_[at - 1].merge;
  }
  return nullptr;
}

BlockId* Blocks::continue_target() {
  for (std::size_t at = open_.size(); at > floor_; --at) {
    if (open_[at - 1].kind == Construct::Kind::loop) return &open_[at - 1].latch;
  }
  return nullptr;
}

}  // namespace unshade::ir::lower_dxbc
