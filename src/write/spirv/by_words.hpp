// Values by the words of an instruction, such as types and constants by what they consist of.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace unshade::write::spirv_writer {

/// Keys stand one after the other, so that none takes memory of its own.
template <class T>
class ByWords {
 public:
  /// The number of the value of a key, and whether it is new: then it is T{}. Numbers stay.
  std::pair<std::size_t, bool> add(std::span<const std::uint32_t> key) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    const std::size_t hash = hash_of(key);
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != kFree; slot = (slot + 1) & (slots_.size() - 1)) {
      const Entry& entry = entries_[slots_[slot]];
      if (entry.hash == hash && std::ranges::equal(std::span(words_).subspan(entry.first, entry.count), key)) return {slots_[slot], false};
    }
    slots_[slot] = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({hash, words_.size(), key.size(), T{}});
    words_.insert(words_.end(), key.begin(), key.end());
    return {entries_.size() - 1, true};
  }
  T& operator[](std::size_t number) { return entries_[number].value; }

 private:
  static constexpr std::uint32_t kFree = 0xffff'ffff;
  struct Entry {
    std::size_t hash, first, count;  ///< the key in words_
    T value;
  };

  static std::size_t hash_of(std::span<const std::uint32_t> words) {
    std::uint64_t mixed = words.size();
    for (const std::uint32_t word : words) {
      mixed = (mixed ^ word) * 0x9e37'79b9'7f4a'7c15;
      mixed ^= mixed >> 32;
    }
    return static_cast<std::size_t>(mixed);
  }
  void grow() {
    if (slots_.empty()) {
      entries_.reserve(32);
      words_.reserve(128);
    }
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), kFree);
    for (std::size_t number = 0; number < entries_.size(); ++number) {
      std::size_t slot = entries_[number].hash & (slots_.size() - 1);
      while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<std::uint32_t>(number);
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> slots_;  ///< numbers by the lower bits of the hash; a power of two
};

}  // namespace unshade::write::spirv_writer
