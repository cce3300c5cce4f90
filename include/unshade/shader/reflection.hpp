// The interface of a shader: one model that every family fills, and that tables, JSON and HLSL are printed from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/stage.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/enums.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/traits.hpp>

namespace unshade::shader {

// If Direct3D has an enumeration for the thing, it is the one here: its numbers are Direct3D's, so that callers of its reflection can cast,
// and what other families add follows. id() gives the name in reports, empty for a value without one.
using dxcontainer::BaseType;
using dxcontainer::BufferKind;
using dxcontainer::InputPrimitive;
using dxcontainer::Interpolation;
using dxcontainer::MeshTopology;
using dxcontainer::NodeLaunch;
using dxcontainer::OutputTopology;
using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;
using dxcontainer::ReturnType;
using dxcontainer::TessellatorDomain;
using dxcontainer::TessellatorOutput;
using dxcontainer::TessellatorPartitioning;
using dxcontainer::TypeClass;

using unshade::id;
using unshade::Stage;

/// What shares a record of a node: each thread has one, a group, or a dispatch.
enum class NodeRecords : std::uint8_t { none = 0, thread = 1, group = 2, dispatch = 3 };

std::string_view id(NodeRecords records);

/// None: an index into a table of the model if nothing is referred to, and an offset if there is none.
inline constexpr std::uint32_t kNone = 0xffff'ffff;
/// The register number of an element that has none: output depth and its like.
using dxcontainer::kNoRegister;

/// D3D11_SIGNATURE_PARAMETER_DESC, and what declarations add. Of SPIR-V, an interface variable or a member of an interface block: its name
/// is the semantic, its location the register.
struct SignatureElement {
  std::string semantic;
  std::uint32_t semantic_index = 0;
  std::uint32_t register_index = 0;  ///< kNoRegister if it has none
  std::uint32_t stream = 0;          ///< geometry shader outputs
  dxcontainer::SystemValue system_value = dxcontainer::SystemValue::undefined;
  dxcontainer::ComponentType component_type = dxcontainer::ComponentType::unknown;
  dxcontainer::MinPrecision min_precision = dxcontainer::MinPrecision::none;
  Interpolation interpolation = Interpolation::undefined;
  std::uint8_t mask = 0;       ///< components the element has, bit 0 is x
  std::uint8_t used_mask = 0;  ///< of what is taken in: components read; of what is given out: components that are written, or may be
  // SPIR-V alone
  bool per_primitive = false;  ///< of a pixel shader's inputs: each pixel gets the value of its primitive
  bool per_vertex = false;     ///< the same: an array of the values of all vertices, of which none is interpolated
  std::string built_in;        ///< `Position`, `FragCoord`; empty if it is none
  std::uint32_t type = kNone;  ///< index into Reflection::types
  std::uint32_t index = 0;     ///< of two outputs blended with each other
};

struct Member {
  std::string name;
  std::uint32_t type = kNone;  ///< index into Reflection::types
  std::uint32_t offset = 0;    ///< bytes from the start of the struct
};

/// D3D11_SHADER_TYPE_DESC. Types are shared, and what a type refers to precedes it: the tree that they span has no cycles, but
/// walking it costs more than reading the table.
struct Type {
  TypeClass type_class = TypeClass::scalar;
  BaseType base = BaseType::void_;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t elements = 0;  ///< of an array; 0 if it is none. Of an array of arrays, those of all its dimensions together.
  std::uint32_t subtype = kNone;
  std::uint32_t base_class = kNone;
  std::string name;
  std::vector<Member> members;
  std::vector<std::uint32_t> interfaces;
  // SPIR-V alone
  std::vector<std::uint32_t> dimensions;  ///< of an array, outermost first; 0: as many as the buffer holds
  std::uint32_t array_stride = 0;         ///< bytes from an element to the next, of the innermost dimension; 0 if it is not laid out
  /// Bytes from an element to the next of the dimensions before the innermost, outermost first. Empty if each is what its elements take.
  std::vector<std::uint32_t> outer_strides;
  std::uint32_t matrix_stride = 0;  ///< bytes from a column (of matrix_rows, a row) to the next; 0 if it is not laid out

