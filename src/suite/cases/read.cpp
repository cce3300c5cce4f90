// Suites as they are written: fields, tables, and names of tests.
#include <algorithm>
#include <array>
#include <set>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/data.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/values.hpp>

#include "suite/cases/cases.hpp"

namespace unshade::suite {
namespace cases {
namespace {

using run::fault;

/// Values of an expanded case, and characters of a text in it.
constexpr std::size_t kMostValues = std::size_t{1} << 20;
constexpr std::size_t kMostText = std::size_t{1} << 16;

constexpr std::string_view kTolerances[] = {"ulp", "absolute", "relative", "exact"};
constexpr std::string_view kSuiteFields[] = {"shader", "case", "check", "ulp", "absolute", "relative", "exact"};
constexpr std::string_view kTestFields[] = {"name", "shader", "scene", "check", "table", "expect"};
constexpr std::string_view kTableFields[] = {"names", "rows", "csv"};
/// Fields whose members a case adds to those of the suite.
constexpr std::string_view kMerged[] = {"constants", "resources", "samplers"};

bool has(std::span<const std::string_view> names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

/// A text with the values of a row for names in braces; what is no name of the row stays as it is.
Result<std::string> filled(const Value& at, std::string_view text, const Value& row) {
  std::string made;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    made += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    const Value* const value = close == std::string_view::npos ? nullptr : row.find(text.substr(open + 1, close - open - 1));
    if (value == nullptr) {
      made += '{';
      text.remove_prefix(open + 1);
    } else {
      if (const std::string* const own = value->as_text()) {
        made += *own;
      } else if (const Integer* const whole = value->as_integer()) {
        made += (whole->negative ? "-" : "") + std::to_string(whole->magnitude);
      } else if (const bool* const truth = value->as_boolean()) {
        made += *truth ? "true" : "false";
      } else if (const Real* const real = value->as_real()) {
        Text shortest;
        shortest.shortest(real->narrow);
        made += shortest.view();
      } else {
        return fault(at, "", "only numbers and texts of the table can be parts of a text");
      }
      text.remove_prefix(close + 1);
    }
    if (made.size() > kMostText) return fault(at, "", "the text is longer than 65536 characters", ErrorCode::limit);
  }
  return made;
}

std::size_t count_values(const Value& value) {
  std::size_t made = 1;
  if (const Value::List* const list = value.as_list()) {
    for (const Value& one : *list) made += count_values(one);
  } else if (const Value::Map* const map = value.as_map()) {
    for (const Value::Member& one : *map) made += count_values(one.value);
  }
  return made;
}

/// Puts the values of a row in the places of their names. `row`: null if the case has no table.
class Filling {
 public:
  explicit Filling(const Value* row) : row_(row) {}

  Result<void> fill(Value& value) {
    if (++values_ > kMostValues) return fault(value, "", "the case has more than 2^20 values", ErrorCode::limit);
    if (const std::string* const text = value.as_text()) {
      if (text->starts_with('$')) {
        const Value* const found = row_ == nullptr ? nullptr : row_->find(std::string_view(*text).substr(1));
        if (found == nullptr) return no_column(value, *text);
        values_ += count_values(*found);
        if (values_ > kMostValues) return fault(value, "", "the case has more than 2^20 values", ErrorCode::limit);
        value = Value(*found);
      } else if (row_ != nullptr && text->find('{') != std::string::npos) {
        auto made = filled(value, *text, *row_);
        if (!made) return std::move(made).error();
        const std::uint32_t offset = value.text_offset;
        value = Value::text(*made);
        value.text_offset = offset;
      }
    } else if (Value::List* const list = value.as_list()) {
      for (Value& one : *list)
        if (auto done = fill(one); !done) return done;
    } else if (Value::Map* const map = value.as_map()) {
      for (Value::Member& one : *map)
        if (auto done = fill(one.value); !done) return std::move(done).error().within(one.key);
    }
    return {};
  }

 private:
  Error no_column(const Value& at, std::string_view text) const {
    Nearest nearest(text.substr(1));
    if (row_ != nullptr)
      for (const Value::Member& column : *row_->as_map()) nearest.consider(column.key);
    return fault(at, std::string(text.substr(0, 64)),
                 row_ == nullptr ? "the case has no table" : "the table has no column of this name" + nearest.question(),
                 ErrorCode::missing);
  }

