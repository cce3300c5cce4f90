// The tables of the grammar, expanded from the .def files when this file is compiled.
#include <unshade/spirv/grammar.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace unshade::spirv {

namespace {

// --- operands and capabilities of all rows, one after the other -----------------------------------------------------------------------
#define SPIRV_ONE(kind, name) {OperandKind::kind, Quantifier::one, name},
#define SPIRV_OPT(kind, name) {OperandKind::kind, Quantifier::optional, name},
#define SPIRV_ANY(kind, name) {OperandKind::kind, Quantifier::any, name},
#define SPIRV_CAP(id) Capability::id,
#define SPIRV_KIND(id, type, category)
#define SPIRV_KIND_END(type)
#define SPIRV_SET(type, name, match, listing)
#define SPIRV_SET_END(type)

#define SPIRV_OP(code, id, text, group, since, capabilities, operands) operands
constexpr OperandRule kOpcodeOperands[] = {
#include <unshade/spirv/opcodes.def>
};
#undef SPIRV_OP
#define SPIRV_OP(code, id, text, group, since, capabilities, operands) capabilities
constexpr Capability kOpcodeCapabilities[] = {
#include <unshade/spirv/opcodes.def>
};
#undef SPIRV_OP
#define SPIRV_ENUM(type, value, id, text, since, capabilities, operands) operands
constexpr OperandRule kEnumerantOperands[] = {
#include <unshade/spirv/enumerants.def>
};
#undef SPIRV_ENUM
#define SPIRV_ENUM(type, value, id, text, since, capabilities, operands) capabilities
constexpr Capability kEnumerantCapabilities[] = {
#include <unshade/spirv/enumerants.def>
};
#undef SPIRV_ENUM
#define SPIRV_EXT(type, number, id, text, operands) operands
constexpr OperandRule kExtendedOperands[] = {
#include <unshade/spirv/extended.def>
};
#undef SPIRV_EXT
#undef SPIRV_ONE
#undef SPIRV_OPT
#undef SPIRV_ANY
#undef SPIRV_CAP

// --- rows, with counts of operands and capabilities ------------------------------------------------------------------------------------
#define SPIRV_ONE(kind, name) +1
#define SPIRV_OPT(kind, name) +1
#define SPIRV_ANY(kind, name) +1
#define SPIRV_CAP(id) +1

struct OpcodeRow {
  std::uint16_t code;
  OpcodeGroup group;
  std::uint8_t since;
  std::uint8_t capabilities;
  std::uint8_t operands;
  std::string_view text;
};
#define SPIRV_OP(code, id, text, group, since, capabilities, operands) {code, OpcodeGroup::group, since, 0 capabilities, 0 operands, text},
constexpr OpcodeRow kOpcodeRows[] = {
#include <unshade/spirv/opcodes.def>
};
#undef SPIRV_OP

struct EnumerantRow {
  std::uint32_t value;
  std::uint8_t since;
  std::uint8_t capabilities;
  std::uint8_t operands;
  std::string_view text;
};
#define SPIRV_ENUM(type, value, id, text, since, capabilities, operands) {value, since, 0 capabilities, 0 operands, text},
constexpr EnumerantRow kEnumerantRows[] = {
#include <unshade/spirv/enumerants.def>
};
#undef SPIRV_ENUM

struct ExtendedRow {
  ExtendedSet set;
  std::uint32_t number;
  std::uint8_t operands;
  std::string_view text;
};
#define SPIRV_EXT(type, number, id, text, operands) {ExtendedSet::type, number, 0 operands, text},
constexpr ExtendedRow kExtendedRows[] = {
#include <unshade/spirv/extended.def>
};
#undef SPIRV_EXT
#undef SPIRV_ONE
#undef SPIRV_OPT
#undef SPIRV_ANY
#undef SPIRV_CAP
#undef SPIRV_KIND
#undef SPIRV_KIND_END
#undef SPIRV_SET
#undef SPIRV_SET_END

struct TraitsRow {
  Opcode opcode;
  Section section;
  std::uint8_t traits;
};
namespace trait_rows {
using namespace traits;
constexpr TraitsRow kTraitsRows[] = {
#define SPIRV_TRAITS(id, section, words) {Opcode::id, Section::section, words},
#include "spirv/grammar/traits.def"
#undef SPIRV_TRAITS
};
}  // namespace trait_rows
using trait_rows::kTraitsRows;

struct EffectsRow {
  Opcode opcode;
  std::uint32_t models;
  Gradient gradient;
  Access access;
  Cooperation cooperation;
};
constexpr EffectsRow kEffectsRows[] = {
#define SPIRV_EFFECTS(id, model_word, gradient, access, cooperation) \
  {Opcode::id, models::model_word, Gradient::gradient, Access::access, Cooperation::cooperation},
#define SPIRV_GLSL_EFFECTS(id, models)
#include "spirv/grammar/effects.def"
};
struct GlslEffectsRow {
  extended::GlslStd450 instruction;
  std::uint32_t models;
};
constexpr GlslEffectsRow kGlslEffectsRows[] = {
#define SPIRV_EFFECTS(id, models, gradient, access, cooperation)
#define SPIRV_GLSL_EFFECTS(id, model_word) {extended::GlslStd450::id, models::model_word},
#include "spirv/grammar/effects.def"
};

/// No opcode, by its number, has two rows.
template <class Rows>
constexpr bool have_one_row_each(const Rows& rows) {
  for (std::size_t i = 0; i < std::size(rows); ++i)
    for (std::size_t j = i + 1; j < std::size(rows); ++j)
      if (rows[i].opcode == rows[j].opcode) return false;
  return true;
}
static_assert(have_one_row_each(kTraitsRows), "traits.def: an opcode must have one row");
static_assert(have_one_row_each(kEffectsRows), "effects.def: an opcode must have one row");
/// Derivatives are computed by quads, in models that have them.
constexpr bool columns_agree(const EffectsRow& row) {
  const bool needs_quad = row.gradient == Gradient::derives || row.gradient == Gradient::implicit;
  return needs_quad == (row.models == models::derivatives) && (!needs_quad || row.cooperation == Cooperation::quad);
}
static_assert(std::ranges::all_of(kEffectsRows, columns_agree), "effects.def: models, gradient and cooperation must agree");

/// Of instructions without a row in traits.def.
constexpr Section section_of(const OpcodeRow& row) {
  if (row.group == OpcodeGroup::annotation) return Section::annotations;
  const bool is_definition = row.group == OpcodeGroup::constant_creation || row.text.starts_with("Type") ||
                             row.text.starts_with("Constant") || row.text.starts_with("SpecConstant");
  return is_definition ? Section::definitions : Section::functions;
}

constexpr auto kOpcodes = [] {
  std::array<OpcodeInfo, std::size(kOpcodeRows)> rows{};
  std::size_t operand = 0;
  std::size_t capability = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const OpcodeRow& row = kOpcodeRows[i];
    OpcodeInfo& info = rows[i];
    info.opcode = static_cast<Opcode>(row.code);
    info.group = row.group;
    info.since = row.since;
    info.text = row.text;
    info.operands = {kOpcodeOperands + operand, row.operands};
    info.capabilities = {kOpcodeCapabilities + capability, row.capabilities};
    operand += row.operands;
    capability += row.capabilities;
    info.section = section_of(row);
    info.has_type = row.operands > 0 && info.operands[0].kind == OperandKind::id_result_type;
    info.has_result = row.operands > (info.has_type ? 1U : 0U) && info.operands[info.has_type ? 1 : 0].kind == OperandKind::id_result;
  }
  for (const TraitsRow& row : kTraitsRows) {
    for (OpcodeInfo& info : std::ranges::equal_range(rows, row.opcode, {}, &OpcodeInfo::opcode)) {
      info.section = row.section;
      info.traits = row.traits;
    }
  }
  for (const EffectsRow& row : kEffectsRows) {
    for (OpcodeInfo& info : std::ranges::equal_range(rows, row.opcode, {}, &OpcodeInfo::opcode)) {
      info.models = row.models;
      info.gradient = row.gradient;
      info.access = row.access;
      info.cooperation = row.cooperation;
    }
  }
  return rows;
}();

