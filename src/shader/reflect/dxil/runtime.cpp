// What a runtime knows: functions of a library from RDAT, and resources from RDAT or PSV0 if no module is left.
#include <algorithm>
#include <map>
#include <utility>

#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>
#include <unshade/dxil/entry_properties.hpp>

#include "shader/reflect/dxil/definitions.hpp"
#include "shader/reflect/made_up_name.hpp"

namespace unshade::shader::reflection {

using dxcontainer::kUnbounded;

namespace {

using dxil::kNullReference;
using dxil::NodeFunctionAttribute;
using dxil::NodeIoAttribute;

/// Bits of RdatFunction::features and ::shader_flags. src: DXC DxilConstants.h, OptFeatureInfo_UsesDerivatives; RDAT_LibraryTypes.inl
constexpr std::uint64_t kUsesDerivatives = std::uint64_t{1} << 40;
constexpr std::uint32_t kNodeProgramEntry = 1;
/// Two bits of NodeIo::flags.
constexpr Bits kRecordGranularity{"records", 5, 2};

std::uint32_t count_of(std::uint32_t lower, std::uint32_t upper) { return upper == kUnbounded || upper < lower ? 0 : upper - lower + 1; }

/// A generated buffer of unknown size for each constant buffer, so that resources and buffers agree.
void add_unknown_buffer(Reflection& reflection, Resource& resource) {
  if (resource.kind != ResourceKind::cbuffer && resource.kind != ResourceKind::tbuffer) return;
  resource.buffer = static_cast<std::uint32_t>(reflection.buffers.size());
  Buffer& buffer = reflection.buffers.emplace_back();
  buffer.name = resource.name;
  buffer.kind = resource.kind == ResourceKind::cbuffer ? BufferKind::cbuffer : BufferKind::tbuffer;
}

// --- functions ---------------------------------------------------------------------------------------------------------------------------

class Functions {
 public:
  Functions(Reflection& reflection, const dxil::ProgramMetadata* metadata, const dxil::Rdat& rdat, ReflectionBudget& budget)
      : reflection_(reflection), metadata_(metadata), rdat_(rdat), budget_(budget) {
    for (std::uint32_t i = 0; i < reflection.resources.size(); ++i) {
      const Resource& resource = reflection.resources[i];
      resources_.emplace(std::pair(register_letters(resource.kind), resource.id), i);
    }
    if (metadata == nullptr) return;
    for (const dxil::EntryPoint& entry : metadata->entries)
      if (entry.function != dxil::kNone) entries_.emplace(function_name(*metadata->module, entry.function), &entry);
  }

  static std::string_view function_name(const dxil::Module& module, std::uint32_t function) {
    return module.text(module.values[module.functions[function].value].name);
  }

  void add() {
    std::vector<const dxil::RdatFunction*> sorted;
    sorted.reserve(rdat_.functions.size());
    for (const dxil::RdatFunction& function : rdat_.functions) sorted.push_back(&function);
    std::ranges::sort(sorted, {}, [](const dxil::RdatFunction* function) { return std::pair(function->name.text, function); });
    for (const dxil::RdatFunction* function : sorted) add(*function);
  }

