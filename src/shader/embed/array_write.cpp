#include <algorithm>
#include <array>

#include <unshade/core/text/characters.hpp>
#include <unshade/shader/array_text.hpp>

namespace unshade::shader {

namespace {

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

/// Whether a line in `#if 0` is a directive that ends or nests groups, however its `#` is spelled.
bool is_conditional(std::string_view line) {
  line = without_blanks(line);
  constexpr std::string_view kHashes[] = {"#", "%:", "\?\?="};
  for (const std::string_view hash : kHashes) {
    if (!line.starts_with(hash)) continue;
    const std::string_view word = without_blanks(line.substr(hash.size()));
    // `#if`, `#elif`, `#else`, `#endif` and all that begin so; a comment may precede the word
    return word.starts_with("if") || word.starts_with("el") || word.starts_with("end") || word.starts_with('/');
  }
  return false;
}

/// Whether something on the line, read as C++, reaches beyond it: a comment or a raw string that opens.
bool opens_something(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '/' && i + 1 < line.size()) {
      if (line[i + 1] == '/') return false;
      if (line[i + 1] == '*') return true;
    }
    if (c != '"' && c != '\'') continue;
    if (c == '"' && i != 0 && line[i - 1] == 'R') {
      std::size_t word = i - 1;
      while (word != 0 && is_name_character(line[word - 1])) --word;
      const std::string_view prefix = line.substr(word, i - word);
      if (prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" || prefix == "u8R") return true;
    }
    std::size_t close = i + 1;
    while (close < line.size() && line[close] != c) close += line[close] == '\\' ? 2 : 1;
    // Of a quote that nothing closes compilers say different things.
    if (close >= line.size()) return line.find("/*", i) != std::string_view::npos || line.find("R\"", i) != std::string_view::npos;
    i = close;
  }
  return false;
}

/// Whether the line goes on in the next: compilers let blanks follow the backslash, and know it as a trigraph.
bool goes_on(std::string_view line) {
  const auto last = line.find_last_not_of(" \t");
  if (last == std::string_view::npos) return false;
  return line[last] == '\\' || (last >= 2 && line.substr(last - 2, 3) == "\?\?/");
}

bool has_controls(std::string_view line) {
  return std::any_of(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; });
}

/// The line with control characters, and those beyond ASCII if `ascii`, as `\x1f`.
void write_escaped(std::string_view line, bool ascii, Text& out) {
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t') || byte == 0x7f || (ascii && byte >= 0x80)) {
      (out << "\\x").hex(byte, 2);
    } else {
      out << c;
    }
  }
  if (goes_on(line)) out << " .";
}

struct Spelling {
  std::string_view c;
  std::string_view cpp;
  std::string_view rust;
};

constexpr Spelling spelling(SourceType type) {
  switch (type) {
    case SourceType::byte: return {"BYTE", "BYTE", "u8"};
    case SourceType::unsigned_char: return {"unsigned char", "unsigned char", "u8"};
    case SourceType::uint8: return {"uint8_t", "std::uint8_t", "u8"};
    case SourceType::dword: return {"DWORD", "DWORD", "u32"};
    case SourceType::uint32: return {"uint32_t", "std::uint32_t", "u32"};
  }
  return {};
}

constexpr char kHex[] = "0123456789abcdef";

/// Six decimals a line, as fxc. src: see write_source_array
void write_decimals(std::span<const std::byte> bytes, Text& out) {
  constexpr std::size_t kPerLine = 6;
  for (std::size_t from = 0; from < bytes.size(); from += kPerLine) {
    const std::size_t count = std::min(kPerLine, bytes.size() - from);
    char* at = out.grow(4 + count * 5 + 1);
    for (int i = 0; i < 4; ++i) *at++ = ' ';
    for (std::size_t i = from; i < from + count; ++i) {
      const auto value = std::to_integer<unsigned>(bytes[i]);
      *at++ = value >= 100 ? static_cast<char>('0' + value / 100) : ' ';
      *at++ = value >= 10 ? static_cast<char>('0' + value / 10 % 10) : ' ';
      *at++ = static_cast<char>('0' + value % 10);
      if (i + 1 == bytes.size()) break;
      *at++ = ',';
      *at++ = ' ';  // also at the end of the line
    }
    *at++ = '\n';
    out.commit(at);
  }
}

