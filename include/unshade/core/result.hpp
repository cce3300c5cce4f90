// Errors are values: every function that can fail returns a Result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace unshade {

/// What kind of error it is. Tests and callers match on this, never on the message.
enum class ErrorCode : std::uint8_t {
  truncated,     ///< the bytes end before the field does
  out_of_range,  ///< an offset, count or size points outside what it may reach
  bad_magic,     ///< not the format it claims to be
  bad_value,     ///< a value with no meaning in this place, where reading cannot go on
  overlap,       ///< records or parts share bytes that they may not share
  cycle,         ///< a record refers to itself
  limit,         ///< a bound of <unshade/core/limits.hpp> was reached
  unsupported,   ///< a known format or version that this build does not read
  missing,       ///< something that the request needs is not in the file
};

/// The identifier of an error code, as it is printed between brackets: `out-of-range`.
std::string_view id(ErrorCode code);

/// A located error.
struct Error {
  ErrorCode code = ErrorCode::bad_value;
  std::uint64_t offset = 0;  ///< bytes from the start of the file
  std::string path;          ///< field path, outermost first: `ISGN/elements[3]/register`
  std::string message;       ///< one sentence without the location, lower case, no full stop

  /// Puts `parent` before the path, as an error travels outwards.
  Error&& within(std::string_view parent) && {
    path = path.empty() ? std::string(parent) : std::string(parent) + '/' + path;
    return std::move(*this);
  }
};

/// `0x1c: error[out-of-range]: ISGN/elements[3]/register: message`, without the file's name in front.
std::string to_string(const Error& error);

/// A value or an Error; shaped like std::expected so that it can become it.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  T& operator*() & { return *std::get_if<0>(&state_); }
  const T& operator*() const& { return *std::get_if<0>(&state_); }
  T&& operator*() && { return std::move(*std::get_if<0>(&state_)); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  Error& error() & { return *std::get_if<1>(&state_); }
  const Error& error() const& { return *std::get_if<1>(&state_); }
  Error&& error() && { return std::move(*std::get_if<1>(&state_)); }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool has_value() const { return !error_; }
  explicit operator bool() const { return has_value(); }
  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace unshade
