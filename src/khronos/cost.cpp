#include "khronos/cost.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/spirv/id_map.hpp>

#include "khronos/limits.hpp"

namespace unshade::khronos {

namespace {

using spirv::Instruction;
using spirv::Opcode;

constexpr std::uint64_t kMost = std::uint64_t{1} << 62;

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return std::min(kMost, a + b); }
std::uint64_t product(std::uint64_t a, std::uint64_t b) { return b != 0 && a > kMost / b ? kMost : a * b; }

/// What an id stands for, with all that it shares written out.
struct Expansion {
  std::uint64_t size = 0;    ///< of a type: types in it; of a constant: constants in it; 0: neither
  std::uint64_t values = 0;  ///< of a type: scalars and vectors in one of it
  std::uint32_t depth = 0;
  std::uint32_t stride = 0;  ///< ArrayStride
  std::uint32_t literal = 0;
  std::uint64_t decorations = 0;
  bool is_structure = false;
};

struct Function {
  std::uint32_t first_word = 0;
  std::uint32_t index = 0;  ///< of its instruction
  std::uint32_t instructions = 0;
  std::vector<std::uint32_t> callees;
};

struct Block {
  std::vector<std::uint32_t> targets;
  std::uint32_t merge = 0;
  std::uint32_t next = 0;  ///< the continue target of a loop
  std::uint32_t first_word = 0;
  std::uint32_t index = 0;
  std::uint32_t depth = 0;  ///< 1: in no construct; 0: not reached yet
};

class Meter {
 public:
  explicit Meter(const spirv::Module& module) : module_(module), ids_(std::size_t{4} * module.word_count()) {
    ids_.reserve(module.header().bound);
  }

  std::optional<Error> measure() {
    for (const Instruction instruction : module_) {
      take(instruction);
      if (found_) return found_;
      ++index_;
    }
    calls();
    return found_;
  }

 private:
  void refuse(std::string message) { refuse(module_.bytes().file_offset() + std::uint64_t{4} * word_, index_, std::move(message)); }
  void refuse(std::uint64_t offset, std::uint32_t index, std::string message) {
    if (!found_) found_ = Error{ErrorCode::limit, offset, "instructions[" + std::to_string(index) + ']', std::move(message)};
  }

  void take(const Instruction& i) {
    word_ = i.first_word();
    switch (i.opcode()) {
      case Opcode::name: equal_names(i, 2, 0); break;
      case Opcode::member_name: equal_names(i, 3, (std::uint64_t{i.word(1)} + 1) << 32 | 1); break;
      case Opcode::decorate: {
        Expansion& target = ids_[i.word(1)];
        target.decorations = sum(target.decorations, 1);
        if (static_cast<spirv::Decoration>(i.word(2)) == spirv::Decoration::array_stride) target.stride = i.word(3);
        break;
      }
      case Opcode::group_decorate:
      case Opcode::group_member_decorate: {
        const std::uint64_t targets = i.word_count() - std::min(i.word_count(), 2U);
        decorations_ = sum(decorations_, product(targets, ids_.get(i.word(1)).decorations));
        if (decorations_ > kDecorations) refuse("decoration groups expand to more than " + std::to_string(kDecorations) + " decorations");
        break;
      }
      case Opcode::function:
        functions_.push_back({i.first_word(), index_, 0, {}});
        function_of_[i.word(2)] = static_cast<std::uint32_t>(functions_.size());
        blocks_.clear();
        block_of_.clear();
        break;
      case Opcode::function_end: constructs(); break;
      case Opcode::function_call:
        if (!functions_.empty()) functions_.back().callees.push_back(i.word(3));
        break;
      case Opcode::entry_point: entries_.push_back(i.word(2)); break;
      default: flow(i); break;
    }
    if (!functions_.empty()) {
      ++functions_.back().instructions;
    } else if (const spirv::OpcodeInfo* const info = i.info(); info != nullptr && info->has_result) {
      define(i, *info);
    }
  }

