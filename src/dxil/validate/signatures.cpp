// Elements of the signatures that metadata states: which semantics there are at which point of the pipeline, and how they are packed.
// src: DXC lib/DxilValidation/DxilValidation.cpp, ValidateSignatureElement, ValidateSignature, ValidateEntrySignatures
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include <unshade/core/text/characters.hpp>
#include <unshade/dxil/program/semantics.hpp>

#include "dxil/validate/module.hpp"
#include "dxil/validate/packing.hpp"

namespace unshade::dxil::validate {

namespace {

using Point = program::SignaturePoint;

constexpr std::uint32_t kRows = 32;
constexpr std::uint32_t kColumns = 4;
constexpr std::uint32_t kTargets = 8;
constexpr std::size_t kMostName = 64;
constexpr std::uint32_t kMostClipCullRows = 2, kMostClipCullComponents = 8;

bool is_linear(Interpolation mode) { return mode >= Interpolation::linear && mode < Interpolation::invalid; }
bool has_no_perspective(Interpolation mode) {
  return mode == Interpolation::linear_noperspective || mode == Interpolation::linear_noperspective_centroid ||
         mode == Interpolation::linear_noperspective_sample;
}

class SignatureChecker {
 public:
  explicit SignatureChecker(const ModuleCheck& check) : c_(check) {}

  void check() {
    for (std::size_t i = 0; i < c_.program.entries.size(); ++i) {
      const EntryPoint& entry = c_.program.entries[i];
      if (entry.function == kNone) continue;
      properties_ = read_entry_properties(c_.program, entry);
      entry_path_ = "dx.entryPoints[" + std::to_string(i) + ']';
      entry_flags_ = entry.flags;
      check_list(entry.inputs, "inputs", point_of(SignatureSide::input));
      check_list(entry.outputs, "outputs", point_of(SignatureSide::output));
      check_list(entry.patch_or_primitives, "patch_or_primitives", point_of(SignatureSide::patch_or_primitives));
      if (properties_.kind == ShaderKind::pixel) check_pixel(entry);
    }
  }

 private:
  // --- where ----------------------------------------------------------------------------------------------------------------------------
  Point point_of(SignatureSide side) const { return program::signature_point(properties_.kind, side); }

  void add(const Rule& rule, std::size_t element, std::string message) const {
    c_.add(rule, entry_path_ + '/' + list_ + '[' + std::to_string(element) + ']', std::move(message));
  }
  static std::string quoted(const MetadataElement& e) { return '\'' + std::string(e.name.substr(0, kMostName)) + '\''; }

  // --- each element
  // -----------------------------------------------------------------------------------------------------------------------
  char meaning(const MetadataElement& e) const {
    const program::SemanticMeaning meaning = program::semantic_meaning(e.semantic, point_);
    return c_.has_model(meaning.since) ? meaning.letter : program::kNotAvailable;
  }

