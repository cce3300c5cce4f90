#include "dxil/program/reflection_module.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <type_traits>
#include <utility>

#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/module.hpp>

#include "core/spelling.hpp"

namespace unshade::dxil::program {

namespace {

std::string text(std::string_view value) { return quoted(value); }
std::string text(const std::array<std::uint32_t, 3>& value) {
  return std::to_string(value[0]) + ' ' + std::to_string(value[1]) + ' ' + std::to_string(value[2]);
}
template <class T>
  requires std::is_arithmetic_v<T>
std::string text(T value) {
  return std::to_string(value);
}
template <class T>
  requires std::is_enum_v<T>
std::string text(T value) {
  const std::string_view name = id(value);
  return name.empty() ? std::to_string(static_cast<std::uint32_t>(value)) : std::string(name);
}

class Comparison {
 public:
  Comparison(const ProgramMetadata& reflection, const ProgramMetadata& program, std::size_t most)
      : reflection_(reflection), program_(program), most_(most) {}

  std::vector<ReflectionFault> run() {
    entries();
    resources("srv", reflection_.shader_resources, program_.shader_resources);
    resources("uav", reflection_.unordered_access, program_.unordered_access);
    resources("cbuffer", reflection_.constant_buffers, program_.constant_buffers);
    resources("sampler", reflection_.samplers, program_.samplers);
    structures();
    return std::move(faults_);
  }

 private:
  void add(std::string path, std::string message) {
    if (faults_.size() < most_) faults_.push_back({std::move(path), std::move(message)});
  }
  template <class T>
  void same(const std::string& at, const char* field, const T& stated, const T& is) {
    if (!(stated == is)) add(at + field, text(stated) + ", but " + text(is) + " in the program");
  }
  /// Empty names are those of a stripped module.
  void same_name(const std::string& at, std::string_view stated, std::string_view is) {
    if (!stated.empty() && !is.empty()) same(at, "/name", stated, is);
  }
  void count(const std::string& path, std::size_t stated, std::size_t is) {
    if (stated != is) add(path, std::to_string(stated) + ", but " + std::to_string(is) + " in the program");
  }

  void entries() {
    count("entry points", reflection_.entries.size(), program_.entries.size());
    if (program_.kind != ShaderKind::library) {
      if (reflection_.entries.empty() || program_.entries.empty()) return;
      same_name("entry", reflection_.entries[0].name, program_.entries[0].name);
      return entry("entry", reflection_.entries[0], program_.entries[0]);
    }
    std::map<std::string_view, const EntryPoint*> by_name;
    for (const EntryPoint& one : reflection_.entries) by_name.emplace(one.name, &one);
    for (const EntryPoint& is : program_.entries) {
      const auto stated = by_name.find(is.name);
      if (stated == by_name.end())
        add("entry points", quoted(is.name) + " is missing");
      else
        entry("entry " + quoted(is.name), *stated->second, is);
    }
  }

  void entry(const std::string& at, const EntryPoint& stated, const EntryPoint& is) {
    elements(at + "/inputs", stated.inputs, is.inputs);
    elements(at + "/outputs", stated.outputs, is.outputs);
    elements(at + "/patch_or_primitives", stated.patch_or_primitives, is.patch_or_primitives);
    const EntryProperties a = read_entry_properties(reflection_, stated);
    const EntryProperties b = read_entry_properties(program_, is);
    same(at, "/kind", a.kind, b.kind);
    const auto both = [](const auto& x, const auto& y) { return x.has_value() && y.has_value(); };
    if (both(a.thread_group, b.thread_group)) same(at, "/thread_group", *a.thread_group, *b.thread_group);
    if (both(a.payload_bytes, b.payload_bytes)) same(at, "/payload_bytes", *a.payload_bytes, *b.payload_bytes);
    if (both(a.attribute_bytes, b.attribute_bytes)) same(at, "/attribute_bytes", *a.attribute_bytes, *b.attribute_bytes);
    const WaveSize x = a.wave_size.value_or(WaveSize{});
    const WaveSize y = b.wave_size.value_or(WaveSize{});
    same(at, "/wave_size", std::array{x.min, x.max, x.preferred}, std::array{y.min, y.max, y.preferred});
    if (both(a.geometry, b.geometry)) {
      same(at, "/input_primitive", a.geometry->input_primitive, b.geometry->input_primitive);
      same(at, "/output_topology", a.geometry->output_topology, b.geometry->output_topology);
      same(at, "/max_vertex_count", a.geometry->max_vertex_count, b.geometry->max_vertex_count);
      same(at, "/instance_count", a.geometry->instance_count, b.geometry->instance_count);
    }
    if (both(a.domain, b.domain)) {
      same(at, "/tessellator_domain", a.domain->domain, b.domain->domain);
      same(at, "/input_control_points", a.domain->input_control_points, b.domain->input_control_points);
    }
    if (both(a.hull, b.hull)) {
      same(at, "/input_control_points", a.hull->input_control_points, b.hull->input_control_points);
      same(at, "/output_control_points", a.hull->output_control_points, b.hull->output_control_points);
      same(at, "/tessellator_domain", a.hull->domain, b.hull->domain);
      same(at, "/tessellator_partitioning", a.hull->partitioning, b.hull->partitioning);
      same(at, "/tessellator_output", a.hull->output, b.hull->output);
      same(at, "/max_tess_factor", a.hull->max_tess_factor, b.hull->max_tess_factor);
    }
    if (both(a.mesh, b.mesh)) {
      same(at, "/max_vertices", a.mesh->max_vertices, b.mesh->max_vertices);
      same(at, "/max_primitives", a.mesh->max_primitives, b.mesh->max_primitives);
      same(at, "/topology", a.mesh->topology, b.mesh->topology);
    }
  }

