// Types, buffers and resources of a DXIL module's metadata.
// src: DXC DxilContainerReflection.cpp, by which its implementation of ID3D12ShaderReflection tells them
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>
#include <unshade/dxil/layout.hpp>

#include "shader/reflect/dxil/definitions.hpp"
#include "shader/reflect/made_up_name.hpp"

namespace unshade::shader::reflection {

using dxcontainer::kUnbounded;

namespace {

using dxil::FieldAnnotation;
using dxil::ProgramResource;
using dxil::TypeKind;

constexpr std::uint32_t kRowBytes = 16;
constexpr std::uint32_t kRowMajor = 1;
constexpr std::string_view kElement = "$Element";

const dxil::ComponentTypeInfo& component_of(std::uint32_t type) {
  return dxil::component_type_info(static_cast<dxil::ComponentType>(type));
}

/// Beginnings of the names of structures that stand for objects of HLSL. src: DXC DxilContainerReflection.cpp, TryToDetectObjectType
constexpr std::string_view kObjects[] = {
    "TriangleStream",
    "PointStream",
    "LineStream",
    "AppendStructuredBuffer",
    "ConsumeStructuredBuffer",
    "ConstantBuffer",
    "Buffer",
    "RWBuffer",
    "Texture1D",
    "RWTexture1D",
    "Texture2D",
    "RWTexture2D",
    "Texture3D",
    "RWTexture3D",
    "TextureCube",
    "StructuredBuffer",
    "RWStructuredBuffer",
};
constexpr std::string_view kExactObjects[] = {"SamplerState", "SamplerComparisonState", "ByteAddressBuffer", "RWByteAddressBuffer"};

bool take_prefix(std::string_view& name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  return true;
}

bool is_object_name(std::string_view name) {
  if (name.starts_with("dx.types.wave_t")) return true;
  take_prefix(name, "class.");
  take_prefix(name, "struct.");
  if (name.ends_with("_slice_type")) return false;
  take_prefix(name, "RasterizerOrdered");
  return std::ranges::any_of(kExactObjects, [&](std::string_view object) { return name == object; }) ||
         std::ranges::any_of(kObjects, [&](std::string_view object) { return name.starts_with(object); });
}

/// What HLSL calls a structure.
std::string_view plain_name(std::string_view name) {
  take_prefix(name, "dx.alignment.legacy.");
  take_prefix(name, "hostlayout.");
  take_prefix(name, "struct.");
  return name;
}

/// Where members of a structure are: by the rules of constant buffers, or as the data layout says.
enum class Layout : std::uint8_t { constant_buffer, memory };

class Definitions {
 public:
  Definitions(Reflection& reflection, const dxil::ProgramMetadata& metadata, ReflectionBudget& budget)
      : reflection_(reflection), metadata_(metadata), module_(*metadata.module), budget_(budget), layout_(*metadata.module) {}

  void add() {
    for (const auto* list : {&metadata_.constant_buffers, &metadata_.samplers, &metadata_.shader_resources, &metadata_.unordered_access})
      for (const ProgramResource& from : *list)
        if (budget_.spend(from.name)) add_resource(from);
    // Buffers in Direct3D's order: constant buffers, elements of UAVs, elements of shader resources and texture buffers.
    std::size_t at = 0;
    const std::size_t first_view = metadata_.constant_buffers.size() + metadata_.samplers.size();
    for (const ProgramResource& from : metadata_.constant_buffers) add_buffer(from, at++);
    at = first_view + metadata_.shader_resources.size();
    for (const ProgramResource& from : metadata_.unordered_access) add_buffer(from, at++);
    at = first_view;
    for (const ProgramResource& from : metadata_.shader_resources) add_buffer(from, at++);
  }

 private:
  struct Sized {
    std::uint32_t type = kNone;
    std::uint32_t bytes = 0;  ///< in a constant buffer
  };

  TypeKind kind_of(std::uint32_t type) const { return module_.types[type].kind; }
  std::uint32_t without_arrays(std::uint32_t type) const {
    while (kind_of(type) == TypeKind::array) type = module_.element_of(type);
    return type;
  }
  bool is_object(std::uint32_t type) const {
    type = without_arrays(type);
    return kind_of(type) == TypeKind::structure && is_object_name(module_.text(module_.types[type].name));
  }

  /// What the symbol of a resource points to, or kNone.
  std::uint32_t pointee(const ProgramResource& from) const {
    return from.type != dxil::kNone && kind_of(from.type) == TypeKind::pointer ? module_.element_of(from.type) : kNone;
  }
  std::uint32_t declared(const ProgramResource& from) const { return dxil::declared_structure(module_, from); }

