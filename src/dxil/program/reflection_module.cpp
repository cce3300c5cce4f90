#include <unshade/dxil/program/reflection_module.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text.hpp>
#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/module.hpp>

#include "dxil/program/nodes.hpp"

namespace unshade::dxil::program {

namespace {

/// Flags: as hexadecimal.
struct Flags {
  std::uint64_t bits = 0;
  bool operator==(const Flags&) const = default;
};

std::string text(std::string_view value) { return quoted(value); }
std::string text(bool value) { return value ? "true" : "false"; }
std::string text(const std::array<std::uint32_t, 3>& value) {
  return std::to_string(value[0]) + ' ' + std::to_string(value[1]) + ' ' + std::to_string(value[2]);
}
std::string text(Flags flags) {
  Text out;
  (out << "0x").hex(flags.bits);
  return out.str();
}
std::string text(const NodeName& name) { return quoted(name.name) + '[' + std::to_string(name.index) + ']'; }
template <class T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
std::string text(T value) {
  return std::to_string(value);
}
template <class T>
  requires std::is_enum_v<T>
std::string text(T value) {
  const std::string_view name = id(value);
  return name.empty() ? std::to_string(static_cast<std::uint32_t>(value)) : std::string(name);
}
template <class T>
std::string text(const std::optional<T>& value) {
  return value ? text(*value) : "none";
}

std::string indexed(std::string path, std::size_t index) {
  path += '[';
  path += std::to_string(index);
  return path += ']';
}

/// Paths are functions: they are made of what differs only.
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
  template <class At, class T>
  void same(const At& at, const char* field, const T& stated, const T& is) {
    if (!(stated == is)) add(at() + field, text(stated) + ", but " + text(is) + " in the program");
  }
  /// Empty names are those of a stripped module.
  template <class At>
  void same_name(const At& at, std::string_view stated, std::string_view is) {
    if (!stated.empty() && !is.empty()) same(at, "/name", stated, is);
  }
  template <class At>
  void count(const At& at, std::size_t stated, std::size_t is) {
    if (stated != is) add(at(), std::to_string(stated) + ", but " + std::to_string(is) + " in the program");
  }

  void entries() {
    count([] { return std::string("entry points"); }, reflection_.entries.size(), program_.entries.size());
    if (program_.kind != ShaderKind::library) {
      if (reflection_.entries.empty() || program_.entries.empty()) return;
      const auto at = [] { return std::string("entry"); };
      same_name(at, reflection_.entries[0].name, program_.entries[0].name);
      return entry(at, reflection_.entries[0], program_.entries[0]);
    }
    std::map<std::string_view, const EntryPoint*> by_name;
    for (const EntryPoint& one : reflection_.entries) by_name.emplace(one.name, &one);
    for (const EntryPoint& is : program_.entries) {
      const auto stated = by_name.find(is.name);
      if (stated == by_name.end())
        add("entry points", quoted(is.name) + " is missing");
      else
        entry([&] { return "entry " + quoted(is.name); }, *stated->second, is);
    }
  }

