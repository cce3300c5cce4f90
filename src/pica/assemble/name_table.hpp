// Names to values: open addressing over borrowed text, for the many short look-ups of an assembler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pica/packed_text.hpp"

namespace unshade::pica::assembler {

template <class T>
class NameTable {
 public:
  struct Entry {
    packed::Key key;
    std::string_view name;
    T value;
  };

  /// Names beyond this are refused, which bounds what texts made to collide can cost.
  static constexpr std::size_t kMost = 1 << 16;

  void clear() {
    entries_.clear();
    slots_.clear();
  }
  bool full() const { return entries_.size() >= kMost; }
  const std::vector<Entry>& entries() const { return entries_; }

  T* find(std::string_view name) {
    if (entries_.empty()) return nullptr;
    const packed::Key key = packed::Key::of(name);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = key.hash() & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
      Entry& entry = entries_[slots_[slot] - 1];
      if (entry.key == key && entry.name == name) return &entry.value;
    }
    return nullptr;
  }
  /// False if the name is there already.
  bool add(std::string_view name, T value) {
    if (find(name) != nullptr) return false;
    entries_.push_back({packed::Key::of(name), name, value});
    if (slots_.size() < entries_.size() * 2) {
      slots_.assign(entries_.size() < 32 ? 64 : slots_.size() * 2, 0);
      for (std::size_t i = 0; i < entries_.size(); ++i) place(i);
    } else {
      place(entries_.size() - 1);
    }
    return true;
  }

 private:
  void place(std::size_t entry) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = entries_[entry].key.hash() & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(entry + 1);
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // index of an entry + 1; 0 is free
};

}  // namespace unshade::pica::assembler
