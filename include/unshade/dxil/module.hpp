// An LLVM 3.7 module as bitcode holds it: what a listing, a reflection and a lowering are made from.
//
// Everything is an index into a vector of Module; nothing points. All functions share one vector for each kind of record, and a Body says
// which stretches of them are its own. What a file may refer to has been checked: every index below is kNone or in range for its vector,
// types have no by-value cycles and constants none at all, so that consumers need no checks of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>

namespace unshade::dxil {

inline constexpr std::uint32_t kNone = 0xffff'ffff;

/// A stretch of some vector of Module.
struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  std::uint32_t end() const { return first + count; }
  bool empty() const { return count == 0; }
};

/// A text in Module::characters; may hold zeros.
using StringRange = Range;

// --- enumerations: their values and texts are in <unshade/dxil/ir.def> -----------------------------------------------------------------

enum class Opcode : std::uint8_t {
#define DXIL_OPCODE(id, text, group, sem) id,
#include <unshade/dxil/ir.def>
  invalid
};
enum class Predicate : std::uint8_t {
#define DXIL_PREDICATE(code, id, text, sem) id = code,
#include <unshade/dxil/ir.def>
};
enum class AtomicOperation : std::uint8_t {
#define DXIL_ATOMIC(code, id, text, sem) id = code,
#include <unshade/dxil/ir.def>
};
enum class Ordering : std::uint8_t {
#define DXIL_ORDERING(code, id, text) id = code,
#include <unshade/dxil/ir.def>
};
enum class Linkage : std::uint8_t {
#define DXIL_LINKAGE(id, text) id,
#include <unshade/dxil/ir.def>
};
/// In the order in which a set of attributes prints.
enum class AttributeKind : std::uint8_t {
#define DXIL_ATTRIBUTE(code, id, text) id,
#include <unshade/dxil/ir.def>
  text,     ///< `"key"` or `"key"="value"`
  unknown,  ///< a code without a name: Attribute::code
};
enum class TypeKind : std::uint8_t {
#define DXIL_TYPE(id, text) id,
#include <unshade/dxil/ir.def>
};
enum class Visibility : std::uint8_t { default_, hidden, protected_ };
enum class DllStorage : std::uint8_t { default_, import, export_ };
enum class ThreadLocal : std::uint8_t { none, general_dynamic, local_dynamic, initial_exec, local_exec };

/// The texts of these, as a listing prints them; empty for numbers that have none.
std::string_view text(Opcode opcode);
std::string_view text(Predicate predicate);
std::string_view text(AtomicOperation operation);
std::string_view text(Ordering ordering);
std::string_view text(Linkage linkage);
std::string_view text(AttributeKind kind);
std::string_view text(TypeKind kind);
/// Empty for C's (0) and for those without a name, which print as `cc` and the number.
std::string_view calling_convention_text(std::uint32_t convention);

bool is_terminator(Opcode opcode);
bool is_binary(Opcode opcode);
bool is_cast(Opcode opcode);

// --- types -------------------------------------------------------------------------------------------------------------------------------

/// Types are in the order of the file's table, whose indices they keep; types that instructions need and the table lacks follow. What is
/// the same type twice in a table is the first one wherever it is referred to. A type refers to later ones through named structs only.
struct Type {
  TypeKind kind = TypeKind::void_;
  bool packed = false;       ///< structure
  bool variadic = false;     ///< function
  bool literal = true;       ///< structure: not one with an identity of its own (`%name = type {...}`, `%0 = type {...}`)
  bool opaque = false;       ///< structure without a body
  std::uint32_t number = 0;  ///< integer: its width in bits; pointer: its address space
  std::uint64_t count = 0;   ///< array, vector: elements
  Range parts{};             ///< in type_parts: members; element; pointee; or the type returned, then parameters
  StringRange name{};        ///< structure: empty for those that are numbered
};

// --- values ------------------------------------------------------------------------------------------------------------------------------

/// What a value id leads to. Ids below Module::values.size() are the module's, in any function; those above are a function's own:
/// parameters, constants, then instructions that have a value.
enum class ValueKind : std::uint8_t { global, function, alias, constant, parameter, instruction };

