#include "dxil/module/record_words.hpp"

#include <array>
#include <iterator>

namespace unshade::dxil::module {

namespace {

enum class BinaryFlags : std::uint8_t { none, wrap, exact };
struct BinaryRow {
  Opcode integer;
  Opcode real;
  BinaryFlags flags;
};
constexpr BinaryRow kBinary[] = {
#define DXIL_BINARY(code, integer, real, flags) {Opcode::integer, Opcode::real, BinaryFlags::flags},
#include <unshade/dxil/ir.def>
};
constexpr std::uint32_t kBinaryCodes[] = {
#define DXIL_BINARY(code, integer, real, flags) code,
#include <unshade/dxil/ir.def>
};
constexpr bool in_order() {
  for (std::uint32_t i = 0; i < std::size(kBinaryCodes); ++i)
    if (kBinaryCodes[i] != i) return false;
  return true;
}
static_assert(in_order(), "rows of DXIL_BINARY must be in the order of their codes");

enum class Group : std::uint8_t { t, b, c, o };
struct OpcodeRow {
  std::string_view text;
  Group group;
};
constexpr OpcodeRow kOpcodes[] = {
#define DXIL_OPCODE(id, text, group, sem) {text, Group::group},
#include <unshade/dxil/ir.def>
};
constexpr std::uint32_t kCasts = static_cast<std::uint32_t>(Opcode::addrspacecast) - static_cast<std::uint32_t>(Opcode::trunc) + 1;
static_assert(kCasts == 13 && kOpcodes[static_cast<std::size_t>(Opcode::trunc)].group == Group::c);

// Texts by number, for tables with gaps.
template <std::size_t kSize, class Fill>
constexpr auto texts(Fill fill) {
  std::array<std::string_view, kSize> table{};
  fill(table);
  return table;
}
constexpr auto kPredicates = texts<48>([](auto& table) {
#define DXIL_PREDICATE(code, id, text, sem) table[code] = text;
#include <unshade/dxil/ir.def>
});
constexpr auto kConventions = texts<96>([](auto& table) {
#define DXIL_CALLING_CONVENTION(code, text) table[code] = text;
#include <unshade/dxil/ir.def>
});

constexpr std::string_view kAtomics[] = {
#define DXIL_ATOMIC(code, id, text, sem) text,
#include <unshade/dxil/ir.def>
};
constexpr std::string_view kOrderings[] = {
#define DXIL_ORDERING(code, id, text) text,
#include <unshade/dxil/ir.def>
};
constexpr std::string_view kLinkages[] = {
#define DXIL_LINKAGE(id, text) text,
#include <unshade/dxil/ir.def>
};
constexpr Linkage kLinkageCodes[] = {
#define DXIL_LINKAGE_CODE(code, id) Linkage::id,
#include <unshade/dxil/ir.def>
};
constexpr std::string_view kAttributes[] = {
#define DXIL_ATTRIBUTE(code, id, text) text,
#include <unshade/dxil/ir.def>
};
constexpr auto kAttributeCodes = [] {
  std::array<AttributeKind, 48> table{};
  table.fill(AttributeKind::unknown);
#define DXIL_ATTRIBUTE(code, id, text) table[code] = AttributeKind::id;
#include <unshade/dxil/ir.def>
  return table;
}();
constexpr std::string_view kTypes[] = {
#define DXIL_TYPE(id, text) text,
#include <unshade/dxil/ir.def>
};

template <class Table, class E>
std::string_view look_up(const Table& table, E number) {
  const auto index = static_cast<std::size_t>(number);
  return index < std::size(table) ? table[index] : std::string_view{};
}

}  // namespace

Opcode binary_opcode(std::uint64_t code, bool real) {
  if (code >= std::size(kBinary)) return Opcode::invalid;
  return real ? kBinary[code].real : kBinary[code].integer;
}

// The three kinds of flags stand in the order of their bits in the file.
std::uint16_t binary_flags(std::uint64_t code, bool real, std::uint64_t bits) {
  if (real) return fast_math_flags(bits);
  if (code >= std::size(kBinary)) return 0;
  switch (kBinary[code].flags) {
    case BinaryFlags::wrap: return static_cast<std::uint16_t>(bits & (flag::kNoUnsignedWrap | flag::kNoSignedWrap));
    case BinaryFlags::exact: return (bits & 1) != 0 ? flag::kExact : std::uint16_t{0};
    default: return 0;
  }
}

std::uint16_t fast_math_flags(std::uint64_t bits) {
  static_assert(flag::kReciprocal == flag::kFast << 4);
  return static_cast<std::uint16_t>((bits & 31) * flag::kFast);
}

Opcode cast_opcode(std::uint64_t code) {
  return code < kCasts ? static_cast<Opcode>(static_cast<std::uint64_t>(Opcode::trunc) + code) : Opcode::invalid;
}

std::uint64_t fast_math_bits(std::uint16_t flags) { return flags / flag::kFast & 31U; }

OperationCode operation_code(Opcode opcode, std::uint16_t flags) {
  if (is_cast(opcode)) return {static_cast<std::uint64_t>(opcode) - static_cast<std::uint64_t>(Opcode::trunc), 0};
  if (opcode == Opcode::fcmp) return {0, fast_math_bits(flags)};
  for (std::uint64_t code = 0; code < std::size(kBinary); ++code) {
    if (kBinary[code].real == opcode) return {code, fast_math_bits(flags)};
    if (kBinary[code].integer != opcode) continue;
    if (kBinary[code].flags == BinaryFlags::wrap)
      return {code, static_cast<std::uint64_t>(flags & (flag::kNoUnsignedWrap | flag::kNoSignedWrap))};
    return {code, kBinary[code].flags == BinaryFlags::exact && (flags & flag::kExact) != 0 ? 1U : 0U};
  }
  return {};
}

std::uint16_t flags_of(Opcode opcode) {
  if (opcode == Opcode::getelementptr) return flag::kInBounds;
  if (opcode == Opcode::fcmp) return flag::kFastMath;
  for (const auto& row : kBinary) {
    if (row.real == opcode) return flag::kFastMath;
    if (row.integer != opcode) continue;
    if (row.flags == BinaryFlags::wrap) return flag::kNoUnsignedWrap | flag::kNoSignedWrap;
    return row.flags == BinaryFlags::exact ? flag::kExact : std::uint16_t{0};
  }
  return 0;
}

bool compare_predicate(std::uint64_t code, Opcode opcode, Predicate& predicate) {
  const bool real = code <= static_cast<std::uint64_t>(Predicate::fcmp_true);
  const bool integer = code >= static_cast<std::uint64_t>(Predicate::icmp_eq) && code <= static_cast<std::uint64_t>(Predicate::icmp_sle);
  if (opcode == Opcode::fcmp ? !real : !integer) return false;
  predicate = static_cast<Predicate>(code);
  return true;
}

bool atomic_operation(std::uint64_t code, AtomicOperation& operation) {
  if (code >= std::size(kAtomics)) return false;
  operation = static_cast<AtomicOperation>(code);
  return true;
}

Ordering ordering_of(std::uint64_t code) { return code < std::size(kOrderings) ? static_cast<Ordering>(code) : Ordering::seq_cst; }
Linkage linkage_of(std::uint64_t code) { return code < std::size(kLinkageCodes) ? kLinkageCodes[code] : Linkage::external; }
AttributeKind attribute_of(std::uint64_t code) { return code < kAttributeCodes.size() ? kAttributeCodes[code] : AttributeKind::unknown; }

// --- metadata nodes ----------------------------------------------------------------------------------------------------------------------

namespace {

struct NodeTextRow {
  MetadataKind kind;
  std::string_view text;
};
constexpr NodeTextRow kNodeTexts[] = {
#define DXIL_NODE(code, id, text, least, most) {MetadataKind::id, text},
#include <unshade/dxil/debug_nodes.def>
};
struct FieldRow {
  MetadataKind node;
  NodeField field;
};
constexpr FieldRow kFieldRows[] = {
#define DXIL_FIELD(node, operand, text, form, print) {MetadataKind::node, {operand, FieldForm::form, FieldPrint::print, text}},
#include <unshade/dxil/debug_nodes.def>
};
constexpr auto kFields = [] {
  std::array<NodeField, std::size(kFieldRows)> fields{};
  for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = kFieldRows[i].field;
  return fields;
}();
constexpr std::size_t kFirstNode = static_cast<std::size_t>(MetadataKind::node) + 1;
struct Span {
  std::uint8_t first = 0;
  std::uint8_t count = 0;
};
constexpr auto kSpans = [] {
  std::array<Span, std::size(kNodeTexts)> spans{};
  for (std::size_t i = 0; i < std::size(kFieldRows); ++i) {
    Span& span = spans[static_cast<std::size_t>(kFieldRows[i].node) - kFirstNode];
    if (span.count++ == 0) span.first = static_cast<std::uint8_t>(i);
  }
  return spans;
}();
static_assert(std::size(kFieldRows) < 256);

}  // namespace

}  // namespace unshade::dxil::module