  // --- resources ---------------------------------------------------------------------------------------------------------------------

  void add_resource(const ProgramResource& from) {
    Resource& resource = reflection_.resources.emplace_back();
    resource.name = from.name;
    resource.kind = resource_kind_of(from.kind, from.resource_class, from.has_counter);
    resource.dimension = dimension_of(from.kind);
    resource.bind_point = from.lower_bound;
    resource.bind_count = from.count == kUnbounded ? 0 : from.count;
    resource.space = from.space;
    resource.id = from.id;
    resource.globally_coherent = from.globally_coherent;
    resource.rasterizer_ordered = from.raster_ordered;
    const bool is_buffer = resource.kind == ResourceKind::cbuffer || resource.kind == ResourceKind::tbuffer;
    if (is_buffer) resource.flags = dxbc::kBindingUserPacked;
    if (from.resource_class == dxil::ResourceClass::sampler) {
      constexpr std::uint32_t kComparison = 1;
      resource.comparison = from.sampler_kind == kComparison;
      if (resource.comparison) resource.flags = dxbc::kBindingComparisonSampler;
    } else if (!is_buffer) {
      resource.return_type = component_of(from.component_type).returned;
      resource.sample_count = from.sample_count;
    }
    if (resource.kind == ResourceKind::texture || resource.kind == ResourceKind::uav_typed) {
      resource.components = static_cast<decltype(resource.components)>(std::max(from.components, 1U));
      resource.flags |= (resource.components - 1) << dxbc::kBindingComponentShift;
    }
    if (from.kind == dxil::ResourceKind::structured_buffer) {
      const std::uint32_t type = declared(from);
      resource.stride = from.stride;
      if (resource.stride == 0 && type != kNone) resource.stride = static_cast<std::uint32_t>(layout_.size_of(type));
    }
    if (!resource.name.empty()) return;
    resource.name = made_up_name(resource);
    reflection_.rebuilt = true;
  }

  // --- buffers -----------------------------------------------------------------------------------------------------------------------

  void add_buffer(const ProgramResource& from, std::size_t resource) {
    if (resource >= reflection_.resources.size()) return;  // the budget is spent
    const auto index = static_cast<std::uint32_t>(reflection_.buffers.size());
    Buffer buffer;
    buffer.name = reflection_.resources[resource].name;
    const bool added = from.kind == dxil::ResourceKind::cbuffer             ? fill_constants(from, BufferKind::cbuffer, buffer)
                       : from.kind == dxil::ResourceKind::structured_buffer ? fill_element(from, buffer)
                       : from.kind == dxil::ResourceKind::tbuffer           ? fill_constants(from, BufferKind::tbuffer, buffer)
                                                                            : false;
    if (!added || !budget_.spend(buffer.name)) return;
    reflection_.resources[resource].buffer = index;
    reflection_.buffers.push_back(std::move(buffer));
  }

  bool fill_constants(const ProgramResource& from, BufferKind kind, Buffer& buffer) {
    buffer.kind = kind;
    std::uint32_t bytes = from.size;
    const std::uint32_t type = declared(from);
    const dxil::StructAnnotation* const annotation = type == kNone ? nullptr : metadata_.find_struct(type);
    if (annotation == nullptr) {
      fill_unknown(buffer, bytes);
    } else {
      const auto parts = module_.parts_of(module_.types[type]);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const FieldAnnotation& field = annotation->fields[i];
        if (!budget_.spend(field.name)) break;
        Sized sized = type_of(parts[i], field, Layout::constant_buffer);
        // As fxc has it: what is inside of an array of constant buffers is an array of 1.
        if (from.count > 1 || kind_of(pointee(from)) == TypeKind::array) sized.type = with_elements(sized.type, 1);
        Variable& variable = buffer.variables.emplace_back();
        variable.name = field.name;
        variable.type = sized.type;
        variable.offset = field.constant_buffer_offset;
        variable.size = sized.bytes;
        variable.used = parts.size() < 2 || !metadata_.states_usage() || field.used;
        variable.flags = variable.used ? dxbc::kVariableUsed : 0;
        if (kind == BufferKind::tbuffer) bytes = std::max(bytes, variable.offset + variable.size);
      }
    }
    buffer.size = round_up(bytes, kRowBytes);
    return true;
  }

