// Where fxc places the targets of a part's offsets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/placed.hpp>

namespace unshade::dxbc::parts {

/// One place after the other. observed, in all parts of fxc: equal texts and equal tables are shared, everything but texts is aligned to
/// 4 bytes.
class FxcPlaces {
 protected:
  /// `first`: bytes from the start of the part.
  explicit FxcPlaces(std::uint64_t first) : at_(first) {}

  std::uint32_t take(std::uint64_t bytes) {
    at_ = round_up(at_, 4);
    const std::uint64_t from = at_;
    at_ += bytes;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(from, kUnplaced - 1));
  }
  void text(String& string) {
    const auto [found, is_new] = texts_.try_emplace(string.text, static_cast<std::uint32_t>(at_));
    string.offset = found->second;
    if (is_new) at_ += string.text.size() + 1;
  }
  void optional_text(String& string) {
    if (!string.text.empty() || string.offset != 0) text(string);
  }
  /// A table made of these words, `bytes` of the table for each; the earlier one if there is an equal one.
  std::uint32_t table_of(std::vector<std::uint32_t> words, std::uint64_t bytes) {
    if (words.empty()) return 0;
    const auto [found, is_new] = tables_.try_emplace(std::move(words), 0);
    if (is_new) found->second = take(found->first.size() * bytes);
    return found->second;
  }

 private:
  std::uint64_t at_;
  std::map<std::string_view, std::uint32_t> texts_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> tables_;
};

}  // namespace unshade::dxbc::parts
