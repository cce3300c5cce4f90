// The one description of effects. After the header are the data, to which offsets count: types, texts, values, shaders; after them the
// variables and techniques, one after the other, each as long as its type and counts make it.
// src: FX11, Binary/EffectBinaryFormat.h; read: wine d3d10 effect.c, for the records of pools
#pragma once

#include <algorithm>
#include <bit>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/archive/writer.hpp>
#include <unshade/dxbc/effect.hpp>

namespace unshade::dxbc {

inline constexpr std::uint32_t kEffectHeaderBytes = 76;
inline constexpr std::uint32_t kEffect5HeaderBytes = 96;

inline constexpr Bits kEffectLayoutBits{"layout", 0, 3};
inline constexpr Bits kEffectScalarBits{"scalar", 3, 5};
inline constexpr Bits kEffectRowBits{"rows", 8, 3};
inline constexpr Bits kEffectColumnBits{"columns", 11, 3};
inline constexpr Bits kEffectColumnMajorBits{"column_major", 14, 1};
inline constexpr Bits kEffectPackedBits{"packed", 15, 1};
extern const FieldType kEffectNumeric;
extern const FieldType kEffectBufferFlags;

/// What the records after the header need to know of it.
struct EffectContext {
  EffectVersion version = EffectVersion::fx_4_0;
  std::vector<EffectType>* types = nullptr;
  bool shared = false;  ///< records of a pool: no initializers, no annotations