  // --- types and constants
  void define(const Instruction& i, const spirv::OpcodeInfo& info) {
    Expansion made;
    std::uint32_t id = i.word(info.has_type ? 2 : 1);
    const auto contain = [&](std::uint32_t part, std::uint64_t times = 1) {
      const Expansion& inner = ids_.get(part);
      made.size = sum(made.size, product(times, std::max<std::uint64_t>(inner.size, 1)));
      made.depth = std::max(made.depth, inner.depth + 1);
      return inner.values;
    };
    made.size = 1;
    made.values = 1;
    switch (i.opcode()) {
      case Opcode::type_struct:
        made.is_structure = true;
        made.values = 0;
        for (std::uint32_t word = 2; word < i.word_count(); ++word) made.values = sum(made.values, contain(i.word(word)));
        break;
      case Opcode::type_array:
      case Opcode::type_runtime_array: {
        const std::uint32_t stride = ids_.get(id).stride;
        const std::uint32_t length = i.opcode() == Opcode::type_array ? std::max(ids_.get(i.word(3)).literal, 1U) : 1;
        // The validator lays out as many elements of a struct as have another place in 16 bytes.
        const std::uint32_t places = ids_.get(i.word(2)).is_structure && stride != 0 ? 16 / std::gcd(stride, 16U) : 1;
        made.values = product(length, contain(i.word(2), std::min(places, length)));
        break;
      }
      case Opcode::type_vector: break;
      case Opcode::type_matrix: made.values = i.word(3); break;
      case Opcode::type_pointer: contain(i.word(3)); break;
      case Opcode::type_function:
        for (std::uint32_t word = 2; word < i.word_count(); ++word) contain(i.word(word));
        break;
      case Opcode::constant:
      case Opcode::spec_constant: made.literal = i.word(3); break;
      case Opcode::constant_composite:
      case Opcode::spec_constant_composite:
        for (std::uint32_t word = 3; word < i.word_count(); ++word) contain(i.word(word));
        break;
      case Opcode::spec_constant_op:
        for (std::uint32_t word = 4; word < i.word_count(); ++word) contain(i.word(word));
        break;
      case Opcode::constant_null: made.size = std::max<std::uint64_t>(ids_.get(i.word(1)).values, 1); break;
      case Opcode::variable: made.size = std::max<std::uint64_t>(ids_.get(i.word(1)).size, 1); break;
      default: break;
    }
    if (made.depth > kNesting) refuse("types or constants are nested more than " + std::to_string(kNesting) + " deep");
    expanded_ = sum(expanded_, made.size);
    if (expanded_ > kExpanded) refuse("types and constants expand to more than " + std::to_string(kExpanded) + " operands");
    // Validators name what has no name by what it is, so that twins have equal names too.
    if (i.opcode() == Opcode::type_pointer || i.opcode() == Opcode::type_array || i.opcode() == Opcode::constant ||
        i.opcode() == Opcode::constant_true || i.opcode() == Opcode::constant_false) {
      std::uint64_t key = static_cast<std::uint64_t>(i.opcode()) + 3;
      for (std::uint32_t word = 1; word < i.word_count(); ++word)
        if (i.word(word) != id) key = (key ^ i.word(word)) * 0x9e37'79b9'7f4a'7c15U + (key >> 29);
      equal(key);
    }
    Expansion& kept = ids_[id];
    made.stride = kept.stride;
    made.decorations = kept.decorations;
    kept = made;
  }

  // --- names
  void equal_names(const Instruction& i, std::uint32_t word, std::uint64_t key) {
    std::string buffer;
    const std::string_view name = spirv::literal_string(i, word, buffer);
    if (name.empty()) return;
    // What is no letter or digit becomes the same character. FNV-1a, with the struct of a member's name in front.
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325U ^ key;
    for (const char c : name) {
      const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      hash = (hash ^ static_cast<unsigned char>(is_plain ? c : '_')) * 0x100'0000'01b3U;
    }
    equal(hash);
  }
  void equal(std::uint64_t key) {
    // Each is compared with all before it until one is free.
    compared_ = sum(compared_, names_[key]++);
    if (compared_ > kNamePairs) refuse("more than " + std::to_string(kNamePairs) + " pairs of equal names");
  }

  // --- blocks
  void flow(const Instruction& i) {
    if (functions_.empty()) return;
    if (i.opcode() == Opcode::label) {
      blocks_.push_back({});
      blocks_.back().first_word = i.first_word();
      blocks_.back().index = index_;
      block_of_[i.word(1)] = static_cast<std::uint32_t>(blocks_.size());
      if (blocks_.size() > kBlocks) refuse("the function has more than " + std::to_string(kBlocks) + " blocks");
      return;
    }
    if (blocks_.empty()) return;
    Block& block = blocks_.back();
    const auto targets = [&](std::uint32_t first, std::uint32_t last, std::uint32_t step) {
      for (std::uint32_t word = first; word < last; word += step) block.targets.push_back(i.word(word));
    };
    switch (i.opcode()) {
      case Opcode::selection_merge: block.merge = i.word(1); break;
      case Opcode::loop_merge:
        block.merge = i.word(1);
        block.next = i.word(2);
        break;
      case Opcode::branch: targets(1, 2, 1); break;
      case Opcode::branch_conditional: targets(2, 4, 1); break;
      // Literals of 64 bits put other words where labels are: what is no label is no block.
      case Opcode::switch_: targets(2, i.word_count(), 1); break;
      default: break;
    }
  }

