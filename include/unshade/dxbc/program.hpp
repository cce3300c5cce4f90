// Token programs: the code of shader models 4.0 to 5.1 (SHDR and SHEX parts), and how it is decoded, one instruction at a time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <unshade/core/lanes.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>

namespace unshade::dxbc {

/// D3D10_SB_TOKENIZED_PROGRAM_TYPE: the stage.
enum class Stage : std::uint16_t { pixel = 0, vertex = 1, geometry = 2, hull = 3, domain = 4, compute = 5 };

/// `pixel`, `vertex`, ...; empty for a number that names no stage.
std::string_view id(Stage stage);
/// `ps`, `vs`, ...; `xs` for a number that names no stage.
std::string_view profile_prefix(Stage stage);

/// Shader models in their order.
enum class ShaderModel : std::uint8_t { sm4_0, sm4_1, sm5_0, sm5_1 };

/// A program's tokens. Borrows the file's bytes.
struct Program {
  View tokens;  ///< from the version token on, length_tokens tokens of 4 bytes
  Stage stage = Stage::pixel;
  std::uint8_t major = 0;
  std::uint8_t minor = 0;

  bool is_5_1() const { return major > 5 || (major == 5 && minor >= 1); }
};

/// Reads the version and length tokens. Errors: truncated if the stated length reaches beyond the part; bad_value if it is under 2.
Result<Program> parse_program(const dxcontainer::Part& part);

/// What bits [23:11] of an opcode token mean, by opcode.
enum class Control : std::uint8_t {
  none,
  sat,    ///< saturate
  test,   ///< zero or non-zero
  texel,  ///< offsets and resource dimension may be in extended tokens
  uav_texel,
  return_type,  ///< of resinfo and sampleinfo
  sync,         ///< which memories and whether threads wait
  dim,          ///< resource dimension, sample count
  uav_dim,      ///< resource dimension, globally coherent, rasterizer ordered
  uav,          ///< globally coherent, rasterizer ordered, has a counter
  pattern,      ///< constant buffer access
  mode,         ///< sampler mode
  topology,
  primitive,
  interpolation,
  flags,    ///< global flags
  dynamic,  ///< interfaces: indexed dynamically
  count,    ///< control points
  domain,
  partitioning,
  tess_output,
};

/// Which count of the STAT part an opcode goes into; all but dcl and phase go into the instruction count as well. Observed in 1,022
/// programs that have the part (docs/reference/rules.md, "Statistics").
enum class Counted : std::uint8_t {
  none,
  flt,
  sint,
  uint,
  mov,
  movc,
  conv,
  sflow,
  dflow,
  tex,  ///< on textures, but in none of their counts: gather4_c among them
  tnormal,
  tload,  ///< of a resource or UAV, not of group memory; sample_l as well
  tcomp,
  tbias,
  tgrad,
  gather,
  lod,
  tstore,  ///< to a UAV, not to group memory
  atomic,
  barrier,
  emit,
  cut,
  dcl,
  phase,  ///< marks a place: hull phases, labels
};

enum class Opcode : std::uint16_t {
#define DXBC_OP(code, id, text, shape, control, since, counted, stages, traits, access, lanes, sem) id = code,
#include <unshade/dxbc/opcodes.def>
#undef DXBC_OP
};

/// Columns of opcodes.def whose words are joined.
namespace traits {
inline constexpr std::uint32_t none = 0;
inline constexpr std::uint32_t opens = 1U << 0;             ///< a block begins
inline constexpr std::uint32_t closes = 1U << 1;            ///< a block ends
inline constexpr std::uint32_t compares = 1U << 2;          ///< the result is a mask for each component
inline constexpr std::uint32_t implicit = 1U << 3;          ///< derivatives of the coordinates choose the level
inline constexpr std::uint32_t derives = 1U << 4;           ///< gives a derivative
inline constexpr std::uint32_t samples = 1U << 5;           ///< filters texels
inline constexpr std::uint32_t gathers = 1U << 6;           ///< takes one component of four texels
inline constexpr std::uint32_t reference = 1U << 7;         ///< compares texels, by a comparison sampler
inline constexpr std::uint32_t raw_structured = 1U << 8;    ///< in shader model 4, too, if such buffers are enabled
inline constexpr std::uint32_t extended_double = 1U << 9;   ///< of the double extensions of 11.1
inline constexpr std::uint32_t tiled = 1U << 10;            ///< gives or asks the status of tiled resources
inline constexpr std::uint32_t spare = 1U << 11;            ///< fxc counts a token more than the operands have, mostly a zero
inline constexpr std::uint32_t literal = 1U << 12;          ///< the source must be a literal
inline constexpr std::uint32_t to_stream = 1U << 13;        ///< the destination must be a stream, of no other instruction may it be one
inline constexpr std::uint32_t extended_shader = 1U << 14;  ///< of the shader extensions of 11.1
inline constexpr std::uint32_t gives_double = 1U << 15;     ///< the destination is a double, which no letter of the shape says
inline constexpr std::uint32_t offsets = 1U << 16;          ///< texel offsets may follow the opcode token
inline constexpr std::uint32_t integers = 1U << 17;         ///< a typed resource must be one of integers
inline constexpr std::uint32_t negates = 1U << 18;          ///< the sources may be negated
inline constexpr std::uint32_t modifies = 1U << 19;         ///< the sources may be negated, and be absolute values
inline constexpr std::uint32_t selects = 1U << 20;          ///< the first source may not: it chooses between the others
inline constexpr std::uint32_t attribute = 1U << 21;        ///< the first source is an attribute of the pixel, other than its position
}  // namespace traits
/// What an instruction reads, writes or asks about: register files, and the dimensions that a declaration may give a resource.
namespace access {
inline constexpr std::uint32_t none = 0;
inline constexpr std::uint32_t t = 1U << 0;
inline constexpr std::uint32_t u = 1U << 1;
inline constexpr std::uint32_t g = 1U << 2;
inline constexpr std::uint32_t rasterizer = 1U << 3;
inline constexpr std::uint32_t constants = 1U << 4;
inline constexpr std::uint32_t samplers = 1U << 5;
inline constexpr std::uint32_t stream = 1U << 6;
inline constexpr std::uint32_t input = 1U << 7;  // registers of the input signature
inline constexpr std::uint32_t patch = 1U << 8;  // control points and patch constants
inline constexpr std::uint32_t output = 1U << 9;
inline constexpr std::uint32_t other_input = 1U << 10;   // single registers such as vPrim
inline constexpr std::uint32_t other_output = 1U << 11;  // single registers such as oDepth
/// The bit of a D3D10_SB_RESOURCE_DIMENSION; none of a number beyond those.
constexpr std::uint32_t dimension(std::uint32_t number) { return number >= 1 && number <= 12 ? 1U << (number + 15) : 0; }
inline constexpr std::uint32_t buffer = dimension(1);
inline constexpr std::uint32_t multisampled = dimension(4) | dimension(9);
inline constexpr std::uint32_t cubes = dimension(6) | dimension(10);
inline constexpr std::uint32_t in_1d = dimension(2) | dimension(7);
inline constexpr std::uint32_t in_2d = dimension(3) | dimension(8);
inline constexpr std::uint32_t in_3d = dimension(5);
inline constexpr std::uint32_t raw = dimension(11);
inline constexpr std::uint32_t structured = dimension(12);
inline constexpr std::uint32_t plain = in_1d | in_2d | in_3d;
inline constexpr std::uint32_t typed = buffer | plain | cubes | multisampled;
// the words of the column
inline constexpr std::uint32_t inputs = input | patch;
inline constexpr std::uint32_t any_input = inputs | other_input;
inline constexpr std::uint32_t any_output = output | other_output;
inline constexpr std::uint32_t indexed = inputs | output;
inline constexpr std::uint32_t resources = t | typed;
inline constexpr std::uint32_t texels = t | buffer | plain;
inline constexpr std::uint32_t samples = t | multisampled;
inline constexpr std::uint32_t filtered = t | plain | cubes;
inline constexpr std::uint32_t compared = t | in_1d | in_2d | cubes;
inline constexpr std::uint32_t gathered = t | in_2d | cubes;
inline constexpr std::uint32_t gathered_2d = t | in_2d;
inline constexpr std::uint32_t uav_texels = u | buffer | plain;
inline constexpr std::uint32_t load_raw = t | u | g | raw;
inline constexpr std::uint32_t store_raw = u | g | raw;
inline constexpr std::uint32_t load_records = t | u | g | structured;
inline constexpr std::uint32_t store_records = u | g | structured;
inline constexpr std::uint32_t counter = u | structured;
inline constexpr std::uint32_t atomic = u | g | buffer | plain | raw | structured;
inline constexpr std::uint32_t textures = t | u | plain | cubes | multisampled;
inline constexpr std::uint32_t buffers = t | u | buffer | raw | structured;
inline constexpr std::uint32_t samples_or_target = samples | rasterizer;
}  // namespace access
namespace stages {
constexpr std::uint8_t of(Stage stage) { return static_cast<std::uint8_t>(1U << static_cast<unsigned>(stage)); }
inline constexpr std::uint8_t ps = of(Stage::pixel);
inline constexpr std::uint8_t gs = of(Stage::geometry);
inline constexpr std::uint8_t hs = of(Stage::hull);
inline constexpr std::uint8_t cs = of(Stage::compute);
inline constexpr std::uint8_t hs_ds = hs | of(Stage::domain);
inline constexpr std::uint8_t gs_to_ds = gs | hs_ds;
inline constexpr std::uint8_t vs_to_ds = of(Stage::vertex) | gs_to_ds;
inline constexpr std::uint8_t every = ps | cs | vs_to_ds;
}  // namespace stages

/// A row of the instruction table.
struct OpcodeInfo {
  std::string_view text;
  std::string_view shape;
  Control control;
  ShaderModel since;
  Counted counted;
  std::uint8_t stages;             ///< that have it, see dxbc::stages
  std::uint32_t traits;            ///< see dxbc::traits
  std::uint32_t access;            ///< what its resource or declared register may be, see dxbc::access
  std::string_view lanes;          ///< the components of its operands, a letter each; empty: all as `.`
  std::string_view sem;            ///< what it does: an id of ir/ops.def or a word of ir/semantics.def
  std::string_view spelling;       ///< of a declaration: what follows its text in a listing, see opcodes.def
  std::uint8_t operand_count = 0;  ///< letters of the shape that are operands
  bool only_operands = false;      ///< the shape has no other letters

