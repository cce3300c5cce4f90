// The first value at every key of every sample's document changed, in each way of tests/support/document_edits.hpp.
#include "support/document_edits.hpp"

#include <gtest/gtest.h>

namespace unshade::test {

namespace {

constexpr std::size_t kLike = 1;  // values at the same keys, of each sample

TEST(CorpusDocumentEdits, EachIsKeptOrRefused) {
  const DocumentEdits edits;
  std::uint64_t number = 0;
  for (const auto& sample : edits.samples()) {
    std::map<std::string, std::size_t> seen;
    for (const Steps& leaf : sample.leaves) {
      std::string keys;
      for (const Step& step : leaf) keys += step.key + '/';
      if (++seen[keys] > kLike) continue;
      for (const Value& other : edits.others(*go(const_cast<Value&>(sample.plain), leaf), key_of(leaf), ++number))
        EXPECT_EQ(edits.fault_of(sample, leaf, other), "");
    }
  }
}

}  // namespace

}  // namespace unshade::test
