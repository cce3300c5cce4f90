// PSV0: the facts by which a runtime checks a pipeline state without reading bitcode.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/placed.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/enums.hpp>

namespace unshade::dxil {

/// Geometry shaders write to as many streams.
inline constexpr std::size_t kStreamCount = 4;
/// What field trees and documents call the vectors of each.
inline constexpr const char* kOutputVectors[] = {"output_vectors_0", "output_vectors_1", "output_vectors_2", "output_vectors_3"};

/// Sizes of PSVRuntimeInfo0 to 4, of a resource and of an element.
inline constexpr std::uint32_t kPsvInfoBytes[] = {24, 36, 48, 52, 56};
inline constexpr std::uint32_t kPsvResourceBytes[] = {16, 24};
inline constexpr std::uint32_t kPsvElementBytes = 16;

/// The bits of PsvResource::flags by their names.
inline constexpr NamedValue kPsvResourceFlagValues[] = {{0x1, "used_by_atomic_64"}};
inline constexpr NameTable kPsvResourceFlagNames{kPsvResourceFlagValues};
inline constexpr FieldType kPsvResourceFlags{FieldKind::flags, "PSV0 resource flags", &kPsvResourceFlagNames};

/// The fields that only some stages have: those of other stages are 0. src: DXC DxilPipelineStateValidation.h, PSVRuntimeInfo0
struct PsvStageInfo {
  std::uint8_t output_position_present = 0;                             ///< vertex, domain, geometry
  std::uint32_t input_control_point_count = 0;                          ///< hull, domain
  std::uint32_t output_control_point_count = 0;                         ///< hull
  TessellatorDomain tessellator_domain = TessellatorDomain::undefined;  ///< hull, domain
  TessellatorOutput tessellator_output = TessellatorOutput::undefined;  ///< hull
  InputPrimitive input_primitive = InputPrimitive::undefined;           ///< geometry
  OutputTopology output_topology = OutputTopology::undefined;           ///< geometry
  std::uint32_t output_stream_mask = 0;                                 ///< geometry
  std::uint8_t depth_output = 0;                                        ///< pixel
  std::uint8_t sample_frequency = 0;                                    ///< pixel
  std::uint32_t group_shared_bytes = 0;                                 ///< mesh
  std::uint32_t group_shared_bytes_dependent_on_view_id = 0;            ///< mesh
  std::uint32_t payload_bytes = 0;                                      ///< mesh, amplification
  std::uint16_t max_output_vertices = 0;                                ///< mesh
  std::uint16_t max_output_primitives = 0;                              ///< mesh
  View reserved;                                                        ///< what is left of the 16 bytes, in their order of two runs
  View reserved_middle;                                                 ///< domain: the 3 bytes after output_position_present
};

/// Facts of the program as a whole. The size tells which fields the file has.
struct PsvRuntimeInfo {
  std::uint32_t size = 52;                ///< bytes as the file states them: 24, 36, 48, 52 or 56 for versions 0 to 4
  ShaderKind kind = ShaderKind::invalid;  ///< from version 1 on; in version 0 what the caller of parse_psv() says
  PsvStageInfo stage;
  std::uint32_t min_wave_lanes = 0;            ///< 0: any
  std::uint32_t max_wave_lanes = 0xffff'ffff;  ///< 0xffffffff: any
  // version 1
  std::uint8_t uses_view_id = 0;
  std::uint16_t max_vertex_count = 0;                    ///< geometry
  std::uint8_t patch_or_primitive_vectors = 0;           ///< hull: patch constants out; domain: in; mesh: primitive outputs
  MeshTopology mesh_topology = MeshTopology::undefined;  ///< mesh
  View reserved;                                         ///< what other stages leave of the 2 bytes of the three fields above
  std::uint8_t input_element_count = 0;                  ///< as read; write_psv() counts the elements
  std::uint8_t output_element_count = 0;
  std::uint8_t patch_element_count = 0;
  std::uint8_t input_vectors = 0;  ///< registers that the packed input elements take
  std::array<std::uint8_t, kStreamCount> output_vectors{};
  // version 2
  std::array<std::uint32_t, 3> num_threads{};  ///< compute, mesh, amplification
  // version 3
  String entry_name;  ///< offset: bytes from the start of the string table
  // version 4
  std::uint32_t group_shared_memory_bytes = 0;  ///< compute, mesh, amplification
  View extra;                                   ///< fields of versions to come