namespace unshade::dxil {

std::string_view text(Opcode opcode) {
  const auto index = static_cast<std::size_t>(opcode);
  return index < std::size(module::kOpcodes) ? module::kOpcodes[index].text : std::string_view{};
}
std::string_view text(Predicate predicate) { return module::look_up(module::kPredicates, predicate); }
std::string_view text(AtomicOperation operation) { return module::look_up(module::kAtomics, operation); }
std::string_view text(Ordering ordering) { return module::look_up(module::kOrderings, ordering); }
std::string_view text(Linkage linkage) { return module::look_up(module::kLinkages, linkage); }
std::string_view text(AttributeKind kind) { return module::look_up(module::kAttributes, kind); }
std::string_view text(TypeKind kind) { return module::look_up(module::kTypes, kind); }
std::string_view calling_convention_text(std::uint32_t convention) { return module::look_up(module::kConventions, convention); }

bool is_terminator(Opcode opcode) {
  return opcode < Opcode::invalid && module::kOpcodes[static_cast<std::size_t>(opcode)].group == module::Group::t;
}
bool is_binary(Opcode opcode) {
  return opcode < Opcode::invalid && module::kOpcodes[static_cast<std::size_t>(opcode)].group == module::Group::b;
}
bool is_cast(Opcode opcode) {
  return opcode < Opcode::invalid && module::kOpcodes[static_cast<std::size_t>(opcode)].group == module::Group::c;
}

std::span<const NodeField> node_fields(MetadataKind kind) {
  const auto index = static_cast<std::size_t>(kind) - module::kFirstNode;
  if (index >= module::kSpans.size()) return {};
  return {module::kFields.data() + module::kSpans[index].first, module::kSpans[index].count};
}

std::string_view node_text(MetadataKind kind) {
  const auto index = static_cast<std::size_t>(kind) - module::kFirstNode;
  return index < std::size(module::kNodeTexts) ? module::kNodeTexts[index].text : std::string_view{};
}

}  // namespace unshade::dxil
