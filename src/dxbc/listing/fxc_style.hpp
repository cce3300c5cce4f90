// What changed in fxc's tables from version to version. What is the same in all versions is in the code that prints it.
#pragma once

#include <unshade/dxbc/fxc_version.hpp>

namespace unshade::dxbc::listing {

/// Compilers in the order of their appearance. 6.x came after 9.x: from the Windows 8.1 kit on the number is that of Windows.
enum class FxcEra : std::uint8_t {
  sdk_2010,   ///< up to 9.29: d3dcompiler_43 of the DirectX SDK
  windows8,   ///< 9.30: d3dcompiler_46
  windows81,  ///< 6.3 and 6.4
  windows10,  ///< 10.0 and 10.1
};

constexpr FxcEra fxc_era(const FxcVersion& version) {
  const auto major = version.number[0];
  if (major == 9) return version.number[1] >= 30 ? FxcEra::windows8 : FxcEra::sdk_2010;
  if (major >= 10) return FxcEra::windows10;
  return major >= 6 ? FxcEra::windows81 : FxcEra::sdk_2010;
}

/// A version of each era.
inline constexpr FxcVersion kFxcVersions[] = {{{9, 29, 0, 0}}, {{9, 30, 0, 0}}, {{6, 3, 0, 0}}, {{10, 0, 0, 0}}, kNewestFxc};

/// Whether a version is 10.1 as the Windows 10 SDK of this build has it, or later. All of them call themselves 10.1, without a build.
constexpr bool fxc_has_build(const FxcVersion& version, std::uint32_t build) { return !version.before({{10, 1, build, 0}}); }

/// Habits of a version. observed: in the references of all of them; docs/internals/dxbc_listing.md, "Versions".
struct FxcStyle {
  bool triple_slash;      ///< a line `///` after the heading, but not in effects
  bool feature_note;      ///< the note on additional functionality
  bool wide_format;       ///< the Format column of signatures is seven wide, not six
  bool hlsl_bind_column;  ///< bindings are `cb0` below "HLSL Bind", not a slot number
  bool short_offsets;     ///< sample(1,0,0), where later versions print sample_aoffimmi(1,0,0), and discard without _nz
  bool upper_buffers;     ///< dcl_constantbuffer CB0[1], and the interpolation of dcl_input_ps_sgv
  bool structured_blank;  ///< a blank after dcl_resource_structured t0, 16. guess: of 6.x, where it was not observed
  bool ties_to_even;      ///< the sixth decimal of floats; see FloatStyle
  bool all_digits;        ///< of large floats; see FloatStyle
};

constexpr FxcStyle fxc_style(const FxcVersion& version) {
  const FxcEra era = fxc_era(version);
  return {
      .triple_slash = era == FxcEra::windows8,
      .feature_note = era >= FxcEra::windows8,
      .wide_format = era >= FxcEra::windows8,
      .hlsl_bind_column = era >= FxcEra::windows10,
      .short_offsets = era == FxcEra::sdk_2010,
      .upper_buffers = era >= FxcEra::windows10,
      .structured_blank = era < FxcEra::windows10,
      .ties_to_even = fxc_has_build(version, 19041) || (fxc_has_build(version, 0) && version.number[2] == 0),
      .all_digits = fxc_has_build(version, 18362),
  };
}

}  // namespace unshade::dxbc::listing