/// What touches memory names it by its first operand.
constexpr bool names_memory_first(const OpcodeInfo& info) {
  const std::size_t first = info.first_operand() - 1;
  const auto is_id = [&](std::size_t at) { return at < info.operands.size() && info.operands[at].kind == OperandKind::id_ref; };
  return info.access == Access::none || (is_id(first) && (info.access != Access::copies || is_id(first + 1)));
}
static_assert(std::ranges::all_of(kOpcodes, names_memory_first), "effects.def: the first operand must be the pointer or image");

constexpr auto kEnumerants = [] {
  std::array<Enumerant, std::size(kEnumerantRows)> rows{};
  std::size_t operand = 0;
  std::size_t capability = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const EnumerantRow& row = kEnumerantRows[i];
    rows[i] = {row.value,
               row.since,
               row.text,
               {kEnumerantOperands + operand, row.operands},
               {kEnumerantCapabilities + capability, row.capabilities}};
    operand += row.operands;
    capability += row.capabilities;
  }
  return rows;
}();

constexpr auto kExtended = [] {
  std::array<ExtendedInfo, std::size(kExtendedRows)> rows{};
  std::size_t operand = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = {kExtendedRows[i].number, kExtendedRows[i].text, {kExtendedOperands + operand, kExtendedRows[i].operands}};
    operand += kExtendedRows[i].operands;
    for (const GlslEffectsRow& row : kGlslEffectsRows)
      if (kExtendedRows[i].set == ExtendedSet::GlslStd450 && kExtendedRows[i].number == static_cast<std::uint32_t>(row.instruction))
        rows[i].models = row.models;
  }
  return rows;
}();

