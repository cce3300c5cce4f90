// The one description of the header before bitcode.
#pragma once

#include <cstddef>
#include <cstdint>

#include <unshade/dxil/parts.hpp>

#include "dxil/parts/shared_fields.hpp"

namespace unshade::dxil {

/// Stage and shader model: `kind=pixel major=6 minor=0`.
extern const FieldType kProgramVersionType;

inline constexpr std::uint32_t kDxilMagic = dxcontainer::fourcc("DXIL");
inline constexpr std::size_t kBitcodeHeaderAt = 8;

inline constexpr Bits kDxilVersionBits[] = {{"major", 8, 8}, {"minor", 0, 8}, {"reserved", 16, 16}};
inline constexpr FieldType kDxilVersionType{FieldKind::bits, "DXIL version", nullptr, kDxilVersionBits};

/// Bytes: 24, then the bitcode. src: DXC DxilContainer.h, DxilProgramHeader, DxilBitcodeHeader
template <class Archive>
void describe(Archive& a, Program& p, bool with_bitcode) {
  a.u32("program_version", p.program_version, kProgramVersionType);
  a.u32("size_dwords", p.size_dwords, kExtent);
  a.expect32("magic", kDxilMagic, kFourCC, ErrorCode::bad_magic);
  a.u32("dxil_version", p.dxil_version, kDxilVersionType);
  a.u32("bitcode_offset", p.bitcode_offset, kOffset);
  auto bitcode_bytes = static_cast<std::uint32_t>(p.bitcode.size());
  a.u32("bitcode_bytes", bitcode_bytes, kCount);
  if (Archive::kReads && a.ok() && p.bitcode_offset < kBitcodeHeaderBytes)
    return a.fail_at(ErrorCode::out_of_range, a.position() - 8, "bitcode_offset", "the bitcode overlaps the header");
  parts::opaque_bytes(a, "before_bitcode", p.before, p.bitcode_offset < kBitcodeHeaderBytes ? 0 : p.bitcode_offset - kBitcodeHeaderBytes,
                      kUnknown);
  if constexpr (Archive::kRecords) {
    if (!with_bitcode) return a.at(a.position() + bitcode_bytes, [&] { parts::rest(a, "padding", p.behind, kPadding); }, "bitcode_bytes");
  }
  a.raw("bitcode", p.bitcode, bitcode_bytes);
  parts::rest(a, "padding", p.behind, kPadding);
}

}  // namespace unshade::dxil
