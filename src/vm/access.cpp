// Memory of variables, inputs and outputs; what values are in memory.
#include "vm/access.hpp"

#include <algorithm>
#include <bit>

#include <unshade/ir/numeric/rules.hpp>

namespace unshade::vm {
namespace {

namespace numeric = ir::numeric;
using ir::AtomicOp;
using ir::Op;
using ir::Type;

std::byte* memory_of(Run& run, Wave& wave, const ir::Variable& variable, unsigned lane) {
  switch (variable.space) {
    case ir::Space::private_: return wave.private_memory.data() + std::size_t{lane} * run.program.private_bytes + variable.offset;
    case ir::Space::group: return run.group_memory.data() + variable.offset;
    case ir::Space::payload: return run.payload.data() + variable.offset;
    default: return const_cast<std::byte*>(run.program.constant_bytes.data()) + variable.offset;
  }
}

// Nothing if the access is out of bounds.
std::byte* place(Run& run, Wave& wave, const ir::Variable& variable, unsigned lane, std::uint32_t offset, unsigned size) {
  if (variable.bytes < size || offset > variable.bytes - size) return nullptr;
  return memory_of(run, wave, variable, lane) + offset;
}

std::uint64_t peek(const std::byte* at, unsigned size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, size);
  return bits;
}

void load(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const ir::Variable& variable = run.program.module.variables[access.extra];
  const unsigned size = memory_bytes(access.type);
  for_each_lane(exec, [&](unsigned lane) {
    const std::byte* const at = place(run, wave, variable, lane, get32(run, wave, access.operands[0], lane), size);
    set_bits(run, wave, access.first_result, lane, is_wide(access.type), at == nullptr ? 0 : from_memory(access.type, peek(at, size)));
  });
}

void store(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const ir::Variable& variable = run.program.module.variables[access.extra];
  const unsigned size = memory_bytes(access.type);
  // private memory belongs to helper lanes too
  const LaneMask acting = variable.space == ir::Space::private_ ? exec : exec & ~wave.helper;
  for_each_lane(acting, [&](unsigned lane) {
    std::byte* const at = place(run, wave, variable, lane, get32(run, wave, access.operands[0], lane), size);
    if (at == nullptr) return;
    const std::uint64_t bits = to_memory(access.type, get_bits(run, wave, access.operands[1], lane, is_wide(access.type)));
    std::memcpy(at, &bits, size);
  });
}

void atomic(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const ir::AtomicExtra extra(access.extra);
  const ir::Variable& variable = run.program.module.variables[extra.variable];
  const unsigned size = memory_bytes(access.type);
  const bool wide = is_wide(access.type);
  for_each_lane(exec & ~wave.helper, [&](unsigned lane) {
    std::byte* const at = place(run, wave, variable, lane, get32(run, wave, access.operands[0], lane), size);
    const std::uint64_t old = at == nullptr ? 0 : from_memory(access.type, peek(at, size));
    if (at != nullptr) {
      const std::uint64_t compare = access.operands.size() > 2 ? get_bits(run, wave, access.operands[2], lane, wide) : 0;
      const std::uint64_t made =
          to_memory(access.type, atomic_result(extra.op, access.type, old, get_bits(run, wave, access.operands[1], lane, wide), compare));
      std::memcpy(at, &made, size);
    }
    set_bits(run, wave, access.first_result, lane, wide, old);
  });
}

// --- inputs and outputs ------------------------------------------------------------------------------------------------------------------

// The component of an element that an access means in a lane; kNone if the row is out of bounds. `vertex` is 0 without one.
struct Component {
  std::uint32_t component = ir::kNone;
  std::uint32_t vertex = 0;
};
Component component(Run& run, Wave& wave, const Access& access, const std::vector<ir::Element>& elements, unsigned lane) {
  const ir::ElementExtra extra(access.extra);
  const ir::Element& element = elements[extra.element];
  std::size_t operand = 0;
  Component found;
  if (extra.has_vertex) found.vertex = get32(run, wave, access.operands[operand++], lane);
  const std::uint32_t row = extra.has_row ? get32(run, wave, access.operands[operand], lane) : 0;
  if (row < element.rows) found.component = component_of(elements, extra.element) + row * element.columns + extra.column;
  return found;
}

void input(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const ir::ElementExtra extra(access.extra);
  const auto& elements = run.program.module.signatures.of(extra.signature);
  for_each_lane(exec, [&](unsigned lane) {
    std::uint64_t value = 0;
    const Component from = component(run, wave, access, elements, lane);
    if (run.alone != nullptr && from.component != ir::kNone) {
      const Lanes& alone = *run.alone;
      const bool patch = extra.signature == ir::SignatureKind::patch;
      const auto& values = patch ? alone.patch : alone.inputs;
      const std::size_t row = patch ? from.component : std::size_t{from.vertex} * run.input_components + from.component;
      const std::size_t at = row * alone.count + wave.first_lane + lane;
      if (at < values.size() && (patch || from.vertex < alone.vertices)) value = lane_bits(access.type, values[at]);
    }
    set_bits(run, wave, access.first_result, lane, is_wide(access.type), value);
  });
}

std::vector<std::uint64_t>* outputs_of(Run& run, const ir::ElementExtra& extra) {
  if (run.alone == nullptr) return nullptr;
  return extra.signature == ir::SignatureKind::patch ? &run.alone->patch : &run.alone->outputs;
}

void output(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const ir::ElementExtra extra(access.extra);
  const auto& elements = run.program.module.signatures.of(extra.signature);
  auto* const values = outputs_of(run, extra);
  if (values == nullptr) return;
  for_each_lane(exec, [&](unsigned lane) {
    const Component to = component(run, wave, access, elements, lane);
    const std::size_t at = std::size_t{to.component} * run.alone->count + wave.first_lane + lane;
    if (to.component == ir::kNone || at >= values->size()) return;
    (*values)[at] = value_bits(access.type, get_bits(run, wave, access.operands.back(), lane, is_wide(access.type)));
  });
}

void output_load(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const ir::ElementExtra extra(access.extra);
  const auto& elements = run.program.module.signatures.of(extra.signature);
  const auto* const values = outputs_of(run, extra);
  for_each_lane(exec, [&](unsigned lane) {
    const Component from = component(run, wave, access, elements, lane);
    const std::size_t at = run.alone == nullptr ? 0 : std::size_t{from.component} * run.alone->count + wave.first_lane + lane;
    const bool there = values != nullptr && from.component != ir::kNone && at < values->size();
    set_bits(run, wave, access.first_result, lane, is_wide(access.type), there ? lane_bits(access.type, (*values)[at]) : 0);
  });
}

void emit_or_cut(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  if (run.alone == nullptr) return;
  Lanes& alone = *run.alone;
  for_each_lane(exec & ~wave.helper, [&](unsigned lane) {
    if (alone.emitted.size() >= run.limits.emitted) return run.fault("more vertices are emitted than the limit allows");
    Lanes::Vertex& vertex = alone.emitted.emplace_back();
    vertex.lane = wave.first_lane + lane;
    vertex.stream = access.extra;
    vertex.cut = access.op == Op::cut;
    if (vertex.cut) return;
    for (std::size_t at = wave.first_lane + lane; at < alone.outputs.size(); at += alone.count) vertex.outputs.push_back(alone.outputs[at]);
  });
}

}  // namespace

