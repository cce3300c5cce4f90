// Whether Direct3D would link the stages of a pipeline.
#pragma once

#include <string>
#include <vector>

#include <unshade/ir/module.hpp>

namespace unshade::scene {

/// Inputs of a stage that the stage before does not write, or writes to other registers or components, for which Direct3D refuses the
/// pipeline: a sentence each.
/// src: Direct3D 11.3 functional specification, 4.4 "Hardware/API shader interfaces"; Direct3D 12 message 660
std::vector<std::string> linkage_faults(const ir::Module& before, const ir::Module& module);

}  // namespace unshade::scene
