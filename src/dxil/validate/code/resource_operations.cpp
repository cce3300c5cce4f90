// src: DXC lib/DxilValidation/DxilValidation.cpp, ValidateResourceDxilOp; counts: lib/DXIL/DxilResource.cpp
#include "dxil/validate/code/resource_operations.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string>
#include <vector>

#include <unshade/core/text/shown.hpp>

#include "dxil/program/part_vocabulary.hpp"

namespace unshade::dxil::validate {

namespace {

constexpr std::size_t kMostCoordinates = 4, kMostDirections = 3, kOffsetOperands = 3;
constexpr double kLeastBias = -16, kMostBias = 15.99F;  // src: D3D12_MIP_LOD_BIAS_MIN, _MAX

bool is_sampled(ResourceKind kind) {
  return kind >= ResourceKind::texture1d && kind <= ResourceKind::texture_cube_array && !is_multisampled(kind);
}

/// Resources that are loaded from and stored to by coordinates.
bool is_texture(ResourceKind kind) {
  return kind >= ResourceKind::texture1d && kind <= ResourceKind::texture2d_ms_array && kind != ResourceKind::texture_cube;
}

/// How many operands a kind of resource takes, and parts of its size there are.
struct Shape {
  std::uint8_t coordinates;
  std::uint8_t directions;  ///< coordinates that a level of detail depends on
  std::uint8_t offsets;
  std::uint8_t sizes;
};
Shape shape_of(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::texture1d: return {1, 1, 1, 1};
    case ResourceKind::texture1d_array: return {2, 1, 1, 2};
    case ResourceKind::texture2d:
    case ResourceKind::texture2d_ms: return {2, 2, 2, 2};
    case ResourceKind::texture2d_array:
    case ResourceKind::texture2d_ms_array: return {3, 2, 2, 3};
    case ResourceKind::texture3d: return {3, 3, 3, 3};
    case ResourceKind::texture_cube: return {3, 3, 0, 2};
    case ResourceKind::texture_cube_array: return {4, 3, 0, 3};
    default: return {1, 1, 0, 1};
  }
}

bool can_be_sampled(ComponentType type, bool integers) {
  switch (type) {
    case ComponentType::f16:
    case ComponentType::f32:
    case ComponentType::snorm_f16:
    case ComponentType::unorm_f16:
    case ComponentType::snorm_f32:
    case ComponentType::unorm_f32: return true;
    case ComponentType::i16:
    case ComponentType::u16:
    case ComponentType::i32:
    case ComponentType::u32: return integers;
    default: return false;
  }
}

}  // namespace

ResourceOperationChecker::ResourceOperationChecker(const ModuleCheck& check) : c_(check), m_(check.module), handles_(check) {
  for (std::uint32_t i = 0; i < m_.types.size(); ++i)
    if (m_.types[i].kind == TypeKind::structure) {
      const std::string_view name = c_.name_of(m_.types[i]);
      if (name == "dx.types.Dimensions") dimensions_ = i;
      if (name == "dx.types.Handle") handle_ = i;
      if (name == "dx.types.NodeHandle") node_handle_ = i;
      if (name == "dx.types.NodeRecordHandle") record_handle_ = i;
    }
}

void ResourceOperationChecker::add(const Rule& rule, const Call& call, std::string_view what) const {
  c_.add(rule, *body_, at_, std::string(call.row().text) + ": " + std::string(what));
}

