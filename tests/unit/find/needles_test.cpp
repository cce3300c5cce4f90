// Every pass finds what a loop over all offsets finds.
#include "find/needles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace unshade::test {

namespace {

std::vector<std::pair<std::size_t, find::Form>> by_loop(std::span<const std::byte> bytes) {
  std::vector<std::pair<std::size_t, find::Form>> found;
  for (std::size_t at = 0; at + find::kNeedleBytes <= bytes.size(); ++at)
    for (const find::Needle& needle : find::kNeedles)
      if (std::memcmp(needle.bytes.data(), bytes.data() + at, find::kNeedleBytes) == 0) found.emplace_back(at, needle.form);
  return found;
}

void expect_same(std::span<const std::byte> bytes) {
  const auto expected = by_loop(bytes);
  for (const find::NeedlePass& pass : find::needle_passes()) {
    std::vector<find::Candidate> candidates;
    pass.run(bytes, candidates);
    std::vector<std::pair<std::size_t, find::Form>> found;
    for (const find::Candidate& candidate : candidates) found.emplace_back(candidate.offset, candidate.form);
    EXPECT_EQ(found, expected) << pass.id << ", " << bytes.size() << " bytes";
  }
}

TEST(Needles, AreFoundAtEveryOffset) {
  for (const find::Needle& needle : find::kNeedles) {
    for (std::size_t at = 0; at < 100; ++at) {
      std::vector<std::byte> bytes(at + find::kNeedleBytes + at % 40);
      std::memcpy(bytes.data() + at, needle.bytes.data(), find::kNeedleBytes);
      EXPECT_EQ(by_loop(bytes).size(), 1U);
      expect_same(bytes);
      bytes.resize(at + find::kNeedleBytes - 1);  // cut off
      expect_same(bytes);
    }
  }
}

// Bytes of needles alone, so that pairs come often and whole needles now and then.
TEST(Needles, AreFoundAmongTheirOwnBytes) {
  std::mt19937 random(11);
  std::size_t found = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::byte> bytes;
    const std::size_t size = random() % 500;
    while (bytes.size() < size) {
      const find::Needle& needle = find::kNeedles[random() % find::kNeedles.size()];
      const std::size_t length = 1 + random() % find::kNeedleBytes;
      for (std::size_t i = 0; i < length; ++i) bytes.push_back(static_cast<std::byte>(needle.bytes[i]));
    }
    found += by_loop(bytes).size();
    expect_same(bytes);
  }
  EXPECT_GT(found, 1000U);
}

TEST(Needles, AreFoundByInstructionsOfThisMachine) {
#if defined(__x86_64__)
  EXPECT_EQ(find::needle_passes()[1].id, "sse2");
#elif defined(__AARCH64EL__)
  EXPECT_EQ(find::needle_passes().back().id, "neon");
#endif
}

TEST(Needles, AreFoundInRandomBytes) {
  std::mt19937 random(12);
  std::vector<std::byte> bytes(1 << 16);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  expect_same(bytes);
  expect_same({});
}

}  // namespace

}  // namespace unshade::test
