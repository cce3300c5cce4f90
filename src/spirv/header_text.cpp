#include "spirv/header_text.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/numbers.hpp"
#include "spirv/operands.hpp"

namespace unshade::spirv {

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

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
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
    each_operand(instruction, instruction.info(), ids, [&](const Operand& operand) {
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

Result<std::optional<HeaderText>> read_header(std::string_view text) {
  const char* const begin = text.data();
  if (take_line(text) != kFirst || !text.starts_with(kVersionLine)) return std::optional<HeaderText>();
  HeaderText read;
  Header& header = read.header;
  header.generator = kOwnGenerator;
  while (text.starts_with(';')) {
    std::string_view line = take_line(text);
    const auto fault = [&](std::string message) {
      return Error{ErrorCode::bad_value, static_cast<std::size_t>(line.data() - begin), {}, std::move(message)};
    };
    const auto number = [&](std::uint32_t& value, int base = 10) { return read_number(line, value, base) && line.empty(); };
    if (take(line, kVersionLine)) {
      std::uint32_t major = 0;
      std::uint32_t minor = 0;
      if (!read_number(line, major) || !take(line, ".") || !number(minor) || major > 0xff || minor > 0xff)
        return fault("expected a version such as 1.5");
      header.version = major << 16 | minor << 8;
    } else if (take(line, kGeneratorLine)) {
      const std::size_t split = line.rfind("; ");
      if (split == std::string_view::npos) continue;
      const std::string_view tool = line.substr(0, split);
      std::string_view digits = line.substr(split + 2);
      std::uint32_t version = 0;
      if (!read_number(digits, version) || !digits.empty() || version > 0xffff)
        return fault("expected a tool and its 16-bit version, as in `Unknown(7); 1`");
      const auto word = generator_word(tool, version);
      if (!word) return fault("unknown tool '" + std::string(tool) + "'; write its number, as in `Unknown(7)`");
      header.generator = *word;
    } else if (take(line, kBound)) {
      read.bound_at = static_cast<std::size_t>(line.data() - begin);
      read.has_bound = true;
      if (!number(header.bound)) return fault("expected the bound, a 32-bit number");
    } else if (take(line, kSchema)) {
      if (!number(header.schema)) return fault("expected the schema, a 32-bit number");
    } else if (take(line, kVersionWordLine)) {
      const std::uint32_t before = header.version;
      if (!number(header.version, 16)) return fault("expected the version word, a 32-bit hexadecimal number");
      if ((header.version & kVersionBits) != before) return fault("the version word must match the version above");
    } else if (line == kBigEndian) {
      read.is_big_endian = true;
    } else if (line == kExactBound) {
      read.is_bound_exact = true;
    } else {
      break;
    }
  }
  return std::optional<HeaderText>(read);
}

}  // namespace unshade::spirv