  constexpr OpcodeInfo(std::string_view text_, std::string_view shape_, Control control_, ShaderModel since_, Counted counted_,
                       std::uint8_t stages_, std::uint32_t traits_, std::uint32_t access_, std::string_view lanes_, std::string_view sem_,
                       std::string_view spelling_ = {})
      : text(text_),
        shape(shape_),
        control(control_),
        since(since_),
        counted(counted_),
        stages(stages_),
        traits(traits_),
        access(access_),
        lanes(lanes_),
        sem(sem_),
        spelling(spelling_) {
    for (const char c : shape) operand_count = static_cast<std::uint8_t>(operand_count + (is_operand(c) ? 1 : 0));
    only_operands = operand_count == shape.size() && shape != "F";
  }
  /// Any of dxbc::traits.
  constexpr bool has(std::uint32_t any) const { return (traits & any) != 0; }
  /// The letter of `lanes` for an operand.
  constexpr char lanes_of(unsigned slot) const { return slot < lanes.size() ? lanes[slot] : '.'; }
  /// Whether a source in another precision is converted to that of the destination, as its listing then says: {min16f as def32}. If the
  /// types differ anyway (conversions, comparisons, addresses of textures and memory, conditions) it is not, and only its own precision is
  /// listed.
  bool converts_precision(unsigned operand) const;
  /// Whether a letter of a shape stands for an operand. An interface call has its operand after a number.
  static constexpr bool is_operand(char c) { return c == 'F' || (c >= 'a' && c <= 'z' && c != 'w' && c != 'n' && c != 't'); }
};

/// All rows, by code.
std::span<const OpcodeInfo> opcode_table();
/// The row of an opcode, or null for a code that is in no table.
const OpcodeInfo* find_opcode(std::uint32_t code);

/// D3D10_SB_OPERAND_TYPE.
enum class OperandType : std::uint8_t {
  temp,
  input,
  output,
  indexable_temp,
  immediate32,
  immediate64,
  sampler,
  resource,
  constant_buffer,
  immediate_constant_buffer,
  label,
  input_primitive_id,
  output_depth,
  null,
  rasterizer,
  output_coverage_mask,
  stream,
  function_body,
  function_table,
  interface,
  function_input,
  function_output,
  output_control_point_id,
  input_fork_instance_id,
  input_join_instance_id,
  input_control_point,
  output_control_point,
  input_patch_constant,
  input_domain_point,
  this_pointer,
  uav,
  thread_group_shared_memory,
  input_thread_id,
  input_thread_group_id,
  input_thread_id_in_group,
  input_coverage_mask,
  input_thread_id_in_group_flattened,
  input_gs_instance_id,
  output_depth_greater_equal,
  output_depth_less_equal,
  cycle_counter,
  output_stencil_ref,
  input_inner_coverage,
};

struct OperandInfo {
  std::string_view id;
  std::string_view text;  ///< the register's letters in a listing
};
/// Null for a type that is in no table.
const OperandInfo* find_operand(OperandType type);

enum class Selection : std::uint8_t { mask = 0, swizzle = 1, select1 = 2, reserved = 3 };
/// Bit 0 negates, bit 1 takes the absolute value first.
enum class Modifier : std::uint8_t { none = 0, neg = 1, abs = 2, neg_abs = 3 };

/// Nothing: for indexes without a relative part.
inline constexpr std::uint8_t kNoOperand = 0xff;

/// One operand, decoded. The order of the fields is the decoder's: what most operands have is written in two stores.
struct Operand {
  OperandType type{};
  std::uint8_t components = 0;  ///< 0, 1 or 4
  Selection selection = Selection::mask;
  std::uint8_t lanes = 0;  ///< mask: bit 0 is x; swizzle: two bits a component, x lowest; select1: the component
  Modifier modifier = Modifier::none;
  std::uint8_t min_precision = 0;  ///< D3D11_SB_OPERAND_MIN_PRECISION
  bool non_uniform = false;
  std::uint8_t dimensions = 0;                                               ///< how many indexes
  std::array<std::uint8_t, 3> relative{kNoOperand, kNoOperand, kNoOperand};  ///< operand of the same instruction that is added to index[i]
  std::uint8_t index_64 = 0;                                                 ///< bit i: index[i] is the low half of a 64-bit immediate
  std::uint16_t first_token = 0;                                             ///< of the operand, counted from the instruction's first token
  std::uint16_t token_count = 0;
  std::array<std::uint32_t, 3> index{};    ///< the first `dimensions` of them
  std::array<std::uint32_t, 4> literal{};  ///< immediate32: `components` of them; immediate64: low and high halves, two components

