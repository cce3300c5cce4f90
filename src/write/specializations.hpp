// Specialization constants in the place of what Direct3D has and Vulkan does not: one model for all writers.
#pragma once

#include <cstdint>
#include <string>

#include <unshade/write/spirv.hpp>

namespace unshade::write {

/// The samples of the render target.
inline Specialization target_samples() { return {1000, "RenderTargetSampleCount", 1}; }
/// The class of the instance that a slot of an interface points to.
inline Specialization interface_slot(std::uint32_t slot) { return {slot, "InterfaceSlot" + std::to_string(slot), 0}; }

}  // namespace unshade::write
