// One word of a DXIL listing changed, and what the assembler makes of it: refused with a place, warned of, or the same change in the
// listing of what was made.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/listing.hpp>

#include "support/files.hpp"

namespace unshade::test {

/// The module of a listing in a form in which the same module has one text: without comments; nodes, sets of attributes and types numbered
/// in the order of their first use, those that nothing uses left out, equal ones counted as one.
class CanonicalListing {
 public:
  explicit CanonicalListing(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      add(without_comment(text.substr(at, end - at)));
      at = end + 1;
    }
    // A set without attributes is none.
    for (auto& [name, definition] : definitions_)
      if (name[0] == '#' && definition.find_first_not_of(" ={}") == std::string::npos) empty_.push_back(name);
    for (const std::string& name : empty_) definitions_.erase(name);
    while (merge_equal()) {
    }
    for (const std::string& line : roots_) emit(line);
    for (std::size_t i = 0; i < queue_.size(); ++i) emit(numbers_[queue_[i]] + definitions_[queue_[i]]);
  }
  const std::string& text() const { return out_; }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$' || c == '-';
  }
  static std::string without_comment(std::string_view line) {
    bool quoted = false;
    std::size_t end = 0;
    for (; end < line.size() && (quoted || line[end] != ';'); ++end)
      if (line[end] == '"') quoted = !quoted;
    while (end != 0 && line[end - 1] == ' ') --end;
    return std::string(line.substr(0, end));
  }

  void add(std::string line) {
    const std::size_t equals = line.find(" = ");
    const auto define = [&](std::string name) {
      definitions_[std::move(name)] = replaced(line.substr(equals), [](std::string reference) { return reference; });
    };
    if (line.empty()) return;
    if (equals != std::string::npos && line[0] == '!' && is_digit(line[1])) return define(line.substr(0, equals));
    if (equals != std::string::npos && line.starts_with("attributes #")) return define(line.substr(11, equals - 11));
    if (equals != std::string::npos && line[0] == '%' && line.compare(equals, 8, " = type ") == 0) return define(line.substr(0, equals));
    roots_.push_back(std::move(line));
  }

  /// `visit(reference)` for each `!5`, `#5` and `%name` in a line: what it returns stands there afterwards.
  template <class F>
  static std::string replaced(std::string_view line, F&& visit) {
    std::string out;
    for (std::size_t i = 0; i < line.size();) {
      std::size_t end = i + 1;
      if (line[i] == '"') {
        end = std::min(line.find('"', i + 1), line.size() - 1) + 1;
        out += line.substr(i, end - i);
      } else if ((line[i] == '!' || line[i] == '#') && end < line.size() && is_digit(line[end])) {
        while (end < line.size() && is_digit(line[end])) ++end;
        out += visit(std::string(line.substr(i, end - i)));
      } else if (line[i] == '%') {
        if (end < line.size() && line[end] == '"')
          end = std::min(line.find('"', end + 1), line.size() - 1) + 1;
        else
          while (end < line.size() && is_word(line[end])) ++end;
        out += visit(std::string(line.substr(i, end - i)));
      } else if (is_word(line[i])) {
        while (end < line.size() && is_word(line[end])) ++end;
        out += line.substr(i, end - i);
      } else if (line[i] == ' ') {
        while (end < line.size() && line[end] == ' ') ++end;
        // Blanks count between words alone.
        if (!out.empty() && is_word(out.back()) && end < line.size() && is_word(line[end])) out += ' ';
      } else {
        out += line[i];
      }
      i = end;
    }
    return out;
  }

  bool merge_equal() {
    std::map<std::string, std::string> first, other;
    for (const auto& [name, definition] : definitions_) {
      if (definition.find("distinct") != std::string::npos || name[0] == '%') continue;
      const auto [known, is_new] = first.emplace(name[0] + definition, name);
      if (!is_new) other[name] = known->second;
    }
    if (other.empty()) return false;
    const auto renamed = [&](std::string name) {
      const auto found = other.find(name);
      return found == other.end() ? name : found->second;
    };
    for (const auto& [name, same] : other) definitions_.erase(name);
    for (auto& [name, definition] : definitions_) definition = replaced(definition, renamed);
    for (std::string& line : roots_) line = replaced(line, renamed);
    return true;
  }

  void emit(const std::string& line) {
    out_ += replaced(line, [&](std::string name) {
      if (std::find(empty_.begin(), empty_.end(), name) != empty_.end()) return std::string();
      if (!definitions_.contains(name)) return name;
      const auto [known, is_new] =
          numbers_.try_emplace(name, name[0] == '%' ? name : name.substr(0, 1) + 'n' + std::to_string(numbers_.size()));
      if (is_new) queue_.push_back(name);
      return known->second;
    });
    out_ += '\n';
  }

  std::vector<std::string> roots_, queue_, empty_;
  std::map<std::string, std::string> definitions_, numbers_;
  std::string out_;
};

