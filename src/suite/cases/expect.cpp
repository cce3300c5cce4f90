// What a run gave against what a case expects of it.
#include <algorithm>
#include <span>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text.hpp>
#include <unshade/run/outputs.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/values.hpp>

#include "suite/cases/checker.hpp"

namespace unshade::suite::cases {
namespace {

using Kind = NumberType::Kind;
using run::fault;
using run::ResultRow;
using run::ShownOutput;

constexpr std::string_view kExpectFields[] = {"lanes",   "vertices", "primitives", "groups",   "resources", "targets",
                                              "queries", "stop",     "fault",      "messages", "operations"};

}  // namespace

void Checker::correct(const Value& expected, std::string text) {
  if (!corrects_) return;
  if (expected.text_offset != 0) {
    outcome_.corrections.push_back({expected.text_offset, std::move(text)});
  } else {
    ++outcome_.elsewhere;
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
  const bool is_of_vertex = kind == ResultRow::vertex && is_geometry();
  const std::vector<ShownOutput> outputs = run::shown_outputs(shader_->module(), kind, actual);
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
  const bool holds_for_all = list == nullptr && kind == ResultRow::vertex && is_geometry();
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
    if (bindings_) {
      if (auto done = bindings_->check_names(*all->as_map(), field); !done) return done;
    }
    for (const Value::Member& member : *all->as_map()) {
      if (auto done = resource(result, member, *tolerance); !done)
        return std::move(done).error().within(std::string(field) + '/' + member.key);
    }
  }
  return {};
}

std::span<const std::string_view> expect_fields() { return kExpectFields; }

void check(const Suite& suite, const Case& one, const run::Runnable* shader, const Value& result, const run::RunOptions& options,
           bool corrects, Outcome& outcome) {
  Checker checker(suite, one, shader, options, corrects, outcome);
  if (const auto done = checker.check(result); !done) {
    const Error& error = done.error();
    checker.fail(error.offset != 0 ? error.offset : one.offset,
                 error.path.empty() ? error.message : "expect/" + error.path + ": " + error.message);
  }
}

}  // namespace unshade::suite::cases
