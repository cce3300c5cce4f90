// RDAT against the module of its library: what runtimes are told of functions, resources and nodes.
// src: DXC lib/DxilContainer/DxilContainerAssembler.cpp, DxilRDATWriter
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <unshade/core/text.hpp>

#include "dxil/edit/names.hpp"
#include "dxil/parts/rdat_layout.hpp"
#include "dxil/program/function_references.hpp"
#include "dxil/program/function_requirements.hpp"
#include "dxil/program/node_attributes.hpp"
#include "dxil/program/part_vocabulary.hpp"
#include "dxil/validate/against_module.hpp"

namespace unshade::dxil::validate {

namespace {

/// `pixel 6.0`
std::string version_text(std::uint32_t program_version) {
  return shown_value(static_cast<ShaderKind>(program_version >> 16)) + ' ' + std::to_string(program_version >> 4 & 0xf) + '.' +
         std::to_string(program_version & 0xf);
}

/// The stages of a set: `pixel, compute`; `no stage`.
std::string stages_text(std::uint32_t stages) {
  std::string text;
  for (std::uint32_t i = 0; i < 32; ++i) {
    if ((stages >> i & 1) == 0) continue;
    const std::string_view name = id(static_cast<ShaderKind>(i));
    (text += text.empty() ? "" : ", ") += name.empty() ? "unknown(" + std::to_string(i) + ')' : std::string(name);
  }
  return text.empty() ? "no stage" : text;
}

class RdatModuleChecker {
 public:
  RdatModuleChecker(const dxcontainer::Part& part, const Rdat& rdat, const ModuleCheck& check)
      : c_{part, check, rules::kRdatModule},
        m_(check.module),
        program_(check.program),
        rdat_(rdat),
        budget_(part.data.size() + check.module.operands.size() + kBase) {}

  void check() {
    check_resources();
    find_functions();
    const std::vector<program::FunctionRequirements> needs = program::requirements_of_functions(c_.check);
    group_bytes_ = program::group_bytes_of_functions(c_.check);
    const std::uint64_t at = place_of(RdatPartType::function_table, rdat_.functions.stride, 0);
    if (rdat_.functions.size() != defined_)
      c_.add("function_table", std::to_string(rdat_.functions.size()) + " functions, but " + std::to_string(defined_) + " in the module",
             at);
    for (std::size_t i = 0; i < rdat_.functions.size(); ++i) {
      const RdatFunction& f = rdat_.functions[i];
      at_ = place_of(RdatPartType::function_table, rdat_.functions.stride, i);
      path_ = "function_table/records[" + std::to_string(i) + ']';
      const auto found = functions_.find(f.name.text);
      if (found == functions_.end()) {
        add("/name", shown_text(f.name.text) + " is not a function of the module");
        continue;
      }
      if (const auto plain = edit::plain_name(f.name.text); f.unmangled_name.text != plain)
        add("/unmangled_name", shown_text(f.unmangled_name.text) + ", but the name unmangles to " + shown_text(plain));
      check_needs(f, found->second, needs[found->second]);
      check_entry(f, found->second);
      same_set("/resources", f.resources_array, references_[found->second].resources);
      check_dependencies(f, found->second);
    }
  }

 private:
  void add(const char* field, std::string message) const { c_.add(path_ + field, std::move(message), at_); }
  template <class T>
  void same(const char* field, const T& stated, const T& is) const {
    c_.same(path_ + field, stated, is, at_);
  }

  /// Where a record begins, bytes from the start of the part's data.
  std::uint64_t place_of(RdatPartType type, std::uint32_t stride, std::size_t row) const {
    for (const RdatPart& piece : rdat_.parts)
      if (piece.type == type) return piece.offset + kRdatPieceHeaderBytes + kRdatTableHeaderBytes + std::uint64_t{stride} * row;
    return 0;
  }

