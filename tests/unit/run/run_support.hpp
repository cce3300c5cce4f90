// Runs of shaders with cases that tests make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/run/run.hpp>
#include <unshade/shader/assemble.hpp>

#include "support/files.hpp"

namespace unshade::run::run_test {

inline Value list_of_numbers(const std::vector<std::uint32_t>& numbers) {
  Value list = Value::list();
  for (const std::uint32_t one : numbers) list.push(Value::integer(one));
  return list;
}

inline Value words_of_case(const std::vector<std::uint32_t>& numbers) {
  Value map = Value::map();
  map.add("words", list_of_numbers(numbers));
  return map;
}

inline Value map_of(std::initializer_list<std::pair<std::string_view, Value>> members) {
  Value map = Value::map();
  for (const auto& [name, value] : members) map.add(name, value);
  return map;
}

inline Value list_of(std::initializer_list<Value> items) {
  Value list = Value::list();
  for (const Value& one : items) list.push(one);
  return list;
}

inline Value made_by(const std::vector<std::byte>& file, const Value& given) {
  const auto opened = shader::open(test::view_of(file));
  EXPECT_TRUE(opened) << to_string(opened.error());
  const auto runnable = prepare(*opened);
  EXPECT_TRUE(runnable) << to_string(runnable.error());
  const auto done = execute(*runnable, given);
  EXPECT_TRUE(done) << to_string(done.error());
  return *done;
}

/// A shader as a text of DXBC or SPIR-V.
inline Value made_by_text(std::string_view text, const Value& given) {
  const Assembly made = shader::assemble(shader::language_of(text), text);
  for (const Message& one : made.messages) ADD_FAILURE() << to_string(one);
  return made_by(made.file, given);
}

/// A file of tests/data: a shader, or a text that is assembled.
inline Value made_by_file(std::string_view name, const Value& given) {
  const auto path = test::source_dir() / "tests/data" / name;
  return name.ends_with("asm") ? made_by_text(test::read_text(path), given) : made_by(test::read_bytes(path), given);
}

/// All numbers of a member of a row: `1 0.5 0`.
inline std::string text_of(const Value& result, std::string_view rows, std::size_t at, std::string_view member) {
  const Value* const list = result.find(rows);
  if (list == nullptr || at >= list->as_list()->size()) return "none";
  const Value* const found = (*list->as_list())[at].find(member);
  if (found == nullptr || found->as_list() == nullptr) return "none";
  std::string text;
  for (const Value& one : *found->as_list()) {
    if (!text.empty()) text += ' ';
    if (const Integer* const whole = one.as_integer()) {
      text += std::to_string(whole->magnitude);
    } else if (one.as_real() != nullptr) {
      text += std::to_string(one.as_real()->narrow);
      text.erase(text.find_last_not_of('0') + 1);
      if (text.back() == '.') text.pop_back();
    } else {
      text += *one.as_text();
    }
  }
  return text;
}

inline std::size_t count_of(const Value& result, std::string_view rows) { return result.find(rows)->as_list()->size(); }

/// The error of a run of a text.
inline std::string fault_of(std::string_view text, const Value& given) {
  const Assembly made = shader::assemble(shader::language_of(text), text);
  for (const Message& one : made.messages) ADD_FAILURE() << to_string(one);
  const auto opened = shader::open(View(made.file));
  if (!opened) return to_string(opened.error());
  const auto runnable = prepare(*opened);
  if (!runnable) return to_string(runnable.error());
  const auto done = execute(*runnable, given);
  return done ? "none" : done.error().path + ": " + done.error().message;
}

}  // namespace unshade::run::run_test
