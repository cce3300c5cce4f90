#include <unshade/suite/correct.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include <unshade/core/text/numbers.hpp>

namespace unshade::suite {

namespace {

/// The end of a string that begins with a quote; its start if it has none, or is of several lines.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t end = at + 1; end < text.size() && text[end] != '\n'; ++end) {
    if (text[end] == '\\' && quote == '"') {
      ++end;
    } else if (text[end] == quote) {
      return end + 1;
    }
  }
  return at;
}

/// The end of a number, a string in one line, or a list in brackets; its start if it is none of these.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  if (at >= text.size() || text.substr(at, 2) == "- ") return at;
  if (text[at] == '"' || text[at] == '\'') return text.substr(at, 3) == std::string(3, text[at]) ? at : end_of_string(text, at);
  if (text[at] != '[') {
    std::size_t end = at;
    while (end < text.size() && std::string_view(",]} \t\r\n#").find(text[end]) == std::string_view::npos) ++end;
    return end;
  }
  unsigned depth = 0;
  for (std::size_t end = at; end < text.size(); ++end) {
    const char c = text[end];
    if (c == '[') {
      ++depth;
    } else if (c == ']' && --depth == 0) {
      return end + 1;
    } else if (c == '#') {
      end = std::min(text.find('\n', end), text.size());
    } else if (c == '"' || c == '\'') {
      const std::size_t closed = end_of_string(text, end);
      if (closed == end) return at;
      end = closed - 1;
    }
  }
  return at;
}

/// Numbers that JSON does not have, in quotes.
std::string as_json(std::string_view literal) {
  std::string made;
  for (std::size_t at = 0; at < literal.size();) {
    const bool named =
        literal.substr(at).starts_with("nan") || literal.substr(at).starts_with("inf") || literal.substr(at).starts_with("-inf");
    const std::size_t end = std::min(literal.find_first_of(",]", at), literal.size());
    if (!named) {
      made += literal[at++];
      continue;
    }
    made += '"' + std::string(literal.substr(at, end - at)) + '"';
    at = end;
  }
  return made;
}

/// Whole numbers that TOML does not have, as conditions.
std::string as_toml(std::string_view literal) {
  if (literal.starts_with('"')) return std::string(literal);
  std::string made;
  for (std::size_t at = 0; at < literal.size();) {
    const std::size_t end = std::min(literal.find_first_of("[], ", at), literal.size());
    const std::string_view word = literal.substr(at, std::max<std::size_t>(1, end - at));
    const auto whole = as_number<std::uint64_t>(word);
    const bool is_beyond = whole && *whole > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    made += is_beyond ? "\"== " + std::string(word) + '"' : std::string(word);
    at += word.size();
  }
  return made;
}

}  // namespace

Result<Corrected> corrected(std::string_view name, std::string_view text, std::span<const Correction> corrections,
                            ReadDocument read_document, const OtherValues& others) {
  Corrected made;
  const auto refuse = [&](std::uint64_t offset, std::string message) {
    made.refused.push_back({ErrorCode::bad_value, offset, "", std::move(message)});
  };
  struct Literal {
    std::string text;
    bool is_refused = false;  ///< with a message
  };
  std::map<std::uint64_t, Literal> by_place;
  for (const Correction& one : corrections) {
    std::string literal = name.ends_with(".json") && !one.text.starts_with('"') ? as_json(one.text)
                          : name.ends_with(".toml")                             ? as_toml(one.text)
                                                                                : one.text;
    const auto [known, is_new] = by_place.try_emplace(one.offset, Literal{literal});
    if (is_new || known->second.text == literal || std::exchange(known->second.is_refused, true)) continue;
    refuse(one.offset, "lanes or tests share this value, and give different ones: `" + known->second.text + "` and `" + literal + '`');
  }
  std::vector<TextRange> ranges;
  for (const auto& [offset, literal] : by_place) {
    if (!ranges.empty() && offset < ranges.back().end) continue;
    ranges.push_back({offset, std::max<std::uint64_t>(offset + 1, end_of_value(text, offset))});
  }
  const auto refuse_at = [&](std::uint64_t begin, const std::string& message) {
    if (!std::exchange(by_place[begin].is_refused, true)) refuse(begin, message);
  };
  for (const OtherUse& one : others.uses ? others.uses(ranges) : std::vector<OtherUse>()) {
    refuse_at(one.offset, one.column.empty()
                              ? "this value is also " + std::string(one.what) + "; give the expectation one of its own"
                              : '`' + one.column + "` is also " + std::string(one.what) + "; give the expectation a column of its own");
  }
  for (const std::uint64_t kept : others.kept) {
    const auto range = std::ranges::upper_bound(ranges, kept, {}, &TextRange::begin);
    if (range == ranges.begin() || kept >= std::prev(range)->end) continue;
    refuse_at(std::prev(range)->begin, "lanes or tests share this value, and it is right for some of them");
  }
  std::size_t copied = 0;
  std::size_t done = 0;
  for (const auto& [offset, literal] : by_place) {
    if (offset < done) continue;  // it is in a list that was replaced or refused
    const std::size_t end = end_of_value(text, offset);
    done = std::max(done, end);
    if (literal.is_refused) continue;
    if (end == offset) {
      refuse(offset, "only numbers, strings of one line and lists in brackets can be replaced");
      continue;
    }
    made.text += text.substr(copied, offset - copied);
    made.text += literal.text;
    ++made.values;
    copied = end;
  }
  made.text += text.substr(copied);
  if (const auto read = read_document(name, made.text); !read) return read.error();
  return made;
}

}  // namespace unshade::suite
