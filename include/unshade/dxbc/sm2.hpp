// The Direct3D 9 token stream (shader models 1 to 3), as the level 9 parts of a container hold it.
// Bytes: little-endian tokens of 32 bits: a version token, then instructions and comments up to an end token.
// Source: docs/reference/formats/level9.md, "Token stream".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <unshade/core/lanes.hpp>
#include <unshade/core/placed.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>

namespace unshade::dxbc::sm2 {

/// A version token: stage in the upper half, model in the lower.
struct Version {
  std::uint32_t token = 0;

  constexpr bool is_pixel() const { return token >> 16 == 0xffff; }
  constexpr bool is_vertex() const { return token >> 16 == 0xfffe; }
  constexpr unsigned major() const { return token >> 8 & 0xff; }
  constexpr unsigned minor() const { return token & 0xff; }  ///< 0, 1 for `2_x`, 255 for the software model `2_sw`
  /// Major and minor as two digits: 14, 20, 21 for `2_x`, 29 for `2_sw`.
  constexpr unsigned model() const { return major() * 10 + (minor() < 9 ? minor() : 9); }
  /// Whether this is a vertex or pixel shader of shader model 1 to 3.
  constexpr bool is_known() const {
    return (is_pixel() || is_vertex()) && major() >= 1 && major() <= 3 && (minor() <= 4 || minor() == 0xff);
  }
};

/// Appends `vs_2_0`, `ps_2_x`, `vs_3_sw`.
void print(Text& out, Version version);

enum class RegisterType : std::uint8_t {
  temp = 0,
  input = 1,
  constant = 2,
  address_or_texture = 3,  ///< `a0` in vertex shaders, `t0` in pixel shaders
  rasterizer_output = 4,   ///< `oPos`, `oFog`, `oPts`
  attribute_output = 5,    ///< `oD0`
  texcoord_or_output = 6,  ///< `oT0`; from shader model 3 on `o0`
  integer_constant = 7,
  color_output = 8,
  depth_output = 9,
  sampler = 10,
  constant2 = 11,  ///< constants from 2048 on
  constant3 = 12,
  constant4 = 13,
  boolean_constant = 14,
  loop = 15,
  half_temp = 16,
  miscellaneous = 17,  ///< `vPos`, `vFace`
  label = 18,
  predicate = 19,
};

enum class SourceModifier : std::uint8_t {
  none = 0,
  negate = 1,
  bias = 2,
  bias_negate = 3,
  sign = 4,
  sign_negate = 5,
  complement = 6,
  x2 = 7,
  x2_negate = 8,
  divide_by_z = 9,
  divide_by_w = 10,
  absolute = 11,
  absolute_negate = 12,
  logical_not = 13,
};

/// Bits of a destination's result modifier.
inline constexpr std::uint8_t kSaturate = 1;
inline constexpr std::uint8_t kPartialPrecision = 2;
inline constexpr std::uint8_t kCentroid = 4;

/// A register with its modifiers.
struct Operand {
  std::uint32_t token = 0;
  RegisterType type = RegisterType::temp;
  bool is_destination = false;
  bool relative = false;  ///< indexed by the register that `relative_token` names as well
  std::uint16_t index = 0;
  WriteMask write_mask;  ///< destinations
  std::uint8_t result_modifier = 0;
  Swizzle swizzle;  ///< sources
  SourceModifier modifier = SourceModifier::none;
  std::uint32_t relative_token = 0;
};

/// Appends `-r0_abs.x`, `oPos.xy`, `c4[a0.x]`. A sampler or register without components prints alone.
void print(Text& out, const Operand& operand, Version version);

enum class Opcode : std::uint16_t;  // one enumerator per row of include/unshade/dxbc/level9/sm2_opcodes.def

enum class Unit : std::uint8_t { none, arithmetic, texture, flow };

/// How an instruction bounds the blocks that a listing indents; `both` closes one and opens the next.
enum class Block : std::uint8_t { inside, open, close, both };

/// Whether an instruction computes derivatives: as its result, or of coordinates to choose the level.
enum class Gradient : std::uint8_t { none, derives, implicit };

/// The shader models, as Version::model() counts, of a stage that have an instruction.
struct Models {
  std::uint8_t first = 1;
  std::uint8_t last = 0;