  /// How deep constructs nest: what a header leads to lies in its construct, but for the merge block, which lies where the header does.
  void constructs() {
    if (blocks_.empty()) return;
    std::vector<std::uint32_t> open{0};
    blocks_[0].depth = 1;
    const auto reach = [&](std::uint32_t label, std::uint32_t depth) {
      const auto block = block_of_.find(label);
      if (block == block_of_.end() || blocks_[block->second - 1].depth != 0) return;
      blocks_[block->second - 1].depth = depth;
      open.push_back(block->second - 1);
    };
    while (!open.empty()) {
      const Block& block = blocks_[open.back()];
      open.pop_back();
      if (block.depth > kConstructs + 1)
        return refuse(module_.bytes().file_offset() + std::uint64_t{4} * block.first_word, block.index,
                      "constructs are nested more than " + std::to_string(kConstructs) + " deep");
      const std::uint32_t inside = block.depth + (block.merge != 0 ? 1 : 0);
      if (block.merge != 0) reach(block.merge, block.depth);
      if (block.next != 0) reach(block.next, inside);
      for (const std::uint32_t target : block.targets) reach(target, inside);
    }
  }

  // --- calls
  void calls() {
    struct Cost {
      std::uint64_t instructions = 0;
      std::uint32_t depth = 0;
      bool is_open = false;
      bool is_known = false;
    };
    std::vector<Cost> costs(functions_.size());
    struct Frame {
      std::uint32_t function;
      std::size_t next;
    };
    std::vector<Frame> open;
    const auto enter = [&](std::uint32_t function) {
      costs[function].is_open = true;
      costs[function].instructions = functions_[function].instructions;
      open.push_back({function, 0});
    };
    std::uint64_t all = 0;
    const auto walk = [&](std::uint32_t from) {
      if (!costs[from].is_known) enter(from);
      while (!open.empty()) {
        Frame& frame = open.back();
        const Function& function = functions_[frame.function];
        Cost& cost = costs[frame.function];
        if (frame.next == function.callees.size()) {
          cost.is_known = true;
          cost.is_open = false;
          if (cost.depth > kNesting)
            return refuse(module_.bytes().file_offset() + std::uint64_t{4} * function.first_word, function.index,
                          "calls are nested more than " + std::to_string(kNesting) + " deep");
          open.pop_back();
          continue;
        }
        const auto callee = function_of_.find(function.callees[frame.next]);
        if (callee == function_of_.end() || costs[callee->second - 1].is_open) {
          ++frame.next;  // no function, or a recursion, which the validator tells of
        } else if (const Cost& inner = costs[callee->second - 1]; inner.is_known) {
          cost.instructions = sum(cost.instructions, inner.instructions);
          cost.depth = std::max(cost.depth, inner.depth + 1);
          ++frame.next;
        } else {
          enter(callee->second - 1);
        }
      }
      all = sum(all, costs[from].instructions);
      if (all > kCalled)
        refuse(module_.bytes().file_offset() + std::uint64_t{4} * functions_[from].first_word, functions_[from].index,
               "a function and its callees, counted once per call, have more than " + std::to_string(kCalled) + " instructions");
    };
    for (const std::uint32_t entry : entries_) {
      if (const auto found = function_of_.find(entry); found != function_of_.end()) walk(found->second - 1);
      if (found_) return;
    }
    // Functions that no entry point calls, as of a library.
    for (std::uint32_t function = 0; function < functions_.size() && !found_; ++function)
      if (!costs[function].is_known) walk(function);
  }

  const spirv::Module& module_;
  spirv::IdMap<Expansion> ids_;
  std::optional<Error> found_;
  std::uint32_t index_ = 0;
  std::uint32_t word_ = 0;
  std::uint64_t expanded_ = 0;
  std::uint64_t decorations_ = 0;
  std::uint64_t compared_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> names_;
  std::vector<Function> functions_;
  std::unordered_map<std::uint32_t, std::uint32_t> function_of_;  // by id: index + 1
  std::vector<std::uint32_t> entries_;
  std::vector<Block> blocks_;  // of the function at hand
  std::unordered_map<std::uint32_t, std::uint32_t> block_of_;
};

}  // namespace

std::optional<Error> find_excess(const spirv::Module& module) { return Meter(module).measure(); }

}  // namespace unshade::khronos
