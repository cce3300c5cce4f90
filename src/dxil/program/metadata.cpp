#include <unshade/dxil/metadata.hpp>

#include <algorithm>
#include <span>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/program/handles.hpp>

#include "dxil/program/property_tags.hpp"

namespace unshade::dxil::program {

namespace {

// Positions and tags of the lists. src: DXC DxilMetadataHelper.h

namespace entry {
constexpr std::size_t kFunction = 0, kName = 1, kSignatures = 2, kResources = 3, kProperties = 4;
}  // namespace entry

namespace element {
constexpr std::size_t kId = 0, kName = 1, kType = 2, kSemantic = 3, kIndexes = 4, kInterpolation = 5, kRows = 6, kColumns = 7,
                      kStartRow = 8, kStartColumn = 9, kProperties = 10;
constexpr std::uint64_t kStreamTag = 0, kDynamicMaskTag = 2, kUsageMaskTag = 3;
}  // namespace element

namespace resource {
constexpr std::size_t kId = 0, kSymbol = 1, kName = 2, kSpace = 3, kLowerBound = 4, kCount = 5;
constexpr std::size_t kShape = 6;
constexpr std::size_t kSampleCount = 7, kShaderResourceProperties = 8;
constexpr std::size_t kCoherent = 7, kCounter = 8, kRasterOrdered = 9, kUnorderedProperties = 10;
constexpr std::size_t kSize = 6;
constexpr std::size_t kSamplerKind = 6;
constexpr std::uint64_t kElementTypeTag = 0, kStrideTag = 1, kFeedbackTag = 2, kAtomic64Tag = 3, kReorderCoherentTag = 4;
}  // namespace resource

namespace annotation {
constexpr std::uint64_t kStructs = 0;
constexpr std::uint64_t kMatrixTag = 2, kOffsetTag = 3, kNameTag = 6, kTypeTag = 7, kPreciseTag = 8, kUsedTag = 9, kBitFieldsTag = 11,
                        kBitWidthTag = 12, kVectorSizeTag = 13;
}  // namespace annotation

/// The shader model from which on a resource's symbol is a handle, and its HLSL type that of a cast of it.
constexpr std::uint32_t kHandleSymbolMinor = 6;

/// Lists may share what they hold, so that a few can stand for very many: a record may be read this often on average. Real ones share
/// little but semantic indexes.
constexpr std::size_t kReadsPerOperand = 4;
constexpr std::size_t kReadsBase = 4096;

constexpr std::uint64_t kMostComponents = 4;  // of a texel

class Reader {
 public:
  explicit Reader(const Module& module) : module_(module), budget_(module.metadata_operands.size() * kReadsPerOperand + kReadsBase) {}

  ProgramMetadata read() {
    ProgramMetadata out;
    out.module = &module_;
    out.present = named("dx.version") != nullptr;
    const module::MetadataTuple version = first("dx.version");
    out.dxil_major = version.u32(0);
    out.dxil_minor = version.u32(1);
    const module::MetadataTuple validator = first("dx.valver");
    out.has_validator_version = named("dx.valver") != nullptr;
    out.validator_major = validator.u32(0);
    out.validator_minor = validator.u32(1);
    const module::MetadataTuple model = first("dx.shaderModel");
    out.profile = model.text(0);
    out.major = model.u32(1);
    out.minor = model.u32(2);
    out.kind = kind_of(out.profile);
    handle_symbols_ = out.major > 6 || (out.major == 6 && out.minor >= kHandleSymbolMinor);
    if (const NamedMetadata* entries = named("dx.entryPoints"))
      for (const std::uint64_t id : module_.metadata_operands_of(entries->nodes))
        read_entry(module::MetadataTuple::of(module_, &module_.metadata[id]), out);
    if (!read_structs(out)) out.structs.clear();
    out.struct_of_type.assign(module_.types.size(), kNone);
    for (std::size_t i = 0; i < out.structs.size(); ++i) out.struct_of_type[out.structs[i].type] = static_cast<std::uint32_t>(i);
    read_view_id_state(out);
    return out;
  }

 private:
  const NamedMetadata* named(std::string_view name) const { return module::find_named_metadata(module_, name); }
  module::MetadataTuple first(std::string_view name) const {
    const NamedMetadata* list = named(name);
    if (list == nullptr || list->nodes.empty()) return {module_, {}};
    return module::MetadataTuple::of(module_, &module_.metadata[module_.metadata_operands_of(list->nodes)[0]]);
  }

