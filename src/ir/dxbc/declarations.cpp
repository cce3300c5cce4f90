#include "ir/dxbc/declarations.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/dxbc/program/features.hpp>
#include <unshade/dxbc/program/rules.hpp>
#include <unshade/dxbc/program/stage_declarations.hpp>

namespace unshade::ir::lower_dxbc {
namespace {

using dxbc::Instruction;
using dxbc::Operand;
using dxbc::program::DeclarationFault;
using dxbc::program::DeclaredBinding;
using dxbc::program::Layout;
using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;

constexpr std::uint32_t kIoRegisters = 32;

bool is_io(OperandType type) { return (dxbc::program::access_to(type) & (dxbc::access::inputs | dxbc::access::output)) != 0; }

bool is_bound(OperandType type) {
  const auto* traits = dxbc::program::find_traits(type);
  return traits != nullptr && traits->is_bound;
}

// Which class of registers of RDEF a binding is among: of an operand, of a row of RDEF.
OperandType class_of(const dxbc::Binding& binding) {
  if (binding.kind == ResourceKind::cbuffer) return OperandType::constant_buffer;
  if (binding.kind == ResourceKind::sampler) return OperandType::sampler;
  return binding.is_uav() ? OperandType::uav : OperandType::resource;
}

class Walk {
 public:
  Walk(const dxbc::Program& program, const DxbcInterface& interface, Module& module, SignatureMap& signatures)
      : program_(program), interface_(interface), module_(module), signatures_(signatures) {}

  Result<Declarations> run() {
    if (program_.stage != dxbc::Stage::hull) made_.phases.push_back({.start = {2, 0}});
    dxbc::Decoder decoder(program_);
    Instruction instruction;
    for (std::uint32_t& index = made_.instructions; !decoder.at_end(); ++index) {
      if (!decoder.next(instruction)) return decoder.error();
      const Place after{decoder.position(), index + 1};
      if (instruction.info == nullptr) {
        fail(ErrorCode::unsupported, "unknown opcode " + std::to_string(instruction.code));
      } else {
        visit(instruction, after);
      }
      if (error_) {
        error_->offset = instruction.bytes.file_offset();
        return std::move(*error_).within("instructions[" + std::to_string(index) + ']');
      }
    }
    stage();
    finish();
    if (error_) return std::move(*error_);
    return std::move(made_);
  }

 private:
  void fail(ErrorCode code, std::string message) {
    if (!error_) error_ = Error{code, program_.tokens.file_offset(), "", std::move(message)};
  }

  Phase* phase() { return made_.phases.empty() ? nullptr : &made_.phases.back(); }
  std::uint32_t phase_index() const { return made_.phases.empty() ? 0 : static_cast<std::uint32_t>(made_.phases.size() - 1); }

