// The short way to a word, for lines of the common kind, which are nearly all of a program: an instruction that writes a register from
// registers, over operands that were read before, and nothing after it but a comment.
//
// Nothing is read here a second time or in another way: the ends of words are found for the line at once, and the text between them is
// looked up, mnemonics in a table and operands in the memory that operand() fills. What there is a complaint of is left to the general way.
#include <bit>
#include <cstring>

#include "pica/assemble/state.hpp"
#include "pica/mnemonics.hpp"
#include "pica/packed_text.hpp"

namespace unshade::pica::assembler {

using namespace characters;

namespace {

/// Characters of a line that are looked at.
constexpr unsigned kWindow = 48;

/// A bit for each of them, the first in the lowest.
struct LineMarks {
  std::uint64_t words = 0;
  std::uint64_t line_feeds = 0;
};

inline LineMarks line_of(const char* text) {
  LineMarks line;
  for (unsigned i = 0; i < kWindow; i += 16) {
    const packed::Marks marks = packed::marks_of(text + i);
    line.words |= std::uint64_t{marks.words} << i;
    line.line_feeds |= std::uint64_t{marks.line_feeds} << i;
  }
  return line;
}

/// Walks the words of a line, and the text between them.
struct Words {
  const char* at;
  std::uint64_t left;  ///< a bit for each character from there on; zeros after the window

  /// The length of the word that begins here.
  unsigned length() const { return static_cast<unsigned>(std::countr_one(left)); }
  void skip(unsigned count) {
    at += count;
    left >>= count;
  }
  /// To the next word; how many characters it is away. 0: none is left.
  unsigned skip_to_word() {
    // mostly one or two: a guess costs less time than counting
    unsigned count = 2;
    if ((left & 7) == 4) {
      skip(2);
    } else {
      if (left == 0) return 0;
      count = static_cast<unsigned>(std::countr_zero(left));
      skip(count);
    }
    return count;
  }
};

/// Blanks, one at the least.
inline bool is_blank(const char* text, unsigned count) {
  if (count == 1) return is(*text, kBlank);
  if (count == 0) return false;
  for (unsigned i = 0; i < count; ++i)
    if (!is(text[i], kBlank)) return false;
  return true;
}

/// One comma, and blanks around it.
inline bool is_comma(const char* text, unsigned count) {
  if (count == 2 && std::memcmp(text, ", ", 2) == 0) return true;
  unsigned commas = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (text[i] == ',') {
      ++commas;
    } else if (!is(text[i], kBlank)) {
      return false;
    }
  }
  return commas == 1;
}

/// Whether two of these are different inputs.
inline bool inputs_differ(const KnownOperand& a, const KnownOperand& b) {
  return (a.kinds & b.kinds & KnownOperand::kInput) != 0 && a.reg != b.reg;
}

/// Whether the first can be a wide source and the second a narrow one.
inline bool fit(const KnownOperand& wide, const KnownOperand& narrow) {
  static_assert(KnownOperand::kNarrow == 1 && KnownOperand::kWide == 2);
  return (wide.kinds >> 1 & narrow.kinds & 1) != 0;
}

constexpr KnownOperand kNoOperand{0, 0, nullptr, 0, 0, 0, 0, KnownOperand::kNarrow | KnownOperand::kWide, 0};

}  // namespace

// As many lines of this kind as follow one another, from at_, which stays before what is not one. Within a procedure, without
// `.exact`.
void Assembler::plain_lines() {
  // Where the next line begins is known before this one is read, so that the processor can work on several at once.
  const char* next_line = nullptr;
  for (const char* line = at_;; at_ = line = next_line) {
    if (end_ - line < static_cast<std::ptrdiff_t>(kWindow) + OperandMemory::kReads || code_.size() >= kVertexProgramWords) return;
    const LineMarks marks = line_of(line);
    const char* line_end = line + std::countr_zero(marks.line_feeds);
    if (marks.line_feeds == 0) {
      line_end = static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(end_ - line)));
      if (line_end == nullptr) return;
    }

    // the mnemonic
    Words words{line, marks.words};
    const unsigned length = words.length();
    if (length - 1 >= mnemonics::kLongest) return;
    const std::uint64_t key = packed::first(packed::lower(packed::load8(line)), length);
    const mnemonics::Row& row = mnemonics::at(key);
    if (row.key != key || row.plain_operands == 0) return;
    words.skip(length);
    const char* const gap = words.at;
    if (!is_blank(gap, words.skip_to_word())) return;

    // its operands
    const auto operand = [&]() -> const KnownOperand* {
      const unsigned size = words.length();
      const KnownOperand* const known = memory_.find(words.at, size);
      words.skip(size);
      return known;
    };
    const auto next = [&]() -> const KnownOperand* {
      const char* const between = words.at;
      return is_comma(between, words.skip_to_word()) ? operand() : nullptr;
    };
    const KnownOperand* const to = operand();
    if (to == nullptr || (to->kinds & KnownOperand::kDestination) == 0) return;
    const KnownOperand* const a = next();
    if (a == nullptr) return;
    const KnownOperand* b = &kNoOperand;
    const KnownOperand* c = &kNoOperand;
    if (row.plain_operands > 2 && (b = next()) == nullptr) return;
    if (row.plain_operands > 3 && (c = next()) == nullptr) return;

    // and nothing more
    const char* behind = words.at;
    if (behind - line >= static_cast<std::ptrdiff_t>(kWindow)) return;  // the last word may go on
    while (behind != line_end && is(*behind, kBlank)) ++behind;
    if (behind != line_end && *behind != ';') return;

    std::uint32_t descriptor = to->mask | std::uint32_t{a->source} << descriptor::kNegate[0].first;
    descriptor |= std::uint32_t{b->source} << descriptor::kNegate[1].first;
    std::uint32_t word = 0;
    if (row.plain_operands < 4) {
      // a wide second source asks for another form
      if (!fit(*a, *b) || inputs_differ(*a, *b) || row.is_inverted) return;
      const std::uint32_t index = descriptors_.share(descriptor, descriptor_care(row.opcode, descriptor));
      if (index >= kDescriptors) return;
      word = index | word_of_two(row.opcode, false, to->reg, a->reg, b->reg, a->index);
    } else {
      const bool inverted = b->reg < kFloat0 && (c->reg >= kFloat0 || (c->index != 0 && b->index == 0));
      const KnownOperand& wide = inverted ? *c : *b;
      const KnownOperand& narrow = inverted ? *b : *c;
      if ((a->kinds & narrow.kinds & KnownOperand::kNarrow) == 0 || (wide.kinds & KnownOperand::kWide) == 0) return;
      if (inputs_differ(*a, *b) || inputs_differ(*b, *c) || inputs_differ(*a, *c)) return;
      descriptor |= std::uint32_t{c->source} << descriptor::kNegate[2].first;
      const std::uint32_t index = descriptors_.share(descriptor, descriptor_care(Opcode::mad, descriptor));
      if (index >= kShortDescriptors) return;
      descriptors_.used_by_mad(index);
      word = index | word_of_three(inverted, to->reg, a->reg, b->reg, c->reg, wide.index);
    }
    emit(word);
    just_closed_ = false;

    next_line = line_end + 1;
    line_start_ = next_line;
    ++line_;
    while (next_line != end_ && is(*next_line, kBlank)) ++next_line;
  }
}

}  // namespace unshade::pica::assembler
