// PSV0 by itself, and against the signatures, feature flags and program beside it.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxcontainer/validate.hpp>

#include "dxil/parts/psv_layout.hpp"
#include "dxil/validate/validate.hpp"

namespace unshade::dxil::validate {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

constexpr std::uint32_t kRegisterCount = 32;
constexpr unsigned kViewIdFeature = 16;
constexpr std::uint32_t kMostThreads = 1024;
constexpr std::uint32_t kMostMeshThreads = 128;

enum class Side { input, output, patch };

// Where things lie, as the description reads them one after the other.
std::size_t resources_at(const Psv& psv) { return 4 + std::size_t{psv.info.size} + 8; }
std::size_t strings_at(const Psv& psv) {
  const std::size_t resources = psv.resources.empty() ? 0 : 4 + psv.resources.size() * psv.resource_stride;
  return 4 + std::size_t{psv.info.size} + 4 + resources + 4;
}
std::size_t indexes_at(const Psv& psv) { return strings_at(psv) + psv.strings.size() + 4; }
std::size_t element_at(const Psv& psv, Side side, std::size_t index) {
  if (side != Side::input) index += psv.inputs.size();
  if (side == Side::patch) index += psv.outputs.size();
  return indexes_at(psv) + 4 * psv.semantic_indexes.size() + 4 + index * psv.element_stride;
}

}  // namespace

// src: DXC lib/DXIL/DxilSemantic.cpp, Semantic::GetByName
bool names_semantic(std::string_view semantic, SemanticKind kind) { return !semantic.empty() && same_letters(semantic, dxc_text(kind)); }

namespace {

struct PsvChecker {
  const Container& container;
  const Part& part;
  const Psv& psv;
  ShaderKind kind;
  Findings& findings;

  void add(const Rule& rule, std::size_t at, const std::string& path, std::string message) {
    findings.add(rule, part.data.file_offset() + at, std::string(part.name()) + '/' + path, std::move(message));
  }
  bool is(ShaderKind a) const { return kind == a; }
  const std::vector<PsvSignatureElement>& elements(Side side) const {
    return side == Side::input ? psv.inputs : side == Side::output ? psv.outputs : psv.patch_or_primitives;
  }
  static const char* name_of(Side side) {
    return side == Side::input ? "inputs" : side == Side::output ? "outputs" : "patch_or_primitives";
  }
  static std::string path_of(Side side, std::size_t i) { return std::string(name_of(side)) + '[' + std::to_string(i) + ']'; }

  void check() {
    const bool is_1 = psv.info.version() >= 1;
    check_sizes();
    check_resources();
    if (psv.info.min_wave_lanes > psv.info.max_wave_lanes)
      add(rules::kPsv0WaveLanes, 4 + 16, "runtime_info/min_wave_lanes",
          std::to_string(psv.info.min_wave_lanes) + " to " + std::to_string(psv.info.max_wave_lanes));
    if (is_1) {
      if (psv.info.kind != kind && kind != ShaderKind::invalid)
        add(rules::kPsv0Kind, 4 + 24, "runtime_info/kind",
            std::string(id(psv.info.kind)) + ", but the program is of kind " + std::string(id(kind)));
      kind = psv.info.kind;
      check_view_id();
      for (const Side side : {Side::input, Side::output, Side::patch}) {
        check_elements(side);
        check_signature(side);
      }
      check_vectors();
      check_facts();
      check_tables();
    }
    if (psv.info.version() >= 2) check_threads();
    if (!psv.extra.empty())
      add(rules::kPsv0ExtraBytes, part.data.size() - psv.extra.size(), "extra", std::to_string(psv.extra.size()) + " bytes");
  }