// --- where the rows of each enumeration and set lie ------------------------------------------------------------------------------------
struct KindRow {
  OperandKind kind;
  bool is_mask;
  std::uint16_t count;
  std::string_view text;
};
enum Category : bool { value = false, bits = true };
#define SPIRV_KIND(id, type, category) \
  {                                    \
    OperandKind::id, Category::category, 0
#define SPIRV_ENUM(type, value, id, text, since, capabilities, operands) +1
#define SPIRV_KIND_END(type) \
  , #type                    \
  }                          \
  ,
constexpr KindRow kKindRows[] = {
#include <unshade/spirv/enumerants.def>
};
#undef SPIRV_KIND
#undef SPIRV_ENUM
#undef SPIRV_KIND_END

enum class Match : std::uint8_t { whole, prefix };
enum class Naming : std::uint8_t { named, numbered };
struct SetRow {
  ExtendedSet set;
  std::string_view name;
  Match match;
  Naming naming;
  std::uint16_t count;
};
#define SPIRV_SET(type, name, match, listing) \
  {                                           \
    ExtendedSet::type, name, Match::match, Naming::listing, 0
#define SPIRV_EXT(type, number, id, text, operands) +1
#define SPIRV_SET_END(type) \
  }                         \
  ,
constexpr SetRow kSetRows[] = {
#include <unshade/spirv/extended.def>
};
#undef SPIRV_SET
#undef SPIRV_EXT
#undef SPIRV_SET_END

