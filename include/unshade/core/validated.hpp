// Validity as a type: only validators make it, and code without checks of its own requires it.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <unshade/core/diagnostic.hpp>

namespace unshade {

/// The key that only the validators of T have: T's room defines it, not publicly, so that nothing else can make a Validated<T>.
template <class T>
class ValidationKey;

/// A value without errors. It cannot be changed, and borrows what the value borrows.
template <class T>
class Validated {
 public:
  Validated(const ValidationKey<T>&, T value) : value_(std::move(value)) {}

  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }

  /// The value, for who changes it and makes a Validated of it again.
  T take(const ValidationKey<T>&) && { return std::move(value_); }

 private:
  T value_;
};

/// All that validation found and, if none of it is an error, the value as a valid one.
template <class T>
class ValidationOutcome {
 public:
  ValidationOutcome(const ValidationKey<T>& key, T value, std::vector<Diagnostic> diagnostics) : diagnostics_(std::move(diagnostics)) {
    if (!has_errors(diagnostics_)) valid_.emplace(key, std::move(value));
  }

  bool ok() const { return valid_.has_value(); }
  /// In the order of their offsets.
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  /// Nothing if there are errors.
  const std::optional<Validated<T>>& valid() const& { return valid_; }
  std::optional<Validated<T>> valid() && { return std::move(valid_); }

 private:
  std::vector<Diagnostic> diagnostics_;
  std::optional<Validated<T>> valid_;
};

}  // namespace unshade
