// Raw and structured buffers, group memory, atomics, and what belongs to single stages.
#include <algorithm>
#include <bit>

#include <unshade/dxbc/program/limits.hpp>

#include "ir/dxbc/lowering.hpp"

namespace unshade::ir::lower_dxbc {
namespace {

constexpr std::uint32_t kLastRegister = dxbc::program::kIoRegisters - 1;
using dxbc::program::Layout;
using dxcontainer::ResourceDimension;

}  // namespace

Id Lowering::add_bytes(Id offset, std::uint32_t bytes) {
  const Inst& inst = b().function().insts[offset];
  if (bytes == 0) return offset;
  return inst.op == Op::constant ? b().i32(inst.extra + bytes) : i(Op::iadd, {offset, b().i32(bytes)});
}

// The memory that an operand names: a byte in it, or an element and a byte within that.
std::optional<Lowering::Address> Lowering::address(const Operand& memory, const Values& at) {
  const auto has_offset = [&] {
    if (at[1] == kNone) fail(ErrorCode::bad_value, "a structured address must have an element index and a byte offset");
    return !failed();
  };
  if (memory.type == OperandType::thread_group_shared_memory) {
    for (const SharedMemory& shared : declared_.shared) {
      if (memory.dimensions == 0 || shared.number != memory.index[0]) continue;
      const std::uint32_t number = dxbc::program::memory_dimension(shared.stride);
      if (dxbc::program::access_fault(*in_->info, number) != dxbc::program::AccessFault::none) {
        fail(ErrorCode::bad_value, std::string(in_->info->text) + " of g" + std::to_string(shared.number) + ": " +
                                       dxbc::program::access_text(*in_->info, number));
        return std::nullopt;
      }
      if (shared.stride != 0 && !has_offset()) return std::nullopt;
      Address made{.variable = shared.variable};
      made.operands.push_back(shared.stride == 0 ? at[0] : i(Op::iadd, {i(Op::imul, {at[0], b().i32(shared.stride)}), at[1]}));
      return made;
    }
    fail(ErrorCode::missing, "g" + std::to_string(memory.index[0]) + " is not declared");
    return std::nullopt;
  }
  const BoundResource resource = bound(memory);
  if (resource.binding == nullptr) return std::nullopt;
  Address made;
  made.binding = resource.binding;
  made.operands = {resource.handle, at[0]};
  switch (resource.binding->declared.layout) {
    case Layout::raw: made.extra.kind = BufferKind::raw; break;
    case Layout::structured:
      if (!has_offset()) return std::nullopt;
      made.extra.kind = BufferKind::structured;
      made.extra.has_offset = true;
      made.operands.push_back(at[1]);
      break;
    case Layout::typed: made.extra.kind = BufferKind::typed; break;
  }
  return made;
}

// Addresses of loads and stores stand in operands of their own, those of atomics in the components of one.
Values Lowering::address_operands(unsigned first, unsigned count) {
  Values at{kNone, kNone, kNone, kNone};
  for (unsigned place = 0; place < count && place < 2; ++place) at[place] = source_lane(operand(first + place), 0, Type::i32);
  if (at[1] == kNone) at[1] = b().i32(0);
  return at;
}

void Lowering::memory_load(Op) {
  const unsigned first = first_source();
  const unsigned last = in_->operand_count - 1U;
  const Operand& memory = operand(last);
  auto from = address(memory, address_operands(first, last - first));
  if (!from) return;
  unsigned which = 0;
  for (unsigned at = 0; at < 4; ++at) {
    if ((mask(operand(0)) >> at & 1) != 0) which |= 1U << component(memory, at);
  }
  if (which == 0) return;
  Values read = kNoValues;
  if (from->variable != kNone) {
    for (unsigned at = 0; at < 4; ++at) {
      if ((which >> at & 1) == 0) continue;
      const auto scope = b().component(at);
      read[at] = b().inst(Op::load, Type::i32, {add_bytes(from->operands[0], at * 4)}, {.extra = from->variable});
    }
  } else {
    const auto low = static_cast<unsigned>(std::countr_zero(which));
    const auto count = static_cast<unsigned>(std::bit_width(which)) - low;
    from->operands.back() = add_bytes(from->operands.back(), low * 4);
    from->extra.has_status = wants_status();
    const Id loaded = b().inst(Op::buffer_load, Type::i32, from->operands,
                               {.extra = from->extra.bits(), .results = count + (from->extra.has_status ? 1U : 0U)});
    for (unsigned at = 0; at < count; ++at) {
      const auto scope = b().component(low + at);
      if ((which >> (low + at) & 1) != 0) read[low + at] = b().get(loaded, Type::i32, at);
    }
    if (from->extra.has_status) {
      const Id status = b().get(loaded, Type::i32, count);
      write_all(operand(1), {status, status, status, status});
    }
  }
  Values values = kNoValues;
  for (unsigned at = 0; at < 4; ++at) {
    if ((mask(operand(0)) >> at & 1) != 0) values[at] = read[component(memory, at)];
  }
  write_all(operand(0), values);
}

void Lowering::memory_store(Op) {
  const unsigned last = in_->operand_count - 1U;
  const auto to = address(operand(0), address_operands(1, last - 1));
  if (!to) return;
  const unsigned which = mask(operand(0));  // from x on, without a gap
  const Values values = source(operand(last), which, Type::i32);
  const auto count = static_cast<unsigned>(std::popcount(which));
  if (to->variable == kNone) {
    auto operands = to->operands;
    operands.insert(operands.end(), values.begin(), values.begin() + count);
    b().inst(Op::buffer_store, Type::i32, operands, {.extra = to->extra.bits()});
    return;
  }
  for (unsigned at = 0; at < count; ++at) {
    const auto scope = b().component(at);
    b().inst(Op::store, Type::i32, {add_bytes(to->operands[0], at * kComponentBytes), values[at]}, {.extra = to->variable});
  }
}

void Lowering::atomic_operation(AtomicOp operation) {
  const unsigned first = in_->info->shape[0] == 'd' ? 1 : 0;
  const Operand& memory = operand(first);
  const Operand& place = operand(first + 1);
  auto to = address(memory, source(place, place.components == 4 ? 3 : 1, Type::i32));
  if (!to) return;
  const bool is_texture =
      to->binding != nullptr && to->extra.kind == BufferKind::typed && to->binding->dimension != ResourceDimension::buffer;
  TextureExtra texture(is_texture ? to->binding->dimension : ResourceDimension::unknown);
  TextureOperands<Id> o;
  if (is_texture) read_lanes(std::span(o.coordinates).first(texture.coordinate_count()), place, Type::i32);
  // the value, after it what memory is compared with
  std::size_t count = 0;
  for (unsigned at = in_->operand_count - 1U; at >= first + 2; --at) o.values[count++] = source_lane(operand(at), 0, Type::i32);
  to->operands.insert(to->operands.end(), o.values.begin(), o.values.begin() + static_cast<std::ptrdiff_t>(count));
  Id old = kNone;
  if (to->variable != kNone) {
    old = b().inst(Op::atomic, Type::i32, to->operands, {.extra = AtomicExtra(to->variable, operation).bits()});
  } else if (is_texture) {
    texture.op = operation;
    old = b().texture(Op::texel_atomic, Type::i32, std::span(to->operands).first(1), texture, o);
  } else {
    to->extra.op = operation;
    old = b().inst(Op::buffer_atomic, Type::i32, to->operands, {.extra = to->extra.bits()});
  }
  if (first == 1) write_all(operand(0), {old, old, old, old});
}

void Lowering::count(Counter direction) {
  const BoundResource memory = bound(operand(1));
  if (memory.binding == nullptr) return;
  const Id value = b().inst(Op::counter, Type::void_, {memory.handle}, {.extra = static_cast<std::uint32_t>(direction)});
  write_all(operand(0), {value, value, value, value});
}

void Lowering::barrier(Op) {
  std::uint32_t bits = 0;
  const dxbc::Sync sync = in_->sync();
  if (sync.threads) bits |= kSyncGroup;
  if (sync.group_memory) bits |= kGroupMemory;
  if (sync.uav_group || sync.uav_global) bits |= kDeviceMemory;
  b().inst(Op::barrier, Type::void_, {}, {.extra = bits});
  blocks().behind(blocks().make());
}

// --- stages ------------------------------------------------------------------------------------------------------------------------------

void Lowering::discard(Op) {
  bool if_set = false;
  const Id value = condition(if_set);
  b().inst(Op::demote, Type::void_, {if_set ? value : b().inst(Op::inot, Type::b1, {value})});
}

std::uint32_t Lowering::stream() const { return in_->operand_count == 0 || operand(0).dimensions == 0 ? 0 : operand(0).index[0]; }

void Lowering::emit(Op) {
  store_arrays();
  b().inst(Op::emit, Type::void_, {}, {.extra = stream()});
}

void Lowering::cut(Op) { b().inst(Op::cut, Type::void_, {}, {.extra = stream()}); }

void Lowering::emit_cut(Op) {
  emit(Op::emit);
  cut(Op::cut);
}

void Lowering::evaluate_at(ElementExtra::Place place) {
  const Operand& from = operand(1);
  if (from.type != OperandType::input || from.dimensions != 1)
    return fail(ErrorCode::bad_value, "operand 1 of " + std::string(in_->info->text) + " must be an input register");
  std::vector<std::uint32_t> operands;
  if (place == ElementExtra::Place::sample) operands.push_back(source_lane(operand(2), 0, Type::i32));
  if (place == ElementExtra::Place::offset) {
    // Four bits each, signed: sixteenths of a pixel.
    const Values offsets = source(operand(2), 3, Type::i32);
    for (unsigned axis = 0; axis < 2; ++axis) operands.push_back(i(Op::ibfe, {offsets[axis], b().i32(0), b().i32(4)}));
  }
  const auto evaluated = [&](std::uint32_t register_index, unsigned which) {
    const auto found = signatures_->find(SignatureKind::input, std::min(register_index, kLastRegister), which).front();
    ElementExtra extra(SignatureKind::input, found.element, found.column);
    extra.place = place;
    const Type type = module_.signatures.input[found.element].type;
    return b().as(Type::f32, b().inst(Op::interpolate, type, operands, {.extra = extra.bits()}));
  };
  // Of a register that is found while the program runs, all that it may be.
  const RegisterArray* array = from.relative[0] == dxbc::kNoOperand ? nullptr : array_of(from.type, from.index[0]);
  const std::uint32_t first = array == nullptr ? from.index[0] : array->first;
  const Id register_index = index(from, 0);
  const Lanes lanes = lanes_of(operand(0), false, false);
  std::array<Id, 4> values{};
  for (unsigned at = 0; at < lanes.count; ++at) {
    const auto scope = b().component(lanes.items[at].component);
    const unsigned which = component(from, lanes.items[at].source);
    Id value = evaluated(first, which);
    for (std::uint32_t other = 1; array != nullptr && other < array->count; ++other) {
      const Id is_other = i(Op::ieq, {register_index, b().i32(first + other)});
      value = b().inst(Op::select, Type::f32, {is_other, evaluated(first + other, which), value});
    }
    values[at] = modified(from, Type::f32, value);
  }
  write_lanes(operand(0), lanes, values);
}

void Lowering::stop(Op) { b().inst(Op::trap, Type::void_, {}, {.extra = 0}); }

}  // namespace unshade::ir::lower_dxbc
