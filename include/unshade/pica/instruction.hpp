// Instructions of the PICA200: a word taken into its fields and put together again, operand descriptors, register names.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include <unshade/core/lanes.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/tree.hpp>

namespace unshade::pica {

/// The values are bits 31:26 of the word, the first of them if an instruction takes up several.
enum class Opcode : std::uint8_t {
#define PICA_OP(code, id, text, format, shape, lanes, flow, stages, sem) id = code,
#include <unshade/pica/instructions.def>
#undef PICA_OP
  unknown = 0x40,
};

/// Which fields a word has. src: docs/reference/formats/shbin.md, "Instructions"
enum class Format : std::uint8_t {
  f0,       ///< none
  f1,       ///< destination, wide source, narrow source, descriptor
  f1u,      ///< destination, wide source, descriptor
  f1i,      ///< destination, narrow source, wide source, descriptor
  f1c,      ///< two comparisons, wide source, narrow source, descriptor
  f2,       ///< condition, target, count
  f3,       ///< uniform, target, count
  f4,       ///< vertex slot, primitive, winding
  f5,       ///< destination, narrow, wide, narrow source, short descriptor
  f5i,      ///< destination, narrow, narrow, wide source, short descriptor
  unknown,  ///< no instruction: all bits are in Instruction::rest
};

enum class Lanes : std::uint8_t { none, each, one, two, three, four, head, pair };
enum class Flow : std::uint8_t { next, jump, call, branch, loop, leave, stop };
/// Stages that have an instruction.
enum class Stages : std::uint8_t { any, geometry };

/// A row of instructions.def.
struct OpcodeInfo {
  Opcode opcode;
  std::string_view id;
  std::string_view text;
  Format format;
  std::string_view shape;
  Lanes lanes;
  Flow flow;
  Stages stages;
  std::string_view sem;

  /// Whether the shape has an operand of this letter.
  constexpr bool takes(char letter) const { return shape.find(letter) != std::string_view::npos; }
  /// Whether a condition or boolean uniform decides if it does what `flow` says.
  constexpr bool is_conditional() const { return takes('c') || takes('b') || takes('n'); }
  constexpr bool opens_block() const { return flow == Flow::branch || flow == Flow::loop; }
  /// Whether its target is a place in the code.
  constexpr bool has_target() const { return opens_block() || flow == Flow::jump || flow == Flow::call; }
};

/// The row of an opcode; that of Opcode::unknown has no text and no shape.
const OpcodeInfo& info(Opcode opcode);
/// The row whose text this is (lower case), or nothing. `dphi` and its like are found by their own texts.
const OpcodeInfo* find_opcode(std::string_view text);

/// cmp.x against ref_x, cmp.y against ref_y.
enum class Condition : std::uint8_t { either, both, x, y };
/// 6 and 7 are always true. src: 3dbrew
enum class Comparison : std::uint8_t { eq, ne, lt, le, gt, ge, always6, always7 };
/// The index that is added to the number of a float constant.
enum class Index : std::uint8_t { none, a0_x, a0_y, loop };

/// A word by its fields. Those that its format does not have are zero. encode(decode(word)) == word for every word.
struct Instruction {
  Opcode opcode = Opcode::nop;
  std::uint8_t destination = 0;          ///< 0x00-0x0f o, 0x10-0x1f r
  std::array<std::uint8_t, 3> source{};  ///< 0x00-0x0f v, 0x10-0x1f r, 0x20-0x7f c (in the wide one alone)
  Index index = Index::none;             ///< of the wide source
  std::uint8_t descriptor = 0;           ///< 7 bits; 5 of mad and madi
  Comparison compare_x = Comparison::eq;
  Comparison compare_y = Comparison::eq;
  Condition condition = Condition::either;
  bool ref_x = false;
  bool ref_y = false;
  std::uint8_t uniform = 0;  ///< bool (0-15) or integer (0-3; the field has room for 15)
  std::uint16_t target = 0;  ///< address, words
  std::uint16_t count = 0;   ///< words; 10 bits, of which documents know 8. jmpu: see negates_uniform
  std::uint8_t vertex = 0;   ///< slot, 0-2 (the field has room for 3)
  bool primitive = false;    ///< the vertex ends a triangle
  bool inverted = false;     ///< winding
  std::uint32_t rest = 0;    ///< bits of the word that no field of the format holds

