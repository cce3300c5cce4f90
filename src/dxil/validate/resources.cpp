// Ranges of registers that a module declares.
// src: DXC lib/DxilValidation/DxilValidation.cpp, ValidateResources, ValidateResource, ValidateCBuffer
#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>
#include <unshade/dxil/layout.hpp>
#include <unshade/dxil/program/handles.hpp>

#include "dxil/program/part_vocabulary.hpp"
#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

using dxcontainer::kUnbounded;

namespace {

constexpr std::uint32_t kMostConstantBytes = 65536;
constexpr std::uint32_t kMostStride = 2048;
/// Kinds of samplers: default, comparison, mono. src: DXC DxilConstants.h, SamplerKind
constexpr std::uint32_t kSamplerKinds = 3;
/// Kinds of feedback. src: DXC DxilConstants.h, SamplerFeedbackType
constexpr std::uint32_t kFeedbackKinds = 2;

constexpr std::uint64_t kMostElementBytes = 16;

class ResourceChecker {
 public:
  explicit ResourceChecker(const ModuleCheck& check) : c_(check), m_(check.module), layout_(check.module) {}

  void check() {
    const ProgramMetadata& p = c_.program;
    check_list(p.shader_resources, "shader_resources");
    check_list(p.unordered_access, "unordered_access");
    check_list(p.constant_buffers, "constant_buffers");
    check_list(p.samplers, "samplers");
  }

 private:
  void add(const Rule& rule, std::size_t i, std::string message) const {
    c_.add(rule, std::string("dx.resources/") + list_ + '[' + std::to_string(i) + ']', std::move(message));
  }

  void check_list(const std::vector<ProgramResource>& list, const char* name) {
    list_ = name;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const ProgramResource& r = list[i];
      if (r.id != i) add(rules::kMetaDenseResIds, i, "id " + std::to_string(r.id));
      switch (r.resource_class) {
        case ResourceClass::uav: check_unordered(i, r); [[fallthrough]];
        case ResourceClass::srv: check_view(i, r); break;
        case ResourceClass::cbuffer: check_constants(i, r); break;
        default:
          if (r.sampler_kind >= kSamplerKinds) add(rules::kMetaValidSamplerMode, i, "mode " + std::to_string(r.sampler_kind));
          break;
      }
    }
    check_overlaps(list);
  }

  void check_unordered(std::size_t i, const ProgramResource& r) {
    if (r.raster_ordered && c_.program.kind != ShaderKind::pixel && !c_.is_library())
      add(rules::kSmRovOnlyInPs, i, std::string(id(c_.program.kind)));
    if (r.kind == ResourceKind::texture_cube || r.kind == ResourceKind::texture_cube_array)
      add(rules::kSmInvalidTextureKindOnUav, i, std::string(id(r.kind)));
    if (r.has_counter && r.kind != ResourceKind::structured_buffer) add(rules::kSmCounterOnlyOnStructBuf, i, std::string(id(r.kind)));
    if (r.has_counter && (r.globally_coherent || r.reorder_coherent)) add(rules::kMetaCoherenceNotOnAppendConsume, i, "has a counter");
  }

  /// A class of HLSL holds what its texture or buffer gives.
  void check_element(std::size_t i, const ProgramResource& r) {
    if (r.type == kNone || !c_.is(r.type, TypeKind::pointer)) return;
    std::uint32_t type = c_.innermost(m_.element_of(r.type));
    if (c_.is(type, TypeKind::structure)) {
      const auto members = m_.parts_of(c_.type(type));
      if (members.empty()) return;
      type = members[0];
    }
    if (layout_.size_of(type) > kMostElementBytes) add(rules::kMetaTextureType, i, c_.text_of(type));
  }

