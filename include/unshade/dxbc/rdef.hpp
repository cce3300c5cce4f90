// RDEF: the resource definitions of a DXBC container: constant buffers with their types, and what is bound where.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <unshade/core/placed.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>

namespace unshade::dxbc {

using dxcontainer::BaseType;
using dxcontainer::BufferKind;
using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;
using dxcontainer::ReturnType;
using dxcontainer::TypeClass;

/// The target of a program, as RDEF encodes it. observed: in 1,058 parts; effect and library: read, not observed.
enum class RdefTarget : std::uint16_t {
  pixel = 0xffff,
  vertex = 0xfffe,
  geometry = 0x4753,
  hull = 0x4853,
  domain = 0x4453,
  compute = 0x4353,
  effect = 0x4658,
  library = 0x4c46,
};

const FieldType& field_type(RdefTarget);
/// Names for reports: `pixel`. Empty for a value without a name.
std::string_view id(RdefTarget target);

/// Bits of ConstantBuffer::flags.
inline constexpr std::uint32_t kBufferUserPacked = 1;
/// Bits of Variable::flags.
inline constexpr std::uint32_t kVariableUserPacked = 1;
inline constexpr std::uint32_t kVariableUsed = 2;
inline constexpr std::uint32_t kVariableInterfacePointer = 4;
inline constexpr std::uint32_t kVariableInterfaceParameter = 8;
/// Bits of Binding::flags.
inline constexpr std::uint32_t kBindingUserPacked = 1;
inline constexpr std::uint32_t kBindingComparisonSampler = 2;
inline constexpr std::uint32_t kBindingComponentShift = 2;  ///< two bits: components of a typed resource, less one
inline constexpr std::uint32_t kBindingUnused = 0x10;

/// No type: Type::subtype and Type::base_class if there is none.
inline constexpr std::uint32_t kNoType = 0xffff'ffff;
/// A variable or member without an offset.
inline constexpr std::uint32_t kNoOffset = 0xffff'ffff;

/// A member of a struct or class.
struct Member {
  String name;
  std::uint32_t type = kNoType;  ///< index into Rdef::types
  std::uint32_t offset = 0;      ///< bytes from the start of the struct
};

struct TypeReference {
  std::uint32_t type = kNoType;  ///< index into Rdef::types
};

/// One type record. Types are shared: every record is in Rdef::types once, whoever refers to it.
struct Type {
  TypeClass variable_class = TypeClass::scalar;
  BaseType type = BaseType::void_;
  std::uint16_t rows = 0;
  std::uint16_t columns = 0;
  std::uint16_t elements = 0;  ///< of an array; 0 if it is none
  Table<Member> members;
  // from shader model 5.0 on
  std::uint32_t subtype = kNoType;     ///< index into Rdef::types
  std::uint32_t base_class = kNoType;  ///< index into Rdef::types
  Table<TypeReference> interfaces;
  String name;
  std::uint32_t offset = kUnplaced;  ///< of the record, bytes from the start of the part's data

  bool is_struct() const { return variable_class == TypeClass::structure; }
};

/// The bytes a variable is initialised with.
struct DefaultValue {
  View bytes;
};

struct Variable {
  String name;
  std::uint32_t offset = 0;  ///< bytes from the start of the buffer
  std::uint32_t size = 0;    ///< bytes
  std::uint32_t flags = 0;
  std::uint32_t type = kNoType;       ///< index into Rdef::types
  Table<DefaultValue> default_value;  ///< one or none
  // from shader model 5.0 on; what of them an object inside the variable takes up
  std::uint32_t start_texture = 0xffff'ffff;  ///< -1 if there is none
  std::uint32_t texture_count = 0;
  std::uint32_t start_sampler = 0xffff'ffff;  ///< -1 if there is none
  std::uint32_t sampler_count = 0;

