// Parts of the files, by their names.
#include <unshade/unpack/shard.hpp>

#include <gtest/gtest.h>

namespace unshade::test {
namespace {

TEST(Shard, HasEachNameOnce) {
  for (int name = 0; name < 100; ++name) {
    int shards = 0;
    for (const char* text : {"1/3", "2/3", "3/3"}) shards += unpack::shard_of(text)->has(std::to_string(name)) ? 1 : 0;
    EXPECT_EQ(shards, 1) << name;
  }
  EXPECT_TRUE(unpack::Shard{}.has("any"));
}

TEST(Shard, RefusesOtherTexts) {
  for (const char* text : {"", "1", "0/3", "4/3", "1/0", "a/3", "1/3x", "1/1000001"}) EXPECT_FALSE(unpack::shard_of(text)) << text;
}

}  // namespace
}  // namespace unshade::test