  void check_element(std::size_t n, const MetadataElement& e) {
    if (e.name.empty() || e.name.size() > kMostName) add(rules::kMetaSemanticLen, n, std::to_string(e.name.size()) + " characters");
    const ComponentTypeInfo& component = component_type_info(e.component_type);
    if (component.bits == 0) add(rules::kMetaSignatureCompType, n, std::to_string(static_cast<std::uint32_t>(e.component_type)));
    if (component.bits != 0 && !component.is_real && is_linear(e.interpolation)) add(rules::kMetaIntegerInterpMode, n, quoted(e));
    if (e.interpolation >= Interpolation::invalid)
      add(rules::kMetaInterpModeValid, n, std::to_string(static_cast<std::uint32_t>(e.interpolation)));
    if (e.semantic >= SemanticKind::invalid)
      return add(rules::kMetaSemaKindValid, n, std::to_string(static_cast<std::uint32_t>(e.semantic)));
    if (e.semantic != SemanticKind::arbitrary && !names_semantic(e.name, e.semantic))
      add(rules::kMetaSemaKindMatchesName, n, quoted(e) + " for " + std::string(id(e.semantic)));
    const char letter = meaning(e);
    const bool allowed = letter != '-' && letter != 'n';
    const bool placed = letter != 'p' && letter != 'h';
    if (!allowed) {
      add(rules::kSmSemantic, n, quoted(e) + " in the " + list_ + " of kind " + std::string(id(properties_.kind)));
    } else if (placed && !is_allocated(e)) {
      add(rules::kMetaSemanticShouldBeAllocated, n, quoted(e));
    } else if (!placed && is_allocated(e)) {
      add(rules::kMetaSemanticShouldNotBeAllocated, n, quoted(e));
    }
    check_type(n, e, component);
    check_stream(n, e);
    check_counts(n, e, allowed);
    if (e.columns == 0 || e.columns > kColumns || (is_allocated(e) && e.start_column + e.columns > static_cast<int>(kColumns)))
      add(rules::kMetaSignatureOutOfRange, n, std::to_string(e.columns) + " columns from column " + std::to_string(e.start_column));
    check_interpolation_mode(n, e);
  }

  static bool is_allocated(const MetadataElement& e) { return e.start_row >= 0; }

  void check_type(std::size_t n, const MetadataElement& e, const ComponentTypeInfo& component) {
    const bool small_real = component.is_real && component.bits <= 32;
    const auto expect = [&](bool good, const char* what) {
      if (!good) add(rules::kMetaSemanticCompType, n, quoted(e) + " must be " + what);
    };
    switch (e.semantic) {
      case SemanticKind::depth:
      case SemanticKind::depth_less_equal:
      case SemanticKind::depth_greater_equal: expect(small_real && e.columns == 1, "float"); break;
      case SemanticKind::coverage:
      case SemanticKind::inner_coverage:
      case SemanticKind::output_control_point_id: expect(e.component_type == ComponentType::u32 && e.columns == 1, "uint"); break;
      case SemanticKind::position: expect(small_real && e.columns == 4, "float4"); break;
      case SemanticKind::target: expect(component.bits <= 32, "at most 32 bits wide"); break;
      case SemanticKind::clip_distance:
      case SemanticKind::cull_distance:
      case SemanticKind::tess_factor:
      case SemanticKind::inside_tess_factor: expect(small_real, "float"); break;
      case SemanticKind::is_front_face: expect(!component.is_real && component.bits == 32 && e.columns == 1, "uint"); break;
      case SemanticKind::render_target_array_index:
      case SemanticKind::viewport_array_index:
      case SemanticKind::vertex_id:
      case SemanticKind::primitive_id:
      case SemanticKind::instance_id:
      case SemanticKind::gs_instance_id:
      case SemanticKind::sample_index:
      case SemanticKind::stencil_ref:
      case SemanticKind::shading_rate:
        expect((e.component_type == ComponentType::u32 || e.component_type == ComponentType::u16) && e.columns == 1, "uint");
        break;
      case SemanticKind::cull_primitive: expect(e.component_type == ComponentType::i1 && e.columns == 1, "bool"); break;
      case SemanticKind::barycentrics:
        expect(small_real, "float");
        if (!is_linear(e.interpolation)) add(rules::kMetaBarycentricsInterpolation, n, quoted(e));
        if (e.columns != 3) add(rules::kMetaBarycentricsFloat3, n, std::to_string(e.columns) + " columns");
        break;
      default: break;
    }
  }

  void check_stream(std::size_t n, const MetadataElement& e) {
    const bool has_streams = point_ == Point::geometry_out;
    if (e.stream >= (has_streams ? kStreamCount : 1U)) add(rules::kSmStreamIndexRange, n, std::to_string(e.stream));
    if (e.stream != 0 && properties_.geometry && properties_.geometry->output_topology != OutputTopology::point_list)
      add(rules::kSmMultiStreamMustBePoint, n, "stream " + std::to_string(e.stream));
  }