// src: DXC lib/DxilValidation/DxilValidationUtils.cpp, BuildResMap
void ResourceOperationChecker::check_maker(std::uint32_t at, const Call& call) {
  body_ = &call.body();
  at_ = at;
  constexpr std::uint64_t kClasses = 4;
  std::uint64_t first = 0, last = 0;
  bool is_array = true;
  if (call.operation() == Operation::create_handle) {
    const ProgramMetadata& p = c_.program;
    const std::vector<ProgramResource>* const lists[] = {&p.shader_resources, &p.unordered_access, &p.constant_buffers, &p.samplers};
    const auto resource_class = call.constant("resourceClass"), range = call.constant("rangeId");
    if (!resource_class || !range || *resource_class >= kClasses || *range >= lists[*resource_class]->size())
      return add(rules::kInstrOpConstRange, call, "the resource range does not exist");
    const ProgramResource& r = (*lists[*resource_class])[static_cast<std::size_t>(*range)];
    first = r.lower_bound;
    last = program::last_register_of(r);
    is_array = r.type == kNone || !c_.is(r.type, TypeKind::pointer) || c_.is(m_.element_of(r.type), TypeKind::array);
  } else {
    // First and last register, space, class.
    const auto words = c_.elements_of(body_, call.argument("bind"), 4);
    if (words.size() != 4) return;
    if (!std::ranges::all_of(words, [](const auto& word) { return word.has_value(); }))
      return add(rules::kInstrOpConstRange, call, "the resource range is not a constant");
    if (*words[3] >= kClasses) return add(rules::kInstrOpConstRange, call, "unknown resource class " + std::to_string(*words[3]));
    first = *words[0];
    last = *words[1];
  }
  const auto index = call.constant("index");
  if (!index && !is_array) return add(rules::kInstrOpConstRange, call, "the register of a single resource is not a constant");
  if (index && (*index < first || *index > last))
    add(rules::kInstrOpConstRange, call,
        "register " + std::to_string(*index) + " is out of the range " + std::to_string(first) + " to " + std::to_string(last));
}

/// Whether a call makes a handle that has to be annotated before it is used.
bool ResourceOperationChecker::is_bare(const Value& value) const {
  if (value.kind != ValueKind::instruction) return false;
  const auto maker = operation_of(c_, *body_, m_.instructions[value.index]);
  return maker == Operation::create_handle_from_binding || maker == Operation::create_handle_from_heap;
}

// Handles are made by calls, and none comes out of nowhere.
void ResourceOperationChecker::check_handles(std::uint32_t at, const Call& call) {
  body_ = &call.body();
  at_ = at;
  for (std::size_t k = 0; k < call.size(); ++k) {
    const std::uint32_t id = call.argument(k);
    if ((id & kMetadataOperand) != 0) continue;
    const Value& value = m_.value(body_, id);
    const bool is_handle = value.type == handle_;
    if (!is_handle && value.type != node_handle_ && value.type != record_handle_) continue;
    if (value.kind == ValueKind::constant) {
      add(rules::kInstrNoReadingUninitialized, call, "the handle is undefined");
    } else if (is_handle && !c_.is_library() &&
               (value.kind != ValueKind::instruction || m_.instructions[value.index].opcode != Opcode::call)) {
      add(rules::kInstrHandleNotFromCreateHandle, call, "the handle is ambiguous");
    } else if (is_handle && is_bare(value)) {
      add(rules::kInstrHandleNotFromCreateHandle, call, "the handle is not annotated");
    }
  }
}

void ResourceOperationChecker::check(std::uint32_t at, const Call& call) {
  body_ = &call.body();
  at_ = at;
  using enum Operation;
  switch (call.operation()) {
    case sample:
    case sample_bias:
    case sample_level:
    case sample_grad: check_sample(call, false); break;
    case sample_cmp:
    case sample_cmp_level_zero:
    case sample_cmp_level:
    case sample_cmp_bias:
    case sample_cmp_grad: check_sample(call, true); break;
    case texture_gather:
    case texture_gather_cmp: check_gather(call, call.operation() == texture_gather_cmp); break;
    case calculate_lod: check_level(call); break;
    case get_dimensions: check_dimensions(call); break;
    case check_access_fully_mapped: check_status(call); break;
    case trace_ray:
    case hit_object_trace_ray: check_scene(call); break;
    case atomic_bin_op:
    case atomic_compare_exchange:
      if (const auto view = view_of(call); view && view->resource_class != ResourceClass::uav)
        add(rules::kInstrAtomicIntrinNonUav, call, "on " + std::string(id(view->resource_class)));
      break;
    case texture_load: check_texture_load(call); break;
    case texture_store: check_store(call); break;
    case buffer_store: check_store(call); break;
    case raw_buffer_store: check_store(call); break;
    case buffer_load:
    case raw_buffer_load:
    case raw_buffer_vector_load:
    case raw_buffer_vector_store: check_buffer(call); break;
    case cbuffer_load:
    case cbuffer_load_legacy: check_constant_buffer(call); break;
    case buffer_update_counter: check_counter(call); break;
    default: break;
  }
  if (call.row().function.starts_with("rawBuffer") && !call.constant("alignment"))
    add(rules::kInstrConstAlignForRawBuf, call, "the alignment is not a constant");
}

