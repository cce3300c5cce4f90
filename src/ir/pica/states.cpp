#include "ir/pica/states.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include <unshade/core/limits.hpp>

namespace unshade::ir::lower_pica {
namespace {

using pica::Flow;
using pica::Instruction;

// A ring: the newest last. One that is full loses its oldest.
template <class Frame, std::size_t N>
struct Ring {
  std::uint16_t size = 0;
  std::array<Frame, N> frames{};

  bool empty() const { return size == 0; }
  const Frame& top() const { return frames[size - 1U]; }
  bool push(const Frame& frame) {  // true if the oldest was lost
    const bool full = size == N;
    if (full) {
      std::copy(frames.begin() + 1, frames.end(), frames.begin());
      --size;
    }
    frames[size++] = frame;
    return full;
  }
  void pop() { frames[--size] = Frame{}; }
};

struct IfFrame {
  std::uint16_t end = 0, resume = 0;
};
struct CallFrame {
  std::uint16_t end = 0, back = 0;
};
struct LoopFrame {
  std::uint16_t begin = 0, end = 0, integer = 0;
};

struct State {
  std::uint16_t pc = 0;
  std::uint16_t oldest_loop = 0;  // slot of the oldest loop in the ring
  Ring<IfFrame, 8> ifs;
  Ring<CallFrame, 4> calls;
  Ring<LoopFrame, kLoopSlots> loops;

  std::uint8_t slot_of_top() const { return static_cast<std::uint8_t>((oldest_loop + loops.size - 1U) % kLoopSlots); }
  std::string key() const {
    static_assert(std::has_unique_object_representations_v<State>);
    return {reinterpret_cast<const char*>(this), sizeof *this};
  }
};

class Explorer {
 public:
  explicit Explorer(const std::vector<Instruction>& code)
      : code_(code), most_(std::min(limits::kPicaStates, limits::kPicaStatesPerWord * code.size() + limits::kPicaStatesBase)) {}

  Result<std::vector<Node>> run(std::uint32_t entry) {
    if (entry >= code_.size()) return Error{ErrorCode::out_of_range, 0, "", "the entry point is outside of the code"};
    State first;
    first.pc = static_cast<std::uint16_t>(entry);
    add(first);
    while (!waiting_.empty()) {
      const auto [number, state] = std::move(waiting_.back());
      waiting_.pop_back();
      if (nodes_.size() > most_) {
        return Error{ErrorCode::limit, std::uint64_t{state.pc} * 4, "",
                     "calls and blocks nest into more than " + std::to_string(most_) + " states of the program"};
      }
      expand(number, state);
    }
    return std::move(nodes_);
  }

 private:
  std::uint32_t add(State state) {
    if (state.pc >= code_.size()) return kTrap;
    if (state.loops.empty()) state.oldest_loop = 0;
    const auto [found, is_new] = numbers_.try_emplace(state.key(), static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) {
      nodes_.emplace_back().pc = state.pc;
      waiting_.emplace_back(found->second, state);
    }
    return found->second;
  }

  // What follows once an instruction has left its frames in `state` and asks for `target`: ends of calls, blocks and loops at the next
  // word. src: docs/reference/formats/shbin.md, "Flow control"
  void finish(std::uint32_t number, State state, std::uint16_t target, bool taken) {
    const auto end = static_cast<std::uint16_t>(state.pc + 1U);
    while (!state.calls.empty() && state.calls.top().end == end) {
      target = state.calls.top().back;
      state.calls.pop();
    }
    if (!state.ifs.empty() && state.ifs.top().end == end) {
      target = state.ifs.top().resume;
      state.ifs.pop();
    }
    Edge edge{.taken = taken};
    if (!state.loops.empty() && state.loops.top().end == end) {
      edge.slot = state.slot_of_top();
      edge.integer = static_cast<std::uint8_t>(state.loops.top().integer);
      edge.restores_counter = state.loops.size > 1;
      State done = state;
      done.loops.pop();
      done.pc = target;
      edge.loop = Edge::Loop::done;
      edge.next = add(done);
      nodes_[number].edges.push_back(edge);
      edge.loop = Edge::Loop::again;
      target = state.loops.top().begin;
    }
    state.pc = target;
    edge.next = add(state);
    nodes_[number].edges.push_back(edge);
  }

  void expand(std::uint32_t number, const State& state) {
    const Instruction& inst = code_[state.pc];
    const auto next = static_cast<std::uint16_t>(state.pc + 1U);
    const pica::OpcodeInfo& row = pica::info(inst.opcode);
    // What follows if the condition is false: of a branch the else part.
    if (row.is_conditional()) finish(number, state, row.flow == Flow::branch ? inst.target : next, false);
    State taken = state;
    switch (row.flow) {
      case Flow::stop: nodes_[number].edges.push_back({.next = kEnd}); return;
      case Flow::call:
        taken.calls.push({static_cast<std::uint16_t>(inst.end()), next});
        finish(number, taken, inst.target, true);
        return;
      case Flow::jump: finish(number, state, inst.target, true); return;
      case Flow::branch:
        taken.ifs.push({inst.target, static_cast<std::uint16_t>(inst.whole_block_end())});
        finish(number, taken, next, true);
        return;
      case Flow::loop:
        if (taken.loops.push({next, static_cast<std::uint16_t>(inst.block_end()), inst.uniform})) {
          taken.oldest_loop = static_cast<std::uint16_t>((taken.oldest_loop + 1U) % kLoopSlots);
        }
        nodes_[number].loop_slot = taken.slot_of_top();
        finish(number, taken, next, true);
        return;
      case Flow::leave: {
        if (state.loops.empty()) {
          nodes_[number].edges.push_back({.taken = true, .next = kTrap});
          return;
        }
        nodes_[number].loop_slot = state.slot_of_top();
        nodes_[number].leaves_nested = state.loops.size > 1;
        const auto left = state.loops.top().end;
        taken.loops.pop();
        finish(number, taken, left, true);
        return;
      }
      case Flow::next: finish(number, state, next, false); return;
    }
  }

  const std::vector<Instruction>& code_;
  const std::size_t most_;  ///< states
  std::vector<Node> nodes_;
  std::vector<std::pair<std::uint32_t, State>> waiting_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace

Result<std::vector<Node>> explore(const std::vector<Instruction>& code, std::uint32_t entry) { return Explorer(code).run(entry); }

std::vector<std::uint32_t> find_leaders(const std::vector<Node>& nodes) {
  std::vector<std::uint32_t> entered(nodes.size());
  std::vector<bool> leads(nodes.size());
  entered[0] = 1;
  leads[0] = true;
  for (const Node& node : nodes) {
    for (const Edge& edge : node.edges) {
      if (edge.next >= nodes.size()) continue;
      if (++entered[edge.next] > 1 || node.edges.size() > 1) leads[edge.next] = true;
    }
  }
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (!leads[node]) entered[node] = 0;
  }
  return entered;
}

}  // namespace unshade::ir::lower_pica
