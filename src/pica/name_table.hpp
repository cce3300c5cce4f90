// Names to values: open addressing over borrowed text, for the many short look-ups of an assembler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace unshade::pica {

template <class T>
class NameTable {
 public:
  struct Entry {
    std::string_view name;
    T value;
    std::uint32_t hash;
  };

  /// Names beyond this are refused, which bounds what texts made to collide can cost.
  static constexpr std::size_t kMost = 1 << 16;

  void clear() {
    entries_.clear();
    slots_.clear();
  }
  bool full() const { return entries_.size() >= kMost; }
  const std::vector<Entry>& entries() const { return entries_; }

  /// A hash that grows with the name, for callers that walk its characters anyway: begin with kBasis, grow() by each, then finished().
  static constexpr std::uint64_t kBasis = 0x9e37'79b9'7f4a'7c15;
  static constexpr std::uint64_t grow(std::uint64_t hash, char c) { return (hash ^ static_cast<unsigned char>(c)) * 0x0000'0100'0000'01b3; }
  static constexpr std::uint32_t finished(std::uint64_t hash) { return static_cast<std::uint32_t>(hash ^ hash >> 29); }

  T* find(std::string_view name) { return find(name, hash_of(name)); }
  T* find(std::string_view name, std::uint32_t hash) {
    if (entries_.empty()) return nullptr;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
      Entry& entry = entries_[slots_[slot] - 1];
      if (entry.hash == hash && entry.name == name) return &entry.value;
    }
    return nullptr;
  }
  /// False where the name is there already.
  bool add(std::string_view name, T value) {
    if (find(name) != nullptr) return false;
    entries_.push_back({name, value, hash_of(name)});
    if (slots_.size() < entries_.size() * 2) {
      slots_.assign(entries_.size() < 32 ? 64 : slots_.size() * 2, 0);
      for (std::size_t i = 0; i < entries_.size(); ++i) place(i);
    } else {
      place(entries_.size() - 1);
    }
    return true;
  }

 private:
  static std::uint32_t hash_of(std::string_view name) {
    std::uint64_t hash = kBasis;
    for (const char c : name) hash = grow(hash, c);
    return finished(hash);
  }
  void place(std::size_t entry) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = entries_[entry].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(entry + 1);
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // index of an entry + 1; 0 is free
};

}  // namespace unshade::pica
