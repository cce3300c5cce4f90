// Every shader of the corpus, planted at random offsets between random bytes, is found with its place and size, and nothing else is.
#include <unshade/find/carve.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/shader/shader.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

/// What is planted of a file: a container goes without what follows it.
std::vector<std::byte> shader_of(const std::filesystem::path& path) {
  std::vector<std::byte> bytes = read_bytes(path);
  const auto opened = shader::open(view_of(bytes));
  if (!opened) return {};
  if (const auto* const container = std::get_if<dxcontainer::Container>(&opened->content)) bytes.resize(container->size);
  return bytes;
}

TEST(CorpusCarve, FindsEachAmongRandomBytesAndNothingElse) {
  if (corpus_dir().empty()) GTEST_SKIP() << kNoCorpus;
  constexpr std::size_t kBatchBytes = std::size_t{1} << 24;
  std::mt19937 random(21);
  std::map<std::string, std::size_t> certainties;
  std::size_t planted = 0;
  std::size_t missed = 0;
  std::vector<std::byte> file;
  std::map<std::uint64_t, std::pair<std::string, std::size_t>> places;  // names and sizes by offset
  const auto search = [&] {
    find::Carved carved = find::carve(view_of(file), file.size(), true);
    find::nest(carved.hits);
    for (const find::Hit& hit : carved.hits) {
      if (hit.parent) continue;
      const auto place = places.find(hit.offset);
      if (place == places.end()) {
        ADD_FAILURE() << "invented: " << id(hit.form) << " of " << hit.size << " bytes at " << hit.offset;
        continue;
      }
      EXPECT_EQ(hit.size, place->second.second) << place->second.first;
      ++certainties[std::string(id(hit.certainty))];
      places.erase(place);
    }
    for (const auto& [offset, place] : places) {
      ADD_FAILURE() << "missed: " << place.first;
      ++missed;
    }
    file.clear();
    places.clear();
  };
  const auto add_random = [&](std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) file.push_back(static_cast<std::byte>(random()));
  };
  for (const auto& path : files_below(corpus_dir(), "")) {
    const std::vector<std::byte> bytes = shader_of(path);
    if (bytes.empty()) continue;
    add_random(1 + random() % 400);
    places.emplace(file.size(), std::pair(path.lexically_relative(corpus_dir()).string(), bytes.size()));
    file.insert(file.end(), bytes.begin(), bytes.end());
    ++planted;
    if (file.size() > kBatchBytes) search();
  }
  add_random(64);
  search();
  RecordProperty("planted", static_cast<int>(planted));
  EXPECT_GT(planted, 3000U);
  EXPECT_EQ(missed, 0U);
  // signed, or of a format without a digest
  EXPECT_GT(certainties["certain"], planted * 95 / 100);
}

}  // namespace

}  // namespace unshade::test
