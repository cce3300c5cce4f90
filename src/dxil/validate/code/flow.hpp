// How control flows: loops that can be told, and calls that have to come before others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

/// Looks at functions one by one, whose graphs their checker has at hand.
class FlowChecker {
 public:
  explicit FlowChecker(const ModuleCheck& check);

  /// `block_of`: by instruction of the body.
  void check(const Body& body, const Graph& graph, const Dominators& dominators, std::span<const std::uint32_t> block_of);

 private:
  struct Call {
    std::uint32_t instruction;  ///< in Module::instructions
    Operation operation;
  };

  void check_loops();
  void check_mesh();
  void check_amplification();
  void check_records();
  std::uint32_t block_at(std::uint32_t instruction) const { return block_of_[instruction - body_->instructions.first]; }
  /// Whether one instruction has run when the other does.
  bool comes_before(std::uint32_t first, std::uint32_t second) const;
  std::uint64_t bytes_behind(std::uint32_t pointer_type) const;

  const ModuleCheck& c_;
  const Module& m_;
  std::vector<ShaderKind> kinds_;
  std::vector<std::uint32_t> entry_of_;  ///< by function: in ProgramMetadata::entries
  const Body* body_ = nullptr;
  const Graph* graph_ = nullptr;
  const Dominators* dominators_ = nullptr;
  std::span<const std::uint32_t> block_of_;
  Loops loops_;
  std::vector<std::uint32_t> seen_, work_;
  std::vector<Call> calls_;
};

}  // namespace unshade::dxil::validate
