// SMOL-V, by a module that its public encoder made (tests/data/README.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include <unshade/unpack/search.hpp>
#include "fuzz/properties.hpp"
#include "support/files.hpp"
#include "unpack/streams/smolv.hpp"
#include "unpack/streams/streams.hpp"

namespace unshade::test {

namespace {

using unpack::Budget;
using unpack::Feed;
using unpack::Search;
using unpack::search_bytes;
using unpack::stream_at;
using unpack::StreamFeed;
using Bytes = std::vector<std::byte>;

Bytes packed_module() { return read_bytes(source_dir() / "tests/data/archives/odd.smolv"); }
Bytes module_bytes() { return read_bytes(source_dir() / "tests/data/spirv/odd.spv"); }

/// Gives a few bytes at a time.
class DrippingFeed final : public Feed {
 public:
  DrippingFeed(const Bytes& bytes, std::size_t most) : bytes_(bytes), most_(most) {}

  std::size_t read(std::byte* into, std::size_t bytes) override {
    const std::size_t count = std::min({bytes, most_, bytes_.size() - at_});
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at_), count, into);
    at_ += count;
    return count;
  }

 private:
  const Bytes& bytes_;
  std::size_t most_;
  std::size_t at_ = 0;
};

TEST(Smolv, GivesTheModuleHoweverItIsRead) {
  Bytes packed = packed_module();
  const std::size_t size = packed.size();
  packed.resize(size + 100, std::byte{7});
  const auto* const form = stream_at(view_of(packed));
  ASSERT_NE(form, nullptr);
  EXPECT_EQ(form->id, "smolv");
  for (const std::size_t in : {1U, 3U, 64U, 16384U}) {
    for (const std::size_t out : {1U, 5U, 4096U}) {
      DrippingFeed feed(packed, in);
      Budget budget(packed.size());
      StreamFeed stream(*form, feed, budget);
      Bytes module;
      for (Bytes piece(out);;) {
        const std::size_t got = stream.read(piece.data(), piece.size());
        if (got == 0) break;
        module.insert(module.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got));
      }
      EXPECT_TRUE(stream.ended());
      EXPECT_EQ(stream.packed_bytes(), size);
      EXPECT_EQ(module, module_bytes());
    }
  }
}

TEST(Smolv, IsFoundAmongOtherBytes) {
  Bytes file(13, std::byte{0x4c});
  const Bytes packed = packed_module();
  for (int i = 0; i < 2; ++i) file.insert(file.end(), packed.begin(), packed.end());
  Search search;
  search.streams = true;
  const auto found = search_bytes("file", view_of(file), search);
  ASSERT_EQ(found.shaders.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(found.shaders[i].hit.size, module_bytes().size());
    EXPECT_EQ(found.shaders[i].layers->back().form, "smolv");
    EXPECT_EQ(found.shaders[i].layers->back().offset, 13 + i * packed.size());
  }
}

TEST(Smolv, CutOffItIsNone) {
  const Bytes packed = packed_module();
  Search search;
  search.streams = true;
  for (std::size_t size = 0; size < packed.size(); size += 5) {
    const Bytes cut(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_TRUE(search_bytes("cut", view_of(cut), search).shaders.empty()) << size;
  }
}

TEST(Smolv, ChangedBytesAreHarmless) {
  const Bytes packed = packed_module();
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    Bytes file = packed;
    for (int changes = i % 4 + 1; changes > 0; --changes) file[random() % file.size()] = static_cast<std::byte>(random());
    EXPECT_EQ(fuzz::unpacking(view_of(file)), "");
  }
  // a size that is another than that of the instructions
  for (const int change : {-4, 4, 1}) {
    Bytes file = packed;
    file[20] = static_cast<std::byte>(std::to_integer<int>(file[20]) + change);
    Search search;
    search.streams = true;
    EXPECT_TRUE(search_bytes("file", view_of(file), search).shaders.empty()) << change;
  }
}

}  // namespace

}  // namespace unshade::test
