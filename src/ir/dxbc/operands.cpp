// Registers: how operands are read and written.
#include <algorithm>
#include <bit>
#include <string>

#include <unshade/dxbc/program/limits.hpp>
#include <unshade/dxbc/program/rules.hpp>

#include "ir/dxbc/lowering.hpp"

namespace unshade::ir::lower_dxbc {
namespace {

using dxbc::kNoOperand;
using dxbc::Modifier;
using dxcontainer::SystemValue;

struct BuiltinRegister {
  OperandType type;
  Builtin builtin;
};
constexpr BuiltinRegister kBuiltinRegisters[] = {
    {OperandType::input_primitive_id, Builtin::primitive_id},
    {OperandType::output_control_point_id, Builtin::control_point_id},
    {OperandType::input_domain_point, Builtin::domain_location},
    {OperandType::input_thread_id, Builtin::thread_id},
    {OperandType::input_thread_group_id, Builtin::group_id},
    {OperandType::input_thread_id_in_group, Builtin::local_id},
    {OperandType::input_thread_id_in_group_flattened, Builtin::local_index},
    {OperandType::input_coverage_mask, Builtin::coverage},
    {OperandType::input_inner_coverage, Builtin::inner_coverage},
    {OperandType::input_gs_instance_id, Builtin::gs_instance_id},
};

bool is_immediate(OperandType type) { return type == OperandType::immediate32 || type == OperandType::immediate64; }

std::string text_of(const Operand& operand) {
  const auto* info = dxbc::find_operand(operand.type);
  return (info == nullptr ? "operand type " + std::to_string(static_cast<unsigned>(operand.type)) : std::string(info->text)) +
         (operand.dimensions == 0 ? "" : std::to_string(operand.index[0]));
}

}  // namespace

unsigned Lowering::component(const Operand& operand, unsigned lane) {
  if (operand.components != 4) return 0;
  return is_immediate(operand.type) ? lane : operand.swizzle()[lane];
}

Values Lowering::source(const Operand& operand, unsigned lanes, Type type) {
  unsigned which = 0;
  for (unsigned lane = 0; lane < 4; ++lane) {
    if ((lanes >> lane & 1) != 0) which |= 1U << component(operand, lane);
  }
  if (operand.modifier != Modifier::none && type == kAnyType) type = Type::f32;
  Values read = components(operand, which, type);
  for (unsigned place = 0; place < 4; ++place) {
    Id& value = read[place];
    if (value == kNone || type == kAnyType) continue;
    const auto scope = b().component(place);
    value = modified(operand, type, b().as(type, value));
  }
  Values values = kNoValues;
  for (unsigned lane = 0; lane < 4; ++lane) {
    if ((lanes >> lane & 1) != 0) values[lane] = read[component(operand, lane)];
  }
  return values;
}

// The absolute value comes first.
Id Lowering::modified(const Operand& operand, Type type, Id value) {
  const auto bits = static_cast<unsigned>(operand.modifier);
  if ((bits & static_cast<unsigned>(Modifier::abs)) != 0) value = b().inst(is_float(type) ? Op::fabs : Op::iabs, type, {value});
  if ((bits & static_cast<unsigned>(Modifier::neg)) != 0) value = b().inst(is_float(type) ? Op::fneg : Op::ineg, type, {value});
  return value;
}

Values Lowering::doubles(const Operand& operand, unsigned lanes) {
  Values values = kNoValues;
  for (unsigned lane = 0; lane < 2; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const bool is_single = operand.components != 4;  // an immediate of one double
    unsigned low = is_single ? 0 : component(operand, 2 * lane);
    unsigned high = is_single ? 1 : component(operand, 2 * lane + 1);
    Values words = components(operand, 1U << low | 1U << high, Type::i32);
    const auto scope = b().component(low);
    for (Id& word : words) {
      if (word != kNone) word = b().as(Type::i32, word);
    }
    const Function& function = b().function();
    const Inst& first = function.insts[words[low]];
    const Inst& second = function.insts[words[high]];
    Id& value = values[lane];
    if (first.op == Op::constant && second.op == Op::constant) {
      value = b().constant(Type::f64, std::uint64_t{second.extra} << 32 | first.extra);
    } else if (first.op == Op::get && second.op == Op::get && first.extra == 0 && second.extra == 1 &&
               function.operands_of(words[low])[0] == function.operands_of(words[high])[0] &&
               function.insts[function.operands_of(words[low])[0]].op == Op::unpack64) {
      value = function.operands_of(function.operands_of(words[low])[0])[0];
    } else {
      value = b().inst(Op::pack64, Type::f64, {words[low], words[high]});
    }
    value = modified(operand, Type::f64, value);
  }
  return values;
}

Values Lowering::components(const Operand& operand, unsigned which, Type type) {
  if (which == 0) return kNoValues;  // of an instruction that writes no component
  if (operand.type == OperandType::constant_buffer) return constant_buffer(operand, which, type);
  Values values = kNoValues;
  for (unsigned component = 0; component < 4; ++component) {
    if ((which >> component & 1) == 0) continue;
    const auto scope = b().component(component);
    values[component] = register_component(operand, component, type == kAnyType ? Type::i32 : type);
  }
  return values;
}

// One component of a register, of any 32-bit type; `type` is what a load of memory gives.
Id Lowering::register_component(const Operand& operand, unsigned component, Type type) {
  for (const BuiltinRegister& row : kBuiltinRegisters) {
    if (row.type == operand.type) return builtin(row.builtin, component);
  }
  switch (operand.type) {
    case OperandType::temp: return body_->variables.read(temp(operand.index[0], component));
    case OperandType::indexable_temp: {
      const auto* array = array_of(operand.type, operand.index[0]);
      if (array == nullptr) break;
      return b().inst(Op::load, type, {row_offset(index(operand, 1), component)}, {.extra = array->variable});
    }
    case OperandType::immediate32:
    case OperandType::immediate64: return b().i32(operand.literal[component]);
    case OperandType::immediate_constant_buffer: {
      if (!declared_.immediate_buffer) break;
      const Id row = index(operand, 0);
      const auto& bytes = module_.variables[*declared_.immediate_buffer].initial;
      const View view(bytes);
      if (b().function().insts[row].op == Op::constant) {
        return b().i32(view.u32(std::size_t{operand.index[0]} * kRowBytes + std::size_t{component} * kComponentBytes).value_or(0));
      }
      return b().inst(Op::load, type, {row_offset(row, component)}, {.extra = *declared_.immediate_buffer});
    }
    case OperandType::input:
    case OperandType::input_control_point:
    case OperandType::output_control_point:
    case OperandType::input_patch_constant: return input(operand, component);
    case OperandType::input_fork_instance_id:
    case OperandType::input_join_instance_id: return phase_instance_ == kNone ? b().i32(0) : phase_instance_;
    case OperandType::this_pointer: {
      const auto found = declared_.by_register.find(binding_key(OperandType::this_pointer, 0));
      if (found == declared_.by_register.end()) break;
      const Id handle = handle_of(declared_.bindings[found->second].resource, b().i32(0), false);
      return b().inst(Op::cbuffer_load, type, {handle, row_offset(index(operand, 0), component)});
    }
    case OperandType::cycle_counter: {
      const Id clock = b().inst(Op::clock, Type::i32, {});
      return b().get(clock, Type::i32, std::min(component, 1U));
    }
    default: break;
  }
  fail(ErrorCode::bad_value, text_of(operand) + " cannot be read here, or is not declared");
  return b().undef(Type::i32);
}

Id Lowering::index(const Operand& operand, unsigned dimension, std::uint32_t less) {
  const std::uint32_t immediate = operand.index[dimension] - less;
  const std::uint8_t relative = operand.relative[dimension];
  if (relative == kNoOperand) return b().i32(immediate);
  const Id value = source_lane(in_->operands[relative], 0, Type::i32);
  return immediate == 0 ? value : i(Op::iadd, {value, b().i32(immediate)});
}

Id Lowering::row_offset(Id row, unsigned component) {
  const Inst& inst = b().function().insts[row];
  const std::uint32_t bytes = component * kComponentBytes;
  if (inst.op == Op::constant) return b().i32(inst.extra * kRowBytes + bytes);
  const Id offset = i(Op::ishl, {row, b().i32(4)});
  return bytes == 0 ? offset : i(Op::iadd, {offset, b().i32(bytes)});
}

// Whether any bit is set: of a comparison's result the comparison itself.
Id Lowering::truth(Id value) {
  const Function& function = b().function();
  const Inst& inst = function.insts[value];
  if (inst.op == Op::sext) {
    if (const Id origin = function.operands_of(value)[0]; b().type_of(origin) == Type::b1) return origin;
  }
  return i(Op::ine, {value, b().i32(0)});
}

// What an instruction tests, and whether it acts if that holds or if it does not.
Id Lowering::condition(bool& if_set) {
  if_set = in_->tests_nonzero();
  return truth(source_lane(operand(0), 0, Type::i32));
}

// The components asked for, in one load that reaches from the first of them to the last.
Values Lowering::constant_buffer(const Operand& operand, unsigned which, Type type) {
  Values values = kNoValues;
  const BoundResource from = bound(operand);
  if (from.binding == nullptr || operand.dimensions < 2) {
    fail(ErrorCode::bad_value, text_of(operand) + " must have two indexes");
    values.fill(b().undef(Type::i32));
    return values;
  }
  const auto first = static_cast<unsigned>(std::countr_zero(which));
  const auto count = static_cast<unsigned>(std::bit_width(which)) - first;
  if (type == kAnyType) type = Type::i32;
  const Id offset = row_offset(index(operand, operand.dimensions - 1U), first);
  const Id loaded = b().inst(Op::cbuffer_load, type, {from.handle, offset}, {.results = count});
  for (unsigned member = 0; member < count; ++member) {
    const auto scope = b().component(first + member);
    if ((which >> (first + member) & 1) != 0) values[first + member] = b().get(loaded, type, member);
  }
  return values;
}

const RegisterArray* Lowering::array_of(OperandType type, std::uint32_t register_index) const {
  for (const RegisterArray& array : declared_.arrays) {
    if (array.type != type || array.phase != phase_) continue;
    if (type == OperandType::indexable_temp ? array.first == register_index : register_index - array.first < array.count) return &array;
  }
  return nullptr;
}

Id Lowering::array_offset(const RegisterArray& array, const Operand& operand, unsigned component) {
  const unsigned last = operand.dimensions - 1U;
  Id row = index(operand, last, array.first);
  if (array.vertices != 0 && last == 1) row = i(Op::iadd, {i(Op::imul, {index(operand, 0), b().i32(array.count)}), row});
  return row_offset(row, component);
}

Id Lowering::input(const Operand& operand, unsigned component) {
  const bool has_vertex = operand.dimensions == 2;
  if (operand.dimensions == 0 || operand.dimensions > 2) {
    fail(ErrorCode::bad_value, text_of(operand) + " must have one or two indexes");
    return b().undef(Type::i32);
  }
  const unsigned last = operand.dimensions - 1U;
  const auto file = register_file(operand.type, program_.stage, declared_.phases[phase_].kind);
  if (operand.relative[last] != kNoOperand) {
    const auto* array = array_of(operand.type, operand.index[last]);
    if (array == nullptr) {
      fail(ErrorCode::bad_value, text_of(operand) + " is indexed outside of the declared range");
      return b().undef(Type::i32);
    }
    return b().inst(Op::load, Type::i32, {array_offset(*array, operand, component)}, {.extra = array->variable});
  }
  return element(file, operand.index[last], component, has_vertex ? index(operand, 0) : kNone);
}

Id Lowering::element(RegisterFile file, std::uint32_t register_index, unsigned component, Id vertex) {
  if (register_index >= dxbc::program::kIoRegisters) {
    fail(ErrorCode::out_of_range,
         "input register " + std::to_string(register_index) + " is out of bounds (" + std::to_string(dxbc::program::kIoRegisters) + ")");
    return b().undef(Type::i32);
  }
  const auto found = signatures_->find(file.kind, register_index, component).front();
  const Type type = module_.signatures.of(file.kind)[found.element].type;
  ElementExtra extra(file.kind, found.element, found.column);
  extra.has_vertex = vertex != kNone;
  const std::span<const std::uint32_t> operands(&vertex, vertex == kNone ? 0 : 1);
  if (file.is_loaded) return b().inst(Op::output_load, type, operands, {.extra = extra.bits()});
  const Inst* inst = vertex == kNone ? nullptr : &b().function().insts[vertex];
  if (inst != nullptr && inst->op != Op::constant) return b().inst(Op::input, type, operands, {.extra = extra.bits()});
  Id& known = body_->inputs.try_emplace(std::uint64_t{extra.bits()} << 32 | (inst == nullptr ? 0 : inst->extra), kNone).first->second;
  if (known == kNone) known = prologue(Op::input, type, operands, {.extra = extra.bits()});
  return known;
}

Id Lowering::builtin(Builtin which, unsigned component) {
  const BuiltinExtra extra(which, static_cast<std::uint8_t>(std::min<unsigned>(component, info(which).components - 1U)));
  Id& known = body_->builtins.try_emplace(extra.bits(), kNone).first->second;
  if (known == kNone) known = prologue(Op::builtin, info(which).type, {}, {.extra = extra.bits()});
  return known;
}

// Instructions without effects whose operands are constants stand at the start of the entry block, once each.
Id Lowering::prologue(Op op, Type type, std::span<const std::uint32_t> operands, const InstOptions& options) {
  Function& function = b().function();
  const Id id = append(function, op, type, operands, options);
  Id& last = body_->last_of_prologue;
  const Id after = last == kNone ? function.blocks[0].first : function.next[last];
  if (after == kNone) {
    insert_at_end(function, 0, id);
  } else {
    insert_before(function, after, id);
  }
  last = id;
  return id;
}

std::uint32_t Lowering::temp(std::uint32_t register_index, unsigned component) {
  if (register_index >= dxbc::program::kTempRegisters) {
    fail(ErrorCode::out_of_range,
         "r" + std::to_string(register_index) + " is out of bounds (" + std::to_string(dxbc::program::kTempRegisters) + ")");
    register_index = 0;
  }
  const auto [place, is_new] = body_->temps.try_emplace(register_index * 4 + component, 0);
  if (is_new) place->second = body_->variables.declare(Type::i32);
  return place->second;
}

Id Lowering::handle_of(std::uint32_t resource, Id at, bool non_uniform) {
  const InstOptions options{.extra = resource, .flags = non_uniform ? Flags::non_uniform : Flags::none};
  const Inst& inst = b().function().insts[at];
  if (inst.op != Op::constant) return b().inst(Op::handle, Type::handle, {at}, options);
  Id& known = body_->handles.try_emplace(std::uint64_t{resource} << 32 | inst.extra, kNone).first->second;
  if (known == kNone) known = prologue(Op::handle, Type::handle, std::span<const std::uint32_t>(&at, 1), options);
  return known;
}

BoundResource Lowering::bound(const Operand& operand) {
  const bool any_slot = !program_.is_5_1() && operand.dimensions > 0 && operand.relative[0] != kNoOperand;
  const auto key = any_slot ? any_slot_key(operand.type, in_->resource_dimension) : binding_key(operand.type, operand.index[0]);
  const auto found = declared_.by_register.find(key);
  if (operand.dimensions == 0 || found == declared_.by_register.end() || (program_.is_5_1() && operand.dimensions < 2)) {
    fail(ErrorCode::missing, text_of(operand) + " is not declared");
    return {};
  }
  const Binding& binding = declared_.bindings[found->second];
  if (operand.type == OperandType::resource || operand.type == OperandType::uav) {
    const std::uint32_t number = dxbc::program::dimension_number(binding.declared);
    std::string fault = dxbc::program::access_fault(*in_->info, number) == dxbc::program::AccessFault::none
                            ? dxbc::program::stated_fault(*in_, binding.declared)
                            : dxbc::program::access_text(*in_->info, number);
    if (fault.empty()) fault = dxbc::program::offsets_fault(*in_, number);
    if (!fault.empty()) {
      fail(ErrorCode::bad_value, std::string(in_->info->text) + " of " + text_of(operand) + ": " + fault);
      return {};
    }
  }
  const Id at = program_.is_5_1() ? index(operand, 1, binding.declared.lower) : any_slot ? index(operand, 0) : b().i32(0);
  return {handle_of(binding.resource, at, operand.non_uniform), &binding};
}

// --- destinations ------------------------------------------------------------------------------------------------------------------------

void Lowering::write(const Operand& operand, unsigned component, Id value) {
  switch (operand.type) {
    case OperandType::null: return;
    case OperandType::temp: return body_->variables.write(temp(operand.index[0], component), value);
    case OperandType::indexable_temp:
      if (const auto* array = array_of(operand.type, operand.index[0])) {
        b().inst(Op::store, b().type_of(value), {row_offset(index(operand, 1), component), value}, {.extra = array->variable});
        return;
      }
      break;
    case OperandType::output: {
      if (operand.dimensions != 1) break;
      if (const auto* array = array_of(operand.type, operand.index[0])) {
        b().inst(Op::store, b().type_of(value), {array_offset(*array, operand, component), value}, {.extra = array->variable});
        return;
      }
      if (operand.relative[0] != kNoOperand) break;
      return write_output(register_file(operand.type, program_.stage, declared_.phases[phase_].kind).kind, operand.index[0], component,
                          value);
    }
    default:
      if (const auto* traits = dxbc::program::find_traits(operand.type); traits != nullptr && traits->output != SystemValue::undefined) {
        const auto to = signatures_->special(SignatureKind::output, traits->output);
        const Type type = module_.signatures.output[to.element].type;
        b().inst(Op::output, type, {b().as(type, value)}, {.extra = ElementExtra(SignatureKind::output, to.element, to.column).bits()});
        return;
      }
      break;
  }
  fail(ErrorCode::bad_value, text_of(operand) + " cannot be written here, or is not declared");
}

bool Lowering::is_real_output(const Operand& operand, unsigned component) {
  if (operand.type != OperandType::output || operand.dimensions != 1 || operand.relative[0] != kNoOperand ||
      operand.index[0] >= dxbc::program::kIoRegisters)
    return false;
  const SignatureKind kind = register_file(operand.type, program_.stage, declared_.phases[phase_].kind).kind;
  const auto found = signatures_->find(kind, operand.index[0], component);
  return std::ranges::any_of(found, [&](const auto& to) { return module_.signatures.of(kind)[to.element].type == Type::f32; });
}

void Lowering::write_output(SignatureKind kind, std::uint32_t register_index, unsigned component, Id value) {
  if (register_index >= dxbc::program::kIoRegisters) {
    return fail(ErrorCode::out_of_range, "output register " + std::to_string(register_index) + " is out of bounds (" +
                                             std::to_string(dxbc::program::kIoRegisters) + ")");
  }
  for (const auto& to : signatures_->find(kind, register_index, component)) {
    const Type type = module_.signatures.of(kind)[to.element].type;
    b().inst(Op::output, type, {b().as(type, value)}, {.extra = ElementExtra(kind, to.element, to.column).bits()});
  }
}

Lanes Lowering::lanes_of(const Operand& operand, bool wide_result, bool wide_source) const {
  Lanes lanes;
  const unsigned written = mask(operand);
  for (unsigned component = 0; component < 4; component += wide_result ? 2 : 1) {
    if ((written >> component & (wide_result ? 3U : 1U)) == 0) continue;
    // A double of the result has the components of its operands; other values follow each other.
    const unsigned place = wide_result && wide_source ? component / 2
                           : wide_source              ? std::min(lanes.count, 1U)
                           : wide_result              ? lanes.count
                                                      : component;
    lanes.add(component, place);
  }
  return lanes;
}

void Lowering::write_lanes(const Operand& operand, const Lanes& lanes, std::span<const Id> values) {
  const bool saturate = in_->info->control == dxbc::Control::sat && in_->saturates();
  for (unsigned at = 0; at < lanes.count; ++at) {
    const unsigned component = lanes.items[at].component;
    const auto scope = b().component(component);
    Id value = values[at];
    Type type = b().type_of(value);
    if (type == Type::b1) value = b().inst(Op::sext, Type::i32, {value});
    if (saturate) {
      if (type == Type::i32) value = b().as(type = Type::f32, value);
      value = arithmetic(Op::fsat, type, {value}, component);
    }
    if (type != Type::f64) {
      write(operand, component, value);
      continue;
    }
    const Id words = b().inst(Op::unpack64, Type::f64, {value});
    for (unsigned half = 0; half < 2; ++half) {
      const auto of_word = b().component(component + half);
      if ((mask(operand) >> (component + half) & 1) != 0) write(operand, component + half, b().get(words, Type::i32, half));
    }
  }
}

void Lowering::write_all(const Operand& operand, const Values& by_component) {
  for (unsigned component = 0; component < 4; ++component) {
    const auto scope = b().component(component);
    if ((mask(operand) >> component & 1) != 0 && by_component[component] != kNone) write(operand, component, by_component[component]);
  }
}

}  // namespace unshade::ir::lower_dxbc
