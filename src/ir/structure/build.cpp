// Structures functions. A sequence is a block or loop with what follows it; each of its parts may go on to the next by running off its end,
// or further by a break. src: N. Ramsey, "Beyond Relooper: Recursive Translation of Unstructured Control Flow to Structured Control Flow",
// 2022: here without recursion, and with a region to break out of only where no loop or switch ends at that place.
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <unshade/ir/structure.hpp>

#include "ir/flow.hpp"
#include "ir/structure/places.hpp"
#include "ir/structure/tree.hpp"

namespace unshade::ir {
namespace structure {
namespace {

class Structurer {
 public:
  explicit Structurer(const Function& function)
      : function_(function),
        flow_(function),
        places_(function, flow_),
        leaves_to_(function.blocks.size(), kNone),
        continues_(function.blocks.size(), kNone),
        sequence_of_(function.blocks.size(), kNone),
        waiting_(function.blocks.size()),
        seen_(function.blocks.size(), kNone),
        case_of_(function.blocks.size(), kNone) {}

  Structure build() {
    start(0, kRoot, kNone);
    while (!tasks_.empty()) {
      switch (tasks_.back().kind) {
        case TaskKind::sequence: go_on(); break;
        case TaskKind::edge: {
          const Task task = tasks_.back();
          tasks_.pop_back();
          edge(task.head, task.to, task.body, task.next);
          break;
        }
        case TaskKind::close: {
          const Task task = tasks_.back();
          tasks_.pop_back();
          if (task.next != kNone) leaves_to_[task.next] = task.before;
          if (task.to != kNone) continues_[task.to] = kNone;
          break;
        }
      }
    }
    return tree_.take([&](BlockId block) { return places_.only_returns(block); });
  }

 private:
  static constexpr std::uint32_t kRoot = Tree::kRoot;
  enum class TaskKind : std::uint8_t { sequence, edge, close };
  struct Task {
    TaskKind kind;
    std::uint32_t body = kNone;    ///< the node that what is made goes to the end of
    BlockId head = kNone;          ///< of a sequence its first block; of an edge where it begins
    BlockId next = kNone;          ///< where what runs off the end of `body` gets; of a close, of the node that ends
    BlockId to = kNone;            ///< of a sequence, the next block after those that have begun; of an edge its end; of a close, a latch
    bool in_loop = false;          ///< a sequence within the loop of its head
    std::uint32_t part = kNone;    ///< of a sequence: which of its parts has begun, from 0
    std::uint32_t before = kNone;  ///< of a close: what left to the same block before
    std::size_t first_mark = 0;    ///< of a sequence, its own in marks_
  };
  /// Where a part of a sequence begins in its body: after a node; kNone: at the start.
  struct Mark {
    std::uint32_t part, after;
  };
  /// Breaks to a block that ends no loop or switch: they need a region to leave.
  struct Waiting {
    std::uint32_t first_part = kNone;
    std::vector<std::uint32_t> breaks;
  };

  void start(BlockId head, std::uint32_t body, BlockId next) {
    const bool loops = places_.is_header(head);
    begin_sequence({.kind = TaskKind::sequence,
                    .body = body,
                    .head = head,
                    .next = next,
                    .to = loops ? places_.first_after_loop(head) : places_.first_after(head)});
  }
  void begin_sequence(Task task) {
    task.first_mark = marks_.size();
    const auto number = static_cast<std::uint32_t>(tasks_.size());
    const bool after_loop = places_.is_header(task.head) && !task.in_loop;
    for (BlockId block = task.to; block != kNone; block = after_loop ? places_.next_after_loop(block) : places_.next_after(block))
      sequence_of_[block] = number;
    tasks_.push_back(task);
  }

  // The next part of the innermost sequence.
  void go_on() {
    Task& task = tasks_.back();
    const bool after_loop = places_.is_header(task.head) && !task.in_loop;
    ++task.part;
    if (task.part != 0 && task.to == kNone) {
      marks_.resize(task.first_mark);
      tasks_.pop_back();
      return;
    }
    const BlockId block = task.part == 0 ? task.head : task.to;
    if (task.part != 0) {
      enclose(task, block);
      task.to = after_loop ? places_.next_after_loop(block) : places_.next_after(block);
    }
    marks_.push_back({task.part, tree_.last(task.body)});
    const BlockId next = task.to == kNone ? task.next : task.to;
    const std::uint32_t body = task.body;
    if (task.part != 0) {
      start(block, body, next);
    } else if (after_loop) {
      loop(block, body, next);
    } else {
      tree_.add(body, NodeKind::block, block);
      leave(block, body, next);
    }
  }

  void loop(BlockId header, std::uint32_t body, BlockId next) {
    const std::uint32_t made = tree_.add(body, NodeKind::loop, header);
    const BlockId latch = places_.latch(header);
    tree_[made].latch = latch;
    open(made, next, latch == header ? kNone : latch);
    begin_sequence(
        {.kind = TaskKind::sequence, .body = made, .head = header, .next = header, .to = places_.first_after(header), .in_loop = true});
  }

