// SPIR-V modules of the corpus: listed as their published listings, assembled back, named to the byte, valid.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/listing.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/spirv/validate/check.hpp>

#include "unit/spirv/spirv_builder.hpp"

namespace unshade {

namespace {

std::vector<std::filesystem::path> modules() {
  std::vector<std::filesystem::path> found;
  const auto folder = test::corpus_dir();
  if (folder.empty()) return found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".spv") found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

class SpirvCorpus : public testing::Test {
 protected:
  void SetUp() override {
    paths_ = modules();
    if (paths_.empty()) GTEST_SKIP() << "no corpus";
  }
  std::vector<std::filesystem::path> paths_;
};

TEST_F(SpirvCorpus, ListingsAssembleToTheSameBytes) {
  for (const auto& path : paths_) {
    const auto bytes = test::read_bytes(path);
    EXPECT_TRUE(test::assembled(test::listed(bytes, {.friendly_names = false})) == bytes) << path;
    EXPECT_TRUE(test::assembled(test::listed(bytes, {.exact = true})) == bytes) << path;
    EXPECT_EQ(test::difference_but_for_ids(bytes, test::assembled(test::listed(bytes))), "") << path;
  }
}

TEST_F(SpirvCorpus, PublishedListingsAssembleToTheModule) {
  std::size_t compared = 0;
  for (auto path : paths_) {
    const auto bytes = test::read_bytes(path);
    const std::string text = test::read_text(path.replace_extension(".spvasm"));
    if (text.empty()) continue;
    ++compared;
    EXPECT_EQ(test::difference_but_for_ids(bytes, test::assembled(text)), "") << path;
  }
  EXPECT_NE(compared, 0U);
}

TEST_F(SpirvCorpus, EveryByteIsNamedAndNoRuleBroken) {
  for (const auto& path : paths_) {
    const auto bytes = test::read_bytes(path);
    Tree tree(test::view_of(bytes));
    spirv::record_module(tree.file(), tree, 0);
    tree.fill_gaps({});
    EXPECT_TRUE(tree.errors().empty()) << path;
    EXPECT_EQ(tree.coverage().named, bytes.size()) << path;
    Findings findings(bytes.size());
    spirv::check_module(tree.file(), findings);
    for (const Diagnostic& finding : findings.take()) ADD_FAILURE() << path << ": " << to_string(finding);
  }
}

TEST_F(SpirvCorpus, ChangedWordsAreListedAndComeBack) {
  std::uint32_t state = 1;
  const auto random = [&] { return state = state * 1664525U + 1013904223U; };
  for (std::size_t i = 0; i < paths_.size(); i += 4) {
    auto bytes = test::read_bytes(paths_[i]);
    if (bytes.size() > 20'000) continue;
    for (int round = 0; round < 20; ++round) {
      auto changed = bytes;
      for (int k = 0; k < 3; ++k)
        changed[spirv::kHeaderBytes + random() % (changed.size() - spirv::kHeaderBytes)] = static_cast<std::byte>(random() >> 24);
      const auto module = spirv::parse(test::view_of(changed));
      if (!module) continue;
      EXPECT_TRUE(test::assembled(test::listed(changed, {.exact = true})) == changed) << paths_[i] << " round " << round;
      EXPECT_TRUE(test::assembled(test::listed(changed, {.friendly_names = false, .exact = true})) == changed)
          << paths_[i] << " round " << round;
      Findings findings(changed.size());
      spirv::check_module(*module, findings);
    }
  }
}

}  // namespace

}  // namespace unshade