void ResourceOperationChecker::check_sampler(const Call& call, bool comparison) {
  if (const auto view = view_of(call); view && view->resource_class != ResourceClass::srv)
    add(rules::kInstrResourceClassForSamplerGather, call, "the resource is not an SRV");
  const auto sampler = view_of(call, "sampler");
  if (!sampler) return;
  const bool fits = sampler->resource_class == ResourceClass::sampler && sampler->is_comparison_sampler == comparison;
  if (!fits)
    add(comparison ? rules::kInstrSamplerModeForSampleC : rules::kInstrSamplerModeForSample, call, "the sampler has the wrong mode");
}

void ResourceOperationChecker::check_sample(const Call& call, bool comparison) {
  check_sampler(call, comparison);
  const auto view = view_of(call);
  if (view && view->resource_class == ResourceClass::srv) {
    // Volumes are not compared.
    if (!is_sampled(view->kind) || (comparison && view->kind == ResourceKind::texture3d)) {
      add(comparison ? rules::kInstrResourceKindForSampleC : rules::kInstrResourceKindForSample, call, "of " + std::string(id(view->kind)));
    } else {
      check_coordinates(call, shape_of(view->kind).coordinates, kMostCoordinates);
    }
    const bool integers = c_.has_model(7) && !comparison;
    if (is_sampled(view->kind) && !can_be_sampled(static_cast<ComponentType>(view->component_type), integers))
      add(rules::kInstrSampleCompType, call, "component type " + std::to_string(view->component_type));
  }
  check_offsets(call, view && is_sampled(view->kind) ? view : std::nullopt);
  if (const auto bias = call.real("bias"); bias && (*bias < kLeastBias || *bias > kMostBias))
    add(rules::kInstrImmBiasForSampleB, call, "the bias is out of range");
}

void ResourceOperationChecker::check_coordinates(const Call& call, std::size_t count, std::size_t most) {
  const std::size_t first = call.position("coord0");
  for (std::size_t k = 0; k < most; ++k) {
    const bool given = !call.is_undefined(first + k);
    if (k < count && !given) return add(rules::kInstrResourceCoordinateMiss, call, "coordinate " + std::to_string(k) + " is undef");
    if (k >= count && given)
      return add(rules::kInstrResourceCoordinateTooMany, call, "coordinate " + std::to_string(k) + " is defined, expected undef");
  }
}

// From shader model 6.7 on offsets may be anything.
void ResourceOperationChecker::check_offset(const Call& call, std::size_t parameter) {
  if (c_.has_model(7)) return;
  const auto offset = call.constant(parameter);
  const auto value = static_cast<std::int32_t>(static_cast<std::uint32_t>(offset.value_or(0)));
  if (!offset || value < -8 || value > 7) add(rules::kInstrTextureOffset, call, "an offset is not a constant in the range -8 to 7");
}

// If the first is given, so are the others of the texture.
void ResourceOperationChecker::check_offsets(const Call& call, const std::optional<HandleResource>& view) {
  const std::size_t first = call.position("offset0");
  const std::size_t count = view ? shape_of(view->kind).offsets : kOffsetOperands;
  const bool has_offset = !call.is_undefined(first);
  if (has_offset) check_offset(call, first);
  for (std::size_t k = 1; k < kOffsetOperands; ++k) {
    const bool given = !call.is_undefined(first + k);
    if (k >= count) {
      if (given) return add(rules::kInstrResourceOffsetTooMany, call, "offset " + std::to_string(k) + " is defined, expected undef");
    } else if (given) {
      check_offset(call, first + k);
    } else if (has_offset && view) {
      return add(rules::kInstrResourceOffsetMiss, call, "offset " + std::to_string(k) + " is undef");
    }
  }
}

