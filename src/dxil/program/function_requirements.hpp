// The requirements of each function's code on the shader that contains it.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/dxil/program/call.hpp>

namespace unshade::dxil::program {

/// Flags of an entry. src: DXC include/dxc/DXIL/DxilShaderFlags.h
namespace used_flag {
constexpr std::uint64_t bit(unsigned n) { return std::uint64_t{1} << n; }
inline constexpr std::uint64_t kDoubles = bit(2), kRawAndStructured = bit(4), kLowPrecision = bit(5), kDoubleExtensions = bit(6),
                               kMsad = bit(7), kViewportOrTarget = bit(9), kInnerCoverage = bit(10), kStencilRef = bit(11),
                               kTiledResources = bit(12), kTypedLoads = bit(13), k64Uavs = bit(15), kUavsAtEveryStage = bit(16),
                               kRovs = bit(18), kWaveOps = bit(19), kInt64 = bit(20), kViewId = bit(21), kBarycentrics = bit(22),
                               kShadingRate = bit(24), kRaytracing11 = bit(25), kFeedback = bit(26), kAtomic64Typed = bit(27),
                               kAtomic64Group = bit(28), kMeshDerivatives = bit(29), kResourceHeap = bit(30), kSamplerHeap = bit(31),
                               kAtomic64Heap = bit(32), kAdvancedTextures = bit(34), kMsaaWrites = bit(35), kSampleCmpGradient = bit(37),
                               kCommandInfo = bit(38);
/// Of functions alone: what they ask for depends on the stage that calls them.
inline constexpr std::uint64_t kDerivatives = bit(39), kGroup = bit(40);
}  // namespace used_flag

/// Of a function and its callees, as far as validators of the module's version add them up.
struct FunctionRequirements {
  std::uint64_t flags = 0;      ///< used_flag
  std::uint64_t doubtful = 0;   ///< flags that cannot be told: handles come from several places
  std::uint32_t min_minor = 0;  ///< the least shader model is 6.min_minor
  std::uint32_t stages = 0;     ///< bit i: it can be a part of stage ShaderKind i
};

/// By function of the module; empty ones for those without a body.
std::vector<FunctionRequirements> requirements_of_functions(const ProgramQuery& query);

/// The bodies that each body calls, by the index of the body, each once.
std::vector<std::vector<std::uint32_t>> callees_of_bodies(const Module& module);

/// Bytes of the group's memory that each function may touch, what it calls included; by function of the module. Empty if there are so
/// many variables and functions that adding them up is out of proportion.
std::vector<std::uint64_t> group_bytes_of_functions(const ProgramQuery& query);

// What barriers ask for. src: DXC lib/DXIL/DxilOperations.cpp, BarrierRequiresGroup, BarrierRequiresNode, BarrierRequiresReorder
struct BarrierRequirements {
  bool group = false;
  bool node = false;
  bool reorder = false;
  bool is_of_6_8 = false;  ///< cannot be told by the barrier that there was before
};
/// `call`: of an operation with the trait barrier.
BarrierRequirements requirements_of_barrier(const Call& call);

}  // namespace unshade::dxil::program