  void check_resources() {
    const auto all = program::resources_in_order(program_);
    at_ = place_of(RdatPartType::resource_table, rdat_.resources.stride, 0);
    path_ = "resource_table";
    if (all.size() != rdat_.resources.size())
      return add("", std::to_string(rdat_.resources.size()) + " resources, but " + std::to_string(all.size()) + " in the module");
    for (std::size_t i = 0; i < all.size(); ++i) {
      const RdatResource& r = rdat_.resources[i];
      at_ = place_of(RdatPartType::resource_table, rdat_.resources.stride, i);
      path_ = "resource_table/records[" + std::to_string(i) + ']';
      same("/class", r.resource_class, all[i]->resource_class);
      same("/kind", r.kind, all[i]->kind);
      same("/id", r.id, all[i]->id);
      same("/space", r.space, all[i]->space);
      same("/lower_bound", r.lower_bound, all[i]->lower_bound);
      same("/upper_bound", r.upper_bound, program::last_register_of(*all[i]));
      // Modules may be without names.
      if (!all[i]->name.empty() && r.name.text != all[i]->name)
        c_.differs(path_ + "/name", shown_text(r.name.text), shown_text(all[i]->name), at_);
      if (all[i]->resource_class != ResourceClass::uav) continue;
      same("/flags", r.flags & program::kDeclaredResourceFlags, program::declared_flags(*all[i]));
    }
  }

  // Functions by name, and what each refers to: resources, and functions that are elsewhere.
  void find_functions() {
    references_ = program::references_of_functions(c_.check);
    for (std::uint32_t i = 0; i < m_.functions.size(); ++i) {
      if (m_.functions[i].body == kNone) continue;
      ++defined_;
      functions_.emplace(c_.check.name_of(m_.functions[i]), i);
    }
    for (const EntryPoint& entry : program_.entries)
      if (entry.function != kNone) entries_.emplace(entry.function, &entry);
    for (const RdatSubobject& s : rdat_.subobjects)
      if (s.kind == SubobjectKind::raytracing_pipeline_config1 ||
          (s.kind == SubobjectKind::state_object_config && (s.flags & program::kAllowAdditions) != 0))
        has_rays_11_ = true;
  }

  // --- lists --------------------------------------------------------------------------------------------------------------------------
  /// Numbers of an index array, in order; nothing if looking at more of them would be out of proportion.
  std::optional<std::vector<std::uint32_t>> numbers(std::uint32_t array) {
    const RdatIndexes indexes = array == kNullReference ? RdatIndexes{} : rdat_.indexes(array);
    if (indexes.size() > budget_) return std::nullopt;
    budget_ -= indexes.size();
    std::vector<std::uint32_t> list(indexes.size());
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = indexes[i];
    return list;
  }

  void same_set(const char* field, std::uint32_t array, const std::vector<std::uint32_t>& is) {
    auto stated = numbers(array);
    if (!stated) return;
    std::sort(stated->begin(), stated->end());
    if (*stated != is) add(field, shown_list(*stated) + ", but the code uses " + shown_list(is));
  }

  void check_dependencies(const RdatFunction& f, std::uint32_t function) {
    const auto stated = numbers(f.dependencies_array);
    if (!stated) return;
    const std::vector<std::uint32_t>& is = references_[function].dependencies;
    bool good = stated->size() == is.size();
    for (std::size_t i = 0; good && i < stated->size(); ++i) {
      const std::string_view name = rdat_.text((*stated)[i]);
      if (name.size() > budget_) return;
      budget_ -= name.size();
      const auto found = names_of_dependencies_.emplace(name, kNone).first;
      if (found->second == kNone)
        for (std::uint32_t other = 0; other < m_.functions.size(); ++other)
          if (program::is_elsewhere(c_.check, m_.functions[other]) && c_.check.name_of(m_.functions[other]) == name) found->second = other;
      good = std::binary_search(is.begin(), is.end(), found->second);
    }
    if (good) return;
    // the names of the first few of each
    constexpr std::size_t kShown = 4;
    const auto names = [](std::size_t count, auto&& name) {
      std::string shown = "[";
      for (std::size_t i = 0; i < count && i < kShown; ++i) (shown += i != 0 ? ", " : "") += shown_text(name(i));
      return shown + (count > kShown ? ", ...]" : "]");
    };
    add("/dependencies", names(stated->size(), [&](std::size_t i) { return rdat_.text((*stated)[i]); }) + ", but the code uses " +
                             names(is.size(), [&](std::size_t i) { return c_.check.name_of(m_.functions[is[i]]); }));
  }