  /// 0 to 4, by the size.
  unsigned version() const { return size < 36 ? 0 : size < 48 ? 1 : size < 52 ? 2 : size < 56 ? 3 : 4; }
};

/// A range of registers that the program binds. Bytes: 16, 24 from version 2 on.
struct PsvResource {
  PsvResourceType type = PsvResourceType::invalid;
  std::uint32_t space = 0;
  std::uint32_t lower_bound = 0;
  std::uint32_t upper_bound = 0;              ///< inclusive; 0xffffffff: unbounded
  ResourceKind kind = ResourceKind::invalid;  ///< version 2
  std::uint32_t flags = 0;                    ///< version 2: bit 0, used by 64-bit atomics
  View extra;
};

// Fields of two bytes of an element.
inline constexpr Bits kPsvColumns{"columns", 0, 4};
inline constexpr Bits kPsvStartColumn{"start_column", 4, 2};
inline constexpr Bits kPsvAllocated{"allocated", 6, 1};
inline constexpr Bits kPsvDynamicMask{"dynamic_mask", 0, 4};
inline constexpr Bits kPsvStream{"stream", 4, 2};

/// An element of a signature, of one register or more. Bytes: 16.
struct PsvSignatureElement {
  String semantic_name;                ///< empty for system values; offset: bytes from the start of the string table
  std::uint32_t semantic_indexes = 0;  ///< the first of `rows` numbers of Psv::semantic_indexes
  std::uint8_t rows = 0;
  std::uint8_t start_row = 0;
  std::uint8_t column_bits = 0;
  SemanticKind semantic_kind = SemanticKind::arbitrary;
  dxcontainer::ComponentType component_type = dxcontainer::ComponentType::unknown;
  Interpolation interpolation = Interpolation::undefined;
  std::uint8_t stream_bits = 0;
  std::uint8_t reserved = 0;
  View extra;

  std::uint32_t columns() const { return kPsvColumns.get(column_bits); }
  std::uint32_t start_column() const { return kPsvStartColumn.get(column_bits); }
  bool allocated() const { return kPsvAllocated.get(column_bits) != 0; }
  std::uint32_t dynamic_mask() const { return kPsvDynamicMask.get(stream_bits); }  ///< components indexed by a register
  std::uint32_t stream() const { return kPsvStream.get(stream_bits); }
};

/// A bit for each component of some registers: bit `4 * register + component` of dwords.
struct ComponentMask {
  View bytes;

  static constexpr std::size_t bytes_of(std::size_t vectors) { return 4 * ((vectors + 7) / 8); }

  bool test(std::size_t component) const {
    const auto byte = bytes.u8(component / 8);
    return byte && (*byte >> component % 8 & 1) != 0;
  }
};

/// For each component of `input_vectors` registers a mask of the outputs that depend on it.
struct DependencyTable {
  View bytes;
  std::uint32_t input_vectors = 0;
  std::uint32_t output_vectors = 0;

  bool empty() const { return bytes.empty(); }
  /// `input`: 4 * register + component.
  ComponentMask outputs_of(std::size_t input) const {
    const std::size_t each = ComponentMask::bytes_of(output_vectors);
    return {bytes.clamped(input * each, each)};
  }
};

/// The parsed part. Borrows the file's bytes.
struct Psv {
  PsvRuntimeInfo info;
  std::uint32_t resource_stride = 24;  ///< bytes as the file states them; it does not if there are no resources
  std::vector<PsvResource> resources;  ///< constant buffers, samplers, shader resources, unordered access views
  // version 1
  View strings;  ///< zero-terminated texts; offsets of names count from here
  std::vector<std::uint32_t> semantic_indexes;
  std::uint32_t element_stride = 16;
  std::vector<PsvSignatureElement> inputs;
  std::vector<PsvSignatureElement> outputs;
  std::vector<PsvSignatureElement> patch_or_primitives;
  std::array<ComponentMask, kStreamCount> view_id_outputs;  ///< outputs that depend on the view id, by stream; with uses_view_id
  ComponentMask view_id_patch_or_primitives;                ///< hull, mesh
  std::array<DependencyTable, kStreamCount> input_outputs;
  DependencyTable input_patch_constants;   ///< hull
  DependencyTable patch_constant_outputs;  ///< domain
  View extra;                              ///< bytes after all that

  /// The semantic index of each row of an element; empty if the file's numbers are out of range.
  std::span<const std::uint32_t> indexes_of(const PsvSignatureElement& element) const {
    const std::size_t first = element.semantic_indexes;
    if (first > semantic_indexes.size() || element.rows > semantic_indexes.size() - first) return {};
    return std::span(semantic_indexes).subspan(first, element.rows);
  }
};

/// Reads the part. `kind`: the stage of the program, by which the first 16 bytes are read in version 0, which does not tell itself.
/// Errors: truncated; bad_value for a size smaller than version 0 needs; out_of_range for a name beyond the string table, with paths such
/// as `PSV0/inputs[2]/semantic_name`.
Result<Psv> parse_psv(const dxcontainer::Part& part, ShaderKind kind = ShaderKind::invalid);
/// Adds the part's fields to a tree.
void record_psv(const dxcontainer::Part& part, Tree& tree, std::uint32_t group, ShaderKind kind = ShaderKind::invalid);
/// The part's data. An unedited part gives back its bytes; names without a place go after the string table's others.
std::vector<std::byte> write_psv(const Psv& psv);

}  // namespace unshade::dxil
