// One word of a listing is changed: the text is refused, or the module that it makes is listed with that change and no other.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unshade::test {

/// What the text makes, listed with the numbers of ids in the place of names; or nothing where it is refused, with the place in `refusal`.
using Relist = std::function<std::optional<std::string>(std::string_view text, std::string& refusal)>;

/// The words of a line: texts between quotes are one, and so are a comment's number of an id, and comments that are part of the header.
inline std::vector<std::string_view> listing_words(std::string_view line) {
  std::vector<std::string_view> words;
  if (line.starts_with("; ")) {
    words.push_back(line);
    return words;
  }
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == ' ') {
      ++at;
      continue;
    }
    if (line[at] == ';') break;
    const std::size_t from = at;
    bool is_quoted = false;
    for (; at < line.size() && (is_quoted || line[at] != ' '); ++at) {
      if (line[at] == '\\') {
        ++at;
      } else if (line[at] == '"') {
        is_quoted = !is_quoted;
      }
    }
    words.push_back(line.substr(from, at - from));
  }
  return words;
}

inline std::vector<std::string> listing_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// How a text and the listing of what was made of it differ, but for the names of ids: a name stands for one number and a number for one
/// name, `%17` for 17, and the first name of a line for the number in its comment.
inline std::string listing_difference(const std::vector<std::string>& text, const std::vector<std::string>& listed) {
  std::map<std::string, std::string, std::less<>> numbers;
  std::map<std::string, std::string, std::less<>> names;
  const auto match = [&](std::string_view name, std::string_view number) {
    const auto [there, is_new_name] = numbers.try_emplace(std::string(name), number);
    const auto [back, is_new_number] = names.try_emplace(std::string(number), name);
    return there->second == number && back->second == name;
  };
  const auto is_number = [](std::string_view word, double& value) {
    const std::string digits(word);
    char* end = nullptr;
    value = std::strtod(digits.c_str(), &end);  // hexadecimal fractions too
    return !digits.empty() && *end == '\0';
  };
  std::vector<std::string_view> kept[2];
  for (const auto* lines : {&text, &listed})
    for (const std::string& line : *lines)
      if (!line.empty()) kept[lines == &text ? 0 : 1].push_back(line);
  // Numbers in comments come first: a name that looks like a number may have another.
  const auto read_comments = [&](std::size_t from) {
    numbers.clear();
    names.clear();
    for (std::size_t i = from; i < kept[0].size() && (i == from || !kept[0][i].starts_with(".stage")); ++i) {
      const std::string_view line = kept[0][i];
      const std::size_t comment = line.find("; id %");
      if (comment == std::string_view::npos) continue;
      for (const std::string_view word : listing_words(line)) {
        if (!word.starts_with('%')) continue;
        if (!match(word, line.substr(comment + 5))) return "two numbers in comments: `" + std::string(line) + '`';
        break;
      }
    }
    return std::string();
  };
  if (auto fault = read_comments(0); !fault.empty()) return fault;
  for (std::size_t i = 0; i < kept[0].size() && i < kept[1].size(); ++i) {
    const std::string_view ours = kept[0][i];
    const std::string_view theirs = kept[1][i];
    const std::string where = "line `" + std::string(ours) + "` is listed as `" + std::string(theirs) + "`";
    if (ours.starts_with(".stage"))
      if (auto fault = read_comments(i); !fault.empty()) return fault;
    // The bound may grow.
    if (ours.starts_with("; Bound: ") && theirs.starts_with("; Bound: ") &&
        std::stoul(std::string(ours.substr(9))) <= std::stoul(std::string(theirs.substr(9))))
      continue;
    const auto a = listing_words(ours);
    const auto b = listing_words(theirs);
    if (a.size() != b.size()) return where;
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (a[k].starts_with('%') && b[k].starts_with('%')) {
        if (a[k].size() > 1 && a[k].substr(1).find_first_not_of("0123456789") == std::string_view::npos && !numbers.contains(a[k])) {
          if (a[k] != b[k]) return where;
        }
        if (!match(a[k], b[k])) return where + ", another id";
        continue;
      }
      if (a[k] == b[k]) continue;
      // A decimal fraction becomes the nearest number of its type.
      double x = 0;
      double y = 0;
      const auto is_fraction = [](std::string_view word) { return word.find_first_of(".ep") != std::string_view::npos; };
      if (is_number(a[k], x) && is_number(b[k], y) && (is_fraction(a[k]) || is_fraction(b[k])) && std::abs(x - y) <= std::abs(x) / 512)
        continue;
      if (is_number(a[k], x) && is_number(b[k], y) && b[k].starts_with("0x") && x == y) continue;
      return where;
    }
  }
  if (kept[0].size() != kept[1].size()) return "lines: " + std::to_string(kept[0].size()) + ", listed as " + std::to_string(kept[1].size());
  return {};
}

