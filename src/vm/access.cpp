// Inputs and outputs, and what values are in memory.
#include "vm/access.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <unshade/ir/numeric/rules.hpp>
#include <unshade/texel/samples.hpp>

namespace unshade::vm {
namespace {

namespace numeric = ir::numeric;
using ir::AtomicOp;
using ir::Op;
using ir::Type;

// --- inputs and outputs ------------------------------------------------------------------------------------------------------------------

// Which component of an element an access means; in a lane kNone if the row is out of bounds, and vertex 0 without one.
class Component {
 public:
  Component(const Access& access, const std::vector<ir::Element>& elements)
      : extra_(access.extra), element_(elements[extra_.element]), first_(component_of(elements, extra_.element) + extra_.column) {}

  struct Place {
    std::uint32_t component = ir::kNone;
    std::uint32_t vertex = 0;
  };
  Place in(Run& run, Wave& wave, const Access& access, unsigned lane) const {
    std::size_t operand = 0;
    Place found;
    if (extra_.has_vertex) found.vertex = get32(run, wave, access.operands[operand++], lane);
    const std::uint32_t row = extra_.has_row ? get32(run, wave, access.operands[operand], lane) : 0;
    if (row < element_.rows) found.component = first_ + row * element_.columns;
    return found;
  }

 private:
  ir::ElementExtra extra_;
  const ir::Element& element_;
  std::uint32_t first_;
};

// Of a lane, as lanes hold values; 0 if it is not given.
std::uint64_t given_input(Run& run, Wave& wave, const Access& access, Component::Place from, unsigned lane) {
  if (run.alone == nullptr || from.component == ir::kNone) return 0;
  const ir::ElementExtra extra(access.extra);
  const Lanes& alone = *run.alone;
  const std::uint32_t own = static_cast<std::uint32_t>(wave.first_lane) + lane;
  const bool patch = extra.signature == ir::SignatureKind::patch;
  if (extra.has_vertex && !patch && alone.interpolator.of_vertex != nullptr)
    return lane_bits(access.type, alone.interpolator.of_vertex(alone.interpolator.self, own, from.component, from.vertex));
  const auto& values = patch ? alone.patch : alone.inputs;
  const std::size_t row = patch ? from.component : std::size_t{from.vertex} * run.program.inputs + from.component;
  const std::size_t at = row * alone.count + own;
  return at < values.size() && (patch || from.vertex < alone.vertices) ? lane_bits(access.type, values[at]) : 0;
}

void input(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const Component component(access, run.program.module.signatures.of(ir::ElementExtra(access.extra).signature));
  for_each_lane(exec, [&](unsigned lane) {
    const auto from = component.in(run, wave, access, lane);
    set_bits(run, wave, access.first_result, lane, is_wide(access.type), given_input(run, wave, access, from, lane));
  });
}

/// Of a pixel's width: what an Interpolator counts in.
constexpr std::int32_t kPixelParts = 256;

// Offsets are whole sixteenths of a pixel, or floats in pixels.
std::int32_t pixel_offset(Run& run, Wave& wave, std::uint16_t operand, bool is_real, unsigned lane) {
  constexpr float kMost = 1 << 15;
  const std::uint32_t bits = get32(run, wave, operand, lane);
  if (!is_real) return std::clamp(static_cast<std::int32_t>(bits), -(1 << 20), 1 << 20) * (kPixelParts / 16);
  const float parts = std::nearbyint(std::bit_cast<float>(bits) * float{kPixelParts});
  return parts > -kMost ? static_cast<std::int32_t>(std::min(parts, kMost)) : static_cast<std::int32_t>(-kMost);  // NaN too
}

// Where an input is evaluated, in parts of a pixel from its centre.
struct PixelPlace {
  ir::ElementExtra::Place kind = ir::ElementExtra::Place::centroid;
  std::int32_t x = 0, y = 0;  // of a sample, x is its number
};

// Of pixels without a triangle: on the plane through what the lanes of the quad have. All samples are covered, so that the centroid is the
// centre.
std::uint64_t on_plane_of_quad(Run& run, Wave& wave, const Access& access, Component::Place from, unsigned lane, PixelPlace place) {
  const std::uint64_t centre = given_input(run, wave, access, from, lane);
  if (run.alone == nullptr || !ir::is_float(access.type) || is_wide(access.type)) return centre;
  if (place.kind == ir::ElementExtra::Place::sample) {
    const auto pattern = texel::sample_pattern(run.alone->samples);
    const auto sample = static_cast<std::uint32_t>(place.x);
    place.x = place.y = 0;
    if (sample < pattern.size()) {
      place.x = pattern[sample][0] * (kPixelParts / 16);
      place.y = pattern[sample][1] * (kPixelParts / 16);
    }
  }
  const auto step = [&](unsigned bit) {
    if (wave.first_lane + (lane | bit) >= run.alone->count) return 0.0;
    const auto of = [&](unsigned at) {
      return double{std::bit_cast<float>(static_cast<std::uint32_t>(given_input(run, wave, access, from, at)))};
    };
    return of(lane | bit) - of(lane & ~bit);
  };
  double moved = 0;
  if (place.x != 0) moved += step(1) * place.x / kPixelParts;
  if (place.y != 0) moved += step(2) * place.y / kPixelParts;
  if (moved == 0) return centre;  // exactly, whatever number it is
  const std::uint32_t bits =
      numeric::canonical_bits(static_cast<float>(double{std::bit_cast<float>(static_cast<std::uint32_t>(centre))} + moved));
  return access.type == Type::f16 ? texel::rounded_to_f16(bits, ir::Rounding::nearest_even) : bits;
}

void interpolate(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  using Where = ir::ElementExtra::Place;
  const ir::ElementExtra extra(access.extra);
  const Component component(access, run.program.module.signatures.input);
  const bool is_flat = run.program.module.signatures.input[extra.element].interpolation == dxcontainer::Interpolation::constant;
  const std::size_t first = extra.has_row ? 1 : 0;
  const ir::Function& function = *run.program.function;
  const bool is_real = extra.place == Where::offset && ir::is_float(ir::result_type(function, function.operands_of(access.inst)[first]));
  for_each_lane(exec, [&](unsigned lane) {
    const auto from = component.in(run, wave, access, lane);
    PixelPlace place{.kind = extra.place};
    if (extra.place == Where::sample) place.x = static_cast<std::int32_t>(get32(run, wave, access.operands[first], lane));
    if (extra.place == Where::offset) {
      place.x = pixel_offset(run, wave, access.operands[first], is_real, lane);
      place.y = pixel_offset(run, wave, access.operands[first + 1], is_real, lane);
    }
    std::uint64_t value = 0;
    if (run.alone != nullptr && run.alone->interpolator.at != nullptr) {
      const Interpolator& places = run.alone->interpolator;
      if (from.component != ir::kNone)
        value = lane_bits(access.type, places.at(places.self, static_cast<std::uint32_t>(wave.first_lane) + lane, from.component,
                                                 extra.place, place.x, place.y));
    } else {
      value = is_flat ? given_input(run, wave, access, from, lane) : on_plane_of_quad(run, wave, access, from, lane, place);
    }
    set_bits(run, wave, access.first_result, lane, is_wide(access.type), value);
  });
}

// Whether values of a type stand in lanes as they do in Lanes.
// Of the vertices of a mesh, or of its primitives.
void mesh_output(Run& run, Wave& wave, const Access& access, const LaneMask& exec, const Component& component, ir::SignatureKind kind) {
  auto& values = kind == ir::SignatureKind::patch ? run.made->patch : run.made->outputs;
  const std::size_t components = components_of(run.program.module.signatures.of(kind));
  for_each_lane(exec, [&](unsigned lane) {
    const auto to = component.in(run, wave, access, lane);
    const std::size_t at = to.vertex * components + to.component;
    if (to.component == ir::kNone || at >= values.size()) return run.missed.add(lane);
    values[at] = value_bits(access.type, get_bits(run, wave, access.operands.back(), lane, is_wide(access.type)));
  });
}

void mesh_index(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  if (run.made == nullptr) return;
  const std::size_t corners = ir::corners_of(run.program.module.info.mesh_topology);
  for_each_lane(exec, [&](unsigned lane) {
    const std::uint32_t corner = get32(run, wave, access.operands[1], lane);
    const std::size_t at = get32(run, wave, access.operands[0], lane) * corners + corner;
    if (corner >= corners || at >= run.made->indices.size()) return run.missed.add(lane);
    run.made->indices[at] = get32(run, wave, access.operands[2], lane);
  });
}

// The same in all lanes, or undefined.
void set_mesh_counts(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  if (run.made == nullptr) return;
  const ir::StageInfo& info = run.program.module.info;
  const std::uint32_t vertices = get32(run, wave, access.operands[0], exec.lowest());
  const std::uint32_t primitives = get32(run, wave, access.operands[1], exec.lowest());
  if (vertices > info.max_vertices || primitives > info.max_primitives) {
    return run.fault("the mesh has " + std::to_string(vertices) + " vertices and " + std::to_string(primitives) +
                     " primitives, its shader declares at most " + std::to_string(info.max_vertices) + " and " +
                     std::to_string(info.max_primitives));
  }
  run.made->vertices = vertices;
  run.made->primitives = primitives;
}

void dispatch_mesh(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  if (run.made == nullptr) return;
  for (std::size_t axis = 0; axis < 3; ++axis) run.made->dispatched[axis] = get32(run, wave, access.operands[axis], exec.lowest());
}

std::vector<std::uint64_t>* outputs_of(Run& run, const ir::ElementExtra& extra) {
  if (run.alone == nullptr) return nullptr;
  return extra.signature == ir::SignatureKind::patch ? &run.alone->patch : &run.alone->outputs;
}

void output(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const ir::ElementExtra extra(access.extra);
  const Component component(access, run.program.module.signatures.of(extra.signature));
  if (run.made != nullptr) return mesh_output(run, wave, access, exec, component, extra.signature);
  auto* const values = outputs_of(run, extra);
  if (values == nullptr) return;
  for_each_lane(exec, [&](unsigned lane) {
    const auto to = component.in(run, wave, access, lane);
    const std::size_t at = std::size_t{to.component} * run.alone->count + wave.first_lane + lane;
    if (to.component == ir::kNone || at >= values->size()) return;
    (*values)[at] = value_bits(access.type, get_bits(run, wave, access.operands.back(), lane, is_wide(access.type)));
  });
}

void output_load(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const ir::ElementExtra extra(access.extra);
  const Component component(access, run.program.module.signatures.of(extra.signature));
  const auto* values = outputs_of(run, extra);
  const bool given = extra.has_vertex && values != nullptr && !run.alone->control_points.empty();
  if (given) values = &run.alone->control_points;
  const std::size_t components = components_of(run.program.module.signatures.output);
  for_each_lane(exec, [&](unsigned lane) {
    const auto from = component.in(run, wave, access, lane);
    std::uint64_t value = 0;
    if (values != nullptr && from.component != ir::kNone) {
      const Lanes& alone = *run.alone;
      std::size_t of = wave.first_lane + lane;
      std::size_t row = from.component;
      bool inside = true;
      if (given) {
        row += std::size_t{from.vertex} * components;
      } else if (extra.has_vertex && extra.signature == ir::SignatureKind::output && alone.points > 1) {
        of += from.vertex - of % alone.points;
        inside = from.vertex < alone.points && of < alone.count;
      }
      const std::size_t at = row * alone.count + of;
      if (inside && at < values->size()) value = lane_bits(access.type, (*values)[at]);
    }
    set_bits(run, wave, access.first_result, lane, is_wide(access.type), value);
  });
}

void emit_or_cut(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  if (run.alone == nullptr) return;
  const Lanes& alone = *run.alone;
  for_each_lane(exec & ~wave.helper, [&](unsigned lane) {
    if (run.emitted->size() >= run.limits.emitted) return run.fault("more vertices are emitted than the limit allows");
    Lanes::Vertex& vertex = run.emitted->emplace_back();
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
    case Type::f16: return texel::from_memory(type, value);
    default: return value;
  }
}

std::uint64_t value_bits(Type type, std::uint64_t lane) {
  switch (type) {
    case Type::b1: return lane != 0 ? 1 : 0;
    case Type::i8: return lane & 0xff;
    case Type::i16: return lane & 0xffff;
    case Type::f16: return texel::to_memory(type, lane);
    default: return lane;
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
    const auto made = std::bit_cast<std::uint32_t>(
        make(std::bit_cast<float>(static_cast<std::uint32_t>(old)), std::bit_cast<float>(static_cast<std::uint32_t>(value))));
    return type == Type::f16 ? texel::rounded_to_f16(made, ir::Rounding::nearest_even) : made;
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
    case AtomicOp::fadd: return real([](auto a, auto b) { return numeric::canonical_bits(a + b); });
    case AtomicOp::fmin: return real([](auto a, auto b) { return b < a || a != a ? b : a; });
    case AtomicOp::fmax: return real([](auto a, auto b) { return b > a || a != a ? b : a; });
    case AtomicOp::inc_wrap: return old >= value ? 0 : old + 1;
    case AtomicOp::dec_wrap: return old == 0 || old > value ? value : old - 1;
  }
  return old;
}

AccessFunction access_function(Op op) {
  switch (op) {
    case Op::input: return input;
    case Op::interpolate: return interpolate;
    case Op::output: return output;
    case Op::output_load: return output_load;
    case Op::emit:
    case Op::cut: return emit_or_cut;
    case Op::set_mesh_counts: return set_mesh_counts;
    case Op::mesh_index: return mesh_index;
    case Op::dispatch_mesh: return dispatch_mesh;
    default: break;
  }
  for (const auto& function_of : {variable_function, resource_function, buffer_function, texel_function, sample_function})
    if (const AccessFunction found = function_of(op)) return found;
  return lane_function(op);
}

std::uint32_t transfer_component(const ir::Module& module, const ir::Inst& inst) {
  if ((inst.op != Op::input && inst.op != Op::output) || !is_plain(inst.type) || runs_in_groups(module.stage)) return ir::kNone;
  const ir::ElementExtra extra(inst.extra);
  const bool reads = inst.op == Op::input && extra.signature == ir::SignatureKind::input;
  const bool writes = inst.op == Op::output && extra.signature == ir::SignatureKind::output;
  if ((!reads && !writes) || extra.has_row || extra.has_vertex) return ir::kNone;
  return component_of(module.signatures.of(extra.signature), extra.element) + extra.column;
}

void transfer_inputs(Run& run, Wave& wave, std::span<const Transfer> row, const LaneMask& exec) {
  if (run.alone == nullptr) {
    for (const Transfer& one : row) input(run, wave, run.program.accesses[one.access], exec);
    return;
  }
  const std::size_t of_component = run.alone->count;
  const std::uint64_t* const inputs = run.alone->inputs.data() + wave.first_lane;
  if (wave.lane_count == 1) {
    std::byte* const slots = wave.slots.data();
    for (const Transfer& one : row) {
      const auto value = static_cast<std::uint32_t>(inputs[one.component * of_component]);
      std::memcpy(slots + one.slot * run.program.slot_bytes, &value, 4);
    }
    return;
  }
  for (const Transfer& one : row) {
    const std::uint64_t* const from = inputs + one.component * of_component;
    std::byte* const to = lane_at(run.program, wave, one.slot, 0, false);
    for (unsigned lane = 0, count = wave.lane_count; lane < count; ++lane) {
      const auto value = static_cast<std::uint32_t>(from[lane]);
      std::memcpy(to + std::size_t{4} * lane, &value, 4);
    }
  }
}

void transfer_outputs(Run& run, Wave& wave, std::span<const Transfer> row, const LaneMask& exec) {
  if (run.alone == nullptr || !(exec == wave.lanes)) {
    for (const Transfer& one : row) output(run, wave, run.program.accesses[one.access], exec);
    return;
  }
  const std::size_t of_component = run.alone->count;
  std::uint64_t* const outputs = run.alone->outputs.data() + wave.first_lane;
  if (wave.lane_count == 1) {
    const std::byte* const slots = wave.slots.data();
    for (const Transfer& one : row) {
      std::uint32_t value;
      std::memcpy(&value, slots + one.slot * run.program.slot_bytes, 4);
      outputs[one.component * of_component] = value;
    }
    return;
  }
  for (const Transfer& one : row) {
    const std::byte* const from = lane_at(run.program, wave, one.slot, 0, false);
    std::uint64_t* const to = outputs + one.component * of_component;
    for (unsigned lane = 0, count = wave.lane_count; lane < count; ++lane) {
      std::uint32_t value;
      std::memcpy(&value, from + std::size_t{4} * lane, 4);
      to[lane] = value;
    }
  }
}

std::uint32_t components_of(const std::vector<ir::Element>& elements) { return component_of(elements, elements.size()); }

std::uint32_t component_of(const std::vector<ir::Element>& elements, std::size_t element) {
  std::uint32_t components = 0;
  for (std::size_t at = 0; at < element; ++at) components += elements[at].rows * elements[at].columns;
  return components;
}

}  // namespace unshade::vm