  /// Of jmpu: whether it jumps if the uniform is false.
  bool negates_uniform() const { return (count & 1) != 0; }
  /// The word after the part that `count` measures: of a procedure, or of an else part.
  std::uint32_t end() const { return std::uint32_t{target} + count; }
  /// The word after the block that it opens; of a branch that of its first part.
  std::uint32_t block_end() const;
  /// The word after the block that it opens, with the else part of a branch.
  std::uint32_t whole_block_end() const;

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

Instruction decode(std::uint32_t word);
std::uint32_t encode(const Instruction& instruction);

/// The format of an instruction, its number of sources, and which of them is wide (takes c and the index); -1 if none is.
Format format_of(Opcode opcode);
unsigned source_count(Format format);
int wide_source(Format format);
bool has_destination(Format format);  ///< a field for it; of mova it is zero and the mask alone counts
bool has_descriptor(Format format);

/// The inverted twin: dph and dphi, dst and dsti, sge and sgei, slt and slti, mad and madi. The opcode itself if it has none.
Opcode twin(Opcode opcode);
bool is_inverted(Opcode opcode);

// Operand descriptors. Components count x, y, z, w = 0, 1, 2, 3.
namespace descriptor {
/// A descriptor by its fields.
struct Fields {
  WriteMask mask;
  struct Source {
    bool negated = false;
    Swizzle swizzle;
  };
  std::array<Source, 3> sources{};
  bool top = false;
};
Fields fields(std::uint32_t bits);

inline constexpr Bits kMask{"mask", 0, 4};  ///< bit 3 is x, bit 0 is w: the other way round than masks of output records
inline constexpr std::array<Bits, 3> kNegate{{{"negate1", 4, 1}, {"negate2", 13, 1}, {"negate3", 22, 1}}};
/// Component 0 in the highest two bits.
inline constexpr std::array<Bits, 3> kSelectors{{{"source1", 5, 8}, {"source2", 14, 8}, {"source3", 23, 8}}};
inline constexpr Bits kTop{"top", 31, 1};  ///< meaning unknown; set in most records of the vendor's linker
/// xyzw
inline constexpr std::uint8_t kIdentity = 0x1b;

/// Which component is in place `place` of a byte of selectors.
constexpr unsigned selector(std::uint32_t selectors, unsigned place) { return selectors >> (6 - 2 * place) & 3; }
}  // namespace descriptor

/// Number of the first register of each class in the spaces of sources and of uniform records.
inline constexpr std::uint8_t kSourceTemporaries = 0x10;
inline constexpr std::uint8_t kSourceConstants = 0x20;
inline constexpr unsigned kFloatConstants = 96;
inline constexpr unsigned kIntConstants = 4;
inline constexpr unsigned kBoolConstants = 16;
inline constexpr unsigned kInputs = 16;
inline constexpr unsigned kOutputs = 16;
/// Descriptors that mad and madi can name, and all that there can be.
inline constexpr unsigned kShortDescriptors = 32;
inline constexpr unsigned kDescriptors = 128;
/// Words that addresses reach.
inline constexpr unsigned kProgramWords = 4096;
/// Words of a vertex shader that the hardware has room for.
inline constexpr unsigned kVertexProgramWords = 512;

/// A source of an instruction and what its descriptor says of it.
struct SourceOperand {
  std::uint8_t reg = 0;       ///< as in Instruction::source
  Index index = Index::none;  ///< of the wide source; ignored unless it is a constant
  bool negated = false;
  Swizzle swizzle;
  WriteMask read;  ///< components of the register that the instruction looks at

  bool is_input() const { return reg < kSourceTemporaries; }
  bool is_temporary() const { return reg >= kSourceTemporaries && reg < kSourceConstants; }
  bool is_constant() const { return reg >= kSourceConstants; }
  /// Of the register among those of its kind.
  unsigned number() const { return is_constant() ? reg - unsigned{kSourceConstants} : reg % unsigned{kSourceTemporaries}; }
};

/// An instruction's registers, joined with its operand descriptor.
struct Operands {
  WriteMask written;  ///< of the destination, of mova of a0; none without one
  std::uint8_t source_count = 0;
  std::array<SourceOperand, 3> sources{};

  std::span<const SourceOperand> all() const { return std::span(sources).first(source_count); }
};
/// `descriptor`: its bits, or nothing if the file has none of this number: all components, in their places.
Operands operands_of(const Instruction& instruction, const std::uint32_t* descriptor);

/// `v3`, `r15`, `c95`
void print_source(Text& out, unsigned source);
/// `o3`, `r15`
void print_destination(Text& out, unsigned destination);
/// `v0`, `c95`, `i3`, `b15` of the space of uniform records; a number outside of its classes as `0x74`.
void print_uniform_register(Text& out, unsigned number);
/// `a0.x`, `a0.y`, `aL`; empty for none.
std::string_view id(Index index);
/// `eq` ... `ge`, `always6`, `always7`
std::string_view id(Comparison comparison);

/// One line of assembly without names: `mad r0.xyz, -r1.xxxx, c2[a0.x].xyzx, r3.zyxx`. `bits`: the operand descriptor, or nothing if the
/// file has none of this number. Addresses print as `0x1f`.
void print_instruction(Text& out, const Instruction& instruction, const std::uint32_t* bits);

}  // namespace unshade::pica