  /// The components that a destination writes; of a register of one component that one.
  WriteMask mask() const { return components == 4 ? WriteMask(lanes) : WriteMask::first_components(components); }
  /// Which component each lane of a source reads.
  Swizzle swizzle() const {
    return selection == Selection::swizzle ? Swizzle(lanes) : selection == Selection::select1 ? Swizzle::broadcast(lanes) : Swizzle();
  }
};

/// Texel offsets of an instruction, each -8 to 7.
struct TexelOffsets {
  std::int8_t u = 0;
  std::int8_t v = 0;
  std::int8_t w = 0;
};

/// D3D10_SB_CUSTOMDATA_CLASS.
enum class CustomData : std::uint32_t {
  comment = 0,
  debug_info = 1,
  opaque = 2,
  immediate_constant_buffer = 3,
  shader_message = 4,
  clip_plane_constant_mappings = 5
};

/// What resinfo and sampleinfo return.
enum class InfoType : std::uint8_t { float_, reciprocal, uint, reserved };
/// D3D10_SB_SAMPLER_MODE.
enum class SamplerMode : std::uint8_t { default_, comparison, mono };

/// What sync waits for.
struct Sync {
  bool uav_global = false;  ///< accesses to UAVs, as all threads see them
  bool uav_group = false;   ///< accesses to UAVs, as the group sees them
  bool group_memory = false;
  bool threads = false;  ///< all threads of the group
};

/// Four return types of a resource, x first.
struct ReturnTypes {
  std::uint32_t bits = 0;  ///< four bits a component, x lowest

