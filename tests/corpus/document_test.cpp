// Documents of every file: each gives its file back to the byte, most without hints. Prints both shares, and what stands as bytes.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>

#include <unshade/core/value.hpp>
#include <unshade/document_text/document_text.hpp>
#include <unshade/present/value.hpp>
#include <unshade/shader/document.hpp>
#include <unshade/shader/shader.hpp>

#include "support/files.hpp"
#include "support/open_first.hpp"

namespace unshade::test {

namespace {

struct Shares {
  std::size_t files = 0;
  std::size_t without_hints = 0;
  std::size_t opaque = 0;
  std::uint64_t bytes = 0;
  std::uint64_t hex = 0;
  std::uint64_t hex_in_texts = 0;
  std::uint64_t expected_hex = 0;  ///< bitcode, private data and effects, which no description of ours writes
  std::map<std::string, std::uint64_t> hex_by_part;
};

void count_parts(const Value& document, Shares& shares) {
  const Value* const parts = document.find("parts");
  if (parts == nullptr) return;
  for (const Value& entry : *parts->as_list()) {
    const auto& [name, value, offset] = entry.as_map()->front();
    const std::uint64_t bytes = count_bytes(entry);
    if (bytes != 0) shares.hex_by_part[name] += bytes;
    if (const Value* const bitcode = value.find("bitcode")) shares.expected_hex += count_bytes(*bitcode);
    if (name == "PRIV" || name == "FX10") shares.expected_hex += bytes;
  }
}

TEST(CorpusDocument, EveryFileComesBackToTheByteMostlyWithoutHints) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::map<std::string, Shares> families;
  for (const auto& [folder, extension] : {std::pair{"dxbc", ".dxbc"}, {"dxil", ".dxil"}, {"shbin", ".shbin"}, {"spirv", ".spv"}}) {
    for (const auto& path : files_below(corpus / folder, extension)) {
      const auto bytes = read_bytes(path);
      shader::DocumentFacts facts;
      const auto document = shader::make_document(view_of(bytes), &facts);
      if (!document) continue;  // of those that do not open, other tests tell
      Shares& shares = families[*document->find("family")->as_text()];
      ++shares.files;
      shares.without_hints += facts.stated_parts == 0 && !facts.opaque;
      shares.opaque += facts.opaque;
      shares.bytes += bytes.size();
      shares.hex += facts.hex_bytes;
      shares.hex_in_texts += facts.hex_in_texts;
      count_parts(*document, shares);
      Text text;
      present::print_yaml(text, *document);
      const auto read = document_text::read_yaml(text.view());
      ASSERT_TRUE(read) << path << ' ' << to_string(read.error());
      const auto built = shader::build_document(*read);
      ASSERT_TRUE(built) << path << ' ' << to_string(built.error());
      EXPECT_TRUE(*built == bytes) << path;
    }
  }
  for (const auto& [family, shares] : families) {
    const auto percent = [](std::uint64_t part, std::uint64_t all) {
      return all == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
    };
    std::printf(
        "%s: %zu files, %.1f %% without hints, %zu opaque, %.1f %% of bytes in hex, of these %.1f %% bitcode, private, "
        "effects\n",
        family.c_str(), shares.files, percent(shares.without_hints, shares.files), shares.opaque, percent(shares.hex, shares.bytes),
        percent(shares.expected_hex, shares.hex));
    for (const auto& [part, hex] : shares.hex_by_part)
      std::printf("  %s: %llu bytes in hex\n", part.c_str(), static_cast<unsigned long long>(hex));
    if (shares.hex_in_texts != 0)
      std::printf("  comments in texts: %llu bytes in hex\n", static_cast<unsigned long long>(shares.hex_in_texts));
    EXPECT_GE(percent(shares.without_hints, shares.files), 99.0) << family;
    EXPECT_EQ(shares.opaque, 0U) << family;
    if (const auto spdb = shares.hex_by_part.find("SPDB"); spdb != shares.hex_by_part.end()) {
      EXPECT_LE(percent(spdb->second, shares.bytes), 1.0) << "records of program databases are fields";
    }
    EXPECT_LE(percent(shares.hex_in_texts, shares.bytes), 1.0) << family;
  }
}

}  // namespace

}  // namespace unshade::test
