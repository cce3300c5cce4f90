// What the values of a suite's text are used for, besides what is expected: such a value cannot be corrected.
#include <algorithm>

#include <unshade/suite/suite.hpp>

#include "suite/cases/cases.hpp"

namespace unshade::suite {
namespace {

constexpr std::string_view kInput = "an input";
constexpr std::string_view kName = "a part of the case's name";
constexpr std::string_view kBound = "a setting of an expectation";
constexpr std::string_view kText = "a part of a text";
constexpr std::string_view kNotRun = "an expectation of a test that does not run";

class Walk {
 public:
  Walk(std::span<const TextRange> ranges, const Value* row, bool runs, std::vector<OtherUse>& to)
      : ranges_(ranges), row_(row), runs_(runs), to_(to) {}

  /// The members of a suite or case.
  void fields(const Value& map) {
    for (const Value::Member& member : *map.as_map()) {
      if (member.key == "case" || member.key == "table") continue;
      if (member.key == "expect") {
        expect(resolved(member.value));
      } else {
        all(member.value, member.key == "name" ? kName : kInput);
      }
    }
  }

 private:
  /// What stands for a name of the table, `$n`; then the name is the column.
  const Value& resolved(const Value& value) {
    column_.clear();
    const std::string* const text = value.as_text();
    if (text == nullptr || row_ == nullptr || !text->starts_with('$')) return value;
    const Value* const found = row_->find(std::string_view(*text).substr(1));
    if (found == nullptr) return value;
    column_ = text->substr(1);
    return *found;
  }

  void add(const Value& value, std::string_view what) {
    if (value.text_offset == 0) return;
    const auto range = std::ranges::upper_bound(ranges_, std::uint64_t{value.text_offset}, {}, &TextRange::begin);
    if (range == ranges_.begin() || value.text_offset >= std::prev(range)->end) return;
    const TextRange& found = *std::prev(range);
    const auto is_in = [&](const OtherUse& one) { return one.offset == found.begin; };
    if (std::ranges::none_of(to_, is_in)) to_.push_back({found.begin, column_, what});
  }

  /// Names in braces.
  void parts(std::string_view text, std::string_view what) {
    for (std::size_t open = text.find('{'); row_ != nullptr && open != std::string_view::npos; open = text.find('{', open + 1)) {
      const std::size_t close = text.find('}', open);
      if (close == std::string_view::npos) return;
      column_ = text.substr(open + 1, close - open - 1);
      if (const Value* const found = row_->find(column_)) each(*found, what);
    }
  }

  void each(const Value& value, std::string_view what) {
    add(value, what);
    if (const Value::List* const list = value.as_list()) {
      for (const Value& one : *list) each(one, what);
    } else if (const Value::Map* const map = value.as_map()) {
      for (const Value::Member& one : *map) each(one.value, what);
    }
  }

  void all(const Value& written, std::string_view what) {
    const Value& value = resolved(written);
    if (&value != &written) return each(value, what);
    add(value, what);
    if (const std::string* const text = value.as_text()) {
      parts(*text, what);
    } else if (const Value::List* const list = value.as_list()) {
      for (const Value& one : *list) all(one, what);
    } else if (const Value::Map* const map = value.as_map()) {
      for (const Value::Member& one : *map) all(one.value, what);
    }
  }

  // --- expectations ---

  template <class Visit>
  void members(const Value& map, Visit visit) {
    if (map.as_map() == nullptr) return;
    for (const Value::Member& member : *map.as_map()) visit(member);
  }

  /// A number or a list of them, or a map of one and its tolerances.
  void number(const Value& written) {
    const Value& value = resolved(written);
    if (value.as_map() != nullptr) {
      return members(value, [&](const Value::Member& member) { member.key == "value" ? number(member.value) : all(member.value, kBound); });
    }
    if (!runs_) each(value, kNotRun);
    if (const std::string* const text = value.as_text()) {
      parts(*text, kText);
    } else if (const Value::List* const list = value.as_list(); list != nullptr && &value == &written) {
      for (const Value& one : *list) number(one);
    }
  }
  /// Outputs by name.
  void row(const Value& written) {
    members(resolved(written), [&](const Value::Member& member) { number(member.value); });
  }
  void rows(const Value& written) {
    const Value& value = resolved(written);
    if (value.as_list() == nullptr) return row(value);
    for (const Value& one : *value.as_list()) row(one);
  }
  void queries(const Value& written) {
    const Value& value = resolved(written);
    if (value.as_map() == nullptr || value.find("value") != nullptr) return number(value);
    members(value, [&](const Value::Member& member) { queries(member.value); });
  }
  void resource(const Value& written) {
    constexpr std::string_view kNumbers[] = {"values", "words", "hex", "counter"};
    members(resolved(written), [&](const Value::Member& member) {
      std::ranges::find(kNumbers, member.key) != std::end(kNumbers) ? number(member.value) : all(member.value, kBound);
    });
  }
  void expect(const Value& map) {
    members(map, [&](const Value::Member& member) {
      if (member.key == "lanes" || member.key == "vertices" || member.key == "primitives" || member.key == "groups") {
        rows(member.value);
      } else if (member.key == "resources" || member.key == "targets") {
        members(resolved(member.value), [&](const Value::Member& one) { resource(one.value); });
      } else if (member.key == "queries") {
        queries(member.value);
      } else if (member.key == "operations") {
        number(member.value);
      } else {
        all(member.value, kBound);
      }
    });
  }

  std::span<const TextRange> ranges_;
  const Value* row_;
  const bool runs_;
  std::vector<OtherUse>& to_;
  std::string column_;
};

}  // namespace

std::vector<OtherUse> other_uses(const Suite& suite, std::span<const TextRange> ranges, const std::vector<bool>& runs) {
  std::vector<OtherUse> made;
  Walk(ranges, nullptr, true, made).fields(suite.document);
  const Value::List& written = *suite.document.find("case")->as_list();
  for (std::size_t number = 0; number < suite.tests.size(); ++number) {
    const Suite::Test& test = suite.tests[number];
    const Value::List* const rows = suite.tables[test.number].as_list();
    const bool does_run = number >= runs.size() || runs[number];
    Walk(ranges, rows == nullptr ? nullptr : &(*rows)[test.row], does_run, made).fields(written[test.number]);
  }
  return made;
}

}  // namespace unshade::suite
