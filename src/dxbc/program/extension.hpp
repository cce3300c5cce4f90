// What extended opcode tokens add to an instruction: for the decoder, and for the listing's quick path.
#pragma once

#include <unshade/dxbc/program.hpp>

#include "dxbc/program/token.hpp"

namespace unshade::dxbc::program {

constexpr std::int8_t signed_nibble(std::uint32_t bits) {
  return static_cast<std::int8_t>(bits >= 8 ? static_cast<int>(bits) - 16 : static_cast<int>(bits));
}

inline void clear_extensions(Instruction& instruction) {
  instruction.has_texel_offsets = false;
  instruction.has_resource_dimension = false;
  instruction.has_return_types = false;
}

/// Takes in one extended opcode token; unknown kinds change nothing.
inline void decode_extension(Instruction& instruction, std::uint32_t extension) {
  switch (token::kExtendedType.get(extension)) {
    case token::kExtendedSampleControls:
      instruction.has_texel_offsets = true;
      instruction.offsets = {signed_nibble(token::kOffsetU.get(extension)), signed_nibble(token::kOffsetV.get(extension)),
                             signed_nibble(token::kOffsetW.get(extension))};
      break;
    case token::kExtendedResourceDimension:
      instruction.has_resource_dimension = true;
      instruction.resource_dimension = token::kExtendedDimension.get(extension);
      instruction.structure_stride = token::kExtendedStride.get(extension);
      break;
    case token::kExtendedResourceReturnTypes:
      instruction.has_return_types = true;
      instruction.return_types = {token::kExtendedReturnTypes.get(extension)};
      break;
    default: break;
  }
}

}  // namespace unshade::dxbc::program
