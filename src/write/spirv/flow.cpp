// Control flow. Each join of the tree is a label with OpPhis of its own, since ways of one block meet in several steps where SPIR-V wants a
// merge block for each construct. src: SPIR-V 2.11, "Structured Control Flow"
#include <algorithm>

#include "write/spirv/function_writer.hpp"

namespace unshade::write::spirv_writer {

using ir::NodeKind;

void FunctionWriter::place(Word label) {
  body_.put(Opcode::label, {label});
  label_ = label;
  current_line_ = 0;
  has_scope_ = false;
}

// Goes on in a block of its own, which phis name.
void FunctionWriter::step_to(Word label) {
  effect(Opcode::branch, {label});
  place(label);
}

std::vector<Word> FunctionWriter::phi_values(BlockId from, BlockId to) {
  std::vector<Word> made;
  const auto predecessors = function_.predecessors_of(to);
  // they stand by rising number
  const auto at = static_cast<std::size_t>(std::ranges::lower_bound(predecessors, from) - predecessors.begin());
  for (Id id = function_.blocks[to].first; id != kNone && function_.insts[id].op == Op::phi; id = function_.next[id])
    made.push_back(value(function_.operands_of(id)[at]));
  return made;
}

void FunctionWriter::bind_phis(BlockId block, std::span<const Word> values) {
  std::size_t at = 0;
  for (Id id = function_.blocks[block].first; id != kNone && function_.insts[id].op == Op::phi; id = function_.next[id])
    define(id, values[at++]);
}

void FunctionWriter::jump(Join& to) {
  to.to = going_to_;
  to.edges.push_back({label_, std::move(carried_)});
  body_.put(Opcode::branch, {to.label});
  label_ = 0;
  carried_.clear();
}

void FunctionWriter::jump(Join& to, const Exit& exit) {
  const auto same = [&](const Exit& other) {
    return other.target == exit.target && other.continues == exit.continues && other.to == exit.to;
  };
  auto found = std::ranges::find_if(to.exits, same);
  if (found == to.exits.end()) found = to.exits.insert(to.exits.end(), exit);
  to.edges.push_back({label_, std::move(carried_), static_cast<std::uint32_t>(found - to.exits.begin()) + 1});
  effect(Opcode::branch, {to.label});
  label_ = 0;
  carried_.clear();
}

// A number says which way was taken. What one way carries is undefined on the others.
void FunctionWriter::enter_with_exits(Join& join) {
  // each phi of each way has an operand for each edge
  constexpr std::size_t kMostOperands = std::size_t{1} << 22;
  std::size_t operands = 0;
  for (const Edge& edge : join.edges) operands += (edge.values.size() + 1) * (join.exits.size() + 1);
  if (operands > kMostOperands / join.edges.size()) return writer_.unsupported("so many ways out of a loop, with so many values");
  const Word word32 = out_.int_type(32);
  const auto merged = [&](std::uint32_t exit, BlockId to) {
    std::vector<Word> values;
    std::size_t at = 0;
    for (Id id = function_.blocks[to].first; id != kNone && function_.insts[id].op == Op::phi; id = function_.next[id], ++at) {
      const Word of = word_type(type(id));
      std::vector<Word> words;
      for (const Edge& edge : join.edges) words.insert(words.end(), {edge.exit == exit ? edge.values[at] : out_.undef(of), edge.from});
      values.push_back(op(Opcode::phi, of, words));
    }
    return values;
  };
  std::vector<Word> words;
  for (const Edge& edge : join.edges) words.insert(words.end(), {u32(edge.exit), edge.from});
  const Word way = op(Opcode::phi, word32, words);
  const bool goes_on = std::ranges::any_of(join.edges, [](const Edge& edge) { return edge.exit == 0; });
  std::vector<std::vector<Word>> values;
  values.push_back(goes_on ? merged(0, join.to) : std::vector<Word>());
  for (std::uint32_t exit = 1; exit <= join.exits.size(); ++exit) values.push_back(merged(exit, join.exits[exit - 1].to));
  for (std::uint32_t exit = 1; exit <= join.exits.size(); ++exit) {
    const Exit& one = join.exits[exit - 1];
    const bool is_last = exit == join.exits.size() && !goes_on;
    const Word then = out_.fresh(), after = out_.fresh();
    if (!is_last) {
      const Word is_it = op({Opcode::i_equal, out_.bool_type(), {way, u32(exit)}});
      effect(Opcode::selection_merge, {after, 0});
      effect(Opcode::branch_conditional, {is_it, then, after});
      place(then);
    }
    going_to_ = one.to;
    carried_ = std::move(values[exit]);
    leave(one.target, one.continues);
    if (!is_last) place(after);
  }
  if (!goes_on) return;
  going_to_ = join.to;
  is_bound_ = false;
  carried_ = std::move(values[0]);
}

void FunctionWriter::enter(Join& join) {
  place(join.label);
  if (!join.exits.empty()) return enter_with_exits(join);
  if (join.edges.empty()) {
    body_.put(Opcode::unreachable, {});
    label_ = 0;
    return;
  }
  going_to_ = join.to;
  is_bound_ = false;
  carried_ = join.edges.front().values;
  std::size_t at = 0;
  for (Id id = function_.blocks[join.to].first; id != kNone && function_.insts[id].op == Op::phi; id = function_.next[id], ++at) {
    if (std::ranges::all_of(join.edges, [&](const Edge& edge) { return edge.values[at] == carried_[at]; })) continue;
    std::vector<Word> words;
    for (const Edge& edge : join.edges) words.insert(words.end(), {edge.values[at], edge.from});
    carried_[at] = op(Opcode::phi, word_type(type(id)), words);
  }
}

FunctionWriter::Frame& FunctionWriter::push(std::uint32_t node) {
  const NodeKind kind = tree_.nodes[node].kind;
  frame_of_[node] = static_cast<std::uint32_t>(frames_.size());
  if (kind == NodeKind::loop) loops_.push_back(node);
  if (kind == NodeKind::loop || kind == NodeKind::switch_ || kind == NodeKind::once) left_by_breaks_.push_back(node);
  Frame frame;
  frame.node = node;
  frame.is_dead = label_ == 0;
  frames_.push_back(std::move(frame));
  return frames_.back();
}

FunctionWriter::Frame FunctionWriter::pop() {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  if (!loops_.empty() && loops_.back() == frame.node) loops_.pop_back();
  if (!left_by_breaks_.empty() && left_by_breaks_.back() == frame.node) left_by_breaks_.pop_back();
  return frame;
}

void FunctionWriter::walk() {
  going_to_ = function_.order.front();
  for (std::uint32_t node = 0; node <= tree_.nodes.size() && !writer_.failed(); ++node) {
    while (!frames_.empty() && tree_.nodes[frames_.back().node].end <= node) close(pop());
    if (node < tree_.nodes.size()) open(node);
  }
  if (label_ != 0) body_.put(Opcode::return_, {});
}

void FunctionWriter::open(std::uint32_t node) {
  const ir::Node& at = tree_.nodes[node];
  switch (at.kind) {
    case NodeKind::block: return block(node);
    case NodeKind::if_: return if_(node);
    case NodeKind::switch_: return switch_(node);
    case NodeKind::then_:
    case NodeKind::else_:
    case NodeKind::case_: return arm(node);
    case NodeKind::loop: return loop(node);
    case NodeKind::once: return once(node);
    case NodeKind::break_:
    case NodeKind::continue_: return leave(at.target, at.kind == NodeKind::continue_);
    case NodeKind::return_:
      if (label_ != 0) body_.put(Opcode::return_, {});
      label_ = 0;
      return;
  }
}

// The loop whose continue target the block of a node is; null: of none.
FunctionWriter::Frame* FunctionWriter::loop_of_latch(std::uint32_t node, BlockId block) {
  const std::uint32_t parent = tree_.nodes[node].parent;
  if (parent == kNone || tree_.nodes[parent].kind != NodeKind::loop || tree_.nodes[parent].latch != block) return nullptr;
  Frame& frame = frames_[frame_of_[parent]];
  return frame.latch_continues && !frame.is_dead ? &frame : nullptr;
}

void FunctionWriter::block(std::uint32_t node) {
  const BlockId block = tree_.nodes[node].block;
  if (Frame* const of = loop_of_latch(node, block); of != nullptr) {
    if (label_ != 0) jump(of->next);
    enter(of->next);
  }
  if (label_ == 0) return;
  if (!is_bound_) bind_phis(block, carried_);
  carried_.clear();
  is_bound_ = false;
  const Id last = function_.blocks[block].last;
  for (Id id = function_.blocks[block].first; id != kNone && id != last && !writer_.failed(); id = function_.next[id])
    if (function_.insts[id].op != Op::phi) instruction(id);
  if (label_ == 0) return;
  last_result_ = 0;
  at_line(last);
  switch (function_.insts[last].op) {
    case Op::jump:
      going_to_ = function_.operands_of(last)[0];
      carried_ = phi_values(block, going_to_);
      return;
    case Op::unreachable:
      body_.put(Opcode::unreachable, {});
      label_ = 0;
      return;
    default: return;  // a node for it follows
  }
}

void FunctionWriter::arm(std::uint32_t node) {
  const ir::Node& at = tree_.nodes[node];
  Frame& choice = frames_.back();
  if (!choice.is_dead) {
    place(choice.arms[choice.next_arm++]);
    const BlockId from = tree_.nodes[at.parent].block;
    const auto terminator = function_.operands_of(function_.blocks[from].last);
    going_to_ = at.kind == NodeKind::then_ ? terminator[1] : at.kind == NodeKind::else_ ? terminator[2] : at.block;
    carried_ = phi_values(from, going_to_);
    is_bound_ = false;
  }
  push(node);
}

void FunctionWriter::if_(std::uint32_t node) {
  const ir::Node& at = tree_.nodes[node];
  Frame& frame = push(node);
  if (frame.is_dead) return;
  const auto terminator = function_.operands_of(function_.blocks[at.block].last);
  if (Frame* const of = loop_of_latch(node, at.block); of != nullptr) {
    close_latch(*of, terminator);
    frames_.back().is_dead = true;
    return;
  }
  std::array<Word, 2> labels{};
  for (std::uint32_t child = node + 1; child < at.end; child = tree_.nodes[child].end) {
    const Word label = out_.fresh();
    labels[tree_.nodes[child].kind == NodeKind::then_ ? 0 : 1] = label;
    frame.arms.push_back(label);
  }
  if (frame.arms.empty()) {  // both lead to what follows
    frame.is_dead = true;
    going_to_ = terminator[1];
    carried_ = phi_values(at.block, going_to_);
    is_bound_ = false;
    return;
  }
  frame.merge.label = out_.fresh();
  for (std::size_t k = 0; k < 2; ++k) {
    if (labels[k] != 0) continue;
    labels[k] = frame.merge.label;
    frame.merge.to = terminator[k + 1];
    if (frame.merge.edges.empty()) frame.merge.edges.push_back({label_, phi_values(at.block, terminator[k + 1])});
  }
  const Word condition = value(terminator[0]);  // which may be written here
  effect(Opcode::selection_merge, {frame.merge.label, 0});
  effect(Opcode::branch_conditional, {condition, labels[0], labels[1]});
  label_ = 0;
}

// The test at the end of a continue construct: the loop goes on, or ends.
void FunctionWriter::close_latch(Frame& loop, std::span<const std::uint32_t> terminator) {
  const ir::Node& at = tree_.nodes[loop.node];
  const bool goes_on_if = terminator[1] == at.block;
  const BlockId out_to = terminator[goes_on_if ? 2 : 1];
  const auto leaves_to = [&](const ir::Node& node) { return node.kind == NodeKind::break_ && node.target == loop.node; };
  const std::span<const ir::Node> after(tree_.nodes.data() + loop.node + 1, at.end - loop.node - 1);
  // what stands after the latch is an if that holds an arm that holds a break
  const auto latch =
      std::ranges::find_if(after, [&](const ir::Node& node) { return node.kind == NodeKind::block && node.block == at.latch; });
  if (terminator[goes_on_if ? 1 : 2] != at.block || after.end() - latch != 4 || !leaves_to(latch[3]))
    return writer_.unsupported("a loop that is left in several ways from the block that continues go to");
  step_to(loop.back);
  loop.merge.to = out_to;
  loop.merge.edges.push_back({label_, phi_values(at.latch, out_to)});
  const Word labels[] = {loop.header, loop.merge.label};
  effect(Opcode::branch_conditional, {value(terminator[0]), labels[goes_on_if ? 0 : 1], labels[goes_on_if ? 1 : 0]});
  label_ = 0;
}

void FunctionWriter::switch_(std::uint32_t node) {
  const ir::Node& at = tree_.nodes[node];
  Frame& frame = push(node);
  if (frame.is_dead) return;
  frame.merge.label = out_.fresh();
  const Id last = function_.blocks[at.block].last;
  const auto terminator = function_.operands_of(last);
  std::vector<Word> labels(terminator.size(), 0);  // by operand
  for (std::uint32_t child = node + 1; child < at.end; child = tree_.nodes[child].end) {
    const ir::Node& one = tree_.nodes[child];
    frame.arms.push_back(out_.fresh());
    for (std::uint32_t k = 0; k < one.label_count; ++k) labels[tree_.labels[one.first_label + k]] = frame.arms.back();
  }
  std::vector<Word> words{value(terminator[0]), 0};
  for (std::size_t k = 1; k < terminator.size(); k += 2) {
    if (labels[k] == 0) {
      labels[k] = frame.merge.label;
      frame.merge.to = terminator[k];
      if (frame.merge.edges.empty()) frame.merge.edges.push_back({label_, phi_values(at.block, terminator[k])});
    }
    if (k == 1) {
      words[1] = labels[k];
      continue;
    }
    const std::uint64_t bits = ir::constant_bits(function_, terminator[k - 1]);
    words.push_back(static_cast<Word>(bits));
    if (function_.insts[last].type == Type::i64) words.push_back(static_cast<Word>(bits >> 32));
    words.push_back(labels[k]);
  }
  effect(Opcode::selection_merge, {frame.merge.label, 0});
  body_.put(Opcode::switch_, words);
  label_ = 0;
}

void FunctionWriter::loop(std::uint32_t node) {
  const ir::Node& at = tree_.nodes[node];
  Frame& frame = push(node);
  if (frame.is_dead) return;
  frame.merge.label = out_.fresh();
  frame.next.label = out_.fresh();
  frame.header = out_.fresh();
  for (std::uint32_t inner = node + 1; inner < at.end; ++inner)
    frame.latch_continues |= tree_.nodes[inner].kind == NodeKind::continue_ && tree_.nodes[inner].target == node;
  frame.back = frame.latch_continues ? out_.fresh() : frame.next.label;
  const std::vector<Word> again = phi_values(at.latch, at.block);
  const Word before = label_;
  effect(Opcode::branch, {frame.header});
  place(frame.header);
  std::size_t k = 0;
  for (Id id = function_.blocks[at.block].first; id != kNone && function_.insts[id].op == Op::phi; id = function_.next[id], ++k)
    define(id, op(Opcode::phi, word_type(type(id)), {carried_[k], before, again[k], frame.back}));
  effect(Opcode::loop_merge, {frame.merge.label, frame.next.label, 0});
  const Word inside = out_.fresh();
  effect(Opcode::branch, {inside});
  place(inside);
  going_to_ = at.block;
  carried_.clear();
  is_bound_ = true;
}

// A region that is left by breaks: a switch without cases.
void FunctionWriter::once(std::uint32_t node) {
  Frame& frame = push(node);
  if (frame.is_dead) return;
  frame.merge.label = out_.fresh();
  const Word inside = out_.fresh();
  effect(Opcode::selection_merge, {frame.merge.label, 0});
  effect(Opcode::switch_, {u32(0), inside});
  place(inside);
}

// A break or continue. A loop may be left, or continued, from selections and switches in it, and a switch from selections. Other ways go by
// the labels after the loops and switches that they leave, and choose there.
void FunctionWriter::leave(std::uint32_t target, bool continues) {
  if (label_ == 0) return;
  const bool is_loop = tree_.nodes[target].kind == NodeKind::loop;
  const std::uint32_t innermost = is_loop ? loops_.back() : left_by_breaks_.back();
  if (innermost != target) return jump(frames_[frame_of_[innermost]].merge, {target, continues, going_to_});
  Frame& frame = frames_[frame_of_[target]];
  jump(continues ? frame.next : frame.merge);
}

void FunctionWriter::close(Frame frame) {
  const NodeKind kind = tree_.nodes[frame.node].kind;
  if (kind == NodeKind::then_ || kind == NodeKind::else_ || kind == NodeKind::case_) {
    if (label_ != 0) jump(frames_.back().merge);
    return;
  }
  if (frame.is_dead) return;
  if (kind == NodeKind::loop) {
    if (!frame.latch_continues) {
      if (label_ != 0) jump(frame.next);
      place(frame.next.label);
    } else if (label_ != 0) {
      step_to(frame.back);
    }
    if (label_ != 0) effect(Opcode::branch, {frame.header});
  } else if (kind == NodeKind::once && label_ != 0) {
    jump(frame.merge);
  }
  enter(frame.merge);
}

}  // namespace unshade::write::spirv_writer
