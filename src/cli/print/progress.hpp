// How far a batch has come: a bar on the terminal, and the line at its end.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <unshade/core/text.hpp>

#include "cli/io/stream.hpp"

namespace unshade::cli::print {

/// The unit of which sizes are printed.
inline constexpr std::string_view kProgressBytes = "bytes";

/// A bar on standard error. Draws nothing if that is no terminal, or the work is done at once.
class Progress {
 public:
  /// `unit`: what is counted. Bytes are printed as sizes, with the time that is left.
  Progress(Host& host, std::uint64_t total, std::string_view unit = "files");
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// `done` of `total`.
  void show(std::uint64_t done);
  /// Takes the bar away, so that something else can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  Stream* to_;  // null: draws nothing
  std::uint64_t total_;
  std::string_view unit_;
  Clock::time_point start_;
  Clock::time_point next_;
  std::size_t shown_ = 0;  // characters on the line
};

/// `41.2 MB`; bytes below a thousand as they are.
void print_size(Text& out, std::uint64_t bytes);

}  // namespace unshade::cli::print
