// Tables of enumerations that print in two ways: by their name in reports, and by fxc's word in listings.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <unshade/core/tree.hpp>

namespace unshade::dxbc::parts {

struct TextRow {
  std::uint32_t value;
  std::string_view id;
  std::string_view fxc;
};

/// The names of a table, for a NameTable.
template <std::size_t N>
constexpr std::array<NamedValue, N> ids_of(const TextRow (&rows)[N]) {
  std::array<NamedValue, N> names{};
  for (std::size_t i = 0; i < N; ++i) names[i] = {rows[i].value, rows[i].id};
  return names;
}

/// The row of a value, or an empty one. Rows that stand at the index of their value are found at once.
template <std::size_t N, class E>
constexpr TextRow find_row(const TextRow (&rows)[N], E enumerator) {
  const auto value = static_cast<std::uint32_t>(enumerator);
  if (value < N && rows[value].value == value) return rows[value];
  for (const TextRow& row : rows)
    if (row.value == value) return row;
  return {value, {}, {}};
}

}  // namespace unshade::dxbc::parts