  constexpr bool has(unsigned model) const { return first <= model && model <= last; }
  constexpr bool empty() const { return first > last; }
};
namespace models {
inline constexpr Models no{};
inline constexpr Models v1_0{10, 255}, v1_1{11, 255}, v1_2{12, 255}, v2_0{20, 255}, v2_x{21, 255}, v3_0{30, 255};
inline constexpr Models to1_4{10, 14}, only1_4{14, 14};
}  // namespace models

/// The components of a source that an instruction reads, before the swizzle.
struct SourceLanes {
  WriteMask fixed;
  bool follows_mask = false;  ///< those of the destination's mask too

  constexpr WriteMask of(WriteMask written) const { return follows_mask ? fixed | written : fixed; }
};

/// A row of the instruction table.
struct OpcodeInfo {
  std::uint16_t code;
  const char* id;
  std::string_view text;
  std::string_view shape;
  std::string_view lanes;
  std::uint8_t slots;
  Unit unit;
  Block block;
  Models vs;
  Models ps;
  Gradient gradient;
  std::string_view sem;
  static constexpr std::size_t kMostTokens = 5;
  std::array<char, kMostTokens> tokens{};  ///< the shape without blanks and brackets
  std::array<SourceLanes, kMostTokens> reads{};
  std::uint8_t token_count = 0;
  std::uint8_t required_count = 0;  ///< tokens that are not in brackets

  const Models& models(Version version) const { return version.is_pixel() ? ps : vs; }
  /// Whether it gives a constant its value.
  constexpr bool defines() const { return tokens[0] == 'C' || tokens[0] == 'I' || tokens[0] == 'B'; }
  constexpr bool declares() const { return tokens[0] == 'u'; }
  /// Whether it marks a place in the code, which calls name.
  constexpr bool labels() const { return tokens[0] == 'l' && unit == Unit::none; }
  /// Operands that it must have, without literals and usages.
  constexpr unsigned required_operands() const {
    unsigned count = 0;
    for (unsigned i = 0; i < required_count; ++i) count += is_operand(tokens[i]) ? 1 : 0;
    return count;
  }

  static constexpr std::string_view kDestinations = "dAPKCIBD";
  static constexpr std::string_view kSources = "srcjqptla";
  static constexpr bool is_destination(char letter) { return kDestinations.find(letter) != std::string_view::npos; }
  static constexpr bool is_operand(char letter) { return is_destination(letter) || kSources.find(letter) != std::string_view::npos; }
};

/// Nothing for a code without a row.
const OpcodeInfo* find_opcode(std::uint32_t code);

inline constexpr std::uint32_t kCommentCode = 0xfffe;
inline constexpr std::uint32_t kEndCode = 0xffff;

/// An instruction or comment as it lies in the stream.
struct Instruction {
  std::uint32_t offset = 0;  ///< bytes from the version token
  std::uint32_t token = 0;
  std::uint32_t length_tokens = 0;   ///< with the instruction token
  const OpcodeInfo* info = nullptr;  ///< nothing for comments and unknown instructions
  View body;                         ///< the tokens after the instruction token

  std::uint32_t code() const { return token & 0xffff; }
  bool is_comment() const { return code() == kCommentCode; }
};

/// The operands of an instruction. Numbers of def, defi and defb, and dcl's usage, stay in the body.
struct Operands {
  std::array<Operand, 5> items;
  std::uint8_t count = 0;
  std::optional<Operand> predicate;
  std::uint32_t tokens_used = 0;  ///< of the body; fewer than it has when there are tokens the table does not know of
};

/// Steps through a token stream.
class Cursor {
 public:
  enum class State : std::uint8_t { running, ended, truncated };

  explicit Cursor(View program);

  Version version() const { return version_; }
  /// The next instruction or comment; false at the end token, or if the bytes end before it.
  bool next(Instruction& instruction);
  State state() const { return state_; }
  /// Bytes from the version token to what is read next.
  std::uint32_t position() const { return at_; }

