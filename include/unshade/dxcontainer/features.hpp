// SFI0: the optional features of Direct3D that a shader needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxcontainer {

/// Bits of the feature flags; D3D_SHADER_REQUIRES_* as far as those go. src: DXC DxilConstants.h, ShaderFeatureInfo.
struct Feature {
  unsigned bit;
  std::string_view id;
  std::string_view text;  ///< as listings word it. src: observed in listings; dxcdisassembler.cpp of DXC 1.10 for the rest
};
/// Bits from here on say what a function needs that no hardware lacks: a runtime may ignore them.
inline constexpr unsigned kFirstOptionalFeature = 40;

/// Every bit with a name, ascending.
std::span<const Feature> features();

/// How 64 bits of them print: `doubles|wave_ops|0x8000`.
extern const FieldType kFeatureFlags;

/// Reads the part: one u64. Errors: truncated.
Result<std::uint64_t> parse_features(const Part& part);
std::vector<std::byte> write_features(std::uint64_t flags);
/// Adds the part's fields to a tree.
void record_features(const Part& part, Tree& tree, std::uint32_t group);

}  // namespace unshade::dxcontainer
