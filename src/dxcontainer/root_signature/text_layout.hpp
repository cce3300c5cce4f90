// The one description of root signatures as text. Each function names the settings of a construct, their defaults and what they are, in the
// order in which they are printed; printing and parsing are archives over it.
// src: DXC tools/clang/lib/Parse/HLSLRootSignature.cpp; Direct3D 12 documentation, "Specifying Root Signatures in HLSL"
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/root_signature_words.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>

#include "dxcontainer/root_signature/layout.hpp"

namespace unshade::dxcontainer::root_signature {

// What precedes an enumerator's name in HLSL; the name itself is that of the NameTable, in capitals.
constexpr std::string_view hlsl_prefix(ShaderVisibility) { return "SHADER_VISIBILITY_"; }
constexpr std::string_view hlsl_prefix(TextureAddressMode) { return "TEXTURE_ADDRESS_"; }
constexpr std::string_view hlsl_prefix(ComparisonFunction) { return "COMPARISON_"; }
constexpr std::string_view hlsl_prefix(BorderColor) { return "STATIC_BORDER_COLOR_"; }

/// The language of a version, as dxc names the target: `rootsig_1_1`.
struct VersionName {
  RootSignatureVersion version;
  std::string_view target;
};
/// Begins each of them.
inline constexpr std::string_view kVersionWord = "rootsig_";
inline constexpr VersionName kVersionTargets[] = {
    {RootSignatureVersion::v1_0, "rootsig_1_0"}, {RootSignatureVersion::v1_1, "rootsig_1_1"}, {RootSignatureVersion::v1_2, "rootsig_1_2"}};

inline constexpr std::string_view kRootFlagsWord = "RootFlags";
inline constexpr std::string_view kConstantsWord = "RootConstants";
inline constexpr std::string_view kTableWord = "DescriptorTable";
inline constexpr std::string_view kStaticSamplerWord = "StaticSampler";

// Words of these archives: `reg` and `number` (required), the others with a default. Flags say from which version on they may be.

template <class Archive>
void describe_text(Archive& a, RootParameter& p, char letter) {
  if (p.type == RootParameterType::constants) a.required_number("num32BitConstants", p.constant_count);
  a.reg(letter, p.shader_register);
  a.number("space", p.space, 0);
  if (p.type != RootParameterType::constants) a.flags("flags", p.flags, kDataFlagNames, kRootDescriptorFlags, RootSignatureVersion::v1_1);
  a.word("visibility", p.visibility, ShaderVisibility::all);
}

/// The fields of a table besides its ranges.
template <class Archive>
void describe_text_of_table(Archive& a, RootParameter& p) {
  a.word("visibility", p.visibility, ShaderVisibility::all);
}

template <class Archive>
void describe_text(Archive& a, DescriptorRange& r, char letter) {
  a.reg(letter, r.base_register);
  a.number("numDescriptors", r.count, 1, "unbounded", kUnbounded);
  a.number("space", r.space, 0);
  a.number("offset", r.offset_in_table, kAppendedOffset, "DESCRIPTOR_RANGE_OFFSET_APPEND", kAppendedOffset);
  a.flags("flags", r.flags, kDataFlagNames, ~0U, RootSignatureVersion::v1_1);
}

template <class Archive>
void describe_text(Archive& a, StaticSampler& s, char letter) {
  a.reg(letter, s.shader_register);
  a.filter("filter", s.filter, Filter{0x55});
  a.word("addressU", s.address_u, TextureAddressMode::wrap);
  a.word("addressV", s.address_v, TextureAddressMode::wrap);
  a.word("addressW", s.address_w, TextureAddressMode::wrap);
  a.real("mipLODBias", s.mip_lod_bias, 0);
  a.number("maxAnisotropy", s.max_anisotropy, 16);
  a.word("comparisonFunc", s.comparison, ComparisonFunction::less_equal);
  a.word("borderColor", s.border_color, BorderColor::opaque_white);
  a.real("minLOD", s.min_lod, 0);
  a.real("maxLOD", s.max_lod, std::numeric_limits<float>::max());
  a.number("space", s.space, 0);
  a.word("visibility", s.visibility, ShaderVisibility::all);
  a.flags("flags", s.flags, kSamplerFlagNames, ~0U, RootSignatureVersion::v1_2);
}

}  // namespace unshade::dxcontainer::root_signature