  static ShaderKind kind_of(std::string_view profile) {
    // Libraries hold functions of all kinds that share its profile.
    if (profile == profile_prefix(ShaderKind::library)) return ShaderKind::library;
    for (std::uint32_t kind = 0; kind < static_cast<std::uint32_t>(ShaderKind::invalid); ++kind)
      if (!profile.empty() && profile_prefix(static_cast<ShaderKind>(kind)) == profile) return static_cast<ShaderKind>(kind);
    return ShaderKind::invalid;
  }

  /// How many of the items of a list to read.
  std::size_t spend(std::size_t items) {
    items = std::min(items, budget_);
    budget_ -= items;
    return items;
  }

  /// How many tags and values of a list to read.
  std::size_t pairs(const module::MetadataTuple& tuple) { return spend(tuple.size()) / 2; }

  void read_entry(const module::MetadataTuple& tuple, ProgramMetadata& out) {
    if (spend(1) == 0) return;
    EntryPoint& entry = out.entries.emplace_back();
    const std::uint32_t function = tuple.value(entry::kFunction);
    if (function < module_.values.size() && module_.values[function].kind == ValueKind::function)
      entry.function = module_.values[function].index;
    entry.name = tuple.text(entry::kName);
    const module::MetadataTuple signatures = tuple.tuple(entry::kSignatures);
    std::size_t i = 0;
    for (auto* list : {&entry.inputs, &entry.outputs, &entry.patch_or_primitives}) {
      const module::MetadataTuple elements = signatures.tuple(i++);
      const std::size_t count = spend(elements.size());
      for (std::size_t k = 0; k < count; ++k) list->push_back(read_element(elements.tuple(k)));
    }
    entry.properties = tuple.id(entry::kProperties);
    const module::MetadataTuple properties = tuple.tuple(entry::kProperties);
    const std::size_t count = pairs(properties);
    for (std::size_t k = 0; k < count; ++k)
      if (properties.integer(2 * k) == property_tag::kFlags) entry.flags = properties.integer(2 * k + 1).value_or(0);
    if (out.entries.size() == 1) read_resources(tuple.tuple(entry::kResources), out);
  }

  MetadataElement read_element(const module::MetadataTuple& tuple) {
    MetadataElement e;
    e.id = tuple.u32(element::kId);
    e.name = tuple.text(element::kName);
    e.component_type = static_cast<ComponentType>(tuple.u32(element::kType));
    e.semantic = static_cast<SemanticKind>(tuple.u32(element::kSemantic));
    const module::MetadataTuple indexes = tuple.tuple(element::kIndexes);
    const std::size_t rows = spend(indexes.size());
    for (std::size_t i = 0; i < rows; ++i) e.semantic_indexes.push_back(indexes.u32(i));
    e.interpolation = static_cast<Interpolation>(tuple.u32(element::kInterpolation));
    e.rows = tuple.u32(element::kRows);
    e.columns = static_cast<std::uint8_t>(tuple.u32(element::kColumns));
    e.start_row = static_cast<std::int32_t>(tuple.u32(element::kStartRow));
    e.start_column = static_cast<std::int8_t>(tuple.u32(element::kStartColumn));
    const module::MetadataTuple properties = tuple.tuple(element::kProperties);
    const std::size_t count = pairs(properties);
    for (std::size_t i = 0; i < count; ++i) {
      const auto tag = properties.integer(2 * i);
      const std::uint32_t value = properties.u32(2 * i + 1);
      if (tag == element::kStreamTag) e.stream = value;
      if (tag == element::kDynamicMaskTag) e.dynamic_mask = static_cast<std::uint8_t>(value);
      if (tag == element::kUsageMaskTag) e.usage_mask = static_cast<std::uint8_t>(value);
    }
    return e;
  }

  void read_resources(const module::MetadataTuple& lists, ProgramMetadata& out) {
    const std::pair<ResourceClass, std::vector<ProgramResource>*> classes[] = {
        {ResourceClass::srv, &out.shader_resources},
        {ResourceClass::uav, &out.unordered_access},
        {ResourceClass::cbuffer, &out.constant_buffers},
        {ResourceClass::sampler, &out.samplers},
    };
    std::size_t i = 0;
    for (const auto& [resource_class, list] : classes) {
      const module::MetadataTuple resources = lists.tuple(i++);
      const std::size_t count = spend(resources.size());
      for (std::size_t k = 0; k < count; ++k) list->push_back(read_resource(resources.tuple(k), resource_class));
    }
  }