  dxcontainer::ReturnType operator[](unsigned component) const {
    return static_cast<dxcontainer::ReturnType>(bits >> (4 * component) & 0xfU);
  }
};

/// D3D_SRV_DIMENSION of a D3D10_SB_RESOURCE_DIMENSION, by which token programs count.
dxcontainer::ResourceDimension dimension_of(std::uint32_t token_dimension);

/// One instruction, decoded. Reused from one to the next: only what the opcode has is filled in.
struct Instruction {
  static constexpr unsigned kMaxOperands = 32;

  std::uint32_t token = 0;           ///< the opcode token as it is
  std::uint32_t code = 0;            ///< its opcode; may be in no table
  const OpcodeInfo* info = nullptr;  ///< null: unknown opcode, kept and stepped over by its length
  std::uint32_t first_token = 0;     ///< counted from the program's version token
  std::uint32_t length_tokens = 0;
  View bytes;  ///< the instruction's tokens
  bool has_texel_offsets = false;
  bool has_resource_dimension = false;
  bool has_return_types = false;
  bool has_min_precision = false;  ///< an operand has one
  TexelOffsets offsets;
  std::uint32_t resource_dimension = 0;  ///< D3D10_SB_RESOURCE_DIMENSION of the extended token
  std::uint32_t structure_stride = 0;    ///< bytes, of a structured buffer
  ReturnTypes return_types;
  std::uint8_t operand_count = 0;  ///< those of the shape, at the front of operands; operands that indexes use follow them
  std::uint8_t total_operands = 0;
  std::uint8_t word_count = 0;  ///< dwords of declarations: w, n, t and S of the shape in their order
  std::array<std::uint32_t, 4> words{};
  View data;  ///< custom data: what follows the two head tokens; T, I: the list of numbers; unknown: all after the opcode token
  std::array<Operand, kMaxOperands> operands;

