// Whether Direct3D or Vulkan would link the stages of a pipeline.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/stage.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::scene {

/// Inputs of a stage that the stage before does not write, or writes to other registers or components, or with another component type, for
/// which Direct3D refuses the pipeline: a sentence each.
/// src: Direct3D 11.3 functional specification, 4.4 "Hardware/API shader interfaces"; Direct3D 12 messages 660 (register), 661 (component
/// type) and 662 (mask)
/// `stream`: of a geometry shader before a pixel shader, the one that is rasterized.
std::vector<std::string> linkage_faults(const ir::Module& before, const ir::Module& module, std::uint32_t stream = 0);

/// Inputs whose minimum precision is not that of the output, for which Direct3D refuses the pipeline too.
/// src: Direct3D 12 message 665: "different min precision levels, when they must be identical"
std::vector<std::string> precision_faults(const shader::EntryPoint& before, const shader::EntryPoint& entry, std::uint32_t stream = 0);

/// A stage of SPIR-V. Borrows.
struct SpirvStage {
  const spirv::Module& module;
  std::string_view entry;  ///< `main` or `main:pixel`; empty: the first of the stage
  Stage stage;
  std::uint32_t stream = 0;  ///< of its outputs, that which the next stage reads
};
/// Nullptr if the module has none.
const spirv::EntryPoint* entry_point(const spirv::Interface& interface, const SpirvStage& stage);
/// Inputs whose locations and components the stage before does not write, or writes with another type or width, for another part of a
/// primitive, or in a variable of another type, location or component, and built-ins that it does not write: a sentence each.
std::vector<std::string> location_faults(const SpirvStage& before, const SpirvStage& stage);

}  // namespace unshade::scene
