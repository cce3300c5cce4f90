// Listings of every DXIL module of the corpus, assembled: the very same bits where the listing is exact.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/listing.hpp>
#include <unshade/dxil/parts.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

struct Outcome {
  std::size_t modules = 0;
  std::size_t same = 0;
  std::size_t refused = 0;
  std::size_t bytes = 0;
  double seconds = 0;
};

void check(View bitcode, const std::string& name, bool exact, Outcome& outcome) {
  const auto module = dxil::parse_module(bitcode);
  if (!module) return;
  dxil::ListingOptions options;
  options.sections = false;
  options.exact = exact;
  Text text;
  if (!dxil::list_module(*module, bitcode.size(), text, options)) return;
  ++outcome.modules;
  outcome.bytes += bitcode.size();
  const auto start = std::chrono::steady_clock::now();
  const dxil::Assembly made = dxil::assemble(text.view());
  outcome.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!made.ok) {
    ++outcome.refused;
    ADD_FAILURE() << name << ": " << to_string(made.messages.front());
    return;
  }
  outcome.same += std::ranges::equal(made.file, bitcode.bytes()) ? 1 : 0;
}

Outcome check_all(const std::filesystem::path& corpus, bool exact) {
  Outcome outcome;
  for (const auto& path : files_below(corpus / "dxil", ".dxil")) {
    const auto bytes = read_bytes(path);
    const auto container = dxcontainer::parse_container(view_of(bytes));
    if (!container) continue;
    for (const auto& part : container->parts) {
      if (!dxil::is_program(part.fourcc)) continue;
      if (const auto program = dxil::parse_program(part)) check(program->bitcode, path.string(), exact, outcome);
    }
  }
  std::printf("%zu modules, %zu the same bits, %.1f MB/s of bitcode\n", outcome.modules, outcome.same,
              static_cast<double>(outcome.bytes) / outcome.seconds / 1e6);
  return outcome;
}

TEST(CorpusDxilAssemble, exact_listings_give_the_same_bits) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  const Outcome outcome = check_all(corpus, true);
  EXPECT_GT(outcome.modules, 0U);
  // The rest was numbered by other compilers than dxc.
  EXPECT_GE(outcome.same * 100, outcome.modules * 98);
}

TEST(CorpusDxilAssemble, plain_listings_assemble) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  const Outcome outcome = check_all(corpus, false);
  EXPECT_GE(outcome.same * 100, outcome.modules * 45);
}

}  // namespace

}  // namespace unshade::test