  void visit(const Instruction& in, Place after) {
    const auto word = [&](unsigned at) { return at < in.word_count ? in.words[at] : 0U; };
    if (dxbc::program::declares_binding(in)) return binding(in);
    if (dxbc::program::declares_io(in)) return io(in);
    dxbc::program::declare(stage_, in);
    switch (in.opcode()) {
      case Opcode::hs_control_point_phase:
      case Opcode::hs_fork_phase:
      case Opcode::hs_join_phase:
        if (program_.stage != dxbc::Stage::hull)
          return fail(ErrorCode::bad_value, std::string(in.info->text) + " outside of a hull shader");
        made_.phases.push_back({.kind = in.opcode(), .start = after});
        break;
      case Opcode::dcl_hs_fork_phase_instance_count:
      case Opcode::dcl_hs_join_phase_instance_count:
        if (phase() != nullptr) phase()->instances = stage_.phase_instances;
        break;
      case Opcode::label:
        (in.operands[0].type == OperandType::label ? made_.labels : made_.bodies).emplace(in.operands[0].index[0], after);
        break;
      case Opcode::dcl_function_table: {
        auto& bodies = made_.tables[word(0)];
        for (std::size_t at = 0; at + 4 <= in.data.size(); at += 4) bodies.push_back(in.data.load_unchecked<std::uint32_t>(at));
        break;
      }
      case Opcode::dcl_interface: {
        Interface& made = made_.interfaces.emplace_back();
        made.first_slot = word(0);
        made.slots = std::max(in.array_length(), 1U);
        for (std::size_t at = 0; at + 4 <= in.data.size(); at += 4) made.tables.push_back(in.data.load_unchecked<std::uint32_t>(at));
        break;
      }
      case Opcode::dcl_indexrange: {
        const Operand& operand = in.operands[0];
        if (operand.dimensions == 0) return fail(ErrorCode::bad_value, "dcl_indexRange must name a register");
        const std::uint32_t first = operand.index[operand.dimensions - 1U];
        if (first >= kIoRegisters || word(0) > kIoRegisters - first)
          return fail(ErrorCode::out_of_range, "dcl_indexRange of " + std::to_string(word(0)) + " registers from " + std::to_string(first) +
                                                   ": the limit is " + std::to_string(kIoRegisters));
        ranges_.push_back({.type = operand.type, .phase = phase_index(), .first = first, .count = word(0)});
        break;
      }
      case Opcode::dcl_indexableTemp:
        array({.type = OperandType::indexable_temp, .phase = phase_index(), .first = word(0), .count = word(1)},
              "x" + std::to_string(word(0)));
        break;
      case Opcode::dcl_tgsm_raw:
      case Opcode::dcl_tgsm_structured: shared(dxbc::program::declared_binding(in, program_.is_5_1())); break;
      case Opcode::customdata:
        if (in.custom_data() == dxbc::CustomData::immediate_constant_buffer) {
          made_.immediate_buffer = variable("icb", Space::constant, static_cast<std::uint32_t>(in.data.size()));
          if (error_) break;
          module_.variables.back().initial.assign(in.data.bytes().begin(), in.data.bytes().end());
          if (in.data.size() >= kRegisterBytes) module_.variables.back().stride = kRegisterBytes;
        }
        break;
      default: break;
    }
    for (unsigned at = 0; at < in.total_operands; ++at) {
      const Operand& operand = in.operands[at];
      if (is_io(operand.type) && operand.dimensions > 0 && operand.dimensions <= 3 &&
          operand.relative[operand.dimensions - 1U] != dxbc::kNoOperand) {
        uses_.push_back({.type = operand.type,
                         .phase = phase_index(),
                         .first = operand.index[operand.dimensions - 1U],
                         .vertices = operand.dimensions == 1 ? 0U : 1U});
      }
      if (operand.type == OperandType::this_pointer) uses_this_ = true;
      if (!program_.is_5_1() && is_bound(operand.type) && operand.dimensions > 0 && operand.relative[0] != dxbc::kNoOperand)
        any_slot(in, operand);
    }
  }

  // What is declared of the whole.
  void stage() {
    StageInfo& info = module_.info;
    info.group_size = stage_.thread_group.value_or(info.group_size);
    info.input_primitive = stage_.input_primitive;
    info.stream_topologies = stage_.topologies;
    info.max_vertices = stage_.max_vertices;
    info.instances = stage_.instances.value_or(info.instances);
    info.input_points = stage_.input_points.value_or(0);
    info.output_points = stage_.output_points;
    info.domain = stage_.domain;
    info.partitioning = stage_.partitioning;
    info.tessellator_output = stage_.tessellator_output;
    info.max_tess_factor = stage_.max_tess_factor.value_or(info.max_tess_factor);
    made_.strict = (stage_.global_flags & dxbc::program::kFlagRefactoring) == 0;
    module_.modes.early_depth = (stage_.global_flags & dxbc::program::kFlagForceEarlyDepthStencil) != 0;
  }

  void io(const Instruction& in) {
    const Operand& operand = in.operands[0];
    if (!is_io(operand.type)) return;
    if (const auto fault = dxbc::program::io_fault(in, program_); fault != DeclarationFault::none) {
      if (fault == DeclarationFault::dimensions || fault == DeclarationFault::limit)
        fail(ErrorCode::out_of_range, std::string(in.info->text) + " declares a register that the stage does not have");
      return;
    }
    const Opcode phase_kind = phase() == nullptr ? Opcode::nop : phase()->kind;
    if (operand.type == OperandType::output) {
      outputs_.resize(std::max<std::size_t>(outputs_.size(), phase_index() + std::size_t{1}));
      std::uint8_t& written = outputs_[phase_index()][operand.index[operand.dimensions - 1U]];
      written = static_cast<std::uint8_t>(written | operand.lanes);
    }
    signatures_.declare(register_file(operand.type, program_.stage, phase_kind).kind, in, stage_.stream);
  }

