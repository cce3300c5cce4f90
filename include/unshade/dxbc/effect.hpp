// FX10: an effect as fxc compiles it for fx_4_0, fx_4_1 and fx_5_0: constant buffers, objects with their states, shaders, techniques.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/placed.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxbc {

enum class EffectVersion : std::uint32_t { fx_4_0 = 0xfeff'1001, fx_4_1 = 0xfeff'1011, fx_5_0 = 0xfeff'2001 };

enum class EffectTypeKind : std::uint32_t { numeric = 1, object, structure, interface };
enum class EffectScalar : std::uint32_t { float_ = 1, int_, uint_, bool_ };
enum class EffectLayout : std::uint32_t { scalar = 1, vector, matrix };

enum class EffectObject : std::uint32_t {
  string = 1,
  blend_state,
  depth_stencil_state,
  rasterizer_state,
  pixel_shader,
  vertex_shader,
  geometry_shader,
  geometry_shader_stream_output,
  texture,
  texture1d,
  texture1darray,
  texture2d,
  texture2darray,
  texture2dms,
  texture2dmsarray,
  texture3d,
  texturecube,
  constant_buffer,
  render_target_view,
  depth_stencil_view,
  sampler_state,
  buffer,
  texturecubearray,
  pixel_shader5 = 25,
  vertex_shader5,
  geometry_shader5,
  compute_shader5,
  hull_shader5,
  domain_shader5,
  rwtexture1d,
  rwtexture1darray,
  rwtexture2d,
  rwtexture2darray,
  rwtexture3d,
  rwbuffer,
  byte_address_buffer,
  rw_byte_address_buffer,
  structured_buffer,
  rw_structured_buffer,
  rw_structured_buffer_alloc,
  rw_structured_buffer_consume,
  append_structured_buffer,
  consume_structured_buffer,
};

enum class EffectState : std::uint32_t {
#define UNSHADE_EFFECT_STATE(id, text, type, components, indexes, values) id,
#include <unshade/dxbc/effect_states.def>
};

/// What an assignment's initializer is.
enum class EffectAssigned : std::uint32_t {
  constant = 1,
  variable,
  constant_index,    ///< an element of an array, by a number
  variable_index,    ///< by a variable
  expression_index,  ///< by an expression
  expression,
  inline_shader,
  inline_shader5,
};

/// No register: `ExplicitBindPoint`.
inline constexpr std::uint32_t kNoBindPoint = 0xffff'ffff;
inline constexpr std::uint32_t kNoEffectType = 0xffff'ffff;

struct EffectMember {
  String name;
  String semantic;
  std::uint32_t offset = 0;  ///< bytes from the start of the structure
  std::uint32_t type = 0;    ///< in Effect::types
};

struct EffectTypeReference {
  std::uint32_t type = 0;  ///< in Effect::types
};

struct EffectType {
  std::uint32_t offset = kUnplaced;
  String name;
  EffectTypeKind kind = EffectTypeKind::numeric;
  std::uint32_t elements = 0;     ///< 0 if it is no array
  std::uint32_t total_bytes = 0;  ///< unpacked
  std::uint32_t stride = 0;       ///< bytes from one element to the next
  std::uint32_t packed_bytes = 0;
  std::uint32_t numeric = 0;  ///< layout, scalar, rows, columns: bits
  EffectObject object = EffectObject::string;
  std::vector<EffectMember> members;
  std::uint32_t base_class = kNoEffectType;     ///< fx_5_0
  std::vector<EffectTypeReference> interfaces;  ///< fx_5_0