  bool is_struct() const { return type_class == TypeClass::structure || (type_class == TypeClass::interface_class && !members.empty()); }
  /// Bytes from the start of an array to an element, which is counted through all dimensions; `stride`: those of the innermost.
  std::uint64_t element_offset(std::uint64_t element, std::uint64_t stride) const;
};

/// D3D11_SHADER_VARIABLE_DESC.
struct Variable {
  std::string name;
  std::uint32_t type = kNone;  ///< index into Reflection::types
  std::uint32_t offset = 0;    ///< bytes from the start of the buffer; of interfaces, the first slot
  std::uint32_t size =
      0;  ///< bytes; of interfaces, slots; 0 for an open array: as many elements as the buffer holds, each Type::array_stride
  std::uint32_t flags = 0;  ///< D3D_SHADER_VARIABLE_FLAGS
  bool used = false;
  std::vector<std::byte> default_value;  ///< empty if there is none, else size bytes laid out as in the buffer
  // what objects inside the variable take up
  std::uint32_t start_texture = kNone;
  std::uint32_t texture_count = 0;
  std::uint32_t start_sampler = kNone;
  std::uint32_t sampler_count = 0;
};

/// D3D11_SHADER_BUFFER_DESC: a constant or texture buffer, the interfaces, or (resource_bind_info) the element of a structured buffer.
struct Buffer {
  std::string name;  ///< may be empty
  BufferKind kind = BufferKind::cbuffer;
  std::uint32_t size = 0;   ///< bytes, without the elements of an open array
  std::uint32_t flags = 0;  ///< D3D_SHADER_CBUFFER_FLAGS
  std::vector<Variable> variables;
};

/// D3D12_SHADER_INPUT_BIND_DESC.
struct Resource {
  std::string name;
  ResourceKind kind = ResourceKind::cbuffer;
  ReturnType return_type = ReturnType::none;
  ResourceDimension dimension = ResourceDimension::unknown;
  std::uint32_t components = 0;    ///< of a typed resource, 1 to 4; else 0
  std::uint32_t sample_count = 0;  ///< of a multisampled texture that states it; else 0
  std::uint32_t stride = 0;        ///< bytes of a structured buffer's element; else 0
  std::uint32_t bind_point = 0;
  std::uint32_t bind_count = 1;  ///< 0: unbounded
  std::uint32_t space = 0;
  std::uint32_t id = 0;          ///< shader model 5.1 and later: range id
  std::uint32_t flags = 0;       ///< D3D_SHADER_INPUT_FLAGS
  std::uint32_t buffer = kNone;  ///< index into Reflection::buffers of what it holds
  bool comparison = false;       ///< a sampler that compares
  // from declarations
  bool globally_coherent = false;
  bool rasterizer_ordered = false;
  // SPIR-V alone, where space is the descriptor set and bind_point the binding
  bool read_only = false;                 ///< NonWritable
  bool write_only = false;                ///< NonReadable
  std::uint32_t attachment = kNone;       ///< of an input attachment: InputAttachmentIndex
  std::string format;                     ///< of a storage image that states it: `Rgba8`
  std::vector<std::uint32_t> dimensions;  ///< of an array of arrays, outermost first; bind_count is their product
};

/// A constant whose value is given when the pipeline is made.
struct SpecializationConstant {
  std::string name;
  std::uint32_t id = 0;             ///< SpecId
  BaseType type = BaseType::uint_;  ///< bool_, or a number
  std::uint64_t default_value = 0;  ///< bits
};

struct Geometry {
  InputPrimitive input_primitive = InputPrimitive::undefined;
  OutputTopology output_topology = OutputTopology::undefined;
  std::uint32_t max_vertex_count = 0;
  std::uint32_t instance_count = 0;
  std::uint32_t streams = 0;  ///< bit i: stream i is written
  // PICA200 alone, which has none of the above
  std::string mode;                  ///< `point`, `variable`, `fixed`; else empty
  std::uint32_t vertices = 0;        ///< variable: those with all attributes; fixed: all
  std::uint32_t first_constant = 0;  ///< fixed: the register where the vertices begin
};

/// Of hull and domain shaders.
struct Tessellation {
  TessellatorDomain domain = TessellatorDomain::undefined;
  TessellatorPartitioning partitioning = TessellatorPartitioning::undefined;
  TessellatorOutput output = TessellatorOutput::undefined;
  std::uint32_t input_control_points = 0;
  std::uint32_t output_control_points = 0;
  std::optional<float> max_tess_factor;
};

struct Mesh {
  MeshTopology topology = MeshTopology::undefined;
  std::uint32_t max_vertices = 0;
  std::uint32_t max_primitives = 0;
};

/// How many lanes a wave has to have. Of a single size, min alone is not 0.
struct WaveSize {
  std::uint32_t min = 0;
  std::uint32_t max = 0;
  std::uint32_t preferred = 0;
};

/// A node of a work graph, or the place in an array of nodes.
struct NodeId {
  std::string name;
  std::uint32_t index = 0;
};

/// An input or output of a node.
struct NodeIo {
  std::uint32_t flags = 0;  ///< node_flag_names()
  NodeRecords records = NodeRecords::none;
  std::uint32_t record_bytes = 0;  ///< 0: it has no record
  std::uint32_t record_alignment = 0;
  std::uint32_t max_records = 0;
  std::optional<NodeId> id;           ///< of an output: where it goes
  std::uint32_t array_size = 0;       ///< of an array of outputs; 0xffffffff: unbounded
  bool sparse = false;                ///< not every node of the array needs to be there
  std::uint32_t shares_with = kNone;  ///< the output with which it shares its limit of records
  // where in the record the dispatch grid lies; none if components is 0
  std::uint32_t grid_offset = 0;  ///< bytes
  std::uint32_t grid_components = 0;
  BaseType grid_type = BaseType::void_;  ///< uint_ or uint16
};

/// Of a node shader.
struct Node {
  NodeLaunch launch = NodeLaunch::none;
  NodeId id;
  std::optional<NodeId> shares_input_of;
  bool is_program_entry = false;
  std::uint32_t local_root_arguments_index = kNone;
  std::uint32_t max_recursion_depth = 0;
  std::optional<std::array<std::uint32_t, 3>> dispatch_grid;
  std::optional<std::array<std::uint32_t, 3>> max_dispatch_grid;
  std::vector<NodeIo> inputs;
  std::vector<NodeIo> outputs;
};
/// Names of the bits of NodeIo::flags.
const NameTable& node_flag_names();

struct Pixel {
  bool early_depth_stencil = false;  ///< [earlydepthstencil]
  bool sample_frequency = false;     ///< runs once for each sample
  bool writes_depth = false;
  bool writes_coverage = false;
  bool writes_stencil_ref = false;
};

/// The counts of D3D11_SHADER_DESC and of the methods beside it. What the compiler stated, not a recount.
struct Statistics {
  std::uint32_t instruction_count = 0;
  std::uint32_t temp_register_count = 0;
  std::uint32_t temp_array_count = 0;
  std::uint32_t define_count = 0;
  std::uint32_t declaration_count = 0;
  std::uint32_t texture_normal_instructions = 0;
  std::uint32_t texture_load_instructions = 0;
  std::uint32_t texture_comparison_instructions = 0;
  std::uint32_t texture_bias_instructions = 0;
  std::uint32_t texture_gradient_instructions = 0;
  std::uint32_t texture_gather_instructions = 0;
  std::uint32_t texture_lod_instructions = 0;
  std::uint32_t texture_store_instructions = 0;
  std::uint32_t float_instruction_count = 0;
  std::uint32_t int_instruction_count = 0;
  std::uint32_t uint_instruction_count = 0;
  std::uint32_t bitwise_instruction_count = 0;
  std::uint32_t conversion_instruction_count = 0;
  std::uint32_t mov_instruction_count = 0;
  std::uint32_t movc_instruction_count = 0;
  std::uint32_t static_flow_control_count = 0;
  std::uint32_t dynamic_flow_control_count = 0;
  std::uint32_t macro_instruction_count = 0;
  std::uint32_t array_instruction_count = 0;
  std::uint32_t cut_instruction_count = 0;
  std::uint32_t emit_instruction_count = 0;
  std::uint32_t barrier_instructions = 0;
  std::uint32_t interlocked_instructions = 0;
};

/// A count and its name.
struct StatisticField {
  std::string_view id;
  std::uint32_t Statistics::* count;
};
std::span<const StatisticField> statistic_fields();

/// One way into a shader. A DXBC has one, whose name no part of the file tells.
struct EntryPoint {
  std::string name;  ///< empty if the file does not tell
  Stage stage = Stage::none;
  std::vector<SignatureElement> inputs;
  std::vector<SignatureElement> outputs;
  std::vector<SignatureElement> patch_constants;
  std::uint64_t required_features = 0;       ///< D3D_SHADER_REQUIRES_*, as GetRequiresFlags gives them
  std::vector<std::string> execution_modes;  ///< SPIR-V: as its listing spells them, `LocalSize 8 8 1`
  std::vector<std::uint32_t> resources;      ///< indexes into Reflection::resources, if a file with several entry points tells them apart
  std::optional<std::array<std::uint32_t, 3>> thread_group;
  /// SPIR-V: by dimension, the id of the specialization constant that gives it (thread_group has its default); kNone if it is fixed.
  std::array<std::uint32_t, 3> thread_group_constants{kNone, kNone, kNone};
  std::optional<Geometry> geometry;
  std::optional<Tessellation> tessellation;
  std::optional<Pixel> pixel;
  std::optional<Statistics> statistics;
  // DXIL alone
  std::string unmangled_name;  ///< of a library's function
  std::optional<Mesh> mesh;    ///< of SPIR-V too
  std::optional<Node> node;
  std::optional<WaveSize> wave_size;
  std::optional<std::uint32_t> payload_bytes;       ///< ray tracing, mesh, amplification; of a callable, its parameter's
  std::optional<std::uint32_t> attribute_bytes;     ///< any hit, closest hit
  std::optional<std::uint32_t> group_shared_bytes;  ///< if the file states them
  bool uses_view_id = false;
  std::vector<std::string> dependencies;  ///< functions that a library's function needs from elsewhere
};

/// Names of the bits of EntryPoint::required_features.
const NameTable& required_feature_names();
/// Early depth-stencil is one of D3D_SHADER_REQUIRES_*, but its bit has another meaning in SFI0.
inline constexpr std::uint64_t kRequiresEarlyDepthStencil = 0x2;

/// None: a class instance without a texture or sampler.
inline constexpr std::uint32_t kNoSlot = 0xffff;

struct ClassType {
  std::string name;
  std::uint32_t constant_buffer_stride = 0;  ///< registers of 16 bytes
  std::uint32_t texture_count = 0;
  std::uint32_t sampler_count = 0;
};

struct ClassInstance {
  std::string name;
  std::uint32_t type = 0;  ///< index into ClassLinkage::types
  std::uint32_t elements = 1;
  std::uint32_t constant_buffer = 0;
  std::uint32_t constant_buffer_offset = 0;  ///< registers of 16 bytes
  std::uint32_t texture = kNoSlot;
  std::uint32_t sampler = kNoSlot;
};

/// The classes that may implement an interface, and the function table of each.
struct InterfaceSlot {
  std::uint32_t first = 0;
  std::uint32_t count = 1;
  std::vector<std::uint32_t> types;   ///< indexes into ClassLinkage::types
  std::vector<std::uint32_t> tables;  ///< as many
};

struct ClassLinkage {
  std::vector<ClassType> types;
  std::vector<ClassInstance> instances;
  std::vector<InterfaceSlot> slots;
};

/// A part of a state object (of a ray tracing pipeline, for one) that a library defines. Kinds have the numbers of
/// D3D12_STATE_SUBOBJECT_TYPE.
struct Subobject {
  dxil::SubobjectKind kind = dxil::SubobjectKind::state_object_config;
  std::string name;
  std::uint32_t flags = 0;                ///< state object config, pipeline config 1: subobject_flag_names()
  std::vector<std::byte> root_signature;  ///< global and local root signatures: data of an RTS0
  std::string root_signature_text;        ///< the same in HLSL, docs/howto/root_signatures.md; empty if it cannot be read
  std::string subobject;                  ///< association: the subobject that the exports get
  std::vector<std::string> exports;       ///< association: functions and hit groups
  std::uint32_t max_payload_bytes = 0;    ///< shader config
  std::uint32_t max_attribute_bytes = 0;  ///< shader config
  std::uint32_t max_recursion_depth = 0;  ///< pipeline configs
  dxil::HitGroupType hit_group = dxil::HitGroupType::triangle;
  std::string any_hit;  ///< of a hit group, as the two below: functions; empty if it has none
  std::string closest_hit;
  std::string intersection;
};
/// Names of the bits of Subobject::flags.
const NameTable& subobject_flag_names(dxil::SubobjectKind kind);

/// A variable of an effect that is no number: a texture, a sampler with its states, a shader, a text.
struct EffectObject {
  std::string name;
  std::string type;                  ///< `Texture2D`, `BlendState`, `VertexShader`; empty if the type has no name
  std::string semantic;              ///< empty if it has none
  std::uint32_t elements = 0;        ///< of an array; 0 if it is none
  std::uint32_t bind_point = kNone;  ///< the register that the effect asks for
};

/// A shader that a pass sets.
struct EffectPassShader {
  std::string state;   ///< `VertexShader`
  std::string shader;  ///< the object, `vs` or `vs[1]`; empty if the shader is in the pass
  bool is_null = false;
};

struct EffectPass {
  std::string name;
  std::vector<EffectPassShader> shaders;
};

struct EffectTechnique {
  std::string group;  ///< fx_5_0; empty if it has no name
  std::string name;
  std::vector<EffectPass> passes;
};

/// The contents of an effect (FX10) besides buffers.
struct EffectContents {
  std::vector<EffectObject> objects;
  std::vector<EffectTechnique> techniques;
};

/// D3D_FEATURE_LEVEL in the order of their power, as GetMinFeatureLevel tells them.
enum class FeatureLevel : std::uint8_t { unknown, level_9_1, level_9_3, level_10_0, level_10_1, level_11_0, level_11_1, level_12_0 };
std::string_view id(FeatureLevel level);

/// The model. Owns all it holds: the file's bytes may go.
struct Reflection {
  Family family = Family::unknown;
  std::uint8_t major_version = 0;  ///< shader model
  std::uint8_t minor_version = 0;
  std::string profile;              ///< `ps_5_0`; empty if nothing tells
  std::string creator;              ///< the compiler, as the file names it; empty if it does not
  std::uint32_t compile_flags = 0;  ///< D3DCOMPILE_*
  FeatureLevel min_feature_level = FeatureLevel::unknown;
  bool rebuilt = false;  ///< the definitions were stripped: resources and buffers come from declarations, with generated names
  bool has_root_signature = false;
  bool compute_on_4x = false;  ///< bit 1 of SFI0: raw and structured buffers, and compute shaders, on shader model 4
  std::uint32_t interface_slots = 0;
  std::vector<EntryPoint> entry_points;
  std::vector<Resource> resources;
  std::vector<Buffer> buffers;
  std::vector<Type> types;
  std::optional<ClassLinkage> class_linkage;
  std::vector<Subobject> subobjects;  ///< DXIL: of a library
  std::vector<SpecializationConstant> specialization_constants;
  std::optional<EffectContents> effect;
  std::vector<std::string> capabilities;  ///< SPIR-V: `Shader`, and extensions: `SPV_KHR_multiview`

  /// Whether resources are bound by descriptor set and binding (Vulkan), not by register and space (Direct3D).
  bool has_descriptor_sets() const { return traits_of(family).has_descriptor_sets; }
};

const NameTable& compile_flag_names();
const NameTable& variable_flag_names();
const NameTable& resource_flag_names();

/// Reads the interface of a shader. Errors: those of the parts; missing if the file holds nothing to reflect; unsupported for a
/// family that this version does not reflect.
Result<Reflection> reflect(const Shader& shader);

/// Appends a type's name as HLSL spells it, without the array's brackets: `row_major float4x3`, `Light`.
void print_type_name(const Type& type, Text& out);

/// Appends everything as tables for people.
void print_reflection(const Reflection& reflection, Text& out);

/// Appends HLSL that declares the same things: structs, buffers, resources, and structs of the signatures.
/// Source: docs/reference/reflection.md, "HLSL".
void print_hlsl(const Reflection& reflection, Text& out);

}  // namespace unshade::shader