  // Parts of a sequence up to here are a region if some of them break to `block`.
  void enclose(const Task& task, BlockId block) {
    Waiting& waiting = waiting_[block];
    if (waiting.first_part == kNone) return;
    while (marks_.back().part > waiting.first_part) marks_.pop_back();
    const std::uint32_t made = tree_.enclose(task.body, marks_.back().after);
    for (const std::uint32_t node : waiting.breaks) tree_[node].target = made;
    waiting.breaks = {};
  }

  // A node begins that breaks leave to `next`, and continues to `latch`.
  void open(std::uint32_t node, BlockId next, BlockId latch) {
    tasks_.push_back({.kind = TaskKind::close, .next = next, .to = latch, .before = next == kNone ? kNone : leaves_to_[next]});
    if (next != kNone) leaves_to_[next] = node;
    if (latch != kNone) continues_[latch] = node;
  }

  // What the terminator of a block does.
  void leave(BlockId block, std::uint32_t body, BlockId next) {
    const Id last = function_.blocks[block].last;
    const auto operands = function_.operands_of(last);
    switch (function_.insts[last].op) {
      case Op::jump: edge(block, operands[0], body, next); return;
      case Op::branch: {
        const std::uint32_t made = tree_.add(body, NodeKind::if_, block);
        const std::uint32_t yes = tree_.add(made, NodeKind::then_, kNone), no = tree_.add(made, NodeKind::else_, kNone);
        tasks_.push_back({.kind = TaskKind::edge, .body = no, .head = block, .next = next, .to = operands[2]});
        tasks_.push_back({.kind = TaskKind::edge, .body = yes, .head = block, .next = next, .to = operands[1]});
        return;
      }
      case Op::switch_: return choose(block, body, next);
      default: tree_.add(body, NodeKind::return_, block); return;
    }
  }

  // A case for each block, in the order of the labels; that of the default is last, unless it has labels.
  void choose(BlockId block, std::uint32_t body, BlockId next) {
    const auto operands = function_.operands_of(function_.blocks[block].last);
    const std::uint32_t made = tree_.add(body, NodeKind::switch_, block);
    open(made, next, kNone);
    const std::size_t first = cases_.size();
    const auto add_label = [&](std::uint32_t label) {
      const BlockId to = operands[label];
      if (seen_[to] != made) {
        seen_[to] = made;
        case_of_[to] = tree_.add(made, NodeKind::case_, to);
        cases_.push_back(case_of_[to]);
      }
      tree_.add_label(case_of_[to], label);
    };
    for (std::uint32_t label = 3; label < operands.size(); label += 2) add_label(label);
    add_label(1);
    for (std::size_t at = cases_.size(); at-- > first;)
      tasks_.push_back({.kind = TaskKind::edge, .body = cases_[at], .head = block, .next = next, .to = tree_[cases_[at]].block});
    cases_.resize(first);
  }

  void edge(BlockId from, BlockId to, std::uint32_t body, BlockId next) {
    if (to == next) return;
    if (places_.arm_of(to) == from) return start(to, body, next);
    const std::uint32_t left = leaves_to_[to];
    if (left != kNone && left == tree_.breakable_around(body)) {
      tree_[tree_.add(body, NodeKind::break_, to)].target = left;
    } else if (places_.only_returns(to)) {
      tree_.add(body, NodeKind::return_, to);
    } else if (continues_[to] != kNone) {
      const std::uint32_t loop = continues_[to];
      tree_[tree_.add(body, NodeKind::continue_, to)].target = loop;
    } else if (left != kNone) {
      tree_[tree_.add(body, NodeKind::break_, to)].target = left;
    } else {
      Waiting& waiting = waiting_[to];
      waiting.breaks.push_back(tree_.add(body, NodeKind::break_, to));
      waiting.first_part = std::min(waiting.first_part, tasks_[sequence_of_[to]].part);
    }
  }

  const Function& function_;
  const Flow flow_;
  const Places places_;
  Tree tree_;
  std::vector<Task> tasks_;
  std::vector<Mark> marks_;
  std::vector<std::uint32_t> leaves_to_;    ///< of a block, the innermost open node after which it comes
  std::vector<std::uint32_t> continues_;    ///< of a latch, its loop if that is open
  std::vector<std::uint32_t> sequence_of_;  ///< of a block that follows others, the task of its sequence
  std::vector<Waiting> waiting_;
  std::vector<std::uint32_t> seen_, case_of_;  ///< of a block, the last switch that names it, and its case
  std::vector<std::uint32_t> cases_;
};

}  // namespace
}  // namespace structure

Result<Structure> structure_of(const Function& function) {
  const auto refuse = [&](const char* why) {
    return Error{ErrorCode::unsupported, 0, function.name.empty() ? "function" : function.name, why};
  };
  if (function.irreducible) return refuse("the control flow is irreducible, and has no structure");
  if (function.order.empty()) return refuse("the function has no blocks");
  Structure made = structure::Structurer(function).build();
  assert(findings_of(function, made).empty());
  return made;
}

}  // namespace unshade::ir
