#include "dxbc/container/read_statements.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include <unshade/core/text/characters.hpp>
#include <unshade/dxbc/statistics.hpp>

#include "dxbc/listing/words.hpp"

namespace unshade::dxbc::container {

namespace {

constexpr std::size_t kFourccDigits = 10;  // of a name that is no word: 0x20434241

class StatementReader {
 public:
  StatementReader(assembler::ProgramAssembler& assembler, std::size_t bindings, assembler::Messages& messages)
      : assembler_(assembler), binding_count_(bindings), messages_(messages) {}

  PartStatements read() {
    assembler::Scanner& scan = assembler_.scanner();
    while (assembler_.more()) {
      const bool good = scan.take(listing::words::kPart)           ? part(scan)
                        : scan.take(listing::words::kStatistic)    ? statistic(scan)
                        : scan.take(listing::words::kCompileFlags) ? compile_flags(scan)
                        : scan.take(listing::words::kPacked)       ? packed(scan)
                        : scan.take(listing::words::kDigest)       ? digest(scan)
                        : scan.take(listing::words::kAfter)        ? bytes_once(scan, stated_.after, has_after_)
                        : scan.take(listing::words::kTrailing)     ? bytes_once(scan, stated_.trailing, has_trailing_)
                                                                   : scan.fail(MessageKind::syntax, "a statement about parts");
      if (good && !scan.at_line_end()) scan.fail(MessageKind::syntax, "the end of the line");
      scan.skip_line();
    }
    return std::move(stated_);
  }

 private:
  // Of two statements one would be lost.
  bool once(bool is_first, const char* at) {
    return is_first || messages_.report(MessageKind::syntax, at, "this statement is given twice");
  }

  bool compile_flags(assembler::Scanner& scan) {
    if (!once(stated_.compile_flags_at == nullptr, scan.at())) return false;
    stated_.compile_flags_at = scan.at();
    return scan.number(stated_.compile_flags, "compile flags");
  }

  // .statistic mov_instruction_count 5
  bool statistic(assembler::Scanner& scan) {
    scan.blanks();
    const char* const at = scan.at();
    const auto name = scan.name();
    StatedCount stated;
    Statistics any;
    any.is_long = true;
    visit_statistics(any, [&](std::string_view field, std::uint32_t&) {
      if (field == name) stated.field = field;
    });
    if (stated.field.empty()) {
      scan.set(at);
      return scan.fail(MessageKind::unknown_word, "a count of STAT, such as mov_instruction_count");
    }
    if (!once(std::ranges::find(stated_.counts, stated.field, &StatedCount::field) == stated_.counts.end(), at)) return false;
    stated.at = at;
    if (!scan.number(stated.value, "a number")) return false;
    stated_.states_instruction_count = stated_.states_instruction_count || name == "instruction_count";
    stated_.counts.push_back(stated);
    return true;
  }

  // .part SPDB { 0123 4567 }
  bool part(assembler::Scanner& scan) {
    scan.blanks();
    const char* at = scan.at();
    const auto name = scan.name();
    GivenPart given{0, std::nullopt, false, at};
    if (name.size() == kFourccDigits && name.starts_with("0x")) {
      scan.set(at);
      if (!scan.number(given.fourcc, "the four bytes of a part's name")) return false;
    } else if (name.size() == 4) {
      for (unsigned i = 0; i < 4; ++i) given.fourcc |= static_cast<std::uint32_t>(static_cast<unsigned char>(name[i])) << (8 * i);
    } else {
      scan.set(at);
      return scan.fail(MessageKind::part, "the four characters of a part");
    }
    scan.blanks();
    given.has_bytes = scan.peek() == '{';
    if (given.has_bytes && !bytes(scan, given.data.emplace())) return false;
    if (given.has_bytes) given.beside = program_beside(scan.rest());
    stated_.parts.push_back(std::move(given));
    return true;
  }
  // The line after the bytes, or the end of theirs: `// beside the program 0x1234abcd`
  static std::optional<std::uint32_t> program_beside(std::string_view rest) {
    rest = rest.substr(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    if (!rest.starts_with(kBesideProgram)) return std::nullopt;
    rest.remove_prefix(kBesideProgram.size());
    std::uint32_t value = 0;
    return std::from_chars(rest.data(), rest.data() + rest.size(), value, 16).ec == std::errc{} ? std::optional(value) : std::nullopt;
  }
  // { 0123 4567 }, over as many lines as it takes
  static bool bytes(assembler::Scanner& scan, std::vector<std::byte>& data) {
    data.clear();
    if (!scan.expect('{')) return false;
    for (scan.blanks_and_lines(); !scan.take('}'); scan.blanks_and_lines()) {
      const int high = hex_digit(scan.peek());
      const int low = hex_digit(scan.peek(1));
      if (high < 0 || low < 0) return scan.fail(MessageKind::invalid_number, "bytes, two hexadecimal digits each, or `}`");
      data.push_back(static_cast<std::byte>(high * 16 + low));
      scan.next();
      scan.next();
    }
    return true;
  }
  bool bytes_once(assembler::Scanner& scan, std::vector<std::byte>& data, bool& is_given) {
    const char* const at = scan.at();
    return bytes(scan, data) && once(!std::exchange(is_given, true), at);
  }
  bool digest(assembler::Scanner& scan) {
    const char* at = scan.at();
    std::vector<std::byte> data;
    if (!bytes_once(scan, data, has_digest_)) return false;
    if (data.size() != stated_.digest.emplace().size()) {
      scan.set(at);
      return scan.fail(MessageKind::part, "the sixteen bytes of a digest");
    }
    std::copy(data.begin(), data.end(), stated_.digest->begin());
    return true;
  }

  // .packed 0 2 5: bindings, by their places in the table, whose source gives a register
  bool packed(assembler::Scanner& scan) {
    if (!once(!stated_.packed, scan.at())) return false;
    stated_.packed_at = scan.at();
    stated_.packed.emplace(binding_count_, false);
    while (!scan.at_line_end()) {
      std::uint32_t place = 0;
      scan.blanks();
      const char* at = scan.at();
      if (!scan.number(place, "the place of a binding")) return false;
      if (place >= stated_.packed->size()) {
        scan.set(at);
        return scan.fail(MessageKind::number_range, "the place of a binding");
      }
      (*stated_.packed)[place] = true;
    }
    return true;
  }

  assembler::ProgramAssembler& assembler_;
  std::size_t binding_count_;
  assembler::Messages& messages_;
  PartStatements stated_;
  bool has_digest_ = false;
  bool has_after_ = false;
  bool has_trailing_ = false;
};

}  // namespace

PartStatements read_part_statements(assembler::ProgramAssembler& assembler, std::size_t bindings, assembler::Messages& messages) {
  return StatementReader(assembler, bindings, messages).read();
}

}  // namespace unshade::dxbc::container