  Opcode opcode() const { return static_cast<Opcode>(code); }

  // Fields of the opcode token, each of the opcodes whose OpcodeInfo::control names it. What files may have beyond the enumerators is kept.
  bool saturates() const;
  bool tests_nonzero() const;
  WriteMask precise() const;  ///< components of the destinations that must not be optimised
  InfoType info_type() const;
  Sync sync() const;
  std::uint32_t declared_dimension() const;  ///< D3D10_SB_RESOURCE_DIMENSION
  std::uint32_t sample_count() const;        ///< of a multisampled texture
  bool is_globally_coherent() const;
  bool is_rasterizer_ordered() const;
  bool has_counter() const;
  bool is_dynamically_indexed() const;  ///< a constant buffer or interface
  SamplerMode sampler_mode() const;
  dxcontainer::Interpolation interpolation() const;
  CustomData custom_data() const;
  /// What a declaration of a single number or enumerator states: the field that OpcodeInfo::control names, without one the first word.
  std::uint32_t declared_value() const;
  // Fields of its words.
  ReturnTypes declared_return_types() const { return {words[0]}; }
  std::uint32_t system_value_name() const;  ///< D3D10_SB_NAME of a declared input or output; 0 without one
  std::uint32_t array_length() const;       ///< of an interface
  /// Tokens that its operands, words and lists take up, with the opcode token and what extends it.
  std::uint32_t used_tokens() const;

 private:
  friend class Decoder;
  std::uint32_t head_tokens_ = 1;  // opcode token, extensions, or a long length
};

/// Steps through a program.
class Decoder {
 public:
  explicit Decoder(const Program& program);
  /// Over instructions alone, without the two head tokens in front; positions count from the first of them.
  Decoder(const Program& program, View instructions);

  bool at_end() const { return at_ >= count_; }
  /// Tokens from the version token to the next instruction.
  std::uint32_t position() const { return at_; }
  /// Decodes the next instruction into `instruction`; at_end() must be false. False on an error, which is then in error().
  /// Errors: truncated if an instruction reaches beyond the program or its operands beyond the instruction; bad_value for an
  /// instruction of length 0; limit for operands that nest or number too many.
  bool next(Instruction& instruction);
  const Error& error() const { return error_; }

  /// The tokens it steps through, for those who look ahead.
  View tokens() const { return tokens_; }
  /// Steps over the next instruction undecoded; its length is the caller's promise to have checked: 1 to what is left.
  void skip(std::uint32_t length_tokens) {
    at_ += length_tokens;
    ++index_;
  }

 private:
  bool decode_operands(Instruction& instruction, std::uint32_t at, std::uint32_t end);
  bool fail(ErrorCode code, std::uint32_t token, std::string path, std::string message);

  View tokens_;
  std::uint32_t count_;
  std::uint32_t at_;
  std::uint32_t index_ = 0;  // of the instruction, for paths
  bool is_5_1_;
  Error error_;
};

/// A shader message: custom data of printf, errorf and their like.
struct ShaderMessage {
  // src: D3D11_SB_SHADER_MESSAGE_ID_MESSAGE and _ERROR, D3D11_SB_SHADER_MESSAGE_FORMAT_ANSI_PRINTF
  static constexpr std::uint32_t kPrintf = 0x0020'0102;
  static constexpr std::uint32_t kErrorf = 0x0020'0103;
  static constexpr std::uint32_t kPrintfStyle = 1;  ///< else the format is text alone, without operands

  std::uint32_t message_id = 0;
  std::uint32_t format_style = 0;
  std::uint32_t operand_count = 0;
  std::string_view format;
};

/// Decodes the message of a custom data instruction and its operands into the instruction's operands.
Result<ShaderMessage> decode_shader_message(Instruction& instruction);

/// Adds version, length and every instruction down to its operand tokens to a tree.
void record_program(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);

}  // namespace unshade::dxbc