std::uint64_t lane_bits(Type type, std::uint64_t value) {
  switch (type) {
    case Type::b1: return value != 0 ? 0xffff'ffff : 0;
    case Type::i8: return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
    case Type::i16: return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
    case Type::f16: return from_memory(type, value);
    default: return value;
  }
}

std::uint64_t value_bits(Type type, std::uint64_t lane) {
  switch (type) {
    case Type::b1: return lane != 0 ? 1 : 0;
    case Type::i8: return lane & 0xff;
    case Type::i16: return lane & 0xffff;
    case Type::f16: return to_memory(type, lane);
    default: return lane;
  }
}

std::uint64_t to_memory(Type type, std::uint64_t lane) {
  if (type == Type::f16)
    return numeric::memory_bits<Type::f16>(numeric::F32<1>(std::bit_cast<float>(static_cast<std::uint32_t>(lane)))).lane(0);
  return lane;
}

std::uint64_t from_memory(Type type, std::uint64_t bits) {
  switch (type) {
    case Type::f16:
      return std::bit_cast<std::uint32_t>(
          numeric::from_memory_bits<Type::f16>(numeric::U32<1>(static_cast<std::uint32_t>(bits & 0xffff))).lane(0));
    case Type::i8: return static_cast<std::uint32_t>(static_cast<std::int8_t>(bits));
    case Type::i16: return static_cast<std::uint32_t>(static_cast<std::int16_t>(bits));
    default: return bits;
  }
}

