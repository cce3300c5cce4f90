// Tables of pages that stand in the code too: UNSHADE_BLESS=1 writes the rows anew.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "support/files.hpp"

namespace unshade::test {

/// A text as it stands in a cell.
inline std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

/// What follows a text in a page, up to where it ends: `end`.
inline void check_page(std::string_view page, std::string_view head, std::string_view end, const std::string& expected) {
  const auto path = source_dir() / page;
  const std::string text = read_text(path);
  const std::size_t from = text.find(head);
  ASSERT_NE(from, std::string::npos) << page << " has no " << head;
  const std::size_t first = from + head.size();
  const std::size_t last = text.find(end, first - 1);
  ASSERT_NE(last, std::string::npos);
  if (std::getenv("UNSHADE_BLESS") != nullptr) {
    std::ofstream(path, std::ios::binary) << text.substr(0, first) << expected << text.substr(last + 1);
    return;
  }
  EXPECT_EQ(text.substr(first, last + 1 - first), expected);
}
/// The rows of the table under a head of columns.
inline void check_table(std::string_view page, std::string_view head, const std::string& rows) { check_page(page, head, "\n\n", rows); }

}  // namespace unshade::test
