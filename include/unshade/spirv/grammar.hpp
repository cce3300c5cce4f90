// The grammar of SPIR-V as tables: what opcodes.def, enumerants.def and extended.def say, to look up. Nothing is built when the program
// runs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

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
  type_declaration,
  unlisted,
};

/// Column of src/spirv/traits.def.
namespace traits {
inline constexpr std::uint8_t none = 0;
inline constexpr std::uint8_t ends = 1;      ///< ends a block: branches, returns, OpKill, OpUnreachable and those of extensions
inline constexpr std::uint8_t constant = 2;  ///< OpSpecConstantOp may compute by it
}  // namespace traits

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
  std::string_view text;                 ///< without the leading Op
  std::span<const OperandRule> operands;
  std::span<const Capability> capabilities;  ///< one of them is needed

  /// Any of spirv::traits.
  constexpr bool has(std::uint8_t any) const { return (traits & any) != 0; }
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
};

/// The row of an opcode, or nullptr. Constant time.
const OpcodeInfo* find_opcode(std::uint32_t opcode);
/// By its name without the leading Op: Load.
const OpcodeInfo* find_opcode(std::string_view text);
/// OpTypeVoid and all others that make a type.
bool generates_type(Opcode opcode);

/// Whether operands of this kind are one enumerant (or, with is_mask, any number of them).
bool is_enumeration(OperandKind kind);
bool is_mask(OperandKind kind);
/// `storage_class`
std::string_view text_of(OperandKind kind);
/// All names of an enumeration, in the order of values; none for other kinds.
std::span<const Enumerant> enumerants(OperandKind kind);
/// The row of a value, or nullptr; of a single bit for masks.
const Enumerant* find_enumerant(OperandKind kind, std::uint32_t value);
const Enumerant* find_enumerant(OperandKind kind, std::string_view text);

/// The set that OpExtInstImport calls so.
ExtendedSet find_set(std::string_view name);
/// Whether its instructions have no meaning that a reader has to know: unknown ones have ids as operands.
bool is_non_semantic(ExtendedSet set);
/// Whether listings print the numbers of its instructions, as spirv-dis does if it has no names.
bool is_numbered(ExtendedSet set);
const ExtendedInfo* find_extended(ExtendedSet set, std::uint32_t number);
const ExtendedInfo* find_extended(ExtendedSet set, std::string_view text);

/// Who wrote a module: the high half of its generator word; empty when unknown.
std::string_view generator_text(std::uint32_t tool);
std::optional<std::uint32_t> find_generator(std::string_view text);

}  // namespace unshade::spirv
