// The capabilities of each family.
#pragma once

#include <cstdint>
#include <string_view>

#include <unshade/shader/shader.hpp>

namespace unshade::shader {

/// Interfaces of graphics, which differ in their clip volumes and in how stages are linked.
enum class GraphicsApi : std::uint8_t { direct3d, vulkan, pica };

struct FamilyTraits {
  std::string_view file_suffix = ".bin";
  std::string_view listing_suffix = ".txt";  ///< as listings are called elsewhere
  bool holds_stages = false;                 ///< files hold shaders of several stages: modules_of()
  bool links = false;                        ///< files can be linked: pica::link()
  GraphicsApi api = GraphicsApi::direct3d;   ///< whose programs they are
  bool has_uniform_registers = false;        ///< constants are in registers of three types (ir::pica_uniforms), not in buffers
  // Which of ListingOptions the family has, besides those that all have.
  bool lists_as_fxc = false;      ///< `fxc` and `exact_floats`
  bool lists_as_dxc = false;      ///< `dxc`
  bool lists_offsets = false;     ///< `offsets`
  bool lists_bytes = false;       ///< `bytes`
  bool lists_bitcode = false;     ///< `bitcode`
  bool lists_like_spirv = false;  ///< those of spirv-dis
  // What reflection shows.
  bool has_descriptor_sets = false;  ///< resources are bound by descriptor set and binding (Vulkan), not by register and space (Direct3D)
  bool has_slots = false;            ///< those of set 0 by slots of a table of their kind
  bool reflects_functions = false;   ///< each entry point is a function with resources and flags of its own; libraries have subobjects
  // Which of AssembleOptions.
  bool assembles_containers = false;  ///< `into` and `container`
  bool assembles_sources = false;     ///< several texts make one file: pica::assemble(), with options of its own
};

const FamilyTraits& traits_of(Family family);

/// The family that id() calls so; unknown if there is none.
Family family_of(std::string_view id);

}  // namespace unshade::shader
