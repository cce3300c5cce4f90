#include "spirv/text/header.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/text/numbers.hpp>

#include "spirv/grammar/operands.hpp"

namespace unshade::spirv::text {

namespace {

constexpr std::string_view kFirst = "; SPIR-V";
constexpr std::string_view kVersionLine = "; Version: ";
constexpr std::string_view kGeneratorLine = "; Generator: ";
constexpr std::string_view kBound = "; Bound: ";
constexpr std::string_view kSchema = "; Schema: ";
// Of ours:
constexpr std::string_view kVersionWordLine = "; Version word: 0x";
constexpr std::string_view kBigEndian = "; Byte order: big-endian";
constexpr std::string_view kExactBound = "; Bound exceeded";
constexpr std::string_view kUnknown = "Unknown(";

constexpr std::uint32_t kVersionBits = 0x00ff'ff00;

/// Without the blanks around.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  constexpr std::string_view kBlanks = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  return line.substr(0, line.find_last_not_of(kBlanks) + 1);
}

bool read_number(std::string_view& text, std::uint32_t& value, int base = 10) {
  const auto read = take_number<std::uint32_t>(text, base);
  if (read) value = *read;
  return read.has_value();
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// 0x0d000b of `Google Shaderc over Glslang; 11`; nothing if the tool is not known.
std::optional<std::uint32_t> generator_word(std::string_view tool, std::uint32_t version) {
  std::uint32_t number = 0;
  if (take(tool, kUnknown)) {
    if (!read_number(tool, number) || tool != ")" || number > 0xffff) return std::nullopt;
    return number << 16 | version;
  }
  const auto known = find_generator(tool);
  if (!known) return std::nullopt;
  return *known << 16 | version;
}

std::uint32_t largest_id(const IdTable& ids) {
  std::uint32_t largest = 0;
  for (const Instruction instruction : ids.module())
    grammar::each_operand(instruction, instruction.info(), ids, [&](const Operand& operand) {
      if (is_id(operand.kind)) largest = std::max(largest, instruction.word(operand.word));
    });
  return largest;
}

}  // namespace

void print_header(const IdTable& ids, bool exact, Text& out) {
  const Module& module = ids.module();
  const Header& header = module.header();
  out << kFirst << '\n' << kVersionLine;
  out.dec(header.major()) << '.';
  out.dec(header.minor()) << '\n' << kGeneratorLine;
  const std::uint32_t tool = header.generator >> 16;
  if (const std::string_view text = generator_text(tool); !text.empty()) {
    out << text;
  } else {
    out << kUnknown;
    out.dec(tool) << ')';
  }
  out << "; ";
  out.dec(header.generator & 0xffff) << '\n' << kBound;
  out.dec(header.bound) << '\n' << kSchema;
  out.dec(header.schema) << '\n';
  if (!exact) return;
  if ((header.version & ~kVersionBits) != 0) {
    out << kVersionWordLine;
    out.hex(header.version, 8) << '\n';
  }
  if (module.is_big_endian()) out << kBigEndian << '\n';
  if (largest_id(ids) >= header.bound) out << kExactBound << '\n';
}

namespace {

/// The lines of a header by what they begin with; each may come once.
enum class Line : std::uint8_t { version, generator, bound, schema, version_word, byte_order, exact_bound, other };

Line line_of(std::string_view line) {
  if (line.starts_with(kVersionLine)) return Line::version;
  if (line.starts_with(kGeneratorLine)) return Line::generator;
  if (line.starts_with(kBound)) return Line::bound;
  if (line.starts_with(kSchema)) return Line::schema;
  if (line.starts_with(kVersionWordLine)) return Line::version_word;
  if (line == kBigEndian) return Line::byte_order;
  if (line == kExactBound) return Line::exact_bound;
  return Line::other;
}

/// `; Schema:: 0`: a line of a header, but for its spelling.
bool is_misspelled(std::string_view line) {
  if (line.find(':') == std::string_view::npos) return false;
  return std::ranges::any_of(std::array{kVersionLine, kGeneratorLine, kBound, kSchema, kBigEndian},
                             [&](std::string_view known) { return line.starts_with(known.substr(0, known.find_first_of(": ", 2))); });
}

/// Leaves what it cannot read.
bool read_version(std::string_view& text, std::uint32_t& version) {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  if (!read_number(text, major) || !take(text, ".") || !read_number(text, minor) || !text.empty() || major > 0xff || minor > 0xff)
    return false;
  version = major << 16 | minor << 8;
  return true;
}

/// The lines before the first instruction that are comments. Empty ones are left out.
std::vector<std::string_view> leading_comments(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.empty()) continue;
    if (!line.starts_with(';')) break;
    lines.push_back(line);
  }
  return lines;
}

