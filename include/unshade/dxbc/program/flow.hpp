// How instructions divide a program into blocks, and what may stand where: for all that reads programs with their structure. Those of
// Direct3D 9 have the same: dxbc/level9/sm2_flow.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/dxbc/program.hpp>

namespace unshade::dxbc::program {

/// What an instruction does to the flow of control.
enum class Flow : std::uint8_t {
  plain,
  declaration,  ///< performs nothing, and is in no block
  body,         ///< begins code of its own: a label, or a phase of a hull shader
  if_,          ///< if a condition holds
  else_,
  end_if,
  loop,
  counted_loop,  ///< may be left at its beginning, before each round
  end_loop,
  switch_,
  case_,
  default_,
  end_switch,
  break_,
  break_if,
  continue_,
  continue_if,
  return_,
  return_if,
};

/// By the word of an instruction table's column `sem`; plain for all others.
Flow flow_of_word(std::string_view sem);
Flow flow_of(const Instruction& instruction);

/// Whether an instruction opens or closes a construct, or is a label in one: readers that skip code which nothing reaches must read it.
constexpr bool bounds_construct(Flow flow) { return flow >= Flow::if_ && flow <= Flow::end_switch; }
/// Whether a jump depends on a condition, so that code goes on after it too.
constexpr bool is_conditional(Flow flow) { return flow == Flow::break_if || flow == Flow::continue_if || flow == Flow::return_if; }

/// The constructs that are open at a place of a program, outermost first. Of each, `Kept` has what a reader keeps.
template <class Kept>
class Constructs {
 public:
  struct Construct : Kept {
    Flow kind;              ///< if_, loop or switch_
    bool has_else = false;  ///< or a default
    /// The innermost loop, and loop or switch, that this is or is in: places from 1, 0 for none. So that finding them takes no search,
    /// which a program of many jumps in many constructs would multiply.
    std::size_t loop = 0, leavable = 0;
  };

  bool empty() const { return open_.size() == floor_; }
  std::size_t depth() const { return open_.size(); }
  Construct& back() { return open_.back(); }
  /// Those below the floor belong to a caller: nothing in the body that is called closes or leaves them.
  std::size_t floor() const { return floor_; }
  void set_floor(std::size_t floor) { floor_ = floor; }
  void clear() { open_.clear(); }

  /// `kind` may be counted_loop too, which is a loop.
  Construct& open(Flow kind, Kept kept) {
    if (kind == Flow::counted_loop) kind = Flow::loop;
    const std::size_t place = open_.size() + 1;
    const std::size_t loop = kind == Flow::loop ? place : open_.empty() ? 0 : back().loop;
    const std::size_t leavable = kind != Flow::if_ ? place : open_.empty() ? 0 : back().leavable;
    open_.push_back({std::move(kept), kind, false, loop, leavable});
    return open_.back();
  }
  /// Closes the innermost one.
  Construct close() {
    Construct closed = std::move(open_.back());
    open_.pop_back();
    return closed;
  }

  /// The open construct that an instruction belongs to: that which it closes, of whose parts it begins one, or which it leaves or
  /// continues. Null if it may not stand here.
  Construct* owner_of(Flow flow) {
    switch (flow) {
      case Flow::else_: return is_in(Flow::if_) && !back().has_else ? &back() : nullptr;
      case Flow::end_if: return is_in(Flow::if_) ? &back() : nullptr;
      case Flow::end_loop: return is_in(Flow::loop) ? &back() : nullptr;
      case Flow::case_:
      case Flow::default_:
      case Flow::end_switch: return is_in(Flow::switch_) ? &back() : nullptr;
      case Flow::break_:
      case Flow::break_if: return empty() ? nullptr : at(back().leavable);
      case Flow::continue_:
      case Flow::continue_if: return empty() ? nullptr : at(back().loop);
      default: return nullptr;
    }
  }

 private:
  bool is_in(Flow kind) const { return !empty() && open_.back().kind == kind; }
  Construct* at(std::size_t place) { return place > floor_ ? &open_[place - 1] : nullptr; }

  std::vector<Construct> open_;
  std::size_t floor_ = 0;
};

}  // namespace unshade::dxbc::program
