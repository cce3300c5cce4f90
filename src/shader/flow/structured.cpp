#include <utility>

#include "shader/flow/flow.hpp"

namespace unshade::shader::flow {

namespace {

std::vector<std::uint32_t> taken_from(std::vector<std::uint32_t>& edges) { return std::exchange(edges, {}); }
void append(std::vector<std::uint32_t>& to, std::vector<std::uint32_t> edges) { to.insert(to.end(), edges.begin(), edges.end()); }

}  // namespace

void Structured::begin_function(std::string_view name) {
  flow_.functions.emplace_back().name = name;
  bounds_.clear();
  pending_.clear();
  only_ = Only::nothing;
  block_ = kNone;
  in_function_ = true;
}

bool Structured::end_function() {
  if (!open_.empty()) return refuse("a block of code has no end");
  if (!in_function_) return true;
  in_function_ = false;
  FlowFunction& f = function();
  if (block_ != kNone) f.blocks[block_].end = FlowEnd::return_;
  if (!pending_.empty()) land(pending_, make_return());
  for (std::uint32_t k = 0; k < bounds_.size(); ++k)
    if (bounds_[k].last != Bounds::kNowhere) lines_.place(f.blocks[k], bounds_[k].first, bounds_[k].last);
  if (f.blocks.empty()) flow_.functions.pop_back();
  return true;
}

std::uint32_t Structured::make_block() {
  const auto number = static_cast<std::uint32_t>(function().blocks.size());
  function().blocks.emplace_back();
  bounds_.emplace_back();
  return number;
}

std::uint32_t Structured::make_return() {
  const std::uint32_t made = make_block();
  function().blocks[made].name = "return";
  function().blocks[made].end = FlowEnd::return_;
  return made;
}

std::uint32_t Structured::here() {
  if (!in_function_) begin_function(entry_);
  if (block_ == kNone) {
    block_ = make_block();
    land(pending_, block_);
  }
  Bounds& bounds = bounds_[block_];
  if (bounds.last == Bounds::kNowhere) bounds.first = origin_;
  bounds.last = origin_;
  ++function().blocks[block_].instructions;
  only_ = Only::nothing;
  return block_;
}

void Structured::fall() {
  if (block_ == kNone) return;
  const std::uint32_t from = std::exchange(block_, kNone);
  pending_.push_back(leave(from, FlowKind::next));
}

std::uint32_t Structured::leave(std::uint32_t from, FlowKind kind) {
  const auto number = static_cast<std::uint32_t>(function().edges.size());
  function().edges.push_back({from, kNone, kind, {}});
  if (kind != FlowKind::next) function().blocks[from].end = FlowEnd::branch;
  return number;
}

void Structured::land(std::vector<std::uint32_t>& edges, std::uint32_t to) {
  for (const std::uint32_t edge : taken_from(edges)) function().edges[edge].to = to;
}

// Ends of constructs in a row are one block.
void Structured::meet(std::vector<std::uint32_t> exits) {
  if (block_ != kNone && only_ == Only::ends) {
    land(exits, block_);
  } else {
    fall();
    append(pending_, std::move(exits));
    if (pending_.empty()) return;
  }
  here();
  only_ = Only::ends;
}

/// break, continue and ret, with a condition or without.
bool Structured::jump(Word word) {
  const bool is_conditional = dxbc::program::is_conditional(word);
  const std::uint32_t from = here();
  block_ = kNone;
  if (word == Word::return_) {
    function().blocks[from].end = FlowEnd::return_;
    return true;
  }
  const std::uint32_t edge = leave(from, is_conditional ? FlowKind::taken : FlowKind::next);
  if (word == Word::return_if) {
    function().edges[edge].to = make_return();
  } else {
    const bool continues = word == Word::continue_ || word == Word::continue_if;
    auto* const around = open_.owner_of(word);
    if (around == nullptr) return refuse(continues ? "continue outside of a loop" : "break outside of a loop or switch");
    if (continues)
      function().edges[edge].to = around->head;
    else
      around->exits.push_back(edge);
  }
  if (is_conditional) pending_.push_back(leave(from, FlowKind::not_taken));
  return true;
}

bool Structured::end_construct(Word word, const char* fault) {
  if (open_.owner_of(word) == nullptr) return refuse(fault);
  auto construct = open_.close();
  if (construct.kind == Word::loop) {
    if (block_ != kNone || !pending_.empty()) {
      const std::uint32_t latch = here();
      block_ = kNone;
      function().edges[leave(latch, FlowKind::next)].to = construct.head;
    }
    pending_ = std::move(construct.exits);
    return true;
  }
  if (construct.kind == Word::switch_ && !construct.has_else) construct.exits.push_back(leave(construct.head, FlowKind::default_));
  append(construct.exits, std::move(construct.else_exits));
  meet(std::move(construct.exits));
  return true;
}

bool Structured::add(Word word, std::size_t origin, std::string_view name) {
  origin_ = origin;
  switch (word) {
    case Word::declaration: return true;
    case Word::plain: here(); return true;
    case Word::body:
      if (!end_function()) return false;
      begin_function(name);
      here();
      return true;
    case Word::if_: {
      const std::uint32_t head = here();
      block_ = kNone;
      pending_.push_back(leave(head, FlowKind::taken));
      open_.open(word, {.head = head, .else_exits = {leave(head, FlowKind::not_taken)}});
      return true;
    }
    case Word::else_: {
      auto* const construct = open_.owner_of(word);
      if (construct == nullptr) return refuse("else without an if");
      fall();
      construct->has_else = true;
      append(construct->exits, taken_from(pending_));
      pending_ = taken_from(construct->else_exits);
      here();
      return true;
    }
    case Word::end_if: return end_construct(word, "endif without an if");
    case Word::loop: {
      fall();
      open_.open(word, {.head = here()});
      return true;
    }
    case Word::counted_loop: {
      fall();
      const std::uint32_t head = here();
      block_ = kNone;
      pending_.push_back(leave(head, FlowKind::taken));
      open_.open(word, {.head = head, .exits = {leave(head, FlowKind::not_taken)}});
      return true;
    }
    case Word::end_loop: return end_construct(word, "endloop without a loop");
    case Word::switch_: {
      const std::uint32_t head = here();
      block_ = kNone;
      function().blocks[head].end = FlowEnd::branch;
      open_.open(word, {.head = head});
      return true;
    }
    case Word::case_:
    case Word::default_: {
      auto* const construct = open_.owner_of(word);
      if (construct == nullptr) return refuse("case outside of a switch");
      if (only_ != Only::labels) fall();
      const std::uint32_t block = here();
      only_ = Only::labels;
      if (word == Word::default_) construct->has_else = true;
      const FlowKind kind = word == Word::case_ ? FlowKind::case_ : FlowKind::default_;
      function().edges.push_back({construct->head, block, kind, std::string(name)});
      return true;
    }
    case Word::end_switch: return end_construct(word, "endswitch without a switch");
    default: return jump(word);
  }
}

bool Structured::finish() { return end_function(); }

}  // namespace unshade::shader::flow