struct Value {
  ValueKind kind = ValueKind::constant;
  std::uint32_t type = 0;
  std::uint32_t index = 0;  ///< in globals, functions, aliases, constants, instructions; a parameter's number
  StringRange name{};       ///< from the symbol table; empty if there is none
};

enum class ConstantKind : std::uint8_t {
  null,  ///< zero of any type: 0, 0.0, null, zeroinitializer
  undef,
  integer,        ///< bits: sign extended to 64
  wide_integer,   ///< words, in literals: little-endian, two's complement
  real,           ///< bits: the pattern of half, float, double; wider types have two words in literals
  aggregate,      ///< operands: value ids
  data,           ///< literals: elements of an array or vector of integers or reals, each as its bits
  string,         ///< literals, one a character; an array of i8
  c_string,       ///< the same; the terminating zero is not among the literals
  binary,         ///< opcode, flags; operands: two value ids
  cast,           ///< opcode; operands: one
  getelementptr,  ///< flags; operands: pointer, indices; second_type: the pointee
  select,         ///< operands: condition, two values
  extractelement,
  insertelement,
  shufflevector,
  compare,        ///< opcode icmp or fcmp, predicate; operands: two
  inline_asm,     ///< flags: 1 side effect, 2 align stack, 4 Intel dialect; literals: characters; bits: how many are the text's, the rest
                  ///< constraints
  block_address,  ///< operands: function value id; bits: the block's number
};

/// Flags of instructions and constant expressions. Which are meant follows from the opcode.
namespace flag {
inline constexpr std::uint16_t kNoUnsignedWrap = 1 << 0;  ///< add, sub, mul, shl
inline constexpr std::uint16_t kNoSignedWrap = 1 << 1;
inline constexpr std::uint16_t kExact = 1 << 2;          ///< udiv, sdiv, lshr, ashr
inline constexpr std::uint16_t kFast = 1 << 3;           ///< real arithmetic and fcmp: all of the four that follow, and more
inline constexpr std::uint16_t kNoNaNs = 1 << 4;         ///< nnan
inline constexpr std::uint16_t kNoInfs = 1 << 5;         ///< ninf
inline constexpr std::uint16_t kNoSignedZeros = 1 << 6;  ///< nsz
inline constexpr std::uint16_t kReciprocal = 1 << 7;     ///< arcp
inline constexpr std::uint16_t kInBounds = 1 << 8;       ///< getelementptr
inline constexpr std::uint16_t kVolatile = 1 << 9;
inline constexpr std::uint16_t kAtomic = 1 << 10;    ///< load, store
inline constexpr std::uint16_t kWeak = 1 << 11;      ///< cmpxchg
inline constexpr std::uint16_t kInAlloca = 1 << 12;  ///< alloca
inline constexpr std::uint16_t kTail = 1 << 13;      ///< call
inline constexpr std::uint16_t kMustTail = 1 << 14;  ///< call
inline constexpr std::uint16_t kCleanup = 1 << 15;   ///< landingpad
/// All of real arithmetic and fcmp.
inline constexpr std::uint16_t kFastMath = kFast | kNoNaNs | kNoInfs | kNoSignedZeros | kReciprocal;
}  // namespace flag

struct Constant {
  ConstantKind kind = ConstantKind::null;
  Opcode opcode = Opcode::invalid;
  Predicate predicate{};
  std::uint16_t flags = 0;
  std::uint32_t type = 0;
  std::uint32_t second_type = kNone;
  std::uint64_t bits = 0;
  Range operands{};  ///< in Module::operands: value ids
  Range literals{};  ///< in Module::literals
};

