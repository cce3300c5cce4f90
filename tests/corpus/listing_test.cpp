// The listing of every file beside fxc's own.
#include <gtest/gtest.h>

#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxbc/debug_info.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/other_kind.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    // some projects stripped blanks at line ends
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) line.pop_back();
    lines.push_back(std::move(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  while (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
  return lines;
}

// The first section's heading or the profile line: what stands before it (compiler, command line) is not in the binary.
bool begins_listing(const std::string& line) {
  if (line.size() >= 4 && line[1] == 's' && line[2] == '_' && line[3] >= '0' && line[3] <= '9') return true;
  return line.starts_with("// ") && line.size() > 4 && line[3] >= 'A' && line[3] <= 'Z' && line.ends_with(":") &&
         line.find_first_of("().\\") == std::string::npos;
}

std::vector<std::string> comparable(std::string_view text) {
  auto lines = lines_of(text);
  if (!lines.empty() && lines.front() == "//") {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!begins_listing(lines[i])) continue;
      lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  }
  return lines;
}

std::optional<dxbc::FxcVersion> version_of(std::string_view reference) {
  constexpr std::string_view kMark = "HLSL Shader Compiler ";
  const auto at = reference.substr(0, 400).find(kMark);
  if (at == std::string_view::npos) return std::nullopt;
  const auto rest = reference.substr(at + kMark.size());
  return dxbc::parse_fxc_version(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

std::string listing_of(const std::vector<std::byte>& bytes, std::optional<dxbc::FxcVersion> version) {
  const auto shader = shader::open(view_of(bytes));
  if (!shader) return to_string(shader.error());
  Text text;
  shader::ListingOptions options;
  options.fxc = version;
  const auto listed = shader::disassemble(*shader, text, options);
  return listed ? text.str() : text.str() + to_string(listed.error());
}

bool has_debug_part(const std::vector<std::byte>& bytes) {
  const auto shader = shader::open(view_of(bytes));
  if (!shader) return false;
  for (const auto& part : shader->parts())
    if (dxbc::is_debug_part(part.fourcc)) return true;
  return false;
}

TEST(CorpusListing, IsWhatFxcPrints) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  // Where a reference was printed from a stripped file, nothing tells which compiler printed it: then any one version must give it.
  constexpr dxbc::FxcVersion kOlder[] = {{{10, 1, 18362, 0}},   {{10, 1, 17134, 0}},    {{10, 0, 10011, 16384}},
                                         {{6, 3, 9600, 16384}}, {{9, 30, 9200, 20714}}, {{9, 29, 952, 3111}}};
  std::size_t pairs = 0;
  std::size_t identical = 0;
  std::size_t by_older = 0;
  for (const auto& path : files_below(corpus / "dxbc", ".asm")) {
    const auto bytes = read_bytes(std::filesystem::path(path).replace_extension(".dxbc"));
    const std::string reference_text = read_text(path);
    auto reference = comparable(reference_text);
    // #line was printed before the debug part was stripped
    if (!has_debug_part(bytes)) std::erase_if(reference, [](const std::string& line) { return line.starts_with("#line"); });
    const auto version = version_of(reference_text);
    ++pairs;
    const auto ours = comparable(listing_of(bytes, version));
    if (ours == reference) {
      ++identical;
      continue;
    }
    bool matched = false;
    if (!version) {
      for (const auto& older : kOlder) matched = matched || comparable(listing_of(bytes, older)) == reference;
    }
    by_older += matched;
    if (matched) continue;
    std::size_t i = 0;
    while (i < ours.size() && i < reference.size() && ours[i] == reference[i]) ++i;
    ADD_FAILURE() << path << " line " << i + 1 << "\n  ours      " << (i < ours.size() ? ours[i] : "<end>") << "\n  reference "
                  << (i < reference.size() ? reference[i] : "<end>");
  }
  std::printf("%zu pairs, %zu identical, %zu more by an older version than the default for a file that names none\n", pairs, identical,
              by_older);
  EXPECT_GE(identical * 100, pairs * 97);
}

TEST(CorpusListing, EveryFileIsListedOrGivesALocatedError) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t listed = 0;
  std::size_t refused = 0;
  for (const char* const folder : {"dxbc", "other"}) {
    for (const auto& path : files_below(corpus / folder, "")) {
      if (path.extension() != ".dxbc" && path.extension() != ".dxcontainer") continue;
      const auto bytes = read_bytes(path);
      const auto shader = shader::open(view_of(bytes));
      Text text;
      const auto error = !shader ? std::optional(shader.error()) : [&]() -> std::optional<Error> {
        auto result = shader::disassemble(*shader, text);
        return result ? std::nullopt : std::optional(result.error());
      }();
      if (!error) {
        ++listed;
        // `unshade as` must take it; level 9 code alone, which it does not assemble, is listed like a shader of Direct3D 9
        const std::string listing = text.str();
        const shader::FileKind* const kind = shader::other_kind(View(std::as_bytes(std::span(listing))));
        const auto has = [&](const char(&part)[5]) { return shader->container()->find(dxcontainer::fourcc(part)) != nullptr; };
        const bool has_program = has("SHDR") || has("SHEX") || has("DXIL") || has("ILDB");
        ASSERT_NE(kind, nullptr) << path;
        EXPECT_TRUE(!has_program || kind->use == shader::FileUse::assemble) << path << ": " << kind->id;
        continue;
      }
      ++refused;
      EXPECT_FALSE(error->path.empty()) << path << ": " << to_string(*error);
      EXPECT_LE(error->offset, bytes.size()) << path;
      // effects hold no token program; the others are malformed on purpose
      const bool is_effect = shader && shader->container() != nullptr && shader->container()->find(dxcontainer::fourcc("FX10")) != nullptr;
      EXPECT_TRUE(is_effect || std::string_view(folder) == "other") << path << ": " << to_string(*error);
    }
  }
  std::printf("%zu files listed, %zu refused with a located error\n", listed, refused);
  EXPECT_GT(listed, 2000U);
}

}  // namespace

}  // namespace unshade::test
