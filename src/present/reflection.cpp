#include <unshade/present/reflection.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/lanes.hpp>

namespace unshade::present {

namespace {

using namespace shader;

/// A name, or the number that has none.
template <class E>
void write_named(std::string_view key, E value, Json& json) {
  json.key(key);
  const std::string_view name = id(value);
  name.empty() ? json.number(static_cast<std::uint32_t>(value)) : json.string(name);
}

/// null if there is none.
void write_index(std::string_view key, std::uint32_t value, std::uint32_t none, Json& json) {
  json.key(key);
  value == none ? json.null() : json.number(value);
}

/// The names of the set bits; a bit without a name as its number.
void write_bits(std::string_view key, std::uint64_t value, const NameTable& names, Json& json) {
  json.key(key);
  json.begin_array();
  for (const NamedValue& named : names.values) {
    if ((value & named.value) == 0) continue;
    json.string(named.id);
    value &= ~std::uint64_t{named.value};
  }
  for (unsigned bit = 0; bit < 64; ++bit)
    if ((value >> bit & 1) != 0) json.number(std::uint64_t{1} << bit);
  json.end_array();
}

void write_mask(std::string_view key, unsigned mask, Json& json) { json.member(key, WriteMask(mask).text()); }

void write_numbers(std::string_view key, const std::vector<std::uint32_t>& numbers, Json& json) {
  json.array(key, numbers, [&](const std::uint32_t number) { json.number(number); });
}

void write_elements(std::string_view key, const std::vector<SignatureElement>& elements, bool vulkan, Json& json) {
  json.objects(key, elements, [&](const SignatureElement& element) {
    json.member("semantic", element.semantic);
    json.member("semantic_index", element.semantic_index);
    write_index("register", element.register_index, kNoRegister, json);
    write_mask("mask", element.mask, json);
    write_mask("used_mask", element.used_mask, json);
    write_named("component_type", element.component_type, json);
    write_named("system_value", element.system_value, json);
    write_named("min_precision", element.min_precision, json);
    write_named("interpolation", element.interpolation, json);
    json.member("stream", element.stream);
    if (vulkan) {
      json.text_or_null("built_in", element.built_in);
      write_index("type", element.type, kNone, json);
      json.member("index", element.index);
      if (element.per_primitive) json.member("per_primitive", true);
      if (element.per_vertex) json.member("per_vertex", true);
    }
  });
}

void write_triple(std::string_view key, const std::optional<std::array<std::uint32_t, 3>>& sizes, Json& json) {
  json.key(key);
  if (!sizes) return json.null();
  json.begin_array();
  for (const std::uint32_t size : *sizes) json.number(size);
  json.end_array();
}

void write_stage(const EntryPoint& entry, Json& json) {
  write_triple("thread_group", entry.thread_group, json);
  json.key("thread_group_constants");
  json.begin_array();
  if (entry.thread_group_constants != EntryPoint{}.thread_group_constants)
    for (const std::uint32_t constant : entry.thread_group_constants) constant == kNone ? json.null() : json.number(constant);
  json.end_array();
  json.object_or_null("geometry", entry.geometry, [&](const Geometry& geometry) {
    write_named("input_primitive", geometry.input_primitive, json);
    write_named("output_topology", geometry.output_topology, json);
    json.member("max_vertex_count", geometry.max_vertex_count);
    json.member("instance_count", geometry.instance_count);
    json.key("streams");
    json.begin_array();
    for (unsigned i = 0; i < 32; ++i)
      if ((geometry.streams >> i & 1) != 0) json.number(i);
    json.end_array();
    if (!geometry.mode.empty()) {
      json.member("mode", geometry.mode);
      json.member("vertices", geometry.vertices);
      json.member("first_constant", geometry.first_constant);
    }
  });
  json.object_or_null("tessellation", entry.tessellation, [&](const Tessellation& tessellation) {
    write_named("domain", tessellation.domain, json);
    write_named("partitioning", tessellation.partitioning, json);
    write_named("output_primitive", tessellation.output, json);
    json.member("input_control_points", tessellation.input_control_points);
    json.member("output_control_points", tessellation.output_control_points);
    json.key("max_tess_factor");
    tessellation.max_tess_factor ? json.real(*tessellation.max_tess_factor) : json.null();
  });
  json.object_or_null("pixel", entry.pixel, [&](const Pixel& pixel) {
    json.member("early_depth_stencil", pixel.early_depth_stencil);
    json.member("sample_frequency", pixel.sample_frequency);
    json.member("writes_depth", pixel.writes_depth);
    json.member("writes_coverage", pixel.writes_coverage);
    json.member("writes_stencil_ref", pixel.writes_stencil_ref);
  });
}

void write_texts(std::string_view key, const std::vector<std::string>& texts, Json& json) {
  json.array(key, texts, [&](const std::string& text) { json.string(text); });
}

void write_node_id(std::string_view key, const NodeId* id, Json& json) {
  json.key(key);
  if (id == nullptr) return json.null();
  json.begin_object();
  json.member("name", id->name);
  json.member("index", id->index);
  json.end_object();
}

void write_node_ios(std::string_view key, const std::vector<NodeIo>& ios, Json& json) {
  json.objects(key, ios, [&](const NodeIo& io) {
    write_bits("flags", io.flags, node_flag_names(), json);
    write_named("records", io.records, json);
    write_node_id("id", io.id ? &*io.id : nullptr, json);
    json.member("record_bytes", io.record_bytes);
    json.member("record_alignment", io.record_alignment);
    json.member("max_records", io.max_records);
    write_index("shares_with", io.shares_with, kNone, json);
    json.member("array_size", io.array_size);
    json.member("sparse", io.sparse);
    json.object_or_null("dispatch_grid", io.grid_components != 0, [&] {
      json.member("offset", io.grid_offset);
      json.member("components", io.grid_components);
      write_named("type", io.grid_type, json);
    });
  });
}

void write_node(const Node& node, Json& json) {
  json.begin_object();
  write_named("launch", node.launch, json);
  write_node_id("id", &node.id, json);
  write_node_id("shares_input_of", node.shares_input_of ? &*node.shares_input_of : nullptr, json);
  json.member("program_entry", node.is_program_entry);
  write_index("local_root_arguments_index", node.local_root_arguments_index, kNone, json);
  json.member("max_recursion_depth", node.max_recursion_depth);
  write_triple("dispatch_grid", node.dispatch_grid, json);
  write_triple("max_dispatch_grid", node.max_dispatch_grid, json);
  write_node_ios("inputs", node.inputs, json);
  write_node_ios("outputs", node.outputs, json);
  json.end_object();
}

void write_number_or_null(std::string_view key, const std::optional<std::uint32_t>& value, Json& json) {
  json.key(key);
  value ? json.number(*value) : json.null();
}

void write_mesh(const EntryPoint& entry, Json& json) {
  json.object_or_null("mesh", entry.mesh, [&](const auto& mesh) {
    write_named("topology", mesh.topology, json);
    json.member("max_vertices", mesh.max_vertices);
    json.member("max_primitives", mesh.max_primitives);
  });
}

/// What DXIL alone tells.
void write_dxil_facts(const EntryPoint& entry, Json& json) {
  json.text_or_null("unmangled_name", entry.unmangled_name);
  write_mesh(entry, json);
  json.object_or_null("wave_size", entry.wave_size, [&](const auto& wave_size) {
    json.member("min", wave_size.min);
    json.member("max", wave_size.max);
    json.member("preferred", wave_size.preferred);
  });
  write_number_or_null("payload_bytes", entry.payload_bytes, json);
  write_number_or_null("attribute_bytes", entry.attribute_bytes, json);
  write_number_or_null("group_shared_bytes", entry.group_shared_bytes, json);
  json.member("uses_view_id", entry.uses_view_id);
  write_texts("dependencies", entry.dependencies, json);
  json.key("node");
  if (entry.node) {
    write_node(*entry.node, json);
  } else {
    json.null();
  }
}

void write_entry_point(const EntryPoint& entry, bool vulkan, bool dxil, Json& json) {
  json.begin_object();
  json.text_or_null("name", entry.name);
  write_named("stage", entry.stage, json);
  write_bits("requires", entry.required_features, required_feature_names(), json);
  write_elements("inputs", entry.inputs, vulkan, json);
  write_elements("outputs", entry.outputs, vulkan, json);
  write_elements("patch_constants", entry.patch_constants, vulkan, json);
  write_stage(entry, json);
  if (vulkan) {
    write_texts("execution_modes", entry.execution_modes, json);
    write_mesh(entry, json);
  }
  if (dxil) write_dxil_facts(entry, json);
  if (!entry.resources.empty()) write_numbers("resources", entry.resources, json);
  json.object_or_null("statistics", entry.statistics, [&](const auto& statistics) {
    for (const StatisticField& field : statistic_fields()) json.member(field.id, statistics.*field.count);
  });
  json.end_object();
}

void write_resource(const Resource& resource, bool vulkan, Json& json) {
  json.begin_object();
  json.member("name", resource.name);
  write_named("kind", resource.kind, json);
  write_named("dimension", resource.dimension, json);
  write_named("return_type", resource.return_type, json);
  json.member("components", resource.components);
  json.member("sample_count", resource.sample_count);
  json.member("stride", resource.stride);
  if (!vulkan) json.member("register", std::string(register_letters(resource.kind)) + std::to_string(resource.bind_point));
  json.member("bind_point", resource.bind_point);
  write_index("bind_count", resource.bind_count, 0, json);
  json.member("space", resource.space);
  json.member("id", resource.id);
  write_bits("flags", resource.flags, resource_flag_names(), json);
  json.member("comparison", resource.comparison);
  json.member("globally_coherent", resource.globally_coherent);
  json.member("rasterizer_ordered", resource.rasterizer_ordered);
  write_index("buffer", resource.buffer, kNone, json);
  if (vulkan) {
    json.member("read_only", resource.read_only);
    json.member("write_only", resource.write_only);
    write_index("attachment", resource.attachment, kNone, json);
    json.text_or_null("format", resource.format);
    if (!resource.dimensions.empty()) write_numbers("dimensions", resource.dimensions, json);
  }
  json.end_object();
}

void write_default(const std::vector<std::byte>& bytes, Json& json) {
  json.key("default_value");
  if (bytes.empty()) return json.null();
  json.begin_array();
  const View view({bytes.data(), bytes.size()});
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    // A last dword that is cut off is filled up with zeros.
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4 && at + i < bytes.size(); ++i) value |= std::to_integer<std::uint32_t>(bytes[at + i]) << (8 * i);
    json.number(value);
  }
  json.end_array();
}

