// The code of a SPIR-V module: functions, their blocks, and how blocks follow each other. What a function mentions (types, constants,
// variables) is resolved by IdTable and Interface.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <unshade/core/graph.hpp>
#include <unshade/core/result.hpp>
#include <unshade/spirv/id_map.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::spirv {

/// One label of OpSwitch. `block` is an index among those of the function, here and below.
struct SwitchCase {
  std::uint64_t value = 0;  ///< bits; narrower ones as they are
  std::uint32_t block = 0;
};

struct Block {
  std::uint32_t label = 0;          ///< id
  std::uint32_t first_word = 0;     ///< of the instruction after OpLabel; words count from the start of the module
  std::uint32_t terminator = 0;     ///< first word of the last instruction
  std::uint32_t merge_info = 0;     ///< first word of OpLoopMerge or OpSelectionMerge, which is before the terminator; 0: none
  std::uint32_t merge = kNone;      ///< block where the construct ends
  std::uint32_t continue_ = kNone;  ///< of a loop
  std::uint32_t first_successor = 0;
  std::uint32_t successor_count = 0;
  std::uint32_t first_case = 0;
  std::uint32_t case_count = 0;
};

struct Parameter {
  std::uint32_t id = 0;
  std::uint32_t type = 0;  ///< id
};

struct CodeFunction {
  std::uint32_t id = 0;
  std::uint32_t result_type = 0;  ///< id
  std::uint32_t type = 0;         ///< id of OpTypeFunction
  std::uint32_t control = 0;      ///< FunctionControl
  std::uint32_t first_word = 0;   ///< of OpFunction
  std::uint32_t first_parameter = 0;
  std::uint32_t parameter_count = 0;
  std::uint32_t first_block = 0;
  std::uint32_t block_count = 0;  ///< 0: a declaration of what another module has
};

/// Borrows the module.
class Code {
 public:
  const Module& module() const { return *module_; }
  std::span<const CodeFunction> functions() const { return functions_; }
  /// By id, in constant time; nullptr for ids of something else.
  const CodeFunction* find_function(std::uint32_t id) const {
    const std::uint32_t place = places_.get(id).function;
    return place == kNone ? nullptr : &functions_[place];
  }
  /// The block, among those of its function, of a label; kNone for other ids. Constant time.
  std::uint32_t find_block(std::uint32_t label) const { return places_.get(label).block; }

  std::span<const Parameter> parameters(const CodeFunction& f) const {
    return std::span(parameters_).subspan(f.first_parameter, f.parameter_count);
  }
  /// In the order of the file: a block is after those that dominate it.
  std::span<const Block> blocks(const CodeFunction& f) const { return std::span(blocks_).subspan(f.first_block, f.block_count); }
  /// Where the terminator may go, in the order of its operands: of OpBranchConditional where the condition holds first, of OpSwitch the
  /// default first.
  std::span<const std::uint32_t> successors(const Block& block) const {
    return std::span(successors_).subspan(block.first_successor, block.successor_count);
  }
  /// Of OpSwitch, without the default.
  std::span<const SwitchCase> cases(const Block& block) const { return std::span(cases_).subspan(block.first_case, block.case_count); }

  /// The instructions of a block after its label to its terminator.
  struct Instructions {
    Module::Iterator first, last;
    Module::Iterator begin() const { return first; }
    Module::Iterator end() const { return last; }
  };
  Instructions instructions(const Block& block) const {
    const Module::Iterator first(*module_, block.first_word);
    Module::Iterator last(*module_, block.terminator);
    return {first, ++last};
  }

  /// The blocks of a function as a graph.
  Graph graph(const CodeFunction& f) const;

 private:
  friend class CodeReader;

  struct Places {
    std::uint32_t function = kNone;
    std::uint32_t block = kNone;
    std::uint32_t block_function = kNone;  // whose block that is
  };

  const Module* module_ = nullptr;
  std::vector<CodeFunction> functions_;
  std::vector<Parameter> parameters_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> successors_;
  std::vector<SwitchCase> cases_;
  IdMap<Places> places_;
};

/// Reads the functions of a module, in proportion to it. Errors, at the instruction: bad_value for instructions of functions outside of
/// them or of blocks, blocks without a terminator, labels that are defined twice and operands that name no block of the function;
/// truncated for instructions without the words that they must have.
Result<Code> read_code(const Module& module, const IdTable& ids);

}  // namespace unshade::spirv
