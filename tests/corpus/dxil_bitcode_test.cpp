// Bitcode of the corpus: read whole, written back to the bit, every byte in the tree; and, where the tool is there, the listing that
// llvm-bcanalyzer prints.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/system/program.hpp>
#include <unshade/system/work_folder.hpp>

#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {

namespace {

/// Calls f with each bitcode of the corpus: files of it, and parts of containers.
template <class F>
void for_bitcode(const std::filesystem::path& corpus, F&& f) {
  for (const char* ending : {".dxil", ".bc"}) {
    for (const auto& path : files_below(corpus / "dxil", ending)) {
      const auto bytes = read_bytes(path);
      const auto container = dxcontainer::parse_container(view_of(bytes));
      if (!container) {
        f(path.string(), view_of(bytes));
        continue;
      }
      for (const auto& part : container->parts) {
        if (!dxil::is_program(part.fourcc)) continue;
        const auto program = dxil::parse_program(part);
        if (program) f(path.string() + ' ' + part.name(), program->bitcode);
      }
    }
  }
}

TEST(CorpusBitcode, EveryBitIsReadAndWrittenBack) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t count = 0;
  std::size_t size = 0;
  std::size_t irregular = 0;
  for_bitcode(corpus, [&](const std::string& name, View bitcode) {
    ++count;
    size += bitcode.size();
    const auto stream = dxil::parse_bitstream(bitcode);
    ASSERT_TRUE(stream) << name << ": " << to_string(stream.error());
    irregular += stream->irregularities.empty() ? 0 : 1;
    const auto written = dxil::write_bitstream(*stream);
    ASSERT_TRUE(written) << name << ": " << to_string(written.error());
    EXPECT_TRUE(std::equal(written->begin(), written->end(), bitcode.bytes().begin(), bitcode.bytes().end())) << name;
    // The tree of a view that is a whole file.
    const View file(bitcode.bytes());
    Tree tree(file);
    dxil::record_bitcode(file, tree, 0);
    EXPECT_TRUE(tree.errors().empty()) << name;
    EXPECT_EQ(tree.coverage().named, file.size()) << name;
  });
  std::printf("%zu bitstreams of %zu bytes, %zu of them irregular\n", count, size, irregular);
  EXPECT_GT(count, 0U);
}

TEST(CorpusBitcode, EveryModuleIsRead) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t count = 0;
  std::size_t size = 0;
  std::size_t instructions = 0;
  double seconds = 0;
  for_bitcode(corpus, [&](const std::string& name, View bitcode) {
    const auto start = std::chrono::steady_clock::now();
    const auto module = dxil::parse_module(bitcode);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ASSERT_TRUE(module) << name << ": " << to_string(module.error());
    EXPECT_EQ(module->text(module->triple), "dxil-ms-dx") << name;
    instructions += module->instructions.size();
    size += bitcode.size();
    ++count;
  });
  std::printf("%zu modules, %zu instructions, %.1f MB/s\n", count, instructions, static_cast<double>(size) / seconds / 1e6);
  EXPECT_GT(count, 0U);
}

TEST(CorpusBitcode, TheListingIsThatOfTheTool) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  const std::filesystem::path tool = "/usr/lib/llvm-14/bin/llvm-bcanalyzer";
  if (!has_linux_program(tool)) GTEST_SKIP() << "no llvm-bcanalyzer of LLVM 14";
  const system::WorkFolder work;
  const std::string input = (work.path() / "bitcode").string();
  const std::string listing = (work.path() / "listing").string();
  const std::vector<std::string> words{"--dump", input};
  constexpr std::size_t kEvery = 8;  // a process for each takes its time
  std::size_t count = 0;
  std::size_t compared = 0;
  for_bitcode(corpus, [&](const std::string& name, View bitcode) {
    if (count++ % kEvery != 0) return;
    std::ofstream(input, std::ios::binary) << bitcode.text();
    ASSERT_TRUE(system::run_program(tool.string(), words, listing, std::chrono::minutes(1)));
    std::string expected = read_text(listing);
    const auto end = expected.find("\nSummary of");
    ASSERT_NE(end, std::string::npos) << name;
    expected.resize(end);
    while (expected.ends_with("\n\n")) expected.pop_back();
    Text text;
    ASSERT_TRUE(dxil::list_bitcode(bitcode, text)) << name;
    EXPECT_TRUE(text.view() == expected) << name;
    ++compared;
  });
  std::printf("%zu listings compared\n", compared);
}

}  // namespace

}  // namespace unshade::test
