#include "shader/diff/lines.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <unordered_set>
#include <utility>

#include <unshade/spirv/grammar.hpp>

#include "core/characters.hpp"

namespace unshade::shader::diff {

namespace {

constexpr std::string_view kBlanks = " \t\r";

/// src: LLVM 3.7 LangRef, "Identifiers"
constexpr bool is_llvm_word(char c) { return is_name_character(c) || c == '-' || c == '$' || c == '.'; }

/// How many characters from `at` on satisfy `is`.
template <class Is>
std::size_t span_of(std::string_view text, std::size_t at, Is is) {
  std::size_t end = at;
  while (end < text.size() && is(text[end])) ++end;
  return end - at;
}

/// The characters that some scanner takes for more than themselves.
constexpr std::array<bool, 256> characters_of(std::string_view text) {
  std::array<bool, 256> all{};
  for (const char c : text) all[static_cast<unsigned char>(c)] = true;
  return all;
}
constexpr std::array<bool, 256> kSpirvMarks = characters_of(";\"%");
constexpr std::array<bool, 256> kLlvmMarks = characters_of(";,\"%!#");

/// The length of the text from `at` on up to the next mark; that at `at` is none here.
std::size_t unmarked_length(std::string_view text, std::size_t at, const std::array<bool, 256>& marks) {
  std::size_t end = at + 1;
  while (end < text.size() && !marks[static_cast<unsigned char>(text[end])]) ++end;
  return end - at;
}

/// The length of the string from `at` on, quotes included; a backslash keeps the next character from ending it.
std::size_t quoted_length(std::string_view text, std::size_t at, bool escapes) {
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != '"') end += escapes && text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size()) - at;
}

/// A name and where it holds.
struct Name {
  std::uint32_t scope;
  std::string_view text;
  bool operator==(const Name&) const = default;
};
struct NameHash {
  std::size_t operator()(const Name& name) const {
    return std::hash<std::string_view>()(name.text) ^ name.scope * std::size_t{0x9e37'79b9};
  }
};

/// The scanner of a syntax says what a line is made of.
class Scanner {
 public:
  Scanner(Syntax syntax, std::string listing, TextNumbers& skeletons) : syntax_(syntax), skeletons_(skeletons) {
    out_.text.text = std::move(listing);
  }

  ScannedListing run(bool exact_text) {
    const std::string_view text = out_.text.text;
    if (!exact_text && syntax_ == Syntax::llvm) find_types(text);
    if (!exact_text && syntax_ == Syntax::pica) find_labels(text);
    std::uint32_t number = 1;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = line_length(text, at, number);
      const std::string_view line = text.substr(at, size);
      if (!trimmed(line).empty()) add(line, at, number_, exact_text);
      at += size + 1;
    }
    if (!exact_text && syntax_ == Syntax::llvm) drop_unreached_metadata();
    return std::move(out_);
  }

 private:
  /// Texts of SPIR-V may hold line ends. Counts the lines; number_ is that of the first.
  std::size_t line_length(std::string_view text, std::size_t at, std::uint32_t& number) {
    number_ = number++;
    if (syntax_ != Syntax::spirv) return std::min(text.find('\n', at), text.size()) - at;
    std::size_t end = at;
    while (end < text.size() && text[end] != '\n') {
      if (text[end] == ';') return std::min(text.find('\n', end), text.size()) - at;
      if (text[end] != '"') {
        ++end;
        continue;
      }
      const std::size_t length = quoted_length(text, end, true);
      for (const char c : text.substr(end, length)) number += c == '\n';
      end += length;
    }
    return end - at;
  }

