// The properties of an entry point's stage: thread groups, tessellation, streams, payloads, lanes.
// src: DXC lib/DxilValidation/DxilValidation.cpp, ValidateEntryProps; limits: DxilConstants.h
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/dxil/layout.hpp>

#include "dxil/module/metadata_tuple.hpp"
#include "dxil/program/property_tags.hpp"
#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

namespace {

struct GroupLimits {
  std::array<std::uint32_t, 3> each;
  std::uint32_t threads;
};
constexpr GroupLimits kComputeGroup{{1024, 1024, 64}, 1024};
constexpr GroupLimits kMeshGroup{{128, 128, 128}, 128};

constexpr std::uint32_t kMostControlPoints = 32;
constexpr std::uint32_t kMostGeometryVertices = 1024;
constexpr std::uint32_t kMostGeometryScalars = 1024;
constexpr std::uint32_t kMostGeometryInstances = 32;
constexpr std::uint32_t kMostMeshVertices = 256, kMostMeshPrimitives = 256;
constexpr std::uint32_t kMostPayloadBytes = 16 * 1024;
constexpr std::uint32_t kMostMeshOutputBytes = 32 * 1024, kMostMeshBytes = 47 * 1024;
constexpr std::uint32_t kMostMeshRows = 32;
constexpr std::uint32_t kMostHullScalars = 3968;
constexpr std::uint32_t kLeastLanes = 4, kMostLanes = 128;
constexpr float kLeastTessFactor = 1, kMostTessFactor = 64;

bool is_ray_stage(ShaderKind kind) { return kind >= ShaderKind::ray_generation && kind <= ShaderKind::callable; }

std::uint32_t scalars_of(const std::vector<MetadataElement>& elements) {
  std::uint64_t scalars = 0;
  for (const MetadataElement& e : elements) scalars += std::uint64_t{std::min<std::uint32_t>(e.rows, 64)} * e.columns;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(scalars, 1U << 16));
}

std::uint32_t rows_of(const std::vector<MetadataElement>& elements) {
  std::uint32_t rows = 0;
  for (const MetadataElement& e : elements)
    if (e.start_row >= 0) rows = std::max(rows, static_cast<std::uint32_t>(e.start_row) + std::min<std::uint32_t>(e.rows, 64));
  return rows;
}

class EntryChecker {
 public:
  explicit EntryChecker(const ModuleCheck& check) : c_(check), m_(check.module), layout_(check.module) {}

  void check() {
    for (std::size_t i = 0; i < c_.program.entries.size(); ++i) {
      entry_ = &c_.program.entries[i];
      if (entry_->function == kNone) continue;  // that of a library, which stands for all of it
      path_ = "dx.entryPoints[" + std::to_string(i) + ']';
      const EntryProperties p = read_entry_properties(c_.program, *entry_);
      check_lanes(p);
      switch (p.kind) {
        case ShaderKind::compute:
        case ShaderKind::node: check_threads(p, kComputeGroup); break;
        case ShaderKind::mesh:
          check_threads(p, kMeshGroup);
          check_mesh(p);
          break;
        case ShaderKind::amplification:
          check_threads(p, kMeshGroup);
          if (p.payload_bytes.value_or(0) > kMostPayloadBytes)
            add(rules::kSmAmplificationShaderPayloadSize, std::to_string(*p.payload_bytes) + " bytes");
          break;
        case ShaderKind::domain: check_domain(p); break;
        case ShaderKind::hull: check_hull(p); break;
        case ShaderKind::geometry: check_geometry(p); break;
        default: break;
      }
      if (is_ray_stage(p.kind)) check_rays(p);
      if (p.kind == ShaderKind::compute && has_elements()) add(rules::kSmCsNoSignatures, "has signature elements");
    }
  }

 private:
  void add(const Rule& rule, std::string message) const { c_.add(rule, path_, std::move(message)); }
  bool has_elements() const { return !entry_->inputs.empty() || !entry_->outputs.empty() || !entry_->patch_or_primitives.empty(); }

