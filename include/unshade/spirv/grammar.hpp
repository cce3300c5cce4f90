// The grammar of SPIR-V as tables: what opcodes.def, enumerants.def and extended.def say, to look up. Nothing is built when the program
// runs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <unshade/core/text.hpp>
#include <unshade/spirv/enumerants.hpp>

namespace unshade::spirv {

enum class Quantifier : std::uint8_t { one, optional, any };

/// One operand of an instruction or of an enumerant.
struct OperandRule {
  OperandKind kind{};
  Quantifier quantifier{};
  const char* name = "";  ///< `memory_access`
};

/// The class of an instruction in the specification; `reserved` and `unlisted` come with extensions.
enum class OpcodeGroup : std::uint8_t {
  annotation,
  arithmetic,
  atomic,
  barrier,
  bit,
  composite,
  constant_creation,
  control_flow,
  conversion,
  debug,
  derivative,
  device_side_enqueue,
  extension,
  function,
  graph,
  group,
  image,
  memory,
  miscellaneous,
  mode_setting,
  non_uniform,
  pipe,
  primitive,
  relational_and_logical,
  reserved,
  tensor,
  type_declaration,
  unlisted,
};

/// Column of src/spirv/grammar/traits.def.
namespace traits {
inline constexpr std::uint8_t none = 0;
inline constexpr std::uint8_t ends = 1;        ///< ends a block: branches, returns, OpKill, OpUnreachable and those of extensions
inline constexpr std::uint8_t constant = 2;    ///< OpSpecConstantOp may compute by it
inline constexpr std::uint8_t ahead = 4;       ///< may use ids that are defined after it
inline constexpr std::uint8_t residency = 8;   ///< gives a residency code before the texel
inline constexpr std::uint8_t reference = 16;  ///< compares texels with an operand
}  // namespace traits

/// Columns of src/spirv/grammar/effects.def: sets of execution models.
namespace models {
/// Each model has the bit of its place. Models of two extensions with one value have one place.
inline constexpr ExecutionModel kAll[] = {
    ExecutionModel::vertex,
    ExecutionModel::tessellation_control,
    ExecutionModel::tessellation_evaluation,
    ExecutionModel::geometry,
    ExecutionModel::fragment,
    ExecutionModel::gl_compute,
    ExecutionModel::kernel,
    ExecutionModel::task_nv,
    ExecutionModel::mesh_nv,
    ExecutionModel::ray_generation_khr,
    ExecutionModel::intersection_khr,
    ExecutionModel::any_hit_khr,
    ExecutionModel::closest_hit_khr,
    ExecutionModel::miss_khr,
    ExecutionModel::callable_khr,
    ExecutionModel::task_ext,
    ExecutionModel::mesh_ext,
};
/// 0 for values without a name.
constexpr std::uint32_t of(ExecutionModel model) {
  std::uint32_t bit = 1;
  for (const ExecutionModel one : kAll) {
    if (one == model) return bit;
    bit <<= 1;
  }
  return 0;
}
inline constexpr std::uint32_t every = 0xffff'ffff;
inline constexpr std::uint32_t fragment = of(ExecutionModel::fragment);
/// Fragment, and with derivative groups others too: the bit above all models.
inline constexpr std::uint32_t in_derivative_groups = 1U << 31;
inline constexpr std::uint32_t derivatives = fragment | in_derivative_groups;
inline constexpr std::uint32_t geometry = of(ExecutionModel::geometry);
inline constexpr std::uint32_t task = of(ExecutionModel::task_nv) | of(ExecutionModel::task_ext);
inline constexpr std::uint32_t mesh = of(ExecutionModel::mesh_nv) | of(ExecutionModel::mesh_ext);
inline constexpr std::uint32_t rays =
    of(ExecutionModel::ray_generation_khr) | of(ExecutionModel::closest_hit_khr) | of(ExecutionModel::miss_khr);
inline constexpr std::uint32_t callers = rays | of(ExecutionModel::callable_khr);
inline constexpr std::uint32_t intersection = of(ExecutionModel::intersection_khr);
inline constexpr std::uint32_t any_hit = of(ExecutionModel::any_hit_khr);
}  // namespace models

/// Derivatives that an instruction gives or needs.
enum class Gradient : std::uint8_t { none, derives, implicit, given };
/// What an instruction does to memory, through its first pointer or image; `copies` writes the first and reads the second.
enum class Access : std::uint8_t { none, reads, writes, modifies, copies };
/// Invocations that act together in an instruction.
enum class Cooperation : std::uint8_t { alone, quad, subgroup, group, barrier };

/// The sections of a module, in their order. src: SPIR-V specification, "Logical Layout of a Module"
enum class Section : std::uint8_t {
  any,  ///< no place of its own
  capabilities,
  extensions,
  imports,
  memory_model,
  entry_points,
  execution_modes,
  sources,
  names,
  processes,
  annotations,
  definitions,  ///< types, constants, global variables
  functions,
  graphs,
};

/// A row of opcodes.def.
struct OpcodeInfo {
  Opcode opcode{};
  OpcodeGroup group{};
  std::uint8_t since = 0;  ///< 10 * major + minor; 0: by extensions alone
  bool has_type = false;   ///< the first operand is the id of the result's type
  bool has_result = false;
  Section section = Section::functions;  ///< where it is outside of functions
  std::uint8_t traits = 0;               ///< see spirv::traits
  Gradient gradient = Gradient::none;
  Access access = Access::none;
  Cooperation cooperation = Cooperation::alone;
  std::uint32_t models = models::every;  ///< execution models whose entry points may reach it, see spirv::models
  std::string_view text;                 ///< without the leading Op
  std::span<const OperandRule> operands;
  std::span<const Capability> capabilities;  ///< one of them is needed