  void add(std::string_view line, std::size_t at, std::uint32_t number, bool exact_text) {
    const auto first_name = static_cast<std::uint32_t>(out_.names.size());
    skeleton_.clear();
    if (exact_text) {
      skeleton_ = line;
    } else {
      switch (syntax_) {
        case Syntax::spirv: scan_spirv(line); break;
        case Syntax::llvm: scan_llvm(line); break;
        case Syntax::pica: scan_pica(line); break;
        case Syntax::fxc: scan_plain(line); break;
      }
    }
    if (skeleton_.empty()) return;  // names leave a mark in it
    const auto end = line.find_last_not_of(kBlanks);
    out_.text.lines.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end + 1), number});
    out_.lines.push_back({skeletons_.of(skeleton_), first_name, static_cast<std::uint32_t>(out_.names.size()) - first_name});
  }

  void name(std::string_view text, bool defines, std::uint32_t scope) {
    skeleton_ += '\x01';  // no listing has it
    const auto [entry, is_new] = numbers_.try_emplace(Name{scope, text}, static_cast<std::uint32_t>(numbers_.size()));
    if (is_new) out_.defined_in.push_back(kNoLine);
    out_.names.push_back(entry->second);
    std::uint32_t& defined = out_.defined_in[entry->second];
    if (defines && defined == kNoLine) defined = static_cast<std::uint32_t>(out_.lines.size());
  }

  /// Texts as they are, comments out.
  void scan_plain(std::string_view line) {
    if (const std::string_view text = trimmed(line); !text.starts_with("//")) skeleton_ = text;
  }

  // Blanks only make columns.
  void scan_spirv(std::string_view line) {
    std::string_view rest = trimmed(line);
    if (rest.starts_with(".stage")) ++scope_;  // each stage has ids of its own
    if (is_debug_instruction(rest)) return;
    bool first = true;
    for (std::size_t at = 0; at < rest.size();) {
      const char c = rest[at];
      std::size_t length = 1;
      if (c == ';') {
        break;
      } else if (c == '"') {
        length = quoted_length(rest, at, true);
        skeleton_ += rest.substr(at, length);
      } else if (c == '%') {
        length += span_of(rest, at + 1, is_name_character);
        name(rest.substr(at, length), first && rest.substr(at + length).starts_with(" ="), scope_);
        first = false;
      } else {
        length = unmarked_length(rest, at, kSpirvMarks);
        skeleton_ += rest.substr(at, length);
      }
      at += length;
    }
    while (skeleton_.ends_with(' ')) skeleton_.pop_back();
  }

  /// Those of the class `debug`, which say nothing of what is computed.
  static bool is_debug_instruction(std::string_view line) {
    if (line.starts_with('%')) {
      const auto equals = line.find('=');
      line = equals == std::string_view::npos ? line : trimmed(line.substr(equals + 1));
    }
    if (!line.starts_with("Op")) return false;
    const spirv::OpcodeInfo* const info = spirv::find_opcode(line.substr(2, span_of(line, 2, is_name_character)));
    return info != nullptr && info->group == spirv::OpcodeGroup::debug;
  }

  /// Types are told by their names, values are not.
  void find_types(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = std::min(text.find('\n', at), text.size()) - at;
      const std::string_view line = text.substr(at, size);
      if (line.starts_with('%'))
        if (const std::size_t length = llvm_name_length(line, 0); line.substr(length).starts_with(" = type "))
          kept_.insert(line.substr(0, length));
      at += size + 1;
    }
  }

  static std::size_t llvm_name_length(std::string_view text, std::size_t at) {
    if (at + 1 < text.size() && text[at + 1] == '"') return 1 + quoted_length(text, at + 1, false);
    return 1 + span_of(text, at + 1, is_llvm_word);
  }

  void scan_llvm(std::string_view line) {
    constexpr std::string_view kLabel = "; <label>:";
    constexpr std::string_view kDebugLine = ", !dbg !";
    if (line.starts_with(kLabel)) {
      // A block without a name, which counts as a value.
      name(intern("%" + std::string(line.substr(kLabel.size(), span_of(line, kLabel.size(), is_digit)))), true, scope_);
      skeleton_ += ':';
      return;
    }
    if (line.starts_with("define ")) ++scope_;
    if (line.starts_with("!llvm.") || line.starts_with("!dx.source.") || line.starts_with("!dx.valver ") ||
        line.starts_with("!dx.typeAnnotations "))
      return;
    if (line.find("@llvm.dbg.") != std::string_view::npos) return;
    std::size_t at = 0;
    if (const std::size_t label = span_of(line, 0, is_llvm_word); label != 0 && line.substr(label).starts_with(':')) {
      name(intern("%" + std::string(line.substr(0, label))), true, scope_);
      at = label;
    }
    const std::size_t indent = span_of(line, 0, [](char c) { return c == ' '; });
    const auto defines = [&](std::size_t from, std::size_t length) {
      return from == indent && line.substr(from + length).starts_with(" = ");
    };
    while (at < line.size()) {
      const char c = line[at];
      std::size_t length = 1;
      if (c == ';') {
        break;
      } else if (c == ',' && line.substr(at).starts_with(kDebugLine)) {
        length = kDebugLine.size() + span_of(line, at + kDebugLine.size(), is_digit);
      } else if (c == '"') {
        length = quoted_length(line, at, false);
        skeleton_ += line.substr(at, length);
      } else if (c == '%') {
        length = llvm_name_length(line, at);
        const std::string_view text = line.substr(at, length);
        if (kept_.contains(text)) {
          skeleton_ += text;
        } else {
          name(text, defines(at, length), scope_);
        }
      } else if ((c == '!' || c == '#') && at + 1 < line.size() && is_digit(line[at + 1])) {
        length += span_of(line, at + 1, is_digit);
        const bool attributes = c == '#' && line.starts_with("attributes ") && at == std::string_view("attributes ").size();
        name(line.substr(at, length), attributes || (c == '!' && defines(at, length)), kEverywhere);
      } else {
        length = unmarked_length(line, at, kLlvmMarks);
        skeleton_ += line.substr(at, length);
      }
      at += length;
    }
    while (skeleton_.ends_with(' ')) skeleton_.pop_back();
  }

  /// Metadata that no line refers to any more, now that debug information is gone.
  void drop_unreached_metadata() {
    std::vector<std::uint32_t> todo;
    std::vector<bool> reached(out_.lines.size(), false);
    const auto is_metadata = [&](std::size_t i) {
      const std::string_view line = out_.text.line(i);
      return line.size() > 1 && line[0] == '!' && is_digit(line[1]);
    };
    for (std::uint32_t i = 0; i < out_.lines.size(); ++i)
      if (!is_metadata(i)) reached[i] = true, todo.push_back(i);
    while (!todo.empty()) {
      const ScannedLine line = out_.lines[todo.back()];
      todo.pop_back();
      for (std::uint32_t n = 0; n < line.name_count; ++n) {
        const std::uint32_t defined = out_.defined_in[out_.names[line.first_name + n]];
        if (defined != kNoLine && !reached[defined]) reached[defined] = true, todo.push_back(defined);
      }
    }
    std::vector<std::uint32_t> moved(out_.lines.size(), kNoLine);
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < out_.lines.size(); ++i) {
      if (!reached[i]) continue;
      out_.lines[kept] = out_.lines[i];
      out_.text.lines[kept] = out_.text.lines[i];
      moved[i] = kept++;
    }
    out_.lines.resize(kept);
    out_.text.lines.resize(kept);
    for (std::uint32_t& defined : out_.defined_in)
      if (defined != kNoLine) defined = moved[defined];
  }

  /// Procedures and labels, whose names may be made from their addresses. `main` is where a program starts.
  void find_labels(std::string_view text) {
    constexpr std::string_view kProcedure = ".proc ";
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = std::min(text.find('\n', at), text.size()) - at;
      const std::string_view line = trimmed(text.substr(at, size));
      const std::size_t length = span_of(line, 0, is_name_character);
      if (line.starts_with(kProcedure)) kept_.insert(line.substr(kProcedure.size(), span_of(line, kProcedure.size(), is_name_character)));
      if (length != 0 && line.substr(length).starts_with(':')) kept_.insert(line.substr(0, length));
      at += size + 1;
    }
    kept_.erase("main");
  }

  // The words of src/pica/listing.cpp that only place things: rows of the descriptor table, and labels for debuggers.
  void scan_pica(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (text == ".exact" || text.starts_with(".desc ") || text.starts_with(".label ") || text.starts_with(".loc ")) return;
    const bool defines = text.starts_with(".proc ") || text.ends_with(':');
    for (std::size_t at = 0; at < text.size();) {
      std::size_t length = 1;
      if (text[at] == ';') {
        break;
      } else if (text[at] == '"') {
        length = quoted_length(text, at, true);
        skeleton_ += text.substr(at, length);
      } else if (text[at] == '{') {  // which row of the descriptor table
        length = std::min(text.find('}', at), text.size() - 1) + 1 - at;
      } else if (is_name_character(text[at])) {
        length = span_of(text, at, is_name_character);
        const std::string_view word = text.substr(at, length);
        if (kept_.contains(word)) {
          name(word, defines, 0);
        } else {
          skeleton_ += word;
        }
      } else {
        skeleton_ += text[at];
      }
      at += length;
    }
    while (skeleton_.ends_with(' ')) skeleton_.pop_back();
  }

  /// A text that lives as long as the scanner.
  std::string_view intern(std::string text) { return *owned_.insert(std::move(text)).first; }

  static constexpr std::uint32_t kEverywhere = 0;

  Syntax syntax_;
  TextNumbers& skeletons_;
  ScannedListing out_;
  std::uint32_t number_ = 1;
  std::uint32_t scope_ = 1;
  std::string skeleton_;
  std::unordered_map<Name, std::uint32_t, NameHash> numbers_;
  std::unordered_set<std::string_view> kept_;  // dxil: types, told by their names; pica: procedures and labels
  std::unordered_set<std::string> owned_;      // nodes stay where they are
};

}  // namespace

ScannedListing scan_listing(Syntax syntax, std::string listing, bool exact_text, TextNumbers& skeletons) {
  return Scanner(syntax, std::move(listing), skeletons).run(exact_text);
}

}  // namespace unshade::shader::diff