  void check_view(std::size_t i, const ProgramResource& r) {
    // A tbuffer is of a structure, not of elements.
    if (is_typed(r.kind) && r.kind != ResourceKind::tbuffer) check_element(i, r);
    if (r.reorder_coherent && !c_.has_model(9))
      add(rules::kInstrReorderCoherentRequiresSm69, i, "in shader model 6." + std::to_string(c_.program.minor));
    const bool is_feedback = r.kind == ResourceKind::feedback_texture2d || r.kind == ResourceKind::feedback_texture2d_array;
    const bool is_view = is_typed(r.kind) || r.kind == ResourceKind::raw_buffer || r.kind == ResourceKind::structured_buffer ||
                         r.kind == ResourceKind::acceleration_structure || is_feedback;
    if (!is_view) return add(rules::kSmInvalidResourceKind, i, "kind " + std::to_string(static_cast<std::uint32_t>(r.kind)));
    const bool counts_samples = is_multisampled(r.kind) || is_feedback || r.kind == ResourceKind::acceleration_structure;
    if (r.sample_count != 0 && !counts_samples) add(rules::kSmSampleCountOnlyOn2Dms, i, std::to_string(r.sample_count) + " samples");
    if (is_typed(r.kind) && !is_component(static_cast<ComponentType>(r.component_type)))
      add(rules::kSmInvalidResourceCompType, i, "component type " + std::to_string(r.component_type));
    if (is_feedback && r.feedback_kind >= kFeedbackKinds)
      add(rules::kSmInvalidSamplerFeedbackType, i, "kind " + std::to_string(r.feedback_kind));
    if (r.kind != ResourceKind::structured_buffer) return;
    if (r.stride % 4 != 0 && c_.program.minimum_precision()) add(rules::kMetaStructBufAlignment, i, std::to_string(r.stride) + " bytes");
    if (r.stride > kMostStride) add(rules::kMetaStructBufAlignmentOutOfBound, i, std::to_string(r.stride) + " bytes");
  }

  static bool is_component(ComponentType type) {
    switch (type) {
      case ComponentType::i16:
      case ComponentType::u16:
      case ComponentType::i32:
      case ComponentType::u32:
      case ComponentType::i64:
      case ComponentType::u64:
      case ComponentType::f16:
      case ComponentType::f32:
      case ComponentType::f64:
      case ComponentType::snorm_f32:
      case ComponentType::unorm_f32: return true;
      default: return false;
    }
  }

  void check_constants(std::size_t i, const ProgramResource& r) {
    if (r.size > kMostConstantBytes) add(rules::kSmCbufferSize, i, std::to_string(r.size) + " bytes");
    if (r.type == kNone || !c_.is(r.type, TypeKind::pointer)) return;
    std::uint32_t type = m_.element_of(r.type);
    const bool is_array = c_.is(type, TypeKind::array);
    if (is_array) type = m_.element_of(type);
    if (!c_.is(type, TypeKind::structure) || (r.count != 1 && !is_array))
      return add(rules::kSmCbufferTemplateTypeMustBeStruct, i, std::to_string(r.count) + " of " + c_.text_of(m_.element_of(r.type)));
    const StructAnnotation* const annotation = c_.program.find_struct(type);
    // Constant buffers may be of one structure: it is looked at once.
    if (annotation == nullptr || !seen_.insert(type).second) return;
    taken_.clear();
    check_members(i, *annotation, 0, kMostDepth);
  }

  // --- members of constant buffers ----------------------------------------------------------------------------------------------------
  static constexpr std::uint32_t kRow = 16;
  static std::uint64_t in_rows(std::uint64_t bytes) { return round_up(bytes, kRow); }

  std::uint64_t component_bytes(const FieldAnnotation& field) const {
    return component_type_info(static_cast<ComponentType>(field.component_type)).bytes(c_.program.minimum_precision());
  }

  /// Bytes of a member, of one element if it is an array. `inner`: the annotation of its structure, or null.
  std::uint64_t bytes_of(const FieldAnnotation& field, std::uint32_t type, const StructAnnotation* inner) const {
    if (inner != nullptr) return inner->constant_buffer_size;
    if (c_.is(type, TypeKind::vector)) return component_bytes(field) * c_.type(type).count;
    if (!c_.is(type, TypeKind::structure)) return component_bytes(field);
    const MatrixAnnotation& matrix = field.matrix;
    const bool by_columns = matrix.orientation == 2;
    const std::uint64_t rows = by_columns ? matrix.columns : matrix.rows;
    const std::uint64_t columns = by_columns ? matrix.rows : matrix.columns;
    return field.is_matrix && rows != 0 ? (rows - 1) * kRow + columns * 4 : 0;
  }