 private:
  void add(const dxil::RdatFunction& from) {
    if (!budget_.spend(from.name.text) || !budget_.spend(from.unmangled_name.text)) return;
    const auto known = entries_.find(from.name.text);
    EntryPoint entry;
    if (known != entries_.end()) entry = entry_of(*metadata_, *known->second, budget_);
    entry.name = from.name.text;
    entry.unmangled_name = from.unmangled_name.text;
    entry.stage = stage_of(from.kind);
    const bool early = (entry.required_features & kRequiresEarlyDepthStencil) != 0;
    entry.required_features = from.features & ~kRequiresEarlyDepthStencil & ~kUsesDerivatives;
    if (early) entry.required_features |= kRequiresEarlyDepthStencil;
    const bool has_attributes = entry.stage == Stage::any_hit || entry.stage == Stage::closest_hit;
    const bool has_payload = has_attributes || entry.stage == Stage::miss || entry.stage == Stage::callable || entry.stage == Stage::mesh ||
                             entry.stage == Stage::amplification;
    if (has_payload && !entry.payload_bytes) entry.payload_bytes = from.payload_bytes;
    if (has_attributes && !entry.attribute_bytes) entry.attribute_bytes = from.attribute_bytes;
    if (!entry.wave_size && from.min_wave_lanes != 0)
      entry.wave_size = {from.min_wave_lanes, from.max_wave_lanes == from.min_wave_lanes ? 0U : from.max_wave_lanes, 0};
    add_resources(rdat_.indexes(from.resources_array), entry);
    const dxil::RdatIndexes dependencies = rdat_.indexes(from.dependencies_array);
    for (std::size_t i = 0; i < dependencies.size(); ++i) {
      const std::string_view name = rdat_.text(dependencies[i]);
      if (!budget_.spend(name)) break;
      entry.dependencies.emplace_back(name);
    }
    if (entry.stage == Stage::node && from.shader_record < rdat_.node_shaders.size())
      add_node(rdat_.node_shaders[from.shader_record], (from.shader_flags & kNodeProgramEntry) != 0, entry);
    reflection_.entry_points.push_back(std::move(entry));
  }

  void add_resources(const dxil::RdatIndexes& indexes, EntryPoint& entry) {
    for (std::size_t i = 0; i < indexes.size() && budget_.spend(); ++i) {
      if (indexes[i] >= rdat_.resources.size()) continue;
      const dxil::RdatResource& from = rdat_.resources[indexes[i]];
      const auto found = resources_.find({register_letters(resource_kind_of(from.kind, from.resource_class, false)), from.id});
      if (found != resources_.end()) entry.resources.push_back(found->second);
    }
  }

  std::optional<NodeId> node_id(std::uint32_t record) {
    if (record >= rdat_.node_ids.size() || !budget_.spend(rdat_.node_ids[record].name.text)) return std::nullopt;
    return NodeId{std::string(rdat_.node_ids[record].name.text), rdat_.node_ids[record].index};
  }

  std::array<std::uint32_t, 3> triple(std::uint32_t array) const {
    const dxil::RdatIndexes values = rdat_.indexes(array);
    std::array<std::uint32_t, 3> out{};
    for (std::size_t i = 0; i < std::min(values.size(), out.size()); ++i) out[i] = values[i];
    return out;
  }

  void add_node(const dxil::RdatNodeShader& from, bool is_program_entry, EntryPoint& entry) {
    Node& node = entry.node.emplace();
    node.launch = from.launch;
    node.is_program_entry = is_program_entry;
    entry.group_shared_bytes = from.group_shared_bytes;
    const dxil::RdatIndexes attributes = rdat_.indexes(from.attributes_array);
    for (std::size_t i = 0; i < attributes.size() && budget_.spend(); ++i) {
      if (attributes[i] >= rdat_.node_function_attributes.size()) continue;
      const dxil::RdatNodeFunctionAttribute& attribute = rdat_.node_function_attributes[attributes[i]];
      switch (attribute.kind) {
        case NodeFunctionAttribute::id: node.id = node_id(attribute.value).value_or(NodeId{}); break;
        case NodeFunctionAttribute::num_threads: entry.thread_group = triple(attribute.value); break;
        case NodeFunctionAttribute::share_input_of: node.shares_input_of = node_id(attribute.value); break;
        case NodeFunctionAttribute::dispatch_grid: node.dispatch_grid = triple(attribute.value); break;
        case NodeFunctionAttribute::max_dispatch_grid: node.max_dispatch_grid = triple(attribute.value); break;
        case NodeFunctionAttribute::max_recursion_depth: node.max_recursion_depth = attribute.value; break;
        case NodeFunctionAttribute::local_root_arguments_table_index: node.local_root_arguments_index = attribute.value; break;
        default: break;
      }
    }
    add_node_ios(from.inputs_array, node.inputs);
    add_node_ios(from.outputs_array, node.outputs);
  }