  ProgramResource read_resource(const module::MetadataTuple& tuple, ResourceClass resource_class) {
    ProgramResource r;
    r.resource_class = resource_class;
    r.id = tuple.u32(resource::kId);
    read_symbol(tuple, r);
    r.name = tuple.text(resource::kName);
    r.space = tuple.u32(resource::kSpace);
    r.lower_bound = tuple.u32(resource::kLowerBound);
    r.count = tuple.u32(resource::kCount);
    switch (resource_class) {
      case ResourceClass::srv:
        r.kind = static_cast<ResourceKind>(tuple.u32(resource::kShape));
        r.sample_count = tuple.u32(resource::kSampleCount);
        read_properties(tuple.tuple(resource::kShaderResourceProperties), r);
        r.components = components_of(r);
        break;
      case ResourceClass::uav:
        r.kind = static_cast<ResourceKind>(tuple.u32(resource::kShape));
        r.globally_coherent = tuple.u32(resource::kCoherent) != 0;
        r.has_counter = tuple.u32(resource::kCounter) != 0;
        r.raster_ordered = tuple.u32(resource::kRasterOrdered) != 0;
        read_properties(tuple.tuple(resource::kUnorderedProperties), r);
        r.components = components_of(r);
        break;
      case ResourceClass::cbuffer:
        r.kind = ResourceKind::cbuffer;
        r.size = tuple.u32(resource::kSize);
        break;
      default:
        r.kind = ResourceKind::sampler;
        r.sampler_kind = tuple.u32(resource::kSamplerKind);
        break;
    }
    return r;
  }

  void read_properties(const module::MetadataTuple& properties, ProgramResource& r) {
    const std::size_t count = pairs(properties);
    for (std::size_t i = 0; i < count; ++i) {
      const auto tag = properties.integer(2 * i);
      const std::uint32_t value = properties.u32(2 * i + 1);
      if (tag == resource::kElementTypeTag) r.component_type = value;
      if (tag == resource::kStrideTag) r.stride = value;
      if (tag == resource::kFeedbackTag) r.feedback_kind = value;
      if (tag == resource::kAtomic64Tag) r.atomic_64 = value != 0;
      if (tag == resource::kReorderCoherentTag) r.reorder_coherent = value != 0;
    }
  }

  /// Of a typed resource: the first member of the structure that stands for it is a texel.
  std::uint32_t components_of(const ProgramResource& r) const {
    const std::uint32_t type = is_typed(r.kind) && r.kind != ResourceKind::tbuffer ? declared_structure(module_, r) : kNone;
    const auto parts = type == kNone ? std::span<const std::uint32_t>() : module_.parts_of(module_.types[type]);
    if (parts.empty()) return 0;
    const Type& texel = module_.types[parts[0]];
    return texel.kind == TypeKind::vector ? static_cast<std::uint32_t>(std::clamp<std::uint64_t>(texel.count, 1, kMostComponents)) : 1;
  }

  void read_symbol(const module::MetadataTuple& tuple, ProgramResource& r) const {
    r.symbol = tuple.value(resource::kSymbol);
    if (r.symbol >= module_.values.size()) return;
    r.type = module_.values[r.symbol].type;
    if (!handle_symbols_) return;
    const Constant* cast = tuple.constant(resource::kSymbol);
    if (cast != nullptr && cast->kind == ConstantKind::cast && cast->opcode == Opcode::bitcast)
      r.symbol = module_.operands_of(cast->operands)[0];
  }

  /// False if the annotations are not what they should be; none of them counts then.
  bool read_structs(ProgramMetadata& out) {
    const NamedMetadata* lists = named("dx.typeAnnotations");
    if (lists == nullptr) return true;
    for (const std::uint64_t id : module_.metadata_operands_of(lists->nodes)) {
      const module::MetadataTuple list = module::MetadataTuple::of(module_, &module_.metadata[id]);
      if (list.integer(0) != annotation::kStructs) continue;
      if (list.size() % 2 == 0) return false;
      for (std::size_t i = 1; i + 1 < list.size(); i += 2) {
        const std::uint32_t value = list.value(i);
        if (value >= module_.values.size() || module_.types[module_.values[value].type].kind != TypeKind::structure) return false;
        StructAnnotation& annotation = out.structs.emplace_back();
        annotation.type = module_.values[value].type;
        const std::size_t fields = module_.types[annotation.type].parts.count;
        const module::MetadataTuple tuple = list.tuple(i + 1);
        // A list of the arguments of a template may follow the fields.
        if (tuple.size() != fields + 1 && tuple.size() != fields + 2) return false;
        if (spend(fields + 1) != fields + 1) return false;
        annotation.constant_buffer_size = tuple.u32(0);
        for (std::size_t k = 0; k < fields; ++k) {
          const module::MetadataTuple field = tuple.tuple(k + 1);
          if (field.size() % 2 != 0) return false;
          annotation.fields.push_back(read_field(field));
        }
      }
    }
    return true;
  }

