// src: DXC lib/DxilValidation/DxilValidation.cpp, ValidateResourceDxilOp; counts: lib/DXIL/DxilResource.cpp
#include "dxil/validate/code/resource_operations.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string>
#include <vector>

#include "dxil/program/part_vocabulary.hpp"

namespace unshade::dxil::validate {

namespace {

constexpr std::size_t kMostCoordinates = 4, kMostDirections = 3, kOffsetOperands = 3;
constexpr float kLeastBias = -16.0F, kMostBias = 15.99F;  // src: D3D12_MIP_LOD_BIAS_MIN, _MAX

bool is_sampled(ResourceKind kind) {
  return kind >= ResourceKind::texture1d && kind <= ResourceKind::texture_cube_array && !program::is_multisampled(kind);
}

/// What can be loaded from and stored to by coordinates.
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

/// The number of a parameter after the opcode, or nothing.
std::optional<std::size_t> parameter_of(const OperationInfo& row, std::string_view name) {
  std::string_view left = row.parameters;
  for (std::size_t i = 0; !left.empty(); ++i) {
    const std::size_t comma = std::min(left.find(','), left.size());
    if (left.substr(0, comma) == name) return i;
    left.remove_prefix(std::min(comma + 1, left.size()));
  }
  return std::nullopt;
}

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

void ResourceOperationChecker::add(const Rule& rule, const OperationInfo& info, std::string_view what) const {
  c_.add(rule, *body_, at_, std::string(info.text) + ": " + std::string(what));
}

// src: DXC lib/DxilValidation/DxilValidationUtils.cpp, BuildResMap
void ResourceOperationChecker::check_maker(const Body& body, std::uint32_t at, const OperationInfo& info, const Instruction& i) {
  body_ = &body;
  at_ = at;
  constexpr std::uint64_t kClasses = 4;
  std::uint64_t first = 0, last = 0;
  bool is_array = true;
  if (static_cast<Operation>(info.code) == Operation::create_handle) {
    const ProgramMetadata& p = c_.program;
    const std::vector<ProgramResource>* const lists[] = {&p.shader_resources, &p.unordered_access, &p.constant_buffers, &p.samplers};
    const auto resource_class = integer(i, 0), range = integer(i, 1);
    if (!resource_class || !range || *resource_class >= kClasses || *range >= lists[*resource_class]->size())
      return add(rules::kInstrOpConstRange, info, "the resource range does not exist");
    const ProgramResource& r = (*lists[*resource_class])[static_cast<std::size_t>(*range)];
    first = r.lower_bound;
    last = program::last_register_of(r);
    is_array = r.type == kNone || !c_.is(r.type, TypeKind::pointer) || c_.is(m_.element_of(r.type), TypeKind::array);
  } else {
    const Constant* const bind = c_.constant_of(body_, operand(i, 0));
    if (bind == nullptr || (bind->kind != ConstantKind::aggregate && bind->kind != ConstantKind::null)) return;
    std::uint64_t words[4] = {};  // first and last register, space, class
    const auto operands = m_.operands_of(bind->operands);
    for (std::size_t k = 0; k < operands.size() && k < std::size(words); ++k) {
      const auto word = c_.integer_of(body_, operands[k]);
      if (!word) return add(rules::kInstrOpConstRange, info, "the resource range is not a constant");
      words[k] = *word;
    }
    if (words[3] >= kClasses) return add(rules::kInstrOpConstRange, info, "unknown resource class " + std::to_string(words[3]));
    first = words[0];
    last = words[1];
  }
  constexpr std::size_t kIndexOfHandle = 2, kIndexOfBinding = 1;
  const auto index = integer(i, static_cast<Operation>(info.code) == Operation::create_handle ? kIndexOfHandle : kIndexOfBinding);
  if (!index && !is_array) return add(rules::kInstrOpConstRange, info, "the register of a single resource is not a constant");
  if (index && (*index < first || *index > last))
    add(rules::kInstrOpConstRange, info,
        "register " + std::to_string(*index) + " is out of the range " + std::to_string(first) + " to " + std::to_string(last));
}

/// Whether a call makes a handle that has to be annotated before it is used.
bool ResourceOperationChecker::is_bare(const Value& value) const {
  if (value.kind != ValueKind::instruction) return false;
  const OperationInfo* const maker = program::operation_of(c_, *body_, m_.instructions[value.index]);
  if (maker == nullptr) return false;
  const auto code = static_cast<Operation>(maker->code);
  return code == Operation::create_handle_from_binding || code == Operation::create_handle_from_heap;
}

// Handles are made by calls, and none comes out of nowhere.
void ResourceOperationChecker::check_handles(const Body& body, std::uint32_t at, const OperationInfo& info, const Instruction& i) {
  body_ = &body;
  at_ = at;
  for (std::size_t k = 0; program::kFirstParameter + k < i.operands.count; ++k) {
    const std::uint32_t id = operand(i, k);
    if ((id & kMetadataOperand) != 0) continue;
    const Value& value = m_.value(body_, id);
    const bool is_handle = value.type == handle_;
    if (!is_handle && value.type != node_handle_ && value.type != record_handle_) continue;
    if (value.kind == ValueKind::constant) {
      add(rules::kInstrNoReadingUninitialized, info, "the handle is undefined");
    } else if (is_handle && !c_.is_library() &&
               (value.kind != ValueKind::instruction || m_.instructions[value.index].opcode != Opcode::call)) {
      add(rules::kInstrHandleNotFromCreateHandle, info, "the handle is ambiguous");
    } else if (is_handle && is_bare(value)) {
      add(rules::kInstrHandleNotFromCreateHandle, info, "the handle is not annotated");
    }
  }
}

std::uint32_t ResourceOperationChecker::operand(const Instruction& i, std::size_t parameter) const {
  return m_.operands[i.operands.first + program::kFirstParameter + parameter];
}

std::optional<std::uint64_t> ResourceOperationChecker::integer(const Instruction& i, std::size_t parameter) const {
  return program::kFirstParameter + parameter < i.operands.count ? c_.integer_of(body_, operand(i, parameter)) : std::nullopt;
}

std::optional<float> ResourceOperationChecker::real(const Instruction& i, std::size_t parameter) const {
  const Constant* const constant = c_.constant_of(body_, operand(i, parameter));
  if (constant == nullptr || constant->kind != ConstantKind::real || !c_.is(constant->type, TypeKind::float_)) return std::nullopt;
  return std::bit_cast<float>(static_cast<std::uint32_t>(constant->bits));
}

void ResourceOperationChecker::check(const Body& body, std::uint32_t at, const OperationInfo& info, const Instruction& i) {
  body_ = &body;
  at_ = at;
  using enum Operation;
  switch (static_cast<Operation>(info.code)) {
    case sample:
    case sample_bias:
    case sample_level:
    case sample_grad: check_sample(info, i, false); break;
    case sample_cmp:
    case sample_cmp_level_zero:
    case sample_cmp_level:
    case sample_cmp_bias:
    case sample_cmp_grad: check_sample(info, i, true); break;
    case texture_gather:
    case texture_gather_cmp: check_gather(info, i, static_cast<Operation>(info.code) == texture_gather_cmp); break;
    case calculate_lod: check_level(info, i); break;
    case get_dimensions: check_dimensions(info, i); break;
    case check_access_fully_mapped: check_status(info, i); break;
    case trace_ray:
    case hit_object_trace_ray: check_scene(info, i); break;
    case atomic_bin_op:
    case atomic_compare_exchange:
      if (const auto view = view_of(i); view && view->resource_class != ResourceClass::uav)
        add(rules::kInstrAtomicIntrinNonUav, info, "on " + std::string(id(view->resource_class)));
      break;
    case texture_load: check_texture_load(info, i); break;
    case texture_store: check_store(info, i, 4); break;
    case buffer_store: check_store(info, i, 3); break;
    case raw_buffer_store: check_store(info, i, 3); break;
    case buffer_load:
    case raw_buffer_load:
    case raw_buffer_vector_load:
    case raw_buffer_vector_store: check_buffer(info, i); break;
    case cbuffer_load:
    case cbuffer_load_legacy: check_constant_buffer(info, i); break;
    case buffer_update_counter: check_counter(info, i); break;
    default: break;
  }
  const auto alignment = info.function.starts_with("rawBuffer") ? parameter_of(info, "alignment") : std::nullopt;
  if (alignment && !integer(i, *alignment)) add(rules::kInstrConstAlignForRawBuf, info, "the alignment is not a constant");
}

void ResourceOperationChecker::check_sampler(const OperationInfo& info, const Instruction& i, bool comparison) {
  if (const auto view = handles_.find(*body_, operand(i, 0)); view && view->resource_class != ResourceClass::srv)
    add(rules::kInstrResourceClassForSamplerGather, info, "the resource is not an SRV");
  const auto sampler = handles_.find(*body_, operand(i, 1));
  if (!sampler) return;
  const bool fits = sampler->resource_class == ResourceClass::sampler && sampler->is_comparison_sampler == comparison;
  if (!fits)
    add(comparison ? rules::kInstrSamplerModeForSampleC : rules::kInstrSamplerModeForSample, info, "the sampler has the wrong mode");
}

void ResourceOperationChecker::check_sample(const OperationInfo& info, const Instruction& i, bool comparison) {
  check_sampler(info, i, comparison);
  constexpr std::size_t kOffsets = 6;
  const auto view = view_of(i);
  if (view && view->resource_class == ResourceClass::srv) {
    // Volumes are not compared.
    if (!is_sampled(view->kind) || (comparison && view->kind == ResourceKind::texture3d)) {
      add(comparison ? rules::kInstrResourceKindForSampleC : rules::kInstrResourceKindForSample, info, "of " + std::string(id(view->kind)));
    } else {
      check_coordinates(info, i, shape_of(view->kind).coordinates, kMostCoordinates);
    }
    const bool integers = c_.has_model(7) && !comparison;
    if (is_sampled(view->kind) && !can_be_sampled(static_cast<ComponentType>(view->component_type), integers))
      add(rules::kInstrSampleCompType, info, "component type " + std::to_string(view->component_type));
  }
  check_offsets(info, i, kOffsets, view && is_sampled(view->kind) ? view : std::nullopt);
  if (const auto bias = parameter_of(info, "bias"))
    if (const auto value = real(i, *bias); value && (*value < kLeastBias || *value > kMostBias))
      add(rules::kInstrImmBiasForSampleB, info, "the bias is out of range");
}

void ResourceOperationChecker::check_coordinates(const OperationInfo& info, const Instruction& i, std::size_t count, std::size_t most) {
  constexpr std::size_t kFirst = 2;
  for (std::size_t k = 0; k < most; ++k) {
    const bool given = !undef(i, kFirst + k);
    if (k < count && !given) return add(rules::kInstrResourceCoordinateMiss, info, "coordinate " + std::to_string(k) + " is undef");
    if (k >= count && given) return add(rules::kInstrResourceCoordinateTooMany, info, "coordinate " + std::to_string(k) + " is not undef");
  }
}

// From shader model 6.7 on offsets may be anything.
void ResourceOperationChecker::check_offset(const OperationInfo& info, const Instruction& i, std::size_t parameter) {
  if (c_.has_model(7)) return;
  const auto offset = integer(i, parameter);
  const auto value = static_cast<std::int32_t>(static_cast<std::uint32_t>(offset.value_or(0)));
  if (!offset || value < -8 || value > 7) add(rules::kInstrTextureOffset, info, "an offset is not a constant in the range -8 to 7");
}

// If the first is given, so are the others of the texture.
void ResourceOperationChecker::check_offsets(const OperationInfo& info, const Instruction& i, std::size_t first,
                                             const std::optional<program::HandleResource>& view) {
  const std::size_t count = view ? shape_of(view->kind).offsets : kOffsetOperands;
  const bool has_offset = !undef(i, first);
  if (has_offset) check_offset(info, i, first);
  for (std::size_t k = 1; k < kOffsetOperands; ++k) {
    const bool given = !undef(i, first + k);
    if (k >= count) {
      if (given) return add(rules::kInstrResourceOffsetTooMany, info, "offset " + std::to_string(k) + " is not undef");
    } else if (given) {
      check_offset(info, i, first + k);
    } else if (has_offset && view) {
      return add(rules::kInstrResourceOffsetMiss, info, "offset " + std::to_string(k) + " is undef");
    }
  }
}

void ResourceOperationChecker::check_gather(const OperationInfo& info, const Instruction& i, bool comparison) {
  check_sampler(info, i, comparison);
  constexpr std::size_t kOffsets = 6;
  const auto view = view_of(i);
  if (!view || view->resource_class != ResourceClass::srv) return;
  const bool first = !undef(i, kOffsets), second = !undef(i, kOffsets + 1);
  switch (view->kind) {
    case ResourceKind::texture2d:
    case ResourceKind::texture2d_array:
      if (first && !second) add(rules::kInstrResourceOffsetMiss, info, "offset 1 is undef");
      break;
    case ResourceKind::texture_cube:
    case ResourceKind::texture_cube_array:
      if (first || second) add(rules::kInstrResourceOffsetTooMany, info, "an offset on a cube texture");
      break;
    default: return add(rules::kInstrResourceKindForGather, info, "of " + std::string(id(view->kind)));
  }
  check_coordinates(info, i, shape_of(view->kind).coordinates, kMostCoordinates);
}

void ResourceOperationChecker::check_level(const OperationInfo& info, const Instruction& i) {
  const auto sampler = view_of(i, 1);
  if (sampler && (sampler->resource_class != ResourceClass::sampler || (sampler->is_comparison_sampler && !c_.has_model(8))))
    add(rules::kInstrSamplerModeForLod, info, "the sampler has the wrong mode");
  const auto view = view_of(i);
  if (!view) return;
  if (view->resource_class != ResourceClass::srv)
    return add(rules::kInstrResourceClassForSamplerGather, info, "the resource is not an SRV");
  if (!is_sampled(view->kind)) return add(rules::kInstrResourceKindForCalcLod, info, "of " + std::string(id(view->kind)));
  check_coordinates(info, i, shape_of(view->kind).directions, kMostDirections);
}

void ResourceOperationChecker::check_counter(const OperationInfo& info, const Instruction& i) {
  const auto view = view_of(i);
  if (!view) return;
  if (view->resource_class != ResourceClass::uav) {
    add(rules::kInstrBufferUpdateCounterOnUav, info, "the resource is not a UAV");
  } else if (view->kind != ResourceKind::structured_buffer) {
    add(rules::kSmCounterOnlyOnStructBuf, info, "the resource is not a structured buffer");
  } else if (!view->has_counter) {
    add(rules::kInstrBufferUpdateCounterOnResHasCounter, info, "the buffer has no counter");
  }
  // Ranges are named by handles up to shader model 6.5.
  const Value& handle = m_.value(body_, operand(i, 0));
  if (c_.is_library() || handle.kind != ValueKind::instruction) return;
  const Instruction& made_by = m_.instructions[handle.index];
  const OperationInfo* const maker = program::operation_of(c_, *body_, made_by);
  if (maker == nullptr || static_cast<Operation>(maker->code) != Operation::create_handle) return;
  const auto range = integer(made_by, 1);
  const auto step = integer(i, 1);
  if (!range || !step) return;
  const auto known = steps_up_.emplace(*range, *step == 1).first;
  if (known->second != (*step == 1)) add(rules::kInstrOnlyOneAllocConsume, info, "the counter is both incremented and decremented");
}

void ResourceOperationChecker::check_dimensions(const OperationInfo& info, const Instruction& i) {
  const auto view = view_of(i);
  if (!view) return;
  switch (view->kind) {
    case ResourceKind::structured_buffer:
    case ResourceKind::raw_buffer:
    case ResourceKind::typed_buffer:
    case ResourceKind::tbuffer:
      if (!undef(i, 1)) add(rules::kInstrMipLevelForGetDimension, info, "a mip level on a buffer");
      break;
    default:
      if (!is_sampled(view->kind) && !program::is_multisampled(view->kind))
        add(rules::kInstrResourceKindForGetDim, info, "of " + std::string(id(view->kind)));
      break;
  }
}

void ResourceOperationChecker::check_part(const Body& body, std::uint32_t at, const Instruction& i) {
  if (dimensions_ == kNone || c_.type_of(body, m_.operands[i.operands.first]) != dimensions_ || i.operands.count < 2) return;
  body_ = &body;
  at_ = at;
  const Value& whole = m_.value(&body, m_.operands[i.operands.first]);
  if (whole.kind != ValueKind::instruction) return;
  const Instruction& call = m_.instructions[whole.index];
  const OperationInfo* const info = program::operation_of(c_, body, call);
  if (info == nullptr || static_cast<Operation>(info->code) != Operation::get_dimensions) return;
  const auto view = view_of(call);
  // The fourth is the count of levels or samples.
  constexpr std::uint32_t kLast = 3;
  const std::uint32_t part = m_.operands[i.operands.first + std::size_t{1}];
  if (!view) return;
  const bool is_texture = is_sampled(view->kind) || program::is_multisampled(view->kind);
  if (part >= shape_of(view->kind).sizes && !(is_texture && part == kLast))
    add(rules::kInstrUndefResultForGetDimension, *info, "dimension " + std::to_string(part) + " of " + std::string(id(view->kind)));
}

// The last member of what a load gives.
void ResourceOperationChecker::check_status(const OperationInfo& info, const Instruction& i) {
  const Value& status = m_.value(body_, operand(i, 0));
  bool good = false;
  if (status.kind == ValueKind::instruction && m_.instructions[status.index].opcode == Opcode::extractvalue) {
    const auto o = m_.operands_of(m_.instructions[status.index].operands);
    const Type& type = c_.type(c_.type_of(*body_, o[0]));
    good = o.size() == 2 && type.kind == TypeKind::structure && c_.name_of(type).starts_with("dx.types.ResRet") &&
           o[1] + 1 == type.parts.count;
  }
  if (!good) add(rules::kInstrCheckAccessFullyMapped, info, "the operand is not the status of a load");
}

void ResourceOperationChecker::check_scene(const OperationInfo& info, const Instruction& i) {
  if (const auto view = view_of(i); view && view->kind != ResourceKind::acceleration_structure)
    add(rules::kInstrResourceKindForTraceRay, info, "in " + std::string(id(view->kind)));
}

void ResourceOperationChecker::check_texture_load(const OperationInfo& info, const Instruction& i) {
  const auto view = handles_.find(*body_, operand(i, 0));
  constexpr std::size_t kLevel = 1, kOffsets = 5;
  if (view) {
    if (view->resource_class != ResourceClass::srv && view->resource_class != ResourceClass::uav)
      add(rules::kInstrResourceClassForLoad, info, "of " + std::string(id(view->resource_class)));
    if (!is_texture(view->kind)) add(rules::kInstrResourceKindForTextureLoad, info, "of " + std::string(id(view->kind)));
    const bool no_level = c_.is_undef(*body_, operand(i, kLevel));
    if (program::is_multisampled(view->kind) && no_level) add(rules::kInstrSampleIndexForLoad2Dms, info, "the sample index is undef");
    if (view->resource_class == ResourceClass::uav) {
      if (!no_level && !program::is_multisampled(view->kind)) add(rules::kInstrMipOnUavLoad, info, "the mip level is not undef");
      for (std::size_t k = kOffsets; k < kOffsets + 3; ++k)
        if (!c_.is_undef(*body_, operand(i, k))) return add(rules::kInstrOffsetOnUavLoad, info, "the offset is not undef");
    }
  }
  check_offsets(info, i, kOffsets, view && is_texture(view->kind) ? view : std::nullopt);
}

// `values`: the number of the first of four values; the mask follows.
void ResourceOperationChecker::check_store(const OperationInfo& info, const Instruction& i, std::size_t values) {
  const auto view = handles_.find(*body_, operand(i, 0));
  const auto code = static_cast<Operation>(info.code);
  if (view) {
    if (view->resource_class != ResourceClass::uav)
      add(rules::kInstrResourceClassForUavStore, info, "to " + std::string(id(view->resource_class)));
    const bool is_texture = view->kind >= ResourceKind::texture1d && view->kind <= ResourceKind::texture2d_ms_array;
    if (code == Operation::texture_store && !is_texture)
      add(rules::kInstrResourceKindForTextureStore, info, "to " + std::string(id(view->kind)));
    if (code != Operation::texture_store) check_buffer_kind(info, i, *view);
  }
  const std::uint64_t mask = integer(i, values + 4).value_or(0);
  const bool is_typed_view = view && program::is_typed(view->kind);
  constexpr std::uint64_t kAll = 0xf;
  if (is_typed_view && mask != kAll) add(rules::kInstrWriteMaskForTypedUavStore, info, "mask " + std::to_string(mask));
  if (mask != 0xf && mask != 0x7 && mask != 0x3 && mask != 0x1) add(rules::kInstrWriteMaskGapForUav, info, "mask " + std::to_string(mask));
  std::uint64_t given = 0;
  for (std::size_t k = 0; k < 4; ++k)
    if (!c_.is_undef(*body_, operand(i, values + k))) given |= std::uint64_t{1} << k;
  if ((mask & ~given) != 0) {
    add(rules::kInstrUndefinedValueForUavStore, info, "a written component is undefined");
  } else if (mask != given) {
    add(rules::kInstrWriteMaskMatchValueForUavStore, info, "mask " + std::to_string(mask) + " for values " + std::to_string(given));
  }
}

void ResourceOperationChecker::check_buffer(const OperationInfo& info, const Instruction& i) {
  constexpr std::size_t kVector = 3;
  const bool stores = static_cast<Operation>(info.code) == Operation::raw_buffer_vector_store;
  if (stores && c_.is_undef(*body_, operand(i, kVector)))
    add(rules::kInstrUndefinedValueForUavStore, info, "the written vector is undefined");
  const auto view = handles_.find(*body_, operand(i, 0));
  if (!view) return;
  if (stores) {
    if (view->resource_class != ResourceClass::uav)
      add(rules::kInstrResourceClassForUavStore, info, "to " + std::string(id(view->resource_class)));
  } else if (view->resource_class != ResourceClass::srv && view->resource_class != ResourceClass::uav) {
    add(rules::kInstrResourceClassForLoad, info, "of " + std::string(id(view->resource_class)));
  }
  check_buffer_kind(info, i, *view);
}

void ResourceOperationChecker::check_buffer_kind(const OperationInfo& info, const Instruction& i, const program::HandleResource& view) {
  constexpr std::size_t kOffset = 2;
  const bool no_offset = c_.is_undef(*body_, operand(i, kOffset));
  const bool raw = info.function.starts_with("rawBuffer");
  switch (view.kind) {
    case ResourceKind::typed_buffer:
    case ResourceKind::tbuffer:
      if (raw) return add(rules::kInstrResourceKindForBufferLoadStore, info, "with " + std::string(id(view.kind)));
      [[fallthrough]];
    case ResourceKind::raw_buffer:
      if (!no_offset) add(rules::kInstrCoordinateCountForRawTypedBuf, info, "the offset is not undef");
      break;
    case ResourceKind::structured_buffer:
      if (no_offset) add(rules::kInstrCoordinateCountForStructBuf, info, "the offset is undef");
      break;
    default: add(rules::kInstrResourceKindForBufferLoadStore, info, "with " + std::string(id(view.kind))); break;
  }
}

void ResourceOperationChecker::check_constant_buffer(const OperationInfo& info, const Instruction& i) {
  const auto buffer = handles_.find(*body_, operand(i, 0));
  if (!buffer) return;
  if (buffer->resource_class != ResourceClass::cbuffer)
    return add(rules::kInstrCbufferClassForCbufferHandle, info, "of " + std::string(id(buffer->resource_class)));
  constexpr std::uint64_t kRow = 16;
  const std::uint64_t unit = static_cast<Operation>(info.code) == Operation::cbuffer_load_legacy ? kRow : 1;
  if (const auto place = integer(i, 1); place && buffer->size != 0 && *place * unit >= buffer->size)
    add(rules::kInstrCbufferOutOfBound, info,
        "byte " + std::to_string(*place * unit) + " of a buffer of " + std::to_string(buffer->size) + " bytes");
}

}  // namespace unshade::dxil::validate