  /// Any of spirv::traits.
  constexpr bool has(std::uint8_t any) const { return (traits & any) != 0; }
  /// The word of the first operand after those of the result.
  constexpr std::uint32_t first_operand() const { return 1U + (has_type ? 1U : 0U) + (has_result ? 1U : 0U); }
};

/// A row of enumerants.def.
struct Enumerant {
  std::uint32_t value = 0;
  std::uint8_t since = 0;
  std::string_view text;
  std::span<const OperandRule> operands;  ///< what follows
  std::span<const Capability> capabilities;
};

/// A row of extended.def.
struct ExtendedInfo {
  std::uint32_t number = 0;
  std::string_view text;
  std::span<const OperandRule> operands;
  std::uint32_t models = models::every;  ///< as of OpcodeInfo
};

/// The row of an opcode, or nullptr. Constant time.
const OpcodeInfo* find_opcode(std::uint32_t opcode);
/// By its name without the leading Op: Load.
const OpcodeInfo* find_opcode(std::string_view text);
/// OpTypeVoid and all others that make a type.
bool generates_type(Opcode opcode);
/// Whether it performs an instruction of a set: words 3 and 4 are the id of the import and the instruction's number.
constexpr bool is_extended(Opcode opcode) { return opcode == Opcode::ext_inst || opcode == Opcode::ext_inst_with_forward_refs_khr; }

/// Whether operands of this kind are one enumerant (or, with is_mask, any number of them).
bool is_enumeration(OperandKind kind);
bool is_mask(OperandKind kind);
/// `storage_class`
std::string_view text_of(OperandKind kind);
/// All names of an enumeration, in the order of values; none for other kinds.
std::span<const Enumerant> enumerants(OperandKind kind);
/// The row of a value, or nullptr; of a single bit for masks.
const Enumerant* find_enumerant(OperandKind kind, std::uint32_t value);
/// A row for each name that the value has; the first is that of find_enumerant().
std::span<const Enumerant> find_enumerants(OperandKind kind, std::uint32_t value);
const Enumerant* find_enumerant(OperandKind kind, std::string_view text);
/// Prints the names of a mask's bits joined by `|`, in hexadecimal those without a name; of 0 its name (None), or 0.
void print_mask(Text& out, OperandKind kind, std::uint32_t word);

/// The set that OpExtInstImport calls so.
ExtendedSet find_set(std::string_view name);
/// Whether its instructions are debug information, which has no effect on what a module computes.
bool is_debug_info(ExtendedSet set);
/// Whether its instructions have no meaning that a reader has to know: unknown ones have ids as operands.
bool is_non_semantic(ExtendedSet set);
/// Whether its instructions are debug information, which no other instruction depends on.
bool is_debug(ExtendedSet set);
/// Whether listings print the numbers of its instructions, as spirv-dis does if it has no names.
bool is_numbered(ExtendedSet set);
const ExtendedInfo* find_extended(ExtendedSet set, std::uint32_t number);
const ExtendedInfo* find_extended(ExtendedSet set, std::string_view text);

/// Whether an extension that OpExtension may name is known to bring opcodes or enumerants.
bool is_extension(std::string_view name);

/// Who wrote a module: the high half of its generator word; empty when unknown.
std::string_view generator_text(std::uint32_t tool);
std::optional<std::uint32_t> find_generator(std::string_view text);

}  // namespace unshade::spirv