  // --- requirements of a function -------------------------------------------------------------------------------------------------------
  void check_needs(const RdatFunction& f, std::uint32_t function, const program::FunctionRequirements& needs) const {
    std::uint64_t flags = needs.flags;
    if (has_rays_11_ && c_.check.has_validator(5) && !c_.check.has_validator(8)) flags |= program::used_flag::kRaytracing11;
    const bool native = !program_.minimum_precision();
    if (native) flags |= shader_flag::kNativeLowPrecision;
    const std::uint64_t is = features_of_flags(flags);
    const std::uint64_t differ = (f.features ^ is) & ~features_of_flags(needs.doubtful);
    if (differ != 0) add("/features", features_text(f.features) + ", but " + features_text(is) + " by the code");
    if (f.stages != needs.stages) add("/stages", stages_text(f.stages) + ", but " + stages_text(needs.stages) + " by the code");
    const auto entry = entries_.find(function);
    const ShaderKind kind = entry == entries_.end() ? ShaderKind::library : read_entry_properties(program_, *entry->second).kind;
    const std::uint32_t target = static_cast<std::uint32_t>(kind) << 16 | 6 << 4 | needs.min_minor;
    if (f.min_shader_target != target && needs.doubtful == 0)
      add("/min_shader_target", version_text(f.min_shader_target) + ", but " + version_text(target) + " by the code");
  }

  // --- entries ------------------------------------------------------------------------------------------------------------------------
  void check_entry(const RdatFunction& f, std::uint32_t function) {
    const auto found = entries_.find(function);
    const bool has_more = rdat_.functions.stride >= kRdatFunctionBytes[1];
    if (found == entries_.end()) {
      if (f.kind != ShaderKind::library) add("/kind", "the function is not an entry point of the module");
      if (f.payload_bytes != 0 || f.attribute_bytes != 0) add("/payload_bytes", "the function is not an entry point of the module");
      return;
    }
    const EntryProperties properties = read_entry_properties(program_, *found->second);
    const bool takes_attributes = properties.kind == ShaderKind::any_hit || properties.kind == ShaderKind::closest_hit;
    const bool takes_payload = takes_attributes || properties.kind == ShaderKind::miss || properties.kind == ShaderKind::callable;
    same("/kind", f.kind, properties.kind);
    same("/payload_bytes", f.payload_bytes, takes_payload ? properties.payload_bytes.value_or(0) : 0);
    same("/attribute_bytes", f.attribute_bytes, takes_attributes ? properties.attribute_bytes.value_or(0) : 0);
    if (!has_more) return;
    const WaveSize lanes = properties.wave_size.value_or(WaveSize{});
    same("/min_wave_lanes", std::uint32_t{f.min_wave_lanes}, lanes.min & 0xff);
    same("/max_wave_lanes", std::uint32_t{f.max_wave_lanes}, (lanes.max != 0 ? lanes.max : lanes.min) & 0xff);
    const auto node = program::read_node_properties(program_, *found->second);
    if (!node) return;
    same("/shader_flags", static_cast<std::uint16_t>(f.shader_flags & program::kNodeProgramEntry),
         static_cast<std::uint16_t>(node->is_program_entry ? program::kNodeProgramEntry : 0));
    if (f.shader_record >= rdat_.node_shaders.size()) return add("/shader_record", "the node has no record");
    check_node(f.shader_record, *node, function, properties);
  }

  void check_node(std::uint32_t record, const program::NodeProperties& node, std::uint32_t function, const EntryProperties& properties) {
    const RdatNodeShader& shader = rdat_.node_shaders[record];
    at_ = place_of(RdatPartType::node_shader_table, rdat_.node_shaders.stride, record);
    path_ = "node_shader_table/records[" + std::to_string(record) + ']';
    same("/launch", shader.launch, node.launch);
    if (!group_bytes_.empty()) same("/group_shared_bytes", std::uint64_t{shader.group_shared_bytes}, group_bytes_[function]);

    using enum NodeFunctionAttribute;
    const std::vector<program::NodeAttribute> is = program::attributes_of(node, properties);
    if (const auto attributes = numbers(shader.attributes_array)) {
      std::vector<program::NodeAttribute> stated;
      for (const std::uint32_t i : *attributes) {
        if (i >= rdat_.node_function_attributes.size()) return;
        const RdatNodeFunctionAttribute& a = rdat_.node_function_attributes[i];
        program::NodeAttribute one{static_cast<std::uint32_t>(a.kind), 0};
        switch (a.kind) {
          case NodeFunctionAttribute::id:
          case share_input_of: one.name = name_at(a.value); break;
          case num_threads:
          case dispatch_grid:
          case max_dispatch_grid: one.three = three_at(a.value); break;
          default: one.value = a.value; break;
        }
        stated.push_back(one);
      }
      same_attributes("/attributes", stated, is, [](std::uint32_t kind) { return dxil::id(static_cast<NodeFunctionAttribute>(kind)); });
    }
    check_ios("/inputs", shader.inputs_array, node.inputs);
    check_ios("/outputs", shader.outputs_array, node.outputs);
  }