 private:
  View program_;
  Version version_;
  std::uint32_t at_ = 4;
  State state_ = State::running;
};

/// Decodes what an instruction's shape says; stops early if the body ends.
void decode(const Instruction& instruction, Version version, Operands& operands);

/// Appends an instruction as fxc prints it, without indentation and line end: `mad_sat r0.xyz, r0, t0, r1`.
void print(Text& out, const Instruction& instruction, const Operands& operands, Version version);

/// Walks the stream once: an error when it does not end within its bytes.
Result<void> check(View program);

// --- Comment blocks ----------------------------------------------------------------------------------------------------------------

inline constexpr std::uint32_t kDebugComment = 0x47554244;     ///< `DBUG`
inline constexpr std::uint32_t kConstantComment = 0x42415443;  ///< `CTAB`

enum class TypeClass : std::uint16_t { scalar, vector, matrix_rows, matrix_columns, object, structure };

enum class BaseType : std::uint16_t {
  void_,
  bool_,
  int_,
  float_,
  string,
  texture,
  texture1d,
  texture2d,
  texture3d,
  texturecube,
  sampler,
  sampler1d,
  sampler2d,
  sampler3d,
  samplercube,
  pixelshader,
  vertexshader,
  pixelfragment,
  vertexfragment,
  unsupported,
};

enum class RegisterSet : std::uint16_t { boolean, integer, real, sampler };

const FieldType& field_type(TypeClass);
const FieldType& field_type(BaseType);
const FieldType& field_type(RegisterSet);

struct StructMember {
  String name;
  std::uint32_t type = 0;  ///< in the pool
};

struct Type {
  std::uint32_t offset = kUnplaced;
  TypeClass type_class = TypeClass::scalar;
  BaseType base = BaseType::void_;
  std::uint16_t rows = 0;
  std::uint16_t columns = 0;
  std::uint16_t elements = 0;
  std::uint16_t member_count = 0;
  Table<StructMember> members;
};

struct SourceFile {
  String name;
};

struct LineEntry {
  std::uint16_t line = 0;
  std::uint16_t file = 0;    ///< 0xffff for what has no line: declarations
  std::uint32_t offset = 0;  ///< of the instruction, bytes from the version token
};

/// What one instruction writes of a variable.
struct VariableWrite {
  std::uint32_t instruction = 0;              ///< index into the line entries
  std::array<std::uint16_t, 4> components{};  ///< component of the variable per component of the destination, 0xffff for none
};

struct Variable {
  String scope;  ///< function or structure; empty for the outermost
  String name;
  std::uint32_t type = 0;  ///< in the pool
  Table<VariableWrite> writes;
};

/// A DBUG comment: lines and variables. Offsets are counted from after the FourCC.
struct DebugInfo {
  std::uint32_t size = 0;
  String creator;
  String source;
  Table<SourceFile> files;
  Table<LineEntry> lines;
  Table<Variable> variables;
  String entry_point;
  std::vector<Type> types;
};

struct Constant {
  String name;
  RegisterSet set = RegisterSet::real;
  std::uint16_t register_index = 0;
  std::uint16_t register_count = 0;
  std::uint16_t reserved = 0;
  std::uint32_t type = 0;            ///< in the pool
  std::uint32_t default_offset = 0;  ///< 0 for none
  View default_value;                ///< 16 bytes for each register, 4 for one of a boolean

  /// Bytes that its default value has, if it has one.
  std::size_t default_bytes() const;
};

/// A CTAB comment: the constant table. Offsets are counted from after the FourCC.
struct ConstantTable {
  std::uint32_t size = 0;
  String creator;
  std::uint32_t version = 0;
  Table<Constant> constants;
  std::uint32_t flags = 0;
  String target;
  std::vector<Type> types;
};

/// Parses the body of a comment, FourCC included.
Result<DebugInfo> parse_debug_info(View comment);
Result<ConstantTable> parse_constant_table(View comment);

}  // namespace unshade::dxbc::sm2
