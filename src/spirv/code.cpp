#include <unshade/spirv/code.hpp>

#include <string>
#include <utility>

namespace unshade::spirv {

Graph Code::graph(const CodeFunction& f) const {
  Graph graph;
  graph.build(f.block_count, [&](auto&& add) {
    std::uint32_t from = 0;
    for (const Block& block : blocks(f)) {
      for (const std::uint32_t to : successors(block)) add(from, to);
      ++from;
    }
  });
  return graph;
}

/// One pass over the instructions; a second one over the terminators, since labels may come later.
class CodeReader {
 public:
  CodeReader(const Module& module, const IdTable& ids) : ids_(ids) { code_.module_ = &module; }

  Result<Code> read() {
    for (const Instruction instruction : *code_.module_) {
      instruction_ = instruction;
      if (const OpcodeInfo* const info = instruction.info(); info != nullptr) visit(*info);
      if (error_) return *std::move(error_);
    }
    if (in_function_) fail(ErrorCode::bad_value, "the module ends in a function");
    for (function_ = 0; function_ < code_.functions_.size() && !error_; ++function_) {
      const CodeFunction& f = code_.functions_[function_];
      for (std::uint32_t b = 0; b < f.block_count && !error_; ++b) resolve(code_.blocks_[f.first_block + b]);
    }
    if (error_) return *std::move(error_);
    return std::move(code_);
  }

 private:
  void visit(const OpcodeInfo& info) {
    switch (info.opcode) {
      case Opcode::function: return begin_function();
      case Opcode::function_parameter: return parameter();
      case Opcode::function_end: return end_function();
      case Opcode::label: return begin_block();
      case Opcode::line:
      case Opcode::no_line: return;
      case Opcode::loop_merge:
      case Opcode::selection_merge:
        if (in_block_) code_.blocks_.back().merge_info = instruction_.first_word();
        break;
      default: break;
    }
    // Extensions put debug information anywhere; other instructions without a block belong to the module if no function is open.
    if (in_function_ && !in_block_ && !is_extended(info.opcode)) return fail(ErrorCode::bad_value, "the instruction is not in a block");
    if (!info.has(traits::ends)) return;
    if (!in_block_) return fail(ErrorCode::bad_value, "a terminator outside of blocks");
    code_.blocks_.back().terminator = instruction_.first_word();
    in_block_ = false;
  }

  void begin_function() {
    if (in_function_) return fail(ErrorCode::bad_value, "OpFunction in another function");
    if (!has_words(5)) return;
    CodeFunction f;
    f.result_type = instruction_.word(1);
    f.id = instruction_.word(2);
    f.control = instruction_.word(3);
    f.type = instruction_.word(4);
    f.first_word = instruction_.first_word();
    f.first_parameter = static_cast<std::uint32_t>(code_.parameters_.size());
    f.first_block = static_cast<std::uint32_t>(code_.blocks_.size());
    auto& place = code_.places_[f.id].function;
    if (place != kNone) return fail(ErrorCode::bad_value, "a second function %" + std::to_string(f.id));
    place = static_cast<std::uint32_t>(code_.functions_.size());
    code_.functions_.push_back(f);
    in_function_ = true;
  }

  void parameter() {
    if (!in_function_ || code_.functions_.back().block_count != 0)
      return fail(ErrorCode::bad_value, "the parameter is not at the start of a function");
    if (!has_words(3)) return;
    code_.parameters_.push_back({instruction_.word(2), instruction_.word(1)});
    ++code_.functions_.back().parameter_count;
  }

  void end_function() {
    if (!in_function_) return fail(ErrorCode::bad_value, "OpFunctionEnd outside of functions");
    if (in_block_) return fail(ErrorCode::bad_value, "the last block has no terminator");
    in_function_ = false;
  }