void ResourceOperationChecker::check_gather(const Call& call, bool comparison) {
  check_sampler(call, comparison);
  const auto view = view_of(call);
  if (!view || view->resource_class != ResourceClass::srv) return;
  const bool first = !call.is_undefined("offset0"), second = !call.is_undefined("offset1");
  switch (view->kind) {
    case ResourceKind::texture2d:
    case ResourceKind::texture2d_array:
      if (first && !second) add(rules::kInstrResourceOffsetMiss, call, "offset 1 is undef");
      break;
    case ResourceKind::texture_cube:
    case ResourceKind::texture_cube_array:
      if (first || second) add(rules::kInstrResourceOffsetTooMany, call, "an offset on a cube texture");
      break;
    default: return add(rules::kInstrResourceKindForGather, call, "of " + std::string(id(view->kind)));
  }
  check_coordinates(call, shape_of(view->kind).coordinates, kMostCoordinates);
}

void ResourceOperationChecker::check_level(const Call& call) {
  const auto sampler = view_of(call, "sampler");
  if (sampler && (sampler->resource_class != ResourceClass::sampler || (sampler->is_comparison_sampler && !c_.has_model(8))))
    add(rules::kInstrSamplerModeForLod, call, "the sampler has the wrong mode");
  const auto view = view_of(call);
  if (!view) return;
  if (view->resource_class != ResourceClass::srv)
    return add(rules::kInstrResourceClassForSamplerGather, call, "the resource is not an SRV");
  if (!is_sampled(view->kind)) return add(rules::kInstrResourceKindForCalcLod, call, "of " + std::string(id(view->kind)));
  check_coordinates(call, shape_of(view->kind).directions, kMostDirections);
}

void ResourceOperationChecker::check_counter(const Call& call) {
  const auto view = view_of(call);
  if (!view) return;
  if (view->resource_class != ResourceClass::uav) {
    add(rules::kInstrBufferUpdateCounterOnUav, call, "the resource is not a UAV");
  } else if (view->kind != ResourceKind::structured_buffer) {
    add(rules::kSmCounterOnlyOnStructBuf, call, "the resource is not a structured buffer");
  } else if (!view->has_counter) {
    add(rules::kInstrBufferUpdateCounterOnResHasCounter, call, "the buffer has no counter");
  }
  // Ranges are named by handles up to shader model 6.5.
  const Value& handle = m_.value(body_, call.argument(0));
  if (c_.is_library() || handle.kind != ValueKind::instruction) return;
  const Instruction& made_by = m_.instructions[handle.index];
  const auto maker = call_of(c_, *body_, made_by);
  if (!maker || maker->operation() != Operation::create_handle) return;
  const auto range = maker->constant("rangeId");
  const auto step = call.constant("inc");
  if (!range || !step) return;
  const auto known = steps_up_.emplace(*range, *step == 1).first;
  if (known->second != (*step == 1)) add(rules::kInstrOnlyOneAllocConsume, call, "the counter is both incremented and decremented");
}

void ResourceOperationChecker::check_dimensions(const Call& call) {
  const auto view = view_of(call);
  if (!view) return;
  switch (view->kind) {
    case ResourceKind::structured_buffer:
    case ResourceKind::raw_buffer:
    case ResourceKind::typed_buffer:
    case ResourceKind::tbuffer:
      if (!call.is_undefined("mipLevel")) add(rules::kInstrMipLevelForGetDimension, call, "a mip level on a buffer");
      break;
    default:
      if (!is_sampled(view->kind) && !is_multisampled(view->kind))
        add(rules::kInstrResourceKindForGetDim, call, "of " + std::string(id(view->kind)));
      break;
  }
}

