// Shaders inside other files, through the C interface.
#include <unshade/unshade.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/files.hpp"

namespace unshade {
namespace {

struct FreeHits {
  void operator()(unshade_hits* hits) const { unshade_hits_free(hits); }
};

struct Found {
  std::vector<unshade_hit> list;
  std::unique_ptr<unshade_hits, FreeHits> owner;
};

Found find_in(const std::byte* piece, std::size_t size, std::uint64_t offset, std::size_t starts, bool is_last) {
  unshade_hits* hits = nullptr;
  EXPECT_EQ(unshade_find(piece, size, offset, starts, is_last ? 1 : 0, &hits, nullptr), UNSHADE_OK);
  Found found{{}, std::unique_ptr<unshade_hits, FreeHits>(hits)};
  for (std::uint32_t i = 0; i < unshade_hit_count(hits); ++i) {
    unshade_hit hit{};
    hit.struct_size = sizeof hit;
    EXPECT_EQ(unshade_hit_at(hits, i, &hit), UNSHADE_OK);
    found.list.push_back(hit);
  }
  return found;
}

/// 100 bytes of nothing, a shader, 50 of nothing, another.
struct Pack {
  std::vector<std::byte> pixel = test::read_bytes(test::source_dir() / "tests/data/dxbc/textured_ps_5_0.dxbc");
  std::vector<std::byte> spirv = test::read_bytes(test::source_dir() / "tests/data/spirv/odd.spv");
  std::vector<std::byte> bytes = std::vector<std::byte>(100, std::byte{0x2a});

  Pack() {
    bytes.insert(bytes.end(), pixel.begin(), pixel.end());
    bytes.insert(bytes.end(), 50, std::byte{0});
    bytes.insert(bytes.end(), spirv.begin(), spirv.end());
  }
};

TEST(CFind, FindsShadersInsideAFile) {
  const Pack pack;
  const Found found = find_in(pack.bytes.data(), pack.bytes.size(), 0, pack.bytes.size(), true);
  ASSERT_EQ(found.list.size(), 2U);
  EXPECT_EQ(found.list[0].offset, 100U);
  EXPECT_EQ(found.list[0].size, pack.pixel.size());
  EXPECT_EQ(found.list[0].family, UNSHADE_DXBC);
  EXPECT_STREQ(found.list[0].form, "container");
  EXPECT_STREQ(found.list[0].certainty, "certain");
  EXPECT_EQ(found.list[0].parent, UNSHADE_NO_PARENT);
  EXPECT_EQ(found.list[1].offset, 150 + pack.pixel.size());
  EXPECT_EQ(found.list[1].family, UNSHADE_SPIRV);
}

TEST(CFind, SaysWhatReachesBeyondAPiece) {
  const Pack pack;
  const Found found = find_in(pack.bytes.data(), 1000, 0, 1000, false);
  ASSERT_EQ(found.list.size(), 1U);
  EXPECT_STREQ(found.list[0].certainty, "unfinished");
  EXPECT_EQ(found.list[0].offset, 100U);
  const Found finished = find_in(pack.bytes.data() + 100, pack.bytes.size() - 100, 100, 1, false);
  ASSERT_EQ(finished.list.size(), 1U);
  EXPECT_STREQ(finished.list[0].certainty, "certain");
  EXPECT_EQ(finished.list[0].offset, 100U);
}

TEST(CFind, RefusesWhatIsMissing) {
  unshade_hits* hits = nullptr;
  EXPECT_EQ(unshade_find(nullptr, 4, 0, 4, 1, &hits, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(hits, nullptr);
  const std::byte byte{};
  EXPECT_EQ(unshade_find(&byte, 1, ~std::uint64_t{0}, 1, 1, &hits, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_find(&byte, 1, 0, 1, 1, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_hit_count(nullptr), 0U);
  EXPECT_EQ(unshade_hit_at(nullptr, 0, nullptr), UNSHADE_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace unshade