struct Range {
  std::uint16_t first = 0;
  std::uint16_t count = 0;
  bool is_mask = false;
};
constexpr std::size_t kFirstKind = static_cast<std::size_t>(kKindRows[0].kind);
constexpr auto kKinds = [] {
  std::array<Range, kFirstKind + std::size(kKindRows)> ranges{};
  std::uint16_t first = 0;
  for (const KindRow& row : kKindRows) {
    ranges[static_cast<std::size_t>(row.kind)] = {first, row.count, row.is_mask};
    first = static_cast<std::uint16_t>(first + row.count);
  }
  return ranges;
}();
constexpr auto kSets = [] {
  std::array<Range, std::size(kSetRows) + 2> ranges{};
  std::uint16_t first = 0;
  for (const SetRow& row : kSetRows) {
    ranges[static_cast<std::size_t>(row.set)] = {first, row.count};
    first = static_cast<std::uint16_t>(first + row.count);
  }
  return ranges;
}();

constexpr bool is_sorted() {
  for (std::size_t i = 1; i < kOpcodes.size(); ++i)
    if (kOpcodes[i].opcode < kOpcodes[i - 1].opcode) return false;
  for (const Range& kind : kKinds)
    for (std::size_t i = 1; i < kind.count; ++i)
      if (kEnumerants[kind.first + i].value < kEnumerants[kind.first + i - 1].value) return false;
  for (const Range& set : kSets)
    for (std::size_t i = 1; i < set.count; ++i)
      if (kExtended[set.first + i].number <= kExtended[set.first + i - 1].number) return false;
  return true;
}
static_assert(is_sorted(), "rows must be in the order of their values");

// --- opcode to row ---------------------------------------------------------------------------------------------------------------------
constexpr std::size_t kMostOpcodes = static_cast<std::size_t>(kOpcodes.back().opcode) + 1;
constexpr auto kOpcodeIndex = [] {
  std::array<std::uint16_t, kMostOpcodes> index{};  // 1 + row; 0: none
  for (std::size_t i = kOpcodes.size(); i-- > 0;) index[static_cast<std::size_t>(kOpcodes[i].opcode)] = static_cast<std::uint16_t>(i + 1);
  return index;
}();

// --- names to rows: open addressing, filled when this file is compiled -------------------------------------------------------------------
constexpr std::uint32_t hash_of(std::string_view text, std::uint32_t seed) {
  std::uint32_t hash = 2166136261U ^ (seed * 0x9e37'79b9U);
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash ^ hash >> 15;
}

template <std::size_t Slots>
struct NameIndex {
  static_assert((Slots & (Slots - 1)) == 0);
  std::array<std::uint16_t, Slots> slots{};  // 1 + row; 0: free

  constexpr void add(std::string_view text, std::uint32_t seed, std::size_t row) {
    std::size_t at = hash_of(text, seed) & (Slots - 1);
    while (slots[at] != 0) at = (at + 1) & (Slots - 1);
    slots[at] = static_cast<std::uint16_t>(row + 1);
  }
  /// The row that `is` accepts, or nothing.
  template <class F>
  constexpr std::size_t find(std::string_view text, std::uint32_t seed, std::size_t none, F&& is) const {
    for (std::size_t at = hash_of(text, seed) & (Slots - 1); slots[at] != 0; at = (at + 1) & (Slots - 1))
      if (is(slots[at] - 1U)) return slots[at] - 1U;
    return none;
  }
};

constexpr auto kOpcodeNames = [] {
  NameIndex<2048> index;
  for (std::size_t i = 0; i < kOpcodes.size(); ++i) index.add(kOpcodes[i].text, 0, i);
  return index;
}();
constexpr auto kEnumerantNames = [] {
  NameIndex<4096> index;
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
    for (std::size_t i = 0; i < kKinds[kind].count; ++i)
      index.add(kEnumerants[kKinds[kind].first + i].text, static_cast<std::uint32_t>(kind), kKinds[kind].first + i);
  return index;
}();
constexpr auto kExtendedNames = [] {
  NameIndex<1024> index;
  for (std::size_t set = 0; set < kSets.size(); ++set)
    for (std::size_t i = 0; i < kSets[set].count; ++i)
      index.add(kExtended[kSets[set].first + i].text, static_cast<std::uint32_t>(set), kSets[set].first + i);
  return index;
}();

// src: spir-v.xml
struct Generator {
  std::uint32_t number;
  std::string_view text;
};
constexpr Generator kGenerators[] = {
#define SPIRV_GENERATOR(number, text) {number, text},
#include "spirv/grammar/generators.def"
#undef SPIRV_GENERATOR
};

constexpr std::string_view kExtensions[] = {
#define SPIRV_EXTENSION(name) name,
#include <unshade/spirv/extensions.def>
#undef SPIRV_EXTENSION
};
static_assert(std::ranges::is_sorted(kExtensions));

constexpr std::string_view kOtherKinds[] = {
    "unknown",
    "id_result_type",
    "id_result",
    "id_ref",
    "id_scope",
    "id_memory_semantics",
    "literal_integer",
    "literal_float",
    "literal_string",
    "literal_number",
    "extended_instruction",
    "spec_constant_opcode",
    "pair_literal_id",
    "pair_id_literal",
    "pair_id_id",
};
static_assert(std::size(kOtherKinds) == kFirstKind);

const Range& range_of(OperandKind kind) {
  const auto at = static_cast<std::size_t>(kind);
  return kKinds[at < kKinds.size() ? at : 0];
}
const Range& range_of(ExtendedSet set) {
  const auto at = static_cast<std::size_t>(set);
  return kSets[at < kSets.size() ? at : 0];
}

}  // namespace