void ResourceOperationChecker::check_part(const Body& body, std::uint32_t at, const Instruction& i) {
  if (dimensions_ == kNone || c_.type_of(body, m_.operands[i.operands.first]) != dimensions_ || i.operands.count < 2) return;
  body_ = &body;
  at_ = at;
  const Value& whole = m_.value(&body, m_.operands[i.operands.first]);
  if (whole.kind != ValueKind::instruction) return;
  const auto call = call_of(c_, body, m_.instructions[whole.index]);
  if (!call || call->operation() != Operation::get_dimensions) return;
  const auto view = view_of(*call);
  // The fourth is the count of levels or samples.
  constexpr std::uint32_t kLast = 3;
  const std::uint32_t part = m_.operands[i.operands.first + std::size_t{1}];
  if (!view) return;
  const bool is_texture = is_sampled(view->kind) || is_multisampled(view->kind);
  if (part >= shape_of(view->kind).sizes && !(is_texture && part == kLast))
    add(rules::kInstrUndefResultForGetDimension, *call, "dimension " + std::to_string(part) + " of " + std::string(id(view->kind)));
}

// The last member of a load's result.
void ResourceOperationChecker::check_status(const Call& call) {
  const Value& status = m_.value(body_, call.argument("status"));
  bool good = false;
  if (status.kind == ValueKind::instruction && m_.instructions[status.index].opcode == Opcode::extractvalue) {
    const auto o = m_.operands_of(m_.instructions[status.index].operands);
    const Type& type = c_.type(c_.type_of(*body_, o[0]));
    good = o.size() == 2 && type.kind == TypeKind::structure && c_.name_of(type).starts_with("dx.types.ResRet") &&
           o[1] + 1 == type.parts.count;
  }
  if (!good) add(rules::kInstrCheckAccessFullyMapped, call, "the operand is not the status of a load");
}

void ResourceOperationChecker::check_scene(const Call& call) {
  if (const auto view = view_of(call); view && view->kind != ResourceKind::acceleration_structure)
    add(rules::kInstrResourceKindForTraceRay, call, "in " + std::string(id(view->kind)));
}

void ResourceOperationChecker::check_texture_load(const Call& call) {
  const auto view = view_of(call);
  if (view) {
    if (view->resource_class != ResourceClass::srv && view->resource_class != ResourceClass::uav)
      add(rules::kInstrResourceClassForLoad, call, "of " + std::string(id(view->resource_class)));
    if (!is_texture(view->kind)) add(rules::kInstrResourceKindForTextureLoad, call, "of " + std::string(id(view->kind)));
    const bool no_level = call.is_undefined("mipLevelOrSampleCount");
    if (is_multisampled(view->kind) && no_level) add(rules::kInstrSampleIndexForLoad2Dms, call, "the sample index is undef");
    if (view->resource_class == ResourceClass::uav) {
      if (!no_level && !is_multisampled(view->kind)) add(rules::kInstrMipOnUavLoad, call, "the mip level is defined, expected undef");
      for (std::size_t k = 0; k < kOffsetOperands; ++k)
        if (!call.is_undefined(call.position("offset0") + k))
          return add(rules::kInstrOffsetOnUavLoad, call, "the offset is defined, expected undef");
    }
  }
  check_offsets(call, view && is_texture(view->kind) ? view : std::nullopt);
}