  template <class At>
  void entry(const At& at, const EntryPoint& stated, const EntryPoint& is) {
    elements([&] { return at() + "/inputs"; }, stated.inputs, is.inputs);
    elements([&] { return at() + "/outputs"; }, stated.outputs, is.outputs);
    elements([&] { return at() + "/patch_or_primitives"; }, stated.patch_or_primitives, is.patch_or_primitives);
    same(at, "/flags", Flags{stated.flags}, Flags{is.flags});
    const EntryProperties a = read_entry_properties(reflection_, stated);
    const EntryProperties b = read_entry_properties(program_, is);
    same(at, "/kind", a.kind, b.kind);
    same(at, "/thread_group", a.thread_group, b.thread_group);
    same(at, "/payload_bytes", a.payload_bytes, b.payload_bytes);
    same(at, "/attribute_bytes", a.attribute_bytes, b.attribute_bytes);
    const WaveSize x = a.wave_size.value_or(WaveSize{});
    const WaveSize y = b.wave_size.value_or(WaveSize{});
    same(at, "/wave_size", std::array{x.min, x.max, x.preferred}, std::array{y.min, y.max, y.preferred});
    const auto both = [](const auto& one, const auto& other) { return one.has_value() && other.has_value(); };
    if (both(a.geometry, b.geometry)) {
      same(at, "/input_primitive", a.geometry->input_primitive, b.geometry->input_primitive);
      same(at, "/output_topology", a.geometry->output_topology, b.geometry->output_topology);
      same(at, "/max_vertex_count", a.geometry->max_vertex_count, b.geometry->max_vertex_count);
      same(at, "/instance_count", a.geometry->instance_count, b.geometry->instance_count);
      same(at, "/active_streams", Flags{a.geometry->active_streams}, Flags{b.geometry->active_streams});
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
    const auto stated_node = read_node_properties(reflection_, stated);
    const auto node_is = read_node_properties(program_, is);
    if (both(stated_node, node_is)) node([&] { return at() + "/node"; }, *stated_node, *node_is);
  }

  template <class At>
  void node(const At& at, const NodeProperties& stated, const NodeProperties& is) {
    same(at, "/launch", stated.launch, is.launch);
    same(at, "/is_program_entry", stated.is_program_entry, is.is_program_entry);
    same(at, "/id", stated.id, is.id);
    same(at, "/local_root_arguments_index", stated.local_root_arguments_index, is.local_root_arguments_index);
    same(at, "/shares_input_of", stated.shares_input_of, is.shares_input_of);
    same(at, "/dispatch_grid", stated.dispatch_grid, is.dispatch_grid);
    same(at, "/max_dispatch_grid", stated.max_dispatch_grid, is.max_dispatch_grid);
    same(at, "/max_recursion_depth", stated.max_recursion_depth, is.max_recursion_depth);
    node_ios([&] { return at() + "/inputs"; }, stated.inputs, is.inputs);
    node_ios([&] { return at() + "/outputs"; }, stated.outputs, is.outputs);
  }

  template <class At>
  void node_ios(const At& list, const std::vector<NodeIoProperties>& stated, const std::vector<NodeIoProperties>& is) {
    count(list, stated.size(), is.size());
    for (std::size_t i = 0; i < std::min(stated.size(), is.size()); ++i) {
      const NodeIoProperties& a = stated[i];
      const NodeIoProperties& b = is[i];
      const auto at = [&] { return indexed(list(), i); };
      same(at, "/flags", Flags{a.flags}, Flags{b.flags});
      same(at, "/record_bytes", a.record_bytes, b.record_bytes);
      same(at, "/record_alignment", a.record_alignment, b.record_alignment);
      const auto grid = [](const NodeIoProperties& io) {
        return io.grid ? std::optional(std::array{io.grid->offset, io.grid->component_type, io.grid->components}) : std::nullopt;
      };
      same(at, "/grid", grid(a), grid(b));
      same(at, "/max_records", a.max_records, b.max_records);
      same(at, "/shares_records_with", a.shares_records_with, b.shares_records_with);
      same(at, "/array_size", a.array_size, b.array_size);
      same(at, "/sparse", a.sparse, b.sparse);
      same(at, "/id", a.id, b.id);
    }
  }

  template <class At>
  void elements(const At& list, const std::vector<MetadataElement>& stated, const std::vector<MetadataElement>& is) {
    count(list, stated.size(), is.size());
    for (std::size_t i = 0; i < std::min(stated.size(), is.size()); ++i) {
      const MetadataElement& a = stated[i];
      const MetadataElement& b = is[i];
      const auto at = [&] { return indexed(list(), i); };
      same(at, "/name", a.name, b.name);
      same(at, "/semantic", a.semantic, b.semantic);
      if (a.semantic_indexes != b.semantic_indexes) add(at() + "/semantic_indexes", "differ from those of the program");
      same(at, "/component_type", a.component_type, b.component_type);
      same(at, "/interpolation", a.interpolation, b.interpolation);
      same(at, "/rows", a.rows, b.rows);
      same(at, "/columns", unsigned{a.columns}, unsigned{b.columns});
      same(at, "/start_row", a.start_row, b.start_row);
      same(at, "/start_column", int{a.start_column}, int{b.start_column});
      same(at, "/stream", a.stream, b.stream);
    }
  }

  void resources(const char* list, const std::vector<ProgramResource>& stated, const std::vector<ProgramResource>& is) {
    count([&] { return std::string(list); }, stated.size(), is.size());
    std::map<std::uint32_t, const ProgramResource*> by_id;
    for (const ProgramResource& resource : stated) by_id.emplace(resource.id, &resource);
    for (const ProgramResource& b : is) {
      const auto at = [&] { return indexed(list, b.id); };
      const auto found = by_id.find(b.id);
      if (found == by_id.end()) {
        add(at(), "is missing");
        continue;
      }
      const ProgramResource& a = *found->second;
      same_name(at, a.name, b.name);
      same(at, "/space", a.space, b.space);
      same(at, "/lower_bound", a.lower_bound, b.lower_bound);
      same(at, "/count", a.count, b.count);
      same(at, "/kind", a.kind, b.kind);
      same(at, "/component_type", a.component_type, b.component_type);
      if (a.components != 0 && b.components != 0) same(at, "/components", a.components, b.components);
      same(at, "/sample_count", a.sample_count, b.sample_count);
      same(at, "/stride", a.stride, b.stride);
      same(at, "/size", a.size, b.size);
      same(at, "/sampler_kind", a.sampler_kind, b.sampler_kind);
      same(at, "/feedback_kind", a.feedback_kind, b.feedback_kind);
      same(at, "/globally_coherent", a.globally_coherent, b.globally_coherent);
      same(at, "/reorder_coherent", a.reorder_coherent, b.reorder_coherent);
      same(at, "/has_counter", a.has_counter, b.has_counter);
      same(at, "/raster_ordered", a.raster_ordered, b.raster_ordered);
      same(at, "/atomic_64", a.atomic_64, b.atomic_64);
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
      const auto at = [&] { return "struct " + quoted(name); };
      count(at, a.fields.size(), b.fields.size());
      for (std::size_t i = 0; i < std::min(a.fields.size(), b.fields.size()); ++i) {
        const auto member = [&] { return indexed(at(), i); };
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
