// Messages that a shader printed against what a case expects of them.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <unshade/run/values.hpp>

#include "suite/cases/cases.hpp"

namespace unshade::suite::cases {
namespace {

using run::fault;

/// Of a message; where it comes from need not be said.
constexpr std::string_view kMessageFields[] = {"text", "error", "lane", "thread", "group"};

/// A part of a message: a text, a number, true or false, or a list of numbers.
std::string part_text(const Value& value) {
  if (const std::string* const text = value.as_text()) return *text;
  if (const Integer* const whole = value.as_integer()) return (whole->negative ? "-" : "") + std::to_string(whole->magnitude);
  if (const bool* const truth = value.as_boolean()) return *truth ? "true" : "false";
  if (value.as_list() == nullptr) return std::string(id(value.kind()));
  std::string made;
  for (const Value& one : *value.as_list()) made += (made.empty() ? "" : " ") + part_text(one);
  return made;
}

Result<void> compare_message(const Value* actual, const Value& expected, const std::string& what, std::vector<WrongMessage>& wrong) {
  const std::string found = actual == nullptr ? "none" : *actual->find("text")->as_text();
  if (const std::string* const text = expected.as_text()) {
    if (found != *text || actual == nullptr) wrong.push_back({&expected, what, {*text, found}});
    return {};
  }
  if (expected.as_map() == nullptr) return fault(expected, "", "expected a text or a map, found " + std::string(id(expected.kind())));
  const Value* const text = expected.find("text");
  if (text == nullptr || text->as_text() == nullptr) return fault(expected, "text", "a message must have a text");
  if (auto known = check_fields(expected, kMessageFields, {}, "a map of a message"); !known) return known;
  if (actual == nullptr) {
    wrong.push_back({&expected, what, {*text->as_text(), found}});
    return {};
  }
  for (const Value::Member& one : *expected.as_map()) {
    const Value* const own = actual->find(one.key);
    const bool same = own != nullptr ? *own == one.value : one.value.as_boolean() != nullptr && !*one.value.as_boolean();
    if (!same) wrong.push_back({&one.value, what + ", " + one.key, {part_text(one.value), own == nullptr ? "none" : part_text(*own)}});
  }
  return {};
}

}  // namespace

Result<std::vector<WrongMessage>> messages_that_differ(const Value& result, const Value& expected) {
  if (expected.as_list() == nullptr) return fault(expected, "", "expected a list, found " + std::string(id(expected.kind())));
  const Value* const found = result.find("messages");
  const Value::List none;
  const Value::List& actual = found == nullptr ? none : *found->as_list();
  const Value::List& wanted = *expected.as_list();
  std::vector<WrongMessage> wrong;
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    const std::string number = std::to_string(at);
    if (auto done = compare_message(at < actual.size() ? &actual[at] : nullptr, wanted[at], "message " + number, wrong); !done)
      return std::move(done).error().within('[' + number + ']');
  }
  const Value* const more = result.find("more_messages");
  const std::uint64_t count = actual.size() + (more == nullptr ? 0 : more->as_integer()->magnitude);
  if (count > wanted.size()) wrong.push_back({&expected, "messages", {std::to_string(wanted.size()), std::to_string(count)}});
  return wrong;
}

}  // namespace unshade::suite::cases
