// PSV0 of a module. src: DXC DxilContainerAssembler.cpp, DxilPSVWriter; DxilPipelineStateValidation.cpp
#include <algorithm>
#include <array>
#include <deque>
#include <span>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/layout.hpp>
#include <unshade/dxil/psv.hpp>
#include <unshade/dxil/query.hpp>

#include "dxil/derive/steps.hpp"
#include "dxil/parts/psv_layout.hpp"
#include "dxil/parts/text_table.hpp"
#include "dxil/program/part_vocabulary.hpp"

namespace unshade::dxil::derive {

namespace {

/// The validator version from which on PSV0 has version 1, 2, 3 and 4.
constexpr std::uint32_t kPsvSince[] = {1, 6, 8, 10};
constexpr std::size_t kMostElements = 0xff;  // counts are bytes

unsigned version_of(const ProgramMetadata& program) {
  unsigned version = 0;
  for (const std::uint32_t minor : kPsvSince) version += is_before_validator(program, minor) ? 0 : 1;
  return version;
}

bool is_sampled(Interpolation mode) { return mode == Interpolation::linear_sample || mode == Interpolation::linear_noperspective_sample; }

class PsvMaker {
 public:
  explicit PsvMaker(const ProgramMetadata& program)
      : program_(program), entry_(program.entries[0]), properties_(read_entry_properties(program, entry_)) {}

  /// After make(): whether the view id state is that of the signatures.
  bool fits_view_id_state() const { return fits_; }

  std::vector<std::byte> make() {
    const unsigned version = version_of(program_);
    psv_.info.size = kPsvInfoBytes[version];
    psv_.info.kind = program_.kind;
    stage();
    resources(version);
    if (version >= 1) signatures(version);
    return write_psv(psv_);
  }

 private:
  template <class Test>
  static std::uint8_t any(const std::vector<MetadataElement>& elements, Test&& test) {
    return std::ranges::any_of(elements, test) ? 1 : 0;
  }

  std::uint32_t group_bytes() const {
    const Module& m = *program_.module;
    TypeLayout layout(m);
    std::uint64_t sum = 0;
    for (const Global& global : m.globals)
      if (global.address_space == kGroupSharedSpace) sum += layout.size_of(global.type);
    return static_cast<std::uint32_t>(sum);
  }

  void stage() {
    PsvRuntimeInfo& info = psv_.info;
    PsvStageInfo& s = info.stage;
    const auto has_position = [&] {
      return any(entry_.outputs, [](const MetadataElement& e) { return e.semantic == SemanticKind::position; });
    };
    switch (program_.kind) {
      case ShaderKind::vertex: s.output_position_present = has_position(); break;
      case ShaderKind::hull:
        if (!properties_.hull) break;
        s.input_control_point_count = properties_.hull->input_control_points;
        s.output_control_point_count = properties_.hull->output_control_points;
        s.tessellator_domain = properties_.hull->domain;
        s.tessellator_output = properties_.hull->output;
        break;
      case ShaderKind::domain:
        s.output_position_present = has_position();
        if (!properties_.domain) break;
        s.input_control_point_count = properties_.domain->input_control_points;
        s.tessellator_domain = properties_.domain->domain;
        break;
      case ShaderKind::geometry:
        s.output_position_present = has_position();
        if (!properties_.geometry) break;
        s.input_primitive = properties_.geometry->input_primitive;
        s.output_topology = properties_.geometry->output_topology;
        // Runtimes expect a stream.
        s.output_stream_mask = std::max(properties_.geometry->active_streams, 1U);
        info.max_vertex_count = static_cast<std::uint16_t>(properties_.geometry->max_vertex_count);
        break;
      case ShaderKind::pixel:
        s.depth_output = any(entry_.outputs, [](const MetadataElement& e) { return is_depth(e.semantic); });
        s.sample_frequency = any(entry_.inputs, [](const MetadataElement& e) {
          return is_sampled(e.interpolation) || e.semantic == SemanticKind::sample_index;
        });
        break;
      case ShaderKind::compute:
        if (!properties_.wave_size || properties_.wave_size->min == 0) break;
        info.min_wave_lanes = properties_.wave_size->min;
        info.max_wave_lanes = properties_.wave_size->max != 0 ? properties_.wave_size->max : properties_.wave_size->min;
        break;
      case ShaderKind::mesh:
        s.group_shared_bytes = group_bytes();
        s.payload_bytes = properties_.payload_bytes.value_or(0);
        if (!properties_.mesh) break;
        s.max_output_vertices = static_cast<std::uint16_t>(properties_.mesh->max_vertices);
        s.max_output_primitives = static_cast<std::uint16_t>(properties_.mesh->max_primitives);
        info.mesh_topology = properties_.mesh->topology;
        break;
      case ShaderKind::amplification: s.payload_bytes = properties_.payload_bytes.value_or(0); break;
      default: break;
    }
    const bool has_group =
        program_.kind == ShaderKind::compute || program_.kind == ShaderKind::mesh || program_.kind == ShaderKind::amplification;
    if (!has_group) return;
    info.num_threads = properties_.thread_group.value_or(std::array<std::uint32_t, 3>{});
    info.group_shared_memory_bytes = group_bytes();
  }

