// What the lines of listings are made of: texts that count, and names that may be others in another build.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/spirv/grammar.hpp>

#include "shader/diff/code.hpp"
#include "shader/diff/lines.hpp"

namespace unshade::shader::diff {

/// Where names hold that are the same in all functions and stages.
inline constexpr std::uint32_t kEverywhere = 0;
/// What stands for a name that is taken out: no listing has it.
inline constexpr char kNameMark = '\x01';

/// Whether a line of LLVM's text defines metadata.
inline bool is_metadata(std::string_view line) { return line.size() > 1 && line[0] == '!' && is_digit(line[1]); }

/// Cuts a listing into lines and those into texts and names, as its syntax says; comments, debug information and what only places
/// things are left out. For a line, Sink is called with
///   name(text, defines, scope)         each name, in their order; `text` lies in the listing
///   label(digits, scope)               a name that the line defines and others use with a % in front
///   line(skeleton, line, at, number)   last: the texts with marks for the names, the line itself without blanks at its end, its offset
///                                      and its number (from 1 on). Only if the skeleton is not empty.
template <class Sink>
class Scanner {
 public:
  Scanner(Syntax syntax, Sink& sink) : syntax_(syntax), sink_(sink) {}

  /// With `exact_text`, only empty lines are left out, and no name is taken out.
  void run(std::string_view text, bool exact_text) {
    if (!exact_text && syntax_ == Syntax::llvm) find_types(text);
    if (!exact_text && syntax_ == Syntax::pica) find_labels(text);
    std::uint32_t number = 1;
    for (std::size_t at = 0; at < text.size();) {
      const std::uint32_t first_number = number;
      const std::size_t size = line_length(text, at, number);
      const std::string_view line = text.substr(at, size);
      if (const std::string_view content = trimmed(line); !content.empty()) {
        scan(line, exact_text);
        // names leave a mark in it
        if (!skeleton_.empty()) sink_.line(skeleton_.view(), {line.data(), content.data() + content.size()}, at, first_number);
      }
      at += size + 1;
    }
  }

 private:
  /// src: LLVM 3.7 LangRef, "Identifiers"
  static constexpr bool is_llvm_word(char c) { return is_name_character(c) || c == '-' || c == '$' || c == '.'; }

  /// How many characters from `at` on satisfy `is`.
  template <class Is>
  static std::size_t span_of(std::string_view text, std::size_t at, Is is) {
    std::size_t end = at;
    while (end < text.size() && is(text[end])) ++end;
    return end - at;
  }

  // The characters that a syntax takes for more than themselves.
  static constexpr CharacterSet kSpirvMarks{";\"%"};
  static constexpr CharacterSet kLlvmMarks{";,\"%!#"};

  /// The length of the text from `at` on up to the next mark; that at `at` is none here.
  static std::size_t unmarked_length(std::string_view text, std::size_t at, const CharacterSet& marks) {
    std::size_t end = at + 1;
    while (end < text.size() && !marks.has(text[end])) ++end;
    return end - at;
  }