void write_buffer(const Reflection& reflection, const Buffer& buffer, Json& json) {
  json.begin_object();
  json.text_or_null("name", buffer.name);
  write_named("kind", buffer.kind, json);
  json.member("size", buffer.size);
  json.member("flags", buffer.flags);
  json.key("variables");
  json.begin_array();
  Text type_name;
  for (const Variable& variable : buffer.variables) {
    json.begin_object();
    json.member("name", variable.name);
    write_index("offset", variable.offset, kNone, json);
    json.member("size", variable.size);
    json.member("used", variable.used);
    write_bits("flags", variable.flags, variable_flag_names(), json);
    write_index("type", variable.type, kNone, json);
    type_name.clear();
    if (variable.type < reflection.types.size()) print_type_name(reflection.types[variable.type], type_name);
    json.text_or_null("type_name", type_name.view());
    write_default(variable.default_value, json);
    write_index("start_texture", variable.start_texture, kNone, json);
    json.member("texture_count", variable.texture_count);
    write_index("start_sampler", variable.start_sampler, kNone, json);
    json.member("sampler_count", variable.sampler_count);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_type(const Type& type, bool vulkan, Json& json) {
  json.begin_object();
  json.text_or_null("name", type.name);
  write_named("class", type.type_class, json);
  write_named("base", type.base, json);
  json.member("rows", type.rows);
  json.member("columns", type.columns);
  json.member("elements", type.elements);
  json.objects("members", type.members, [&](const Member& member) {
    json.member("name", member.name);
    write_index("offset", member.offset, kNone, json);
    write_index("type", member.type, kNone, json);
  });
  write_index("subtype", type.subtype, kNone, json);
  write_index("base_class", type.base_class, kNone, json);
  write_numbers("interfaces", type.interfaces, json);
  if (vulkan) {
    write_numbers("dimensions", type.dimensions, json);
    json.member("array_stride", type.array_stride);
    write_numbers("outer_strides", type.outer_strides, json);
    json.member("matrix_stride", type.matrix_stride);
  }
  json.end_object();
}

void write_linkage(const ClassLinkage& linkage, Json& json) {
  json.begin_object();
  json.objects("types", linkage.types, [&](const ClassType& type) {
    json.member("name", type.name);
    json.member("constant_buffer_stride", type.constant_buffer_stride);
    json.member("texture_count", type.texture_count);
    json.member("sampler_count", type.sampler_count);
  });
  json.objects("instances", linkage.instances, [&](const ClassInstance& instance) {
    json.member("name", instance.name);
    json.member("type", instance.type);
    json.member("elements", instance.elements);
    write_index("constant_buffer", instance.constant_buffer, kNoSlot, json);
    write_index("constant_buffer_offset", instance.constant_buffer_offset, kNoSlot, json);
    write_index("texture", instance.texture, kNoSlot, json);
    write_index("sampler", instance.sampler, kNoSlot, json);
  });
  json.objects("slots", linkage.slots, [&](const InterfaceSlot& slot) {
    json.member("first", slot.first);
    json.member("count", slot.count);
    write_numbers("types", slot.types, json);
    write_numbers("tables", slot.tables, json);
  });
  json.end_object();
}

void write_subobject(const Subobject& subobject, Json& json) {
  json.begin_object();
  json.member("name", subobject.name);
  write_named("kind", subobject.kind, json);
  switch (subobject.kind) {
    case dxil::SubobjectKind::state_object_config: write_bits("flags", subobject.flags, subobject_flag_names(subobject.kind), json); break;
    case dxil::SubobjectKind::global_root_signature:
    case dxil::SubobjectKind::local_root_signature:
      json.text_or_null("root_signature", subobject.root_signature_text);
      json.bytes("bytes", subobject.root_signature);
      break;
    case dxil::SubobjectKind::subobject_to_exports_association:
      json.member("subobject", subobject.subobject);
      write_texts("exports", subobject.exports, json);
      break;
    case dxil::SubobjectKind::raytracing_shader_config:
      json.member("max_payload_bytes", subobject.max_payload_bytes);
      json.member("max_attribute_bytes", subobject.max_attribute_bytes);
      break;
    case dxil::SubobjectKind::raytracing_pipeline_config: json.member("max_recursion_depth", subobject.max_recursion_depth); break;
    case dxil::SubobjectKind::raytracing_pipeline_config1:
      json.member("max_recursion_depth", subobject.max_recursion_depth);
      write_bits("flags", subobject.flags, subobject_flag_names(subobject.kind), json);
      break;
    case dxil::SubobjectKind::hit_group:
      write_named("type", subobject.hit_group, json);
      json.text_or_null("any_hit", subobject.any_hit);
      json.text_or_null("closest_hit", subobject.closest_hit);
      json.text_or_null("intersection", subobject.intersection);
      break;
  }
  json.end_object();
}

void write_effect(const EffectContents& effect, Json& json) {
  json.begin_object();
  json.objects("objects", effect.objects, [&](const EffectObject& object) {
    json.member("name", object.name);
    json.text_or_null("type", object.type);
    json.text_or_null("semantic", object.semantic);
    json.member("elements", object.elements);
    write_index("bind_point", object.bind_point, kNone, json);
  });
  json.objects("techniques", effect.techniques, [&](const EffectTechnique& technique) {
    json.text_or_null("group", technique.group);
    json.member("name", technique.name);
    json.objects("passes", technique.passes, [&](const EffectPass& pass) {
      json.member("name", pass.name);
      json.objects("shaders", pass.shaders, [&](const EffectPassShader& shader) {
        json.member("state", shader.state);
        json.text_or_null("shader", shader.shader);
        json.member("null", shader.is_null);
      });
    });
  });
  json.end_object();
}

void write_members(const Reflection& reflection, Json& json) {
  const bool vulkan = reflection.has_descriptor_sets();
  json.member("family", id(reflection.family));
  json.text_or_null("profile", reflection.profile);
  json.object("shader_model", [&] {
    json.member("major", std::uint32_t{reflection.major_version});
    json.member("minor", std::uint32_t{reflection.minor_version});
  });
  json.text_or_null("creator", reflection.creator);
  write_bits("compile_flags", reflection.compile_flags, compile_flag_names(), json);
  write_named("min_feature_level", reflection.min_feature_level, json);
  json.member("rebuilt", reflection.rebuilt);
  json.member("root_signature", reflection.has_root_signature);
  json.member("compute_on_4x", reflection.compute_on_4x);
  json.member("interface_slots", reflection.interface_slots);
  const bool has_functions = traits_of(reflection.family).reflects_functions;
  json.array("entry_points", reflection.entry_points,
             [&](const EntryPoint& entry) { write_entry_point(entry, vulkan, has_functions, json); });
  json.array("resources", reflection.resources, [&](const Resource& resource) { write_resource(resource, vulkan, json); });
  json.array("buffers", reflection.buffers, [&](const Buffer& buffer) { write_buffer(reflection, buffer, json); });
  json.array("types", reflection.types, [&](const Type& type) { write_type(type, vulkan, json); });
  if (reflection.effect) {
    json.key("effect");
    write_effect(*reflection.effect, json);
  }
  json.key("class_linkage");
  if (reflection.class_linkage) {
    write_linkage(*reflection.class_linkage, json);
  } else {
    json.null();
  }
  if (has_functions) {
    json.array("subobjects", reflection.subobjects, [&](const Subobject& subobject) { write_subobject(subobject, json); });
  }
  if (!vulkan) return;
  json.objects("specialization_constants", reflection.specialization_constants, [&](const SpecializationConstant& constant) {
    json.member("name", constant.name);
    json.member("id", constant.id);
    write_named("type", constant.type, json);
    json.key("default_value");
    json.number(constant.default_value);
  });
  write_texts("capabilities", reflection.capabilities, json);
}

}  // namespace

void write_reflection(std::string_view file, const Reflection& reflection, std::optional<std::string_view> hlsl, Json& json) {
  json.object([&] {
    json.member("file", file);
    write_members(reflection, json);
    if (hlsl) json.member("hlsl", *hlsl);
  });
}

}  // namespace unshade::present