  void check_ios(const char* field, std::uint32_t array, const std::vector<program::NodeIoProperties>& is) {
    const auto stated = numbers(array);
    if (!stated) return;
    if (stated->size() != is.size())
      return add(field, std::to_string(stated->size()) + ", but " + std::to_string(is.size()) + " in the module");
    const std::uint64_t at = at_;
    const std::string path = path_;
    for (std::size_t k = 0; k < is.size(); ++k) {
      if ((*stated)[k] >= rdat_.node_ios.size()) break;
      at_ = place_of(RdatPartType::node_io_table, rdat_.node_ios.stride, (*stated)[k]);
      path_ = "node_io_table/records[" + std::to_string((*stated)[k]) + ']';
      check_io(rdat_.node_ios[(*stated)[k]], is[k]);
    }
    at_ = at;
    path_ = path;
  }

  void check_io(const RdatNodeIo& io, const program::NodeIoProperties& is) {
    same("/flags", io.flags, is.flags);
    const std::vector<program::NodeAttribute> wanted = program::attributes_of(is);
    const auto attributes = numbers(io.attributes_array);
    if (!attributes) return;
    std::vector<program::NodeAttribute> stated;
    for (const std::uint32_t i : *attributes) {
      if (i >= rdat_.node_io_attributes.size()) return;
      const RdatNodeIoAttribute& a = rdat_.node_io_attributes[i];
      program::NodeAttribute one{static_cast<std::uint32_t>(a.kind), a.value};
      if (a.kind == NodeIoAttribute::output_id) {
        one.value = 0;
        one.name = name_at(a.value);
      }
      stated.push_back(one);
    }
    same_attributes("/attributes", stated, wanted, [](std::uint32_t kind) { return dxil::id(static_cast<NodeIoAttribute>(kind)); });
  }

  program::NodeName name_at(std::uint32_t record) {
    if (record >= rdat_.node_ids.size()) return {};
    const RdatNodeId& node_id = rdat_.node_ids[record];
    if (node_id.name.text.size() > budget_) return {};
    budget_ -= node_id.name.text.size();
    return {node_id.name.text, node_id.index};
  }
  std::array<std::uint32_t, 3> three_at(std::uint32_t array) const {
    const RdatIndexes indexes = rdat_.indexes(array);
    std::array<std::uint32_t, 3> three{};
    for (std::size_t i = 0; i < three.size() && i < indexes.size(); ++i) three[i] = indexes[i];
    return three;
  }

  template <class Name>
  void same_attributes(const char* field, const std::vector<program::NodeAttribute>& stated, const std::vector<program::NodeAttribute>& is,
                       Name&& name) const {
    const auto has = [](const std::vector<program::NodeAttribute>& list, const program::NodeAttribute& wanted) {
      return std::any_of(list.begin(), list.end(), [&](const program::NodeAttribute& a) {
        return a.kind == wanted.kind && a.value == wanted.value && a.name.name == wanted.name.name && a.name.index == wanted.name.index &&
               a.three == wanted.three;
      });
    };
    for (const program::NodeAttribute& a : is)
      if (!has(stated, a)) return add(field, "lacks an attribute of the module: " + std::string(name(a.kind)));
    for (std::size_t i = 0; i < std::min(stated.size(), kMostAttributes); ++i)
      if (!has(is, stated[i])) return add(field, "has an attribute that the module lacks: " + std::string(name(stated[i].kind)));
  }

  static constexpr std::size_t kBase = 1024;
  static constexpr std::size_t kMostAttributes = 64;

  const PartChecker c_;
  const Module& m_;
  const ProgramMetadata& program_;
  const Rdat& rdat_;
  /// Index arrays and texts are shared by offset: what looking at them may cost in all.
  std::size_t budget_;
  std::uint64_t at_ = 0;
  std::string path_;
  std::unordered_map<std::string_view, std::uint32_t> functions_;
  std::unordered_map<std::string_view, std::uint32_t> names_of_dependencies_;
  std::unordered_map<std::uint32_t, const EntryPoint*> entries_;
  std::vector<program::FunctionReferences> references_;
  std::vector<std::uint64_t> group_bytes_;
  std::size_t defined_ = 0;
  bool has_rays_11_ = false;
};

}  // namespace

void check_rdat_against_module(const dxcontainer::Part& part, const ModuleCheck& check) {
  if (const auto rdat = parse_rdat(part)) RdatModuleChecker(part, *rdat, check).check();
}

}  // namespace unshade::dxil::validate