  void binding(const Instruction& in) {
    if (dxbc::program::binding_fault(in, program_.is_5_1()) != DeclarationFault::none)
      return fail(ErrorCode::bad_value, std::string(in.info->text) + " must declare a register of its kind");
    if (made_.bindings.size() >= limits::kDeclaredResources)
      return fail(ErrorCode::limit, "more than " + std::to_string(limits::kDeclaredResources) + " resources are declared");
    Binding made{.declared = dxbc::program::declared_binding(in, program_.is_5_1())};
    if (made.declared.upper < made.declared.lower)
      return fail(ErrorCode::out_of_range, "the last register, " + std::to_string(made.declared.upper) + ", is below the first, " +
                                               std::to_string(made.declared.lower));
    resource(binding_key(made.declared.type, made.declared.id), made);
  }

  void resource(std::uint64_t key, Binding made) {
    const DeclaredBinding& declared = made.declared;
    Resource row;
    row.kind = declared.kind();
    row.space = declared.space;
    row.first_register = declared.lower;
    row.count = declared.upper == dxcontainer::kUnbounded ? 0 : declared.upper - declared.lower + 1;
    row.coherent = declared.is_coherent;
    row.ordered = declared.is_rasterizer_ordered;
    if (declared.type == OperandType::constant_buffer) row.bytes = declared.size > 0xffff ? 0 : declared.size * 16;
    if (declared.layout == Layout::structured) row.stride = declared.size;
    row.comparison = declared.is_comparison;
    if (declared.type == OperandType::resource || declared.type == OperandType::uav) {
      row.dimension = declared.layout == Layout::typed ? dxbc::dimension_of(declared.dimension) : ResourceDimension::buffer;
      if (declared.layout == Layout::typed) row.return_type = declared.return_types[0];
      made.type = declared.layout != Layout::typed ||
                          (row.return_type != dxcontainer::ReturnType::float_ && row.return_type != dxcontainer::ReturnType::unorm &&
                           row.return_type != dxcontainer::ReturnType::snorm)
                      ? Type::i32
                      : Type::f32;
    }
    made.dimension = row.dimension;
    name_resource(row, declared.type, interface_.resources);
    add(key, made, std::move(row));
  }

  void add(std::uint64_t key, Binding made, Resource row) {
    made.resource = static_cast<std::uint32_t>(module_.resources.size());
    module_.resources.push_back(std::move(row));
    made_.by_register.emplace(key, static_cast<std::uint32_t>(made_.bindings.size()));
    made_.bindings.push_back(made);
  }

  // Before 5.1 a slot that is found while the program runs is one of an instance's resources, which may be in any.
  void any_slot(const Instruction& in, const Operand& operand) {
    constexpr std::uint32_t kSlots[] = {15, 128, 16};  // constant buffers, resources, samplers
    const unsigned kind = operand.type == OperandType::constant_buffer ? 0 : operand.type == OperandType::sampler ? 2 : 1;
    const std::uint64_t key = any_slot_key(operand.type, in.resource_dimension);
    if (made_.by_register.contains(key)) return;
    DeclaredBinding declared;
    declared.type = operand.type;
    declared.dimension = static_cast<std::uint8_t>(operand.type == OperandType::resource ? in.resource_dimension : 0);
    declared.return_types = in.has_return_types ? in.return_types : dxbc::ReturnTypes{0x5555};
    declared.upper = kSlots[kind] - 1;
    resource(key, {.declared = declared});
    module_.resources.back().name += "_any";
  }

  void shared(const DeclaredBinding& declared) {
    const std::uint32_t bytes = declared.layout == Layout::raw ? 1 : declared.size;
    if (declared.count > limits::kVariableBytes || bytes > limits::kVariableBytes)
      return fail(ErrorCode::limit, "the group memory exceeds " + std::to_string(limits::kVariableBytes) + " bytes");
    const auto size = std::uint64_t{declared.count} * bytes;
    if (size > limits::kVariableBytes)
      return fail(ErrorCode::limit, "the group memory exceeds " + std::to_string(limits::kVariableBytes) + " bytes");
    const auto made = variable("g" + std::to_string(declared.id), Space::group, static_cast<std::uint32_t>(size));
    if (!error_)
      module_.variables[made].stride = declared.layout == Layout::raw ? 0 : std::min(declared.size, static_cast<std::uint32_t>(size));
    made_.shared.push_back({.number = declared.id, .variable = made, .stride = declared.size});
  }

  std::uint32_t variable(std::string name, Space space, std::uint32_t bytes) {
    auto added = add_variable(module_, std::move(name), space, bytes);
    if (added) return *added;
    fail(added.error().code, added.error().message);
    return 0;
  }

  static constexpr std::uint32_t kRegisterBytes = 16;

