// Images: sampling, loads, stores, and what they are asked.
#include <algorithm>
#include <optional>

#include "ir/spirv/function.hpp"

namespace unshade::ir::lower_spirv {
namespace {

using dxcontainer::ResourceDimension;
using Bits = spirv::ImageOperands;

// Operands of an instruction on an image that a mask says are there.
struct ImageOperands {
  std::uint32_t mask = 0;
  std::uint32_t bias = 0, lod = 0, ddx = 0, ddy = 0, offset = 0, offsets = 0, sample = 0, min_lod = 0;  // ids
};

constexpr bool has_bit(std::uint32_t mask, Bits bit) { return (mask & static_cast<std::uint32_t>(bit)) != 0; }

ImageOperands read_operands(const Instruction& i, std::size_t at) {
  ImageOperands made;
  if (at >= i.operands.size()) return made;
  made.mask = i.operands[at++];
  const auto next = [&](Bits bit, std::uint32_t& to) {
    if (has_bit(made.mask, bit)) to = i.operand(at++);
  };
  next(Bits::bias, made.bias);
  next(Bits::lod, made.lod);
  next(Bits::grad, made.ddx);
  if (has_bit(made.mask, Bits::grad)) made.ddy = i.operand(at++);
  next(Bits::const_offset, made.offset);
  next(Bits::offset, made.offset);
  next(Bits::const_offsets, made.offsets);
  next(Bits::sample, made.sample);
  next(Bits::min_lod, made.min_lod);
  next(Bits::make_texel_available, made.mask);  // scopes, of no interest
  return made;
}

const spirv::OpcodeInfo& row_of(const Instruction& i) { return *spirv::find_opcode(static_cast<std::uint32_t>(i.opcode)); }

}  // namespace

ResourceDimension dimension_of(const spirv::ImageInfo& image) {
  using enum ResourceDimension;
  switch (image.dim) {
    case spirv::Dim::dim_1d: return image.is_arrayed ? texture1d_array : texture1d;
    case spirv::Dim::dim_3d: return texture3d;
    case spirv::Dim::cube: return image.is_arrayed ? texture_cube_array : texture_cube;
    case spirv::Dim::buffer: return buffer;
    default:
      if (image.is_multisampled) return image.is_arrayed ? texture2d_ms_array : texture2d_ms;
      return image.is_arrayed ? texture2d_array : texture2d;
  }
}

// The type of an image, or of that of a sampled one, that an id is a value of.
const spirv::Type* FunctionLowering::image_type(std::uint32_t id) {
  const spirv::Type* type = context_.interface.type(type_of(id));
  if (type != nullptr && type->kind == TypeKind::sampled_image) type = context_.interface.type(type->element);
  if (type != nullptr && type->kind == TypeKind::image) return type;
  fail(ErrorCode::bad_value, "%" + std::to_string(id) + " must be an image");
  return nullptr;
}

// Integer coordinates.
Pieces FunctionLowering::texel_place(const spirv::Type& image, std::uint32_t coordinates) {
  Pieces from = pieces(coordinates);
  const TextureExtra extra(dimension_of(image.image));
  const bool is_buffer = extra.dimension == ResourceDimension::buffer;
  std::size_t count = is_buffer ? 1 : extra.coordinate_count();
  if (extra.dimension == ResourceDimension::texture_cube_array) count = 3;  // layer and face are one
  if (from.size() < count)
    return fail(ErrorCode::bad_value, "too few coordinates: expected " + std::to_string(count)),
           Pieces(std::max<std::size_t>(count, 4), i32(0));
  from.resize(count);
  for (Id& one : from) one = resized(one, Type::i32, true);
  if (image.image.dim == spirv::Dim::subpass_data) {
    for (std::uint8_t k = 0; k < 2; ++k) {
      const Id here = op(Op::builtin, Type::f32, {}, BuiltinExtra(Builtin::position, k).bits());
      from[k] = op(Op::iadd, Type::i32, {from[k], op(Op::f_to_s, Type::i32, {here})});
    }
  }
  if (extra.dimension == ResourceDimension::texture_cube_array) {
    from.push_back(op(Op::udiv, Type::i32, {from[2], i32(6)}));
    from[2] = op(Op::urem, Type::i32, {from[2], i32(6)});
  }
  return from;
}

bool FunctionLowering::image(const Instruction& i) {
  switch (i.meaning) {
    case Meaning::combine: {
      Pieces both = pieces(i.operand(0));
      both.push_back(value(i.operand(1)));
      return define(i, std::move(both)), true;
    }
    case Meaning::image_of: {
      const Pieces both = pieces(i.operand(0));
      if (both.empty()) return fail(ErrorCode::bad_value, "expected a sampled image"), true;
      return define(i, both[0]), true;
    }
    case Meaning::sample_implicit:
    case Meaning::sample:
    case Meaning::sample_compare:
    case Meaning::sample_projected:
    case Meaning::gather:
    case Meaning::gather_compare: return sample(i), true;
    case Meaning::texel_load: return texel_load(i), true;
    case Meaning::texel_store: return texel_store(i), true;
    case Meaning::query_size:
    case Meaning::query_lod:
    case Meaning::query_levels:
    case Meaning::query_samples: return query(i), true;
    case Meaning::access_mapped: return define(i, op(Op::access_mapped, Type::void_, {value(i.operand(0))})), true;
    default: return false;
  }
}

void FunctionLowering::sample(const Instruction& i) {
  const spirv::Type* from = image_type(i.operand(0));
  const Pieces both = pieces(i.operand(0));
  if (error_) return;
  if (both.size() != 2) return fail(ErrorCode::bad_value, "expected a sampled image");
  const bool gathers = i.meaning == Meaning::gather || i.meaning == Meaning::gather_compare;
  const bool projected = i.meaning == Meaning::sample_projected;
  const spirv::OpcodeInfo& row = row_of(i);
  TextureExtra extra(dimension_of(from->image));
  const std::size_t mask_at = gathers || row.has(spirv::traits::reference) ? 3 : 2;
  const ImageOperands more = read_operands(i, mask_at);
  Pieces place = pieces(i.operand(1));
  const unsigned count = extra.coordinate_count();
  if (place.size() < count + (projected ? 1U : 0U))
    return fail(ErrorCode::bad_value, "too few coordinates: expected " + std::to_string(count + (projected ? 1U : 0U)));
  Id divisor = kNone;
  if (projected) divisor = place[count];
  place.resize(count);
  if (projected) {
    for (Id& one : place) one = op(Op::fdiv, Type::f32, {one, divisor});
  }
  for (const Id one : place) {
    if (builder_.type_of(one) != Type::f32) return unsupported("sampling by coordinates that are not 32-bit floats");
  }
  TextureOperands<Id> o;
  std::ranges::copy(place, o.coordinates.begin());
  const auto read = [&](std::uint32_t id, std::span<Id> to) {
    const Pieces some = pieces(id);
    if (some.size() < to.size())
      return fail(ErrorCode::bad_value,
                  "an image operand has " + std::to_string(some.size()) + " components, expected " + std::to_string(to.size()));
    std::copy_n(some.begin(), to.size(), to.begin());
  };
  const unsigned dimensions = extra.dimension_count();
  if (more.bias != 0 && !gathers) read(more.bias, {&o.bias, 1});
  if (more.lod != 0 && !gathers) {
    o.lod = value(more.lod);
    if (is_integer(builder_.type_of(o.lod))) o.lod = op(Op::s_to_f, Type::f32, {o.lod});
  }
  if (more.ddx != 0) {
    read(more.ddx, std::span(o.ddx).first(dimensions));
    read(more.ddy, std::span(o.ddy).first(dimensions));
  }
  if (more.offsets != 0) {
    read(more.offsets, std::span(o.offsets).first(std::size_t{4} * dimensions));
  } else if (more.offset != 0) {
    read(more.offset, std::span(o.offsets).first(dimensions));
  }
  if (row.has(spirv::traits::reference)) {
    o.reference = value(i.operand(2));
    if (projected) o.reference = op(Op::fdiv, Type::f32, {o.reference, divisor});
  } else if (gathers) {
    extra.component = static_cast<std::uint8_t>(constant(i.operand(2)) & 3);
  }
  if (more.min_lod != 0) read(more.min_lod, {&o.min_lod, 1});
  extra.has_status = row.has(spirv::traits::residency);
  const bool implicit = row.gradient == spirv::Gradient::implicit;
  if (!gathers && implicit == (o.lod != kNone || more.ddx != 0))
    return fail(ErrorCode::bad_value,
                implicit ? "the level is implicit, expected neither Lod nor Grad" : "the level is explicit, expected Lod or Grad");
  if (error_) return;
  std::vector<Type> types;
  context_.flatten(result_type(i), types);
  if (extra.has_status && !types.empty()) types.erase(types.begin());
  if (types.empty() || types.size() > 4)
    return fail(ErrorCode::bad_value, "the sampled value must have 1 to 4 components, found " + std::to_string(types.size()));
  if (gathers && bit_width(types[0]) == 64) return unsupported("gathering texels of 64 bits");
  const Op what = gathers ? Op::gather : implicit ? Op::sample_implicit : Op::sample;
  const auto values = static_cast<unsigned>(types.size());
  define_texel(i, builder_.texture(what, types[0], both, extra, o, {.flags = flags_, .results = values}), types[0], values,
               extra.has_status);
}

// A status comes first here, and last in the IR.
void FunctionLowering::define_texel(const Instruction& i, Id made, Type type, unsigned values, bool has_status) {
  Pieces all;
  if (has_status) all.push_back(builder_.get(made, Type::i32, values));
  for (unsigned k = 0; k < values; ++k) all.push_back(builder_.get(made, type, k));
  define(i, std::move(all));
}

void FunctionLowering::texel_load(const Instruction& i) {
  const spirv::Type* from = image_type(i.operand(0));
  if (error_) return;
  const Pieces image_pieces = pieces(i.operand(0));
  const Pieces place = texel_place(*from, i.operand(1));
  const ImageOperands more = read_operands(i, 2);
  std::vector<Type> types;
  if (error_ || image_pieces.empty() || context_.count(result_type(i)) == kNone) return;
  context_.flatten(result_type(i), types);
  const bool status = row_of(i).has(spirv::traits::residency);
  if (status && !types.empty()) types.erase(types.begin());
  if (types.empty() || types.size() > 4)
    return fail(ErrorCode::bad_value, "the texel must have 1 to 4 components, found " + std::to_string(types.size()));
  const auto values = static_cast<unsigned>(types.size());
  if (from->image.dim == spirv::Dim::buffer) {
    BufferExtra extra;
    extra.kind = BufferKind::typed;
    extra.has_status = status;
    const Id made = builder_.inst(Op::buffer_load, types[0], {image_pieces[0], place[0]},
                                  {.extra = extra.bits(), .flags = flags_, .results = values + (status ? 1U : 0U)});
    return define_texel(i, made, types[0], values, status);
  }
  TextureExtra extra(dimension_of(from->image));
  extra.has_status = status;
  TextureOperands<Id> o;
  std::ranges::copy(place, o.coordinates.begin());
  if (more.lod != 0) o.lod = resized(value(more.lod), Type::i32);
  if (more.offset != 0) {
    Pieces moved = pieces(more.offset);
    moved.resize(extra.dimension_count(), i32(0));
    std::ranges::copy(moved, o.offsets.begin());
  }
  if (from->image.is_multisampled) o.sample = more.sample != 0 ? resized(value(more.sample), Type::i32) : i32(0);
  const Id made = builder_.texture(Op::texel_load, types[0], {image_pieces.data(), 1}, extra, o, {.flags = flags_, .results = values});
  define_texel(i, made, types[0], values, status);
}

void FunctionLowering::texel_store(const Instruction& i) {
  const spirv::Type* to = image_type(i.operand(0));
  if (error_) return;
  const Pieces image_pieces = pieces(i.operand(0));
  const Pieces place = texel_place(*to, i.operand(1));
  Pieces values = pieces(i.operand(2));
  const ImageOperands more = read_operands(i, 3);
  if (error_ || image_pieces.empty() || values.empty()) return;
  const Type type = builder_.type_of(values[0]);
  values.resize(4, builder_.constant(type, 0));
  const TextureExtra extra(dimension_of(to->image));
  if (extra.dimension == ResourceDimension::buffer) {
    BufferExtra typed;
    typed.kind = BufferKind::typed;
    builder_.inst(Op::buffer_store, type, {image_pieces[0], place[0], values[0], values[1], values[2], values[3]}, {.extra = typed.bits()});
    return;
  }
  TextureOperands<Id> o;
  std::ranges::copy(place, o.coordinates.begin());
  if (to->image.is_multisampled) o.sample = more.sample != 0 ? resized(value(more.sample), Type::i32) : i32(0);
  std::ranges::copy(values, o.values.begin());
  builder_.texture(Op::texel_store, type, {image_pieces.data(), 1}, extra, o);
}

void FunctionLowering::texel_atomic(const Instruction& i, const Pointer& to, AtomicOp what, std::span<const Id> values) {
  const spirv::Type& image_is = context_.type(to.image);
  const Type type = builder_.type_of(values[0]);
  TextureExtra extra(dimension_of(image_is.image));
  Id made = kNone;
  if (extra.dimension == ResourceDimension::buffer) {
    BufferExtra typed;
    typed.kind = BufferKind::typed;
    typed.op = what;
    std::vector<std::uint32_t> operands{to.handle, to.coordinates[0]};
    operands.insert(operands.end(), values.begin(), values.end());
    made = builder_.inst(Op::buffer_atomic, type, operands, {.extra = typed.bits()});
  } else {
    extra.op = what;
    TextureOperands<Id> o;
    std::ranges::copy(std::span(to.coordinates).first(extra.coordinate_count()), o.coordinates.begin());
    if (image_is.image.is_multisampled) o.sample = to.coordinates.back();
    std::ranges::copy(values, o.values.begin());
    made = builder_.texture(Op::texel_atomic, type, {&to.handle, 1}, extra, o);
  }
  if (i.result != 0) define(i, made);
}

void FunctionLowering::query(const Instruction& i) {
  const spirv::Type* from = image_type(i.operand(0));
  const Pieces image_pieces = pieces(i.operand(0));
  if (error_ || image_pieces.empty()) return;
  TextureExtra extra(dimension_of(from->image));
  switch (i.meaning) {
    case Meaning::query_levels: return define(i, op(Op::query_levels, Type::void_, {image_pieces[0]}, extra.bits()));
    case Meaning::query_samples: return define(i, op(Op::query_samples, Type::void_, {image_pieces[0]}));
    case Meaning::query_lod: {
      const Pieces place = pieces(i.operand(1));
      if (image_pieces.size() != 2 || place.size() < extra.dimension_count()) return fail(ErrorCode::bad_value, "expected a sampled image");
      TextureOperands<Id> o;
      std::copy_n(place.begin(), extra.dimension_count(), o.coordinates.begin());
      const Id both = builder_.texture(Op::query_lod, Type::void_, image_pieces, extra, o);
      return define(i, members(both, std::array{Type::f32, Type::f32}));
    }
    default: break;
  }
  const bool cube = dxcontainer::is_cube(extra.dimension);
  const bool is_buffer = extra.dimension == ResourceDimension::buffer;
  const unsigned count = is_buffer ? 1 : (cube ? 2 : extra.dimension_count()) + (extra.is_array() ? 1U : 0U);
  std::vector<std::uint32_t> operands{image_pieces[0]};
  extra.has_lod = i.opcode == Opcode::image_query_size_lod && !is_buffer;
  if (extra.has_lod) operands.push_back(resized(value(i.operand(1)), Type::i32));
  const Id made = builder_.inst(Op::query_size, Type::void_, operands, {.extra = extra.bits(), .results = count});
  if (context_.count(result_type(i)) != count)
    return fail(ErrorCode::bad_value, "the size of the image has " + std::to_string(count) + " components");
  Pieces all;
  for (unsigned k = 0; k < count; ++k) all.push_back(builder_.get(made, Type::i32, k));
  define(i, std::move(all));
}

}  // namespace unshade::ir::lower_spirv