  bool is_5() const { return version == EffectVersion::fx_5_0; }
  const EffectType& type(std::uint32_t index) const;
  /// What an object of this type has, EffectObject::texture if it is none.
  EffectObject object(std::uint32_t index) const;
  std::size_t elements(std::uint32_t index) const { return std::max<std::uint32_t>(type(index).elements, 1); }
};

/// What documents call the list of shared types.
constexpr const char* pool_name(const EffectType&) { return "types"; }

/// How a shader is stored.
enum class EffectShaderForm : std::uint8_t { code, stream_output, shader5 };

enum class EffectInitializer : std::uint8_t { none, blocks, shaders, strings };
EffectInitializer initializer_of(EffectObject object);
EffectShaderForm shader_form(EffectObject object);

/// A list has as many elements as the array that it is for.
template <class Archive, class T>
void check_elements(Archive& a, const char* name, const std::vector<T>& values, std::size_t elements) {
  if constexpr (kReadsValues<Archive>) {
    if (a.ok() && values.size() != elements)
      a.fail(ErrorCode::bad_value, name,
             "the type requires " + std::to_string(elements) + " values, found " + std::to_string(values.size()));
  }
}

/// Bytes: 4, and what they say.
template <class Archive>
void describe(Archive& a, EffectCode& c) {
  auto size = static_cast<std::uint32_t>(c.bytes.size());
  a.u32("size", size, kCount);
  a.raw("bytes", c.bytes, size);
}

/// u32 offset of a block.
template <class Archive>
void describe_code(Archive& a, EffectCode& c) {
  if constexpr (kIsValueArchive<Archive>) {
    a.raw("code", c.bytes, 0);
    a.place("code", c.offset);
  } else {
    a.record_at("code", c.offset, c);
  }
}

inline constexpr std::size_t kEffectMemberBytes = 16;
template <class Archive>
void describe(Archive& a, EffectMember& m, const EffectContext& context) {
  a.string_at("name", m.name);
  a.string_at("semantic", m.semantic);
  a.u32("offset", m.offset);
  a.shared_at("type", m.type, *context.types, context);
}

/// Bytes: 4. An interface that a class implements.
template <class Archive>
void describe(Archive& a, EffectTypeReference& r, const EffectContext& context) {
  a.shared_at("type", r.type, *context.types, context);
}

/// u32 offset of a type, 0 for none.
template <class Archive>
void describe_base_class(Archive& a, std::uint32_t& index, const EffectContext& context) {
  if constexpr (kIsValueArchive<Archive>) return a.optional_shared_at("base_class", index, *context.types, kNoEffectType, context);
  bool absent = index == kNoEffectType;
  if constexpr (Archive::kReads) absent = a.peek32().value_or(0) == 0;
  if (!absent) return a.shared_at("base_class", index, *context.types, context);
  std::uint32_t zero = 0;
  a.u32("base_class", zero, kOffset);
  index = kNoEffectType;
}

/// Bytes: 24, then 4 of a number's shape or the object, or the members of a structure, each 16, after their number. In fx_5_0 a structure
/// also has 4 for its base class and the interfaces, each 4, after their number.
template <class Archive>
void describe(Archive& a, EffectType& t, const EffectContext& context) {
  a.string_at("name", t.name);
  a.enum32("kind", t.kind);
  a.u32("elements", t.elements);
  a.u32("total_bytes", t.total_bytes);
  a.u32("stride", t.stride);
  a.u32("packed_bytes", t.packed_bytes);
  switch (t.kind) {
    case EffectTypeKind::numeric: return a.u32("numeric", t.numeric, kEffectNumeric);
    case EffectTypeKind::object: return a.enum32("object", t.object);
    case EffectTypeKind::structure: break;
    case EffectTypeKind::interface: return;
    default: return a.fail(ErrorCode::bad_value, "kind", "unknown kind of type");
  }
  auto member_count = static_cast<std::uint32_t>(t.members.size());
  a.u32("member_count", member_count, kCount);
  a.records("members", t.members, member_count, kEffectMemberBytes, context);
  if (!context.is_5()) return;
  describe_base_class(a, t.base_class, context);
  auto interface_count = static_cast<std::uint32_t>(t.interfaces.size());
  a.u32("interface_count", interface_count, kCount);
  a.records("interfaces", t.interfaces, interface_count, 4, context);
}

/// Bytes: as many as the type has, packed.
template <class Archive>
void describe(Archive& a, EffectValue& v, const std::size_t& size) {
  a.raw("bytes", v.bytes, size);
}

/// u32 offset of the numbers of a type, 0 for none.
template <class Archive>
void describe_value(Archive& a, const char* name, EffectValue& v, std::uint32_t type_index, const EffectContext& context) {
  const EffectType& type = context.type(type_index);
  if constexpr (kIsValueArchive<Archive>) {
    Numbers how = Numbers::mixed;  // of a structure
    if (type.kind == EffectTypeKind::numeric) {
      const EffectScalar scalar = type.scalar();
      how = scalar == EffectScalar::float_ ? Numbers::real : scalar == EffectScalar::int_ ? Numbers::sint : Numbers::uint;
    }
    if constexpr (kReadsValues<Archive>) v.offset = a.has(name) ? kUnplaced : 0;
    if (v.offset == 0) return;
    a.numbers(name, v.bytes, how);
    a.place(name, v.offset);
    if (kReadsValues<Archive> && a.ok() && v.bytes.size() != type.packed_bytes)
      a.fail(ErrorCode::bad_value, name, "the size of the value differs from its type");
  } else {
    bool absent = v.offset == 0;
    if constexpr (Archive::kReads) absent = a.peek32().value_or(0) == 0;
    if (!absent) return a.record_at(name, v.offset, v, std::size_t{type.packed_bytes});
    v.offset = 0;
    a.u32(name, v.offset, kOffset);
  }
}

/// Bytes: 4.
template <class Archive>
void describe(Archive& a, EffectText& t) {
  a.string_at("text", t.text);
}

inline constexpr std::size_t kEffectInstanceBytes = 8;
template <class Archive>
void describe(Archive& a, EffectInstance& i) {
  a.string_at("name", i.name);
  a.u32("element", i.element, kSigned);
}

/// Bytes: 4, 8 with a stream output declaration, 36 in fx_5_0.
template <class Archive>
void describe(Archive& a, EffectShader& s, const EffectShaderForm& form) {
  describe_code(a, s.code);
  if (form == EffectShaderForm::stream_output) a.string_at("stream_output", s.stream_output[0]);
  if (form != EffectShaderForm::shader5) return;
  constexpr const char* kStreamOutputs[] = {"stream_output0", "stream_output1", "stream_output2", "stream_output3"};
  for (std::size_t i = 0; i < s.stream_output.size(); ++i) a.string_at(kStreamOutputs[i], s.stream_output[i]);
  a.u32("stream_count", s.stream_count);
  a.u32("rasterized_stream", s.rasterized_stream);
  a.table("bindings", s.bindings, kEffectInstanceBytes);
}

/// Bytes: 8.
template <class Archive>
void describe(Archive& a, EffectConstant& c) {
  a.enum32("type", c.type);
  if (c.type == EffectScalar::float_) {
    auto real = std::bit_cast<float>(c.bits);
    a.f32("value", real);
    c.bits = std::bit_cast<std::uint32_t>(real);
  } else {
    a.u32("value", c.bits, c.type == EffectScalar::int_ ? kSigned : kUnsigned);
  }
}

/// What an assignment's offset leads to, unless it is a text or a block.
struct EffectInitializerRecord {
  EffectAssignment* assignment;
};

/// Bytes: constants 4 and 8 each, indexes 8, shaders 8, 36 in fx_5_0.
template <class Archive>
void describe(Archive& a, EffectInitializerRecord& r) {
  EffectAssignment& x = *r.assignment;
  switch (x.kind) {
    case EffectAssigned::constant: {
      auto count = static_cast<std::uint32_t>(x.constants.size());
      a.u32("count", count, kCount);
      return a.records("values", x.constants, count, 8);
    }
    case EffectAssigned::constant_index: a.string_at("array", x.variable); return a.u32("element", x.element);
    case EffectAssigned::variable_index: a.string_at("array", x.variable); return a.string_at("element", x.element_variable);
    case EffectAssigned::expression_index: a.string_at("array", x.variable); return describe_code(a, x.code);
    default: break;
  }
  x.shaders.resize(1);
  describe(a, x.shaders[0], x.kind == EffectAssigned::inline_shader5 ? EffectShaderForm::shader5 : EffectShaderForm::stream_output);
}

inline constexpr std::size_t kEffectAssignmentBytes = 16;
template <class Archive>
void describe(Archive& a, EffectAssignment& x) {
  a.enum32("state", x.state);
  a.u32("index", x.index);
  a.enum32("kind", x.kind);
  switch (x.kind) {
    case EffectAssigned::variable: return a.string_at("variable", x.variable);
    case EffectAssigned::expression: return describe_code(a, x.code);
    case EffectAssigned::constant:
    case EffectAssigned::constant_index:
    case EffectAssigned::variable_index:
    case EffectAssigned::expression_index:
    case EffectAssigned::inline_shader:
    case EffectAssigned::inline_shader5: break;
    default: return a.fail(ErrorCode::bad_value, "kind", "unknown kind of assignment");
  }
  EffectInitializerRecord record{&x};
  a.record_at("initializer", x.offset, record);
}

/// Bytes: 4, then 16 for each assignment.
template <class Archive>
void describe(Archive& a, EffectBlock& b) {
  auto count = static_cast<std::uint32_t>(b.assignments.size());
  a.u32("assignment_count", count, kCount);
  a.records("assignments", b.assignments, count, kEffectAssignmentBytes);
}

/// Bytes: 12; of an array of strings 8, then 4 for each.
inline constexpr std::size_t kEffectAnnotationBytes = 8;
template <class Archive>
void describe(Archive& a, EffectAnnotation& n, const EffectContext& context) {
  a.string_at("name", n.name);
  a.shared_at("type", n.type, *context.types, context);
  if (!a.ok()) return;
  if (context.object(n.type) != EffectObject::string) return describe_value(a, "value", n.value, n.type, context);
  a.records("strings", n.strings, context.elements(n.type), 4);
  check_elements(a, "strings", n.strings, context.elements(n.type));
}

/// u32 count of annotations, then these.
template <class Archive>
void describe_annotations(Archive& a, std::vector<EffectAnnotation>& annotations, const EffectContext& context) {
  auto count = static_cast<std::uint32_t>(annotations.size());
  a.u32("annotation_count", count, kCount);
  a.sequence("annotations", annotations, count, kEffectAnnotationBytes, context);
}

/// Bytes: 24, then annotations.
inline constexpr std::size_t kEffectVariableBytes = 24;
template <class Archive>
void describe(Archive& a, EffectVariable& v, const EffectContext& context) {
  a.string_at("name", v.name);
  a.shared_at("type", v.type, *context.types, context);
  a.string_at("semantic", v.semantic);
  a.u32("offset", v.offset);
  if (a.ok()) describe_value(a, "default_value", v.default_value, v.type, context);
  a.u32("flags", v.flags, kHex);
  if (!context.shared) describe_annotations(a, v.annotations, context);
}

/// Bytes: 20, then annotations, then the variables.
inline constexpr std::size_t kEffectBufferBytes = 20;
template <class Archive>
void describe(Archive& a, EffectBuffer& b, const EffectContext& context) {
  a.string_at("name", b.name);
  a.u32("size", b.size);
  a.u32("flags", b.flags, kEffectBufferFlags);
  auto count = static_cast<std::uint32_t>(b.variables.size());
  a.u32("variable_count", count, kCount);
  a.u32("bind_point", b.bind_point, kSigned);
  if (!context.shared) describe_annotations(a, b.annotations, context);
  a.sequence("variables", b.variables, count, kEffectVariableBytes, context);
}

/// Bytes: 16, then by the type, for each element: a block of states, a shader or a text; then annotations.
inline constexpr std::size_t kEffectObjectBytes = 16;
template <class Archive>
void describe(Archive& a, EffectObjectVariable& v, const EffectContext& context) {
  a.string_at("name", v.name);
  a.shared_at("type", v.type, *context.types, context);
  a.string_at("semantic", v.semantic);
  a.u32("bind_point", v.bind_point, kSigned);
  if (context.shared || !a.ok()) return;
  const EffectObject object = context.object(v.type);
  const std::size_t elements = context.elements(v.type);
  switch (initializer_of(object)) {
    case EffectInitializer::blocks:
      a.sequence("blocks", v.blocks, elements, 4);
      check_elements(a, "blocks", v.blocks, elements);
      break;
    case EffectInitializer::shaders:
      a.sequence("shaders", v.shaders, elements, 4, shader_form(object));
      check_elements(a, "shaders", v.shaders, elements);
      break;
    case EffectInitializer::strings:
      a.sequence("strings", v.strings, elements, 4);
      check_elements(a, "strings", v.strings, elements);
      break;
    case EffectInitializer::none: break;
  }
  describe_annotations(a, v.annotations, context);
}

/// Bytes: 16, then annotations. The instances are in the data, one for each element.
inline constexpr std::size_t kEffectInterfaceBytes = 16;
template <class Archive>
void describe(Archive& a, EffectInterfaceVariable& v, const EffectContext& context) {
  a.string_at("name", v.name);
  a.shared_at("type", v.type, *context.types, context);
  if (!a.ok()) return;
  std::size_t elements = v.instances.size();
  if constexpr (Archive::kReads) elements = a.peek32().value_or(0) != 0 ? context.elements(v.type) : 0;
  a.records_at("instances", v.instances, elements, kEffectInstanceBytes);
  if (!v.instances.empty()) check_elements(a, "instances", v.instances.items, context.elements(v.type));
  a.u32("flags", v.flags, kHex);
  describe_annotations(a, v.annotations, context);
}

/// Bytes: 8, then annotations, then 16 for each assignment.
inline constexpr std::size_t kEffectPassBytes = 12;
template <class Archive>
void describe(Archive& a, EffectPass& p, const EffectContext& context) {
  a.string_at("name", p.name);
  auto count = static_cast<std::uint32_t>(p.assignments.size());
  a.u32("assignment_count", count, kCount);
  describe_annotations(a, p.annotations, context);
  a.records("assignments", p.assignments, count, kEffectAssignmentBytes);
}

/// Bytes: 8, then annotations, then the passes.
inline constexpr std::size_t kEffectTechniqueBytes = 12;
template <class Archive>
void describe(Archive& a, EffectTechnique& t, const EffectContext& context) {
  a.string_at("name", t.name);
  auto count = static_cast<std::uint32_t>(t.passes.size());
  a.u32("pass_count", count, kCount);
  describe_annotations(a, t.annotations, context);
  a.sequence("passes", t.passes, count, kEffectPassBytes, context);
}

/// Bytes: 8, then annotations, then the techniques. fx_5_0.
inline constexpr std::size_t kEffectGroupBytes = 12;
template <class Archive>
void describe(Archive& a, EffectGroup& g, const EffectContext& context) {
  a.string_at("name", g.name);
  auto count = static_cast<std::uint32_t>(g.techniques.size());
  a.u32("technique_count", count, kCount);
  describe_annotations(a, g.annotations, context);
  a.sequence("techniques", g.techniques, count, kEffectTechniqueBytes, context);
}

/// Bytes: 76, 96 in fx_5_0; then the data; then buffers, objects, those of the pool, interfaces, and techniques or groups.
template <class Archive>
void describe(Archive& a, Effect& e) {
  EffectCounts& n = e.counts;
  const auto count = [&](const char* name, const auto& list) {
    auto size = static_cast<std::uint32_t>(list.size());
    a.u32(name, size, kCount);
    return size;
  };
  a.enum32("version", e.version);
  if (e.version != EffectVersion::fx_4_0 && e.version != EffectVersion::fx_4_1 && !e.is_5())
    return a.fail(ErrorCode::unsupported, "version", "unknown version of effects");
  const std::size_t buffers = count("buffer_count", e.buffers);
  a.u32("numeric_variable_count", n.numeric_variables, kExtent);
  const std::size_t objects = count("object_count", e.objects);
  const std::size_t shared_buffers = count("shared_buffer_count", e.shared_buffers);
  a.u32("shared_numeric_variable_count", n.shared_numeric_variables, kExtent);
  const std::size_t shared_objects = count("shared_object_count", e.shared_objects);
  std::size_t techniques = 0;
  if (e.is_5()) {
    a.u32("technique_count", n.techniques, kExtent);
  } else {
    techniques = count("technique_count", e.techniques);
  }
  a.u32("data_bytes", n.data_bytes, kExtent);
  a.u32("string_count", n.strings, kExtent);
  a.u32("shader_resource_count", n.shader_resources, kExtent);
  a.u32("depth_stencil_state_count", n.depth_stencil_states, kExtent);
  a.u32("blend_state_count", n.blend_states, kExtent);
  a.u32("rasterizer_state_count", n.rasterizer_states, kExtent);
  a.u32("sampler_state_count", n.sampler_states, kExtent);
  a.u32("render_target_view_count", n.render_target_views, kExtent);
  a.u32("depth_stencil_view_count", n.depth_stencil_views, kExtent);
  a.u32("shader_count", n.shaders, kExtent);
  a.u32("inline_shader_count", n.inline_shaders, kExtent);
  std::size_t groups = 0;
  std::size_t interfaces = 0;
  if (e.is_5()) {
    groups = count("group_count", e.groups);
    a.u32("unordered_access_view_count", n.unordered_access_views, kExtent);
    interfaces = count("interface_count", e.interfaces);
    a.u32("interface_element_count", n.interface_elements, kExtent);
    a.u32("class_instance_element_count", n.class_instance_elements, kExtent);
  }
  a.count_from(e.is_5() ? kEffect5HeaderBytes : kEffectHeaderBytes);
  if (kIsValueArchive<Archive> || n.data_bytes >= 4) a.u32("reserved", e.reserved, kHex);
  EffectContext context{e.version, &e.types};
  a.at(
      n.data_bytes,
      [&] {
        a.sequence("buffers", e.buffers, buffers, kEffectBufferBytes, context);
        a.sequence("objects", e.objects, objects, kEffectObjectBytes, context);
        context.shared = true;
        a.sequence("shared_buffers", e.shared_buffers, shared_buffers, kEffectBufferBytes, context);
        a.sequence("shared_objects", e.shared_objects, shared_objects, kEffectObjectBytes, context);
        context.shared = false;
        if (!e.is_5()) return a.sequence("techniques", e.techniques, techniques, kEffectTechniqueBytes, context);
        a.sequence("interfaces", e.interfaces, interfaces, kEffectInterfaceBytes, context);
        a.sequence("groups", e.groups, groups, kEffectGroupBytes, context);
      },
      "data_bytes");
}

/// Nothing is aligned.
inline constexpr LayoutPolicy kEffectPolicy{.fill = std::byte{0}, .shares_texts = true, .pads_end = false};

/// Gives everything the place that fxc would give it, and counts what the header counts.
void place_as_fxc(Effect& effect);

}  // namespace unshade::dxbc