  bool is_used() const { return (flags & kVariableUsed) != 0; }
};

struct ConstantBuffer {
  String name;  ///< absent (offset 0) in some files; fxc's listing leaves such a buffer out
  Table<Variable> variables;
  std::uint32_t size = 0;  ///< bytes
  std::uint32_t flags = 0;
  BufferKind kind = BufferKind::cbuffer;
};

struct Binding {
  String name;
  ResourceKind kind = ResourceKind::cbuffer;
  ReturnType return_type = ReturnType::none;
  ResourceDimension dimension = ResourceDimension::unknown;
  std::uint32_t sample_count = 0;  ///< multisampled textures: samples, 0 if any; structured buffers: stride; other textures: -1
  std::uint32_t bind_point = 0;
  std::uint32_t bind_count = 0;  ///< 0: unbounded (shader model 5.1)
  std::uint32_t flags = 0;
  // shader model 5.1
  std::uint32_t space = 0;
  std::uint32_t id = 0;

  bool is_uav() const {
    return kind == ResourceKind::uav_typed || kind == ResourceKind::uav_structured || kind >= ResourceKind::uav_byte_address;
  }
  bool is_comparison_sampler() const { return kind == ResourceKind::sampler && (flags & kBindingComparisonSampler) != 0; }
  /// Components of a typed resource, 1 to 4.
  unsigned components() const { return (flags >> kBindingComponentShift & 3) + 1; }
};

/// Bytes from one record to the next, which decide what fields the records have. From 5.0 on the header states them.
struct RdefStrides {
  std::uint32_t header = 28;
  std::uint32_t constant_buffer = 24;
  std::uint32_t binding = 32;
  std::uint32_t variable = 24;
  std::uint32_t type = 16;
  std::uint32_t member = 12;

  friend bool operator==(const RdefStrides&, const RdefStrides&) = default;

  bool has_space() const { return binding >= 40; }
  bool has_variable_objects() const { return variable >= 40; }
  bool has_class_info() const { return type >= 36; }
};

/// `RD11`, the mark of the longer header, and what is in its place from 5.1 on.
inline constexpr std::uint32_t kRdefMagic50 = dxcontainer::fourcc("RD11");
inline constexpr std::uint32_t kRdefMagic51 = 0x2544'1313;
/// The strides that fxc writes beside a magic.
RdefStrides standard_strides(std::uint32_t magic);

/// The bits of Rdef::flags, ConstantBuffer::flags, Variable::flags and Binding::flags by their names.
extern const FieldType kCompileFlags;
extern const FieldType kBufferFlags;
extern const FieldType kVariableFlags;
extern const FieldType kBindingFlags;

/// The parsed part. Borrows the file's bytes.
struct Rdef {
  Table<ConstantBuffer> constant_buffers;
  Table<Binding> bindings;
  std::uint8_t major_version = 0;
  std::uint8_t minor_version = 0;
  RdefTarget target = RdefTarget::pixel;
  std::uint32_t flags = 0;  ///< D3DCOMPILE_*
  String creator;
  std::uint32_t magic = 0;  ///< kRdefMagic50, kRdefMagic51, or 0: the short header
  RdefStrides strides;
  std::uint32_t interface_slots = 0;
  std::vector<Type> types;  ///< every type record, each once; what a type refers to precedes it

  bool has_space() const { return strides.has_space(); }
};

/// Reads an RDEF part. Errors: truncated, out_of_range, bad_value (a stride too small), overlap, cycle, limit, with paths such as
/// `RDEF/constant_buffers[0]/variables[2]/type/members[1]/name`.
Result<Rdef> parse_rdef(const dxcontainer::Part& part);
/// Adds the part's fields to a tree.
void record_rdef(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);
/// The part's data. An unedited part gives back its bytes.
std::vector<std::byte> write_rdef(const Rdef& rdef);
/// If nothing in a model has a place yet, gives each record the one that fxc would give it; else changes nothing: write_rdef() puts what
/// has none after the rest.
void place_as_fxc(Rdef& rdef);

}  // namespace unshade::dxbc