struct Global {
  std::uint32_t value = 0;            ///< its value id; the value's type is the pointer to it
  std::uint32_t type = 0;             ///< of what it holds
  std::uint32_t initializer = kNone;  ///< value id
  std::uint32_t address_space = 0;
  std::uint32_t alignment = 0;    ///< in bytes; 0 none given
  std::uint32_t section = kNone;  ///< in sections
  std::uint32_t comdat = kNone;   ///< in comdats
  Linkage linkage{};
  Visibility visibility{};
  ThreadLocal thread_local_mode{};
  DllStorage dll_storage{};
  bool constant = false;
  bool unnamed_addr = false;
  bool externally_initialized = false;
};

struct Function {
  std::uint32_t value = 0;           ///< its value id; the value's type is a pointer to `type`
  std::uint32_t type = 0;            ///< a function type
  std::uint32_t body = kNone;        ///< in bodies; none for a declaration
  std::uint32_t attributes = kNone;  ///< in attribute_lists
  std::uint32_t calling_convention = 0;
  std::uint32_t alignment = 0;
  std::uint32_t section = kNone;
  std::uint32_t gc = kNone;  ///< in gc_names
  std::uint32_t comdat = kNone;
  std::uint32_t prefix = kNone;  ///< value ids
  std::uint32_t prologue = kNone;
  std::uint32_t personality = kNone;
  Linkage linkage{};
  Visibility visibility{};
  DllStorage dll_storage{};
  bool unnamed_addr = false;
};

struct Alias {
  std::uint32_t value = 0;
  std::uint32_t aliasee = kNone;  ///< value id
  Linkage linkage{};
  Visibility visibility{};
  ThreadLocal thread_local_mode{};
  DllStorage dll_storage{};
  bool unnamed_addr = false;
};

struct Comdat {
  std::uint32_t selection = 1;  ///< 1 any, 2 exact match, 3 largest, 4 no duplicates, 5 same size
  StringRange name{};
};

// --- code --------------------------------------------------------------------------------------------------------------------------------

/// An operand of an instruction is a value id, except if this bit is set: a metadata id (argument of type metadata).
inline constexpr std::uint32_t kMetadataOperand = 0x8000'0000;

/// Operands by opcode (v a value id, b a block of the function, counted from 0; ... as often as need be):
///   ret            v or none                      unreachable, fence   none
///   br             b, or b b v: if v, else         switch         v b, then (v b)...: condition, default; case, target
///   indirectbr     v b...                          invoke         callee b b arguments...: normal, unwind
///   resume         v                               binary, icmp, fcmp   v v
///   casts          v                               alloca         v: how many
///   load           v                               store          pointer, value
///   getelementptr  pointer, indices...             cmpxchg        pointer, compared, new
///   atomicrmw      pointer, value                  phi            (v b)...
///   call           callee arguments...             select         condition, value if true, value if false
///   va_arg         v                               extractelement vector, index
///   insertelement  vector, element, index          shufflevector  vector, vector, mask
///   extractvalue   aggregate, then indices         insertvalue    aggregate, value, then indices
///   landingpad     (0 catch or 1 filter, v)...
/// A label given as an argument is a block. Indices of extractvalue and insertvalue are plain numbers.
struct Instruction {
  Opcode opcode = Opcode::invalid;
  std::uint8_t detail = 0;      ///< Predicate of icmp, fcmp; AtomicOperation of atomicrmw
  Ordering ordering{};          ///< of atomic accesses and fence
  Ordering failure_ordering{};  ///< cmpxchg
  std::uint16_t flags = 0;
  std::uint16_t calling_convention = 0;  ///< call, invoke
  bool single_thread = false;            ///< atomic accesses and fence: synchronize within the thread only
  std::uint8_t alignment_code = 0;       ///< alloca, load, store: 0 none given, else 1 + its logarithm
  std::uint32_t type = 0;                ///< of the result; void if there is none
  std::uint32_t value = kNone;           ///< its value id
  std::uint32_t second_type =
      kNone;  ///< alloca: allocated; getelementptr: pointee; call, invoke: the function's type; switch, indirectbr: of the condition
  std::uint32_t attributes = kNone;  ///< call, invoke: in attribute_lists
  Range operands{};                  ///< in Module::operands
  std::uint32_t location = kNone;    ///< in Module::locations
  std::uint32_t offset = 0;          ///< where its record begins: bytes from the start of the file, rounded down

