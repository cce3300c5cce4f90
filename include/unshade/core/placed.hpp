// Things that a record points to, with their places in the file: what lets an unedited file be written back as it was.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace unshade {

/// No place yet: the writer finds one by its layout policy.
inline constexpr std::uint32_t kUnplaced = 0xffff'ffff;

/// Zero-terminated text that a record points to. Borrows the file's bytes.
struct String {
  std::string_view text;
  std::uint32_t offset = kUnplaced;  ///< bytes from the start of the part's data

  bool empty() const { return text.empty(); }
  friend bool operator==(const String& a, std::string_view b) { return a.text == b; }
};

/// Records of one kind that a record points to.
template <class T>
struct Table {
  std::vector<T> items;
  std::uint32_t offset = kUnplaced;  ///< bytes from the start of the part's data

  std::size_t size() const { return items.size(); }
  bool empty() const { return items.empty(); }
  T& operator[](std::size_t i) { return items[i]; }
  const T& operator[](std::size_t i) const { return items[i]; }
  auto begin() { return items.begin(); }
  auto end() { return items.end(); }
  auto begin() const { return items.begin(); }
  auto end() const { return items.end(); }
};

}  // namespace unshade
