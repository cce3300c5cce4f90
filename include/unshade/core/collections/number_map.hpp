// A hash table from numbers to values that only grows: all of it lies in one array.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace unshade {

/// Keys are any numbers but 2^64 - 1. References last until something is added.
template <class T>
class NumberMap {
 public:
  /// The value of a key; null: it has none.
  const T* find(std::uint64_t key) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place_of(key)];
    return slot.key == key ? &slot.value : nullptr;
  }
  /// The value of a key, which becomes T{} if it has none.
  T& operator[](std::uint64_t key) { return add(key, T{}).first; }
  /// The same, but it becomes `value`; and whether it has.
  std::pair<T&, bool> add(std::uint64_t key, T value) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place_of(key)];
    if (slot.key == key) return {slot.value, false};
    slot = {key, value};
    ++size_;
    return {slot.value, true};
  }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t key = kFree;
    T value{};
  };

  // The slot of a key, or the free one that it would get.
  std::size_t place_of(std::uint64_t key) const {
    const std::uint64_t mixed = (key ^ key >> 32) * 0x9e37'79b9'7f4a'7c15;
    std::size_t at = static_cast<std::size_t>(mixed >> 32) & (slots_.size() - 1);
    while (slots_[at].key != key && slots_[at].key != kFree) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<Slot> before(std::max<std::size_t>(64, 2 * slots_.size()));
    std::swap(before, slots_);
    for (const Slot& slot : before)
      if (slot.key != kFree) slots_[place_of(slot.key)] = slot;
  }

  std::vector<Slot> slots_;  ///< a power of two, at most half of them taken
  std::size_t size_ = 0;
};

}  // namespace unshade
