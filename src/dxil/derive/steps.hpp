// What deriving parts from a module is made of, a file each.
#pragma once

#include <cstddef>
#include <vector>

#include <unshade/dxil/derive.hpp>

namespace unshade::dxil::derive {

/// Whether the validator that a module is made for is older than 1.minor; 0.0 is above all, none is 1.0. src: DXC DxilConstants.h,
/// CompareVersions
inline bool is_before_validator(const ProgramMetadata& program, std::uint32_t minor) {
  if (!program.has_validator_version) return minor > 0;
  return program.validator_major == 1 && program.validator_minor < minor;
}

/// The components that the row of an element states: of what is read those that are used, of what is written those that never are.
/// `says_usage`: whether this validator version states usage. src: DXC DxilContainerAssembler.cpp, DxilProgramSignatureWriter
inline std::uint8_t stated_components(const MetadataElement& e, bool reads, bool says_usage) {
  constexpr unsigned kAllComponents = 0xf;
  const unsigned used = e.used_mask();
  if (reads) return static_cast<std::uint8_t>(says_usage ? used : 0);
  return static_cast<std::uint8_t>(says_usage ? ~used & kAllComponents : ~static_cast<unsigned>(e.mask()));
}

std::vector<std::byte> derive_features(const ProgramMetadata& program);
std::vector<std::byte> derive_signature(const ProgramMetadata& program, SignatureSide side);
std::vector<std::byte> derive_psv(const ProgramMetadata& program);
/// Whether `!dx.viewIdState`, if the module has it, is of as many components as the signatures, and no longer: only then PSV0 has the
/// tables of what depends on what. The module must have an entry point.
bool fits_view_id_state(const ProgramMetadata& program);
std::vector<std::byte> derive_rdat(const ProgramMetadata& program, const Rdat* before);

}  // namespace unshade::dxil::derive
