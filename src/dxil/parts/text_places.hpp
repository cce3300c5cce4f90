// Gives places in a table of texts to those that have none yet.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/placed.hpp>
#include <unshade/core/view.hpp>

namespace unshade::dxil::parts {

/// Starts from the table as it was read. An empty table begins with the empty text, as dxc writes it.
class TextPlaces {
 public:
  explicit TextPlaces(View table) : read_(table) {}

  void place(String& string) {
    if (string.offset != kUnplaced) return;
    if (!changed_) own_.assign(read_.bytes().begin(), read_.bytes().end());
    changed_ = true;
    if (own_.empty()) own_.push_back(std::byte{0});
    if (string.text.empty()) {
      string.offset = 0;
      return;
    }
    string.offset = static_cast<std::uint32_t>(own_.size());
    const auto bytes = std::as_bytes(std::span(string.text.data(), string.text.size()));
    own_.insert(own_.end(), bytes.begin(), bytes.end());
    own_.push_back(std::byte{0});
  }
  /// A multiple of 4 bytes if it was changed. Borrows from this object.
  View table() {
    if (!changed_) return read_;
    own_.resize(round_up(own_.size(), 4));
    return View(own_);
  }

 private:
  View read_;
  bool changed_ = false;
  std::vector<std::byte> own_;
};

}  // namespace unshade::dxil::parts
