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

Blocks::Construct& Blocks::open(Flow kind) { return open_.open(kind, {.is_dead = !reachable(), .head = builder_.at()}); }

void Blocks::begin_if(Id condition, bool if_set) {
  Construct& made = open(Flow::if_);
  if (made.is_dead) return;
  const BlockId then = make();
  made.otherwise = make();
  builder_.branch(condition, if_set ? then : made.otherwise, if_set ? made.otherwise : then);
  variables_.seal(then);
  go_on(then);
}

std::string Blocks::begin_else() {
  Construct* const made = open_.owner_of(Flow::else_);
  if (made == nullptr) return "no matching if";
  made->has_else = true;
  if (made->is_dead) return {};
  if (reachable()) leave(made->merge);
  variables_.seal(made->otherwise);
  go_on(made->otherwise);
  return {};
}

std::string Blocks::end_if() {
  if (open_.owner_of(Flow::end_if) == nullptr) return "no matching if";
  const Construct closed = open_.close();
  if (closed.is_dead) return {};
  BlockId merge = closed.has_else ? closed.merge : closed.otherwise;
  if (merge == kNone && reachable()) merge = make();
  builder_.function().blocks[closed.head].merge = merge;
  if (merge != kNone) behind(merge);
  return {};
}

void Blocks::begin_loop() {
  Construct& made = open(Flow::loop);
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
  Construct& made = open(Flow::switch_);
  made.value = value;
  made.source = source;
  go_on(kNone);
}

// Labels that follow each other name one block; code above that does not end falls through.
std::string Blocks::begin_case(std::optional<std::uint32_t> value) {
  Construct* const own = open_.owner_of(Flow::case_);
  if (own == nullptr) return "not directly in a switch";
  Construct& made = *own;
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
  if (open_.owner_of(Flow::end_switch) == nullptr) return "no matching switch";
  Construct closed = open_.close();
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
  Construct* const left = open_.owner_of(Flow::break_);
  return left != nullptr ? &left->merge : nullptr;
}

BlockId* Blocks::continue_target() {
  Construct* const continued = open_.owner_of(Flow::continue_);
  return continued != nullptr ? &continued->latch : nullptr;
}

}  // namespace unshade::ir::lower_dxbc