  /// The length of the string from `at` on, quotes included; a backslash keeps the next character from ending it.
  static std::size_t quoted_length(std::string_view text, std::size_t at, bool escapes) {
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != '"') end += escapes && text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size()) - at;
  }

  /// Texts of SPIR-V may hold line ends. Counts the lines.
  std::size_t line_length(std::string_view text, std::size_t at, std::uint32_t& number) {
    ++number;
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

  /// Makes the skeleton of a line.
  void scan(std::string_view line, bool exact_text) {
    skeleton_.clear();
    if (exact_text) {
      skeleton_ << line;
      return;
    }
    switch (syntax_) {
      case Syntax::spirv: scan_spirv(line); break;
      case Syntax::llvm: scan_llvm(line); break;
      case Syntax::pica: scan_pica(line); break;
      case Syntax::fxc: scan_plain(line); break;
    }
  }

  void name(std::string_view text, bool defines, std::uint32_t scope) {
    skeleton_ << kNameMark;
    sink_.name(text, defines, scope);
  }

  void trim_skeleton() {
    while (skeleton_.view().ends_with(' ')) skeleton_.truncate(skeleton_.size() - 1);
  }

  /// Texts as they are, comments out.
  void scan_plain(std::string_view line) {
    if (const std::string_view text = trimmed(line); !text.starts_with("//")) skeleton_ << text;
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
        skeleton_ << rest.substr(at, length);
      } else if (c == '%') {
        length += span_of(rest, at + 1, is_name_character);
        name(rest.substr(at, length), first && rest.substr(at + length).starts_with(" ="), scope_);
        first = false;
      } else {
        length = unmarked_length(rest, at, kSpirvMarks);
        skeleton_ << rest.substr(at, length);
      }
      at += length;
    }
    trim_skeleton();
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
        if (const std::size_t length = llvm_name_length(line, 0); line.substr(length).starts_with(" = type ")) keep(line.substr(0, length));
      at += size + 1;
    }
  }

  /// A name that is told by its text.
  void keep(std::string_view name) {
    kept_.insert(name);
    kept_letters_[static_cast<unsigned char>(name.size() > 1 ? name[1] : '\0')] = true;
  }
  bool is_kept(std::string_view name) const {
    return kept_letters_[static_cast<unsigned char>(name.size() > 1 ? name[1] : '\0')] && kept_.contains(name);
  }

  static std::size_t llvm_name_length(std::string_view text, std::size_t at) {
    if (at + 1 < text.size() && text[at + 1] == '"') return 1 + quoted_length(text, at + 1, false);
    return 1 + span_of(text, at + 1, is_llvm_word);
  }

  void scan_llvm(std::string_view line) {
    constexpr std::string_view kLabel = "; <label>:";
    constexpr std::string_view kDebugLine = ", !dbg !";
    if (line[0] == ';' && line.starts_with(kLabel)) {
      // A block without a name, which counts as a value.
      skeleton_ << kNameMark << ':';
      sink_.label(line.substr(kLabel.size(), span_of(line, kLabel.size(), is_digit)), scope_);
      return;
    }
    if (line[0] == 'd' && line.starts_with("define ")) ++scope_;
    if (line[0] == '!' && (line.starts_with("!llvm.") || line.starts_with("!dx.source.") || line.starts_with("!dx.valver ") ||
                           line.starts_with("!dx.typeAnnotations ")))
      return;
    if (line.find("@llvm.dbg.") != std::string_view::npos) return;
    std::size_t at = 0;
    if (const std::size_t label = span_of(line, 0, is_llvm_word); label != 0 && line.substr(label).starts_with(':')) {
      skeleton_ << kNameMark;
      sink_.label(line.substr(0, label), scope_);
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
      } else if (c == ',' && at + 2 < line.size() && line[at + 2] == '!' && line.substr(at).starts_with(kDebugLine)) {
        length = kDebugLine.size() + span_of(line, at + kDebugLine.size(), is_digit);
      } else if (c == '"') {
        length = quoted_length(line, at, false);
        skeleton_ << line.substr(at, length);
      } else if (c == '%') {
        length = llvm_name_length(line, at);
        const std::string_view text = line.substr(at, length);
        if (is_kept(text)) {
          skeleton_ << text;
        } else {
          name(text, defines(at, length), scope_);
        }
      } else if ((c == '!' || c == '#') && at + 1 < line.size() && is_digit(line[at + 1])) {
        length += span_of(line, at + 1, is_digit);
        const bool attributes = c == '#' && line.starts_with("attributes ") && at == std::string_view("attributes ").size();
        name(line.substr(at, length), attributes || (c == '!' && defines(at, length)), kEverywhere);
      } else {
        length = unmarked_length(line, at, kLlvmMarks);
        skeleton_ << line.substr(at, length);
      }
      at += length;
    }
    trim_skeleton();
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
        skeleton_ << text.substr(at, length);
      } else if (text[at] == '{') {  // which row of the descriptor table
        length = std::min(text.find('}', at), text.size() - 1) + 1 - at;
      } else if (is_name_character(text[at])) {
        length = span_of(text, at, is_name_character);
        const std::string_view word = text.substr(at, length);
        if (kept_.contains(word)) {
          name(word, defines, 0);
        } else {
          skeleton_ << word;
        }
      } else {
        skeleton_ << text[at];
      }
      at += length;
    }
    trim_skeleton();
  }

  Syntax syntax_;
  Sink& sink_;
  std::uint32_t scope_ = 1;
  Text skeleton_;
  std::unordered_set<std::string_view> kept_;  // dxil: types, told by their names; pica: procedures and labels
  std::array<bool, 256> kept_letters_{};       // dxil: what comes after the % of some of them
};

/// Which of `count` lines say something: all but metadata that no line refers to, now that debug information is gone. `refers(i)`: the
/// numbers of the names in line i; `defined_in`: the line that defines each name, or kNoLine.
template <class IsMetadata, class Refers>
std::vector<bool> reached_lines(std::size_t count, IsMetadata is_metadata, Refers refers, std::span<const std::uint32_t> defined_in) {
  std::vector<std::uint32_t> todo;
  std::vector<bool> reached(count, false);
  for (std::uint32_t i = 0; i < count; ++i)
    if (!is_metadata(i)) reached[i] = true, todo.push_back(i);
  while (!todo.empty()) {
    const std::uint32_t line = todo.back();
    todo.pop_back();
    for (const std::uint32_t name : refers(line)) {
      const std::uint32_t defined = defined_in[name];
      if (defined != kNoLine && !reached[defined]) reached[defined] = true, todo.push_back(defined);
    }
  }
  return reached;
}

}  // namespace unshade::shader::diff