  void add_node_ios(std::uint32_t array, std::vector<NodeIo>& out) {
    const dxil::RdatIndexes records = rdat_.indexes(array);
    for (std::size_t i = 0; i < records.size() && budget_.spend(); ++i) {
      if (records[i] >= rdat_.node_ios.size()) continue;
      const dxil::RdatNodeIo& from = rdat_.node_ios[records[i]];
      NodeIo& io = out.emplace_back();
      io.flags = kRecordGranularity.put(from.flags, 0);
      io.records = static_cast<NodeRecords>(kRecordGranularity.get(from.flags));
      const dxil::RdatIndexes attributes = rdat_.indexes(from.attributes_array);
      for (std::size_t k = 0; k < attributes.size() && budget_.spend(); ++k)
        if (attributes[k] < rdat_.node_io_attributes.size()) set_attribute(rdat_.node_io_attributes[attributes[k]], io);
    }
  }

  void set_attribute(const dxil::RdatNodeIoAttribute& attribute, NodeIo& io) {
    switch (attribute.kind) {
      case NodeIoAttribute::output_id: io.id = node_id(attribute.value); break;
      case NodeIoAttribute::max_records: io.max_records = attribute.value; break;
      case NodeIoAttribute::max_records_shared_with: io.shares_with = attribute.value; break;
      case NodeIoAttribute::record_size: io.record_bytes = attribute.value; break;
      case NodeIoAttribute::record_dispatch_grid: {
        const auto& [offset, components, type] = dxil::kDispatchGridBits;
        io.grid_offset = offset.get(attribute.value);
        io.grid_components = components.get(attribute.value);
        const auto component = static_cast<dxil::ComponentType>(type.get(attribute.value));
        io.grid_type = component == dxil::ComponentType::u16 ? BaseType::uint16 : BaseType::uint_;
        break;
      }
      case NodeIoAttribute::output_array_size: io.array_size = attribute.value; break;
      case NodeIoAttribute::allow_sparse_nodes: io.sparse = attribute.value != 0; break;
      case NodeIoAttribute::record_alignment: io.record_alignment = attribute.value; break;
      default: break;
    }
  }

