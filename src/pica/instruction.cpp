#include <unshade/pica/instruction.hpp>

#include <iterator>

#include "pica/word.hpp"

namespace unshade::pica {

namespace {

constexpr OpcodeInfo kRows[] = {
#define PICA_OP(code, id, text, format, shape, lanes, flow, stages, sem) \
  {Opcode::id, #id, text, Format::format, shape, Lanes::lanes, Flow::flow, Stages::stages, #sem},
#include <unshade/pica/instructions.def>
#undef PICA_OP
};
constexpr OpcodeInfo kUnknownRow{Opcode::unknown, "unknown", "", Format::unknown, "", Lanes::none, Flow::next, Stages::any, "nothing"};

constexpr std::size_t kCodes = 64;
constexpr std::uint8_t kNoRow = 0xff;

/// How many values of the six bits an instruction takes up.
constexpr unsigned codes_of(Format format) { return format == Format::f1c ? 2 : format == Format::f5 || format == Format::f5i ? 8 : 1; }

struct CodeTable {
  std::uint8_t row[kCodes];
};
constexpr CodeTable make_codes() {
  CodeTable table{};
  for (auto& row : table.row) row = kNoRow;
  for (std::uint8_t i = 0; i < std::size(kRows); ++i)
    for (unsigned k = 0; k < codes_of(kRows[i].format); ++k) table.row[static_cast<unsigned>(kRows[i].opcode) + k] = i;
  return table;
}
constexpr CodeTable kCodeRows = make_codes();

constexpr bool rows_in_order() {
  for (std::size_t i = 1; i < std::size(kRows); ++i) {
    const auto before = static_cast<unsigned>(kRows[i - 1].opcode) + codes_of(kRows[i - 1].format);
    if (before > static_cast<unsigned>(kRows[i].opcode)) return false;
  }
  return static_cast<unsigned>(std::end(kRows)[-1].opcode) + codes_of(std::end(kRows)[-1].format) <= kCodes;
}
static_assert(rows_in_order(), "instructions.def: codes must ascend and must not overlap");

constexpr bool texts_differ() {
  for (const auto& a : kRows)
    for (const auto& b : kRows)
      if (&a != &b && a.text == b.text) return false;
  return true;
}
static_assert(texts_differ(), "instructions.def: mnemonics must be unique");

/// What a row says of its operands in `format`, `shape`, `lanes` and `flow` must agree.
constexpr bool columns_agree(const OpcodeInfo& row) {
  unsigned sources = 0;
  unsigned destinations = 0;
  for (const char letter : row.shape) {
    sources += letter == 's' ? 1 : 0;
    destinations += letter == 'd' || letter == 'a' ? 1 : 0;
  }
  const bool is_arithmetic = sources != 0;
  const bool has_uniform = row.takes('b') || row.takes('n') || row.takes('i');
  return is_arithmetic == (row.lanes != Lanes::none) && (row.lanes != Lanes::head || sources == 2) &&
         (row.lanes == Lanes::pair) == row.takes('a') && destinations == (is_arithmetic && row.format != Format::f1c ? 1U : 0U) &&
         (row.format == Format::f3) == has_uniform && (row.flow == Flow::call) == row.takes('p') &&
         (row.flow == Flow::jump) == row.takes('l') && (row.flow != Flow::branch || row.is_conditional()) &&
         (row.flow == Flow::loop) == row.takes('i') && (row.flow != Flow::next || !row.is_conditional());
}
constexpr bool all_columns_agree() {
  for (const auto& row : kRows)
    if (!columns_agree(row)) return false;
  return true;
}
static_assert(all_columns_agree(), "instructions.def: operands must agree with lanes, format and flow");

using namespace word;

/// What the fields of a format cover, the code among them.
template <class Visit>
constexpr void visit_fields(Format format, Visit&& visit) {
  switch (format) {
    case Format::f0: break;
    case Format::f1:
    case Format::f1u:
      visit(kDestination), visit(kIndex), visit(kWide1), visit(kDescriptor);
      if (format == Format::f1) visit(kNarrow2);
      break;
    case Format::f1i: visit(kDestination), visit(kIndex), visit(kNarrow1), visit(kWide2), visit(kDescriptor); break;
    case Format::f1c: visit(kCompareX), visit(kCompareY), visit(kIndex), visit(kWide1), visit(kNarrow2), visit(kDescriptor); break;
    case Format::f2: visit(kRefX), visit(kRefY), visit(kCondition), visit(kTarget), visit(kCount); break;
    case Format::f3: visit(kUniform), visit(kTarget), visit(kCount); break;
    case Format::f4: visit(kVertex), visit(kPrimitive), visit(kInverted); break;
    case Format::f5:
      visit(kMadDestination), visit(kMadIndex), visit(kMadSource1), visit(kMadWide2), visit(kMadNarrow3), visit(kMadDescriptor);
      break;
    case Format::f5i:
      visit(kMadDestination), visit(kMadIndex), visit(kMadSource1), visit(kMadNarrow2), visit(kMadWide3), visit(kMadDescriptor);
      break;
    case Format::unknown: break;
  }
}

/// Bits that no field of the format holds.
constexpr std::uint32_t unused_bits(Format format) {
  if (format == Format::unknown) return ~0U;
  std::uint32_t used = 0;
  visit_fields(format, [&](const Bits& field) { used = field.put(used, ~0U); });
  const unsigned code_bits = format == Format::f1c ? 5 : format == Format::f5 || format == Format::f5i ? 3 : 6;
  used |= ~0U << (32 - code_bits);
  return ~used;
}

constexpr std::string_view kIndexTexts[] = {"", "a0.x", "a0.y", "aL"};
constexpr std::string_view kComparisonTexts[] = {"eq", "ne", "lt", "le", "gt", "ge", "always6", "always7"};

constexpr const OpcodeInfo* row_of(Opcode opcode) {
  const auto code = static_cast<unsigned>(opcode);
  const std::uint8_t row = code < kCodes ? kCodeRows.row[code] : kNoRow;
  return row == kNoRow || kRows[row].opcode != opcode ? &kUnknownRow : &kRows[row];
}

struct Twins {
  Opcode plain;
  Opcode inverted;
};
constexpr Twins kTwins[] = {{Opcode::dph, Opcode::dphi},
                            {Opcode::dst, Opcode::dsti},
                            {Opcode::sge, Opcode::sgei},
                            {Opcode::slt, Opcode::slti},
                            {Opcode::mad, Opcode::madi}};

void print_operand(Text& out, const SourceOperand& source) {
  if (source.negated) out << '-';
  print_source(out, source.reg);
  if (source.index != Index::none) out << '[' << id(source.index) << ']';
  if (!source.swizzle.is_identity()) out << '.' << source.swizzle.text();
}

void print_mask(Text& out, WriteMask mask) {
  if (mask != WriteMask::all()) out << '.' << mask.text();
}

/// The places of a source that an instruction looks at, before its swizzle.
WriteMask places_read(const OpcodeInfo& row, WriteMask written, unsigned operand) {
  switch (row.lanes) {
    case Lanes::none: return {};
    case Lanes::each: return written;
    case Lanes::one: return WriteMask::first_components(1);
    case Lanes::two: return WriteMask::first_components(2);
    case Lanes::pair: return WriteMask::first_components(2) & written;
    case Lanes::three: return WriteMask::first_components(3);
    case Lanes::four: return WriteMask::all();
    case Lanes::head: return WriteMask::first_components(operand == 0 ? 3 : 4);
  }
  return WriteMask::all();
}

void print_condition(Text& out, const Instruction& i) {
  const auto term = [&](char component, bool ref) { out << (ref ? "cmp." : "!cmp.") << component; };
  if (i.condition != Condition::y) term('x', i.ref_x);
  if (i.condition == Condition::either) out << " || ";
  if (i.condition == Condition::both) out << " && ";
  if (i.condition != Condition::x) term('y', i.ref_y);
}

}  // namespace

const OpcodeInfo& info(Opcode opcode) { return *row_of(opcode); }

std::uint32_t Instruction::block_end() const { return target + (info(opcode).flow == Flow::loop ? 1U : 0U); }

std::uint32_t Instruction::whole_block_end() const { return info(opcode).flow == Flow::loop ? block_end() : end(); }

const OpcodeInfo* find_opcode(std::string_view text) {
  for (const OpcodeInfo& row : kRows)
    if (row.text == text) return &row;
  return nullptr;
}

Format format_of(Opcode opcode) { return info(opcode).format; }

unsigned source_count(Format format) {
  switch (format) {
    case Format::f1:
    case Format::f1i:
    case Format::f1c: return 2;
    case Format::f1u: return 1;
    case Format::f5:
    case Format::f5i: return 3;
    default: return 0;
  }
}

int wide_source(Format format) {
  switch (format) {
    case Format::f1:
    case Format::f1u:
    case Format::f1c: return 0;
    case Format::f1i:
    case Format::f5: return 1;
    case Format::f5i: return 2;
    default: return -1;
  }
}

bool has_destination(Format format) {
  return format == Format::f1 || format == Format::f1u || format == Format::f1i || format == Format::f5 || format == Format::f5i;
}

bool has_descriptor(Format format) { return source_count(format) != 0; }

Opcode twin(Opcode opcode) {
  for (const Twins& twins : kTwins) {
    if (opcode == twins.plain) return twins.inverted;
    if (opcode == twins.inverted) return twins.plain;
  }
  return opcode;
}

bool is_inverted(Opcode opcode) {
  for (const Twins& twins : kTwins)
    if (opcode == twins.inverted) return true;
  return false;
}

descriptor::Fields descriptor::fields(std::uint32_t bits) {
  Fields fields;
  fields.mask = WriteMask(kMask.get(bits)).reversed();
  for (std::size_t n = 0; n < fields.sources.size(); ++n)
    fields.sources[n] = {kNegate[n].get(bits) != 0, Swizzle(kSelectors[n].get(bits)).reversed()};
  fields.top = kTop.get(bits) != 0;
  return fields;
}

Operands operands_of(const Instruction& instruction, const std::uint32_t* bits) {
  const OpcodeInfo& row = info(instruction.opcode);
  const descriptor::Fields fields = bits != nullptr ? descriptor::fields(*bits) : descriptor::Fields{WriteMask::all(), {}, false};
  Operands operands;
  if (has_destination(row.format)) operands.written = fields.mask;
  operands.source_count = static_cast<std::uint8_t>(source_count(row.format));
  const int wide = wide_source(row.format);
  for (unsigned n = 0; n < operands.source_count; ++n) {
    const auto& [negated, swizzle] = fields.sources[n];
    operands.sources[n] = {instruction.source[n], wide == static_cast<int>(n) ? instruction.index : Index::none, negated, swizzle,
                           bits != nullptr ? swizzle.read(places_read(row, fields.mask, n)) : WriteMask::all()};
  }
  return operands;
}

Instruction decode(std::uint32_t w) {
  Instruction i;
  const std::uint8_t row = kCodeRows.row[kOpcode.get(w)];
  const OpcodeInfo& shape = row == kNoRow ? kUnknownRow : kRows[row];
  i.opcode = shape.opcode;
  i.rest = w & unused_bits(shape.format);
  const auto small = [w](const Bits& field) { return static_cast<std::uint8_t>(field.get(w)); };
  switch (shape.format) {
    case Format::f0: break;
    case Format::f1:
    case Format::f1u:
      i.destination = small(kDestination);
      i.index = static_cast<Index>(kIndex.get(w));
      i.source[0] = small(kWide1);
      if (shape.format == Format::f1) i.source[1] = small(kNarrow2);
      i.descriptor = small(kDescriptor);
      break;
    case Format::f1i:
      i.destination = small(kDestination);
      i.index = static_cast<Index>(kIndex.get(w));
      i.source[0] = small(kNarrow1);
      i.source[1] = small(kWide2);
      i.descriptor = small(kDescriptor);
      break;
    case Format::f1c:
      i.compare_x = static_cast<Comparison>(kCompareX.get(w));
      i.compare_y = static_cast<Comparison>(kCompareY.get(w));
      i.index = static_cast<Index>(kIndex.get(w));
      i.source[0] = small(kWide1);
      i.source[1] = small(kNarrow2);
      i.descriptor = small(kDescriptor);
      break;
    case Format::f2:
      i.ref_x = kRefX.get(w) != 0;
      i.ref_y = kRefY.get(w) != 0;
      i.condition = static_cast<Condition>(kCondition.get(w));
      i.target = static_cast<std::uint16_t>(kTarget.get(w));
      i.count = static_cast<std::uint16_t>(kCount.get(w));
      break;
    case Format::f3:
      i.uniform = small(kUniform);
      i.target = static_cast<std::uint16_t>(kTarget.get(w));
      i.count = static_cast<std::uint16_t>(kCount.get(w));
      break;
    case Format::f4:
      i.vertex = small(kVertex);
      i.primitive = kPrimitive.get(w) != 0;
      i.inverted = kInverted.get(w) != 0;
      break;
    case Format::f5:
    case Format::f5i: {
      const bool plain = shape.format == Format::f5;
      i.destination = small(kMadDestination);
      i.index = static_cast<Index>(kMadIndex.get(w));
      i.source = {small(kMadSource1), small(plain ? kMadWide2 : kMadNarrow2), small(plain ? kMadNarrow3 : kMadWide3)};
      i.descriptor = small(kMadDescriptor);
      break;
    }
    case Format::unknown: break;
  }
  return i;
}

std::uint32_t encode(const Instruction& i) {
  const OpcodeInfo& shape = info(i.opcode);
  std::uint32_t w = i.rest & unused_bits(shape.format);
  if (shape.format == Format::unknown) return w;
  w |= static_cast<std::uint32_t>(i.opcode) << kOpcode.first;
  const auto put = [&w](const Bits& field, std::uint32_t value) { w = field.put(w, value); };
  switch (shape.format) {
    case Format::f0:
    case Format::unknown: break;
    case Format::f1:
    case Format::f1u:
      put(kDestination, i.destination);
      put(kIndex, static_cast<std::uint32_t>(i.index));
      put(kWide1, i.source[0]);
      if (shape.format == Format::f1) put(kNarrow2, i.source[1]);
      put(kDescriptor, i.descriptor);
      break;
    case Format::f1i:
      put(kDestination, i.destination);
      put(kIndex, static_cast<std::uint32_t>(i.index));
      put(kNarrow1, i.source[0]);
      put(kWide2, i.source[1]);
      put(kDescriptor, i.descriptor);
      break;
    case Format::f1c:
      put(kCompareX, static_cast<std::uint32_t>(i.compare_x));
      put(kCompareY, static_cast<std::uint32_t>(i.compare_y));
      put(kIndex, static_cast<std::uint32_t>(i.index));
      put(kWide1, i.source[0]);
      put(kNarrow2, i.source[1]);
      put(kDescriptor, i.descriptor);
      break;
    case Format::f2:
      put(kRefX, i.ref_x);
      put(kRefY, i.ref_y);
      put(kCondition, static_cast<std::uint32_t>(i.condition));
      put(kTarget, i.target);
      put(kCount, i.count);
      break;
    case Format::f3:
      put(kUniform, i.uniform);
      put(kTarget, i.target);
      put(kCount, i.count);
      break;
    case Format::f4:
      put(kVertex, i.vertex);
      put(kPrimitive, i.primitive);
      put(kInverted, i.inverted);
      break;
    case Format::f5:
    case Format::f5i: {
      const bool plain = shape.format == Format::f5;
      put(kMadDestination, i.destination);
      put(kMadIndex, static_cast<std::uint32_t>(i.index));
      put(kMadSource1, i.source[0]);
      put(plain ? kMadWide2 : kMadNarrow2, i.source[1]);
      put(plain ? kMadNarrow3 : kMadWide3, i.source[2]);
      put(kMadDescriptor, i.descriptor);
      break;
    }
  }
  return w;
}

void print_source(Text& out, unsigned source) {
  if (source < kSourceTemporaries) {
    (out << 'v').dec(source);
  } else if (source < kSourceConstants) {
    (out << 'r').dec(source - kSourceTemporaries);
  } else {
    (out << 'c').dec(source - kSourceConstants);
  }
}

void print_destination(Text& out, unsigned destination) {
  if (destination < kSourceTemporaries) {
    (out << 'o').dec(destination);
  } else {
    (out << 'r').dec(destination - kSourceTemporaries);
  }
}

void print_uniform_register(Text& out, unsigned number) {
  if (number < 0x10) {
    (out << 'v').dec(number);
  } else if (number < 0x70) {
    (out << 'c').dec(number - 0x10);
  } else if (number < 0x74) {
    (out << 'i').dec(number - 0x70);
  } else if (number >= 0x78 && number < 0x88) {
    (out << 'b').dec(number - 0x78);
  } else {
    (out << "0x").hex(number, 2);
  }
}

std::string_view id(Index index) { return kIndexTexts[static_cast<unsigned>(index) & 3]; }
std::string_view id(Comparison comparison) { return kComparisonTexts[static_cast<unsigned>(comparison) & 7]; }

void print_instruction(Text& out, const Instruction& i, const std::uint32_t* bits) {
  const OpcodeInfo& row = info(i.opcode);
  if (row.format == Format::unknown) {
    (out << ".word 0x").hex(i.rest, 8);
    return;
  }
  out << row.text;
  const Operands operands = operands_of(i, bits);
  unsigned source = 0;
  unsigned comparison = 0;
  bool first = true;
  const auto address = [&] { (out << "0x").hex(i.target); };
  for (const char letter : row.shape) {
    out << (first ? " " : ", ");
    first = false;
    switch (letter) {
      case 'd':
        print_destination(out, i.destination);
        print_mask(out, operands.written);
        break;
      case 'a':
        out << "a0";
        print_mask(out, operands.written);
        break;
      case 's': print_operand(out, operands.sources[source++]); break;
      case 'o': out << id(comparison++ == 0 ? i.compare_x : i.compare_y); break;
      case 'c': print_condition(out, i); break;
      case 'p':
        address();
        (out << ':').dec(i.count);
        break;
      case 'l': address(); break;
      case 'n':
        if (i.negates_uniform()) out << '!';
        (out << 'b').dec(i.uniform);
        break;
      case 'b': (out << 'b').dec(i.uniform); break;
      case 'i': (out << 'i').dec(i.uniform); break;
      case 'e':
        out.dec(i.vertex);
        if (i.primitive || i.inverted) out << ',';
        if (i.primitive) out << " prim";
        if (i.inverted) out << " inv";
        break;
      default: break;
    }
  }
  if (row.opens_block()) {
    out << ", ";
    address();
    if (i.count != 0) (out << ':').dec(i.count);
  }
}

}  // namespace unshade::pica
