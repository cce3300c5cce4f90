// Where the fields of Direct3D 9 tokens lie: said once, for the decoder, the tree and the documentation.
// src: d3d9types.h (D3DSI_*, D3DSP_*), learn.microsoft.com "Direct3D Shader Codes".
#pragma once

#include <unshade/core/tree.hpp>
#include <unshade/dxbc/sm2.hpp>

namespace unshade::dxbc::sm2 {

extern const NameTable kOpcodeNames;
extern const NameTable kUsageNames;
extern const NameTable kTextureTypeNames;

// Instruction token.
inline constexpr Bits kOpcodeBits{"opcode", 0, 16, &kOpcodeNames};
inline constexpr Bits kControlBits{"control", 16, 8};  ///< comparison of if, break, setp; projection or bias of texld
inline constexpr Bits kLengthBits{"length", 24, 4};    ///< tokens that follow; from shader model 2 on
inline constexpr Bits kPredicatedBit{"predicated", 28, 1};
inline constexpr Bits kCoissueBit{"coissue", 30, 1};
inline constexpr Bits kCommentLengthBits{"length", 16, 15};  ///< of a comment: tokens that follow

// Operand tokens.
inline constexpr Bits kRegisterBits{"register", 0, 11};
inline constexpr Bits kTypeHighBits{"type_high", 11, 2};  ///< bits 3 and 4 of the register type
inline constexpr Bits kRelativeBit{"relative", 13, 1};
inline constexpr Bits kTypeLowBits{"type_low", 28, 3};
inline constexpr Bits kOperandBit{"operand", 31, 1};  ///< set in operand tokens, clear in instruction tokens
inline constexpr Bits kWriteMaskBits{"write_mask", 16, 4};
inline constexpr Bits kResultModifierBits{"result_modifier", 20, 4};
inline constexpr Bits kResultShiftBits{"result_shift", 24, 4};
inline constexpr Bits kSwizzleBits{"swizzle", 16, 8};
inline constexpr Bits kSourceModifierBits{"source_modifier", 24, 4};

// The token of a dcl that says what the register is for.
inline constexpr Bits kUsageBits{"usage", 0, 5, &kUsageNames};
inline constexpr Bits kUsageIndexBits{"usage_index", 16, 4};
inline constexpr Bits kTextureTypeBits{"texture_type", 27, 4, &kTextureTypeNames};

constexpr RegisterType register_type(std::uint32_t token) {
  return static_cast<RegisterType>(kTypeLowBits.get(token) | kTypeHighBits.get(token) << 3);
}

// Leaves of the tree. `context` is the version token.
extern const FieldType kVersionToken;
extern const FieldType kInstructionToken;
extern const FieldType kCommentToken;
extern const FieldType kDestinationToken;
extern const FieldType kSourceToken;
extern const FieldType kUsageToken;

}  // namespace unshade::dxbc::sm2
