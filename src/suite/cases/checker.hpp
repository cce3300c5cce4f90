// Compares a result with what a case expects: rows in expect.cpp, resources in expect_resource.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/run/outputs.hpp>
#include <unshade/run/run.hpp>
#include <unshade/suite/case.hpp>
#include <unshade/suite/layout.hpp>
#include <unshade/suite/numbers.hpp>
#include <unshade/suite/suite.hpp>
#include <unshade/suite/test.hpp>

#include "suite/cases/cases.hpp"

namespace unshade::suite::cases {

/// Numbers that a list may get which is corrected as a whole.
inline constexpr std::size_t kMostCorrectedNumbers = 65536;

class Checker {
 public:
  Checker(const Suite& suite, const Case& one, const run::Runnable* shader, const run::RunOptions& options, bool corrects, Outcome& outcome)
      : suite_(suite), case_(one), shader_(shader), options_(options), corrects_(corrects), outcome_(outcome) {
    if (shader == nullptr) return;
    naming_.reflection = shader->reflection();
    bindings_.emplace(shader->module(), naming_);
  }

  Result<void> check(const Value& result);
  void fail(std::uint64_t offset, std::string what, Mismatch mismatch = {}) {
    ++outcome_.failed;
    if (outcome_.failures.size() < kMostFailures)
      outcome_.failures.push_back({suite_.place(offset), std::move(what), std::move(mismatch.expected), std::move(mismatch.actual)});
  }

 private:
  bool is_geometry() const { return shader_ != nullptr && shader_->module().stage == Stage::geometry; }
  bool is_feedback_map(const Value* given, std::string_view key) const {
    if (given != nullptr && (given->find("region") != nullptr || given->find("feedback") != nullptr)) return true;
    return shader_ != nullptr && std::ranges::any_of(shader_->module().resources, [&](const ir::Resource& one) {
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
  Result<void> row(const Value& actual, run::ResultRow kind, const Value& expected, const Tolerance& tolerance, const std::string& name,
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
  const run::Runnable* shader_;  ///< null: a scene was drawn
  run::RunOptions naming_;
  std::optional<run::Bindings> bindings_;  ///< for names alone
  const run::RunOptions& options_;
  bool corrects_;
  Outcome& outcome_;
  std::size_t kept_before_ = 0;  ///< of Outcome::kept, when one number for all began to be compared
};

// A list with all that there is.
template <class NumberAt>
void Checker::correct_list(const Value& expected, std::size_t count, NumberAt number_at) {
  if (!corrects_ || count > kMostCorrectedNumbers) return;
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

}  // namespace unshade::suite::cases
