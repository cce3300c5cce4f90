// RDAT: what a runtime needs of a library: its functions, resources, subobjects and nodes. The same form holds the contents of a PDBI
// part: sources, arguments, libraries.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <unshade/core/placed.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/enums.hpp>

namespace unshade::dxil {

/// A reference to nothing.
inline constexpr std::uint32_t kNullReference = 0xffff'ffff;

/// Some of the raw bytes.
struct RdatBytes {
  std::uint32_t offset = 0;  ///< bytes from the start of the raw bytes
  std::uint32_t size = 0;
};

// In the records below:
//   String           a text of the string buffer; its offset counts from the buffer's start
//   `_array`         a dword offset in the index arrays: count, then numbers (of records, or string offsets); kNullReference: none
//   `_record`        number of a record in its table; kNullReference: none
//   extra            bytes of a record that this version does not know

struct RdatResource {
  ResourceClass resource_class = ResourceClass::invalid;
  ResourceKind kind = ResourceKind::invalid;
  std::uint32_t id = 0;
  std::uint32_t space = 0;
  std::uint32_t lower_bound = 0;
  std::uint32_t upper_bound = 0;
  String name;
  std::uint32_t flags = 0;
  View extra;
};

/// Bytes: 44; 52 from validator version 1.8 on.
struct RdatFunction {
  String name;  ///< mangled
  String unmangled_name;
  std::uint32_t resources_array = kNullReference;     ///< of RdatResource
  std::uint32_t dependencies_array = kNullReference;  ///< of strings
  ShaderKind kind = ShaderKind::library;
  std::uint32_t payload_bytes = 0;      ///< of callables: their parameter's
  std::uint32_t attribute_bytes = 0;    ///< any hit, closest hit
  std::uint64_t features = 0;           ///< as in SFI0
  std::uint32_t stages = 0;             ///< bit i: it can be used in stage ShaderKind i
  std::uint32_t min_shader_target = 0;  ///< as a program version
  std::uint8_t min_wave_lanes = 0;      ///< 0: not said
  std::uint8_t max_wave_lanes = 0;
  std::uint16_t shader_flags = 0;
  std::uint32_t shader_record = kNullReference;  ///< in the table of its kind: nodes, or a stage's
  View extra;
};

struct RdatSubobject {
  SubobjectKind kind = SubobjectKind::state_object_config;
  String name;
  std::uint32_t flags = 0;                       ///< state object config, pipeline config 1
  RdatBytes root_signature;                      ///< global and local root signatures: RTS0 data
  String subobject;                              ///< association
  std::uint32_t exports_array = kNullReference;  ///< association: of strings
  std::uint32_t max_payload_bytes = 0;           ///< shader config
  std::uint32_t max_attribute_bytes = 0;         ///< shader config
  std::uint32_t max_recursion_depth = 0;         ///< pipeline config
  HitGroupType hit_group = HitGroupType::triangle;
  String any_hit;
  String closest_hit;
  String intersection;
  View extra;  ///< what the kind leaves of the 16 bytes, and what lies after them
};

/// The bits of RdatSubobject::flags by their names: of a state object config, and of a pipeline config 1.
inline constexpr NamedValue kStateObjectFlagValues[] = {{0x1, "allow_local_dependencies_on_external_definitions"},
                                                        {0x2, "allow_external_dependencies_on_local_definitions"},
                                                        {0x4, "allow_state_object_additions"}};
inline constexpr NameTable kStateObjectFlagNames{kStateObjectFlagValues};
inline constexpr FieldType kStateObjectFlags{FieldKind::flags, "state object flags", &kStateObjectFlagNames};

inline constexpr NamedValue kPipelineFlagValues[] = {
    {0x100, "skip_triangles"}, {0x200, "skip_procedural_primitives"}, {0x400, "allow_opacity_micromaps"}};
inline constexpr NameTable kPipelineFlagNames{kPipelineFlagValues};
inline constexpr FieldType kPipelineFlags{FieldKind::flags, "raytracing pipeline flags", &kPipelineFlagNames};

struct RdatNodeId {
  String name;
  std::uint32_t index = 0;
  View extra;
};

struct RdatNodeFunctionAttribute {
  NodeFunctionAttribute kind = NodeFunctionAttribute::none;
  std::uint32_t value = 0;  ///< by kind: number, record of a node id, or index array
  View extra;
};

struct RdatNodeIoAttribute {
  NodeIoAttribute kind = NodeIoAttribute::none;
  std::uint32_t value = 0;  ///< by kind: number, record of a node id, or dispatch grid
  View extra;
};
/// The fields of a dispatch grid.
inline constexpr Bits kDispatchGridBits[] = {{"byte_offset", 0, 16}, {"components", 16, 2}, {"component_type", 18, 14}};

struct RdatNodeIo {
  std::uint32_t flags = 0;  ///< DXIL::NodeIOFlags
  std::uint32_t attributes_array = kNullReference;
  View extra;
};

struct RdatNodeShader {
  NodeLaunch launch = NodeLaunch::none;
  std::uint32_t group_shared_bytes = 0;
  std::uint32_t attributes_array = kNullReference;
  std::uint32_t outputs_array = kNullReference;
  std::uint32_t inputs_array = kNullReference;
  View extra;
};

// Fields of two bytes of a signature element.
inline constexpr Bits kRdatColumns{"columns", 0, 2};  ///< less one
inline constexpr Bits kRdatStartColumn{"start_column", 2, 2};
inline constexpr Bits kRdatStream{"stream", 4, 2};
inline constexpr Bits kRdatUsageMask{"usage_mask", 0, 4};
inline constexpr Bits kRdatDynamicMask{"dynamic_mask", 4, 4};

/// Experimental, as are the tables of stages that follow: no released validator writes them.
struct RdatSignatureElement {
  String semantic_name;
  std::uint32_t semantic_indexes_array = kNullReference;  ///< a number for each row
  SemanticKind semantic_kind = SemanticKind::arbitrary;
  ComponentType component_type = ComponentType::invalid;
  Interpolation interpolation = Interpolation::undefined;
  std::uint8_t start_row = 0;  ///< 0xff: not allocated
  std::uint8_t column_bits = 0;
  std::uint8_t mask_bits = 0;
  View extra;
};

/// The properties of a function by its stage: one struct for all; a stage fills its own fields.
struct RdatStage {
  std::uint32_t inputs_array = kNullReference;
  std::uint32_t outputs_array = kNullReference;
  std::uint32_t patch_or_primitives_array = kNullReference;
  RdatBytes view_id_outputs;
  RdatBytes view_id_patch_or_primitives;
  RdatBytes input_outputs;
  RdatBytes input_patch_constants;  ///< hull; domain: from patch constants to outputs
  std::uint32_t num_threads_array = kNullReference;
  std::uint32_t group_shared_bytes = 0;
  std::uint32_t group_shared_bytes_dependent_on_view_id = 0;
  std::uint32_t payload_bytes = 0;
  std::uint16_t max_output_vertices = 0;
  std::uint16_t max_output_primitives = 0;
  std::uint8_t input_control_point_count = 0;
  std::uint8_t output_control_point_count = 0;
  TessellatorDomain tessellator_domain = TessellatorDomain::undefined;
  TessellatorOutput tessellator_output = TessellatorOutput::undefined;
  InputPrimitive input_primitive = InputPrimitive::undefined;
  OutputTopology output_topology = OutputTopology::undefined;
  MeshTopology mesh_topology = MeshTopology::undefined;
  std::uint8_t max_vertex_count = 0;
  std::uint8_t output_stream_mask = 0;
  View extra;
};

struct RdatPdbSource {
  String name;
  String content;
  View extra;
};

struct RdatPdbLibrary {
  String name;
  RdatBytes data;
  View extra;
};

struct RdatPdbInfo {
  std::uint32_t sources_array = kNullReference;
  std::uint32_t libraries_array = kNullReference;
  std::uint32_t arguments_array = kNullReference;  ///< of strings: name, value, name, value
  RdatBytes hash;
  String pdb_name;
  std::uint32_t custom_toolchain_id = 0;
  RdatBytes custom_toolchain_data;
  RdatBytes whole_dxil;  ///< a container
  View extra;
};

/// Records of one kind. `stride` is what the file states; it may be larger than what is known of the record.
template <class Row>
struct RdatTable {
  std::vector<Row> rows;
  std::uint32_t stride = 0;  ///< 0: that of the newest known version
  View extra;                ///< bytes of the part after the records