  FieldAnnotation read_field(const module::MetadataTuple& tuple) {
    FieldAnnotation field;
    const std::size_t count = pairs(tuple);
    for (std::size_t i = 0; i < 2 * count; i += 2) {
      switch (tuple.integer(i).value_or(~std::uint64_t{0})) {
        case annotation::kMatrixTag: {
          const module::MetadataTuple matrix = tuple.tuple(i + 1);
          field.is_matrix = true;
          field.matrix = {matrix.u32(0), matrix.u32(1), matrix.u32(2)};
          break;
        }
        case annotation::kOffsetTag: field.constant_buffer_offset = tuple.u32(i + 1); break;
        case annotation::kNameTag: field.name = tuple.text(i + 1); break;
        case annotation::kTypeTag: field.component_type = tuple.u32(i + 1); break;
        case annotation::kPreciseTag: field.precise = tuple.u32(i + 1) != 0; break;
        case annotation::kUsedTag: field.used = tuple.u32(i + 1) != 0; break;
        case annotation::kVectorSizeTag: field.vector_size = tuple.u32(i + 1); break;
        case annotation::kBitFieldsTag: read_bit_fields(tuple.tuple(i + 1), field); break;
        default: break;
      }
    }
    return field;
  }

  void read_bit_fields(const module::MetadataTuple& list, FieldAnnotation& field) {
    const std::size_t count = spend(list.size());
    for (std::size_t i = 0; i < count; ++i) {
      const module::MetadataTuple tuple = list.tuple(i);
      BitField& bits = field.bit_fields.emplace_back();
      const std::size_t items = pairs(tuple);
      for (std::size_t k = 0; k < 2 * items; k += 2) {
        const auto tag = tuple.integer(k);
        if (tag == annotation::kNameTag) bits.name = tuple.text(k + 1);
        if (tag == annotation::kBitWidthTag) bits.width = tuple.u32(k + 1);
      }
    }
  }

  void read_view_id_state(ProgramMetadata& out) const {
    out.has_view_id_state = named("dx.viewIdState") != nullptr;
    const Constant* state = first("dx.viewIdState").constant(0);
    if (state == nullptr) return;
    // Written as `zeroinitializer`, which may be of any length. Four streams of 32 registers take half of this.
    constexpr std::uint64_t kMostZeros = 4096;
    const Type& type = module_.types[state->type];
    if (state->kind == ConstantKind::null && type.kind == TypeKind::array && type.count <= kMostZeros)
      out.view_id_state.resize(static_cast<std::size_t>(type.count));
    if (state->kind != ConstantKind::data) return;
    for (const std::uint64_t word : module_.literals_of(state->literals)) out.view_id_state.push_back(static_cast<std::uint32_t>(word));
  }

  const Module& module_;
  std::size_t budget_;
  bool handle_symbols_ = false;
};

}  // namespace

}  // namespace unshade::dxil::program

namespace unshade::dxil {

const StructAnnotation* ProgramMetadata::find_struct(std::uint32_t type) const {
  return type < struct_of_type.size() && struct_of_type[type] != kNone ? &structs[struct_of_type[type]] : nullptr;
}

std::uint32_t declared_structure(const Module& module, const ProgramResource& resource) {
  std::uint32_t type = resource.type;
  if (type == kNone || module.types[type].kind != TypeKind::pointer) return kNone;
  type = module.element_of(type);
  for (unsigned depth = 0; depth < limits::kNesting && module.types[type].kind == TypeKind::array; ++depth) type = module.element_of(type);
  return module.types[type].kind == TypeKind::structure ? type : kNone;
}

ProgramMetadata read_program_metadata(const Module& module) { return program::Reader(module).read(); }

}  // namespace unshade::dxil