  void resources(unsigned version) {
    psv_.resource_stride = kPsvResourceBytes[version >= 2 ? 1 : 0];
    for (const ProgramResource* const r : program::resources_in_order(program_)) {
      PsvResource& made = psv_.resources.emplace_back();
      made.type = program::psv_type(*r);
      made.space = r->space;
      made.lower_bound = r->lower_bound;
      made.upper_bound = program::last_register_of(*r);
      made.kind = r->kind;
      made.flags = r->atomic_64 ? program::kUsedByAtomic64 : 0;
    }
  }

  // --- signatures ---

  static std::uint8_t vectors(const std::vector<MetadataElement>& elements, std::uint32_t stream) {
    std::uint32_t count = 0;
    for (const MetadataElement& e : elements)
      if (e.start_row >= 0 && e.stream == stream) count = std::max(count, static_cast<std::uint32_t>(e.start_row) + e.rows);
    return static_cast<std::uint8_t>(count);
  }

  void signatures(unsigned version) {
    PsvRuntimeInfo& info = psv_.info;
    names_.append({});
    elements(entry_.inputs, psv_.inputs);
    elements(entry_.outputs, psv_.outputs);
    elements(entry_.patch_or_primitives, psv_.patch_or_primitives);
    constexpr unsigned kNameVersion = 3;
    if (version >= kNameVersion) info.entry_name = {entry_.name, names_.append(entry_.name)};
    texts_ = names_.take(parts::Padding::words);
    psv_.strings = View(texts_);
    info.uses_view_id = (entry_.flags & shader_flag::kViewId) != 0 ? 1 : 0;
    info.input_vectors = vectors(entry_.inputs, 0);
    for (std::uint32_t stream = 0; stream < kStreamCount; ++stream) info.output_vectors[stream] = vectors(entry_.outputs, stream);
    if (program_.kind == ShaderKind::hull || program_.kind == ShaderKind::domain || program_.kind == ShaderKind::mesh)
      info.patch_or_primitive_vectors = vectors(entry_.patch_or_primitives, 0);
    dependencies();
  }

  void elements(const std::vector<MetadataElement>& from, std::vector<PsvSignatureElement>& to) {
    for (const MetadataElement& e : std::span(from).first(std::min(from.size(), kMostElements))) {
      PsvSignatureElement& made = to.emplace_back();
      made.semantic_name.offset = 0;
      if (e.semantic == SemanticKind::arbitrary && !e.name.empty()) made.semantic_name = {e.name, names_.append(e.name)};
      made.semantic_indexes = indexes(e);
      made.rows = static_cast<std::uint8_t>(e.rows);
      std::uint32_t columns = kPsvColumns.put(0, e.columns);
      if (e.start_row >= 0) {
        made.start_row = static_cast<std::uint8_t>(e.start_row);
        columns = kPsvStartColumn.put(kPsvAllocated.put(columns, 1), static_cast<std::uint32_t>(e.start_column));
      }
      made.column_bits = static_cast<std::uint8_t>(columns);
      made.semantic_kind = e.semantic;
      const bool is_unknown = e.component_type == ComponentType::i1 && is_before_validator(program_, 5);
      made.component_type = is_unknown ? dxcontainer::ComponentType::unknown : component_type_info(e.component_type).stated;
      made.interpolation = e.interpolation;
      made.stream_bits = static_cast<std::uint8_t>(kPsvStream.put(kPsvDynamicMask.put(0, e.dynamic_mask), e.stream));
    }
  }

  /// Numbers that are in the table already are not written again.
  std::uint32_t indexes(const MetadataElement& e) {
    auto& table = psv_.semantic_indexes;
    const std::span wanted(e.semantic_indexes.data(), std::min<std::size_t>(e.rows, e.semantic_indexes.size()));
    const auto found = std::ranges::search(table, wanted);
    if (!found.empty()) return static_cast<std::uint32_t>(found.begin() - table.begin());
    const auto at = static_cast<std::uint32_t>(table.size());
    table.insert(table.end(), e.semantic_indexes.begin(), e.semantic_indexes.end());
    return at;
  }

