// SPIR-V of a module of the IR, for Vulkan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text/identifiers.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>
#include <unshade/ir/structure.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::write {

/// Which rules numbers follow.
enum class Numbers : std::uint8_t {
  exact,   ///< those of the source: what SPIR-V leaves open, such as division by zero, is written out
  native,  ///< those of the target's own operations
};

/// Where resources of registers are bound.
enum class BindingModel : std::uint8_t {
  registers,  ///< set = space, binding = register plus a shift by kind, as by dxc's -fvk-t-shift and the like
  sdl_gpu,    ///< sets by stage and kind, binding = register: SDL_CreateGPUShader
  vkd3d,      ///< set 0, numbers in the order of declarations, a counter behind its buffer: vkd3d-compiler
};

inline constexpr std::uint32_t kMostFirstSet = 65535;

/// The model and its numbers. The shifts are those of NVRHI, so that 128 registers of each kind have bindings of their own.
struct Binding {
  BindingModel model = BindingModel::registers;
  std::uint32_t texture_shift = 0;
  std::uint32_t sampler_shift = 128;
  std::uint32_t cbuffer_shift = 256;
  std::uint32_t uav_shift = 384;
  /// Added to spaces, so that each stage of a pipeline can have sets of its own; not of `sdl_gpu`. At most kMostFirstSet.
  std::uint32_t first_set = 0;
  /// Resources of several kinds may have one binding, as in HLSL their registers have one number: the module is for what writes HLSL.
  bool kinds_overlap = false;
  /// Of descriptor heaps: resources are at binding 0 of it, samplers at 1, counters at 2. Without one, the set behind those that are used.
  std::optional<std::uint32_t> heap_set{};
};

/// What a module says of where its instructions come from.
enum class DebugInfo : std::uint8_t {
  none,
  lines,   ///< OpLine
  source,  ///< NonSemantic.Shader.DebugInfo.100, with the text: what debuggers step through
};

/// The text that instructions come from: a listing, or source.
struct DebugSource {
  std::string file;  ///< its name
  std::string text;
  std::optional<ShadingLanguage> language;        ///< of source
  std::vector<std::vector<std::uint32_t>> lines;  ///< by function and ir::Source::instruction, from 1; 0: none
  std::vector<std::string> registers;             ///< by ir::Source::instruction, what it writes: `r0`; empty: nothing
};

struct SpirvOptions {
  Numbers numbers = Numbers::exact;
  std::uint32_t version = 0x0001'0600;  ///< of the module: 0x00010300 is 1.3
  Binding binding;
  /// Negates the y of positions, which points down in Vulkan: of what comes before the rasterizer, if the viewport does not do it.
  bool flip_y = false;
  DebugInfo debug = DebugInfo::none;
  const DebugSource* source = nullptr;  ///< of debug information; null: there is none
};

/// No binding.
inline constexpr std::uint32_t kNoBinding = 0xffff'ffff;

/// Where a resource of the source is bound.
struct BoundResource {
  std::string name;
  dxcontainer::ResourceKind kind = dxcontainer::ResourceKind::cbuffer;
  std::uint32_t space = 0, first_register = 0, count = 1;  ///< in the source; count 0: unbounded
  std::uint32_t set = 0, binding = 0;
  std::uint32_t counter_binding = kNoBinding;  ///< of a buffer with a counter
};

/// A number that is given when the pipeline is made, where Direct3D has something else: the class of the instance that an interface slot
/// points to, or the samples of the render target.
struct Specialization {
  std::uint32_t id = 0;  ///< SpecId
  std::string name;
  std::uint32_t value = 0;  ///< without one
};

struct SpirvModule {
  std::vector<std::uint32_t> words;
  std::vector<BoundResource> bindings;
  std::vector<Specialization> specializations;
};

/// Translates a module. `reflection`, which may be null, names what is in constant buffers. Errors: unsupported, with the path of the
/// function and what Vulkan lacks or is not translated yet.
Result<SpirvModule> to_spirv(const ir::Structured& module, const shader::Reflection* reflection, const SpirvOptions& options = {});

}  // namespace unshade::write
