// The names of SPIR-V: opcodes, enumerations, sets of extended instructions. All of them are made from the tables beside this header.
#pragma once

#include <cstdint>

namespace unshade::spirv {

/// An opcode: the low half of an instruction's first word. Values without a name occur in files.
enum class Opcode : std::uint16_t {
#define SPIRV_OP(code, id, text, group, since, capabilities, operands) id = code,
#include <unshade/spirv/opcodes.def>
#undef SPIRV_OP
};

// Capability, Decoration, StorageClass, BuiltIn, ... Values without a name occur in files.
#define SPIRV_KIND(id, type, category) enum class type : std::uint32_t {
#define SPIRV_ENUM(type, value, id, text, since, capabilities, operands) id = value,
#define SPIRV_KIND_END(type) \
  }                          \
  ;
#include <unshade/spirv/enumerants.def>
#undef SPIRV_KIND
#undef SPIRV_ENUM
#undef SPIRV_KIND_END

/// What OpExtInstImport can name.
enum class ExtendedSet : std::uint8_t {
  none,  ///< no set that is known
#define SPIRV_SET(type, name, match, listing) type,
#define SPIRV_EXT(type, number, id, text, operands)
#define SPIRV_SET_END(type)
#include <unshade/spirv/extended.def>
#undef SPIRV_SET
#undef SPIRV_EXT
#undef SPIRV_SET_END
  other_non_semantic,  ///< NonSemantic. and a name that is not known: all operands are ids
};

/// The instructions of each set: GlslStd450::round is number 1 of "GLSL.std.450".
namespace extended {
#define SPIRV_SET(type, name, match, listing) enum class type : std::uint32_t {
#define SPIRV_EXT(type, number, id, text, operands) id = number,
#define SPIRV_SET_END(type) \
  }                         \
  ;
#include <unshade/spirv/extended.def>
#undef SPIRV_SET
#undef SPIRV_EXT
#undef SPIRV_SET_END
}  // namespace extended

/// The kind of an operand.
enum class OperandKind : std::uint8_t {
  unknown,               ///< a word that the grammar does not account for
  id_result_type,        ///< the id of the type of the result
  id_result,             ///< the id that the instruction defines
  id_ref,                ///< any other id
  id_scope,              ///< the id of a constant: a Scope
  id_memory_semantics,   ///< the id of a constant: a MemorySemantics
  literal_integer,       ///< 32 bits, unsigned
  literal_float,         ///< 32 bits
  literal_string,        ///< UTF-8, zero-terminated, padded with zeros to whole words
  literal_number,        ///< as wide as the type of the constant or selector
  extended_instruction,  ///< the number of an instruction of an imported set
  spec_constant_opcode,  ///< the opcode that a specialization constant is computed by
  pair_literal_id,       ///< in tables alone: decoded operands are one of the above or below
  pair_id_literal,
  pair_id_id,
#define SPIRV_KIND(id, type, category) id,
#define SPIRV_ENUM(type, value, id, text, since, capabilities, operands)
#define SPIRV_KIND_END(type)
#include <unshade/spirv/enumerants.def>
#undef SPIRV_KIND
#undef SPIRV_ENUM
#undef SPIRV_KIND_END
};

}  // namespace unshade::spirv
