#include "dxil/program/query.hpp"

#include <algorithm>

#include <unshade/dxil/entry_properties.hpp>

namespace unshade::dxil::program {

namespace {

constexpr std::string_view kOperationPrefix = "dx.op.";

// Words of the column `stages`.
struct StageWord {
  std::string_view word;
  ShaderKind kind;
};
constexpr StageWord kStageWords[] = {
    {"vs", ShaderKind::vertex},
    {"ps", ShaderKind::pixel},
    {"gs", ShaderKind::geometry},
    {"hs", ShaderKind::hull},
    {"ds", ShaderKind::domain},
    {"cs", ShaderKind::compute},
    {"ms", ShaderKind::mesh},
    {"as", ShaderKind::amplification},
    {"lib", ShaderKind::library},
    {"node", ShaderKind::node},
    {"rgen", ShaderKind::ray_generation},
    {"isect", ShaderKind::intersection},
    {"ahit", ShaderKind::any_hit},
    {"chit", ShaderKind::closest_hit},
    {"miss", ShaderKind::miss},
    {"call", ShaderKind::callable},
};

constexpr std::uint32_t stages_of_words(std::string_view words) {
  if (words == "any") return ~0U;
  std::uint32_t stages = 0;
  while (!words.empty()) {
    const std::size_t blank = std::min(words.find(' '), words.size());
    for (const StageWord& row : kStageWords)
      if (row.word == words.substr(0, blank)) stages |= 1U << static_cast<std::uint32_t>(row.kind);
    words.remove_prefix(std::min(blank + 1, words.size()));
  }
  return stages;
}

constexpr std::uint8_t count_words(std::string_view words) {
  std::uint8_t count = 1;
  for (const char c : words)
    if (c == ' ') ++count;
  return count;
}

/// What of a row is asked for often, worked out when compiled; in the order of the table.
struct OperationShape {
  std::uint32_t stages;  ///< bit i: ShaderKind i
  std::uint8_t words;    ///< of the column `types`: the result and the parameters after the opcode
};
constexpr OperationShape kShapes[] = {
#define DXIL_OP(code, id, text, function, overloads, types, parameters, since, access, stages, sem) \
  {stages_of_words(stages), count_words(types)},
#include <unshade/dxil/operations.def>
#undef DXIL_OP
};

const OperationShape& shape_of(const OperationInfo& info) { return kShapes[&info - operations().data()]; }

}  // namespace

bool is_operation_name(std::string_view function) { return function.starts_with(kOperationPrefix); }

const OperationInfo* operation_of(const module::ModuleQuery& query, const Body& body, const Instruction& call) {
  if (call.opcode != Opcode::call || call.operands.count < 2) return nullptr;
  const std::uint32_t callee = query.callee_of(body, call);
  if (callee == kNone || !is_operation_name(query.name_of(query.module.functions[callee]))) return nullptr;
  const auto opcode = query.integer_of(&body, query.module.operands[call.operands.first + std::size_t{1}]);
  const OperationInfo* const info = opcode ? find_operation(static_cast<std::uint32_t>(*opcode)) : nullptr;
  // A function of another type may have fewer parameters than the operation.
  return info != nullptr && call.operands.count > shape_of(*info).words ? info : nullptr;
}

std::uint32_t stages_of(const OperationInfo& operation) { return shape_of(operation).stages; }

bool is_feedback(Operation operation) {
  return operation >= Operation::write_sampler_feedback && operation <= Operation::write_sampler_feedback_grad;
}

bool is_gradient(Operation operation) {
  switch (operation) {
    case Operation::sample:
    case Operation::sample_bias:
    case Operation::sample_cmp:
    case Operation::sample_cmp_bias:
    case Operation::calculate_lod:
    case Operation::deriv_coarse_x:
    case Operation::deriv_coarse_y:
    case Operation::deriv_fine_x:
    case Operation::deriv_fine_y:
    case Operation::write_sampler_feedback:
    case Operation::write_sampler_feedback_bias: return true;
    default: return false;
  }
}

bool is_wave(Operation operation) {
  const auto within = [&](Operation first, Operation last) { return operation >= first && operation <= last; };
  return within(Operation::wave_is_first_lane, Operation::quad_op) ||
         within(Operation::wave_all_bit_count, Operation::wave_prefix_bit_count) ||
         within(Operation::wave_match, Operation::wave_multi_prefix_bit_count) || operation == Operation::quad_vote ||
         within(Operation::get_group_wave_index, Operation::get_group_wave_count);
}

std::vector<ShaderKind> kinds_of_functions(const ProgramQuery& query) {
  std::vector<ShaderKind> kinds(query.module.functions.size(), query.is_library() ? ShaderKind::library : query.program.kind);
  for (const EntryPoint& entry : query.program.entries) {
    if (entry.function == kNone) continue;
    const EntryProperties properties = read_entry_properties(query.program, entry);
    kinds[entry.function] = properties.kind;
    if (properties.patch_constant_function != kNone) kinds[properties.patch_constant_function] = ShaderKind::hull;
  }
  return kinds;
}

}  // namespace unshade::dxil::program
