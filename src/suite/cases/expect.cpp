// What a run gave against what a case expects of it.
#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/outputs.hpp>
#include <unshade/run/places.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/run/values.hpp>

#include "suite/cases/cases.hpp"

namespace unshade::suite::cases {
namespace {

using Kind = NumberType::Kind;
using run::fault;
using run::ResultRow;
using run::ShownOutput;

constexpr std::string_view kExpectFields[] = {"lanes",   "vertices", "primitives", "groups",   "resources", "targets",
                                              "queries", "stop",     "fault",      "messages", "operations"};
constexpr std::string_view kExpectedResourceFields[] = {"values", "words",  "hex",     "csv",       "npy",   "file",     "format",
                                                        "type",   "offset", "counter", "unordered", "ulp",   "absolute", "relative",
                                                        "exact",  "image",  "channel", "mean",      "share", "width",    "height"};
/// Numbers that a list may get which is corrected as a whole.
constexpr std::size_t kMostCorrected = 65536;
constexpr std::size_t kMostPairs = std::size_t{1} << 24;

class Checker {
 public:
  Checker(const Suite& suite, const Case& one, const ir::Module& module, const run::RunOptions& options, bool corrects, Outcome& outcome)
      : suite_(suite), case_(one), module_(module), options_(options), corrects_(corrects), outcome_(outcome) {}

  Result<void> check(const Value& result);
  void fail(std::uint64_t offset, std::string what, Mismatch mismatch = {}) {
    ++outcome_.failed;
    if (outcome_.failures.size() < kMostFailures)
      outcome_.failures.push_back({suite_.place(offset), std::move(what), std::move(mismatch.expected), std::move(mismatch.actual)});
  }

 private:
  bool is_feedback_map(const Value* given, std::string_view key) const {
    if (given != nullptr && (given->find("region") != nullptr || given->find("feedback") != nullptr)) return true;
    return std::ranges::any_of(module_.resources, [&](const ir::Resource& one) {
      return one.kind == dxcontainer::ResourceKind::uav_feedback && run::key_of(one, 0) == key;
    });
  }
  /// Where in the text an expectation is, if it is there, else where the case is.
  std::uint64_t at(const Value& value) const { return value.text_offset != 0 ? value.text_offset : case_.offset; }
  Result<void> number(const Number& actual, const Value& expected, const Tolerance& tolerance, const std::string& what);
  void number(const Number& actual, const Number& expected, const Value& place, const Tolerance& tolerance, const std::string& what);
  Result<void> numbers(std::span<const Number> actual, const Value& expected, const Tolerance& tolerance, const std::string& what);
  Result<void> stopped(const Value& result);
  Result<void> counts(const Value& found, const Value& expected, const Tolerance& tolerance, const std::string& what);
  Result<void> row(const Value& actual, ResultRow kind, const Value& expected, const Tolerance& tolerance, const std::string& name,
                   std::vector<bool>* compared = nullptr);
  Result<void> rows(const Value& result, std::string_view field, std::string_view name, const Tolerance& tolerance);
  Result<void> resource(const Value& result, const Value::Member& expected, const Tolerance& inherited);
  Result<void> picture(const Value& image, const Value& expected, const Value* given, std::string_view key,
                       std::span<const std::byte> memory, const std::string& what);
  void correct(const Value& expected, std::string text);
  /// The value is right as it stands.
  void keep(const Value& expected) {
    const Value* const value = expected.find("value");
    const std::uint64_t offset = value == nullptr ? expected.text_offset : value->text_offset;
    if (corrects_ && offset != 0 && (outcome_.kept.empty() || outcome_.kept.back() != offset)) outcome_.kept.push_back(offset);
  }
  template <class NumberAt>
  void correct_list(const Value& expected, std::size_t count, NumberAt number_at);
  template <class NumberAt>
  void correct_one_for_all(std::size_t before, const Value& expected, std::size_t count, NumberAt number_at);
  void lacks_numbers(const Layout& layout, std::span<const std::byte> bytes, std::size_t count, const Value& expected,
                     const std::string& what);
  Result<void> unordered(const Layout& layout, std::span<const std::byte> bytes, const Value& expected, const Value* counter,
                         const Tolerance& tolerance, const std::string& what);