const OpcodeInfo* find_opcode(std::uint32_t opcode) {
  if (opcode >= kMostOpcodes || kOpcodeIndex[opcode] == 0) return nullptr;
  return &kOpcodes[kOpcodeIndex[opcode] - 1U];
}

const OpcodeInfo* find_opcode(std::string_view text) {
  const std::size_t row = kOpcodeNames.find(text, 0, kOpcodes.size(), [&](std::size_t i) { return kOpcodes[i].text == text; });
  return row < kOpcodes.size() ? &kOpcodes[row] : nullptr;
}

bool generates_type(Opcode opcode) {
  const OpcodeInfo* info = find_opcode(static_cast<std::uint32_t>(opcode));
  return info != nullptr && info->has_result && !info->has_type && info->text.starts_with("Type");
}

bool is_enumeration(OperandKind kind) { return range_of(kind).count != 0; }
bool is_mask(OperandKind kind) { return range_of(kind).is_mask; }

std::string_view text_of(OperandKind kind) {
  const auto at = static_cast<std::size_t>(kind);
  if (at < kFirstKind) return kOtherKinds[at];
  return at - kFirstKind < std::size(kKindRows) ? kKindRows[at - kFirstKind].text : std::string_view{};
}

std::span<const Enumerant> enumerants(OperandKind kind) {
  const Range& range = range_of(kind);
  return {kEnumerants.data() + range.first, range.count};
}

const Enumerant* find_enumerant(OperandKind kind, std::uint32_t value) {
  const Range& range = range_of(kind);
  const Enumerant* const first = kEnumerants.data() + range.first;
  // Most enumerations begin without gaps or doubles.
  if (value < range.count && first[value].value == value && (value == 0 || first[value - 1].value != value)) return first + value;
  const Enumerant* const end = first + range.count;
  const Enumerant* const found = std::lower_bound(first, end, value, [](const Enumerant& row, std::uint32_t v) { return row.value < v; });
  return found != end && found->value == value ? found : nullptr;
}

std::span<const Enumerant> find_enumerants(OperandKind kind, std::uint32_t value) {
  const Enumerant* const first = find_enumerant(kind, value);
  if (first == nullptr) return {};
  const Range& range = range_of(kind);
  const Enumerant* last = first + 1;
  while (last != kEnumerants.data() + range.first + range.count && last->value == value) ++last;
  return {first, last};
}

