// The metadata of a DXIL module: entry points, signatures, resources, layouts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/module.hpp>

namespace unshade::dxil {

/// An element of a signature, of one register or more.
struct MetadataElement {
  std::uint32_t id = 0;
  std::string_view name;
  ComponentType component_type = ComponentType::invalid;
  SemanticKind semantic = SemanticKind::arbitrary;
  std::vector<std::uint32_t> semantic_indexes;  ///< one a row
  Interpolation interpolation = Interpolation::undefined;
  std::uint32_t rows = 0;
  std::uint8_t columns = 0;
  std::int32_t start_row = -1;  ///< -1: has no register
  std::int8_t start_column = -1;
  std::uint32_t stream = 0;
  std::uint8_t dynamic_mask = 0;  ///< components that are indexed by a register
  std::uint8_t usage_mask = 0;

  bool allocated() const { return start_row >= 0; }
  /// Of its register: the first component that it takes. 0 without a register, and for columns that no register has.
  unsigned first_component() const { return allocated() && start_column > 0 && start_column < 4 ? static_cast<unsigned>(start_column) : 0; }
  /// Components of its register that it takes, and those of them that are used, if usage is known.
  std::uint8_t mask() const { return static_cast<std::uint8_t>(((1U << (columns < 4 ? columns : 4U)) - 1) << first_component() & 0xf); }
  std::uint8_t used_mask() const { return static_cast<std::uint8_t>(unsigned{usage_mask} << first_component() & 0xf); }
};

/// Of the signatures of an entry point.
enum class SignatureSide : std::uint8_t { input, output, patch_or_primitives };
/// The name by which dxc lists an element and writes it into signatures: if it is a system value, the one that HLSL gives it.
/// src: DXC DxilSignatureElement.cpp, GetName
std::string_view semantic_name(const MetadataElement& element, ShaderKind kind, SignatureSide side);

/// A range of registers.
struct ProgramResource {
  ResourceClass resource_class = ResourceClass::invalid;
  ResourceKind kind = ResourceKind::invalid;  ///< of buffers and textures
  std::uint32_t id = 0;
  std::uint32_t type = kNone;    ///< type id: a pointer to what HLSL declares
  std::uint32_t symbol = kNone;  ///< value id of the global, or of an undef in its place
  std::string_view name;         ///< empty if reflection was stripped
  std::uint32_t space = 0;
  std::uint32_t lower_bound = 0;
  std::uint32_t count = 0;  ///< 0xffffffff: unbounded
  std::uint32_t sample_count = 0;
  std::uint32_t component_type = 0;  ///< a ComponentType; typed buffers and textures
  std::uint32_t components = 0;      ///< 1 to 4: of typed buffers and textures, as their type says; 0 if it does not
  std::uint32_t stride = 0;          ///< in bytes; structured buffers
  std::uint32_t size = 0;            ///< in bytes; constant buffers
  std::uint32_t sampler_kind = 0;    ///< 1: of comparison
  std::uint32_t feedback_kind = 0;   ///< textures of feedback: 0 the least mip level, 1 regions of mip levels
  bool globally_coherent = false;
  bool reorder_coherent = false;
  bool has_counter = false;
  bool raster_ordered = false;
  bool atomic_64 = false;  ///< 64-bit atomics are done on it
};

struct MatrixAnnotation {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t orientation = 0;  ///< 1 row major, 2 column major; 0 neither
};

/// Some bits of an integer member.
struct BitField {
  std::string_view name;
  std::uint32_t width = 0;  ///< in bits
};

/// A member of a structure.
struct FieldAnnotation {
  std::string_view name;
  std::uint32_t component_type = 0;          ///< a ComponentType
  std::uint32_t constant_buffer_offset = 0;  ///< in bytes, from the structure's start
  bool is_matrix = false;
  MatrixAnnotation matrix;
  std::uint32_t vector_size = 0;  ///< 0: not stated, then the type tells
  bool precise = false;
  bool used = false;
  std::vector<BitField> bit_fields;  ///< what an integer is divided into
};

struct StructAnnotation {
  std::uint32_t type = 0;                  ///< type id
  std::uint32_t constant_buffer_size = 0;  ///< in bytes
  std::vector<FieldAnnotation> fields;
};

struct EntryPoint {
  std::uint32_t function = kNone;  ///< in Module::functions; none for the entry of a library that stands for all of it
  std::string_view name;
  std::uint64_t flags = 0;  ///< dxil::shader_flag
  std::vector<MetadataElement> inputs;
  std::vector<MetadataElement> outputs;
  std::vector<MetadataElement> patch_or_primitives;
  std::uint32_t properties = kNone;  ///< metadata id of the list of tags and values
};

/// Flags of an entry point that change what else means. src: DXC DxilShaderFlags.h
namespace shader_flag {
inline constexpr std::uint64_t kViewId = std::uint64_t{1} << 21;
inline constexpr std::uint64_t kNativeLowPrecision = std::uint64_t{1} << 23;
}  // namespace shader_flag

/// Borrows the module, which has to outlive it.
struct ProgramMetadata {
  const Module* module = nullptr;
  bool present = false;  ///< whether the module is one of DXIL (`dx.version`)
  std::uint32_t dxil_major = 0, dxil_minor = 0;
  std::uint32_t validator_major = 0, validator_minor = 0;
  std::string_view profile;  ///< `vs`
  ShaderKind kind = ShaderKind::invalid;
  std::uint32_t major = 0, minor = 0;  ///< of the shader model
  std::vector<EntryPoint> entries;
  std::vector<ProgramResource> shader_resources, unordered_access, constant_buffers, samplers;
  std::vector<StructAnnotation> structs;
  std::vector<std::uint32_t> struct_of_type;  ///< by type id: in structs, or kNone
  bool has_view_id_state = false;
  std::vector<std::uint32_t> view_id_state;  ///< serialized; docs/reference/formats/dxil.md

  /// Shader model 6.2 and up can have 16-bit types that are not of minimum precision.
  bool minimum_precision() const { return entries.empty() || (entries[0].flags & shader_flag::kNativeLowPrecision) == 0; }
  bool has_validator_version = false;  ///< without it, the version counts as 1.0
  /// From validator version 1.5 on, annotations and elements say what of them is used. 0.0, which STAT has, means the newest.
  /// src: DXC DxilConstants.h, CompareVersions
  bool states_usage() const { return has_validator_version && (validator_major != 1 || validator_minor >= 5); }
  /// The annotation of a structure, or null if there is none.
  const StructAnnotation* find_struct(std::uint32_t type) const;
};

/// The structure that HLSL declares, inside the pointer and the arrays of a resource's type, or kNone.
std::uint32_t declared_structure(const Module& module, const ProgramResource& resource);

/// Reads the metadata. Missing or malformed entries keep their defaults: validation reports them.
ProgramMetadata read_program_metadata(const Module& module);

}  // namespace unshade::dxil