  /// Takes bytes of the constant buffer. False if another member has one of them.
  bool take(std::uint64_t first, std::uint64_t count) {
    if (first + count > taken_.size()) taken_.resize(first + count);
    for (std::uint64_t at = first; at < first + count; ++at) {
      if (taken_[at]) return false;
      taken_[at] = true;
    }
    return true;
  }

  /// Members share no bytes and lie within their structure; arrays begin at multiples of 16 bytes. False if one does not.
  /// src: DXC lib/DxilValidation/DxilValidation.cpp, CollectCBufferRanges
  bool check_members(std::size_t i, const StructAnnotation& annotation, std::uint64_t base, unsigned depth) {
    const auto members = m_.parts_of(c_.type(annotation.type));
    const auto text = [&](std::size_t k) {
      return "member " + std::to_string(k) + " at byte " + std::to_string(base + annotation.fields[k].constant_buffer_offset);
    };
    for (std::size_t k = 0; k < annotation.fields.size() && k < members.size(); ++k) {
      if (left_ == 0) return true;
      --left_;
      const FieldAnnotation& field = annotation.fields[k];
      const std::uint64_t offset = field.constant_buffer_offset;
      const bool is_array = c_.is(members[k], TypeKind::array);
      if (is_array && offset % kRow != 0) return add(rules::kSmCbufferArrayOffsetAlignment, i, text(k)), false;
      std::uint64_t count = 1;
      std::uint32_t type = members[k];
      for (; c_.is(type, TypeKind::array); type = m_.element_of(type))
        count = std::min(count * std::min(c_.type(type).count, kMostElements), kMostElements);
      const StructAnnotation* const inner = c_.is(type, TypeKind::structure) ? c_.program.find_struct(type) : nullptr;
      const std::uint64_t each = bytes_of(field, type, inner);
      const std::uint64_t bytes = count == 0 ? 0 : (count - 1) * in_rows(each) + each;
      if (offset + bytes > annotation.constant_buffer_size || base + offset + bytes > kMostConstantBytes)
        return add(rules::kSmCbufferElementOverflow, i, text(k)), false;
      if (inner == nullptr) {
        if (!take(base + offset, bytes)) return add(rules::kSmCbufferOffsetOverlap, i, text(k)), false;
        continue;
      }
      // Structures of nothing can be as many as they like.
      for (std::uint64_t n = 0; each != 0 && n < count; ++n) {
        if (depth == 0 || left_ == 0) return true;
        if (!check_members(i, *inner, base + offset + n * in_rows(each), depth - 1)) return false;
      }
    }
    return true;
  }

  void check_overlaps(const std::vector<ProgramResource>& list) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < list.size(); ++i)
      if (list[i].count != 0 &&
          !(c_.is_library() && (list[i].lower_bound == program::kNotAllocated || list[i].space == program::kNotAllocated)))
        order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(list[a].space, list[a].lower_bound, a) < std::tie(list[b].space, list[b].lower_bound, b);
    });
    std::uint64_t end = 0;
    for (std::size_t n = 0; n < order.size(); ++n) {
      const ProgramResource& r = list[order[n]];
      const bool same = n > 0 && list[order[n - 1]].space == r.space;
      if (same && r.lower_bound < end)
        add(rules::kSmResourceRangeOverlap, order[n], "register " + std::to_string(r.lower_bound) + " is already in use");
      const std::uint64_t last = r.count == kUnbounded ? kUnbounded : std::uint64_t{r.lower_bound} + r.count - 1;
      end = std::max(same ? end : 0, last + 1);
    }
  }

  /// How deep structures are followed, how many members in all are looked at, and as how many at most elements count.
  static constexpr unsigned kMostDepth = 64;
  static constexpr std::uint32_t kMostMembers = 1 << 20;
  static constexpr std::uint64_t kMostElements = 1 << 24;

  const ModuleCheck& c_;
  const Module& m_;
  TypeLayout layout_;
  const char* list_ = "";
  std::unordered_set<std::uint32_t> seen_;  ///< types of constant buffers
  std::vector<bool> taken_;                 ///< bytes of the constant buffer
  std::uint32_t left_ = kMostMembers;
};

}  // namespace

void check_resources(const ModuleCheck& check) { ResourceChecker(check).check(); }

}  // namespace unshade::dxil::validate