enum class ListingUse { into, container, exact };

/// Changes every `step`th word of a container's listing, from the `first` on. `edits`: how many texts were assembled.
inline void check_listing_edits(const std::filesystem::path& path, ListingUse use, std::size_t first, std::size_t step,
                                std::size_t& edits) {
  const auto file = read_bytes(path);
  const auto container = dxcontainer::parse_container(view_of(file));
  ASSERT_TRUE(container) << path;
  const auto listing_of = [](View bytes, bool exact) {
    dxil::ListingOptions options;
    options.exact = exact;
    Text text;
    const auto parsed = dxcontainer::parse_container(bytes);
    const bool done = static_cast<bool>(parsed ? dxil::disassemble(*parsed, text, options) : dxil::disassemble(bytes, text, options));
    return done ? text.str() : std::string();
  };
  const std::string text = listing_of(view_of(file), use == ListingUse::exact);
  if (text.empty()) return;  // a root signature alone
  const auto assembled = [&](const std::string& edited) {
    switch (use) {
      case ListingUse::into: return dxil::assemble_into(edited, *container);
      case ListingUse::container: return dxil::assemble_container(edited);
      default: return dxil::assemble(edited);
    }
  };
  const Assembly unedited = assembled(text);
  ASSERT_TRUE(unedited.ok && unedited.messages.empty()) << path << ": " << to_string(unedited.messages.front());

  const auto is_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$' || c == '-' ||
           c == '+';
  };
  const std::size_t names = text.find("; Buffer Definitions:");
  std::size_t number = 0;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == at || number++ % step != first % step) continue;
    const std::string word = text.substr(at, end - at);
    const char front = at == 0 ? ' ' : text[at - 1];
    // Escapes are characters, and attachments of another name stand in another order.
    if (front == '\\' || (front == '!' && !(word[0] >= '0' && word[0] <= '9'))) continue;
    // Without this word, a note for the assembler is anybody's comment.
    if (word == "exact" && at >= 2 && text.compare(at - 2, 2, "; ") == 0) continue;
    // A container without reflection has none of the names in these tables, of which a note tells.
    if (use == ListingUse::container && names != std::string::npos && at > names && at < text.find("target ")) continue;
    // Nor is the hash compared with that of a container that was just made.
    const std::size_t line = text.rfind('\n', at) + 1;
    if (use == ListingUse::container && (text.compare(line, 8, "; shader") == 0)) continue;
    std::vector<std::string> others;
    if (word.find_first_not_of("0123456789") == std::string::npos) {
      others.push_back(std::to_string(std::strtoull(word.c_str(), nullptr, 10) + 1));
    } else if (word.find("e+") != std::string::npos || word.find("e-0") != std::string::npos) {
      others.push_back(word == "2.500000e-01" ? "1.500000e+00" : "2.500000e-01");
    } else if (word.starts_with("0x")) {
      others.push_back(word);
      char& digit = others.back()[2 + (word.size() - 2) / 2];
      digit = digit == '4' ? '2' : '4';
    } else {
      others.push_back(word + 'q');
      if (front != '"') others.emplace_back();
    }
    for (const std::string& other : others) {
      const std::string edited = text.substr(0, at) + other + text.substr(end);
      const Assembly made = assembled(edited);
      ++edits;
      const auto where = [&] {
        return path.filename().string() + ": `" + word + "` -> `" + other + "`: " + text.substr(line, text.find('\n', at) - line);
      };
      if (!made.ok) {
        EXPECT_NE(made.messages.front().line, 0U) << where() << ": " << to_string(made.messages.front());
        continue;
      }
      if (!made.messages.empty()) continue;  // warned of
      EXPECT_NE(made.file, unedited.file) << where();
      if (made.file == unedited.file) continue;
      EXPECT_EQ(CanonicalListing(listing_of(view_of(made.file), use == ListingUse::exact)).text(), CanonicalListing(edited).text())
          << where();
    }
  }
}

}  // namespace unshade::test
