// What each family's control flow is read from: its program, and the places of its instructions in the listing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text_origin.hpp>
#include <unshade/dxbc/program/flow.hpp>
#include <unshade/shader/flow.hpp>

namespace unshade::shader::flow {

/// The listing by lines, and where its instructions are.
class Lines {
 public:
  /// `start`: where the text begins in that which the origins count from.
  Lines(std::string_view text, std::size_t start, TextOrigins origins);

  std::span<const TextOrigin> origins() const { return origins_; }
  /// The line of an instruction, from 0.
  std::uint32_t line_of(std::size_t origin) const { return lines_of_origins_[origin]; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(begins_.size()); }
  std::string_view line(std::uint32_t number) const {
    const std::size_t end = number + 1 < begins_.size() ? begins_[number + std::size_t{1}] - 1 : text_.size();
    return text_.substr(begins_[number], end - begins_[number]);
  }
  /// Fills a block's lines and bytes: those of instructions from `first` to `last`.
  void place(FlowBlock& block, std::size_t first, std::size_t last) const;
  /// Adds lines in front of a block, or after it.
  static void grow(FlowBlock& block, std::uint32_t before, std::uint32_t after) {
    block.line -= before;
    block.lines += before + after;
  }

 private:
  std::string_view text_;
  TextOrigins origins_;
  std::vector<std::size_t> begins_;  ///< of each line
  std::vector<std::uint32_t> lines_of_origins_;
};

/// Sorts the edges by block, and gives labels of a switch with one target one edge.
void arrange_edges(FlowFunction& function);

/// Finds the basic blocks of code whose blocks are marked by the words of its instructions, as those of DXBC and Direct3D 9 are.
class Structured {
 public:
  using Word = dxbc::program::Flow;

  /// `entry`: the name of the code before the first Word::body.
  Structured(const Lines& lines, Flow& flow, std::string_view entry) : lines_(lines), flow_(flow), entry_(entry) {}

  /// The next instruction, at a place among the origins; `name`: of a body that it begins, or the value of a case. False, with a reason, if
  /// it does not fit.
  bool add(Word word, std::size_t origin, std::string_view name = {});
  bool finish();
  const char* fault() const { return fault_; }
  std::size_t fault_origin() const { return origin_; }

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  struct Kept {
    std::uint32_t head = kNone;               ///< block of the word; of a loop the one that it goes back to
    std::vector<std::uint32_t> exits{};       ///< edges that go where it ends
    std::vector<std::uint32_t> else_exits{};  ///< of an if: the edge for a condition that does not hold
  };
  using Constructs = dxbc::program::Constructs<Kept>;
  /// Places of the first and last instruction of a block.
  struct Bounds {
    static constexpr std::size_t kNowhere = ~std::size_t{0};
    std::size_t first = 0, last = kNowhere;
  };
  /// What the open block holds so far, if it is nothing else.
  enum class Only : std::uint8_t { nothing, ends, labels };

  bool refuse(const char* why) {
    fault_ = why;
    return false;
  }
  FlowFunction& function() { return flow_.functions.back(); }
  void begin_function(std::string_view name);
  bool end_function();
  std::uint32_t make_block();
  /// A block that the listing does not show: the function ends.
  std::uint32_t make_return();
  /// The block that the instruction belongs to: that which is open, or a new one, to which all edges lead that are pending.
  std::uint32_t here();
  /// Ends the open block, from which code goes on to the next.
  void fall();
  /// An edge from a block to one that is not known yet; the edge's number.
  std::uint32_t leave(std::uint32_t from, FlowKind kind);
  void land(std::vector<std::uint32_t>& edges, std::uint32_t to);
  void meet(std::vector<std::uint32_t> exits);
  bool jump(Word word);
  bool end_construct(Word word, const char* fault);

  const Lines& lines_;
  Flow& flow_;
  std::string_view entry_;
  Constructs open_;
  std::vector<Bounds> bounds_;   ///< of the function's blocks
  std::uint32_t block_ = kNone;  ///< that is open
  Only only_ = Only::nothing;
  std::vector<std::uint32_t> pending_;  ///< edges to the next block
  std::size_t origin_ = 0;
  bool in_function_ = false;
  const char* fault_ = nullptr;
};

// Each adds the functions of a family's program to `flow`.
Result<void> flow_of_dxbc(const Shader& shader, const Lines& lines, Flow& flow);
Result<void> flow_of_dxil(const Shader& shader, const Lines& lines, Flow& flow);
Result<void> flow_of_pica(const Shader& shader, const Lines& lines, Flow& flow);
Result<void> flow_of_spirv(const Shader& shader, const Lines& lines, Flow& flow);

}  // namespace unshade::shader::flow
