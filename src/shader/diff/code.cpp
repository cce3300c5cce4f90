#include "shader/diff/code.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/core/text.hpp>
#include <unshade/shader/assemble.hpp>

#include "shader/diff/align.hpp"
#include "shader/diff/lines.hpp"

namespace unshade::shader::diff {

namespace {

/// Finds what stands for what in two scanned listings.
class LineMatcher {
 public:
  LineMatcher(const ScannedListing& before, const ScannedListing& after) : before_(before), after_(after) {}

  std::vector<Match> run() {
    // With what the operands come from: instructions of one opcode are told apart.
    TextNumbers keys;
    const auto deep_before = deep_keys(before_, keys);
    const auto deep_after = deep_keys(after_, keys);
    const auto shallow_before = skeletons(before_);
    const auto shallow_after = skeletons(after_);
    AlignBudget budget{limits::kDiffSteps};
    std::vector<Match> matches;
    Match from;
    // Between those, by the text alone.
    const auto fill = [&](std::uint32_t end_before, std::uint32_t end_after) {
      if (from.before < end_before && from.after < end_after) {
        const auto inner = align(std::span(shallow_before).subspan(from.before, end_before - from.before),
                                 std::span(shallow_after).subspan(from.after, end_after - from.after), budget);
        for (const Match m : inner) matches.push_back({from.before + m.before, from.after + m.after});
      }
      from = {end_before + 1, end_after + 1};
    };
    for (const Match match : align(deep_before, deep_after, budget)) {
      fill(match.before, match.after);
      matches.push_back(match);
    }
    fill(static_cast<std::uint32_t>(deep_before.size()), static_cast<std::uint32_t>(deep_after.size()));
    check_names(matches);
    return matches;
  }

 private:
  static std::vector<std::uint32_t> skeletons(const ScannedListing& side) {
    std::vector<std::uint32_t> keys(side.lines.size());
    std::transform(side.lines.begin(), side.lines.end(), keys.begin(), [](const ScannedLine& line) { return line.skeleton; });
    return keys;
  }

  /// The skeleton of each line with those of the lines that define its names.
  static std::vector<std::uint32_t> deep_keys(const ScannedListing& side, TextNumbers& keys) {
    std::vector<std::uint32_t> result;
    result.reserve(side.lines.size());
    std::string key;
    const auto put = [&key](std::uint32_t value) {
      for (unsigned i = 0; i < 4; ++i) key += static_cast<char>(value >> (8 * i) & 0xff);
    };
    for (std::uint32_t i = 0; i < side.lines.size(); ++i) {
      const ScannedLine& line = side.lines[i];
      key.clear();
      put(line.skeleton);
      for (std::uint32_t n = 0; n < line.name_count; ++n) {
        const std::uint32_t defined = side.defined_in[side.names[line.first_name + n]];
        put(defined == kNoLine || defined == i ? kNoLine : side.lines[defined].skeleton);
      }
      result.push_back(keys.of(key));
    }
    return result;
  }

  /// Drops matches whose names do not stand for each other one to one.
  void check_names(std::vector<Match>& matches) {
    constexpr std::uint32_t kFree = 0xffff'ffff;
    std::vector<std::uint32_t> other(before_.defined_in.size(), kFree);
    std::vector<std::uint32_t> back(after_.defined_in.size(), kFree);
    const auto pair_up = [&](std::uint32_t a, std::uint32_t b) {
      if (other[a] == kFree && back[b] == kFree) other[a] = b, back[b] = a;
      return other[a] == b;
    };
    const auto each_name = [&](const Match& match, auto f) {
      const ScannedLine& a = before_.lines[match.before];
      const ScannedLine& b = after_.lines[match.after];
      bool fine = a.name_count == b.name_count;
      for (std::uint32_t n = 0; fine && n < a.name_count; ++n) fine = f(before_.names[a.first_name + n], after_.names[b.first_name + n]);
      return fine;
    };
    // Definitions first: they say which name is which, wherever it is used.
    for (const Match& match : matches) {
      each_name(match, [&](std::uint32_t a, std::uint32_t b) {
        if (before_.defined_in[a] == match.before && after_.defined_in[b] == match.after) pair_up(a, b);
        return true;
      });
    }
    std::erase_if(matches, [&](const Match& match) { return !each_name(match, pair_up); });
  }

  const ScannedListing& before_;
  const ScannedListing& after_;
};

void collect_hunks(const std::vector<Match>& matches, CodeDifference& code) {
  Match from;
  const auto close = [&](Match to) {
    const Hunk hunk{from.before, to.before - from.before, from.after, to.after - from.after};
    if (hunk.count_before != 0 || hunk.count_after != 0) code.hunks.push_back(hunk);
    code.removed += hunk.count_before;
    code.added += hunk.count_after;
    from = {to.before + 1, to.after + 1};
  };
  for (const Match match : matches) close(match);
  close({static_cast<std::uint32_t>(code.before.lines.size()), static_cast<std::uint32_t>(code.after.lines.size())});
  code.same = static_cast<std::uint32_t>(matches.size());
}

}  // namespace

void compare_listings(Syntax syntax, std::string before, std::string after, bool exact_text, CodeDifference& code) {
  TextNumbers skeletons;
  ScannedListing a = scan_listing(syntax, std::move(before), exact_text, skeletons);
  ScannedListing b = scan_listing(syntax, std::move(after), exact_text, skeletons);
  const std::vector<Match> matches = LineMatcher(a, b).run();
  code.compared = true;
  code.before = std::move(a.text);
  code.after = std::move(b.text);
  collect_hunks(matches, code);
}

void compare_code(const Code& how, const Shader& before, const Shader& after, bool exact_text, CodeDifference& code,
                  std::vector<std::string>& notes) {
  if (before.family != after.family) {
    notes.push_back("instructions are not compared: " + std::string(id(before.family)) + " and " + std::string(id(after.family)) +
                    " are different instruction sets");
    return;
  }
  std::string texts[2];
  const Shader* const sides[] = {&before, &after};
  for (std::size_t i = 0; i < 2; ++i) {
    Text text;
    if (const auto listed = how.list(*sides[i], text, listing_checks()); !listed) {
      // A file without a program has no lines.
      if (listed.error().code == ErrorCode::missing) continue;
      notes.push_back(std::string("instructions are not compared: ") + (i == 0 ? "the first file: " : "the second file: ") +
                      to_string(listed.error()));
      return;
    }
    texts[i] = text.str();
  }
  compare_listings(how.syntax, std::move(texts[0]), std::move(texts[1]), exact_text, code);
}

}  // namespace unshade::shader::diff
