// Messages of a run, or of a slice of it, bounded: the first ones by group, lane, and the order in which the lane printed them. That is a
// property of the program alone, and not of the order in which waves and threads come to print.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include <unshade/vm/machine.hpp>

namespace unshade::vm::messages {

class Log {
 public:
  /// Messages to keep.
  explicit Log(std::size_t most = 0) : most_(most) {}

  bool is_kept() const { return most_ != 0; }
  /// Counts a message. Whether it may be one of the first: keep() must follow then.
  bool count(const std::array<std::uint32_t, 3>& group, std::uint32_t lane);
  /// Keeps the message that was counted last; drops those that are no longer among the first.
  void keep(Printed printed, std::size_t characters);
  /// Adds the messages of lanes that have none here.
  void add(Log other);
  void clear() { *this = Log(most_); }
  void move_to(Report& report);

  /// Of messages that are kept, with what their texts take.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 22;

 private:
  struct Place {
    std::array<std::uint32_t, 3> group{};  ///< z first
    std::uint32_t lane = 0;
    std::uint64_t number = 0;  ///< of a message, in the order of time
    auto operator<=>(const Place&) const = default;
  };
  struct Kept {
    Printed printed;
    std::size_t bytes = 0;
  };
  void shorten();

  std::size_t most_;
  std::size_t bytes_ = 0;
  std::uint64_t count_ = 0;
  Place last_;                ///< of what count() counted
  std::optional<Place> end_;  ///< where what was dropped begins
  std::map<Place, Kept> kept_;
};

}  // namespace unshade::vm::messages
