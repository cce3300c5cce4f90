#include "spirv/header_text.hpp"

#include <algorithm>
#include <charconv>

#include "spirv/operands.hpp"

namespace unshade::spirv {

namespace {

constexpr std::string_view kFirst = "; SPIR-V";
constexpr std::string_view kVersion = "; Version: ";
constexpr std::string_view kGenerator = "; Generator: ";
constexpr std::string_view kBound = "; Bound: ";
constexpr std::string_view kSchema = "; Schema: ";
// Of ours:
constexpr std::string_view kVersionWord = "; Version word: 0x";
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
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool read_generator(std::string_view text, std::uint32_t& word) {
  const std::size_t split = text.rfind("; ");
  if (split == std::string_view::npos) return false;
  std::string_view version = text.substr(split + 2);
  std::uint32_t low = 0;
  if (!read_number(version, low) || !version.empty() || low > 0xffff) return false;
  std::string_view tool = text.substr(0, split);
  std::uint32_t high = 0;
  if (take(tool, kUnknown)) {
    if (!read_number(tool, high) || tool != ")" || high > 0xffff) return false;
    word = high << 16 | low;
    return true;
  }
  const auto known = find_generator(tool);
  if (!known) return false;
  word = *known << 16 | low;
  return true;
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
  out << kFirst << '\n' << kVersion;
  out.dec(header.major()) << '.';
  out.dec(header.minor()) << '\n' << kGenerator;
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
    out << kVersionWord;
    out.hex(header.version, 8) << '\n';
  }
  if (module.is_big_endian()) out << kBigEndian << '\n';
  if (largest_id(ids) >= header.bound) out << kExactBound << '\n';
}

std::optional<HeaderText> read_header(std::string_view text) {
  HeaderText read;
  Header& header = read.header;
  if (take_line(text) != kFirst) return std::nullopt;
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::string_view line = take_line(text);
  if (!take(line, kVersion) || !read_number(line, major) || !take(line, ".") || !read_number(line, minor) || major > 0xff || minor > 0xff)
    return std::nullopt;
  header.version = major << 16 | minor << 8;
  line = take_line(text);
  if (!take(line, kGenerator) || !read_generator(line, header.generator)) return std::nullopt;
  line = take_line(text);
  if (!take(line, kBound) || !read_number(line, header.bound)) return std::nullopt;
  line = take_line(text);
  if (!take(line, kSchema) || !read_number(line, header.schema)) return std::nullopt;
  while (text.starts_with(';')) {
    line = take_line(text);
    if (take(line, kVersionWord)) {
      if (!read_number(line, header.version, 16)) return std::nullopt;
    } else if (line == kBigEndian) {
      read.is_big_endian = true;
    } else if (line == kExactBound) {
      read.is_bound_exact = true;
    } else {
      break;
    }
  }
  return read;
}

}  // namespace unshade::spirv
