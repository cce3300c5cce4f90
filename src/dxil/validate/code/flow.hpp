// How control flows: loops that can be told, and calls that have to come before others.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dxil/module/dominance.hpp"
#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

/// Looks at functions one by one, whose graphs their checker has at hand.
class FlowChecker {
 public:
  explicit FlowChecker(const ModuleCheck& check);

  /// `block_of`: by instruction of the body.
  void check(const Body& body, const module::Dominance& graph, std::span<const std::uint32_t> block_of);

 private:
  struct Call {
    std::uint32_t instruction;  ///< in Module::instructions
    Operation operation;
  };

  bool check_loops();
  void check_dead_loops(std::span<const std::pair<std::uint32_t, std::uint32_t>> back_edges);
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
  const module::Dominance* graph_ = nullptr;
  std::span<const std::uint32_t> block_of_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> back_edges_;  ///< header, from
  std::vector<std::uint32_t> loop_of_, work_;
  std::vector<Call> calls_;
};

}  // namespace unshade::dxil::validate
