// What every file cut short has to give.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <unshade/shader/shader.hpp>

#include "fuzz/properties.hpp"
#include "support/container.hpp"
#include "support/files.hpp"

namespace unshade::test {

/// Of properties that take a file for a shader. What is left of one damages databases as all of it does, by its first bytes.
inline void expect_properties(View file, const std::string& what) {
  for (const auto& property : fuzz::properties()) {
    if (property.name == "damaged_database") continue;
    EXPECT_EQ(property.holds(file), "") << property.name << ": " << what;
  }
}

/// Every truncation of a container is refused, with the field and its offset: the header states a size that is no longer there.
inline void expect_every_truncation_is_refused(const std::vector<std::byte>& bytes, const std::string& what) {
  const auto whole = shader::open(view_of(bytes));
  ASSERT_TRUE(whole) << what;
  if (whole->container() == nullptr) return;
  for (std::size_t size = 0; size < whole->container()->size; ++size) {
    const auto cut = shader::open(view_of(bytes).clamped(0, size));
    ASSERT_FALSE(cut) << what << ", " << size << " bytes";
    EXPECT_FALSE(cut.error().path.empty()) << what << ", " << size << " bytes";
    EXPECT_LE(cut.error().offset, size) << what << ", " << size << " bytes";
  }
}

/// Truncations whose header states what is left: an error or what is still there. Every `step`-th size.
inline void expect_truncations_with_their_size_hold(const std::vector<std::byte>& bytes, std::size_t step, const std::string& what) {
  for (std::size_t size = dxcontainer::kHeaderBytes; size < bytes.size(); size += step) {
    std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    put_u32(cut, 24, static_cast<std::uint32_t>(size));
    expect_properties(view_of(cut), what + ", " + std::to_string(size) + " bytes");
  }
}

/// One part cut short at a time, in a container that is in order. About `cuts` sizes of each part, those near its ends among them.
inline void expect_truncated_parts_hold(const std::vector<std::byte>& bytes, std::size_t cuts, const std::string& what) {
  const auto shader = shader::open(view_of(bytes));
  ASSERT_TRUE(shader) << what;
  if (shader->container() == nullptr) return;
  const auto parts = loose_parts(*shader->container());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t step = std::max<std::size_t>(1, parts[i].data.size() / cuts);
    for (std::size_t size = 0; size < parts[i].data.size(); size += step) {
      auto cut = parts;
      cut[i].data.resize(size);
      const auto file = container_of(cut);
      expect_properties(view_of(file), what + ", parts[" + std::to_string(i) + "] of " + std::to_string(size) + " bytes");
    }
  }
}

}  // namespace unshade::test