  const Suite& suite_;
  const Case& case_;
  const ir::Module& module_;
  const run::RunOptions& options_;
  bool corrects_;
  Outcome& outcome_;
  std::size_t kept_before_ = 0;  ///< of Outcome::kept, when one number for all began to be compared
};

void Checker::correct(const Value& expected, std::string text) {
  if (!corrects_) return;
  if (expected.text_offset != 0) {
    outcome_.corrections.push_back({expected.text_offset, std::move(text)});
  } else {
    ++outcome_.elsewhere;
  }
}

// A list with all that there is.
template <class NumberAt>
void Checker::correct_list(const Value& expected, std::size_t count, NumberAt number_at) {
  if (!corrects_ || count > kMostCorrected) return;
  std::string made = "[";
  for (std::size_t k = 0; k < count; ++k) made += (k == 0 ? "" : ", ") + shown(number_at(k));
  correct(expected, made + ']');
}

// A number that holds for all: another one if all numbers are equal, else a list. `before`: corrections before it was compared.
template <class NumberAt>
void Checker::correct_one_for_all(std::size_t before, const Value& expected, std::size_t count, NumberAt number_at) {
  if (outcome_.corrections.size() == before) return;
  // it was right for some of them
  while (kept_before_ < outcome_.kept.size()) outcome_.kept.pop_back();
  const std::string first = shown(number_at(0));
  bool same = true;
  for (std::size_t k = 1; k < count && same; ++k) same = shown(number_at(k)) == first;
  outcome_.corrections.resize(before);
  // a value with a tolerance may have a list in its place
  const Value* const value = expected.find("value");
  const Value& written = value == nullptr ? expected : *value;
  if (same) {
    correct(written, first);
  } else {
    correct_list(written, count, number_at);
  }
}

Result<void> Checker::number(const Number& actual, const Value& expected, const Tolerance& tolerance, const std::string& what) {
  ++outcome_.expectations;
  auto wrong = compared(actual, expected, tolerance);
  if (!wrong) return std::move(wrong).error();
  if (!*wrong) return keep(expected), Result<void>();
  const Value* const value = expected.find("value");
  const Value& written = value == nullptr ? expected : *value;
  const std::string* const text = written.as_text();
  if (text == nullptr || *text == "nan" || *text == "inf" || *text == "-inf") correct(written, shown(actual));
  fail(at(expected), what, std::move(**wrong));
  return {};
}

void Checker::number(const Number& actual, const Number& expected, const Value& place, const Tolerance& tolerance,
                     const std::string& what) {
  ++outcome_.expectations;
  if (auto wrong = compared(actual, expected, tolerance)) fail(at(place), what, std::move(*wrong));
}

// The components of an element: a list of as many, or one for all.
Result<void> Checker::numbers(std::span<const Number> actual, const Value& expected, const Tolerance& tolerance, const std::string& what) {
  const auto named = [&](std::size_t k) {
    return actual.size() == 1 ? what : what + '.' + (k < 4 ? std::string(1, "xyzw"[k]) : std::to_string(k));
  };
  if (const Value* const value = expected.find("value"); value != nullptr && value->as_list() != nullptr) {
    auto own = tolerance_of(expected, tolerance);
    return own ? numbers(actual, *value, *own, what) : Result<void>(std::move(own).error());
  }
  const Value::List* const list = expected.as_list();
  // rows of an array or matrix
  if (list != nullptr && std::ranges::any_of(*list, [](const Value& one) { return one.as_list() != nullptr; })) {
    std::vector<const Value*> flat;
    run::flatten(expected, flat);
    Value all = Value::list();
    for (const Value* const one : flat) all.push(*one);
    all.text_offset = expected.text_offset;
    return numbers(actual, all, tolerance, what);
  }
  if (list != nullptr && list->size() != actual.size()) {
    correct_list(expected, actual.size(), [&](std::size_t k) { return actual[k]; });
    const std::string components = std::to_string(actual.size()) + (actual.size() == 1 ? " component" : " components");
    fail(at(expected), list->empty() ? what + ": expected numbers for " + components + "; --update writes them"
                                     : what + ": the list has " + std::to_string(list->size()) + ", the output " + components);
    return {};
  }
  const std::size_t before = outcome_.corrections.size();
  kept_before_ = outcome_.kept.size();
  for (std::size_t k = 0; k < actual.size(); ++k) {
    if (auto done = number(actual[k], list == nullptr ? expected : (*list)[k], tolerance, named(k)); !done) return done;
  }
  if (list == nullptr) correct_one_for_all(before, expected, actual.size(), [&](std::size_t k) { return actual[k]; });
  return {};
}

Result<void> Checker::stopped(const Value& result) {
  const std::string& stop = *result.find("stop")->as_text();
  const Value* const why = result.find("fault");
  const Value* const wanted_fault = case_.expect.find("fault");
  const Value* const wanted_stop = case_.expect.find("stop");
  for (const Value* const text : {wanted_fault, wanted_stop}) {
    if (text != nullptr && text->as_text() == nullptr) return fault(*text, text == wanted_stop ? "stop" : "fault", "expected a text");
  }
  const std::string found = why != nullptr ? *why->as_text() : stop;
  if (wanted_fault != nullptr) {
    ++outcome_.expectations;
    if (why == nullptr || found.find(*wanted_fault->as_text()) == std::string::npos)
      fail(at(*wanted_fault), "fault", {*wanted_fault->as_text(), found});
  }
  if (wanted_stop != nullptr) {
    constexpr vm::Stop kStops[] = {vm::Stop::finished, vm::Stop::budget, vm::Stop::fault};
    if (std::ranges::find(kStops, *wanted_stop->as_text(), [](vm::Stop one) { return id(one); }) == std::end(kStops))
      return fault(*wanted_stop, "stop", "expected finished, budget or fault, found `" + wanted_stop->as_text()->substr(0, 64) + '`');
    ++outcome_.expectations;
    if (stop != *wanted_stop->as_text()) fail(at(*wanted_stop), "stop", {*wanted_stop->as_text(), stop});
  }
  if (wanted_fault != nullptr || wanted_stop != nullptr || stop == "finished") return {};
  fail(case_.offset, "the shader stopped: " + found);
  return {};
}

// The outputs of a lane or a vertex, by semantic or register. `compared`: of the members of a map that holds for all vertices, those that a
// vertex was compared with; one that belongs to another stream says nothing of this vertex.
Result<void> Checker::row(const Value& actual, ResultRow kind, const Value& expected, const Tolerance& tolerance, const std::string& name,
                          std::vector<bool>* compared) {
  if (expected.as_map() == nullptr) return fault(expected, "", "expected a map of outputs");
  const bool is_of_vertex = kind == ResultRow::vertex && module_.stage == Stage::geometry;
  const std::vector<ShownOutput> outputs = run::shown_outputs(module_, kind, actual);
  std::size_t place = 0;
  for (const Value::Member& member : *expected.as_map()) {
    const auto within = [&](Result<void> done) -> Result<void> {
      if (!done) return std::move(done).error().within(member.key);
      return done;
    };
    const std::string what = name + ", " + member.key;
    const std::size_t own_place = place++;
    const auto note = [&] {
      if (compared != nullptr) (*compared)[own_place] = true;
    };
    NumberType type{Kind::boolean, 4};
    if (member.key == "discarded" || (is_of_vertex && (member.key == "cut" || member.key == "lane" || member.key == "stream"))) {
      if (member.key == "lane" || member.key == "stream") type = {Kind::uint, 4};
      const Value* const found = actual.find(member.key);
      const Number own = found == nullptr ? whole_number(0, type) : result_number(*found, type);
      note();
      if (auto done = within(number(own, member.value, tolerance, what)); !done) return done;
      continue;
    }
    bool found = false;
    std::vector<Number> own;
    Nearest nearest(member.key);
    const bool is_list = member.key == "group" || member.key == "indices" || member.key == "dispatch" || member.key == "payload";
    if (kind != ResultRow::lane && is_list) {
      found = add_result_numbers(actual.find(member.key), {Kind::uint, 4}, own);
    } else {
      for (const ShownOutput& one : run::outputs_named(outputs, member.key))
        found = add_result_numbers(&one.member->value, number_type(one.element->type, one.element->is_signed), own);
      for (const ShownOutput& one : outputs)
        if (!found && one.member != nullptr) nearest.consider(one.member->key);
    }
    const bool is_cut = is_of_vertex && actual.find("cut") != nullptr;
    if (!found && compared != nullptr && (is_cut || run::is_of_other_stream(outputs, member.key))) continue;
    note();
    if (!found) {
      const std::string several = run::several_outputs(outputs, member.key);
      fail(member.key_offset != 0 ? member.key_offset : case_.offset,
           what + (is_cut             ? ": this is a cut of the strip, which has no outputs"
                   : !several.empty() ? ": " + several
                                      : ": the shader has no output of this name" + nearest.question()));
      continue;
    }
    if (auto done = within(numbers(own, member.value, tolerance, what)); !done) return done;
  }
  return {};
}

Result<void> Checker::rows(const Value& result, std::string_view field, std::string_view name, const Tolerance& tolerance) {
  const Value* const expected = case_.expect.find(field);
  if (expected == nullptr) return {};
  const Value* const actual = result.find(field);
  if (actual == nullptr) {
    fail(at(*expected), "the shader has no " + std::string(field));
    return {};
  }
  const Value::List& all = *actual->as_list();
  const Value::List* const list = expected->as_list();
  if (list == nullptr && expected->as_map() == nullptr) return fault(*expected, "", "expected a map, or a list of them");
  if (list != nullptr && (list->size() > all.size() || (field != "lanes" && list->size() != all.size()))) {
    ++outcome_.expectations;
    fail(at(*expected), std::string(field), {std::to_string(list->size()), std::to_string(all.size())});
  }
  // what compares nothing shows nothing; a list of vertices says how many there are
  const auto names_none = [](const Value& one) { return one.as_map() != nullptr && one.as_map()->empty(); };
  const bool compares_none = list == nullptr ? names_none(*expected) : field == "lanes" && std::ranges::all_of(*list, names_none);
  if (compares_none && !all.empty() && (list == nullptr || !list->empty())) {
    ++outcome_.expectations;
    fail(at(*expected), std::string(field) + ": names no output, so nothing is compared");
  }
  if (list == nullptr ? all.empty() : field == "lanes" && list->empty()) {
    ++outcome_.expectations;
    fail(at(*expected), std::string(field) + (all.empty() ? ": the run has none to compare" : ": the list has none to compare"));
  }
  const ResultRow kind = run::result_row(field);
  // of one map for all vertices, names that none of them has
  const bool holds_for_all = list == nullptr && kind == ResultRow::vertex && module_.stage == Stage::geometry;
  std::vector<bool> compared(holds_for_all ? expected->as_map()->size() : 0);
  for (std::size_t k = 0; k < all.size() && (list == nullptr || k < list->size()); ++k) {
    if (auto done = row(all[k], kind, list == nullptr ? *expected : (*list)[k], tolerance, std::string(name) + ' ' + std::to_string(k),
                        holds_for_all ? &compared : nullptr);
        !done)
      return std::move(done).error().within(list == nullptr ? std::string(field) : std::string(field) + '[' + std::to_string(k) + ']');
  }
  for (std::size_t at = 0; at < compared.size() && !all.empty(); ++at) {
    if (compared[at]) continue;
    const Value::Member& member = (*expected->as_map())[at];
    ++outcome_.expectations;
    fail(member.key_offset != 0 ? member.key_offset : case_.offset, std::string(field) + ", " + member.key + ": no vertex has this output");
  }
  return {};
}

// An empty list gets all numbers.
void Checker::lacks_numbers(const Layout& layout, std::span<const std::byte> bytes, std::size_t count, const Value& expected,
                            const std::string& what) {
  ++outcome_.expectations;
  correct_list(expected, count, [&](std::size_t k) { return layout.load(bytes, k); });
  fail(at(expected), what, {"no numbers", std::to_string(count) + "; --update writes them"});
}

// Elements in any order: each that is expected takes the first that it matches and none took before.
Result<void> Checker::unordered(const Layout& layout, std::span<const std::byte> bytes, const Value& expected, const Value* counter,
                                const Tolerance& tolerance, const std::string& what) {
  std::vector<const Value*> wanted;
  run::flatten(expected, wanted);
  const std::size_t parts = layout.parts.size();
  std::size_t there = bytes.size() / layout.stride;
  if (counter != nullptr) there = std::min<std::size_t>(there, counter->as_integer()->magnitude);
  if (expected.as_list() == nullptr)
    return fault(expected, "", "expected a list of elements in any order, found one number, which would hold for all");
  if (wanted.size() % parts != 0) return fault(expected, "", "expected a multiple of " + std::to_string(parts) + " numbers");
  if (wanted.empty() && (counter == nullptr || there != 0))
    return lacks_numbers(layout, bytes, there * parts, expected, what), Result<void>();
  const std::size_t rows = wanted.size() / parts;
  if (rows != 0 && there > kMostPairs / rows)
    return fault(expected, "", "more than 2^24 pairs of elements are to be compared", ErrorCode::limit);
  if (counter != nullptr && rows != there) {
    ++outcome_.expectations;
    fail(at(expected), what, {std::to_string(rows) + " elements", std::to_string(there)});
  }
  std::vector<bool> taken(there);
  for (std::size_t row = 0; row < rows; ++row) {
    ++outcome_.expectations;
    bool found = false;
    for (std::size_t other = 0; other < there && !found; ++other) {
      bool matches = !taken[other];
      for (std::size_t part = 0; part < parts && matches; ++part) {
        auto wrong = compared(layout.load(bytes, other * parts + part), *wanted[row * parts + part], tolerance);
        if (!wrong) return std::move(wrong).error();
        matches = !*wrong;
      }
      if (!matches) continue;
      taken[other] = true;
      found = true;
    }
    if (!found) fail(at(*wanted[row * parts]), what + ": no element matches expected element " + std::to_string(row));
  }
  return {};
}

Result<void> Checker::resource(const Value& result, const Value::Member& member, const Tolerance& inherited) {
  const Value& expected = member.value;
  const std::string what = "resource " + member.key;
  if (expected.as_map() == nullptr) return fault(expected, "", "expected a map, found " + std::string(id(expected.kind())));
  for (const Value::Member& one : *expected.as_map()) {
    if (std::ranges::find(kExpectedResourceFields, one.key) == std::end(kExpectedResourceFields))
      return Error{ErrorCode::bad_value, one.key_offset, one.key.substr(0, 64),
                   with_nearest("an expected resource has no field of this name", one.key, kExpectedResourceFields)};
  }
  Nearest nearest(member.key);
  for (const Value::Member& one : *result.find("resources")->as_map()) {
    nearest.consider(one.key);
    if (const Value* const name = one.value.find("name")) nearest.consider(*name->as_text());
  }
  const Value::Member* own = run::find_resource(result, member.key);
  bool is_known = false;
  if (case_.scene.empty()) {
    // a name that only the shader knows: of several that share a binding
    const run::RunOptions none;
    const auto known = run::Bindings(module_, none).key_named(member);
    if (!known && known.error().code == ErrorCode::bad_value) return known.error();
    is_known = known.has_value();
    if (own == nullptr && known) own = run::find_resource(result, *known);
  }
  const Value* const found = own == nullptr ? nullptr : &own->value;
  const std::string_view key = own == nullptr ? std::string_view() : std::string_view(own->key);
  if (found == nullptr) {
    fail(member.key_offset != 0 ? member.key_offset : case_.offset,
         what +
             (case_.scene.empty() ? is_known ? ": the case does not list this resource, so it has no memory"
                                             : ": the shader writes no resource of this name"
                                  : ": the scene has no target or resource of this name") +
             nearest.question());
    return {};
  }
  const auto tolerance = tolerance_of(expected, inherited);
  if (!tolerance) return tolerance.error();
  const Value* const counter = found->find("counter");
  if (const Value* const wanted = expected.find("counter")) {
    if (counter == nullptr) return fault(*wanted, "counter", "the case gives the resource no counter");
    if (auto done = number(whole_number(counter->as_integer()->magnitude, {Kind::uint, 4}), *wanted, *tolerance, what + ", counter"); !done)
      return std::move(done).error().within("counter");
  }
  std::vector<std::byte> memory;
  from_hex(*found->find("hex")->as_text(), memory);
  std::span<const std::byte> bytes = memory;
  std::size_t start = 0;
  if (const Value* const offset = expected.find("offset")) {
    const auto from = run::number_of(*offset, "offset");
    if (!from) return from.error();
    if (*from > bytes.size()) return fault(*offset, "offset", "out of bounds of the resource's " + std::to_string(bytes.size()) + " bytes");
    start = *from;
    bytes = bytes.subspan(start);
  }
  const Value* const own_name = found->find("name");
  const Value* const given =
      given_resource(case_, module_, member.key, key, own_name == nullptr ? std::string_view() : *own_name->as_text());
  if (const Value* const image = expected.find("image")) {
    if (auto done = picture(*image, expected, given, key, memory, what); !done) return done;
  }
  if (std::ranges::none_of(kContents, [&](std::string_view one) { return expected.find(one) != nullptr; })) {
    if (expected.find("image") == nullptr && expected.find("counter") == nullptr)
      return fault(expected, "", "expected values, words, hex, csv, npy, file, image or counter: there is nothing to compare");
    return {};
  }
  if (auto done = run::check_one_content(expected); !done) return done;
  const auto how = layout_of(expected, given, is_feedback_map(given, key));
  if (!how) return how.error();
  const auto place = [&](std::size_t number) {
    const std::size_t part = number % how->parts.size();
    std::string made =
        what + ", byte " + std::to_string(start + number / how->parts.size() * how->stride + (how->format ? 0 : how->offsets[part]));
    if (how->format && how->parts.size() > 1) made += std::string(", ") + "rgba"[how->parts[part].component];
    return made;
  };
  const std::size_t count = how->count(bytes.size());
  const auto is_short = [&](std::size_t wanted, const Value& value) {
    if (wanted <= count) return false;
    ++outcome_.expectations;
    fail(at(value), what, {std::to_string(wanted) + (wanted == 1 ? " number" : " numbers"), std::to_string(count)});
    return true;
  };
  const Value* values = expected.find("values");
  const char* const field_of_values = values != nullptr ? "values" : "words";
  if (values == nullptr) values = expected.find("words");
  const Value* const in_any_order = expected.find("unordered");
  if (in_any_order != nullptr && in_any_order->as_boolean() == nullptr) return fault(*in_any_order, "unordered", "expected true or false");
  if (values != nullptr && in_any_order != nullptr && *in_any_order->as_boolean())
    return unordered(*how, bytes, *values, counter, *tolerance, what);
  if (values != nullptr) {
    std::vector<const Value*> wanted;
    run::flatten(*values, wanted);
    // one for all
    const bool all = values->as_list() == nullptr;
    if (wanted.empty()) return lacks_numbers(*how, bytes, count, *values, what), Result<void>();
    if (all && count == 0) {
      ++outcome_.expectations;
      fail(at(*values), what, {"at least one number", "none"});
    }
    if (!all && is_short(wanted.size(), *values)) return {};
    const std::size_t before = outcome_.corrections.size();
    kept_before_ = outcome_.kept.size();
    for (std::size_t k = 0; k < (all ? count : wanted.size()); ++k) {
      if (auto done = number(how->load(bytes, k), *wanted[all ? 0 : k], *tolerance, place(k)); !done)
        return std::move(done).error().within(field_of_values);
    }
    if (all) correct_one_for_all(before, *values, count, [&](std::size_t k) { return how->load(bytes, k); });
  }
  for (const std::string_view field : kData) {
    const Value* const data = expected.find(field);
    if (data == nullptr) continue;
    const auto wanted = run::bytes_of(expected, how->format ? *how->format : texel::Format{}, options_);
    if (!wanted) return wanted.error();
    if (wanted->size() % how->stride != 0)
      return fault(*data, std::string(field),
                   "its " + std::to_string(wanted->size()) + " bytes are not a multiple of the " + std::to_string(how->stride) +
                       " of an element: give a type");
    if (wanted->empty()) {
      ++outcome_.expectations;
      fail(at(*data), what + ": `" + std::string(field) + "` has nothing to compare");
    }
    if (is_short(how->count(wanted->size()), *data)) continue;
    const std::uint32_t before = outcome_.failed;
    for (std::size_t k = 0; k < how->count(wanted->size()); ++k)
      number(how->load(bytes, k), how->load(*wanted, k), *data, *tolerance, place(k));
    if (outcome_.failed == before) keep(*data);
    if (outcome_.failed != before && field == "hex") {
      Text digits;
      for (std::size_t k = 0; k < wanted->size() && k < bytes.size(); ++k) digits.hex(std::to_integer<unsigned>(bytes[k]), 2);
      correct(*data, '"' + digits.str() + '"');
    }
  }
  return {};
}

// A texture against a picture in a file.
Result<void> Checker::picture(const Value& image, const Value& expected, const Value* given, std::string_view key,
                              std::span<const std::byte> memory, const std::string& what) {
  const auto bounds = picture_bounds_of(expected);
  if (!bounds) return bounds.error();
  auto actual = resource_picture(image, expected, given, memory);
  if (!actual) return actual.error();
  ++outcome_.expectations;
  const auto golden = run::read_image(options_, image);
  const auto expected_pixels = golden ? picture::as_rgba8(*golden) : golden;
  picture::Picture difference;
  std::optional<Mismatch> wrong;
  if (expected_pixels) {
    wrong = compared(*actual, *expected_pixels, *bounds, difference);
    if (!wrong) return {};
    if (!difference.bytes.empty()) outcome_.pictures.push_back({std::string(key) + ".difference", false, std::move(difference)});
  }
  if (corrects_ && image.as_text() != nullptr) outcome_.pictures.push_back({*image.as_text(), true, *actual});
  outcome_.pictures.push_back({std::string(key) + ".actual", false, std::move(*actual)});
  if (!wrong) {
    fail(at(image), what + ", " + (image.as_text() != nullptr ? *image.as_text() : "image") + ": " + expected_pixels.error().message);
  } else {
    fail(at(image), what, std::move(*wrong));
  }
  return {};
}

// Numbers of queries, which may be in maps.
Result<void> Checker::counts(const Value& found, const Value& expected, const Tolerance& tolerance, const std::string& what) {
  if (expected.as_map() == nullptr) return fault(expected, "", "expected a map, found " + std::string(id(expected.kind())));
  for (const Value::Member& one : *expected.as_map()) {
    const Value* const own = found.find(one.key);
    const std::string name = what + ' ' + one.key;
    if (own == nullptr) {
      Nearest nearest(one.key);
      for (const Value::Member& other : *found.as_map()) nearest.consider(other.key);
      return Error{ErrorCode::missing, one.key_offset, one.key, "there is no " + name + nearest.question()};
    }
    auto done = own->as_map() != nullptr       ? counts(*own, one.value, tolerance, name)
                : own->as_boolean() != nullptr ? number(result_number(*own, {Kind::boolean, 4}), one.value, tolerance, name)
                                               : number(result_number(*own, {Kind::uint, 8}), one.value, tolerance, name);
    if (!done) return std::move(done).error().within(one.key);
  }
  return {};
}

Result<void> Checker::check(const Value& result) {
  const auto common = tolerance_of(case_.tolerance, {});
  if (!common) return common.error();
  if (auto done = stopped(result); !done) return done;
  if (const Value* const findings = result.find("findings")) {
    ++outcome_.expectations;
    for (const Value& one : *findings->as_list()) fail(case_.offset, run::finding_message(one));
  }
  if (case_.expect.as_map() == nullptr) return {};
  const auto tolerance = tolerance_of(case_.expect, *common);
  if (!tolerance) return tolerance.error();
  if (const Value* const operations = case_.expect.find("operations")) {
    const Number own = whole_number(result.find("operations")->as_integer()->magnitude, {Kind::uint, 8});
    if (auto done = number(own, *operations, *tolerance, "operations"); !done) return std::move(done).error().within("operations");
  }
  if (const Value* const printed = case_.expect.find("messages")) {
    if (!case_.scene.empty()) return fault(*printed, "messages", "a case with a scene has no messages");
    auto wrong = messages_that_differ(result, *printed);
    if (!wrong) return std::move(wrong).error().within("messages");
    outcome_.expectations += static_cast<std::uint32_t>(printed->as_list()->size() + 1);
    for (WrongMessage& one : *wrong) fail(at(*one.place), std::move(one.what), std::move(one.mismatch));
  }
  for (const auto& [field, name] : run::kResultRows) {
    if (auto done = rows(result, field, name, *tolerance); !done) return done;
  }
  if (const Value* const queries = case_.expect.find("queries")) {
    if (case_.scene.empty()) return fault(*queries, "queries", "only a case with a scene has queries");
    if (auto done = counts(*result.find("queries"), *queries, *tolerance, "query"); !done) return std::move(done).error().within("queries");
  }
  for (const std::string_view field : {"resources", "targets"}) {
    const Value* const all = case_.expect.find(field);
    if (all == nullptr) continue;
    if (field == "targets" && case_.scene.empty()) return fault(*all, std::string(field), "only a case with a scene has targets");
    if (all->as_map() == nullptr) return fault(*all, std::string(field), "expected a map, found " + std::string(id(all->kind())));
    for (const Value::Member& member : *all->as_map()) {
      if (auto done = resource(result, member, *tolerance); !done)
        return std::move(done).error().within(std::string(field) + '/' + member.key);
    }
  }
  return {};
}

}  // namespace

std::span<const std::string_view> expect_fields() { return kExpectFields; }
std::span<const std::string_view> expected_resource_fields() { return kExpectedResourceFields; }

void check(const Suite& suite, const Case& one, const ir::Module& module, const Value& result, const run::RunOptions& options,
           bool corrects, Outcome& outcome) {
  Checker checker(suite, one, module, options, corrects, outcome);
  if (const auto done = checker.check(result); !done) {
    const Error& error = done.error();
    checker.fail(error.offset != 0 ? error.offset : one.offset,
                 error.path.empty() ? error.message : "expect/" + error.path + ": " + error.message);
  }
}

}  // namespace unshade::suite::cases