  void check_sizes() {
    const unsigned version = psv.info.version();
    if (psv.info.size != kPsvInfoBytes[version]) add(rules::kPsv0Sizes, 0, "runtime_info_bytes", std::to_string(psv.info.size) + " bytes");
    if (!psv.resources.empty() && psv.resource_stride != kPsvResourceBytes[version >= 2 ? 1 : 0])
      add(rules::kPsv0Sizes, resources_at(psv) - 4, "resource_stride",
          std::to_string(psv.resource_stride) + " bytes in version " + std::to_string(version));
    const bool has_elements = !psv.inputs.empty() || !psv.outputs.empty() || !psv.patch_or_primitives.empty();
    if (has_elements && psv.element_stride != kPsvElementBytes)
      add(rules::kPsv0Sizes, element_at(psv, Side::input, 0) - 4, "element_stride", std::to_string(psv.element_stride) + " bytes");
  }

  void check_resources() {
    const auto at = [&](std::size_t i) { return resources_at(psv) + i * psv.resource_stride; };
    const auto path = [](std::size_t i) { return "resources[" + std::to_string(i) + ']'; };
    for (std::size_t i = 0; i < psv.resources.size(); ++i) {
      const PsvResource& r = psv.resources[i];
      if (r.upper_bound < r.lower_bound)
        add(rules::kPsv0ResourceRange, at(i) + 8, path(i), std::to_string(r.lower_bound) + " to " + std::to_string(r.upper_bound));
      const bool has_kind = psv.resource_stride >= kPsvResourceBytes[1];
      if (id(r.type).empty() || r.type == PsvResourceType::invalid || (has_kind && !kind_fits(r)))
        add(rules::kPsv0ResourceValue, at(i), path(i),
            "type " + std::to_string(static_cast<std::uint32_t>(r.type)) +
                (has_kind ? ", kind " + std::to_string(static_cast<std::uint32_t>(r.kind)) : ""));
    }
    // Neighbours in the order of class, space and first register.
    std::vector<std::uint32_t> order(psv.resources.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    const auto key = [&](std::uint32_t i) {
      const PsvResource& r = psv.resources[i];
      return std::array<std::uint32_t, 4>{class_of(r.type), r.space, r.lower_bound, i};
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    std::uint64_t end = 0;
    for (std::size_t n = 0; n < order.size(); ++n) {
      const PsvResource& r = psv.resources[order[n]];
      const bool same =
          n > 0 && class_of(psv.resources[order[n - 1]].type) == class_of(r.type) && psv.resources[order[n - 1]].space == r.space;
      if (same && r.lower_bound < end && is_bound(r))
        add(rules::kPsv0ResourceOverlap, at(order[n]), path(order[n]), "register " + std::to_string(r.lower_bound) + " is already in use");
      end = std::max(same ? end : 0, std::uint64_t{r.upper_bound} + 1);
    }
  }

  static std::uint32_t class_of(PsvResourceType type) {
    if (type >= PsvResourceType::uav_typed) return static_cast<std::uint32_t>(PsvResourceType::uav_typed);
    if (type >= PsvResourceType::srv_typed) return static_cast<std::uint32_t>(PsvResourceType::srv_typed);
    return static_cast<std::uint32_t>(type);
  }
  static bool is_bound(const PsvResource& r) { return !id(r.type).empty() && r.type != PsvResourceType::invalid; }

  // src: DXC lib/DxilContainer/DxilPipelineStateValidation.cpp, InitPSVResourceBinding
  static bool kind_fits(const PsvResource& r) {
    if (id(r.kind).empty()) return false;
    using Type = PsvResourceType;
    const bool is_uav = class_of(r.type) == static_cast<std::uint32_t>(Type::uav_typed);
    switch (r.kind) {
      case ResourceKind::sampler: return r.type == Type::sampler;
      case ResourceKind::cbuffer: return r.type == Type::cbv;
      case ResourceKind::structured_buffer:
        return is_uav ? r.type == Type::uav_structured || r.type == Type::uav_structured_with_counter : r.type == Type::srv_structured;
      case ResourceKind::acceleration_structure: return r.type == Type::srv_raw;
      case ResourceKind::raw_buffer: return r.type == (is_uav ? Type::uav_raw : Type::srv_raw);
      default: return r.type == (is_uav ? Type::uav_typed : Type::srv_typed);
    }
  }

  void check_view_id() {
    const Part* features = container.find(fourcc("SFI0"));
    if (features == nullptr) return;
    const auto flags = dxcontainer::parse_features(*features);
    if (flags && ((*flags >> kViewIdFeature & 1) != 0) != (psv.info.uses_view_id != 0))
      add(rules::kPsv0ViewId, 4 + 25, "runtime_info/uses_view_id",
          std::to_string(psv.info.uses_view_id) + ", but the feature flags in SFI0 have " + std::to_string(*flags >> kViewIdFeature & 1));
  }

  void check_elements(Side side) {
    const auto& list = elements(side);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const PsvSignatureElement& e = list[i];
      const std::size_t at = element_at(psv, side, i);
      const bool fits = !e.allocated() || (e.start_row + e.rows <= kRegisterCount && e.start_column() + e.columns() <= 4);
      if (e.rows == 0 || e.rows > kRegisterCount || e.columns() == 0 || e.columns() > 4 || !fits || id(e.semantic_kind).empty() ||
          e.semantic_kind == SemanticKind::invalid || id(e.component_type).empty() || id(e.interpolation).empty() ||
          e.interpolation == Interpolation::invalid)
        add(rules::kPsv0Elements, at, path_of(side, i), std::to_string(e.rows) + " rows of " + std::to_string(e.columns()) + " columns");
      if (psv.indexes_of(e).size() != e.rows)
        add(rules::kPsv0SemanticIndexes, at + 4, path_of(side, i) + "/semantic_indexes",
            std::to_string(e.rows) + " from index " + std::to_string(e.semantic_indexes) + ", but the table has " +
                std::to_string(psv.semantic_indexes.size()));
    }
  }

  /// A row of an element, as signature parts have it.
  struct Row {
    std::uint32_t element = 0;
    std::uint32_t index = 0;  // semantic
    std::uint32_t register_index = 0;
    bool found = false;
  };

  void check_signature(Side side) {
    const Part* signature_part = container.find(side == Side::input    ? fourcc("ISG1")
                                                : side == Side::output ? fourcc("OSG1")
                                                                       : fourcc("PSG1"));
    if (signature_part == nullptr) {
      if (side == Side::patch && !psv.patch_or_primitives.empty())
        add(rules::kPsv0Signature, element_at(psv, side, 0), name_of(side), "the part PSG1 is missing");
      return;
    }
    const auto signature = dxcontainer::parse_signature(*signature_part);
    if (!signature) return;  // noted by who reads signatures
    const auto& list = elements(side);
    std::vector<Row> rows;
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      const PsvSignatureElement& e = list[i];
      const auto indexes = psv.indexes_of(e);
      if (indexes.size() > kRegisterCount) return;  // noted already
      for (std::uint32_t row = 0; row < indexes.size(); ++row)
        rows.push_back({i, indexes[row], e.allocated() ? std::uint32_t{e.start_row} + row : dxcontainer::kNoRegister, false});
    }
    // A signature has 32 registers for each of 4 streams, and 4 components each: more elements cannot fit, and need not be compared.
    constexpr std::size_t kMostElements = kRegisterCount * kStreamCount * 4;
    if (signature->elements.size() > kMostElements)
      return add(rules::kPsv0Signature, 4 + 24, "runtime_info",
                 std::to_string(signature->elements.size()) + " elements in the signature part");
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.index < b.index; });
    for (std::size_t i = 0; i < signature->elements.size(); ++i) {
      const dxcontainer::SignatureElement& e = signature->elements[i];
      auto row =
          std::lower_bound(rows.begin(), rows.end(), e.semantic_index, [](const Row& r, std::uint32_t index) { return r.index < index; });
      for (; row != rows.end() && row->index == e.semantic_index; ++row)
        if (!row->found && row->register_index == e.register_index && is_row_of(list[row->element], e)) break;
      if (row != rows.end() && row->index == e.semantic_index) {
        row->found = true;
        continue;
      }
      // observed in 7 mesh shaders: the part has a row of an output for each vertex, all in one register.
      if (is(ShaderKind::mesh) && std::any_of(list.begin(), list.end(), [&](const auto& other) {
            return other.allocated() && other.start_row == e.register_index && is_row_of(other, e);
          }))
        continue;
      findings.add(rules::kPsv0Signature, signature_part->data.file_offset() + signature->elements.offset + 32 * i,
                   std::string(signature_part->name()) + "/elements[" + std::to_string(i) + ']', "not in PSV0");
    }
    // Values that a stage makes itself are in PSV0 alone: they have no register.
    for (const Row& row : rows)
      if (!row.found && row.register_index != dxcontainer::kNoRegister)
        add(rules::kPsv0Signature, element_at(psv, side, row.element), path_of(side, row.element),
            std::string(signature_part->name()) + " has no row for semantic index " + std::to_string(row.index));
  }

  static bool is_row_of(const PsvSignatureElement& e, const dxcontainer::SignatureElement& row) {
    // Long names are shared by offset: what is compared of them is bounded.
    constexpr std::size_t kCompared = 256;
    const std::string_view name = e.semantic_name.text;
    const std::string_view other = row.semantic.text;
    const bool same_text = name.size() == other.size() && name.substr(0, kCompared) == other.substr(0, kCompared);
    const bool same_semantic = e.semantic_kind == SemanticKind::arbitrary ? same_text : names_semantic(other, e.semantic_kind);
    const std::uint32_t mask = ((1U << std::min(e.columns(), 4U)) - 1) << (e.allocated() ? e.start_column() : 0);
    return same_semantic && e.stream() == row.stream && (mask & 0xf) == row.mask && e.component_type == row.component_type;
  }

  void check_vectors() {
    const auto used = [&](Side side, std::uint32_t stream) {
      std::uint32_t count = 0;
      for (const PsvSignatureElement& e : elements(side))
        if (e.allocated() && e.stream() == stream) count = std::max(count, std::uint32_t{e.start_row} + e.rows);
      return count;
    };
    const auto expect = [&](std::size_t at, const char* field, std::uint32_t stated, std::uint32_t count) {
      if (stated != count)
        add(rules::kPsv0Vectors, 4 + at, std::string("runtime_info/") + field, std::to_string(stated) + " for " + std::to_string(count));
    };
    expect(31, "input_vectors", psv.info.input_vectors, used(Side::input, 0));
    for (std::uint32_t stream = 0; stream < kStreamCount; ++stream)
      expect(32 + stream, kOutputVectors[stream], psv.info.output_vectors[stream], used(Side::output, stream));
    if (is(ShaderKind::hull) || is(ShaderKind::domain) || is(ShaderKind::mesh))
      expect(26, "patch_or_primitive_vectors", psv.info.patch_or_primitive_vectors, used(Side::patch, 0));
  }

  void check_facts() {
    const auto any = [&](Side side, auto&& test) { return std::any_of(elements(side).begin(), elements(side).end(), test); };
    const auto expect = [&](std::size_t at, const char* field, bool stated, bool is_so) {
      if (stated != is_so)
        add(rules::kPsv0Facts, 4 + at, std::string("runtime_info/stage/") + field,
            is_so ? "0, but an element implies 1" : "1, but no element implies it");
    };
    const PsvStageInfo& stage = psv.info.stage;
    const auto has_position = [&] { return any(Side::output, [](const auto& e) { return e.semantic_kind == SemanticKind::position; }); };
    if (is(ShaderKind::vertex)) expect(0, "output_position_present", stage.output_position_present != 0, has_position());
    if (is(ShaderKind::domain)) expect(4, "output_position_present", stage.output_position_present != 0, has_position());
    if (is(ShaderKind::geometry)) expect(12, "output_position_present", stage.output_position_present != 0, has_position());
    if (!is(ShaderKind::pixel)) return;
    expect(0, "depth_output", stage.depth_output != 0, any(Side::output, [](const auto& e) { return is_depth(e.semantic_kind); }));
    // It may run for each sample for other reasons than its inputs.
    const bool by_inputs = any(Side::input, [](const auto& e) {
      return e.semantic_kind == SemanticKind::sample_index || e.interpolation == Interpolation::linear_sample ||
             e.interpolation == Interpolation::linear_noperspective_sample;
    });
    if (by_inputs) expect(1, "sample_frequency", stage.sample_frequency != 0, true);
  }

  void check_tables() {
    const View strings = psv.strings;
    if (strings.size() % 4 != 0 || (!strings.empty() && strings.bytes().back() != std::byte{0}))
      add(rules::kPsv0Strings, strings_at(psv), "strings", std::to_string(strings.size()) + " bytes");
    // Which texts and numbers are used; texts by where they begin.
    std::vector<bool> used_text(strings.size());
    std::vector<bool> used_index(psv.semantic_indexes.size());
    const auto use = [&](const String& name) {
      if (name.offset < used_text.size()) used_text[name.offset] = true;
    };
    for (const Side side : {Side::input, Side::output, Side::patch}) {
      for (const PsvSignatureElement& e : elements(side)) {
        use(e.semantic_name);
        if (!psv.indexes_of(e).empty())
          for (std::size_t i = 0; i < e.rows; ++i) used_index[e.semantic_indexes + i] = true;
      }
    }
    if (psv.info.version() >= 3) use(psv.info.entry_name);
    for (std::size_t at = 0; at < strings.size();) {
      const auto text = strings.c_string(at);
      if (!text) break;
      if (!text->empty() && !used_text[at])
        add(rules::kPsv0Unused, strings_at(psv) + at, "strings", "an unused string of " + std::to_string(text->size()) + " characters");
      at += text->size() + 1;
    }
    // Those of mesh shaders may be left over; see check_signature().
    for (std::size_t i = 0; i < used_index.size() && !is(ShaderKind::mesh); ++i)
      if (!used_index[i]) add(rules::kPsv0Unused, indexes_at(psv) + 4 * i, "semantic_indexes", "number " + std::to_string(i));
  }

  void check_threads() {
    const bool is_mesh = is(ShaderKind::mesh) || is(ShaderKind::amplification);
    if (!is_mesh && !is(ShaderKind::compute)) return;
    const std::uint32_t most = is_mesh ? kMostMeshThreads : kMostThreads;
    std::uint64_t threads = 1;
    for (const std::uint32_t count : psv.info.num_threads) threads = std::min<std::uint64_t>(threads * count, std::uint64_t{1} << 31);
    if (threads == 0 || threads > most)
      add(rules::kPsv0Threads, 4 + kPsvInfoBytes[1], "runtime_info/num_threads_x",
          std::to_string(psv.info.num_threads[0]) + " x " + std::to_string(psv.info.num_threads[1]) + " x " +
              std::to_string(psv.info.num_threads[2]));
  }
};

}  // namespace

std::uint64_t psv_resource_offset(const Part& part, const Psv& psv, std::size_t index) {
  return part.data.file_offset() + resources_at(psv) + index * psv.resource_stride;
}

void check_psv(const Container& container, const Part& part, ShaderKind kind, Findings& findings, const ModuleSource& modules) {
  const auto psv = parse_psv(part, kind);
  if (!psv) return dxcontainer::add_unreadable(psv.error(), findings);
  PsvChecker{container, part, *psv, kind, findings}.check();
  if (container.find(fourcc("RTS0")) != nullptr) check_root_bindings(container, part, *psv, kind, findings, modules);
}

}  // namespace unshade::dxil::validate
