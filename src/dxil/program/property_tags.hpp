// Lists of an entry point's metadata in which each value follows its tag. src: DXC DxilMetadataHelper.h
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dxil/module/metadata_tuple.hpp"

namespace unshade::dxil::program {

/// Tags of the extended properties of an entry point.
namespace property_tag {
inline constexpr std::uint64_t kFlags = 0, kGeometry = 1, kDomain = 2, kHull = 3, kThreads = 4, kPayloadBytes = 6, kAttributeBytes = 7,
                               kKind = 8, kMesh = 9, kAmplification = 10, kWaveSize = 11, kRootSignature = 12, kNodeLaunch = 13,
                               kProgramEntry = 14, kNodeId = 15, kLocalRootArguments = 16, kShareInputOf = 17, kDispatchGrid = 18,
                               kRecursionDepth = 19, kNodeInputs = 20, kNodeOutputs = 21, kMaxDispatchGrid = 22, kWaveSizeRange = 23,
                               kGroupMemoryLimit = 24;
}  // namespace property_tag

/// No list has more than some 20 tags.
inline constexpr std::size_t kMostTags = 64;

/// Calls `visit` with each tag and the place of its value.
template <class Visit>
void for_each_tag(const module::MetadataTuple& list, Visit&& visit) {
  for (std::size_t i = 0; i + 1 < list.size() && i < 2 * kMostTags; i += 2)
    if (const auto found = list.integer(i)) visit(*found, i + 1);
}

inline std::array<std::uint32_t, 3> triple_of(const module::MetadataTuple& tuple) { return {tuple.u32(0), tuple.u32(1), tuple.u32(2)}; }

}  // namespace unshade::dxil::program
