// Runtime data of a library. src: DXC DxilContainerAssembler.cpp, DxilRDATWriter
#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>

#include <unshade/dxil/entry_properties.hpp>

#include "dxil/derive/steps.hpp"
#include "dxil/edit/names.hpp"
#include "dxil/parts/rdat_layout.hpp"
#include "dxil/program/function_references.hpp"
#include "dxil/program/function_requirements.hpp"
#include "dxil/program/node_attributes.hpp"
#include "dxil/program/part_vocabulary.hpp"

namespace unshade::dxil::derive {

namespace {

constexpr std::uint32_t kShaderModel6 = 6 << 4;

class RdatMaker {
 public:
  RdatMaker(const ProgramMetadata& program, const Rdat* before)
      : query_{{*program.module}, program}, m_(*program.module), program_(program), before_(before) {}

  /// Nothing if subobjects share so much that repeating it is out of proportion.
  std::vector<std::byte> make() {
    rdat_.functions.stride = kRdatFunctionBytes[is_before_validator(program_, 8) ? 0 : 1];
    resources();
    const std::vector<program::FunctionReferences> references = program::references_of_functions(query_);
    // The names of functions elsewhere are in front, in the order in which they are declared.
    for (const Function& function : m_.functions)
      if (program::is_elsewhere(query_, function)) texts_.emplace(query_.name_of(function), heap_.add_text(query_.name_of(function)));
    if (!subobjects()) return {};
    const std::vector<program::FunctionRequirements> needs = program::requirements_of_functions(query_);
    const std::vector<std::uint64_t> group_bytes = program::group_bytes_of_functions(query_);
    std::unordered_map<std::uint32_t, const EntryPoint*> entries;
    for (const EntryPoint& entry : program_.entries)
      if (entry.function != kNone) entries.emplace(entry.function, &entry);
    for (std::uint32_t i = 0; i < m_.functions.size(); ++i) {
      if (m_.functions[i].body == kNone) continue;
      const auto entry = entries.find(i);
      function(i, references[i], needs[i], entry == entries.end() ? nullptr : entry->second, group_bytes.empty() ? 0 : group_bytes[i]);
    }
    rdat_.strings = View(heap_.strings);
    rdat_.index_arrays = View(heap_.arrays);
    rdat_.raw_bytes = View(heap_.bytes);
    place_as_dxc(rdat_, heap_);
    return write_rdat(rdat_);
  }

 private:
  void resources() {
    for (const ProgramResource* const r : program::resources_in_order(program_)) {
      RdatResource& made = rdat_.resources.rows.emplace_back();
      made.resource_class = r->resource_class;
      made.kind = r->kind;
      made.id = r->id;
      made.space = r->space;
      made.lower_bound = r->lower_bound;
      made.upper_bound = program::last_register_of(*r);
      made.name.text = r->name;
      if (r->resource_class != ResourceClass::uav) continue;
      made.flags = program::declared_flags(*r) | (r->atomic_64 ? program::kResourceAtomics64 : 0);
    }
  }

  /// The module has none any more: they are those that were there.
  bool subobjects() {
    if (before_ == nullptr) return true;
    constexpr std::size_t kTimes = 8;
    constexpr std::size_t kBase = 4096;
    std::size_t budget = kTimes * (before_->strings.size() + before_->index_arrays.size() + before_->raw_bytes.size()) + kBase;
    const auto take = [&](std::size_t bytes) {
      if (bytes > budget) return false;
      budget -= bytes;
      return true;
    };
    rdat_.subobjects.rows = before_->subobjects.rows;
    rdat_.subobjects.stride = before_->subobjects.stride;
    for (RdatSubobject& s : rdat_.subobjects.rows) {
      if (s.kind == SubobjectKind::global_root_signature || s.kind == SubobjectKind::local_root_signature) {
        const View bytes = before_->bytes(s.root_signature);
        if (!take(bytes.size())) return false;
        s.root_signature = {heap_.add_bytes(bytes), static_cast<std::uint32_t>(bytes.size())};
      } else if (s.kind == SubobjectKind::subobject_to_exports_association && s.exports_array != kNullReference) {
        std::vector<std::uint32_t> names;
        const RdatIndexes indexes = before_->indexes(s.exports_array);
        for (std::size_t i = 0; i < indexes.size(); ++i) {
          const std::string_view name = before_->text(indexes[i]);
          if (!take(name.size() + sizeof(std::uint32_t))) return false;
          names.push_back(heap_.add_text(name));
        }
        s.exports_array = heap_.add_array(names);
      }
      has_rays_11_ = has_rays_11_ || s.kind == SubobjectKind::raytracing_pipeline_config1 ||
                     (s.kind == SubobjectKind::state_object_config && (s.flags & program::kAllowAdditions) != 0);
    }
    return true;
  }

  void function(std::uint32_t index, const program::FunctionReferences& references, const program::FunctionRequirements& needs,
                const EntryPoint* entry, std::uint64_t group_bytes) {
    RdatFunction made;
    made.name.text = query_.name_of(m_.functions[index]);
    made.unmangled_name.text = edit::plain_name(made.name.text);
    if (!references.resources.empty()) made.resources_array = heap_.add_array(references.resources);
    if (!references.dependencies.empty()) {
      std::vector<std::uint32_t> names;
      for (const std::uint32_t other : references.dependencies) names.push_back(texts_.at(query_.name_of(m_.functions[other])));
      made.dependencies_array = heap_.add_array(names);
    }
    std::uint64_t flags = needs.flags;
    // Validators of versions 1.5 to 1.7 set the flag for subobjects.
    if (has_rays_11_ && !is_before_validator(program_, 5) && is_before_validator(program_, 8)) flags |= program::used_flag::kRaytracing11;
    if (!program_.minimum_precision()) flags |= shader_flag::kNativeLowPrecision;
    made.features = features_of_flags(flags);
    made.stages = needs.stages;
    if (entry != nullptr) entry_fields(*entry, made, group_bytes);
    made.min_shader_target = static_cast<std::uint32_t>(made.kind) << 16 | kShaderModel6 | needs.min_minor;
    rdat_.functions.rows.push_back(made);
  }

