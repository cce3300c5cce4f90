// The properties of an entry point's stage in a module's metadata.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/metadata.hpp>

namespace unshade::dxil {

struct GeometryProperties {
  InputPrimitive input_primitive = InputPrimitive::undefined;
  std::uint32_t max_vertex_count = 0;
  std::uint32_t active_streams = 0;  ///< bit i: stream i
  OutputTopology output_topology = OutputTopology::undefined;
  std::uint32_t instance_count = 0;
};

struct DomainProperties {
  TessellatorDomain domain = TessellatorDomain::undefined;
  std::uint32_t input_control_points = 0;
};

struct HullProperties {
  std::uint32_t input_control_points = 0;
  std::uint32_t output_control_points = 0;
  TessellatorDomain domain = TessellatorDomain::undefined;
  TessellatorPartitioning partitioning = TessellatorPartitioning::undefined;
  TessellatorOutput output = TessellatorOutput::undefined;
  float max_tess_factor = 0;
};

struct MeshProperties {
  std::uint32_t max_vertices = 0;
  std::uint32_t max_primitives = 0;
  MeshTopology topology = MeshTopology::undefined;
};

/// Lanes of a wave. A single size is `min`, the others 0.
struct WaveSize {
  std::uint32_t min = 0;
  std::uint32_t max = 0;
  std::uint32_t preferred = 0;
};

struct EntryProperties {
  ShaderKind kind = ShaderKind::invalid;
  std::optional<GeometryProperties> geometry;
  std::optional<DomainProperties> domain;
  std::optional<HullProperties> hull;
  std::optional<MeshProperties> mesh;
  std::optional<std::array<std::uint32_t, 3>> thread_group;
  std::optional<std::uint32_t> payload_bytes;    ///< of a callable: its parameter's
  std::optional<std::uint32_t> attribute_bytes;  ///< any hit, closest hit
  std::optional<WaveSize> wave_size;
  std::uint32_t patch_constant_function = kNone;  ///< of a hull shader; in Module::functions
  bool has_root_signature = false;
};

/// Reads the list of tags and values of an entry. Of a library's functions the list says the kind; of others it is the profile's. What is
/// missing or malformed is left out.
EntryProperties read_entry_properties(const ProgramMetadata& metadata, const EntryPoint& entry);

/// Bits of SFI0 that the flags of an entry stand for. src: DXC DxilShaderFlags.cpp, GetFeatureInfo
std::uint64_t features_of_flags(std::uint64_t shader_flags);
/// Bit of EntryPoint::flags: [earlydepthstencil].
inline constexpr std::uint64_t kForceEarlyDepthStencil = 0x8;

/// A count of instructions that the compiler stated, by its name in the file: `insts`, `tex_norm`.
struct Counter {
  std::string_view name;
  std::uint32_t value = 0;
};
/// Those of `dx.counters`; none if they were stripped.
std::vector<Counter> read_counters(const Module& module);

/// Sources that dxc keeps in a module with debug information (`-Zi`). Borrows the module.
struct ModuleSources {
  struct File {
    std::string_view name;
    std::string_view content;
  };
  std::vector<File> files;                  ///< `dx.source.contents`
  std::string_view main_file;               ///< `dx.source.mainFileName`: one of the files
  std::vector<std::string_view> arguments;  ///< `dx.source.args`, each as the command line had it: `-T`, `ps_6_0`
  std::vector<std::string_view> defines;    ///< `dx.source.defines`: `NAME=VALUE`
};
/// Nothing if there are none. src: DXC lib/HLSL/DxilMetadataHelper, clang CodeGen
ModuleSources read_sources(const Module& module);

/// The compiler, as `llvm.ident` names it; empty if it does not.
std::string_view creator_of(const Module& module);

}  // namespace unshade::dxil