  /// A buffer of which only the size is known: registers.
  void fill_unknown(Buffer& buffer, std::uint32_t bytes) {
    if (bytes == 0) return;
    reflection_.rebuilt = true;
    const std::uint32_t registers = bytes / kRowBytes + (bytes % kRowBytes != 0 ? 1 : 0);
    Variable& variable = buffer.variables.emplace_back();
    variable.name = buffer.name + "_data";
    variable.size = registers * kRowBytes;
    variable.flags = dxbc::kVariableUsed;
    variable.used = true;
    variable.type = plain_type(TypeClass::vector, BaseType::float_, 1, 4, registers);
  }

  bool fill_element(const ProgramResource& from, Buffer& buffer) {
    buffer.kind = BufferKind::resource_bind_info;
    const std::uint32_t type = declared(from);
    const dxil::StructAnnotation* const annotation = type == kNone ? nullptr : metadata_.find_struct(type);
    const auto parts = type == kNone ? std::span<const std::uint32_t>() : module_.parts_of(module_.types[type]);
    if (annotation == nullptr || parts.empty()) return false;
    buffer.size = static_cast<std::uint32_t>(layout_.size_of(type));
    Variable& variable = buffer.variables.emplace_back();
    variable.name = kElement;
    variable.size = buffer.size;
    variable.used = true;
    variable.flags = dxbc::kVariableUsed;
    variable.type = type_of(parts[0], annotation->fields[0], Layout::memory).type;
    return true;
  }

  // --- types -------------------------------------------------------------------------------------------------------------------------

  /// Whether what is left of an array is the vector or matrix itself, which may be stored as arrays of arrays or vectors.
  bool holds_components(std::uint32_t type, std::uint64_t count, unsigned depth) const {
    for (; kind_of(type) == TypeKind::array; type = module_.element_of(type), --depth) {
      const std::uint64_t size = module_.types[type].count;
      if (depth < 1 || size == 0 || count < size || count % size != 0) return false;
      count /= size;
    }
    if (kind_of(type) == TypeKind::vector) return depth >= 1 && module_.types[type].count == count;
    return count == 1;
  }

  Sized type_of(std::uint32_t type, const FieldAnnotation& annotation, Layout layout) {
    TypeClass type_class = TypeClass::scalar;
    std::uint32_t rows = 1;
    std::uint32_t columns = 1;
    std::uint32_t stored_rows = 1;  // registers that it takes, and the components of each
    std::uint32_t stored_columns = 1;
    if (annotation.is_matrix) {
      const bool row_major = annotation.matrix.orientation == kRowMajor;
      type_class = row_major ? TypeClass::matrix_rows : TypeClass::matrix_columns;
      rows = annotation.matrix.rows;
      columns = annotation.matrix.columns;
      stored_rows = row_major ? rows : columns;
      stored_columns = row_major ? columns : rows;
    } else if (annotation.vector_size != 0) {
      type_class = TypeClass::vector;
      columns = stored_columns = annotation.vector_size;
    }
    std::uint32_t elements = 0;
    for (; kind_of(type) == TypeKind::array; type = module_.element_of(type)) {
      const unsigned depth = type_class == TypeClass::vector || stored_rows == 1 ? 1 : 2;
      if (type_class != TypeClass::scalar && holds_components(type, std::uint64_t{stored_rows} * stored_columns, depth)) break;
      elements = std::max(elements, 1U) * static_cast<std::uint32_t>(module_.types[type].count);
    }
    if (type_class == TypeClass::scalar && kind_of(type) == TypeKind::structure) {
      return structure(type, elements, layout);
    }
    if (type_class == TypeClass::scalar && kind_of(type) == TypeKind::vector) {
      type_class = TypeClass::vector;
      columns = stored_columns = static_cast<std::uint32_t>(module_.types[type].count);
    }
    const dxil::ComponentTypeInfo& component = component_of(annotation.component_type);
    const bool minimum = metadata_.minimum_precision();
    const BaseType base = minimum ? component.minimum : component.base;
    const std::uint32_t bytes = component.bytes(minimum);
    const std::uint32_t stride = bytes > 4 && stored_columns > 2 ? 2 * kRowBytes : kRowBytes;
    const std::uint32_t registers = stored_rows * std::max(elements, 1U);
    Sized sized;
    sized.type = annotation.bit_fields.empty() ? plain_type(type_class, base, rows, columns, elements) : bit_fields(base, annotation);
    sized.bytes = stride * (registers - 1) + bytes * stored_columns;
    return sized;
  }

  std::uint32_t add_type(Type type) {
    budget_.spend(type.name);
    reflection_.types.push_back(std::move(type));
    return static_cast<std::uint32_t>(reflection_.types.size() - 1);
  }