  void elements(const std::string& list, const std::vector<MetadataElement>& stated, const std::vector<MetadataElement>& is) {
    count(list, stated.size(), is.size());
    for (std::size_t i = 0; i < std::min(stated.size(), is.size()); ++i) {
      const MetadataElement& a = stated[i];
      const MetadataElement& b = is[i];
      const std::string at = list + '[' + std::to_string(i) + ']';
      same(at, "/name", a.name, b.name);
      same(at, "/semantic", a.semantic, b.semantic);
      if (a.semantic_indexes != b.semantic_indexes) add(at + "/semantic_indexes", "differ from those of the program");
      same(at, "/component_type", a.component_type, b.component_type);
      same(at, "/interpolation", a.interpolation, b.interpolation);
      same(at, "/rows", a.rows, b.rows);
      same(at, "/columns", unsigned{a.columns}, unsigned{b.columns});
      same(at, "/start_row", a.start_row, b.start_row);
      same(at, "/start_column", int{a.start_column}, int{b.start_column});
      same(at, "/stream", a.stream, b.stream);
    }
  }

  void resources(const std::string& list, const std::vector<ProgramResource>& stated, const std::vector<ProgramResource>& is) {
    count(list, stated.size(), is.size());
    std::map<std::uint32_t, const ProgramResource*> by_id;
    for (const ProgramResource& resource : stated) by_id.emplace(resource.id, &resource);
    for (const ProgramResource& b : is) {
      const std::string at = list + '[' + std::to_string(b.id) + ']';
      const auto found = by_id.find(b.id);
      if (found == by_id.end()) {
        add(at, "is missing");
        continue;
      }
      const ProgramResource& a = *found->second;
      same_name(at, a.name, b.name);
      same(at, "/space", a.space, b.space);
      same(at, "/lower_bound", a.lower_bound, b.lower_bound);
      same(at, "/count", a.count, b.count);
      same(at, "/kind", a.kind, b.kind);
      same(at, "/component_type", a.component_type, b.component_type);
      same(at, "/sample_count", a.sample_count, b.sample_count);
      same(at, "/stride", a.stride, b.stride);
      same(at, "/size", a.size, b.size);
      same(at, "/sampler_kind", a.sampler_kind, b.sampler_kind);
    }
  }

  void structures() {
    std::map<std::string_view, const StructAnnotation*> by_name;
    for (const StructAnnotation& annotation : reflection_.structs) by_name.emplace(name_of(reflection_, annotation), &annotation);
    for (const StructAnnotation& b : program_.structs) {
      const std::string_view name = name_of(program_, b);
      const auto found = by_name.find(name);
      if (name.empty() || found == by_name.end()) continue;
      const StructAnnotation& a = *found->second;
      const std::string at = "struct " + quoted(name);
      count(at, a.fields.size(), b.fields.size());
      for (std::size_t i = 0; i < std::min(a.fields.size(), b.fields.size()); ++i) {
        const std::string member = at + '[' + std::to_string(i) + ']';
        same_name(member, a.fields[i].name, b.fields[i].name);
        same(member, "/constant_buffer_offset", a.fields[i].constant_buffer_offset, b.fields[i].constant_buffer_offset);
        same(member, "/component_type", a.fields[i].component_type, b.fields[i].component_type);
      }
    }
  }
  static std::string_view name_of(const ProgramMetadata& metadata, const StructAnnotation& annotation) {
    const Module& m = *metadata.module;
    return annotation.type < m.types.size() ? m.text(m.types[annotation.type].name) : std::string_view();
  }

  const ProgramMetadata& reflection_;
  const ProgramMetadata& program_;
  std::size_t most_;
  std::vector<ReflectionFault> faults_;
};

}  // namespace

std::vector<ReflectionFault> reflection_faults(const ProgramMetadata& reflection, const ProgramMetadata& program, std::size_t most) {
  return Comparison(reflection, program, most).run();
}

}  // namespace unshade::dxil::program
