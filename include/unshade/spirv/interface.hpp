// What a SPIR-V module shows to the outside: entry points, variables with their decorations, types resolved, constants, and which variable
// each entry point uses. Made in one pass and owned: it does not borrow the module.
// It takes invalid modules too: what cannot be resolved is `kNone`, what is missing stays empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/stage.hpp>
#include <unshade/spirv/enumerants.hpp>
#include <unshade/spirv/id_map.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::spirv {

// Types, members, constants and variables name their decorations by place: Interface::of.

/// No place in one of the interface's vectors.
inline constexpr std::uint32_t kNone = 0xffff'ffff;

/// Decorations of an id or of a struct's member that have no value of their own: bits.
struct DecorationFlags {
  bool block : 1 = false;
  bool buffer_block : 1 = false;  ///< storage buffer of modules before 1.3
  bool row_major : 1 = false;
  bool col_major : 1 = false;
  bool flat : 1 = false;
  bool no_perspective : 1 = false;
  bool centroid : 1 = false;
  bool sample : 1 = false;
  bool patch : 1 = false;
  bool invariant : 1 = false;
  bool relaxed_precision : 1 = false;
  bool non_writable : 1 = false;
  bool non_readable : 1 = false;
  bool coherent : 1 = false;
  bool volatile_ : 1 = false;
  bool restrict : 1 = false;
  bool aliased : 1 = false;
  bool per_primitive : 1 = false;
  bool per_view : 1 = false;
  bool per_vertex : 1 = false;
  bool explicit_interpolation : 1 = false;
  bool non_uniform : 1 = false;
};

/// What decorations say of an id or member, those of its groups included.
struct Decorations : DecorationFlags {
  std::optional<std::uint32_t> set;
  std::optional<std::uint32_t> binding;
  std::optional<std::uint32_t> location;
  std::optional<std::uint32_t> component;
  std::optional<std::uint32_t> index;  ///< of dual-source blending
  std::optional<BuiltIn> builtin;
  std::optional<std::uint32_t> input_attachment_index;
  std::optional<std::uint32_t> offset;         ///< bytes, of members
  std::optional<std::uint32_t> array_stride;   ///< bytes, of array types and pointers
  std::optional<std::uint32_t> matrix_stride;  ///< bytes, of members
  std::optional<std::uint32_t> spec_id;
  std::optional<std::uint32_t> stream;
  std::optional<std::uint32_t> xfb_buffer;
  std::optional<std::uint32_t> xfb_stride;
  std::optional<std::uint32_t> counter_buffer;  ///< id of a variable
  std::string semantic;                         ///< UserSemantic
};

enum class TypeKind : std::uint8_t {
  void_,
  boolean,
  integer,
  real,
  vector,
  matrix,
  array,
  runtime_array,
  structure,
  pointer,
  image,
  sampler,
  sampled_image,
  acceleration_structure,
  ray_query,
  function,
  other,  ///< opaque, kernel types and those of extensions
};

struct ImageInfo {
  Dim dim{};
  std::uint32_t depth = 2;  ///< 0 no, 1 yes, 2 not said
  bool is_arrayed = false;
  bool is_multisampled = false;
  std::uint32_t sampled = 0;  ///< 0 not said, 1 with a sampler, 2 storage
  ImageFormat format{};
};

/// A type. `element` and members come before it in Interface::types, except through pointers: only those can form a cycle.
struct Type {
  std::uint32_t id = 0;
  TypeKind kind = TypeKind::other;
  bool is_signed = false;     ///< integers
  bool has_encoding = false;  ///< real numbers with another encoding than IEEE 754's: `encoding`
  std::uint16_t width = 0;    ///< bits of a number
  FPEncoding encoding{};
  std::uint32_t element = kNone;  ///< vector, matrix (its column), array, pointer, image (texel), sampled image (image)
  std::uint32_t count = 0;        ///< components, columns, length of an array as far as it is known
  std::uint32_t length = kNone;   ///< of an array: its constant
  StorageClass storage{};         ///< pointers
  ImageInfo image;
  std::uint32_t first_member = 0;  ///< in Interface::members
  std::uint32_t member_count = 0;
  std::string name;
  std::uint32_t decoration = 0;
};