  void check_counts(std::size_t n, const MetadataElement& e, bool allowed) {
    const bool is_clip_cull = e.semantic == SemanticKind::clip_distance || e.semantic == SemanticKind::cull_distance;
    const bool is_factor = e.semantic == SemanticKind::tess_factor || e.semantic == SemanticKind::inside_tess_factor;
    const std::uint32_t first = e.semantic_indexes.empty() ? 0 : e.semantic_indexes[0];
    if (e.semantic == SemanticKind::target) {
      auto row = static_cast<std::uint32_t>(e.start_row);
      for (const std::uint32_t index : e.semantic_indexes)
        if (index != row++) {
          add(rules::kSmPsTargetIndexMatchesRow, n, "index " + std::to_string(index) + " in row " + std::to_string(row - 1));
          break;
        }
      if (e.start_column != 0) add(rules::kSmPsTargetCol0, n, "column " + std::to_string(e.start_column));
      if (std::int64_t{e.start_row} + e.rows > kTargets) add(rules::kMetaSemanticIndexMax, n, "SV_Target above 7");
      if (e.rows > 1) add(rules::kSmNoPsOutputIdx, n, std::to_string(e.rows) + " rows");
      return;
    }
    if (!allowed || e.semantic == SemanticKind::arbitrary || meaning(e) == 'a') return;
    const std::uint32_t most = e.semantic == SemanticKind::barycentrics ? 1 : 0;
    if (!is_clip_cull && first > most) add(rules::kMetaSemanticIndexMax, n, quoted(e) + ' ' + std::to_string(first));
    if (!is_factor && !is_clip_cull && e.rows > 1) add(rules::kMetaSystemValueRows, n, std::to_string(e.rows) + " rows");
  }

  void check_interpolation_mode(std::size_t n, const MetadataElement& e) {
    const bool none =
        point_ == Point::vertex_in || point_ == Point::pixel_out || point_ == Point::patch_out || point_ == Point::domain_patch_in;
    if (none && e.interpolation != Interpolation::undefined) add(rules::kSmNoInterpMode, n, std::string(id(e.interpolation)));
    if (point_ == Point::mesh_primitive_out && e.interpolation != Interpolation::constant)
      add(rules::kSmConstantInterpMode, n, std::string(id(e.interpolation)));
  }

  // --- elements among each other
  // ------------------------------------------------------------------------------------------------------------
  void check_list(const std::vector<MetadataElement>& list, const char* name, Point point) {
    list_ = name;
    point_ = point;
    for (std::size_t i = 0; i < list.size(); ++i) check_element(i, list[i]);
    check_names(list);
    check_system_values(list);
    check_packing(list);
  }

