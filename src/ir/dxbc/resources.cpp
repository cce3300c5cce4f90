// Textures and typed buffers: what is read, written and asked of them.
#include <algorithm>

#include "ir/dxbc/lowering.hpp"

namespace unshade::ir::lower_dxbc {

// Forms with a status have a second destination.
unsigned Lowering::first_source() const { return in_->info->shape.starts_with("dd") ? 2 : 1; }

bool Lowering::wants_status() const { return first_source() == 2 && operand(1).type != OperandType::null; }

void Lowering::read_lanes(std::span<Id> to, const Operand& from, Type type) {
  const Values values = source(from, (1U << to.size()) - 1U, type);
  std::ranges::copy_n(values.begin(), static_cast<std::ptrdiff_t>(to.size()), to.begin());
}

// The texel offsets of the instruction.
void Lowering::add_offsets(TextureOperands<Id>& operands, unsigned dimensions) {
  if (!in_->has_texel_offsets) return;
  const std::array<std::int8_t, 3> offsets{in_->offsets.u, in_->offsets.v, in_->offsets.w};
  for (unsigned at = 0; at < dimensions; ++at) operands.offsets[at] = b().i32(static_cast<std::uint32_t>(std::int32_t{offsets[at]}));
}

// Destinations take the components that the swizzle of the resource names; of a single value that.
void Lowering::write_members(Id loaded, unsigned members, const Operand& resource, Type type) {
  Values values = kNoValues;
  for (unsigned at = 0; at < 4; ++at) {
    if ((mask(operand(0)) >> at & 1) == 0) continue;
    const auto scope = b().component(at);
    const unsigned member = members == 1 ? 0 : component(resource, at);
    values[at] = b().get(loaded, type, member);
  }
  if (wants_status()) {
    const Id status = b().get(loaded, Type::i32, members);
    write_all(operand(1), {status, status, status, status});
  }
  write_all(operand(0), values);
}

void Lowering::sample_as(Sampling how) {
  const unsigned at = first_source();
  const BoundResource texture = bound(operand(at + 1));
  const BoundResource sampler = bound(operand(at + 2));
  if (texture.binding == nullptr || sampler.binding == nullptr) return;
  TextureExtra extra(texture.binding->dimension);
  const std::array handles{texture.handle, sampler.handle};
  TextureOperands<Id> o;
  read_lanes(std::span(o.coordinates).first(extra.coordinate_count()), operand(at), Type::f32);
  unsigned next = at + 3;
  const auto one = [&] { return source_lane(operand(next++), 0, Type::f32); };
  switch (how) {
    case Sampling::plain: break;
    case Sampling::bias: o.bias = one(); break;
    case Sampling::level: o.lod = one(); break;
    case Sampling::compare: o.reference = one(); break;
    case Sampling::compare_level_zero:
      o.lod = b().f32(0);
      o.reference = one();
      break;
    case Sampling::gradient:
      read_lanes(std::span(o.ddx).first(extra.dimension_count()), operand(next++), Type::f32);
      read_lanes(std::span(o.ddy).first(extra.dimension_count()), operand(next++), Type::f32);
      break;
  }
  add_offsets(o, extra.dimension_count());
  if (next < in_->operand_count && operand(next).type != OperandType::null) o.min_lod = one();
  const bool is_implicit = how == Sampling::plain || how == Sampling::bias || how == Sampling::compare;
  const bool compares = o.reference != kNone;
  const unsigned members = compares ? 1 : 4;
  const Type type = compares ? Type::f32 : texture.binding->type;
  extra.has_status = wants_status();
  const Id loaded = b().texture(is_implicit ? Op::sample_implicit : Op::sample, type, handles, extra, o, {.results = members});
  write_members(loaded, members, operand(at + 1), type);
}

void Lowering::gather_as(bool has_offsets, bool has_reference) {
  const unsigned at = first_source();
  const unsigned resource = at + (has_offsets ? 2U : 1U);
  const BoundResource texture = bound(operand(resource));
  const BoundResource sampler = bound(operand(resource + 1));
  if (texture.binding == nullptr || sampler.binding == nullptr) return;
  TextureExtra extra(texture.binding->dimension);
  const std::array handles{texture.handle, sampler.handle};
  TextureOperands<Id> o;
  read_lanes(std::span(o.coordinates).first(extra.coordinate_count()), operand(at), Type::f32);
  if (has_offsets) {
    // src: functional specification of Direct3D 11.3, gather4_po: the low six bits count, signed
    const Values offsets = source(operand(at + 1), 3, Type::i32);
    for (unsigned axis = 0; axis < extra.dimension_count() && axis < 2; ++axis) {
      o.offsets[axis] = i(Op::ibfe, {offsets[axis], b().i32(0), b().i32(6)});
    }
  } else {
    add_offsets(o, extra.dimension_count());
  }
  if (has_reference) {
    o.reference = source_lane(operand(resource + 2), 0, Type::f32);
  } else {
    extra.component = static_cast<std::uint8_t>(component(operand(resource + 1), 0));
  }
  extra.has_status = wants_status();
  const Type type = has_reference ? Type::f32 : texture.binding->type;
  write_members(b().texture(Op::gather, type, handles, extra, o, {.results = 4}), 4, operand(resource), type);
}

void Lowering::texel_load(Op) {
  const unsigned at = first_source();
  const Operand& resource = operand(at + 1);
  const BoundResource from = bound(resource);
  if (from.binding == nullptr) return;
  const Type type = from.binding->type;
  if (from.binding->dimension == dxcontainer::ResourceDimension::buffer) {
    BufferExtra extra;
    extra.kind = BufferKind::typed;
    extra.has_status = wants_status();
    const Id index = source_lane(operand(at), 0, Type::i32);
    const Id loaded = b().inst(Op::buffer_load, type, {from.handle, index}, {.extra = extra.bits(), .results = extra.has_status ? 5U : 4U});
    return write_members(loaded, 4, resource, type);
  }
  TextureExtra extra(from.binding->dimension);
  extra.has_status = wants_status();
  TextureOperands<Id> o;
  read_lanes(std::span(o.coordinates).first(extra.coordinate_count()), operand(at), Type::i32);
  const bool has_samples = dxcontainer::is_multisampled(extra.dimension);
  if (!has_samples && from.binding->declared.type == OperandType::resource) o.lod = source_lane(operand(at), 3, Type::i32);
  add_offsets(o, extra.dimension_count());
  if (has_samples) o.sample = source_lane(operand(at + 2), 0, Type::i32);
  write_members(b().texture(Op::texel_load, type, {&from.handle, 1}, extra, o, {.results = 4}), 4, resource, type);
}

void Lowering::texel_store(Op) {
  const BoundResource to = bound(operand(0));
  if (to.binding == nullptr) return;
  const Type type = to.binding->type;
  const TextureExtra extra(to.binding->dimension);
  TextureOperands<Id> o;
  read_lanes(std::span(o.coordinates).first(extra.coordinate_count()), operand(1), Type::i32);
  read_lanes(o.values, operand(2), type);
  if (to.binding->dimension == dxcontainer::ResourceDimension::buffer) {
    BufferExtra buffer;
    buffer.kind = BufferKind::typed;
    const auto& v = o.values;
    b().inst(Op::buffer_store, type, {to.handle, o.coordinates[0], v[0], v[1], v[2], v[3]}, {.extra = buffer.bits()});
  } else {
    b().texture(Op::texel_store, type, {&to.handle, 1}, extra, o);
  }
}

// Four values that the swizzle of the resource chooses from, as numbers of the kind that the instruction asks for.
void Lowering::write_info(Values values, const Operand& resource) {
  for (Id& value : values) {
    if (value == kNone) value = b().i32(0);
  }
  Values chosen = kNoValues;
  for (unsigned at = 0; at < 4; ++at) {
    if ((mask(operand(0)) >> at & 1) != 0) chosen[at] = values[component(resource, at)];
  }
  write_all(operand(0), chosen);
}

void Lowering::resource_info(Op) {
  const BoundResource from = bound(operand(2));
  if (from.binding == nullptr) return;
  TextureExtra extra(from.binding->dimension);
  const bool has_levels = !dxcontainer::is_multisampled(extra.dimension) && from.binding->declared.type == OperandType::resource &&
                          extra.dimension != dxcontainer::ResourceDimension::buffer;
  std::vector<std::uint32_t> operands{from.handle};
  if (has_levels) {
    extra.has_lod = true;
    operands.push_back(source_lane(operand(1), 0, Type::i32));
  }
  const unsigned dimensions = dxcontainer::is_cube(extra.dimension) ? 2 : extra.dimension_count();
  const unsigned count = dimensions + (extra.is_array() ? 1U : 0U);
  const Id size = b().inst(Op::query_size, Type::void_, operands, {.extra = extra.bits(), .results = count});
  Values values = kNoValues;
  for (unsigned at = 0; at < count; ++at) {
    const auto scope = b().component(at);
    values[at] = b().get(size, Type::i32, at);
  }
  values[3] =
      has_levels ? b().inst(Op::query_levels, Type::void_, {from.handle}, {.extra = TextureExtra(extra.dimension).bits()}) : b().i32(1);
  const dxbc::InfoType returned = in_->info_type();
  for (unsigned at = 0; at < 4 && returned != dxbc::InfoType::uint; ++at) {
    if (values[at] == kNone) continue;
    const auto scope = b().component(at);
    values[at] = b().inst(Op::u_to_f, Type::f32, {values[at]});
    if (returned == dxbc::InfoType::reciprocal && at < dimensions) values[at] = b().inst(Op::frcp, Type::f32, {values[at]});
  }
  write_info(values, operand(2));
}

void Lowering::buffer_info(Op) {
  const BoundResource from = bound(operand(1));
  if (from.binding == nullptr) return;
  const Id size =
      b().inst(Op::query_size, Type::void_, {from.handle}, {.extra = TextureExtra(dxcontainer::ResourceDimension::buffer).bits()});
  const bool is_structured = from.binding->declared.layout == dxbc::program::Layout::structured;
  write_info({size, is_structured ? b().i32(from.binding->declared.size) : kNone, kNone, kNone}, operand(1));
}

void Lowering::sample_info(Op) {
  const bool is_target = operand(1).type == OperandType::rasterizer;
  const BoundResource from = is_target ? BoundResource{} : bound(operand(1));
  if (!is_target && from.binding == nullptr) return;
  Id count = is_target ? b().inst(Op::query_samples, Type::void_, {}) : b().inst(Op::query_samples, Type::void_, {from.handle});
  if (in_->info_type() == dxbc::InfoType::float_) count = b().inst(Op::u_to_f, Type::f32, {count});
  write_info({count, kNone, kNone, kNone}, operand(1));
}

void Lowering::sample_position(Op) {
  const bool is_target = operand(1).type == OperandType::rasterizer;
  const BoundResource from = is_target ? BoundResource{} : bound(operand(1));
  if (!is_target && from.binding == nullptr) return;
  const Id sample = source_lane(operand(2), 0, Type::i32);
  const Id place =
      is_target ? b().inst(Op::sample_position, Type::void_, {sample}) : b().inst(Op::sample_position, Type::void_, {from.handle, sample});
  write_info({b().get(place, Type::f32, 0), b().get(place, Type::f32, 1), kNone, kNone}, operand(1));
}

void Lowering::query_lod(Op) {
  const BoundResource texture = bound(operand(2));
  const BoundResource sampler = bound(operand(3));
  if (texture.binding == nullptr || sampler.binding == nullptr) return;
  const TextureExtra extra(texture.binding->dimension);
  const std::array handles{texture.handle, sampler.handle};
  TextureOperands<Id> o;
  read_lanes(std::span(o.coordinates).first(extra.dimension_count()), operand(1), Type::f32);
  const Id levels = b().texture(Op::query_lod, Type::void_, handles, extra, o);
  write_info({b().get(levels, Type::f32, 0), b().get(levels, Type::f32, 1), kNone, kNone}, operand(2));
}

}  // namespace unshade::ir::lower_dxbc
