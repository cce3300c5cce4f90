// What an archive that reads no bytes answers to a description that asks about bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>

namespace unshade {

/// A base of archives that walk descriptions to document them, or models to make values of them. It never fails; an archive that knows its
/// position has its own function.
struct WithoutBytes {
  static constexpr bool kReads = false;
  static constexpr bool kRecords = false;

  void count_from(std::size_t) {}
  bool ok() const { return true; }
  std::size_t position() const { return 0; }
  std::size_t rest() const { return 0; }
  View part() const { return {}; }
  std::optional<std::uint32_t> peek32(std::size_t = 0) const { return std::nullopt; }
  void fail(ErrorCode, const char*, std::string) {}
  void fail_at(ErrorCode, std::size_t, const char*, std::string) {}
};

}  // namespace unshade