  // Semantics are compared without case. Long names are an error of their own: what is compared of them is bounded.
  void check_names(const std::vector<MetadataElement>& list) {
    struct Row {
      std::uint32_t stream, index, element;
    };
    std::vector<Row> rows;
    for (std::uint32_t i = 0; i < list.size(); ++i)
      for (const std::uint32_t index : list[i].semantic_indexes) rows.push_back({stream_of(list[i]), index, i});
    const auto name = [&](const Row& r) { return list[r.element].name.substr(0, kMostName); };
    const auto less_name = [](std::string_view a, std::string_view b) {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return upper(x) < upper(y); });
    };
    const auto less = [&](const Row& a, const Row& b) {
      if (a.stream != b.stream) return a.stream < b.stream;
      if (a.index != b.index) return a.index < b.index;
      return less_name(name(a), name(b));
    };
    std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
      if (less(a, b)) return true;
      return !less(b, a) && a.element < b.element;
    });
    for (std::size_t i = 1; i < rows.size(); ++i)
      if (!less(rows[i - 1], rows[i]))
        add(rules::kMetaNoSemanticOverlap, rows[i].element,
            quoted(list[rows[i].element]) + ' ' + std::to_string(rows[i].index) + " occurs twice");
  }

  std::uint32_t stream_of(const MetadataElement& e) const {
    return point_ == Point::geometry_out && e.stream < kStreamCount ? e.stream : 0;
  }

  void check_system_values(const std::vector<MetadataElement>& list) {
    struct Stream {
      std::uint64_t kinds = 0;
      std::uint32_t clip_rows = 0, clip_components = 0;
    };
    std::array<Stream, kStreamCount> streams{};
    bool depth = false;
    unsigned barycentrics[2] = {};
    for (std::size_t i = 0; i < list.size(); ++i) {
      const MetadataElement& e = list[i];
      if (e.semantic == SemanticKind::arbitrary || e.semantic >= SemanticKind::invalid || meaning(e) == 'a') continue;
      Stream& stream = streams[stream_of(e)];
      if (e.semantic == SemanticKind::clip_distance || e.semantic == SemanticKind::cull_distance) {
        for (std::uint32_t row = 0; row < std::min(e.rows, kRows); ++row)
          if (e.start_row >= 0 && static_cast<std::uint32_t>(e.start_row) + row < kRows)
            stream.clip_rows |= 1U << (static_cast<std::uint32_t>(e.start_row) + row);
        stream.clip_components += e.columns * std::min(e.rows, kRows);
        if (std::popcount(stream.clip_rows) > static_cast<int>(kMostClipCullRows)) add(rules::kMetaClipCullMaxRows, i, quoted(e));
        if (stream.clip_components > kMostClipCullComponents)
          add(rules::kMetaClipCullMaxComponents, i, std::to_string(stream.clip_components) + " components");
      } else if (is_depth(e.semantic)) {
        if (depth) add(rules::kSmPsMultipleDepthSemantic, i, quoted(e));
        depth = true;
      } else if (e.semantic == SemanticKind::barycentrics) {
        if (++barycentrics[has_no_perspective(e.interpolation) ? 1 : 0] > 1) add(rules::kMetaBarycentricsTwoPerspectives, i, quoted(e));
      } else if (e.semantic != SemanticKind::target) {
        const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(e.semantic);
        if ((stream.kinds & bit) != 0) add(rules::kMetaDuplicateSysValue, i, quoted(e));
        stream.kinds |= bit;
      }
    }
  }

  using Registers = std::array<PackedRegister, kRows>;

  PackedElement packed_of(const MetadataElement& e) const {
    PackedElement out;
    switch (meaning(e)) {
      case 'a': out.what = packed::kArbitrary; break;
      case 's': out.what = packed::kSystem; break;
      case 'g': out.what = packed::kGenerated; break;
      case 'c': out.what = packed::kClipCull; break;
      case 'f': out.what = packed::kFactor; break;
      default: break;
    }
    out.rows = e.rows;
    out.columns = e.columns;
    out.interpolation = e.interpolation;
    // 64 bits are left open, as by DXC.
    switch (component_type_info(e.component_type).bits) {
      case 16: out.width = c_.program.minimum_precision() ? 32 : 16; break;
      case 1:
      case 32: out.width = 32; break;
      default: break;
    }
    return out;
  }

  void check_packing(const std::vector<MetadataElement>& list) {
    if (point_ == Point::none || point_ == Point::pixel_out) return;
    std::array<Registers, kStreamCount> streams{};
    for (std::size_t i = 0; i < list.size(); ++i) {
      const MetadataElement& e = list[i];
      if (!is_allocated(e) || e.columns == 0 || e.columns > kColumns || e.start_column < 0) continue;
      const auto first = static_cast<std::uint32_t>(e.start_row);
      if (e.rows == 0 || e.rows > kRows || first > kRows - e.rows) {
        add(rules::kMetaSignatureOutOfRange, i, std::to_string(e.rows) + " rows from row " + std::to_string(first));
        continue;
      }
      const PackedElement element = packed_of(e);
      if (element.what == 0) continue;
      place(i, e, element, streams[stream_of(e)]);
    }
    // The view's id takes a component of its own.
    const bool views = point_ == Point::pixel_in && (entry_flags_ & shader_flag::kViewId) != 0;
    if (views && !has_room(streams[0])) c_.add(rules::kSmViewIdNeedsSlot, entry_path_, "no input component is free");
  }

  void place(std::size_t i, const MetadataElement& e, const PackedElement& element, Registers& registers) const {
    using enum PackedRegister::Conflict;
    const auto first = static_cast<std::uint32_t>(e.start_row);
    const auto column = static_cast<std::uint32_t>(e.start_column);
    for (const bool by_columns : {false, true}) {
      for (std::uint32_t row = 0; row < e.rows; ++row) {
        const PackedRegister& r = registers[first + row];
        const std::string where = quoted(e) + " in row " + std::to_string(first + row);
        switch (by_columns ? r.fits_columns(element, column) : r.fits_row(element, row)) {
          case none: continue;
          case indexing: return add(rules::kMetaSignatureIndexConflict, i, where);
          case interpolation: return add(rules::kMetaInterpModeInOneRow, i, where);
          case width: return add(rules::kMetaSignatureDataWidth, i, where);
          case overlap: return add(rules::kMetaSignatureOverlap, i, where);
          case order: return add(rules::kMetaSignatureIllegalComponentOrder, i, where);
        }
      }
    }
    for (std::uint32_t row = 0; row < e.rows; ++row) registers[first + row].place(element, row, column);
  }

  static bool has_room(const Registers& registers) {
    using enum PackedRegister::Conflict;
    PackedElement view_id;
    view_id.what = packed::kGenerated;
    view_id.interpolation = Interpolation::constant;
    for (const PackedRegister& r : registers)
      for (std::uint32_t column = 0; column < kColumns; ++column)
        if (r.fits_row(view_id, 0) == none && r.fits_columns(view_id, column) == none) return true;
    return false;
  }

  // --- pixel shaders
  // --------------------------------------------------------------------------------------------------------------------------
  void check_pixel(const EntryPoint& entry) {
    list_ = "outputs";
    SemanticKind depth = SemanticKind::invalid;
    for (std::size_t i = 0; i < entry.outputs.size(); ++i) {
      const SemanticKind kind = entry.outputs[i].semantic;
      if (depth == SemanticKind::invalid && is_depth(kind)) depth = kind;
      if (kind != SemanticKind::target && kind != SemanticKind::coverage && kind != SemanticKind::stencil_ref && !is_depth(kind))
        add(rules::kSmPsOutputSemantic, i, quoted(entry.outputs[i]));
    }
    if (depth == SemanticKind::invalid || depth == SemanticKind::depth) return;
    list_ = "inputs";
    const auto& inputs = entry.inputs;
    const bool by_sample = std::any_of(inputs.begin(), inputs.end(), [](const MetadataElement& e) {
      return e.semantic == SemanticKind::sample_index || e.interpolation == Interpolation::linear_sample ||
             e.interpolation == Interpolation::linear_noperspective_sample;
    });
    for (std::size_t i = 0; i < inputs.size() && !by_sample; ++i)
      if (inputs[i].semantic == SemanticKind::position && inputs[i].interpolation != Interpolation::undefined &&
          inputs[i].interpolation != Interpolation::linear_noperspective_centroid)
        add(rules::kSmPsConsistentInterp, i, std::string(id(inputs[i].interpolation)));
  }

  const ModuleCheck& c_;
  EntryProperties properties_;
  std::string entry_path_;
  std::uint64_t entry_flags_ = 0;
  const char* list_ = "";
  Point point_ = Point::none;
};

}  // namespace

void check_signatures(const ModuleCheck& check) { SignatureChecker(check).check(); }

}  // namespace unshade::dxil::validate
