// Calls of DXIL's operations on resources.
#include <algorithm>
#include <array>
#include <bit>

#include <unshade/dxil/program/vocabulary.hpp>

#include "ir/dxil/function.hpp"

namespace unshade::ir::lower_dxil {
namespace {

using dxil::Parameter;
using dxil::ResourceKind;

constexpr std::array<Parameter, 4> kCoordinates{"coord0", "coord1", "coord2", "coord3"};
constexpr std::array<Parameter, 3> kOffsets{"offset0", "offset1", "offset2"};
constexpr std::array<Parameter, 6> kGradients{"ddx0", "ddx1", "ddx2", "ddy0", "ddy1", "ddy2"};
constexpr std::array<Parameter, 4> kValues{"value0", "value1", "value2", "value3"};

// src: DXC DxilConstants.h, AtomicBinOpCode
constexpr std::array kAtomics{AtomicOp::add,  AtomicOp::and_, AtomicOp::or_,  AtomicOp::xor_,    AtomicOp::smin,
                              AtomicOp::smax, AtomicOp::umin, AtomicOp::umax, AtomicOp::exchange};

bool is_buffer(ResourceKind kind) {
  return kind == ResourceKind::typed_buffer || kind == ResourceKind::raw_buffer || kind == ResourceKind::structured_buffer ||
         kind == ResourceKind::tbuffer;
}

BufferKind buffer_kind(ResourceKind kind) {
  return kind == ResourceKind::raw_buffer          ? BufferKind::raw
         : kind == ResourceKind::structured_buffer ? BufferKind::structured
                                                   : BufferKind::typed;
}

}  // namespace

Resource resource_of(const dxil::ResourceProperties& properties) {
  Resource made;
  made.kind = dxil::resource_kind_of(properties.kind, properties.resource_class, properties.has_counter);
  made.dimension = dxil::dimension_of(properties.kind);
  made.stride = properties.stride;
  made.bytes = properties.size;
  if (made.kind == dxcontainer::ResourceKind::texture || made.kind == dxcontainer::ResourceKind::uav_typed)
    made.return_type = dxil::component_type_info(static_cast<dxil::ComponentType>(properties.component_type)).returned;
  made.comparison = properties.is_comparison_sampler;
  made.feedback = static_cast<dxcontainer::SamplerFeedback>(properties.feedback_kind);
  made.coherent = properties.globally_coherent;
  made.ordered = properties.raster_ordered;
  if (properties.resource_class == dxil::ResourceClass::cbuffer) made.kind = dxcontainer::ResourceKind::cbuffer;
  if (properties.resource_class == dxil::ResourceClass::sampler) made.kind = dxcontainer::ResourceKind::sampler;
  return made;
}

std::optional<dxil::HandleResource> FunctionLowering::resource(const dxil::Call& call, Parameter handle) {
  auto found = context_.handles.find(body_, call.argument(handle));
  if (!found) unsupported("a resource handle that is selected at run time without AnnotateHandle");
  return found;
}

bool FunctionLowering::resource_operation(const dxil::Call& call, Meaning meaning) {
  switch (meaning) {
    case Meaning::handle: return create_handle(call), true;
    case Meaning::handle_from_heap: return create_heap_handle(call), true;
    case Meaning::mov: return annotate_handle(call), true;
    case Meaning::cbuffer_load:
      return define(call.instruction(), op(Op::cbuffer_load, overload(call), {argument(call, 0), argument(call, 1)})), true;
    case Meaning::cbuffer_row: return constant_buffer(call), true;
    case Meaning::buffer_load: return load_buffer(call), true;
    case Meaning::buffer_store: return store_buffer(call), true;
    case Meaning::texel_load: return load_texture(call), true;
    case Meaning::texel_store: return store_texture(call), true;
    case Meaning::sample_implicit:
    case Meaning::sample:
    case Meaning::sample_compare_level_zero: return sample(call, meaning), true;
    case Meaning::gather: return gather(call), true;
    case Meaning::sampler_feedback: return feedback(call), true;
    case Meaning::resource_info: return dimensions(call), true;
    case Meaning::query_lod: return level_of_detail(call), true;
    case Meaning::resource_atomic: return resource_atomic(call), true;
    case Meaning::counter: {
      const auto way = constant(call, "inc") == 1 ? Counter::up : Counter::down;
      define(call.instruction(), op(Op::counter, Type::void_, {argument(call, "uav")}, static_cast<std::uint32_t>(way)));
      return true;
    }
    case Meaning::sample_position: {  // of a texture, or of the render target
      Operands operands;
      for (std::size_t at = 0; at < call.row().parameter_count; ++at) operands.push_back(argument(call, at));
      const Id both = builder_.inst(Op::sample_position, Type::void_, operands);
      define(call.instruction(), members(both, std::array{Type::f32, Type::f32}));
      return true;
    }
    case Meaning::query_samples: return define(call.instruction(), builder_.inst(Op::query_samples, Type::void_, {})), true;
    default: return false;
  }
}

// What it is the annotation says that follows.
void FunctionLowering::create_heap_handle(const dxil::Call& call) {
  const bool samplers = constant(call, "samplerHeap") != 0;
  const auto row = heap_resource({static_cast<std::uint32_t>(samplers ? ResourceKind::sampler : ResourceKind::invalid), 0}, samplers);
  const bool non_uniform = constant(call, "nonUniformIndex") != 0;
  define(call.instruction(), builder_.inst(Op::handle_from_heap, Type::void_, {argument(call, "index")},
                                           {.extra = row, .flags = non_uniform ? Flags::non_uniform : Flags::none}));
}

std::uint32_t FunctionLowering::heap_resource(const std::array<std::uint32_t, 2>& properties, bool samplers) {
  const auto [row, is_new] = context_.heap_resources.try_emplace({properties[0], properties[1], samplers ? 1U : 0U},
                                                                 static_cast<std::uint32_t>(context_.out.resources.size()));
  if (is_new) {
    Resource heap = resource_of(dxil::ResourceProperties(properties));
    heap.name = samplers ? "SamplerDescriptorHeap" : "ResourceDescriptorHeap";
    if (samplers) heap.kind = dxcontainer::ResourceKind::sampler;
    heap.count = 0;
    heap.heap = true;
    context_.out.resources.push_back(std::move(heap));
  }
  return row->second;
}

// Of a place in a heap, the row of what it is; other handles are what they are.
void FunctionLowering::annotate_handle(const dxil::Call& call) {
  const auto made = pieces(call.argument_at(0));
  const auto words = dxil::property_words(context_.query, body_, call.argument("props"));
  const Id from = made.size() == 1 ? made[0] : kNone;
  if (!words || from == kNone || builder_.function().insts[from].op != Op::handle_from_heap) return define(call.instruction(), made);
  const Inst handle = builder_.function().insts[from];
  const bool samplers = context_.out.resources[handle.extra].kind == dxcontainer::ResourceKind::sampler;
  const Id index = builder_.function().operands_of(from)[0];
  define(call.instruction(),
         builder_.inst(Op::handle_from_heap, Type::void_, {index}, {.extra = heap_resource(*words, samplers), .flags = handle.flags}));
}

void FunctionLowering::create_handle(const dxil::Call& call) {
  const Instruction& i = call.instruction();
  const auto found = context_.handles.find(body_, i.value);
  if (!found || found->record == nullptr) return unsupported("a handle of a resource that the module does not declare");
  Id index = found->index == dxil::kNone ? i32(0) : value(found->index);
  if (found->index != dxil::kNone && !found->index_in_range && found->record->lower_bound != 0) {
    const auto known = context_.query.integer_of(&body_, found->index);
    const Id low = i32(found->record->lower_bound);
    index = known ? i32(static_cast<std::uint32_t>(*known) - found->record->lower_bound) : builder_.inst(Op::isub, Type::i32, {index, low});
  }
  define(i, builder_.inst(Op::handle, Type::void_, {index},
                          {.extra = context_.resources.at(found->record), .flags = found->non_uniform ? Flags::non_uniform : Flags::none}));
}

// --- loads -------------------------------------------------------------------------------------------------------------------------------

// The members that `tuple` holds, of all that the call gives: `count` values and, if `has_status`, the status after those that the type
// has.
void FunctionLowering::loaded(const dxil::Call& call, Id tuple, unsigned count, bool has_status) {
  const Instruction& i = call.instruction();
  Types types;
  if (!context_.flatten(i.type, types)) return unsupported(call.row().text);
  Pieces made;
  const unsigned results = count + (has_status ? 1U : 0U);
  for (unsigned k = 0; k < types.size(); ++k) {
    if (k < count) {
      made.push_back(results == 1 ? tuple : builder_.get(tuple, types[k], k));
    } else if (has_status && k + 1 == types.size()) {
      made.push_back(builder_.get(tuple, Type::i32, count));
    } else {
      made.push_back(builder_.undef(types[k]));
    }
  }
  define(i, std::move(made));
}

void FunctionLowering::constant_buffer(const dxil::Call& call) {
  const Instruction& i = call.instruction();
  const Id handle = argument(call, "handle");
  Types types;
  if (!context_.flatten(i.type, types) || types.empty()) return unsupported(call.row().text);
  // a row of 16 bytes: as many members as fit; of minimum precision, four of 4 bytes
  const std::uint64_t members_read = used(i) & ((std::uint64_t{1} << types.size()) - 1);
  if (members_read == 0) return append_zeros(i.type, true, locals_[i.value - module_.values.size()]);
  const auto first = static_cast<unsigned>(std::countr_zero(members_read));
  const auto count = static_cast<unsigned>(std::bit_width(members_read)) - first;
  const std::uint32_t size = bit_width(types[0]) / 8;
  Id offset = kNone;
  if (const auto row = call.constant("regIndex")) {
    offset = i32(static_cast<std::uint32_t>(*row) * 16 + first * size);
  } else {
    offset = op(Op::ishl, Type::i32, {argument(call, "regIndex"), i32(4)});
    if (first != 0) offset = op(Op::iadd, Type::i32, {offset, i32(first * size)});
  }
  const Id tuple = builder_.inst(Op::cbuffer_load, types[0], {handle, offset}, {.flags = flags_, .results = count});
  Pieces made;
  for (unsigned k = 0; k < types.size(); ++k) {
    const bool read = k >= first && k < first + count;
    made.push_back(!read ? builder_.undef(types[k]) : count == 1 ? tuple : builder_.get(tuple, types[k], k - first));
  }
  define(i, std::move(made));
}

void FunctionLowering::load_buffer(const dxil::Call& call) {
  const Instruction& i = call.instruction();
  const auto from = resource(call, 0);
  if (!from) return;
  Types types;
  if (!context_.flatten(i.type, types) || types.size() < 2) return unsupported(call.row().text);
  BufferExtra extra;
  extra.kind = buffer_kind(from->kind);
  const auto values = static_cast<unsigned>(types.size() - 1);
  const std::uint64_t read = used(i);
  const std::uint64_t values_read = values < 63 ? read & ((std::uint64_t{1} << values) - 1) : read;
  unsigned count = read == ~std::uint64_t{0} ? values : std::max<unsigned>(1, static_cast<unsigned>(std::bit_width(values_read)));
  extra.has_status = values < 64 && (read >> values & 1) != 0;
  const Id handle = value(call.argument_at(0));
  const Id index = argument(call, "index");
  Id within = kNone;
  if (extra.kind == BufferKind::structured) {
    within = call.is_undefined(2) ? i32(0) : argument(call, 2);
    extra.has_offset = true;
  }
  // an access has four values at most
  if (count <= 4) {
    Operands operands{handle, index};
    if (extra.has_offset) operands.push_back(within);
    const unsigned results = count + (extra.has_status ? 1U : 0U);
    const Id tuple = builder_.inst(Op::buffer_load, types[0], operands, {.extra = extra.bits(), .flags = flags_, .results = results});
    return loaded(call, tuple, count, extra.has_status);
  }
  Pieces made;
  Id status = kNone;
  const std::uint32_t size = bit_width(types[0]) / 8;
  for (unsigned first = 0; first < count; first += 4) {
    const unsigned some = std::min(4U, count - first);
    Operands operands{handle, index};
    if (extra.has_offset) operands.push_back(within);
    Id& moved = operands.back();
    if (first != 0) moved = op(Op::iadd, Type::i32, {moved, i32(first * size)});
    BufferExtra part = extra;
    part.has_status = extra.has_status && first == 0;
    const unsigned results = some + (part.has_status ? 1U : 0U);
    const Id tuple = builder_.inst(Op::buffer_load, types[0], operands, {.extra = part.bits(), .flags = flags_, .results = results});
    for (unsigned k = 0; k < some; ++k) made.push_back(results == 1 ? tuple : builder_.get(tuple, types[0], k));
    if (part.has_status) status = builder_.get(tuple, Type::i32, some);
  }
  while (made.size() < values) made.push_back(builder_.undef(types[0]));
  made.push_back(status == kNone ? builder_.undef(Type::i32) : status);
  define(i, std::move(made));
}

void FunctionLowering::store_buffer(const dxil::Call& call) {
  const auto to = resource(call, "uav");
  if (!to) return;
  BufferExtra extra;
  extra.kind = buffer_kind(to->kind);
  extra.has_offset = extra.kind == BufferKind::structured;
  const Id handle = argument(call, "uav");
  const Id index = argument(call, 1);
  const Id within = extra.has_offset && !call.is_undefined(2) ? argument(call, 2) : i32(0);
  Pieces values;
  if (call.has("mask")) {
    const std::uint64_t mask = constant(call, "mask");
    for (unsigned k = 0; k < 4; ++k) values.push_back((mask >> k & 1) != 0 ? argument(call, kValues[k]) : kNone);
  } else {
    values = pieces(call.argument("value0"));
  }
  // stretches of values that stand beside each other, four at most
  for (unsigned first = 0; first < values.size();) {
    if (values[first] == kNone) {
      ++first;
      continue;
    }
    unsigned end = first;
    while (end < values.size() && values[end] != kNone && end - first < 4) ++end;
    const Type type = builder_.type_of(values[first]);
    Operands operands{handle, index};
    if (extra.has_offset) operands.push_back(within);
    if (first != 0) {
      Id& moved = extra.has_offset ? operands[2] : operands[1];
      moved = op(Op::iadd, Type::i32, {moved, i32(first * bit_width(type) / 8)});
    }
    operands.append(std::span(values).subspan(first, end - first));
    builder_.inst(Op::buffer_store, type, operands, {.extra = extra.bits()});
    first = end;
  }
}

// --- textures ----------------------------------------------------------------------------------------------------------------------------

// False if there are more coordinates than the operation has.
bool FunctionLowering::coordinates(const dxil::Call& call, std::span<const Parameter> from, unsigned count, TextureOperands<Id>& to) {
  if (count > from.size()) return false;
  for (unsigned k = 0; k < count; ++k) to.coordinates[k] = argument(call, from[k]);
  return true;
}

// None if they are undefined, or all zeros.
void FunctionLowering::offsets(const dxil::Call& call, std::span<const Parameter> from, unsigned count, TextureOperands<Id>& to) {
  const bool none =
      std::ranges::all_of(from, [&](Parameter one) { return !call.has(one) || call.is_undefined(one) || call.constant(one) == 0U; });
  for (unsigned k = 0; !none && k < count; ++k) {
    to.offsets[k] = k < from.size() && call.has(from[k]) && !call.is_undefined(from[k]) ? argument(call, from[k]) : i32(0);
  }
}

// What the row has of bias, level and gradients.
void FunctionLowering::levels(const dxil::Call& call, unsigned dimensions, TextureOperands<Id>& to) {
  if (call.has("bias")) to.bias = argument(call, "bias");
  if (call.has("LOD")) to.lod = argument(call, "LOD");
  if (call.has("lod")) to.lod = argument(call, "lod");
  if (!call.has("ddx0")) return;
  for (unsigned k = 0; k < dimensions; ++k) to.ddx[k] = argument(call, kGradients[k]);
  for (unsigned k = 0; k < dimensions; ++k) to.ddy[k] = argument(call, kGradients[3 + k]);
}

// The operation, and those of its four values and its status that are used; or all four.
void FunctionLowering::load_texels(const dxil::Call& call, Op op, std::span<const Id> handles, TextureExtra extra,
                                   const TextureOperands<Id>& operands, bool all) {
  const std::uint64_t read = used(call.instruction());
  const unsigned count = all ? 4 : std::max<unsigned>(1, static_cast<unsigned>(std::bit_width(read & 0xf)));
  extra.has_status = (read >> 4 & 1) != 0;
  const Id tuple = builder_.texture(op, overload(call), handles, extra, operands, {.flags = flags_, .results = count});
  loaded(call, tuple, count, extra.has_status);
}

void FunctionLowering::load_texture(const dxil::Call& call) {
  const auto from = resource(call, "srv");
  if (!from) return;
  const TextureExtra extra(dimension_of(from->kind));
  const Id handle = argument(call, "srv");
  TextureOperands<Id> o;
  if (!coordinates(call, kCoordinates, extra.coordinate_count(), o))
    return unsupported(std::string(call.row().text) + " of a resource of kind " + std::string(id(from->kind)));
  const bool is_uav = from->is_uav || from->resource_class == dxil::ResourceClass::uav;
  const bool is_sample = is_multisampled(from->kind);
  if (!call.is_undefined("mipLevelOrSampleCount") && (is_sample || !is_uav)) {
    (is_sample ? o.sample : o.lod) = argument(call, "mipLevelOrSampleCount");
  }
  offsets(call, kOffsets, extra.dimension_count(), o);
  load_texels(call, Op::texel_load, {&handle, 1}, extra, o, false);
}

void FunctionLowering::store_texture(const dxil::Call& call) {
  const auto to = resource(call, "srv");
  if (!to) return;
  const TextureExtra extra(dimension_of(to->kind));
  const Id handle = argument(call, "srv");
  TextureOperands<Id> o;
  if (!coordinates(call, std::span(kCoordinates).first(3), extra.coordinate_count(), o))
    return unsupported(std::string(call.row().text) + " to a resource of kind " + std::string(id(to->kind)));
  if (call.has("sampleIdx")) o.sample = argument(call, "sampleIdx");
  for (std::size_t k = 0; k < kValues.size(); ++k) o.values[k] = argument(call, kValues[k]);
  builder_.texture(Op::texel_store, overload(call), {&handle, 1}, extra, o);
}

void FunctionLowering::sample(const dxil::Call& call, Meaning meaning) {
  const auto from = resource(call, "srv");
  if (!from) return;
  const TextureExtra extra(dimension_of(from->kind));
  const std::array handles{argument(call, "srv"), argument(call, "sampler")};
  TextureOperands<Id> o;
  if (!coordinates(call, kCoordinates, extra.coordinate_count(), o))
    return unsupported(std::string(call.row().text) + " of a resource of kind " + std::string(id(from->kind)));
  levels(call, extra.dimension_count(), o);
  if (meaning == Meaning::sample_compare_level_zero) o.lod = builder_.f32(0);
  offsets(call, kOffsets, extra.dimension_count(), o);
  if (call.has("compareValue")) o.reference = argument(call, "compareValue");
  if (!call.is_undefined("clamp")) o.min_lod = argument(call, "clamp");
  load_texels(call, meaning == Meaning::sample_implicit ? Op::sample_implicit : Op::sample, handles, extra, o, false);
}

void FunctionLowering::gather(const dxil::Call& call) {
  const auto from = resource(call, "srv");
  if (!from) return;
  TextureExtra extra(dimension_of(from->kind));
  const std::array handles{argument(call, "srv"), argument(call, "sampler")};
  TextureOperands<Id> o;
  if (!coordinates(call, kCoordinates, extra.coordinate_count(), o))
    return unsupported(std::string(call.row().text) + " of a resource of kind " + std::string(id(from->kind)));
  offsets(call, std::span(kOffsets).first(2), extra.dimension_count(), o);
  if (call.has("channel")) extra.component = static_cast<std::uint8_t>(constant(call, "channel") & 3);  // a raw gather has one
  if (call.has("compareValue")) o.reference = argument(call, "compareValue");
  load_texels(call, Op::gather, handles, extra, o, true);
}

void FunctionLowering::feedback(const dxil::Call& call) {
  constexpr std::array<Parameter, 4> kPlaces{"c0", "c1", "c2", "c3"};
  const auto sampled = resource(call, "sampledTex");
  if (!sampled) return;
  const TextureExtra extra(dimension_of(sampled->kind));
  const std::array handles{argument(call, "feedbackTex"), argument(call, "sampledTex"), argument(call, "sampler")};
  TextureOperands<Id> o;
  if (!coordinates(call, kPlaces, extra.coordinate_count(), o)) return unsupported(call.row().text);
  levels(call, extra.dimension_count(), o);
  if (!call.is_undefined("clamp")) o.min_lod = argument(call, "clamp");
  builder_.texture(Op::sampler_feedback, Type::void_, handles, extra, o);
}

void FunctionLowering::dimensions(const dxil::Call& call) {
  const auto from = resource(call, "handle");
  if (!from) return;
  TextureExtra extra(dimension_of(from->kind));
  const bool buffer = is_buffer(from->kind);
  // a cube has the size of a face
  const bool cube = dxcontainer::is_cube(extra.dimension);
  const unsigned count = buffer ? 1 : (cube ? 2 : extra.dimension_count()) + (extra.is_array() ? 1U : 0U);
  const Id handle = argument(call, "handle");
  Operands operands{handle};
  extra.has_lod = !buffer && !is_multisampled(from->kind) && !call.is_undefined("mipLevel");
  if (extra.has_lod) operands.push_back(argument(call, "mipLevel"));
  const Id size = builder_.inst(Op::query_size, Type::void_, operands, {.extra = extra.bits(), .results = count});
  Pieces made;
  for (unsigned k = 0; k < 3; ++k)
    made.push_back(k >= count ? builder_.undef(Type::i32) : count == 1 ? size : builder_.get(size, Type::i32, k));
  if (buffer || (used(call.instruction()) >> 3 & 1) == 0) {
    made.push_back(builder_.undef(Type::i32));
  } else if (is_multisampled(from->kind)) {
    made.push_back(builder_.inst(Op::query_samples, Type::void_, {handle}));
  } else {
    made.push_back(builder_.inst(Op::query_levels, Type::void_, {handle}, {.extra = extra.bits()}));
  }
  define(call.instruction(), std::move(made));
}

void FunctionLowering::level_of_detail(const dxil::Call& call) {
  const auto from = resource(call, "handle");
  if (!from) return;
  const TextureExtra extra(dimension_of(from->kind));
  const std::array handles{argument(call, "handle"), argument(call, "sampler")};
  TextureOperands<Id> o;
  if (!coordinates(call, std::span(kCoordinates).first(3), extra.dimension_count(), o)) return unsupported(call.row().text);
  const Id both = builder_.texture(Op::query_lod, Type::void_, handles, extra, o);
  define(call.instruction(), builder_.get(both, Type::f32, constant(call, "clamped") != 0 ? 0 : 1));
}

void FunctionLowering::resource_atomic(const dxil::Call& call) {
  const auto to = resource(call, "handle");
  if (!to) return;
  const bool exchange = call.has("compareValue");
  AtomicOp what = AtomicOp::compare_exchange;
  if (!exchange) {
    const std::uint64_t code = constant(call, "atomicOp");
    if (code >= kAtomics.size()) return fail(ErrorCode::bad_value, "unknown operation " + std::to_string(code) + " of AtomicBinOp");
    what = kAtomics[code];
  }
  const Id handle = argument(call, "handle");
  const Type type = overload(call);
  if (is_buffer(to->kind)) {
    BufferExtra extra;
    extra.kind = buffer_kind(to->kind);
    extra.has_offset = extra.kind == BufferKind::structured;
    extra.op = what;
    Operands operands{handle, argument(call, "offset0")};
    if (extra.has_offset) operands.push_back(call.is_undefined("offset1") ? i32(0) : argument(call, "offset1"));
    operands.push_back(argument(call, "newValue"));
    if (exchange) operands.push_back(argument(call, "compareValue"));
    return define(call.instruction(), builder_.inst(Op::buffer_atomic, type, operands, {.extra = extra.bits()}));
  }
  TextureExtra extra(dimension_of(to->kind));
  extra.op = what;
  TextureOperands<Id> o;
  if (!coordinates(call, kOffsets, extra.coordinate_count(), o))
    return unsupported(std::string(call.row().text) + " on a resource of kind " + std::string(id(to->kind)));
  o.values[0] = argument(call, "newValue");
  if (exchange) o.values[1] = argument(call, "compareValue");
  define(call.instruction(), builder_.texture(Op::texel_atomic, type, {&handle, 1}, extra, o));
}

}  // namespace unshade::ir::lower_dxil