  void check_threads(const EntryProperties& p, const GroupLimits& limits) {
    const auto group = p.thread_group.value_or(std::array<std::uint32_t, 3>{});
    std::uint64_t threads = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      threads = std::min<std::uint64_t>(threads * group[k], std::uint64_t{1} << 31);
      if (group[k] < 1 || group[k] > limits.each[k])
        add(rules::kSmThreadGroupChannelRange,
            std::string(1, "xyz"[k]) + " is " + std::to_string(group[k]) + ", expected 1 to " + std::to_string(limits.each[k]));
    }
    if (threads > limits.threads)
      add(rules::kSmMaxTheadGroup, std::to_string(threads) + " threads, expected at most " + std::to_string(limits.threads));
  }

  static bool is_lane_count(std::uint32_t lanes) { return std::has_single_bit(lanes) && lanes >= kLeastLanes && lanes <= kMostLanes; }

  void check_lanes(const EntryProperties& p) {
    if (entry_->properties != kNone) {
      const module::MetadataTuple list = module::MetadataTuple::of(m_, &m_.metadata[entry_->properties]);
      std::size_t tags = 0;
      program::for_each_tag(list, [&](std::uint64_t tag, std::size_t at) {
        if (tag != program::property_tag::kWaveSize && tag != program::property_tag::kWaveSizeRange) return;
        ++tags;
        const bool range = tag == program::property_tag::kWaveSizeRange;
        const module::MetadataTuple sizes = list.tuple(at);
        if (sizes.size() != (range ? 3U : 1U))
          add(range ? rules::kSmWaveSizeRangeExpectsThreeParams : rules::kSmWaveSizeExpectsOneParam, std::to_string(sizes.size()));
        for (std::size_t k = 0; k < std::min<std::size_t>(sizes.size(), 3); ++k)
          if (!sizes.integer(k)) add(rules::kSmWaveSizeNeedsConstantOperands, "an operand is not a constant");
        if (range && !c_.has_model(8)) add(rules::kSmWaveSizeRangeNeedsSm68Plus, "in shader model 6." + std::to_string(c_.program.minor));
        if (!range && (!c_.has_model(6) || c_.has_model(8)))
          add(rules::kSmWaveSizeNeedsSm66Or67, "in shader model 6." + std::to_string(c_.program.minor));
      });
      if (tags > 1) add(rules::kSmWaveSizeTagDuplicate, std::to_string(tags) + " wave sizes");
    }
    if (!p.wave_size) return;
    const WaveSize& w = *p.wave_size;
    if (p.kind != ShaderKind::compute && p.kind != ShaderKind::node) add(rules::kSmWaveSizeOnComputeOrNode, std::string(id(p.kind)));
    if (w.min == 0) {
      if (w.max != 0 || w.preferred != 0) add(rules::kSmWaveSizeAllZeroWhenUndefined, std::to_string(w.max));
      return;
    }
    if (!is_lane_count(w.min)) return add(rules::kSmWaveSizeValue, "minimum " + std::to_string(w.min));
    if (w.max == 0) {
      if (w.preferred != 0) add(rules::kSmWaveSizeMaxAndPreferredZeroWhenNoRange, "preferred " + std::to_string(w.preferred));
      return;
    }
    if (!is_lane_count(w.max)) return add(rules::kSmWaveSizeValue, "maximum " + std::to_string(w.max));
    if (w.max < w.min)
      return add(rules::kSmWaveSizeMaxGreaterThanMin, "minimum " + std::to_string(w.min) + ", maximum " + std::to_string(w.max));
    if (w.preferred == 0) return;
    if (!is_lane_count(w.preferred)) return add(rules::kSmWaveSizeValue, "preferred " + std::to_string(w.preferred));
    if (w.preferred < w.min || w.preferred > w.max) add(rules::kSmWaveSizePreferredInRange, "preferred " + std::to_string(w.preferred));
  }

  void check_mesh(const EntryProperties& p) {
    const MeshProperties mesh = p.mesh.value_or(MeshProperties{});
    if (mesh.max_vertices > kMostMeshVertices) add(rules::kSmMeshShaderMaxVertexCount, std::to_string(mesh.max_vertices));
    if (mesh.max_primitives > kMostMeshPrimitives) add(rules::kSmMeshShaderMaxPrimitiveCount, std::to_string(mesh.max_primitives));
    const std::uint32_t payload = p.payload_bytes.value_or(0);
    if (payload > kMostPayloadBytes) add(rules::kSmMeshShaderPayloadSize, std::to_string(payload) + " bytes");
    const std::uint32_t vertex_rows = rows_of(entry_->outputs);
    const std::uint32_t primitive_rows = rows_of(entry_->patch_or_primitives);
    if (vertex_rows > kMostMeshRows) add(rules::kSmMeshVSigRowCount, std::to_string(vertex_rows) + " rows");
    if (primitive_rows > kMostMeshRows) add(rules::kSmMeshPSigRowCount, std::to_string(primitive_rows) + " rows");
    if (vertex_rows + primitive_rows > kMostMeshRows)
      add(rules::kSmMeshTotalSigRowCount, std::to_string(vertex_rows + primitive_rows) + " rows");
    // Room is made for 32 at a time, 4 bytes a component.
    const auto rounded = [](std::uint32_t n) { return round_up(std::uint64_t{n}, 32); };
    const std::uint64_t bytes = 4 * (scalars_of(entry_->outputs) * rounded(std::min(mesh.max_vertices, 1024U)) +
                                     scalars_of(entry_->patch_or_primitives) * rounded(std::min(mesh.max_primitives, 1024U)));
    if (bytes > kMostMeshOutputBytes) add(rules::kSmMeshShaderOutputSize, std::to_string(bytes) + " bytes");
    if (bytes + payload > kMostMeshBytes) add(rules::kSmMeshShaderInOutSize, std::to_string(bytes + payload) + " bytes");
  }

  // --- tessellation ---------------------------------------------------------------------------------------------------------------------
  static bool is_domain(TessellatorDomain domain) { return domain != TessellatorDomain::undefined && !id(domain).empty(); }

  void check_factors(TessellatorDomain domain, bool is_hull) {
    struct Sizes {
      std::uint32_t edges, insides;
    };
    const Sizes sizes = domain == TessellatorDomain::isoline    ? Sizes{2, 0}
                        : domain == TessellatorDomain::triangle ? Sizes{3, 1}
                                                                : Sizes{4, 2};
    bool edge = false, inside = false;
    for (const MetadataElement& e : entry_->patch_or_primitives) {
      const bool wrong_shape = e.columns > 1;
      if (e.semantic == SemanticKind::tess_factor) {
        edge = true;
        if (e.rows != sizes.edges || wrong_shape)
          add(rules::kSmTessFactorSizeMatchDomain, std::to_string(e.rows) + " rows for domain " + std::string(id(domain)));
      }
      if (e.semantic == SemanticKind::inside_tess_factor) {
        inside = true;
        if (e.rows != sizes.insides || wrong_shape)
          add(rules::kSmInsideTessFactorSizeMatchDomain, std::to_string(e.rows) + " rows for domain " + std::string(id(domain)));
      }
    }
    if (is_hull && (!edge || (!inside && sizes.insides != 0)))
      add(rules::kSmTessFactorForDomain, std::string("no ") + (edge ? "inside" : "edge") + " factors");
  }

  void check_domain(const EntryProperties& p) {
    const DomainProperties domain = p.domain.value_or(DomainProperties{});
    if (domain.input_control_points > kMostControlPoints)
      add(rules::kSmDsInputControlPointCountRange, std::to_string(domain.input_control_points));
    if (!is_domain(domain.domain)) return add(rules::kSmValidDomain, std::to_string(static_cast<std::uint32_t>(domain.domain)));
    check_factors(domain.domain, false);
  }

  void check_hull(const EntryProperties& p) {
    const HullProperties hull = p.hull.value_or(HullProperties{});
    if (hull.input_control_points == 0) {
      if (!entry_->inputs.empty()) add(rules::kSmZeroHsInputControlPointWithInput, std::to_string(entry_->inputs.size()) + " inputs");
    } else if (hull.input_control_points > kMostControlPoints) {
      add(rules::kSmHsInputControlPointCountRange, std::to_string(hull.input_control_points));
    }
    if (hull.output_control_points < 1 || hull.output_control_points > kMostControlPoints)
      add(rules::kSmOutputControlPointCountRange, std::to_string(hull.output_control_points));
    if (m_.functions[entry_->function].body == kNone && hull.input_control_points < hull.output_control_points)
      add(rules::kSmHullPassThruControlPointCountMatch, std::to_string(hull.output_control_points) + " output and " +
                                                            std::to_string(hull.input_control_points) + " input control points");
    const std::uint64_t scalars = std::uint64_t{scalars_of(entry_->outputs)} * std::min(hull.output_control_points, 1024U);
    if (scalars > kMostHullScalars) add(rules::kSmOutputControlPointsTotalScalars, std::to_string(scalars));
    if (hull.partitioning == TessellatorPartitioning::undefined || id(hull.partitioning).empty())
      add(rules::kMetaTessellatorPartition, std::to_string(static_cast<std::uint32_t>(hull.partitioning)));
    if (hull.output == TessellatorOutput::undefined || id(hull.output).empty())
      add(rules::kMetaTessellatorOutputPrimitive, std::to_string(static_cast<std::uint32_t>(hull.output)));
    if (!(hull.max_tess_factor >= kLeastTessFactor && hull.max_tess_factor <= kMostTessFactor))
      add(rules::kMetaMaxTessFactor, std::to_string(hull.max_tess_factor));
    if (!is_domain(hull.domain)) return add(rules::kSmValidDomain, std::to_string(static_cast<std::uint32_t>(hull.domain)));
    const bool triangles =
        hull.output == TessellatorOutput::triangle_clockwise || hull.output == TessellatorOutput::triangle_counter_clockwise;
    if (hull.domain == TessellatorDomain::isoline) {
      if (triangles) add(rules::kSmIsoLineOutputPrimitiveMismatch, std::string(id(hull.output)));
    } else if (hull.output == TessellatorOutput::line) {
      add(rules::kSmTriOutputPrimitiveMismatch, "line output for domain " + std::string(id(hull.domain)));
    }
    check_factors(hull.domain, true);
  }

  // --- geometry -------------------------------------------------------------------------------------------------------------------------
  void check_geometry(const EntryProperties& p) {
    const GeometryProperties geometry = p.geometry.value_or(GeometryProperties{});
    if (geometry.max_vertex_count > kMostGeometryVertices)
      add(rules::kSmGsOutputVertexCountRange, std::to_string(geometry.max_vertex_count));
    if (geometry.instance_count < 1 || geometry.instance_count > kMostGeometryInstances)
      add(rules::kSmGsInstanceCountRange, std::to_string(geometry.instance_count));
    switch (geometry.output_topology) {
      case OutputTopology::point_list:
      case OutputTopology::line_strip:
      case OutputTopology::triangle_strip: break;
      default: add(rules::kSmGsValidOutputPrimitiveTopology, std::to_string(static_cast<std::uint32_t>(geometry.output_topology))); break;
    }
    const bool is_reserved = geometry.input_primitive == InputPrimitive::reserved4 || geometry.input_primitive == InputPrimitive::reserved5;
    if (is_reserved || id(geometry.input_primitive).empty())
      add(rules::kSmGsValidInputPrimitive, std::to_string(static_cast<std::uint32_t>(geometry.input_primitive)));
    const std::uint64_t scalars = std::uint64_t{scalars_of(entry_->outputs)} * std::min(geometry.max_vertex_count, 4096U);
    if (scalars > kMostGeometryScalars) add(rules::kSmGsTotalOutputVertexDataRange, std::to_string(scalars) + " components");
  }

  // --- rays -----------------------------------------------------------------------------------------------------------------------------
  std::uint64_t bytes_of(std::size_t parameter) {
    const auto parts = m_.parts_of(m_.types[m_.functions[entry_->function].type]);
    if (parameter + 1 >= parts.size()) return 0;
    const std::uint32_t type = parts[parameter + 1];
    const std::uint32_t pointee = c_.is(type, TypeKind::pointer) ? m_.element_of(type) : type;
    return c_.is(pointee, TypeKind::structure) ? layout_.size_of(pointee) : 0;
  }

  void check_rays(const EntryProperties& p) {
    if (has_elements()) add(rules::kSmRayShaderSignatures, "has signature elements");
    const bool takes_payload = p.kind != ShaderKind::ray_generation && p.kind != ShaderKind::intersection;
    const bool takes_attributes = p.kind == ShaderKind::any_hit || p.kind == ShaderKind::closest_hit;
    if (takes_payload && p.payload_bytes.value_or(0) < bytes_of(0))
      add(rules::kSmRayShaderPayloadSize,
          std::to_string(p.payload_bytes.value_or(0)) + " bytes declared, but the type has " + std::to_string(bytes_of(0)));
    if (takes_attributes && p.attribute_bytes.value_or(0) < bytes_of(1))
      add(rules::kSmRayShaderPayloadSize,
          std::to_string(p.attribute_bytes.value_or(0)) + " attribute bytes declared, but the type has " + std::to_string(bytes_of(1)));
  }

  const ModuleCheck& c_;
  const Module& m_;
  TypeLayout layout_;
  const EntryPoint* entry_ = nullptr;
  std::string path_;
};

}  // namespace

void check_entries(const ModuleCheck& check) { EntryChecker(check).check(); }

}  // namespace unshade::dxil::validate
