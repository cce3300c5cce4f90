// The listing of every DXIL file beside dxc's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/listing.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

/// Lines without blanks at their ends, which some projects strip, and without empty lines at both ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) line.remove_suffix(1);
    if (!lines.empty() || !line.empty()) lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string listing_of(View file, std::optional<dxil::DxcVersion> dxc = {}) {
  Text text;
  dxil::ListingOptions options;
  options.dxc = dxc;
  const auto done = [&]() -> Result<void> {
    if (!dxcontainer::is_container(file)) return dxil::disassemble(file, text, options);
    const auto container = dxcontainer::parse_container(file);
    return container ? dxil::disassemble(*container, text, options) : Result<void>(container.error());
  }();
  return done ? text.str() : text.str() + to_string(done.error());
}

bool is_listing_of(const std::vector<std::byte>& bytes, const dxil::DxcVersion& version, const std::vector<std::string_view>& lines) {
  const std::string listing = listing_of(view_of(bytes), version);
  return lines_of(listing) == lines;
}

TEST(CorpusDxilListing, IsWhatDxcPrints) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t compared = 0;
  std::size_t older = 0;
  std::vector<std::string> different;
  for (const auto& path : files_below(corpus / "dxil", ".ll")) {
    auto binary = path;
    if (!std::filesystem::exists(binary.replace_extension(".dxil"))) binary.replace_extension(".bc");
    const auto bytes = read_bytes(binary);
    const std::string reference = test::read_text(path);
    const std::string listing = listing_of(view_of(bytes));
    const auto ours = lines_of(listing);
    const auto theirs = lines_of(reference);
    ++compared;
    if (ours == theirs) continue;
    // A listing does not tell which dxc printed it.
    if (std::ranges::any_of(dxil::kDxcReleases, [&](const dxil::DxcVersion& version) { return is_listing_of(bytes, version, theirs); })) {
      ++older;
      continue;
    }
    const auto [a, b] = std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end());
    different.push_back(binary.lexically_relative(corpus).string() + "\n  ours      " + (a == ours.end() ? "<end>" : std::string(*a)) +
                        "\n  reference " + (b == theirs.end() ? "<end>" : std::string(*b)));
  }
  for (const std::string& text : different) std::printf("%s\n", text.c_str());
  std::printf("%zu listings: %zu of older releases, %zu differ\n", compared, older, different.size());
  // One reference is not of its binary: a structure was renamed.
  EXPECT_LE(different.size(), compared / 100);
}

TEST(CorpusDxilListing, EveryProgramHasOne) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t listed = 0;
  for (const std::string_view ending : {".dxil", ".bc"})
    for (const auto& path : files_below(corpus / "dxil", ending)) {
      const auto bytes = read_bytes(path);
      const std::string listing = listing_of(view_of(bytes));
      EXPECT_NE(listing.find("\ntarget triple = "), std::string::npos) << path;
      EXPECT_EQ(listing.find("error["), std::string::npos) << path;
      EXPECT_EQ(listing.find("<badref>"), std::string::npos) << path;
      ++listed;
    }
  std::printf("%zu programs\n", listed);
}

}  // namespace

}  // namespace unshade::test
