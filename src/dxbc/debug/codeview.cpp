#include "dxbc/debug/codeview.hpp"

#include <array>
#include <charconv>
#include <iterator>

#include "dxbc/program/operand_table.hpp"

namespace unshade::dxbc::codeview {

namespace {

constexpr NamedValue kSymbolKinds[] = {
    {0x0006, "S_END"},           {0x1101, "S_OBJNAME"},    {0x1103, "S_BLOCK32"},        {0x1107, "S_CONSTANT"},
    {0x1108, "S_UDT"},           {0x110e, "S_PUB32"},      {0x110f, "S_LPROC32"},        {0x1110, "S_GPROC32"},
    {0x1125, "S_PROCREF"},       {0x113c, "S_COMPILE3"},   {0x113d, "S_ENVBLOCK"},       {0x113e, "S_LOCAL"},
    {0x114c, "S_BUILDINFO"},     {0x114d, "S_INLINESITE"}, {0x114e, "S_INLINESITE_END"}, {0x114f, "S_PROC_ID_END"},
    {0x1150, "S_DEFRANGE_HLSL"}, {0x1151, "S_GDATA_HLSL"}, {0x1152, "S_LDATA_HLSL"},
};
constexpr NameTable kSymbolKindNames{kSymbolKinds};
constexpr FieldType kSymbolKind{FieldKind::enumeration, "symbol kind", &kSymbolKindNames};

constexpr NamedValue kLeafKinds[] = {
    {0x1008, "LF_PROCEDURE"}, {0x1009, "LF_MFUNCTION"},  {0x1201, "LF_ARGLIST"},       {0x1203, "LF_FIELDLIST"}, {0x1206, "LF_METHODLIST"},
    {0x1400, "LF_BCLASS"},    {0x1504, "LF_CLASS"},      {0x1505, "LF_STRUCTURE"},     {0x150a, "LF_ALIAS"},     {0x150d, "LF_MEMBER"},
    {0x150f, "LF_METHOD"},    {0x1511, "LF_ONEMETHOD"},  {0x1516, "LF_STRIDED_ARRAY"}, {0x1517, "LF_HLSL"},      {0x1518, "LF_MODIFIER_EX"},
    {0x1519, "LF_INTERFACE"}, {0x151a, "LF_BINTERFACE"}, {0x151b, "LF_VECTOR"},        {0x151c, "LF_MATRIX"},    {0x1601, "LF_FUNC_ID"},
    {0x1602, "LF_MFUNC_ID"},
};
constexpr NameTable kLeafKindNames{kLeafKinds};
constexpr FieldType kLeafKind{FieldKind::enumeration, "leaf kind", &kLeafKindNames};

constexpr NamedValue kSubsections[] = {{0xf1, "DEBUG_S_SYMBOLS"},
                                       {0xf2, "DEBUG_S_LINES"},
                                       {0xf3, "DEBUG_S_STRINGTABLE"},
                                       {0xf4, "DEBUG_S_FILECHKSMS"},
                                       {0xf6, "DEBUG_S_INLINEELINES"}};
constexpr NameTable kSubsectionNames{kSubsections};
constexpr FieldType kSubsectionKind{FieldKind::enumeration, "subsection kind", &kSubsectionNames};

// src: CV_HLSLREG_e, which counts as the operand types of tokens do
constexpr std::uint8_t kOperandTypes[] = {0,  1,  2,  3,  6,  7,  8,  9,  11, 12, 13, 15, 16, 19, 22, 23, 24,
                                          25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40};
constexpr auto kRegisterFileValues = [] {
  std::array<NamedValue, std::size(kOperandTypes)> made{};
  for (std::size_t k = 0; k < made.size(); ++k) made[k] = {kOperandTypes[k], program::kOperands[kOperandTypes[k]].text};
  return made;
}();

constexpr NamedValue kMemorySpaces[] = {{0, "data"}, {1, "sampler"}, {2, "resource"}, {3, "rwresource"}};
constexpr NameTable kMemorySpaceNames{kMemorySpaces};
constexpr Bits kLocationBitFields[] = {kDimensions, kIsMember, {"memory_space", 3, 4, &kMemorySpaceNames}};
constexpr Bits kLineBitFields[] = {kLine, kLineDelta, kIsStatement};
constexpr Bits kHlslTypeBitFields[] = {kPropertyCount};

constexpr NamedValue kLocalFlagValues[] = {
    {1, "parameter"},           {2, "address_taken"}, {4, "compiler_generated"}, {8, "aggregate"},         {0x10, "aggregated"},
    {0x20, "aliased"},          {0x40, "alias"},      {0x80, "return_value"},    {0x100, "optimized_out"}, {0x200, "register_global"},
    {0x400, "register_static"},
};
constexpr NameTable kLocalFlagNames{kLocalFlagValues};
constexpr NamedValue kLinesFlagValues[] = {{1, "columns"}};
constexpr NameTable kLinesFlagNames{kLinesFlagValues};
constexpr NamedValue kChecksumKinds[] = {{0, "none"}, {1, "md5"}, {2, "sha1"}, {3, "sha256"}};
constexpr NameTable kChecksumKindNames{kChecksumKinds};

constexpr NamedValue kAnnotationValues[] = {
    {1, "code_offset"},
    {2, "code_offset_base"},
    {3, "advance_code"},
    {4, "code_length"},
    {5, "file"},
    {6, "advance_line"},
    {7, "line_delta"},
    {8, "range_kind"},
    {9, "column"},
    {10, "advance_column_end"},
    {11, "advance_code_and_line"},
    {12, "code_length_and_advance"},
    {13, "column_end"},
};
constexpr NameTable kAnnotationNames{kAnnotationValues};

/// An integer in 1, 2 or 4 bytes, by the first one's upper bits.
bool compressed(View bytes, std::size_t& at, std::uint32_t& value) {
  const auto first = bytes.u8(at);
  if (!first) return false;
  const auto byte = [&](std::size_t i) { return std::uint32_t{bytes.u8(at + i).value_or(0)}; };
  std::size_t size = 0;
  if ((*first & 0x80) == 0) {
    size = 1;
    value = *first;
  } else if ((*first & 0xc0) == 0x80) {
    size = 2;
    value = (*first & 0x3fU) << 8 | byte(1);
  } else if ((*first & 0xe0) == 0xc0) {
    size = 4;
    value = (*first & 0x1fU) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
  } else {
    return false;
  }
  if (!bytes.holds(at, size)) return false;
  at += size;
  return true;
}

/// The other way.
void append_compressed(std::vector<std::byte>& to, std::uint32_t value) {
  const auto byte = [&to](std::uint32_t bits) { to.push_back(static_cast<std::byte>(bits & 0xff)); };
  if (value < 0x80) return byte(value);
  if (value < 0x4000) {
    byte(value >> 8 | 0x80);
    return byte(value);
  }
  byte(value >> 24 | 0xc0);
  byte(value >> 16);
  byte(value >> 8);
  byte(value);
}

/// How the numbers of a step are spelled.
enum class Numbers : std::uint8_t { one, one_signed, code_and_line, two };
Numbers numbers_of(Annotation op) {
  switch (op) {
    case Annotation::advance_line:
    case Annotation::advance_column_end: return Numbers::one_signed;
    case Annotation::advance_code_and_line: return Numbers::code_and_line;
    case Annotation::code_length_and_advance: return Numbers::two;
    default: return Numbers::one;
  }
}
constexpr unsigned kCodeBits = 4;  // of advance_code_and_line; the rest is the line
constexpr std::uint32_t kMostCompressed = 0x1fff'ffff;

void print_steps(Text& out, View bytes) {
  std::size_t at = 0;
  AnnotationStep step;
  bool first = true;
  while (next_annotation(bytes, at, step)) {
    if (!first) out << ' ';
    first = false;
    print_enumerator(out, static_cast<std::uint32_t>(step.op), kAnnotationNames);
    out << '=';
    switch (numbers_of(step.op)) {
      case Numbers::one: out.dec(step.first); break;
      case Numbers::one_signed: out.dec_signed(signed_annotation(step.first)); break;
      case Numbers::code_and_line:
        (out.dec(step.first & ((1U << kCodeBits) - 1)) << ',').dec_signed(signed_annotation(step.first >> kCodeBits));
        break;
      case Numbers::two: (out.dec(step.first) << ',').dec(step.second); break;
    }
  }
}

bool parse_number(std::string_view& text, std::int64_t& value) {
  const auto done = std::from_chars(text.data(), text.data() + text.size(), value);
  if (done.ec != std::errc{} || value > kMostCompressed || value < -std::int64_t{kMostCompressed}) return false;
  text.remove_prefix(static_cast<std::size_t>(done.ptr - text.data()));
  return true;
}

bool parse_step(std::string_view word, std::vector<std::byte>& bytes) {
  const auto equals = std::min(word.find('='), word.size());
  const std::string_view name = word.substr(0, equals);
  std::uint32_t op = 0;
  for (const NamedValue& named : kAnnotationNames.values)
    if (named.id == name) op = named.value;
  if (op == 0 || equals == word.size()) return false;
  word.remove_prefix(equals + 1);
  const Numbers how = numbers_of(static_cast<Annotation>(op));
  std::int64_t first = 0;
  std::int64_t second = 0;
  if (!parse_number(word, first)) return false;
  if (how == Numbers::code_and_line || how == Numbers::two) {
    if (!word.starts_with(',')) return false;
    word.remove_prefix(1);
    if (!parse_number(word, second)) return false;
  }
  if (!word.empty()) return false;
  const auto with_sign = [](std::int64_t value) { return value < 0 ? -value << 1 | 1 : value << 1; };
  if (how == Numbers::one_signed) first = with_sign(first);
  if (how == Numbers::code_and_line) {
    if (first < 0 || first >> kCodeBits != 0) return false;
    first |= with_sign(second) << kCodeBits;
  }
  if (first < 0 || first > kMostCompressed || second > kMostCompressed || (how == Numbers::two && second < 0)) return false;
  bytes.push_back(static_cast<std::byte>(op));
  append_compressed(bytes, static_cast<std::uint32_t>(first));
  if (how == Numbers::two) append_compressed(bytes, static_cast<std::uint32_t>(second));
  return true;
}

bool parse_steps(std::string_view text, std::vector<std::byte>& bytes) {
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (end != 0 && !parse_step(text.substr(0, end), bytes)) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

void print_section_name(Text& out, View bytes) { out << bytes.text().substr(0, bytes.text().find('\0')); }

bool parse_section_name(std::string_view text, std::vector<std::byte>& bytes) {
  if (text.size() > kSectionNameBytes) return false;
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  bytes.resize(kSectionNameBytes);
  return true;
}

/// `bytes` begin with the annotations; `size`: theirs.
void print_annotations(Text& out, View bytes, std::uint32_t size) { print_steps(out, bytes.clamped(0, size)); }

/// `bytes` begin with the gaps; `size`: theirs.
void print_gaps(Text& out, View bytes, std::uint32_t size) {
  for (std::size_t i = 0; i + 4 <= size; i += 4) {
    if (i != 0) out << ' ';
    (out << '+').dec(bytes.u16(i).value_or(0)) << ':';
    out.dec(bytes.u16(i + 2).value_or(0));
  }
}

}  // namespace

const NameTable kRegisterFiles{kRegisterFileValues};
const FieldType kRegisterFile{FieldKind::enumeration, "register file", &kRegisterFiles};
const FieldType kLocationBits{FieldKind::bits, "location", nullptr, kLocationBitFields};
const FieldType kLineBits{FieldKind::bits, "line", nullptr, kLineBitFields};
const FieldType kHlslTypeBits{FieldKind::bits, "HLSL type", nullptr, kHlslTypeBitFields};
const FieldType kVariableFlags{FieldKind::flags, "variable flags", &kLocalFlagNames};
const FieldType kLinesFlags{FieldKind::flags, "lines flags", &kLinesFlagNames};
const FieldType kChecksumKind{FieldKind::enumeration, "checksum kind", &kChecksumKindNames};
const FieldType kAnnotations{FieldKind::custom, "annotations", nullptr, {}, print_annotations};
const FieldType kGaps{FieldKind::custom, "gaps", nullptr, {}, print_gaps};

const FieldType& field_type(SymbolKind) { return kSymbolKind; }
const FieldType& field_type(LeafKind) { return kLeafKind; }
const FieldType& field_type(SubsectionKind) { return kSubsectionKind; }

const Spelling kAnnotationSpelling{print_steps, parse_steps};
const Spelling kSectionNameSpelling{print_section_name, parse_section_name};

std::size_t annotation_bytes(View bytes) {
  std::size_t at = 0;
  AnnotationStep step;
  while (next_annotation(bytes, at, step)) {
  }
  return at;
}

std::string symbol_padding(std::uint32_t kind, std::size_t bytes) {
  constexpr std::size_t kBehindLocals = 29;
  const std::size_t more = kind == static_cast<std::uint32_t>(SymbolKind::local) ? kBehindLocals : 0;
  return std::string(more + (4 - (bytes + more) % 4) % 4, '\0');
}

std::string leaf_padding(std::uint32_t, std::size_t bytes) {
  std::string made;
  for (std::size_t left = (4 - bytes % 4) % 4; left != 0; --left) made.push_back(static_cast<char>(kLeafPadding | left));
  return made;
}

bool next_annotation(View bytes, std::size_t& at, AnnotationStep& step) {
  const auto op = bytes.u8(at);
  if (!op || *op == 0 || *op > 13) return false;
  std::size_t next = at + 1;
  step = {static_cast<Annotation>(*op), 0, 0};
  if (!compressed(bytes, next, step.first)) return false;
  if (step.op == Annotation::code_length_and_advance && !compressed(bytes, next, step.second)) return false;
  at = next;
  return true;
}

}  // namespace unshade::dxbc::codeview