  void array(RegisterArray made, std::string name) {
    const std::uint64_t bytes = std::uint64_t{made.count} * std::max(made.vertices, 1U) * kRegisterBytes;
    if (bytes > limits::kVariableBytes)
      return fail(ErrorCode::limit,
                  name + " needs " + std::to_string(bytes) + " bytes, the limit is " + std::to_string(limits::kVariableBytes));
    made.variable = variable(std::move(name), Space::private_, static_cast<std::uint32_t>(bytes));
    if (!error_ && bytes != 0) module_.variables[made.variable].stride = kRegisterBytes;
    made_.arrays.push_back(made);
  }

  // Variables for registers that are indexed by a value: those of the declared range, or all.
  void finish() {
    for (const RegisterArray& use : uses_) {
      const auto holds = [&](const RegisterArray& range) {
        return range.type == use.type && range.phase == use.phase && use.first - range.first < range.count;
      };
      if (std::ranges::any_of(made_.arrays, holds)) continue;
      const auto declared = std::ranges::find_if(ranges_, holds);
      RegisterArray made =
          declared == ranges_.end() ? RegisterArray{.type = use.type, .phase = use.phase, .count = kIoRegisters} : *declared;
      if (use.vertices != 0) {
        const StageInfo& info = module_.info;
        made.vertices = use.type == OperandType::output_control_point ? info.output_points
                        : program_.stage == dxbc::Stage::geometry     ? vertices_of(info.input_primitive)
                                                                      : info.input_points;
        made.vertices = std::max(made.vertices, 1U);
      }
      const auto* written = use.phase < outputs_.size() ? &outputs_[use.phase] : nullptr;
      for (std::uint32_t at = 0; at < made.count; ++at)
        made.masks[at] = written == nullptr ? std::uint8_t{0xf} : (*written)[made.first + at];
      array(made, std::string(dxbc::find_operand(use.type)->text) + std::to_string(made.first) + "_indexed");
    }
    if (uses_this_) {
      Resource row;
      row.name = kDxbcThisBuffer;
      row.space = kDxbcReservedSpace;
      add(binding_key(OperandType::this_pointer, 0), {}, std::move(row));
    }
  }

  const dxbc::Program& program_;
  const DxbcInterface& interface_;
  Module& module_;
  SignatureMap& signatures_;
  Declarations made_;
  dxbc::program::StageDeclarations stage_;
  std::vector<RegisterArray> ranges_, uses_;
  std::vector<std::array<std::uint8_t, kIoRegisters>> outputs_;  // declared components, by phase and register
  bool uses_this_ = false;
  std::optional<Error> error_;
};

}  // namespace

Result<Declarations> declare(const dxbc::Program& program, const DxbcInterface& interface, Module& module, SignatureMap& signatures) {
  return Walk(program, interface, module, signatures).run();
}

void name_resource(Resource& row, OperandType type, const dxbc::Rdef* resources) {
  if (resources != nullptr) {
    for (const dxbc::Binding& binding : resources->bindings) {
      const bool is_inside = binding.bind_count == 0 || row.first_register - binding.bind_point < binding.bind_count;
      if (class_of(binding) != type || binding.space != row.space || row.first_register < binding.bind_point || !is_inside) continue;
      row.name = binding.name.text;
      if (binding.bind_point != row.first_register) row.name += '[' + std::to_string(row.first_register - binding.bind_point) + ']';
      if (row.kind == ResourceKind::uav_structured || row.kind == ResourceKind::uav_structured_with_counter ||
          binding.kind == ResourceKind::tbuffer) {
        row.kind = binding.kind;
      }
      return;
    }
  }
  row.name = std::string(register_letters(row.kind)) + std::to_string(row.first_register);
  if (row.space != 0) row.name += "_space" + std::to_string(row.space);
}

Result<std::uint32_t> add_variable(Module& module, std::string name, Space space, std::uint32_t bytes) {
  if (module.variables.size() >= limits::kDeclaredVariables) return Error{ErrorCode::limit, 0, "", "too many variables"};
  std::uint32_t used = 0;
  for (const Variable& other : module.variables) {
    if (other.space == space) used = std::max(used, other.offset + other.bytes);
  }
  constexpr std::uint32_t kAlignment = 16;
  const std::uint32_t offset = (used + kAlignment - 1) / kAlignment * kAlignment;
  if (bytes > limits::kVariableBytes || offset > limits::kVariableBytes - bytes) {
    return Error{ErrorCode::limit, 0, "", "the variables of space " + std::string(text(space)) + " are too large"};
  }
  module.variables.push_back({std::move(name), space, offset, bytes, {}});
  return static_cast<std::uint32_t>(module.variables.size() - 1);
}

}  // namespace unshade::ir::lower_dxbc