  const Value* row_;
  std::size_t values_ = 0;
};

/// Refuses names that occur twice. `at`: what the error points to.
template <class Names>
Result<void> check_columns(const Names& names, const Value& at, std::string_view path) {
  std::set<std::string_view> known;
  for (const std::string_view name : names)
    if (!known.insert(name).second)
      return fault(at, std::string(path), "two columns have the name `" + std::string(name.substr(0, 64)) + '`');
  return {};
}

/// Rows of a table: a list of maps by name.
Result<Value> rows_of(const Value& table, const TestOptions& options) {
  Value made = Value::list();
  made.text_offset = table.text_offset;
  if (const Value::List* const list = table.as_list()) {
    for (const Value& row : *list) {
      if (row.as_map() == nullptr) return fault(row, "table", "expected a map of names to values");
    }
    return table;
  }
  if (table.as_map() == nullptr) return fault(table, "table", "expected a list of rows, or a map of names and rows");
  if (auto known = check_fields(table, kTableFields, {}, "a table"); !known) return std::move(known).error().within("table");
  if (const Value* const csv = table.find("csv")) {
    run::RunOptions reading;
    reading.read_file = options.read_file;
    reading.self = options.self;
    auto file = run::read_named(reading, *csv, "table/csv");
    if (!file) return std::move(file).error();
    const auto read = run::read_csv(View(*file).text());
    if (!read) return fault(*csv, "table/csv", read.error().message, read.error().code);
    if (read->columns.empty()) return fault(*csv, "table/csv", "the first line of the file must name the columns");
    if (auto done = check_columns(read->columns, *csv, "table/csv"); !done) return std::move(done).error();
    if (read->rows() > kMostTests) return fault(*csv, "table/csv", "more than 65536 rows", ErrorCode::limit);
    for (std::size_t row = 0; row < read->rows(); ++row) made.push(read->row(row));
    return made;
  }
  const Value* const names = table.find("names");
  const Value* const rows = table.find("rows");
  if (names == nullptr || names->as_list() == nullptr || rows == nullptr || rows->as_list() == nullptr)
    return fault(table, "table", "expected names and rows, both lists", ErrorCode::missing);
  const Value::List& columns = *names->as_list();
  std::vector<std::string_view> texts;
  for (const Value& name : columns) {
    if (name.as_text() == nullptr) return fault(name, "table/names", "expected a list of texts, the names of the columns");
    texts.push_back(*name.as_text());
  }
  if (auto done = check_columns(texts, *names, "table/names"); !done) return std::move(done).error();
  if (rows->as_list()->size() * std::max<std::size_t>(1, columns.size()) > kMostValues)
    return fault(*rows, "table/rows", "the table has more than 2^20 values", ErrorCode::limit);
  for (const Value& row : *rows->as_list()) {
    const Value::List* const values = row.as_list();
    if (values == nullptr || values->size() != columns.size())
      return fault(row, "table/rows", "expected a list of " + std::to_string(columns.size()) + " values, one for each name");
    Value map = Value::map();
    map.text_offset = row.text_offset;
    for (std::size_t at = 0; at < columns.size(); ++at) map.add(*columns[at].as_text(), (*values)[at]);
    made.push(std::move(map));
  }
  return made;
}

void merge(Value& to, const Value::Member& member) {
  const auto known = std::ranges::find(*to.as_map(), member.key, &Value::Member::key);
  if (known == to.as_map()->end()) {
    to.as_map()->push_back(member);
  } else if (has(kMerged, member.key) && known->value.as_map() != nullptr && member.value.as_map() != nullptr) {
    Value::Map& merged = *known->value.as_map();
    std::set<std::string_view> keys;
    for (const Value::Member& one : *member.value.as_map()) keys.insert(one.key);
    std::erase_if(merged, [&](const Value::Member& old) { return keys.contains(old.key); });
    merged.insert(merged.end(), member.value.as_map()->begin(), member.value.as_map()->end());
  } else {
    *known = member;
  }
}

}  // namespace

Result<void> check_fields(const Value& map, std::span<const std::string_view> own, std::span<const std::string_view> more,
                          std::string_view what) {
  for (const Value::Member& member : *map.as_map()) {
    if (has(own, member.key) || has(more, member.key)) continue;
    Nearest nearest(member.key);
    for (const std::string_view name : own) nearest.consider(name);
    for (const std::string_view name : more) nearest.consider(name);
    return Error{ErrorCode::bad_value, member.key_offset, member.key.substr(0, 64),
                 std::string(what) + " has no field of this name" + nearest.question()};
  }
  return {};
}

std::span<const std::string_view> suite_fields() { return kSuiteFields; }
std::span<const std::string_view> test_fields() { return kTestFields; }

Result<Case> expand(const Suite& suite, std::size_t test) {
  const Suite::Test& from = suite.tests[test];
  const Value& written = (*suite.document.find("case")->as_list())[from.number];
  Value own = Value::map();
  own.text_offset = written.text_offset;
  for (const Value::Member& member : *written.as_map())
    if (member.key != "table") own.as_map()->push_back(member);
  const Value::List* const rows = suite.tables[from.number].as_list();
  if (auto done = Filling(rows == nullptr ? nullptr : &(*rows)[from.row]).fill(own); !done) return std::move(done).error();
  Case made;
  made.given = Value::map();
  made.tolerance = Value::map();
  made.offset = own.text_offset;
  if (const Value* const name = own.find("name")) made.offset = name->text_offset;
  for (const Value* const level : {&suite.document, static_cast<const Value*>(&own)}) {
    for (const Value::Member& member : *level->as_map()) {
      if (member.key == "shader") {
        if (member.value.as_text() == nullptr) return fault(member.value, "shader", "expected the path of a file");
        made.shader = *member.value.as_text();
        made.shader_offset = member.value.text_offset;
      } else if (member.key == "entry") {
        if (member.value.as_text() == nullptr) return fault(member.value, "entry", "expected the name of an entry point");
        made.entry = *member.value.as_text();
      } else if (member.key == "check") {
        if (member.value.as_boolean() == nullptr) return fault(member.value, "check", "expected true or false");
        made.check = *member.value.as_boolean();
      } else if (member.key == "expect") {
        if (member.value.as_map() == nullptr) return fault(member.value, "expect", "expected a map of expectations");
        if (auto known = check_fields(member.value, expect_fields(), kTolerances, "a map of expectations"); !known)
          return std::move(known).error().within("expect");
        made.expect = member.value;
      } else if (has(kTolerances, member.key)) {
        made.tolerance.as_map()->push_back(member);
      } else if (has(run::case_fields(), member.key)) {
        merge(made.given, member);
      }
    }
  }
  if (const auto of_suite = tolerance_of(made.tolerance, {}); !of_suite) return of_suite.error();
  if (const Value* const scene = own.find("scene")) {
    if (scene->as_text() == nullptr || scene->as_text()->empty()) return fault(*scene, "scene", "expected the path of a file");
    made.scene = *scene->as_text();
    made.scene_offset = scene->text_offset;
    for (const Value::Member& member : *own.as_map()) {
      if (member.key == "shader" || member.key == "check" || has(run::case_fields(), member.key))
        return Error{ErrorCode::bad_value, member.key_offset, member.key,
                     "a case with a scene must not have this field: the scene says what runs"};
    }
    made.given = Value::map();
    return made;
  }
  if (made.shader.empty()) return Error{ErrorCode::missing, made.offset, "shader", "neither the suite nor the case names a shader"};
  return made;
}

}  // namespace cases

Place Suite::place(std::uint64_t offset) const {
  if (offset == 0 || line_starts.empty()) return {};
  const auto after = std::ranges::upper_bound(line_starts, offset);
  const auto line = static_cast<std::uint32_t>(after - line_starts.begin());
  return {line, static_cast<std::uint32_t>(offset) - line_starts[line - 1] + 1};
}

Result<Suite> read_suite(Value document, std::string_view text, const TestOptions& options) {
  using cases::fault;
  Suite made;
  made.line_starts.push_back(0);
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == '\n') made.line_starts.push_back(static_cast<std::uint32_t>(at + 1));
  if (document.as_map() == nullptr) return fault(document, "", "expected a map of the suite");
  if (auto known = cases::check_fields(document, cases::kSuiteFields, run::case_fields(), "a suite"); !known)
    return std::move(known).error();
  const Value* const list = document.find("case");
  if (list == nullptr || list->as_list() == nullptr)
    return fault(list == nullptr ? document : *list, "case", "expected a list of cases", ErrorCode::missing);
  if (list->as_list()->empty()) return fault(*list, "case", "expected at least one case", ErrorCode::missing);
  std::set<std::string, std::less<>> names;
  for (std::size_t number = 0; number < list->as_list()->size(); ++number) {
    const Value& one = (*list->as_list())[number];
    const std::string path = "case[" + std::to_string(number) + ']';
    if (one.as_map() == nullptr) return fault(one, path, "expected a map of the case");
    if (auto known = cases::check_fields(one, cases::kTestFields, run::case_fields(), "a case"); !known)
      return std::move(known).error().within(path);
    const Value* const name = one.find("name");
    if (name != nullptr && (name->as_text() == nullptr || name->as_text()->empty()))
      return fault(*name, path + "/name", "expected a text that is not empty");
    const std::string base = name != nullptr ? *name->as_text() : "case " + std::to_string(number + 1);
    Value rows;
    if (const Value* const table = one.find("table")) {
      auto read = cases::rows_of(*table, options);
      if (!read) return std::move(read).error().within(path);
      rows = std::move(*read);
      if (rows.as_list()->empty()) return fault(*table, path + "/table", "expected at least one row", ErrorCode::missing);
    }
    const std::size_t count = rows.as_list() == nullptr ? 1 : rows.as_list()->size();
    if (made.tests.size() + count > kMostTests)
      return fault(one, path, "the suite has more than " + std::to_string(kMostTests) + " tests", ErrorCode::limit);
    for (std::size_t row = 0; row < count; ++row) {
      std::string full = base;
      if (rows.as_list() != nullptr) {
        auto filled = cases::filled(name == nullptr ? one : *name, base, (*rows.as_list())[row]);
        if (!filled) return std::move(filled).error().within(path + "/name");
        full = std::move(*filled);
        if (full == base) full += ", row " + std::to_string(row + 1);
      }
      if (!names.insert(full).second)
        return fault(name == nullptr ? one : *name, path + "/name", "another test has the name `" + full + '`');
      made.tests.push_back({std::move(full), number, row});
    }
    made.tables.push_back(std::move(rows));
  }
  made.document = std::move(document);
  return made;
}

}  // namespace unshade::suite