  std::uint32_t alignment() const { return alignment_code == 0 ? 0 : 1U << (alignment_code - 1); }
  Predicate predicate() const { return static_cast<Predicate>(detail); }
  AtomicOperation operation() const { return static_cast<AtomicOperation>(detail); }
};

/// Where an instruction comes from: line 0 and no scope mean nowhere.
struct Location {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t scope = kNone;  ///< metadata ids
  std::uint32_t inlined_at = kNone;
};

struct Block {
  Range instructions{};  ///< in Module::instructions
  StringRange name{};
};

/// Metadata that hangs on an instruction or function.
struct Attachment {
  std::uint32_t instruction = kNone;  ///< counted from the first of the function; kNone for the function's own
  std::uint32_t kind = 0;             ///< in metadata_kinds
  std::uint32_t node = 0;             ///< metadata id
};

/// The order in which the uses of a value was in memory: `uselistorder`.
struct UseListOrder {
  bool of_block = false;
  std::uint32_t id = 0;  ///< value id or block
  Range order{};         ///< in Module::operands
};

struct Body {
  std::uint32_t function = 0;    ///< in functions
  Range values{};                ///< in local_values; the first has the id Module::values.size()
  std::uint32_t parameters = 0;  ///< how many of them are parameters
  Range blocks{};                ///< in Module::blocks
  Range instructions{};          ///< in Module::instructions
  Range metadata{};              ///< in local_metadata; the first has the id Module::metadata.size()
  Range attachments{};           ///< in Module::attachments, ascending by instruction, the function's own first
  Range use_lists{};             ///< in Module::use_lists
};

// --- metadata ----------------------------------------------------------------------------------------------------------------------------

enum class MetadataKind : std::uint8_t {
  string,  ///< text
  value,   ///< type, value: a constant or, in a function, a local value
  node,    ///< operands: metadata id + 1 each, or 0 for null
#define DXIL_NODE(code, id, text, least, most) id,
#include <unshade/dxil/debug_nodes.def>
};

/// Operands of the kinds with fields are as in the record, `distinct` first: <unshade/dxil/debug_nodes.def> says what each is.
struct Metadata {
  MetadataKind kind = MetadataKind::string;
  bool distinct = false;
  std::uint32_t type = 0;   ///< value
  std::uint32_t value = 0;  ///< value: its id
  Range operands{};         ///< in Module::metadata_operands; of a string: its characters
};

/// What a field of a metadata node holds, and when it prints: see <unshade/dxil/debug_nodes.def>.
enum class FieldForm : std::uint8_t { node, id, string, u, line, column, i, s, boolean, tag, language, encoding, virtuality, flags, rest };
enum class FieldPrint : std::uint8_t { always, value, other };
struct NodeField {
  std::uint8_t operand;
  FieldForm form;
  FieldPrint print;
  std::string_view text;
};
/// The fields of a kind of node in the order in which they print; none for string, value and node.
std::span<const NodeField> node_fields(MetadataKind kind);
/// `DILocation`; empty for string, value and node.
std::string_view node_text(MetadataKind kind);

struct NamedMetadata {
  StringRange name{};
  Range nodes{};  ///< in metadata_operands: metadata ids
};

struct MetadataKindName {
  std::uint32_t id = 0;  ///< as the file numbers it
  StringRange name{};
};

// --- attributes --------------------------------------------------------------------------------------------------------------------------

struct Attribute {
  AttributeKind kind = AttributeKind::unknown;
  bool has_value = false;   ///< text: `"key"="value"`
  std::uint32_t code = 0;   ///< as the file numbers it; 0 for text
  std::uint64_t value = 0;  ///< align, alignstack (bytes), dereferenceable (bytes)
  StringRange key{};        ///< text
  StringRange text{};
};

/// Where attributes belong: kReturn, 1 and up for parameters, kFunction.
struct AttributeGroup {
  static constexpr std::uint32_t kReturn = 0;
  static constexpr std::uint32_t kFunction = 0xffff'ffff;
  std::uint32_t id = 0;  ///< as the file numbers it
  std::uint32_t slot = 0;
  Range attributes{};  ///< in Module::attributes, in the file's order
};

