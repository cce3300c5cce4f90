// Compares the features that the code of a module uses with the flags that it states.
// src: DXC lib/DXIL/DxilModule.cpp, CollectShaderFlagsForModule
#include <algorithm>
#include <cstddef>
#include <string>

#include <unshade/core/text.hpp>
#include <unshade/dxil/program/handles.hpp>

#include "dxil/program/function_requirements.hpp"
#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

namespace {

using namespace program::used_flag;

/// The flags that a validator computes itself, without "resources may alias", which is a compiler option.
constexpr std::uint64_t kComputed = kDoubles | kRawAndStructured | kLowPrecision | kDoubleExtensions | kMsad | kViewportOrTarget |
                                    kInnerCoverage | kStencilRef | kTiledResources | kTypedLoads | k64Uavs | kUavsAtEveryStage | kWaveOps |
                                    kInt64 | kViewId | kBarycentrics | kShadingRate | kRaytracing11 | kFeedback | kAtomic64Typed |
                                    kAtomic64Group | kMeshDerivatives | kResourceHeap | kSamplerHeap | kAtomic64Heap | kAdvancedTextures |
                                    kMsaaWrites | kSampleCmpGradient | kCommandInfo;

struct FlagName {
  std::uint64_t flag;
  std::string_view text;
};
constexpr FlagName kNames[] = {
    {kDoubles, "doubles"},
    {kRawAndStructured, "raw and structured buffers"},
    {kLowPrecision, "low precision"},
    {kDoubleExtensions, "extended doubles"},
    {kMsad, "msad"},
    {kViewportOrTarget, "viewport or render target array index"},
    {kInnerCoverage, "inner coverage"},
    {kStencilRef, "stencil reference"},
    {kTiledResources, "tiled resources"},
    {kTypedLoads, "typed loads of more formats"},
    {k64Uavs, "more than 8 UAVs"},
    {kUavsAtEveryStage, "UAVs at every stage"},
    {kWaveOps, "wave operations"},
    {kInt64, "64-bit integers"},
    {kViewId, "view id"},
    {kBarycentrics, "barycentrics"},
    {kShadingRate, "shading rate"},
    {kRaytracing11, "raytracing tier 1.1"},
    {kFeedback, "sampler feedback"},
    {kAtomic64Typed, "64-bit atomics on typed resources"},
    {kAtomic64Group, "64-bit atomics on group shared memory"},
    {kMeshDerivatives, "derivatives in mesh and amplification shaders"},
    {kResourceHeap, "resource heap indexing"},
    {kSamplerHeap, "sampler heap indexing"},
    {kAtomic64Heap, "64-bit atomics on heap resources"},
    {kAdvancedTextures, "advanced texture operations"},
    {kMsaaWrites, "writes to multisampled textures"},
    {kSampleCmpGradient, "comparison samples with gradient or bias"},
    {kCommandInfo, "extended command info"},
};

/// More views than that need a feature.
constexpr std::uint64_t kFewUavs = 8;

/// The features that the resources of a module need, in whichever function they are used.
std::uint64_t flags_of_resources(const ModuleCheck& check) {
  const ProgramMetadata& p = check.program;
  std::uint64_t flags = 0;
  std::uint64_t views = 0;
  for (const ProgramResource& r : p.unordered_access) {
    views += std::min<std::uint64_t>(r.count, kFewUavs + 1);
    if (r.raster_ordered) flags |= kRovs;
    if (!check.has_validator(8) && is_multisampled(r.kind)) flags |= kMsaaWrites;
  }
  if ((check.has_validator(6) ? views : p.unordered_access.size()) > kFewUavs) flags |= k64Uavs;
  const bool is_first =
      p.kind == ShaderKind::vertex || p.kind == ShaderKind::hull || p.kind == ShaderKind::domain || p.kind == ShaderKind::geometry;
  const bool elsewhere = check.has_validator(8) ? is_first : p.kind != ShaderKind::compute && p.kind != ShaderKind::pixel;
  if (views != 0 && elsewhere) flags |= kUavsAtEveryStage;
  for (const auto* list : {&p.shader_resources, &p.unordered_access})
    for (const ProgramResource& r : *list)
      if (r.kind == ResourceKind::raw_buffer || r.kind == ResourceKind::structured_buffer) flags |= kRawAndStructured;
  return flags;
}

}  // namespace

void check_features(const ModuleCheck& check, const std::vector<program::FunctionRequirements>& needs) {
  const ProgramMetadata& p = check.program;
  if (p.entries.empty()) return;
  std::uint64_t used = flags_of_resources(check);
  std::uint64_t doubtful = 0;
  for (const program::FunctionRequirements& function : needs) {
    used |= function.flags;
    doubtful |= function.doubtful;
  }
  // Those of a library are stated by the entry that stands for all of it.
  const std::uint64_t stated = p.entries[0].flags;
  // Validators of versions 1.5 to 1.7 set the flag for subobjects, which are no longer in the module.
  if (check.has_validator(5) && !check.has_validator(8)) doubtful |= kRaytracing11;
  const std::uint64_t differ = (used ^ stated) & kComputed & ~doubtful;
  const auto list = [&](std::uint64_t flags) {
    Text text;
    for (const FlagName& row : kNames)
      if ((flags & row.flag) != 0) text << (text.empty() ? "" : ", ") << row.text;
    return text.str();
  };
  if ((differ & used) != 0) check.add(rules::kMetaFlagsUsage, "dx.entryPoints[0]/flags", "used but not set: " + list(differ & used));
  if ((differ & stated) != 0) check.add(rules::kMetaFlagsUsage, "dx.entryPoints[0]/flags", "set but not used: " + list(differ & stated));
}

}  // namespace unshade::dxil::validate
