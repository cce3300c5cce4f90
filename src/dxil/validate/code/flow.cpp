// src: DXC lib/DxilValidation/DxilValidation.cpp, ValidateFlowControl, ValidateMsIntrinsics, ValidateAsIntrinsics
#include "dxil/validate/code/flow.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>

#include <unshade/dxil/layout.hpp>

namespace unshade::dxil::validate {

namespace {

/// Completions of one handle that are told apart; no shader has as many.
constexpr std::size_t kMostCompletions = 16;

}  // namespace

FlowChecker::FlowChecker(const ModuleCheck& check)
    : c_(check), m_(check.module), kinds_(kinds_of_functions(check)), entry_of_(check.module.functions.size(), kNone) {
  for (std::uint32_t i = 0; i < check.program.entries.size(); ++i)
    if (check.program.entries[i].function != kNone) entry_of_[check.program.entries[i].function] = i;
}

void FlowChecker::check(const Body& body, const Graph& graph, const Dominators& dominators, std::span<const std::uint32_t> block_of) {
  body_ = &body;
  graph_ = &graph;
  dominators_ = &dominators;
  block_of_ = block_of;
  check_loops();
  const ShaderKind kind = kinds_[body.function];
  if (kind != ShaderKind::mesh && kind != ShaderKind::amplification && kind != ShaderKind::node && kind != ShaderKind::library) return;
  calls_.clear();
  for (std::uint32_t k = body.instructions.first; k < body.instructions.end(); ++k) {
    const auto operation = operation_of(c_, body, m_.instructions[k]);
    if (!operation) continue;
    switch (*operation) {
      case Operation::set_mesh_output_counts:
      case Operation::store_vertex_output:
      case Operation::store_primitive_output:
      case Operation::emit_indices:
      case Operation::get_mesh_payload:
      case Operation::dispatch_mesh:
      case Operation::output_complete: calls_.push_back({k, *operation}); break;
      default: break;
    }
  }
  if (entry_of_[body.function] != kNone && kind == ShaderKind::mesh) check_mesh();
  if (entry_of_[body.function] != kNone && kind == ShaderKind::amplification) check_amplification();
  check_records();
}

// Of loops without an exit, the outermost are told.
void FlowChecker::check_loops() {
  loops_.find(*graph_, *dominators_);
  if (const auto& edge = loops_.irreducible())
    return c_.add(rules::kFlowReducible, *body_, m_.blocks[body_->blocks.first + edge->from].instructions.end() - 1,
                  "branches back into a loop that its target does not dominate");
  if (loops_.back_edges().empty()) return;
  // Headers of the outermost loops around blocks. A header precedes the blocks of its loop.
  std::vector<std::uint32_t> outermost(body_->blocks.count, kNone);
  std::vector<bool> exits(body_->blocks.count);
  for (const std::uint32_t block : dominators_->search_order()) {
    const std::uint32_t header = loops_.header_of(block);
    if (header != kNone) outermost[block] = loops_.enclosing(header) == kNone ? header : outermost[loops_.enclosing(header)];
  }
  for (const std::uint32_t block : dominators_->search_order())
    if (outermost[block] != kNone)
      for (const std::uint32_t to : graph_->successors(block))
        if (outermost[to] != outermost[block]) exits[outermost[block]] = true;
  for (const std::uint32_t block : dominators_->search_order())
    if (outermost[block] == block && !exits[block])
      c_.add(rules::kFlowDeadLoop, *body_, m_.blocks[body_->blocks.first + block].instructions.first, "the loop has no exit");
}

bool FlowChecker::comes_before(std::uint32_t first, std::uint32_t second) const {
  const std::uint32_t a = block_at(first), b = block_at(second);
  return a == b ? first < second : dominators_->reachable(b) && dominators_->dominates(a, b);
}

std::uint64_t FlowChecker::bytes_behind(std::uint32_t pointer_type) const {
  return c_.is(pointer_type, TypeKind::pointer) ? TypeLayout(m_).size_of(m_.element_of(pointer_type)) : 0;
}

void FlowChecker::check_mesh() {
  const Call* counts = nullptr;
  for (const Call& call : calls_)
    if (call.operation == Operation::set_mesh_output_counts) counts = &call;
  const EntryProperties properties = read_entry_properties(c_.program, c_.program.entries[entry_of_[body_->function]]);
  for (const Call& call : calls_) {
    switch (call.operation) {
      case Operation::store_vertex_output:
      case Operation::store_primitive_output:
      case Operation::emit_indices:
        if (counts == nullptr) {
          c_.add(rules::kInstrMissingSetMeshOutputCounts, *body_, call.instruction, "an output is written without SetMeshOutputCounts");
        } else if (!dominators_->dominates(block_at(counts->instruction), block_at(call.instruction))) {
          c_.add(rules::kInstrNonDominatingSetMeshOutputCounts, *body_, call.instruction,
                 "SetMeshOutputCounts does not dominate this write");
        }
        break;
      case Operation::get_mesh_payload: {
        const std::uint64_t bytes = bytes_behind(m_.instructions[call.instruction].type);
        if (bytes > properties.payload_bytes.value_or(0))
          c_.add(rules::kSmMeshShaderPayloadSizeDeclared, *body_, call.instruction,
                 std::to_string(bytes) + " bytes of " + std::to_string(properties.payload_bytes.value_or(0)) + " declared");
        break;
      }
      default: break;
    }
  }
}

void FlowChecker::check_amplification() {
  const auto found = std::find_if(calls_.begin(), calls_.end(), [](const Call& c) { return c.operation == Operation::dispatch_mesh; });
  if (found == calls_.end()) return c_.add_function(rules::kInstrNotOnceDispatchMesh, body_->function, "DispatchMesh is not called");
  const auto call = call_of(c_, *body_, m_.instructions[found->instruction]);
  const EntryProperties properties = read_entry_properties(c_.program, c_.program.entries[entry_of_[body_->function]]);
  const std::uint64_t bytes = bytes_behind(call->type_of("payload"));
  if (bytes > properties.payload_bytes.value_or(0))
    c_.add(rules::kSmAmplificationShaderPayloadSizeDeclared, *body_, found->instruction,
           std::to_string(bytes) + " bytes of " + std::to_string(properties.payload_bytes.value_or(0)) + " declared");
  // Ways to an end that do not lead through the call.
  const std::uint32_t barred = block_at(found->instruction);
  seen_.assign(body_->blocks.count, kNone);
  work_.assign(1, 0);
  while (!work_.empty()) {
    const std::uint32_t block = work_.back();
    work_.pop_back();
    if (block == barred || seen_[block] != kNone) continue;
    seen_[block] = 0;
    if (terminator_of(m_, m_.blocks[body_->blocks.first + block])->opcode == Opcode::ret)
      return c_.add(rules::kInstrNonDominatingDispatchMesh, *body_, found->instruction, "a path returns without this call");
    for (const std::uint32_t to : graph_->successors(block)) work_.push_back(to);
  }
}

void FlowChecker::check_records() {
  struct Completion {
    std::uint32_t handle, instruction;
  };
  std::vector<Completion> completions;
  for (const Call& call : calls_)
    if (call.operation == Operation::output_complete)
      completions.push_back({call_of(c_, *body_, m_.instructions[call.instruction])->argument("output"), call.instruction});
  if (completions.empty()) return;
  std::sort(completions.begin(), completions.end(),
            [](const Completion& a, const Completion& b) { return std::tie(a.handle, a.instruction) < std::tie(b.handle, b.instruction); });
  for (std::uint32_t k = body_->instructions.first; k < body_->instructions.end(); ++k)
    for_each_value_operand(m_, m_.instructions[k], [&](std::size_t, std::uint32_t id) {
      auto at =
          std::lower_bound(completions.begin(), completions.end(), id, [](const Completion& c, std::uint32_t h) { return c.handle < h; });
      for (std::size_t n = 0; n < kMostCompletions && at != completions.end() && at->handle == id; ++n, ++at)
        if (at->instruction != k && comes_before(at->instruction, k))
          return c_.add(rules::kInstrNodeRecordHandleUseAfterComplete, *body_, k,
                        "instruction " + std::to_string(at->instruction - body_->instructions.first) + " completes the record");
    });
}

}  // namespace unshade::dxil::validate