  // --- what depends on what: the view id state, whose counts are of components, padded to whole registers ---

  std::uint32_t next_word() { return at_ < program_.view_id_state.size() ? program_.view_id_state[at_++] : 0; }
  std::vector<std::byte>& words(std::size_t count, std::size_t room) {
    std::vector<std::byte>& made = kept_.emplace_back();
    if (count > program_.view_id_state.size() - at_) fits_ = false;
    for (std::size_t i = 0; i < count && at_ < program_.view_id_state.size(); ++i)
      for (const std::uint32_t word = next_word(); const unsigned shift : {0U, 8U, 16U, 24U})
        made.push_back(static_cast<std::byte>(word >> shift & 0xff));
    made.resize(room);
    return made;
  }

  /// Of components that depend on others, whose registers the part counts. `mask` and `table` are null if it has none of them.
  void copy(std::uint32_t inputs, std::size_t output_vectors, ComponentMask* mask, DependencyTable* table, std::size_t input_vectors) {
    const std::size_t mask_words = ComponentMask::bytes_of(output_vectors) / 4;
    if (mask != nullptr) mask->bytes = View(words(mask_words, 4 * mask_words));
    if (table == nullptr) return;
    const std::size_t most = mask_words * 4 * input_vectors;
    table->bytes = View(words(std::min<std::size_t>(mask_words * inputs, most), 4 * most));
  }
  /// Reads how many components there are of so many registers. False if that is something else: the state is of another signature.
  bool count(std::size_t vectors, std::uint32_t& components) {
    if (at_ == program_.view_id_state.size()) fits_ = false;
    components = next_word();
    fits_ = fits_ && divide_up(components, 4) == vectors;
    return fits_;
  }

  void dependencies() {
    if (!program_.has_view_id_state) return;
    read_dependencies();
    fits_ = fits_ && at_ == program_.view_id_state.size();
    if (fits_) return;
    psv_.view_id_outputs = {};
    psv_.view_id_patch_or_primitives = {};
    psv_.input_outputs = {};
    psv_.input_patch_constants = psv_.patch_constant_outputs = {};
  }
  void read_dependencies() {
    const PsvRuntimeInfo& info = psv_.info;
    const ShaderKind kind = program_.kind;
    const bool views = info.uses_view_id != 0;
    std::uint32_t inputs = 0;
    std::uint32_t outputs = 0;
    if (!count(info.input_vectors, inputs)) return;
    const std::uint32_t streams = kind == ShaderKind::geometry ? kStreamCount : 1;
    for (std::uint32_t i = 0; i < streams; ++i) {
      const std::size_t vectors = info.output_vectors[i];
      if (!count(vectors, outputs)) return;
      if (vectors == 0) continue;
      const bool has_table = kind != ShaderKind::mesh && info.input_vectors != 0;
      copy(inputs, vectors, views ? &psv_.view_id_outputs[i] : nullptr, has_table ? &psv_.input_outputs[i] : nullptr, info.input_vectors);
    }
    const std::size_t patch = info.patch_or_primitive_vectors;
    std::uint32_t constants = 0;
    if (kind == ShaderKind::hull || kind == ShaderKind::mesh) {
      if (!count(patch, constants) || patch == 0) return;
      const bool has_table = kind == ShaderKind::hull && info.input_vectors != 0;
      copy(inputs, patch, views ? &psv_.view_id_patch_or_primitives : nullptr, has_table ? &psv_.input_patch_constants : nullptr,
           info.input_vectors);
    } else if (kind == ShaderKind::domain) {
      if (!count(patch, constants) || patch == 0 || info.output_vectors[0] == 0) return;
      copy(constants, info.output_vectors[0], nullptr, &psv_.patch_constant_outputs, patch);
    }
  }

  const ProgramMetadata& program_;
  const EntryPoint& entry_;
  EntryProperties properties_;
  Psv psv_;
  parts::TextTableWriter names_;
  std::vector<std::byte> texts_;
  std::deque<std::vector<std::byte>> kept_;
  std::size_t at_ = 0;  ///< in the view id state
  bool fits_ = true;
};

}  // namespace

std::vector<std::byte> derive_psv(const ProgramMetadata& program) { return PsvMaker(program).make(); }

bool fits_view_id_state(const ProgramMetadata& program) {
  PsvMaker maker(program);
  maker.make();
  return maker.fits_view_id_state();
}

}  // namespace unshade::dxil::derive
