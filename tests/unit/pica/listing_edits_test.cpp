// An edit of a listing is never passed over: one name, number, instruction or line changed, in the listings of all samples.
//
// What counts as the same text, as it is the same encoding: a register by any of its names (`bones[1]`, `c5`), selectors spelled out
// (`.x`, `.xxxx`, `.rrrr`), numbers in another base or notation (`r01`), integers of constants modulo 256, procedures and labels by other
// names where all that refer to them agree, flags of setemit in another order, directives that state the default or the same again,
// descriptors of a gap stated as zero, an .else without words, directives of an executable in another order, code below another executable.
#include "support/listing_edits.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/pica/assembler.hpp>
#include <unshade/pica/listing.hpp>
#include <unshade/pica/shbin.hpp>

#include "support/files.hpp"

namespace unshade::pica {

namespace {

constexpr std::string_view kOpcodeTexts[] = {
#define PICA_OP(code, id, text, format, shape, lanes, flow, stages, sem) text,
#include <unshade/pica/instructions.def>
#undef PICA_OP
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_character(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }

std::string trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return std::string(text);
}

std::vector<std::string> split(std::string_view text, char by) {
  std::vector<std::string> parts;
  for (;;) {
    const auto end = text.find(by);
    if (auto part = trimmed(text.substr(0, end)); !part.empty()) parts.push_back(std::move(part));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// A text in the one spelling of each of its registers, numbers and names.
class Plain {
 public:
  static std::vector<std::string> lines_of(const std::string& text) {
    Plain plain;
    const auto lines = unshade::test::listing_lines(text);
    for (const std::string& line : lines) {
      const auto words = split(line, ' ');
      if (words.size() > 1 && words[0] == ".proc") plain.names_.try_emplace(words[1], "P" + std::to_string(plain.names_.size()));
      if (line.ends_with(':') && line[0] != '\t')
        plain.names_.try_emplace(line.substr(0, line.size() - 1), "L" + std::to_string(plain.names_.size()));
    }
    for (const std::string& line : lines) plain.line(trimmed(std::string_view(line).substr(0, line.find(';'))));
    plain.end_unit();
    std::vector<std::string> out;
    std::uint64_t next = 0;
    for (const auto& [index, bits] : plain.descriptors_) {
      for (; next <= index; ++next) out.push_back(".desc " + std::to_string(next) + ' ' + (next == index ? bits : "0"));
    }
    out.insert(out.end(), plain.out_.begin(), plain.out_.end());
    out.insert(out.end(), plain.code_.begin(), plain.code_.end());
    return out;
  }

 private:
  static std::string number(const std::string& text) {
    char* end = nullptr;
    const auto value = std::strtoll(text.c_str(), &end, 0);
    return !text.empty() && *end == '\0' ? std::to_string(value) : text;
  }

  std::string name(const std::string& text) const {
    const auto found = names_.find(text);
    return found == names_.end() ? text : found->second;
  }

  /// A register in the space of uniform records; r and o registers as they are.
  std::string reg(const std::string& text, std::uint64_t offset) const {
    constexpr std::pair<char, unsigned> kFirst[] = {{'v', 0}, {'c', kUniformConstants}, {'i', kUniformIntegers}, {'b', kUniformBooleans}};
    if (const auto found = uniforms_.find(text); found != uniforms_.end()) return '#' + std::to_string(found->second + offset);
    if (text.size() > 1 && is_digit(text[1]))
      for (const auto& [letter, first] : kFirst)
        if (text[0] == letter) return '#' + std::to_string(first + std::stoull(text.substr(1), nullptr, 0) + offset);
    if (text.size() > 1 && is_digit(text[1])) return text[0] + std::to_string(std::stoull(text.substr(1), nullptr, 0) + offset);
    return text;
  }

  std::string operand(const std::string& text) const {
    std::size_t at = 0;
    while (at < text.size() && (text[at] == '-' || text[at] == '!')) ++at;
    const std::string sign = text.substr(0, at);
    const std::size_t from = at;
    while (at < text.size() && is_name_character(text[at])) ++at;
    const std::string word = text.substr(from, at - from);
    if (word.empty() || word == "cmp" || word == "a0" || is_digit(word[0])) return is_digit(text[0]) ? number(text) : text;
    if (at == text.size() && names_.contains(word)) return name(word);
    std::uint64_t offset = 0;
    std::string index;
    if (at < text.size() && text[at] == '[') {
      const auto close = text.find(']', at);
      index = text.substr(at + 1, close - at - 1);
      at = close == std::string::npos ? text.size() : close + 1;
      const auto plus = index.find('+');
      const std::string digits = plus != std::string::npos ? index.substr(plus + 1) : is_digit(index[0]) ? index : "0";
      offset = std::stoull(digits);
      index = plus != std::string::npos ? index.substr(0, plus) : is_digit(index[0]) ? std::string() : index;
    }
    std::string selectors = "xyzw";
    if (at < text.size() && text[at] == '.') {
      selectors = text.substr(at + 1);
      for (char& c : selectors)
        for (const std::string_view letters : {"rgba", "stpq"})
          if (const auto which = letters.find(c); which != std::string_view::npos) c = "xyzw"[which];
      while (!selectors.empty() && selectors.size() < 4) selectors += selectors.back();
    }
    return sign + reg(word, offset) + '[' + index + "]." + selectors;
  }

  void line(const std::string& text) {
    if (text.empty()) return;
    auto words = split(text, ' ');
    if (words[0] == ".dvle") {
      end_unit();
    } else if (words[0] == ".desc" && words.size() == 3) {
      descriptors_[std::stoull(words[1])] = number(words[2]);
    } else if (words[0] == ".uniform" && words.size() == 4) {
      const auto place = [&](const std::string& word) { return is_digit(word[0]) ? '#' + number(word) : reg(word, 0); };
      const std::string first = place(words[2]);
      unit_.push_back(".uniform " + words[1] + ' ' + first + ' ' + place(words[3]));
      if (first[0] == '#') uniforms_.try_emplace(words[1].substr(1, words[1].size() - 2), std::stoull(first.substr(1)));
    } else if (words[0] == ".setf" || words[0] == ".seti") {
      const auto open = text.find('(');
      std::string made = words[0] + ' ' + operand(trimmed(std::string_view(text).substr(5, open - 5)));
      for (std::string& value : split(std::string_view(text).substr(open + 1, text.find(')') - open - 1), ','))
        made += ' ' + (words[0] == ".seti" ? std::to_string(static_cast<std::uint8_t>(std::stoll(value))) : value);
      unit_.push_back(made);
    } else if (words[0] == ".out" && words.size() == 4) {
      unit_.push_back(".out " + words[1] + ' ' + words[2] + ' ' + operand(words[3]));
    } else if (words[0] == ".entry") {
      entry_ = words[1];
    } else if (words[0][0] == '.' && words[0] != ".proc") {
      bool is_default = words[0] == ".geometry" || words[0] == ".flags" || words[0] == ".imask";
      std::string made = words[0];
      for (std::size_t i = 1; i < words.size(); ++i) {
        made += ' ' + number(words[i]);
        is_default = is_default && number(words[i]) == "0";
      }
      const bool is_code = words[0] == ".end" || words[0] == ".else" || words[0] == ".word";
      if (is_code) {
        if (words[0] == ".end" && !code_.empty() && code_.back() == ".else") code_.pop_back();
        code_.push_back(made);
      } else if (!is_default && (unit_.empty() || unit_.back() != made)) {
        unit_.push_back(made);
      }
    } else if (words[0] == ".proc" || text.ends_with(':')) {
      code_.push_back(words[0] == ".proc" ? ".proc " + name(words[1]) : name(text.substr(0, text.size() - 1)) + ':');
    } else {
      std::string rest = trimmed(std::string_view(text).substr(words[0].size()));
      std::string made = words[0];
      if (words[0] == "setemit") {
        for (const char* flag : {"prim", "inv"})
          if (std::find(words.begin(), words.end(), flag) != words.end()) made += std::string(" ") + flag;
        rest = rest.substr(0, rest.find(','));
      }
      const auto brace = rest.find('{');
      for (const std::string& part : split(rest.substr(0, brace), ',')) made += ' ' + operand(part);
      if (brace != std::string::npos) made += ' ' + number(trimmed(rest.substr(brace + 1, rest.find('}') - brace - 1)));
      code_.push_back(made);
    }
  }

  void end_unit() {
    const auto directive = [](const std::string& line) { return std::string_view(line).substr(0, line.find(' ')); };
    std::stable_sort(unit_.begin(), unit_.end(), [&](const std::string& a, const std::string& b) { return directive(a) < directive(b); });
    unit_.push_back(".entry " + name(entry_));
    out_.insert(out_.end(), unit_.begin(), unit_.end());
    unit_.clear();
    entry_ = "main";
    uniforms_.clear();
  }

  std::map<std::string, std::string> names_;       ///< of procedures and labels
  std::map<std::string, std::uint64_t> uniforms_;  ///< of this executable
  std::map<std::uint64_t, std::string> descriptors_;
  std::string entry_ = "main";
  std::vector<std::string> unit_;  ///< its directives
  std::vector<std::string> out_;   ///< those of all executables
  std::vector<std::string> code_;
};

/// Edits one listing at a time, and counts what becomes of it.
struct Edits {
  std::size_t tried = 0;
  std::size_t made = 0;
  std::size_t warned = 0;

  void attempt(const std::string& text, const std::string& what) {
    ++tried;
    const Source source{"edited", text};
    const Assembly assembly = assemble({&source, 1});
    if (!assembly.ok) {
      ASSERT_FALSE(assembly.messages.empty()) << what;
      for (const auto& message : assembly.messages) EXPECT_NE(message.line, 0U) << what << ": without a line: " << to_string(message);
      return;
    }
    ++made;
    // Text that nothing is made of has a warning with its line.
    if (!assembly.messages.empty()) {
      ++warned;
      EXPECT_NE(assembly.messages[0].line, 0U) << what << ": without a line: " << to_string(assembly.messages[0]);
      return;
    }
    const auto bytes = write_assembly(assembly);
    const auto read = parse_shbin(test::view_of(bytes));
    ASSERT_TRUE(read) << what << ": what is written cannot be read: " << to_string(read.error());
    Text listed;
    list_shbin(*read, listed);
    EXPECT_EQ(unshade::test::listing_difference(Plain::lines_of(text), Plain::lines_of(listed.str())), "") << what;
  }
};

/// Words to put in the place of one, `at` of a line.
std::vector<std::string> others_of(const std::string& line, std::size_t at, const std::string& word, const std::vector<std::string>& words,
                                   std::size_t seed) {
  std::vector<std::string> all;
  const bool is_lanes = at != 0 && line[at - 1] == '.' && word.find_first_not_of("xyzw") == std::string::npos;
  if (is_digit(word[0])) {
    std::string next = word;
    next.back() = word.back() == '9' ? '8' : word.back() == 'f' ? 'e' : static_cast<char>(word.back() + 1);
    all = {next, "0", "1", "3", "255", "300", "65536", "4294967296", '1' + word, word + 'x', "nothing"};
  } else if (is_lanes) {
    std::string turned = word;
    for (char& c : turned) c = c == 'w' ? 'x' : c == 'z' ? 'w' : static_cast<char>(c + 1);
    all = {turned, word + word.back(), "x", "yx", "xyzw", word + 'q'};
  } else {
    all = {word + 'x', word + '1', "x" + word, words[seed % words.size()], words[seed / 7 % words.size()]};
    if (line.starts_with('\t') && line.find_first_not_of('\t') == at)
      all.insert(all.end(), std::begin(kOpcodeTexts), std::end(kOpcodeTexts));
    if (word.size() > 1 && is_digit(word[1])) {
      std::string next = word;
      next.back() = word.back() == '9' ? '8' : static_cast<char>(word.back() + 1);
      all.push_back(next);
      for (const char letter : {'r', 'v', 'c', 'o', 'i', 'b'}) all.push_back(letter + word.substr(1));
      all.push_back("-" + word);
      all.push_back(word + ".y");
    }
  }
  return all;
}

/// `step`: one in so many edits is tried.
Edits edit_each_word(const char* sample, std::size_t step) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/pica" / sample);
  const auto shbin = parse_shbin(test::view_of(bytes));
  Edits edits;
  if (!shbin) {
    ADD_FAILURE() << sample;
    return edits;
  }
  Text listed;
  list_shbin(*shbin, listed);
  const std::string listing = listed.str();
  edits.attempt(listing, std::string(sample) + " as it is");
  std::vector<std::string> words;
  for (std::size_t i = 0; i < listing.size(); ++i) {
    const std::size_t from = i;
    while (i < listing.size() && is_name_character(listing[i])) ++i;
    if (i != from && !is_digit(listing[from])) words.push_back(listing.substr(from, i - from));
  }
  std::size_t count = 0;
  std::size_t line_at = 0;
  for (const std::string& line : unshade::test::listing_lines(listing)) {
    const auto attempt = [&](std::size_t at, std::size_t size, const std::string& other) {
      if (count++ % step != 0 || line.substr(at, size) == other) return;
      std::string text = listing;
      text.replace(line_at + at, size, other);
      edits.attempt(text, std::string(sample) + ": `" + line + "` -> `" + line.substr(0, at) + other + line.substr(at + size) + '`');
    };
    for (std::size_t i = 0; i < line.size() && !line.starts_with(';'); ++i) {
      const std::size_t from = i;
      while (i < line.size() && is_name_character(line[i])) ++i;
      if (i == from) continue;
      for (const std::string& other : others_of(line, from, line.substr(from, i - from), words, count * 31 + from))
        attempt(from, i - from, other);
    }
    // Without `.exact` the assembler is picasso's, which puts NOPs and chooses forms.
    if (!line.empty() && !line.starts_with(';') && line != ".exact") {
      attempt(0, line.size(), "");
      attempt(0, line.size(), line + '\n' + line);
    }
    line_at += line.size() + 1;
  }
  return edits;
}

TEST(PicaListingEdits, EachWordOfSamples) {
  EXPECT_GT(edit_each_word("variable.g.shbin", 1).made, 200U);
  for (const char* sample : {"control.v.shbin", "particle.g.shbin", "quad.g.shbin", "skin.v.shbin", "skin_quad.shbin"})
    EXPECT_GT(edit_each_word(sample, 5).made, 50U) << sample;
}

}  // namespace

}  // namespace unshade::pica