  EffectScalar scalar() const;
  EffectLayout layout() const;
  std::uint32_t rows() const;
  std::uint32_t columns() const;
  bool is_column_major() const;
};

/// A block of bytes with its size in front: a container with a shader or an expression. Empty for NULL.
struct EffectCode {
  std::uint32_t offset = kUnplaced;
  View bytes;
};

/// Numbers, packed, of the variable's type.
struct EffectValue {
  std::uint32_t offset = kUnplaced;  ///< 0 for none
  View bytes;
};

struct EffectText {
  String text;
};

/// A value for an interface: an instance of a class, or an element of an array of them.
struct EffectInstance {
  String name;
  std::uint32_t element = kNoBindPoint;
};

struct EffectShader {
  EffectCode code;
  std::array<String, 4> stream_output{};  ///< declarations: `SV_POSITION.xyzw; TEXCOORD.xy`
  std::uint32_t stream_count = 0;         ///< fx_5_0
  std::uint32_t rasterized_stream = 0;    ///< fx_5_0
  Table<EffectInstance> bindings;         ///< fx_5_0: what its interface parameters are
};

struct EffectConstant {
  EffectScalar type = EffectScalar::int_;
  std::uint32_t bits = 0;
};

struct EffectAssignment {
  EffectState state = EffectState::rasterizer_state;
  std::uint32_t index = 0;  ///< of the render target
  EffectAssigned kind = EffectAssigned::constant;
  std::uint32_t offset = kUnplaced;       ///< of the initializer
  std::vector<EffectConstant> constants;  ///< constant
  String variable;                        ///< variable, or the array of the three indexed kinds
  std::uint32_t element = 0;              ///< constant_index
  String element_variable;                ///< variable_index
  EffectCode code;                        ///< expression, expression_index
  std::vector<EffectShader> shaders;      ///< one: inline_shader, inline_shader5
};

struct EffectBlock {
  std::vector<EffectAssignment> assignments;
};

struct EffectAnnotation {
  String name;
  std::uint32_t type = 0;           ///< in Effect::types
  std::vector<EffectText> strings;  ///< of a string, or an array of them
  EffectValue value;                ///< of anything else
};

struct EffectVariable {
  String name;
  std::uint32_t type = 0;  ///< in Effect::types
  String semantic;
  std::uint32_t offset = 0;  ///< bytes from the start of the buffer
  EffectValue default_value;
  std::uint32_t flags = 0;
  std::vector<EffectAnnotation> annotations;
};

struct EffectBuffer {
  String name;
  std::uint32_t size = 0;
  std::uint32_t flags = 0;
  std::uint32_t bind_point = kNoBindPoint;
  std::vector<EffectAnnotation> annotations;
  std::vector<EffectVariable> variables;
};

/// A variable that is an object. What it has besides depends on its type; arrays have an element of it for each of theirs.
struct EffectObjectVariable {
  String name;
  std::uint32_t type = 0;  ///< in Effect::types
  String semantic;
  std::uint32_t bind_point = kNoBindPoint;
  std::vector<EffectBlock> blocks;  ///< states
  std::vector<EffectShader> shaders;
  std::vector<EffectText> strings;
  std::vector<EffectAnnotation> annotations;
};

struct EffectInterfaceVariable {
  String name;
  std::uint32_t type = 0;  ///< in Effect::types
  Table<EffectInstance> instances;
  std::uint32_t flags = 0;
  std::vector<EffectAnnotation> annotations;
};

struct EffectPass {
  String name;
  std::vector<EffectAnnotation> annotations;
  std::vector<EffectAssignment> assignments;
};

struct EffectTechnique {
  String name;
  std::vector<EffectAnnotation> annotations;
  std::vector<EffectPass> passes;
};

struct EffectGroup {
  String name;
  std::vector<EffectAnnotation> annotations;
  std::vector<EffectTechnique> techniques;
};

/// What the header counts besides what is listed; kUnplaced if it is to be counted on writing.
struct EffectCounts {
  std::uint32_t numeric_variables = kUnplaced;
  std::uint32_t shared_numeric_variables = kUnplaced;
  std::uint32_t techniques = kUnplaced;  ///< fx_5_0; others list them
  std::uint32_t data_bytes = kUnplaced;  ///< of the types, texts, values and shaders
  std::uint32_t strings = kUnplaced;
  std::uint32_t shader_resources = kUnplaced;
  std::uint32_t depth_stencil_states = kUnplaced;
  std::uint32_t blend_states = kUnplaced;
  std::uint32_t rasterizer_states = kUnplaced;
  std::uint32_t sampler_states = kUnplaced;
  std::uint32_t render_target_views = kUnplaced;
  std::uint32_t depth_stencil_views = kUnplaced;
  std::uint32_t shaders = kUnplaced;
  std::uint32_t inline_shaders = kUnplaced;
  std::uint32_t unordered_access_views = kUnplaced;   ///< fx_5_0
  std::uint32_t interface_elements = kUnplaced;       ///< fx_5_0
  std::uint32_t class_instance_elements = kUnplaced;  ///< fx_5_0
};

/// The parsed part. Borrows the file's bytes.
struct Effect {
  EffectVersion version = EffectVersion::fx_4_0;
  EffectCounts counts;
  std::uint32_t reserved = 0;  ///< four zeros before the data: the empty text, and the shader that is NULL
  std::vector<EffectType> types;
  std::vector<EffectBuffer> buffers;
  std::vector<EffectObjectVariable> objects;
  std::vector<EffectBuffer> shared_buffers;  ///< of a pool, if the effect is a child
  std::vector<EffectObjectVariable> shared_objects;
  std::vector<EffectInterfaceVariable> interfaces;  ///< fx_5_0
  std::vector<EffectTechnique> techniques;          ///< fx_4_0 and fx_4_1
  std::vector<EffectGroup> groups;                  ///< fx_5_0

  bool is_5() const { return version == EffectVersion::fx_5_0; }
  bool is_child() const { return !shared_buffers.empty() || !shared_objects.empty(); }
};

/// Reads an FX10 part. Errors: truncated, out_of_range, bad_value, cycle, limit, unsupported.
Result<Effect> parse_effect(const dxcontainer::Part& part);
/// Adds the part's fields to a tree.
void record_effect(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);
/// The part's data. An unedited part gives back its bytes; what has no place gets that which fxc would give it.
std::vector<std::byte> write_effect(const Effect& effect);

/// The name of a state or of an object's type in effect files: `BlendEnable`; empty if there is none.
std::string_view state_name(EffectState state);
std::string_view object_name(EffectObject object);

/// A shader inside an effect. NULL is none.
struct EffectShaderPlace {
  std::string name;  ///< `vs`, `vs[1]`, `technique/pass/VertexShader`
  View bytes;        ///< the container, in the file's bytes
};
/// The shaders, those of objects first, then those of passes, in the order of the part.
std::vector<EffectShaderPlace> shaders_of(const Effect& effect);
/// The file with another container in the place of a shader, by its number in `shaders_of`. The effect is laid out afresh.
/// Errors: missing if there is no effect; out_of_range; bad_magic if `shader` is no container; those of parse_effect().
Result<std::vector<std::byte>> replace_shader(const dxcontainer::Container& container, std::size_t number, View shader);

const FieldType& field_type(EffectVersion);
const FieldType& field_type(EffectTypeKind);
const FieldType& field_type(EffectScalar);
const FieldType& field_type(EffectObject);
const FieldType& field_type(EffectState);
const FieldType& field_type(EffectAssigned);

}  // namespace unshade::dxbc