  Reflection& reflection_;
  const dxil::ProgramMetadata* metadata_;
  const dxil::Rdat& rdat_;
  ReflectionBudget& budget_;
  std::map<std::pair<std::string_view, std::uint32_t>, std::uint32_t> resources_;  ///< by register letters and range id
  std::map<std::string_view, const dxil::EntryPoint*> entries_;
};

/// Without RDAT: the entries that metadata has, and the functions that have code.
void add_functions_of(Reflection& reflection, const dxil::ProgramMetadata& metadata, ReflectionBudget& budget) {
  const dxil::Module& module = *metadata.module;
  std::vector<bool> seen(module.functions.size());
  for (const dxil::EntryPoint& from : metadata.entries) {
    if (from.function == dxil::kNone || seen[from.function]) continue;
    seen[from.function] = true;
    EntryPoint entry = entry_of(metadata, from, budget);
    const std::string_view name = Functions::function_name(module, from.function);
    if (!budget.spend(name)) return;
    entry.name = name;
    reflection.entry_points.push_back(std::move(entry));
  }
  for (std::uint32_t i = 0; i < module.functions.size(); ++i) {
    const dxil::Function& function = module.functions[i];
    if (seen[i] || function.body == dxil::kNone || function.linkage != dxil::Linkage::external) continue;
    const std::string_view name = Functions::function_name(module, i);
    if (!budget.spend(name)) return;
    EntryPoint& entry = reflection.entry_points.emplace_back();
    entry.stage = Stage::library;
    entry.name = name;
  }
  std::ranges::sort(reflection.entry_points, {}, &EntryPoint::name);
}

}  // namespace

void add_definitions(Reflection& reflection, const dxil::Psv& psv, ReflectionBudget& budget) {
  struct Place {
    dxil::PsvResourceType type;
    dxil::ResourceClass resource_class;
    dxil::ResourceKind kind;  ///< if the record, of version 0 or 1, does not say
  };
  using enum dxil::PsvResourceType;
  constexpr Place kPlaces[] = {
      {dxil::PsvResourceType::sampler, dxil::ResourceClass::sampler, dxil::ResourceKind::sampler},
      {cbv, dxil::ResourceClass::cbuffer, dxil::ResourceKind::cbuffer},
      {srv_typed, dxil::ResourceClass::srv, dxil::ResourceKind::invalid},
      {srv_raw, dxil::ResourceClass::srv, dxil::ResourceKind::raw_buffer},
      {srv_structured, dxil::ResourceClass::srv, dxil::ResourceKind::structured_buffer},
      {uav_typed, dxil::ResourceClass::uav, dxil::ResourceKind::invalid},
      {uav_raw, dxil::ResourceClass::uav, dxil::ResourceKind::raw_buffer},
      {uav_structured, dxil::ResourceClass::uav, dxil::ResourceKind::structured_buffer},
      {uav_structured_with_counter, dxil::ResourceClass::uav, dxil::ResourceKind::structured_buffer},
  };
  std::map<dxil::ResourceClass, std::uint32_t> ids;
  for (const dxil::PsvResource& from : psv.resources) {
    const auto place = std::ranges::find(kPlaces, from.type, &Place::type);
    if (place == std::end(kPlaces) || !budget.spend()) continue;
    const dxil::ResourceKind kind = from.kind == dxil::ResourceKind::invalid ? place->kind : from.kind;
    Resource resource;
    resource.kind = resource_kind_of(kind, place->resource_class, from.type == uav_structured_with_counter);
    resource.dimension = dimension_of(kind);
    resource.space = from.space;
    resource.bind_point = from.lower_bound;
    resource.bind_count = count_of(from.lower_bound, from.upper_bound);
    resource.id = ids[place->resource_class]++;
    resource.name = made_up_name(resource);
    add_unknown_buffer(reflection, resource);
    reflection.resources.push_back(std::move(resource));
  }
  if (!psv.resources.empty()) reflection.rebuilt = true;
}

void add_definitions(Reflection& reflection, const dxil::Rdat& rdat, ReflectionBudget& budget) {
  for (const dxil::RdatResource& from : rdat.resources) {
    if (!budget.spend(from.name.text)) return;
    constexpr std::uint32_t kCoherent = 1;
    constexpr std::uint32_t kCounter = 2;
    constexpr std::uint32_t kOrdered = 4;
    Resource resource;
    resource.kind = resource_kind_of(from.kind, from.resource_class, (from.flags & kCounter) != 0);
    resource.dimension = dimension_of(from.kind);
    resource.space = from.space;
    resource.bind_point = from.lower_bound;
    resource.bind_count = count_of(from.lower_bound, from.upper_bound);
    resource.id = from.id;
    resource.globally_coherent = (from.flags & kCoherent) != 0;
    resource.rasterizer_ordered = (from.flags & kOrdered) != 0;
    resource.name = from.name.text.empty() ? made_up_name(resource) : std::string(from.name.text);
    add_unknown_buffer(reflection, resource);
    reflection.resources.push_back(std::move(resource));
  }
  if (!rdat.resources.empty()) reflection.rebuilt = true;
}

void add_functions(Reflection& reflection, const dxil::ProgramMetadata* metadata, const dxil::Rdat* rdat, ReflectionBudget& budget) {
  if (rdat != nullptr) {
    Functions(reflection, metadata, *rdat, budget).add();
  } else if (metadata != nullptr) {
    add_functions_of(reflection, *metadata, budget);
  }
}

}  // namespace unshade::shader::reflection