/// Twelve bytes or six words a line, as dxc.
void write_hexadecimals(View bytes, std::size_t element, Text& out) {
  const std::size_t per_line = element == 1 ? 12 : 6;
  const std::size_t count = bytes.size() / element;
  for (std::size_t i = 0; i < count; ++i) {
    char* at = out.grow(16);
    if (i != 0) *at++ = ',';
    if (i % per_line == 0) {
      *at++ = '\n';
      *at++ = ' ';
    }
    *at++ = ' ';
    *at++ = '0';
    *at++ = 'x';
    std::uint32_t value = element == 1 ? std::to_integer<std::uint32_t>(bytes.data()[i]) : bytes.load_unchecked<std::uint32_t>(i * 4);
    for (std::size_t digit = element * 2; digit-- != 0; value >>= 4) at[digit] = kHex[value & 15];
    out.commit(at + element * 2);
  }
}

}  // namespace

void write_source_comment(std::string_view text, SourceLanguage language, Text& out) {
  const bool rust = language == SourceLanguage::rust;
  if (!rust) out << "#if 0\n";
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (rust) {
      out << (line.empty() ? "//" : "// ");
      write_escaped(line, true, out);
    } else if (is_conditional(line) || opens_something(line) || goes_on(line) || has_controls(line)) {
      out << "// ";
      write_escaped(line, false, out);
    } else {
      out << line;
    }
    out << '\n';
  }
  if (!rust) out << "#endif\n";
}

void write_source_array(View bytes, std::string_view name, SourceLanguage language, SourceType type, Text& out) {
  const Spelling words = spelling(type);
  const std::size_t element = bytes_of(type);
  switch (language) {
    case SourceLanguage::c:
      if (type == SourceType::byte) {
        out << "const BYTE " << name << "[] =\n{\n";
        write_decimals(bytes.bytes(), out);
        out << "};\n";
        return;
      }
      out << "const " << words.c << ' ' << name << "[] = {";
      break;
    case SourceLanguage::cpp:
      // Readers of shaders want words: bytes are to lie as those do.
      out << (element == 1 ? "alignas(4) " : "") << "inline constexpr " << words.cpp << ' ' << name << "[] = {";
      break;
    case SourceLanguage::rust:
      ((out << "pub static " << name << ": [" << words.rust << "; ").dec(bytes.size() / element)) << "] = [";
      break;
  }
  write_hexadecimals(bytes, element, out);
  out << (language == SourceLanguage::rust ? ",\n];\n" : "\n};\n");
}

std::string source_identifier(std::string_view text) {
  // Those that a shader's entry point or file could be called by.
  constexpr std::string_view kReserved[] = {"main",     "auto",   "break",  "case",     "char",   "class", "const",  "default", "delete",
                                            "do",       "double", "else",   "enum",     "extern", "false", "float",  "fn",      "for",
                                            "friend",   "goto",   "if",     "impl",     "inline", "int",   "let",    "long",    "loop",
                                            "match",    "mod",    "mut",    "new",      "pub",    "ref",   "return", "self",    "short",
                                            "signed",   "sizeof", "static", "struct",   "switch", "this",  "trait",  "true",    "type",
                                            "typename", "union",  "unsafe", "unsigned", "use",    "using", "void",   "where",   "while"};
  std::string name;
  for (const char c : text) name += is_name_character(c) ? c : '_';
  if (name.empty() || is_digit(name.front())) name.insert(name.begin(), '_');
  if (std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved)) name += '_';
  return name;
}

}  // namespace unshade::shader