  std::size_t size() const { return rows.size(); }
  bool empty() const { return rows.empty(); }
  const Row& operator[](std::size_t i) const { return rows[i]; }
  Row& operator[](std::size_t i) { return rows[i]; }
  auto begin() const { return rows.begin(); }
  auto end() const { return rows.end(); }
};

/// A piece of the part, in the order of the file.
struct RdatPart {
  RdatPartType type{};
  std::uint32_t offset = kUnplaced;  ///< of its header, bytes from the start of the part's data
  View data;                         ///< what follows its 8-byte header, as read
  bool kept = false;                 ///< written back as it was read: of an unknown type, repeated, or records shorter than known
};

/// Numbers of an index array.
struct RdatIndexes {
  View words;

  std::size_t size() const { return words.size() / 4; }
  bool empty() const { return words.empty(); }
  std::uint32_t operator[](std::size_t i) const { return words.u32(4 * i).value_or(0); }
};

/// The parsed part. Borrows the file's bytes.
struct Rdat {
  std::uint32_t version = 0x10;
  std::vector<RdatPart> parts;
  View strings;  ///< zero-terminated texts
  View index_arrays;
  View raw_bytes;
  View extra;  ///< bytes after the last piece
  RdatTable<RdatResource> resources;
  RdatTable<RdatFunction> functions;
  RdatTable<RdatSubobject> subobjects;
  RdatTable<RdatNodeId> node_ids;
  RdatTable<RdatNodeIoAttribute> node_io_attributes;
  RdatTable<RdatNodeFunctionAttribute> node_function_attributes;
  RdatTable<RdatNodeIo> node_ios;
  RdatTable<RdatNodeShader> node_shaders;
  RdatTable<RdatSignatureElement> signature_elements;
  RdatTable<RdatStage> vertex_shaders;
  RdatTable<RdatStage> pixel_shaders;
  RdatTable<RdatStage> hull_shaders;
  RdatTable<RdatStage> domain_shaders;
  RdatTable<RdatStage> geometry_shaders;
  RdatTable<RdatStage> compute_shaders;
  RdatTable<RdatStage> mesh_shaders;
  RdatTable<RdatStage> amplification_shaders;
  RdatTable<RdatPdbInfo> pdb_infos;
  RdatTable<RdatPdbSource> pdb_sources;
  RdatTable<RdatPdbLibrary> pdb_libraries;

  /// The array at a reference; empty for kNullReference and if it does not lie within.
  RdatIndexes indexes(std::uint32_t array) const;
  /// The text at an offset of the string buffer; empty if there is none.
  std::string_view text(std::uint32_t offset) const { return strings.c_string(offset).value_or(std::string_view()); }
  /// Empty if they do not lie within.
  View bytes(const RdatBytes& reference) const { return raw_bytes.sub(reference.offset, reference.size).value_or(View()); }
};

/// Reads the part. Errors: truncated; out_of_range for a piece or a text that lies beyond the end; overlap for pieces
/// that share bytes; unsupported for another version;
/// with paths such as `RDAT/function_table/records[3]/name`.
Result<Rdat> parse_rdat(const dxcontainer::Part& part);
/// The same of bytes that are not a part of their own; errors are named below `name`.
Result<Rdat> parse_rdat(View data, const char* name);
/// Adds the part's fields to a tree.
void record_rdat(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);
/// The part's data. An unedited part gives back its bytes; if the records have become more or fewer, its pieces are placed anew, one
/// after the other, and texts without a place go after the string buffer's others.
std::vector<std::byte> write_rdat(const Rdat& rdat);

}  // namespace unshade::dxil
