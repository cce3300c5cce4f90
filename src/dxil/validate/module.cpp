#include "dxil/validate/module.hpp"

#include <algorithm>
#include <utility>

#include <unshade/core/text.hpp>

#include "dxcontainer/validate.hpp"
#include "dxil/module/metadata_tuple.hpp"
#include "dxil/validate/functions.hpp"

namespace unshade::dxil {

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
  std::uint8_t words;    ///< of the column `types`: the result and the parameters behind the opcode
};
constexpr OperationShape kShapes[] = {
#define DXIL_OP(code, id, text, function, overloads, types, parameters, since, access, stages, sem) \
  {stages_of_words(stages), count_words(types)},
#include <unshade/dxil/operations.def>
#undef DXIL_OP
};

const OperationShape& shape_of(const OperationInfo& info) { return kShapes[&info - operations().data()]; }

/// How many members and casts a constant is followed through.
constexpr unsigned kMostSteps = 64;

/// Parts of a type's text that are printed.
constexpr unsigned kTextDepth = 4;

void print_type(Text& out, const ModuleCheck& check, std::uint32_t id, unsigned depth) {
  const Type& type = check.type(id);
  if (depth == 0) {
    out << "...";
    return;
  }
  switch (type.kind) {
    case TypeKind::integer: out.dec((out << 'i', type.number)); break;
    case TypeKind::pointer:
      print_type(out, check, check.module.element_of(id), depth - 1);
      out << '*';
      break;
    case TypeKind::array:
    case TypeKind::vector:
      out << (type.kind == TypeKind::array ? '[' : '<');
      out.dec(type.count) << " x ";
      print_type(out, check, check.module.element_of(id), depth - 1);
      out << (type.kind == TypeKind::array ? ']' : '>');
      break;
    case TypeKind::structure: {
      constexpr std::size_t kMost = 64;
      const std::string_view name = check.name_of(type);
      if (name.empty()) {
        out << "a structure";
      } else {
        out << '%' << name.substr(0, kMost);
      }
      break;
    }
    case TypeKind::function: out << "a function"; break;
    default: out << text(type.kind); break;
  }
}

}  // namespace

void ModuleCheck::add(const Rule& rule, const Body& body, std::uint32_t instruction, std::string message) const {
  const std::uint64_t at = instruction < module.instructions.size() ? module.instructions[instruction].offset : offset;
  findings.add(
      rule, at,
      place + "/function[" + std::to_string(body.function) + "]/instruction[" + std::to_string(instruction - body.instructions.first) + ']',
      std::move(message));
}

void ModuleCheck::add_function(const Rule& rule, std::uint32_t function, std::string message) const {
  add(rule, "function[" + std::to_string(function) + ']', std::move(message));
}

std::optional<std::uint64_t> ModuleCheck::integer_of(const Body* body, std::uint32_t operand) const {
  const Constant* const constant = constant_of(body, operand);
  if (constant == nullptr) return std::nullopt;
  const Type& of = type(constant->type);
  if (of.kind != TypeKind::integer) return std::nullopt;
  if (constant->kind == ConstantKind::null) return 0;
  if (constant->kind != ConstantKind::integer) return std::nullopt;
  return of.number < 64 ? constant->bits & ((std::uint64_t{1} << of.number) - 1) : constant->bits;
}

std::string ModuleCheck::text_of(std::uint32_t id) const {
  Text out;
  print_type(out, *this, id, kTextDepth);
  return std::string(out.str());
}

bool is_operation_name(std::string_view function) { return function.starts_with(kOperationPrefix); }

const OperationInfo* operation_of(const ModuleCheck& check, const Body& body, const Instruction& call) {
  if (call.opcode != Opcode::call || call.operands.count < 2) return nullptr;
  const std::uint32_t callee = check.callee_of(body, call);
  if (callee == kNone || !is_operation_name(check.name_of(check.module.functions[callee]))) return nullptr;
  const auto opcode = check.integer_of(&body, check.module.operands[call.operands.first + std::size_t{1}]);
  const OperationInfo* const info = opcode ? find_operation(static_cast<std::uint32_t>(*opcode)) : nullptr;
  // A function of another type may have fewer parameters than the operation.
  return info != nullptr && call.operands.count > shape_of(*info).words ? info : nullptr;
}

std::uint32_t stages_of(const OperationInfo& operation) { return shape_of(operation).stages; }

const Value& ModuleCheck::constant_root_of(const Body* body, std::uint32_t operand) const {
  const Value* value = &module.value(body, operand);
  for (unsigned step = 0; step < kMostSteps && value->kind == ValueKind::constant; ++step) {
    const Constant& constant = module.constants[value->index];
    const bool of_pointer = constant.kind == ConstantKind::getelementptr || constant.kind == ConstantKind::cast;
    if (!of_pointer || constant.operands.empty()) break;
    value = &module.value(body, module.operands[constant.operands.first]);
  }
  return *value;
}

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

std::vector<ShaderKind> kinds_of_functions(const ModuleCheck& check) {
  std::vector<ShaderKind> kinds(check.module.functions.size(), check.is_library() ? ShaderKind::library : check.program.kind);
  for (const EntryPoint& entry : check.program.entries) {
    if (entry.function == kNone) continue;
    const EntryProperties properties = read_entry_properties(check.program, entry);
    kinds[entry.function] = properties.kind;
    if (properties.patch_constant_function != kNone) kinds[properties.patch_constant_function] = ShaderKind::hull;
  }
  return kinds;
}

void validate_module(const Module& module, const ProgramMetadata& program, std::string place, std::uint64_t offset, bool of_dxil,
                     Findings& findings) {
  const ModuleCheck check{module, program, findings, std::move(place), offset};
  validate_structure(check, of_dxil);
  if (!of_dxil) return;
  validate_metadata(check);
  validate_declarations(check);
  validate_operations(check);
  validate_instructions(check);
  validate_entries(check);
  validate_nodes(check);
  validate_signatures(check);
  validate_outputs(check);
  validate_resources(check);
  validate_resource_uses(check);
  validate_group_memory(check);
  const std::vector<FunctionNeeds> needs = needs_of_functions(check);
  validate_features(check, needs);
  validate_compatibility(check, needs);
}

void validate_bitcode(View bitcode, Findings& findings) {
  const auto module = parse_module(bitcode);
  if (!module) return findings.add(rules::kBitcodeValid, module.error().offset, module.error().path, module.error().message);
  const ProgramMetadata program = read_program_metadata(*module);
  validate_module(*module, program, "module", bitcode.file_offset(), true, findings);
}

}  // namespace unshade::dxil