  std::uint32_t plain_type(TypeClass type_class, BaseType base, std::uint32_t rows, std::uint32_t columns, std::uint32_t elements) {
    const auto [place, is_new] = plain_.try_emplace({type_class, base, rows, columns, elements}, 0);
    if (!is_new) return place->second;
    Type type;
    type.type_class = type_class;
    type.base = base;
    type.rows = rows;
    type.columns = columns;
    type.elements = elements;
    // Direct3D calls a single uint by another name than its vectors.
    type.name = type_class == TypeClass::scalar && base == BaseType::uint_ ? std::string_view("dword") : hlsl_word(base);
    if (type_class == TypeClass::vector) type.name += std::to_string(columns);
    if (type_class == TypeClass::matrix_rows || type_class == TypeClass::matrix_columns)
      type.name += std::to_string(rows) + 'x' + std::to_string(columns);
    return place->second = add_type(std::move(type));
  }

  /// An integer whose bits have names.
  std::uint32_t bit_fields(BaseType base, const FieldAnnotation& annotation) {
    Type whole;
    whole.base = base;
    whole.rows = whole.columns = 1;
    whole.name = hlsl_word(base);
    std::uint32_t bit = 0;
    for (const dxil::BitField& field : annotation.bit_fields) {
      if (!budget_.spend(field.name)) break;
      whole.members.push_back({std::string(field.name), plain_type(TypeClass::bit_field, base, 1, field.width, 0), bit});
      bit += field.width;
    }
    return add_type(std::move(whole));
  }

  Sized structure(std::uint32_t id, std::uint32_t elements, Layout layout) {
    Sized sized = structure(id, layout);
    if (elements > 1) sized.bytes += (elements - 1) * round_up(sized.bytes, kRowBytes);
    if (elements != 0) sized.type = with_elements(sized.type, elements);
    return sized;
  }

  Sized structure(std::uint32_t id, Layout layout) {
    const auto found = structures_.find({id, layout});
    if (found != structures_.end()) return found->second;
    Type type;
    type.type_class = TypeClass::structure;
    type.rows = 1;
    type.name = plain_name(module_.text(module_.types[id].name));
    Sized sized;
    const dxil::StructAnnotation* const annotation = metadata_.find_struct(id);
    if (is_object(id)) {
      type.type_class = TypeClass::object;
      type.rows = 0;
    } else if (annotation != nullptr && depth_ < limits::kNesting) {
      ++depth_;
      const auto parts = module_.parts_of(module_.types[id]);
      const auto offsets = layout == Layout::memory ? layout_.offsets_of(id) : std::vector<std::uint64_t>();
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const FieldAnnotation& field = annotation->fields[i];
        if (is_object(parts[i])) continue;
        if (!budget_.spend(field.name)) break;
        const Sized member = type_of(parts[i], field, layout);
        const std::uint32_t offset = layout == Layout::memory ? static_cast<std::uint32_t>(offsets[i]) : field.constant_buffer_offset;
        type.members.push_back({std::string(field.name), member.type, offset});
        sized.bytes = offset + member.bytes;
        const Type& of = reflection_.types[member.type];
        if (of.type_class == TypeClass::structure && of.columns == 0) continue;  // an empty structure
        type.columns += std::max(of.columns, 1U) * std::max(of.rows, 1U) * std::max(of.elements, 1U);
      }
      --depth_;
    }
    sized.type = add_type(std::move(type));
    structures_.emplace(std::pair(id, layout), sized);
    return sized;
  }

  /// The same type as an array of so many.
  std::uint32_t with_elements(std::uint32_t index, std::uint32_t elements) {
    if (reflection_.types[index].elements == elements) return index;
    const auto [place, is_new] = arrays_.try_emplace({index, elements}, index);
    if (!is_new) return place->second;
    const Type& of = reflection_.types[index];
    std::size_t characters = of.members.size();
    for (const Member& member : of.members) characters += member.name.size();
    if (!budget_.spend({}, characters)) return index;
    Type array = of;
    array.elements = elements;
    return place->second = add_type(std::move(array));
  }

  Reflection& reflection_;
  const dxil::ProgramMetadata& metadata_;
  const dxil::Module& module_;
  ReflectionBudget& budget_;
  dxil::TypeLayout layout_;
  unsigned depth_ = 0;
  std::map<std::tuple<TypeClass, BaseType, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> plain_;
  std::map<std::pair<std::uint32_t, Layout>, Sized> structures_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> arrays_;
};

}  // namespace

void add_definitions(Reflection& reflection, const dxil::ProgramMetadata& metadata, ReflectionBudget& budget) {
  Definitions(reflection, metadata, budget).add();
}

}  // namespace unshade::shader::reflection
