// Listings of every DXIL module of the corpus, assembled: the very same bits where the listing is exact.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/derive.hpp>
#include <unshade/dxil/listing.hpp>
#include <unshade/dxil/parts.hpp>

#include "support/dxil_listing_edits.hpp"
#include "support/files.hpp"

namespace unshade::test {

namespace {

using dxcontainer::fourcc;

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
  const Assembly made = dxil::assemble(text.view());
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

TEST(CorpusDxilAssemble, ExactListingsGiveTheSameBits) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  const Outcome outcome = check_all(corpus, true);
  EXPECT_GT(outcome.modules, 0U);
  // The rest was numbered by other compilers than dxc.
  EXPECT_GE(outcome.same * 100, outcome.modules * 98);
}

TEST(CorpusDxilAssemble, PlainListingsAssemble) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  const Outcome outcome = check_all(corpus, false);
  EXPECT_GE(outcome.same * 100, outcome.modules * 45);
}

/// What a text does not say comes from the container that it goes into.
TEST(CorpusDxilAssemble, PlainListingsGiveTheirContainersBack) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t files = 0;
  std::size_t same = 0;
  std::size_t same_module = 0;
  for (const auto& path : files_below(corpus / "dxil", ".dxil")) {
    const auto bytes = read_bytes(path);
    const auto container = dxcontainer::parse_container(view_of(bytes));
    if (!container) continue;
    const auto* const part = container->find_any({fourcc("ILDB"), fourcc("DXIL")});
    if (part == nullptr) continue;
    const auto program = dxil::parse_program(*part);
    if (!program) continue;
    const auto module = dxil::parse_module(program->bitcode);
    if (!module) continue;
    dxil::ListingOptions options;
    options.sections = false;
    Text text;
    if (!dxil::list_module(*module, program->bitcode.size(), text, options)) continue;
    ++files;
    const Assembly made = dxil::assemble_into(text.view(), *container);
    EXPECT_TRUE(made.ok) << path << ": " << to_string(made.messages.front());
    same += made.file == bytes ? 1 : 0;
    // Without looking whether the text is the listing of what is there.
    Message message;
    dxil::Module again;
    if (!dxil::parse_module_text(text.view(), again, message, &*module)) continue;
    const auto bitcode = dxil::write_module(again);
    const bool is_same = bitcode && std::ranges::equal(*bitcode, program->bitcode.bytes());
    if (!is_same) std::printf("another order: %s\n", path.filename().string().c_str());
    same_module += is_same ? 1 : 0;
  }
  std::printf("%zu containers, %zu the same, %zu modules numbered alike\n", files, same, same_module);
  EXPECT_GT(files, 0U);
  EXPECT_EQ(same, files);
  EXPECT_GE(same_module * 100, files * 98);
}

/// What dxc's container assembler makes of a module is made of it.
TEST(CorpusDxilAssemble, DerivedPartsAreThoseOfTheFiles) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  struct Count {
    std::size_t parts = 0;
    std::size_t same = 0;
  };
  std::map<std::string, Count> counts;
  for (const auto& path : files_below(corpus / "dxil", ".dxil")) {
    const auto bytes = read_bytes(path);
    const auto container = dxcontainer::parse_container(view_of(bytes));
    const auto* const part = container ? container->find_any({fourcc("ILDB"), fourcc("DXIL")}) : nullptr;
    const auto program = part != nullptr ? dxil::parse_program(*part) : Result<dxil::Program>(Error{});
    if (!program) continue;
    const auto module = dxil::parse_module(program->bitcode);
    if (!module) continue;
    std::optional<dxil::Rdat> rdat;
    if (const auto* const library = container->find(fourcc("RDAT")))
      if (auto parsed = dxil::parse_rdat(*library)) rdat = *std::move(parsed);
    for (const dxil::DerivedPart& derived : dxil::derive_parts(dxil::read_program_metadata(*module), rdat ? &*rdat : nullptr)) {
      const auto* const there = container->find(derived.fourcc);
      if (there == nullptr) continue;
      Count& count = counts[std::string(there->name())];
      ++count.parts;
      const bool is_same = std::ranges::equal(derived.data, there->data.bytes());
      count.same += is_same ? 1 : 0;
      if (!is_same) std::printf("%s of %s\n", there->name(), path.filename().string().c_str());
    }
  }
  for (const auto& [name, count] : counts) {
    std::printf("%s: %zu of %zu the same\n", name.c_str(), count.same, count.parts);
    EXPECT_GE(count.same * 100, count.parts * 98) << name;
  }
  EXPECT_FALSE(counts.empty());
}

/// Every 41st word, or every one that UNSHADE_EDIT_STEP says: 1 takes an hour without optimisation.
TEST(CorpusDxilAssemble, EveryWordOfAListingCounts) {
  const char* const given = std::getenv("UNSHADE_EDIT_STEP");
  const std::size_t step = given == nullptr ? 41 : std::max<std::size_t>(std::strtoul(given, nullptr, 10), 1);
  std::size_t edits = 0;
  for (const auto& path : files_below(source_dir() / "tests/data/dxil", ".dxil"))
    for (const ListingUse use : {ListingUse::into, ListingUse::container, ListingUse::exact})
      check_listing_edits(path, use, 0, step, edits);
  EXPECT_GT(edits, 1000U);
}

}  // namespace

}  // namespace unshade::test