std::uint64_t atomic_result(AtomicOp op, Type type, std::uint64_t old, std::uint64_t value, std::uint64_t compare) {
  const bool wide = is_wide(type);
  const auto as_signed = [&](std::uint64_t bits) {
    return wide ? static_cast<std::int64_t>(bits) : std::int64_t{static_cast<std::int32_t>(bits)};
  };
  const std::uint64_t mask = wide ? ~std::uint64_t{0} : 0xffff'ffff;
  const auto real = [&](auto&& make) -> std::uint64_t {
    if (wide) return std::bit_cast<std::uint64_t>(make(std::bit_cast<double>(old), std::bit_cast<double>(value)));
    return std::bit_cast<std::uint32_t>(
        make(std::bit_cast<float>(static_cast<std::uint32_t>(old)), std::bit_cast<float>(static_cast<std::uint32_t>(value))));
  };
  old &= mask;
  value &= mask;
  switch (op) {
    case AtomicOp::add: return (old + value) & mask;
    case AtomicOp::and_: return old & value;
    case AtomicOp::or_: return old | value;
    case AtomicOp::xor_: return old ^ value;
    case AtomicOp::smin: return as_signed(value) < as_signed(old) ? value : old;
    case AtomicOp::smax: return as_signed(value) > as_signed(old) ? value : old;
    case AtomicOp::umin: return std::min(old, value);
    case AtomicOp::umax: return std::max(old, value);
    case AtomicOp::exchange: return value;
    case AtomicOp::compare_exchange: return old == (compare & mask) ? value : old;
    case AtomicOp::fadd: return real([](auto a, auto b) { return a + b; });
    case AtomicOp::fmin: return real([](auto a, auto b) { return b < a || a != a ? b : a; });
    case AtomicOp::fmax: return real([](auto a, auto b) { return b > a || a != a ? b : a; });
    case AtomicOp::inc_wrap: return old >= value ? 0 : old + 1;
    case AtomicOp::dec_wrap: return old == 0 || old > value ? value : old - 1;
  }
  return old;
}

AccessFunction access_function(Op op) {
  switch (op) {
    case Op::load: return load;
    case Op::store: return store;
    case Op::atomic: return atomic;
    case Op::input:
    case Op::interpolate: return input;
    case Op::output: return output;
    case Op::output_load: return output_load;
    case Op::emit:
    case Op::cut: return emit_or_cut;
    default: break;
  }
  if (const AccessFunction found = resource_function(op)) return found;
  if (const AccessFunction found = sample_function(op)) return found;
  return lane_function(op);
}

std::uint32_t components_of(const std::vector<ir::Element>& elements) { return component_of(elements, elements.size()); }

std::uint32_t component_of(const std::vector<ir::Element>& elements, std::size_t element) {
  std::uint32_t components = 0;
  for (std::size_t at = 0; at < element; ++at) components += elements[at].rows * elements[at].columns;
  return components;
}

}  // namespace unshade::vm
