// Whether a shader begins where its magic number is, and where it ends.
#pragma once

#include <algorithm>
#include <cstdint>

#include <unshade/core/view.hpp>
#include <unshade/find/carve.hpp>

namespace unshade::find {

enum class Verdict : std::uint8_t {
  none,
  found,
  unfinished,  ///< the bytes end before it can be told
};

struct Checked {
  Verdict verdict = Verdict::none;
  std::uint64_t size = 0;  ///< bytes; if unfinished, those that tell more, or 0
  Certainty certainty = Certainty::certain;
};

/// How many bytes all checks of a piece may look at. Shaders lie side by side, mostly; those that begin in each other and reach far are
/// made to cost.
struct Work {
  std::uint64_t left;

  static Work of(std::size_t bytes) { return {16 * std::uint64_t{bytes} + (std::uint64_t{1} << 20)}; }
  bool take(std::uint64_t bytes) {
    if (bytes > left) {
      left = 0;
      return false;
    }
    left -= bytes;
    return true;
  }
};

/// Checks what begins with the magic number of a form. `is_last`: nothing follows the bytes.
Checked check(Form form, View from, bool is_last, Work& work);

}  // namespace unshade::find