void print_mask(Text& out, OperandKind kind, std::uint32_t word) {
  if (word == 0) {
    const Enumerant* const none = find_enumerant(kind, 0);
    out << (none != nullptr ? none->text : "0");
    return;
  }
  bool is_first = true;
  for (std::uint32_t bit = 1; word != 0; bit <<= 1) {
    if ((word & bit) == 0) continue;
    word ^= bit;
    if (!is_first) out << '|';
    is_first = false;
    if (const Enumerant* const enumerant = find_enumerant(kind, bit)) {
      out << enumerant->text;
    } else {
      out << "0x";
      out.hex(bit);
    }
  }
}

const Enumerant* find_enumerant(OperandKind kind, std::string_view text) {
  const Range& range = range_of(kind);
  const std::size_t row = kEnumerantNames.find(text, static_cast<std::uint32_t>(kind), kEnumerants.size(), [&](std::size_t i) {
    return i >= range.first && i - range.first < range.count && kEnumerants[i].text == text;
  });
  return row < kEnumerants.size() ? &kEnumerants[row] : nullptr;
}

ExtendedSet find_set(std::string_view name) {
  for (const SetRow& row : kSetRows)
    if (row.match == Match::whole ? name == row.name : name.starts_with(row.name)) return row.set;
  return name.starts_with("NonSemantic.") ? ExtendedSet::other_non_semantic : ExtendedSet::none;
}

bool is_debug_info(ExtendedSet set) {
  return set == ExtendedSet::DebugInfo || set == ExtendedSet::OpenClDebugInfo100 || set == ExtendedSet::ShaderDebugInfo100;
}

bool is_non_semantic(ExtendedSet set) {
  if (set == ExtendedSet::other_non_semantic) return true;
  for (const SetRow& row : kSetRows)
    if (row.set == set) return row.name.starts_with("NonSemantic.");
  return false;
}

bool is_debug(ExtendedSet set) {
  return set == ExtendedSet::DebugInfo || set == ExtendedSet::OpenClDebugInfo100 || set == ExtendedSet::ShaderDebugInfo100 ||
         set == ExtendedSet::GraphDebugInfo;
}

bool is_extension(std::string_view name) { return std::ranges::binary_search(kExtensions, name); }

bool is_numbered(ExtendedSet set) {
  for (const SetRow& row : kSetRows)
    if (row.set == set) return row.naming == Naming::numbered;
  return true;
}

const ExtendedInfo* find_extended(ExtendedSet set, std::uint32_t number) {
  const Range& range = range_of(set);
  const ExtendedInfo* const first = kExtended.data() + range.first;
  if (number - 1U < range.count && first[number - 1].number == number) return first + number - 1;
  const ExtendedInfo* const end = first + range.count;
  const ExtendedInfo* const found =
      std::lower_bound(first, end, number, [](const ExtendedInfo& row, std::uint32_t n) { return row.number < n; });
  return found != end && found->number == number ? found : nullptr;
}

const ExtendedInfo* find_extended(ExtendedSet set, std::string_view text) {
  const Range& range = range_of(set);
  const std::size_t row = kExtendedNames.find(text, static_cast<std::uint32_t>(set), kExtended.size(), [&](std::size_t i) {
    return i >= range.first && i - range.first < range.count && kExtended[i].text == text;
  });
  return row < kExtended.size() ? &kExtended[row] : nullptr;
}

std::string_view generator_text(std::uint32_t tool) {
  for (const Generator& generator : kGenerators)
    if (generator.number == tool) return generator.text;
  return {};
}

std::optional<std::uint32_t> find_generator(std::string_view text) {
  for (const Generator& generator : kGenerators)
    if (generator.text == text) return generator.number;
  return std::nullopt;
}

}  // namespace unshade::spirv