/// Whether a comment states a fact as the line of a header does, and nothing else.
bool is_header_line(std::string_view line) {
  std::uint32_t number = 0;
  switch (line_of(line)) {
    case Line::version: return take(line, kVersionLine) && read_version(line, number);
    case Line::generator: {
      line.remove_prefix(kGeneratorLine.size());
      const std::size_t split = line.rfind("; ");
      return split != std::string_view::npos && generator_word(line.substr(0, split), 0).has_value();
    }
    case Line::bound: return take(line, kBound) && read_number(line, number) && line.empty();
    case Line::schema: return take(line, kSchema) && read_number(line, number) && line.empty();
    case Line::version_word: return take(line, kVersionWordLine) && read_number(line, number, 16) && line.empty();
    case Line::byte_order:
    case Line::exact_bound: return true;
    case Line::other: return false;
  }
  return false;
}

}  // namespace

std::string_view find_header_line(std::string_view comments) {
  while (!comments.empty())
    if (const std::string_view line = take_line(comments); is_header_line(line)) return line;
  return {};
}

Result<std::optional<HeaderText>> read_header(std::string_view text) {
  std::string_view line;
  const auto fault = [&](std::string message) {
    return Error{ErrorCode::bad_value, static_cast<std::size_t>(line.data() - text.data()), {}, std::move(message)};
  };
  const std::vector<std::string_view> lines = leading_comments(text);
  const auto title = std::ranges::find(lines, kFirst);
  for (auto before = lines.begin(); before != title; ++before) {
    line = *before;
    if (is_header_line(line)) return fault("expected `; SPIR-V` before this line of a header");
  }
  auto end = lines.end();  // after the last line of the header
  while (end != title && line_of(end[-1]) == Line::other) --end;
  if (end == title) return std::optional<HeaderText>();
  HeaderText read;
  Header& header = read.header;
  header.generator = kOwnGenerator;
  std::array<bool, static_cast<std::size_t>(Line::other)> seen{};
  for (auto next = title + 1; next != lines.end(); ++next) {
    line = *next;
    const Line kind = line_of(line);
    if (kind == Line::other) {
      if (line == ";") continue;
      if (next < end || is_misspelled(line)) return fault("expected a line of the header, such as `; Version: 1.5` or `; Schema: 0`");
      continue;
    }
    if (bool& before = seen[static_cast<std::size_t>(kind)]; before) {
      return fault("duplicate line of the header");
    } else {
      before = true;
    }
    const auto number = [&](std::uint32_t& value, int base = 10) { return read_number(line, value, base) && line.empty(); };
    switch (kind) {
      case Line::version:
        line.remove_prefix(kVersionLine.size());
        if (!read_version(line, header.version)) return fault("expected a version such as 1.5");
        break;
      case Line::generator: {
        line.remove_prefix(kGeneratorLine.size());
        const std::size_t split = line.rfind("; ");
        if (split == std::string_view::npos) break;
        const std::string_view tool = line.substr(0, split);
        std::string_view digits = line.substr(split + 2);
        std::uint32_t version = 0;
        if (!read_number(digits, version) || !digits.empty() || version > 0xffff)
          return fault("expected a tool and its 16-bit version, as in `Unknown(7); 1`");
        const auto word = generator_word(tool, version);
        if (!word) return fault("unknown tool '" + std::string(tool) + "'; write its number, as in `Unknown(7)`");
        header.generator = *word;
        break;
      }
      case Line::bound:
        line.remove_prefix(kBound.size());
        read.bound_at = static_cast<std::size_t>(line.data() - text.data());
        read.has_bound = true;
        if (!number(header.bound)) return fault("expected the bound, a 32-bit number");
        break;
      case Line::schema:
        line.remove_prefix(kSchema.size());
        if (!number(header.schema)) return fault("expected the schema, a 32-bit number");
        break;
      case Line::version_word: {
        line.remove_prefix(kVersionWordLine.size());
        const std::uint32_t before = header.version;
        if (!number(header.version, 16)) return fault("expected the version word, a 32-bit hexadecimal number");
        if ((header.version & kVersionBits) != before) return fault("the version word must match the version above");
        break;
      }
      case Line::byte_order: read.is_big_endian = true; break;
      case Line::exact_bound: read.is_bound_exact = true; break;
      case Line::other: break;
    }
  }
  line = *title;
  if (!seen[static_cast<std::size_t>(Line::version)]) return fault("expected `; Version: ` and a version such as 1.5 below");
  return std::optional<HeaderText>(read);
}

}  // namespace unshade::spirv::text