void ResourceOperationChecker::check_store(const Call& call) {
  const auto view = view_of(call);
  const auto code = call.operation();
  if (view) {
    if (view->resource_class != ResourceClass::uav)
      add(rules::kInstrResourceClassForUavStore, call, "to " + std::string(id(view->resource_class)));
    const bool is_texture = view->kind >= ResourceKind::texture1d && view->kind <= ResourceKind::texture2d_ms_array;
    if (code == Operation::texture_store && !is_texture)
      add(rules::kInstrResourceKindForTextureStore, call, "to " + std::string(id(view->kind)));
    if (code != Operation::texture_store) check_buffer_kind(call, *view);
  }
  const std::uint64_t mask = call.constant("mask").value_or(0);
  const bool is_typed_view = view && is_typed(view->kind);
  constexpr std::uint64_t kAll = 0xf;
  if (is_typed_view && mask != kAll) add(rules::kInstrWriteMaskForTypedUavStore, call, "mask " + shown_mask(mask) + ", expected xyzw");
  if (mask != 0xf && mask != 0x7 && mask != 0x3 && mask != 0x1)
    add(rules::kInstrWriteMaskGapForUav, call, "mask " + shown_mask(mask) + ", expected x, xy, xyz or xyzw");
  const std::size_t values = call.position("value0");
  std::uint64_t given = 0;
  for (std::size_t k = 0; k < 4; ++k)
    if (!call.is_undefined(values + k)) given |= std::uint64_t{1} << k;
  if ((mask & ~given) != 0) {
    add(rules::kInstrUndefinedValueForUavStore, call, "mask " + shown_mask(mask) + ", but " + shown_mask(mask & ~given) + " is undefined");
  } else if (mask != given) {
    add(rules::kInstrWriteMaskMatchValueForUavStore, call,
        "mask " + shown_mask(mask) + ", but the values are those of " + shown_mask(given));
  }
}

void ResourceOperationChecker::check_buffer(const Call& call) {
  const bool stores = call.operation() == Operation::raw_buffer_vector_store;
  if (stores && call.is_undefined("value0")) add(rules::kInstrUndefinedValueForUavStore, call, "the written vector is undefined");
  const auto view = view_of(call);
  if (!view) return;
  if (stores) {
    if (view->resource_class != ResourceClass::uav)
      add(rules::kInstrResourceClassForUavStore, call, "to " + std::string(id(view->resource_class)));
  } else if (view->resource_class != ResourceClass::srv && view->resource_class != ResourceClass::uav) {
    add(rules::kInstrResourceClassForLoad, call, "of " + std::string(id(view->resource_class)));
  }
  check_buffer_kind(call, *view);
}

void ResourceOperationChecker::check_buffer_kind(const Call& call, const HandleResource& view) {
  constexpr std::size_t kOffset = 2;  // `wot`, `coord1` or `elementOffset`
  const bool no_offset = call.is_undefined(kOffset);
  const bool raw = call.row().function.starts_with("rawBuffer");
  switch (view.kind) {
    case ResourceKind::typed_buffer:
    case ResourceKind::tbuffer:
      if (raw) return add(rules::kInstrResourceKindForBufferLoadStore, call, "with " + std::string(id(view.kind)));
      [[fallthrough]];
    case ResourceKind::raw_buffer:
      if (!no_offset) add(rules::kInstrCoordinateCountForRawTypedBuf, call, "the offset is defined, expected undef");
      break;
    case ResourceKind::structured_buffer:
      if (no_offset) add(rules::kInstrCoordinateCountForStructBuf, call, "the offset is undef");
      break;
    default: add(rules::kInstrResourceKindForBufferLoadStore, call, "with " + std::string(id(view.kind))); break;
  }
}

void ResourceOperationChecker::check_constant_buffer(const Call& call) {
  const auto buffer = view_of(call);
  if (!buffer) return;
  if (buffer->resource_class != ResourceClass::cbuffer)
    return add(rules::kInstrCbufferClassForCbufferHandle, call, "of " + std::string(id(buffer->resource_class)));
  constexpr std::uint64_t kRow = 16;
  const std::uint64_t unit = call.operation() == Operation::cbuffer_load_legacy ? kRow : 1;
  if (const auto place =
          call.constant(call.operation() == Operation::cbuffer_load_legacy ? Parameter("regIndex") : Parameter("byteOffset"));
      place && buffer->size != 0 && *place * unit >= buffer->size)
    add(rules::kInstrCbufferOutOfBound, call,
        "byte " + std::to_string(*place * unit) + " of a buffer of " + std::to_string(buffer->size) + " bytes");
}

}  // namespace unshade::dxil::validate