// --- module ------------------------------------------------------------------------------------------------------------------------------

struct Module {
  std::vector<Type> types;
  std::uint32_t file_types = 0;  ///< how many of them the file's table has
  std::vector<std::uint32_t> type_parts;

  std::vector<AttributeGroup> attribute_groups;
  std::vector<Attribute> attributes;
  std::vector<Range> attribute_lists;                ///< each in attribute_list_groups, in the file's order
  std::vector<std::uint32_t> attribute_list_groups;  ///< in attribute_groups

  StringRange triple, data_layout, inline_asm, source_name;
  bool has_triple = false, has_data_layout = false;
  std::vector<StringRange> sections, gc_names, dependencies;
  std::vector<Comdat> comdats;

  std::vector<Global> globals;
  std::vector<Function> functions;
  std::vector<Alias> aliases;
  std::vector<Value> values;        ///< of the module: globals, functions and aliases in the file's order, then constants
  std::vector<Value> local_values;  ///< of all functions
  std::vector<Constant> constants;  ///< of the module and of all functions
  std::vector<std::uint64_t> literals;
  std::vector<std::uint32_t> operands;

  std::vector<Body> bodies;  ///< in the order of the functions that have one
  std::vector<Block> blocks;
  std::vector<Instruction> instructions;
  std::vector<Location> locations;
  std::vector<Attachment> attachments;
  std::vector<UseListOrder> use_lists;  ///< of the functions, then the module's
  Range module_use_lists;

  std::vector<Metadata> metadata;
  std::vector<Metadata> local_metadata;
  std::vector<std::uint64_t> metadata_operands;
  std::vector<NamedMetadata> named_metadata;
  std::vector<MetadataKindName> metadata_kinds;

  std::string characters;

  std::string_view text(StringRange range) const { return std::string_view(characters).substr(range.first, range.count); }
  std::span<const std::uint32_t> operands_of(Range range) const { return {operands.data() + range.first, range.count}; }
  std::span<const std::uint64_t> literals_of(Range range) const { return {literals.data() + range.first, range.count}; }
  std::span<const std::uint64_t> metadata_operands_of(Range range) const { return {metadata_operands.data() + range.first, range.count}; }
  std::span<const std::uint32_t> parts_of(const Type& type) const { return {type_parts.data() + type.parts.first, type.parts.count}; }
  /// The element of an array or vector, the pointee, the type returned.
  std::uint32_t element_of(std::uint32_t type) const { return type_parts[types[type].parts.first]; }
  /// `id` as seen in a function, or in the module if `body` is null.
  const Value& value(const Body* body, std::uint32_t id) const {
    return id < values.size() ? values[id] : local_values[body->values.first + (id - values.size())];
  }
  const Metadata& metadata_at(const Body* body, std::uint32_t id) const {
    return id < metadata.size() ? metadata[id] : local_metadata[body->metadata.first + (id - metadata.size())];
  }
  /// The text of a metadata string.
  std::string_view string_of(const Metadata& string) const { return text(string.operands); }
};

/// Reads bitcode: raw, or after a wrapper's header. Borrows nothing.
/// Errors: bad_magic; truncated and bad_value if the bitstream breaks off or makes no sense; out_of_range if a record refers to a
/// type, value, block or metadata that is not there; cycle if a type or constant holds itself; limit. Paths:
/// `module/function[3]/instruction[12]`. Source: docs/reference/formats/bitcode.md
Result<Module> parse_module(View bitcode);

/// Where functions that read several parts of a file get their modules: from one who keeps those that were parsed.
struct ModuleSource {
  /// As parse_module(); null: that itself.
  Result<std::shared_ptr<const Module>> (*read)(const void* self, View bitcode) = nullptr;
  const void* self = nullptr;

  Result<std::shared_ptr<const Module>> module(View bitcode) const;
};

}  // namespace unshade::dxil
