// The bit fields of SM4-5.1 tokens: the one place that says where they lie. Decoder, listing and field tree read them from here.
// src: d3d12TokenizedProgramFormat.hpp
#pragma once

#include <array>
#include <cstdint>

#include <unshade/core/tree.hpp>

namespace unshade::dxbc::program::token {

// Version token.
inline constexpr Bits kMinor{"minor", 0, 4};
inline constexpr Bits kMajor{"major", 4, 4};
inline constexpr Bits kStage{"stage", 16, 16};

/// Whether the profile line (ps_5_0) says all of a version token: a known stage, shader model 4.0 to 5.1, and no other bits.
constexpr bool is_plain_version(std::uint32_t version) {
  constexpr std::uint32_t kStages = 6;
  const std::uint32_t major = kMajor.get(version);
  const std::uint32_t profile = kStage.put(kMajor.put(kMinor.put(0, kMinor.get(version)), major), kStage.get(version));
  return profile == version && kStage.get(version) < kStages && major >= 4 && major <= 5 && kMinor.get(version) <= 1;
}

// Opcode token.
inline constexpr Bits kOpcode{"opcode", 0, 11};
inline constexpr Bits kLength{"length", 24, 7};
inline constexpr Bits kExtended{"extended", 31, 1};
inline constexpr Bits kControls{"controls", 11, 13};
inline constexpr Bits kSaturate{"saturate", 13, 1};
inline constexpr Bits kPrecise{"precise", 19, 4};
inline constexpr Bits kNonZero{"non_zero", 18, 1};
inline constexpr Bits kReturnType{"return_type", 11, 2};
inline constexpr Bits kSyncThreads{"threads", 11, 1};
inline constexpr Bits kSyncGroupMemory{"group_memory", 12, 1};
inline constexpr Bits kSyncUavGroup{"uav_group", 13, 1};
inline constexpr Bits kSyncUavGlobal{"uav_global", 14, 1};
inline constexpr Bits kDimension{"dimension", 11, 5};
inline constexpr Bits kSampleCount{"sample_count", 16, 7};
inline constexpr Bits kGloballyCoherent{"globally_coherent", 16, 1};
inline constexpr Bits kRasterizerOrdered{"rasterizer_ordered", 17, 1};
inline constexpr Bits kHasCounter{"has_counter", 23, 1};
inline constexpr Bits kDynamicIndexed{"dynamic_indexed", 11, 1};
inline constexpr Bits kSamplerMode{"sampler_mode", 11, 4};
inline constexpr Bits kTopology{"topology", 11, 6};
inline constexpr Bits kPrimitive{"primitive", 11, 6};
inline constexpr Bits kInterpolation{"interpolation", 11, 4};
inline constexpr Bits kGlobalFlags{"global_flags", 11, 13};
inline constexpr Bits kControlPoints{"control_points", 11, 6};
inline constexpr Bits kDomain{"domain", 11, 2};
inline constexpr Bits kPartitioning{"partitioning", 11, 3};
inline constexpr Bits kTessOutput{"output_primitive", 11, 3};
inline constexpr Bits kCustomDataClass{"class", 11, 21};

// Extended opcode tokens.
inline constexpr Bits kExtendedType{"type", 0, 6};
inline constexpr Bits kOffsetU{"u", 9, 4};
inline constexpr Bits kOffsetV{"v", 13, 4};
inline constexpr Bits kOffsetW{"w", 17, 4};
inline constexpr Bits kExtendedDimension{"dimension", 6, 5};
inline constexpr Bits kExtendedStride{"stride", 11, 12};
inline constexpr Bits kExtendedReturnTypes{"return_types", 6, 16};
inline constexpr std::uint32_t kExtendedSampleControls = 1;
inline constexpr std::uint32_t kExtendedResourceDimension = 2;
inline constexpr std::uint32_t kExtendedResourceReturnTypes = 3;

// Operand token.
inline constexpr Bits kComponents{"components", 0, 2};  // 0, 1, 4, n
inline constexpr Bits kSelection{"selection", 2, 2};
inline constexpr Bits kMaskLanes{"mask", 4, 4};
inline constexpr Bits kSwizzleLanes{"swizzle", 4, 8};
inline constexpr Bits kSelectLane{"component", 4, 2};
inline constexpr Bits kOperandType{"type", 12, 8};
inline constexpr Bits kDimensions{"dimensions", 20, 2};
inline constexpr std::array<Bits, 3> kIndexRepresentation{{{"index0", 22, 3}, {"index1", 25, 3}, {"index2", 28, 3}}};
inline constexpr std::uint32_t kImmediate32 = 0;
inline constexpr std::uint32_t kImmediate64 = 1;
inline constexpr std::uint32_t kRelative = 2;
inline constexpr std::uint32_t kImmediate32PlusRelative = 3;
inline constexpr std::uint32_t kImmediate64PlusRelative = 4;
/// Tokens of an index's immediate part; 0 also for unknown representations, which have no tokens.
constexpr std::uint32_t immediate_tokens(std::uint32_t representation) {
  switch (representation) {
    case kImmediate32:
    case kImmediate32PlusRelative: return 1;
    case kImmediate64:
    case kImmediate64PlusRelative: return 2;
    default: return 0;
  }
}

// Extended operand token.
inline constexpr Bits kModifier{"modifier", 6, 8};
inline constexpr Bits kMinPrecision{"min_precision", 14, 3};
inline constexpr Bits kNonUniform{"non_uniform", 17, 1};
inline constexpr std::uint32_t kExtendedOperandModifier = 1;

// Name and return type tokens.
inline constexpr Bits kName{"name", 0, 16};

}  // namespace unshade::dxbc::program::token