struct StructMember {
  std::uint32_t type = kNone;
  std::string name;
  std::uint32_t decoration = 0;
};

/// A constant or specialization constant of the module.
struct Constant {
  std::uint32_t id = 0;
  std::uint32_t type = kNone;
  bool is_spec = false;
  bool has_value = false;            ///< scalars, and the operations on them that are simple integer arithmetic
  std::uint64_t value = 0;           ///< bits; narrower ones zero-extended. A specialization constant's default
  std::vector<std::uint32_t> parts;  ///< of a composite: places in Interface::constants
  std::string name;
  std::uint32_t decoration = 0;
};

/// A variable outside of functions.
struct Variable {
  std::uint32_t id = 0;
  std::uint32_t pointer_type = kNone;
  std::uint32_t type = kNone;  ///< what it points to
  StorageClass storage{};
  std::uint32_t initializer = 0;  ///< id, 0: none
  std::string name;
  std::uint32_t decoration = 0;
};

struct EntryPointMode {
  ExecutionMode mode{};
  bool are_ids = false;                 ///< the operands are ids of constants: OpExecutionModeId
  std::vector<std::uint32_t> operands;  ///< words
};

struct EntryPoint {
  ExecutionModel model{};
  std::uint32_t function = 0;  ///< id
  std::string name;
  std::vector<std::uint32_t> interface_ids;  ///< as declared: inputs and outputs before 1.4, all variables that it uses from then on
  std::vector<EntryPointMode> modes;
  std::vector<std::uint32_t> used;  ///< variables (places in Interface::variables, ascending) that its functions mention
  bool is_use_known = false;        ///< false if finding out would have cost more than the module's size allows; `used` is empty then
};

struct Interface {
  Header header;
  AddressingModel addressing{};
  MemoryModel memory{};
  std::vector<Capability> capabilities;
  std::vector<std::string> extensions;
  std::vector<std::string> instruction_sets;
  std::vector<EntryPoint> entry_points;
  std::vector<Type> types;
  std::vector<StructMember> members;
  std::vector<Constant> constants;
  std::vector<Variable> variables;
  std::vector<Decorations> decorations{1};  ///< the first: of all that have none

  /// Decorations of a type, member, constant or variable.
  template <class T>
  const Decorations& of(const T& decorated) const {
    return decorations[decorated.decoration];
  }
  std::span<const StructMember> members_of(const Type& type) const {
    return std::span<const StructMember>(members).subspan(type.first_member, type.member_count);
  }
  /// nullptr for kNone.
  const Type* type(std::uint32_t place) const { return place < types.size() ? &types[place] : nullptr; }
  /// Places by id, kNone for ids of something else; of several that an id was given to the first. Constant time.
  std::uint32_t find_type(std::uint32_t id) const { return places.get(id).type; }
  std::uint32_t find_constant(std::uint32_t id) const { return places.get(id).constant; }
  std::uint32_t find_variable(std::uint32_t id) const { return places.get(id).variable; }

  /// For find_*.
  struct Places {
    std::uint32_t type = kNone;
    std::uint32_t constant = kNone;
    std::uint32_t variable = kNone;
  };
  IdMap<Places> places;
};

/// The stage of an execution model; none for unknown ones.
Stage stage_of(ExecutionModel model);

/// Decorations of a member, with those that its variable has, or the structure that it is in: of interpolation, `Patch`, `PerPrimitive`,
/// `Index` and `Stream`.
Decorations of_member(const Decorations& member, const Decorations& whole);

/// In proportion to the module, but for a logarithm. Never fails.
Interface interface_of(const Module& module);

/// Whether a variable is an array of which each vertex (of a mesh shader, each primitive too) has an element: inputs of geometry and
/// tessellation shaders, outputs of tessellation control and mesh shaders, inputs of pixel shaders that are PerVertexKHR.
/// src: SPIR-V and Vulkan specifications, "Shader Interfaces"
bool is_per_vertex(const Interface& module, Stage stage, const Variable& variable);

}  // namespace unshade::spirv
