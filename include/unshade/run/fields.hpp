// Maps of a case whose members are fields of a structure: each has a name and a function that reads it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/core/result.hpp>
#include <unshade/core/spelling.hpp>
#include <unshade/core/value.hpp>
#include <unshade/run/values.hpp>

namespace unshade::run {

/// A word and what it stands for.
template <class T>
using Word = std::pair<std::string_view, T>;

template <class T, std::size_t N>
Result<void> read_word(const Value& given, const Word<T> (&words)[N], T& to) {
  const std::string* const text = given.as_text();
  const auto* const found = std::ranges::find_if(words, [&](const auto& word) { return text != nullptr && word.first == *text; });
  if (found != std::end(words)) {
    to = found->second;
    return {};
  }
  std::string expected;
  for (const auto& word : words) expected += (expected.empty() ? "" : ", ") + std::string(word.first);
  constexpr std::size_t kMost = 40;
  return fault(given, "", "expected one of " + expected + (text == nullptr ? "" : ", found `" + text->substr(0, kMost) + '`'));
}

/// An error of a field, whose path may begin with an index.
inline Error in_field(Error error, std::string_view name) {
  if (!error.path.starts_with('[')) return std::move(error).within(name);
  error.path.insert(0, name);
  return error;
}

template <class T>
struct Field {
  std::string_view name;
  Result<void> (*read)(const Value& given, T& to);
};

template <class T, std::size_t N>
constexpr std::array<std::string_view, N> names_of(const Field<T> (&fields)[N]) {
  std::array<std::string_view, N> names{};
  for (std::size_t k = 0; k < N; ++k) names[k] = fields[k].name;
  return names;
}

/// Errors: bad_value if `given` is no map or has members without a field, as `what` (`a sampler`) that has none of this name.
template <class T, std::size_t N>
Result<void> read_fields(const Value& given, const Field<T> (&fields)[N], std::string_view what, T& to) {
  if (given.as_map() == nullptr) return fault(given, "", "expected a map, found " + std::string(id(given.kind())));
  for (const Value::Member& member : *given.as_map()) {
    const auto* const field = std::ranges::find(fields, member.key, &Field<T>::name);
    if (field == std::end(fields)) {
      return Error{ErrorCode::bad_value, member.key_offset, member.key,
                   with_nearest(std::string(what) + " has no field of this name", member.key, names_of(fields))};
    }
    if (auto done = field->read(member.value, to); !done) return in_field(std::move(done).error(), member.key);
  }
  return {};
}

/// A whole number into a member.
template <auto member, class T>
Result<void> read_number(const Value& given, T& to) {
  const auto number = number_of(given, "");
  if (!number) return number.error();
  to.*member = *number;
  return {};
}
/// A number, and `true` or `false`.
Result<void> read_real(const Value& given, float& to);
Result<void> read_truth(const Value& given, bool& to);
/// A list of as many numbers as `to` has.
template <std::size_t N>
Result<void> read_reals(const Value& given, std::array<float, N>& to) {
  const Value::List* const list = given.as_list();
  if (list == nullptr || list->size() != N) return fault(given, "", "expected a list of " + std::to_string(N) + " numbers");
  for (std::size_t k = 0; k < N; ++k)
    if (auto done = read_real((*list)[k], to[k]); !done) return done;
  return {};
}

}  // namespace unshade::run
