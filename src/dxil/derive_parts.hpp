// What deriving parts from a module is made of, a file each.
#pragma once

#include <cstddef>
#include <vector>

#include <unshade/dxil/derive.hpp>

namespace unshade::dxil {

/// Whether the validator that a module is made for is older than 1.minor; 0.0 is above all, none is 1.0. src: DXC DxilConstants.h,
/// CompareVersions
inline bool is_before_validator(const ProgramMetadata& program, std::uint32_t minor) {
  if (!program.has_validator_version) return minor > 0;
  return program.validator_major == 1 && program.validator_minor < minor;
}

std::vector<std::byte> derive_features(const ProgramMetadata& program);
std::vector<std::byte> derive_signature(const ProgramMetadata& program, SignatureSide side);
std::vector<std::byte> derive_psv(const ProgramMetadata& program);
std::vector<std::byte> derive_rdat(const ProgramMetadata& program, const Rdat* before);

}  // namespace unshade::dxil
