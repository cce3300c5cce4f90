// Blocks that instructions open and close, as blocks and edges of the IR.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <unshade/dxbc/program/flow.hpp>
#include <unshade/ir/builder.hpp>

namespace unshade::ir::lower_dxbc {

/// Constructs in unreachable code are opened and closed too, but nothing is built. Functions that return text say what is wrong with the
/// place of an instruction; nothing if it is right.
class Blocks {
 public:
  Blocks(Builder& builder, SsaVariables& variables) : builder_(builder), variables_(variables) {}

  bool reachable() const { return builder_.at() != kNone; }
  BlockId make();
  /// What follows is built there; kNone: nowhere.
  void go_on(BlockId block);
  /// The same, in a block whose predecessors are all known and end with the current one.
  void behind(BlockId merge);
  /// Branches to `target`, which is made now if nothing branched to it before; if_(): if the condition holds, or with `if_set` false if
  /// not.
  void leave(BlockId& target);
  void leave_if(BlockId& target, Id condition, bool if_set);

  void begin_if(Id condition, bool if_set);
  [[nodiscard]] std::string begin_else();
  [[nodiscard]] std::string end_if();
  void begin_loop();
  /// `step` is built at the end of each round.
  template <class Step>
  [[nodiscard]] std::string end_loop(Step step);
  void begin_switch(Id value, Source source);
  /// No value: default.
  [[nodiscard]] std::string begin_case(std::optional<std::uint32_t> value);
  [[nodiscard]] std::string end_switch();
  /// The exit of the innermost loop or switch, or the latch of the innermost loop; null outside of them.
  BlockId* break_target();
  BlockId* continue_target();

  /// Constructs that are open. Those below `floor` belong to a caller, and cannot be closed.
  std::size_t depth() const { return open_.depth(); }
  std::size_t floor() const { return open_.floor(); }
  void set_floor(std::size_t floor) { open_.set_floor(floor); }

  /// More blocks than limits::kInlinedBlocks.
  bool overflows() const { return overflows_; }
  /// Blocks as they were begun.
  std::vector<BlockId> take_order() { return std::move(order_); }

 private:
  struct Kept {
    bool is_dead = false;
    BlockId head = kNone;       // whose terminator begins it; of a loop the header
    BlockId otherwise = kNone;  // the block of else, or of default
    BlockId merge = kNone;      // after it, once something branches to it
    BlockId latch = kNone;      // of a loop, once something continues
    Id value = kNone;           // of a switch, as all that follows
    Source source{};
    std::vector<std::uint32_t> cases{};
    std::vector<BlockId> blocks{};
    std::unordered_set<Id> values{};
  };
  using Constructs = dxbc::program::Constructs<Kept>;
  using Construct = Constructs::Construct;
  using Flow = dxbc::program::Flow;
  Construct& open(Flow kind);
  void leave_loop(const Construct& loop);

  Builder& builder_;
  SsaVariables& variables_;
  Constructs open_;
  bool overflows_ = false;
  std::vector<BlockId> order_;
};

template <class Step>
std::string Blocks::end_loop(Step step) {
  if (open_.owner_of(Flow::end_loop) == nullptr) return "no matching loop";
  const Construct loop = open_.close();
  if (loop.is_dead) return {};
  if (loop.latch != kNone) behind(loop.latch);
  if (reachable()) step();
  leave_loop(loop);
  return {};
}

}  // namespace unshade::ir::lower_dxbc