  void begin_block() {
    if (!in_function_) return fail(ErrorCode::bad_value, "OpLabel outside of functions");
    if (in_block_) return fail(ErrorCode::bad_value, "the previous block has no terminator");
    if (!has_words(2)) return;
    Block block;
    block.label = instruction_.word(1);
    block.first_word = instruction_.first_word() + instruction_.word_count();
    auto& place = code_.places_[block.label];
    if (place.block != kNone) return fail(ErrorCode::bad_value, "a second block %" + std::to_string(block.label));
    place.block = code_.functions_.back().block_count++;
    place.block_function = static_cast<std::uint32_t>(code_.functions_.size() - 1);
    code_.blocks_.push_back(block);
    in_block_ = true;
  }

  // --- edges -----------------------------------------------------------------------------------------------------------------------

  void resolve(Block& block) {
    if (block.merge_info != 0) {
      instruction_ = code_.module_->at(block.merge_info);
      const bool is_loop = instruction_.opcode() == Opcode::loop_merge;
      if (!has_words(is_loop ? 4 : 3)) return;
      block.merge = target(1);
      if (is_loop) block.continue_ = target(2);
    }
    instruction_ = code_.module_->at(block.terminator);
    block.first_successor = static_cast<std::uint32_t>(code_.successors_.size());
    block.first_case = static_cast<std::uint32_t>(code_.cases_.size());
    switch (instruction_.opcode()) {
      case Opcode::branch:
        if (has_words(2)) follow(1);
        break;
      case Opcode::branch_conditional:
        if (has_words(4)) follow(2), follow(3);
        break;
      case Opcode::switch_:
        if (has_words(3)) follow(2), cases(block);
        break;
      default: break;
    }
    block.successor_count = static_cast<std::uint32_t>(code_.successors_.size()) - block.first_successor;
  }

  void cases(Block& block) {
    const NumberType number = ids_.number_type(ids_.type_of(instruction_.word(1)));
    if (number.width == 0 || number.is_float) return fail(ErrorCode::bad_value, "the selector is not an integer");
    const std::uint32_t words = number.words();
    if ((instruction_.word_count() - 3) % (words + 1) != 0) return fail(ErrorCode::truncated, "a case without its label");
    for (std::uint32_t at = 3; at < instruction_.word_count(); at += words + 1) {
      std::uint64_t value = instruction_.word(at);
      if (words == 2) value |= std::uint64_t{instruction_.word(at + 1)} << 32;
      code_.cases_.push_back({value, follow(at + words)});
      ++block.case_count;
    }
  }

  std::uint32_t follow(std::uint32_t word) {
    const std::uint32_t block = target(word);
    code_.successors_.push_back(block);
    return block;
  }

  std::uint32_t target(std::uint32_t word) {
    const std::uint32_t label = instruction_.word(word);
    const Code::Places& place = code_.places_.get(label);
    if (place.block != kNone && place.block_function == function_) return place.block;
    fail(ErrorCode::bad_value, '%' + std::to_string(label) + " is not a block of the function", word);
    return kNone;
  }

  bool has_words(std::uint32_t count) {
    if (instruction_.word_count() >= count) return true;
    fail(ErrorCode::truncated, std::to_string(instruction_.word_count()) + " words, expected " + std::to_string(count));
    return false;
  }

  void fail(ErrorCode code, std::string message, std::uint32_t word = 0) {
    if (error_) return;
    const OpcodeInfo* const info = instruction_.info();
    error_ = Error{code, code_.module_->file_offset(instruction_, word), info != nullptr ? "Op" + std::string(info->text) : "",
                   std::move(message)};
  }

  const IdTable& ids_;
  Code code_;
  Instruction instruction_;
  std::optional<Error> error_;
  std::size_t function_ = 0;
  bool in_function_ = false;
  bool in_block_ = false;
};

Result<Code> read_code(const Module& module, const IdTable& ids) { return CodeReader(module, ids).read(); }

}  // namespace unshade::spirv