/// What to put in the place of a word.
inline std::vector<std::string> other_words(std::string_view word, std::string_view before) {
  const std::string text(word);
  if (word.starts_with('%')) return {text + '_', "%999999", "%1", std::string(before.starts_with('%') ? before : "%2"), "%" + text, "x"};
  if (word.starts_with('"')) {
    std::vector<std::string> all{text.substr(0, text.size() - 1) + "x\"", "\"\""};
    if (text.size() > 2 && text[1] != '\\') all.push_back("\"#" + text.substr(2));
    return all;
  }
  if (word.starts_with("Op")) {
    return {"OpNop",        "OpReturn",     "OpKill",     "OpFAdd",         "OpISub",  "OpLoad",     "OpStore",   "OpCopyObject",
            "OpTypeStruct", "OpTypeVector", "OpConstant", "OpSpecConstant", "OpUndef", "OpDecorate", "OpExtInst", "OpBogus"};
  }
  if (word.starts_with("; ")) {
    std::vector<std::string> all;
    for (std::size_t i = 2; i < text.size(); ++i) {
      if (text[i] < '0' || text[i] > '9') continue;
      std::string changed = text;
      changed[i] = text[i] == '9' ? '0' : static_cast<char>(text[i] + 1);
      all.push_back(changed);
      changed[i] = 'x';
      all.push_back(changed);
    }
    if (word.starts_with("; Generator: "))
      all.insert(all.end(), {"; Generator: Nobody's; 3", "; Generator: Unknown(400); 3", "; Generator: Unknown(x); 3"});
    if (word.starts_with("; Bound: ")) all.insert(all.end(), {"; Bound: 4000000000", "; Bound: 1", "; Bound: 99999999999"});
    return all;
  }
  if (!word.empty() && (word[0] == '-' || (word[0] >= '0' && word[0] <= '9'))) {
    std::vector<std::string> all{"0", "1", "7", "255", "65536", "4294967295", "4294967296", "-1", "0.75", "-2.5", "1" + text, "nothing"};
    return all;
  }
  return {text + 'x', "None", "Input",  "Output", "Function",  "Location", "Flat",
          "Vertex",   "1d",   "vertex", "float4", "rw_buffer", "unorm",    "Sqrt"};
}

/// Changes each word in turn, each line and each number of an id in a comment, in every `step`th way only. Returns how many of these texts
/// made a module.
inline std::size_t expect_edits_are_kept(const std::string& listing, const Relist& relist, std::size_t step) {
  const auto lines = listing_lines(listing);
  std::size_t count = 0;
  std::size_t made = 0;
  const auto attempt = [&](const std::vector<std::string>& changed, const std::string& what) {
    if (count++ % step != 0 || testing::Test::HasFailure()) return;
    std::string text;
    for (const std::string& line : changed) text += line + '\n';
    std::string refusal;
    const auto listed = relist(text, refusal);
    if (!listed) {
      EXPECT_NE(refusal.find(':'), std::string::npos) << what << ": refused without a place";
      return;
    }
    ++made;
    const std::string difference = listing_difference(changed, listing_lines(*listed));
    EXPECT_EQ(difference, "") << what;
  };
  {
    std::string refusal;
    const auto listed = relist(listing, refusal);
    if (!listed) {
      ADD_FAILURE() << "refused as it is: " << refusal;
      return 0;
    }
    EXPECT_EQ(listing_difference(lines, listing_lines(*listed)), "") << "as it is";
  }
  std::string before = "%2";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const auto words = listing_words(line);
    // Words as they are may be the heads of instructions, and lines of bytes are no statements.
    const bool is_code = line.find("!0x") == std::string::npos &&
                         (line.starts_with(';') || line.starts_with(' ') || line.starts_with('.') || line.starts_with('%'));
    auto changed = lines;
    for (const std::string_view word : words) {
      if (!is_code || (word.starts_with("; ") && word.find(": ") == std::string_view::npos)) continue;
      const auto at = static_cast<std::size_t>(word.data() - line.data());
      for (const std::string& other : other_words(word, before)) {
        changed[i] = line.substr(0, at) + other + line.substr(at + word.size());
        if (changed[i] != line) attempt(changed, "`" + line + "` -> `" + changed[i] + '`');
      }
      changed[i] = line;
    }
    if (const std::size_t comment = line.find("; id %"); comment != std::string::npos && !line.starts_with(';')) {
      for (const char* other : {"1", "2", "3", "999999", "0", "x", "", "7x"}) {
        changed[i] = line.substr(0, comment + 6) + other;
        if (changed[i] != line) attempt(changed, "`" + line + "` -> `" + changed[i] + '`');
      }
      changed[i] = line;
    }
    // Tables that are not stated have their usual sizes.
    if (is_code && !line.starts_with(';') && !line.starts_with(".tables")) {
      changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
      attempt(changed, "without `" + line + '`');
      changed = lines;
      changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), line);
      attempt(changed, "twice `" + line + '`');
    }
    for (const std::string_view word : words)
      if (word.starts_with('%')) before = word;
  }
  return made;
}

}  // namespace unshade::test
