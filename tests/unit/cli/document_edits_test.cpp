// Edits of documents as people make them: one value of the YAML or JSON text changed, a few of each sample. tests/corpus has all of them.
#include "support/document_edits.hpp"

#include <gtest/gtest.h>

namespace unshade::test {

namespace {

constexpr std::uint64_t kEach = 3;  // of each sample

TEST(DocumentEdits, EachIsKeptOrRefused) {
  const DocumentEdits edits;
  ASSERT_GT(edits.samples().size(), 35U);
  std::uint64_t number = 0;
  for (const auto& sample : edits.samples()) {
    for (std::uint64_t i = 0; i < kEach; ++i) {
      const std::uint64_t random = (++number * 0x9e37'79b9'7f4a'7c15) >> 20;
      const Steps& leaf = sample.leaves[random % sample.leaves.size()];
      const auto others = edits.others(*go(const_cast<Value&>(sample.plain), leaf), key_of(leaf), random);
      if (others.empty()) continue;
      const Value& other = others[random % others.size()];
      EXPECT_EQ(edits.fault_of(sample, leaf, other), "");
      EXPECT_EQ(edits.fault_of(sample, leaf, other, DocumentEdits::Format::json), "") << "as JSON";
    }
  }
}

// Programs stand in documents as text of their assembly language.
TEST(DocumentEdits, DigitsOfProgramsAreKeptOrRefused) {
  const DocumentEdits edits;
  std::uint64_t number = 0;
  std::size_t tried = 0;
  for (const auto& sample : edits.samples())
    for (const Steps& leaf : sample.leaves) {
      const Value& value = *go(const_cast<Value&>(sample.plain), leaf);
      if (value.as_text() == nullptr || value.as_text()->find('\n') == std::string::npos) continue;
      for (const Value& other : edits.others(value, key_of(leaf), number += 7)) {
        EXPECT_EQ(edits.fault_of(sample, leaf, other), "");
        ++tried;
      }
    }
  EXPECT_GE(tried, 60U);
}

// An element of PSV0 tells where a text of the signature stands. One that comes to cover the next element, too, must not give it its text.
TEST(DocumentEdits, RowsOfAnElementDoNotRenameOthers) {
  const DocumentEdits edits;
  for (const auto& sample : edits.samples()) {
    if (sample.name != "expand_gs_6_0.dxil") continue;
    for (const Steps& leaf : sample.leaves) {
      if (key_of(leaf) != "rows") continue;
      EXPECT_EQ(edits.fault_of(sample, leaf, Value::integer(23)), "");
    }
  }
}

}  // namespace

}  // namespace unshade::test