  void entry_fields(const EntryPoint& entry, RdatFunction& made, std::uint64_t group_bytes) {
    const EntryProperties properties = read_entry_properties(program_, entry);
    made.kind = properties.kind;
    const bool takes_attributes = made.kind == ShaderKind::any_hit || made.kind == ShaderKind::closest_hit;
    if (takes_attributes || made.kind == ShaderKind::miss || made.kind == ShaderKind::callable)
      made.payload_bytes = properties.payload_bytes.value_or(0);
    if (takes_attributes) made.attribute_bytes = properties.attribute_bytes.value_or(0);
    if (rdat_.functions.stride < kRdatFunctionBytes[1]) return;
    if (properties.wave_size && properties.wave_size->min != 0) {
      made.min_wave_lanes = static_cast<std::uint8_t>(properties.wave_size->min);
      made.max_wave_lanes =
          static_cast<std::uint8_t>(properties.wave_size->max != 0 ? properties.wave_size->max : properties.wave_size->min);
    }
    if (const auto node = program::read_node_properties(program_, entry)) {
      if (node->is_program_entry) made.shader_flags |= program::kNodeProgramEntry;
      made.shader_record = node_shader(*node, properties, group_bytes);
    }
  }

  // --- nodes: records that are the same are stored once ---

  template <class Row, class Key>
  static std::uint32_t add(RdatTable<Row>& table, std::map<Key, std::uint32_t>& known, const std::type_identity_t<Key>& key,
                           const Row& row) {
    const auto [at, is_new] = known.try_emplace(key, static_cast<std::uint32_t>(table.rows.size()));
    if (is_new) table.rows.push_back(row);
    return at->second;
  }
  std::uint32_t array(std::span<const std::uint32_t> numbers) {
    const std::vector<std::uint32_t> key(numbers.begin(), numbers.end());
    const auto found = arrays_.find(key);
    return found != arrays_.end() ? found->second : arrays_.emplace(key, heap_.add_array(numbers)).first->second;
  }

  std::uint32_t node_id(const program::NodeName& name) {
    RdatNodeId row;
    row.name.text = name.name;
    row.index = name.index;
    return add(rdat_.node_ids, ids_, {std::string(name.name), name.index}, row);
  }

  std::uint32_t node_shader(const program::NodeProperties& node, const EntryProperties& properties, std::uint64_t group_bytes) {
    RdatNodeShader made;
    made.launch = node.launch;
    made.group_shared_bytes = static_cast<std::uint32_t>(group_bytes);
    std::vector<std::uint32_t> attributes;
    for (const program::NodeAttribute& a : program::attributes_of(node, properties)) {
      RdatNodeFunctionAttribute row;
      row.kind = static_cast<NodeFunctionAttribute>(a.kind);
      switch (row.kind) {
        case NodeFunctionAttribute::id:
        case NodeFunctionAttribute::share_input_of: row.value = node_id(a.name); break;
        case NodeFunctionAttribute::num_threads:
        case NodeFunctionAttribute::dispatch_grid:
        case NodeFunctionAttribute::max_dispatch_grid: row.value = array(a.three); break;
        default: row.value = a.value; break;
      }
      attributes.push_back(add(rdat_.node_function_attributes, function_attributes_, {a.kind, row.value}, row));
    }
    made.attributes_array = array(attributes);
    made.inputs_array = node_ios(node.inputs);
    made.outputs_array = node_ios(node.outputs);
    return add(
        rdat_.node_shaders, shaders_,
        {static_cast<std::uint32_t>(made.launch), made.group_shared_bytes, made.attributes_array, made.inputs_array, made.outputs_array},
        made);
  }

  std::uint32_t node_ios(const std::vector<program::NodeIoProperties>& ios) {
    std::vector<std::uint32_t> records;
    for (const program::NodeIoProperties& io : ios) {
      std::vector<std::uint32_t> attributes;
      for (const program::NodeAttribute& a : program::attributes_of(io)) {
        RdatNodeIoAttribute row;
        row.kind = static_cast<NodeIoAttribute>(a.kind);
        row.value = row.kind == NodeIoAttribute::output_id ? node_id(a.name) : a.value;
        attributes.push_back(add(rdat_.node_io_attributes, io_attributes_, {a.kind, row.value}, row));
      }
      RdatNodeIo row;
      row.flags = io.flags;
      row.attributes_array = array(attributes);
      records.push_back(add(rdat_.node_ios, ios_, {row.flags, row.attributes_array}, row));
    }
    return array(records);
  }

  ProgramQuery query_;
  const Module& m_;
  const ProgramMetadata& program_;
  const Rdat* before_;
  Rdat rdat_;
  RdatHeap heap_;
  bool has_rays_11_ = false;
  std::map<std::string_view, std::uint32_t> texts_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> arrays_;
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> ids_;
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Pair, std::uint32_t> function_attributes_, io_attributes_, ios_;
  std::map<std::array<std::uint32_t, 5>, std::uint32_t> shaders_;
};

}  // namespace

std::vector<std::byte> derive_rdat(const ProgramMetadata& program, const Rdat* before) { return RdatMaker(program, before).make(); }

}  // namespace unshade::dxil::derive
