// Databases of shaders, through the C interface.
#include <unshade/unshade.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade {
namespace {

TEST(CIndex, RefusesWhatIsMissing) {
  unshade_index* index = nullptr;
  unshade_blob* blob = nullptr;
  EXPECT_EQ(unshade_index_open(nullptr, 0, &index, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_index_open("x", 0, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_index_open("x", 8, &index, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_index_open("x", UNSHADE_INDEX_KEEP, &index, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_index_add(nullptr, nullptr, 0, nullptr, 0, nullptr, nullptr, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_index_remove(nullptr, "x", nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_index_merge(nullptr, nullptr, 0, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_index_check(nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_index_stats(nullptr, "x", &blob, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_index_search(nullptr, nullptr, 0, sizeof(unshade_condition), nullptr, nullptr, &blob, nullptr),
            UNSHADE_INVALID_ARGUMENT);
  unshade_index_free(nullptr);
}

#ifdef UNSHADE_HAS_DATABASE

std::string taken(unshade_blob* blob) {
  if (blob == nullptr) return {};
  std::string made(static_cast<const char*>(unshade_blob_data(blob)), unshade_blob_size(blob));
  unshade_blob_free(blob);
  return made;
}

class CIndexes : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove(path);
    unshade_index* made = nullptr;
    ASSERT_EQ(unshade_index_open(path.c_str(), UNSHADE_INDEX_MAKE, &made, nullptr), UNSHADE_OK);
    index.reset(made);
  }
  void TearDown() override {
    index.reset();  // Windows removes no open file
    std::filesystem::remove(path);
  }

  /// The rows, or the code and the error: `bad-value where: ...`.
  std::string search(const std::vector<unshade_condition>& conditions, const unshade_search_options* options = nullptr) {
    unshade_blob* rows = nullptr;
    unshade_error* error = nullptr;
    const unshade_code code =
        unshade_index_search(index.get(), conditions.data(), conditions.size(), sizeof(unshade_condition), options, nullptr, &rows, &error);
    if (code == UNSHADE_OK) return taken(rows);
    EXPECT_EQ(rows, nullptr);
    const std::string said = std::string(unshade_code_name(code)) + ' ' + unshade_error_path(error) + ": " + unshade_error_message(error);
    unshade_error_free(error);
    return said;
  }

  struct Free {
    void operator()(unshade_index* one) const { unshade_index_free(one); }
  };
  const std::string path =
      (std::filesystem::temp_directory_path() / ("unshade-c-index-" + std::to_string(unshade::test::process_id()))).string();
  const std::string pixel = (test::source_dir() / "tests/data/dxbc/textured_ps_5_0.dxbc").string();
  const std::string vertex = (test::source_dir() / "tests/data/dxbc/lit_vs_5_0.dxbc").string();
  std::unique_ptr<unshade_index, Free> index;
};

TEST_F(CIndexes, AddsAndSearches) {
  const char* files[] = {pixel.c_str(), vertex.c_str(), "no such file"};
  unshade_index_totals totals{};
  totals.struct_size = sizeof totals;
  unshade_messages* faults = nullptr;
  ASSERT_EQ(unshade_index_add(index.get(), files, 3, nullptr, 0, nullptr, &totals, &faults, nullptr), UNSHADE_OK);
  EXPECT_EQ(totals.files, 3U);
  EXPECT_EQ(totals.added, 2U);
  ASSERT_EQ(unshade_message_count(faults), 1U);
  unshade_message fault{};
  fault.struct_size = sizeof fault;
  ASSERT_EQ(unshade_message_at(faults, 0, &fault), UNSHADE_OK);
  EXPECT_STREQ(fault.rule, "io");
  EXPECT_STREQ(fault.path, "no such file");
  unshade_messages_free(faults);
  const std::string found = search({{UNSHADE_HAS_NAME, "tint"}, {UNSHADE_HAS_BINDING, "albe*"}, {UNSHADE_HAS_OPCODE, "discard*"}});
  EXPECT_EQ(found.find("{\"schema\":\"unshade.search/1\",\"xxh3\":"), 0U) << found;
  EXPECT_NE(found.find("\"profile\":\"ps_5_0\""), std::string::npos) << found;
  EXPECT_EQ(found.find('\n'), found.size() - 1);
  unshade_search_options options{};
  options.struct_size = sizeof options;
  options.regex = "^dcl_sampler";
  EXPECT_NE(search({}, &options).find("\"text\":\"dcl_sampler s0"), std::string::npos);
  options.regex = nullptr;
  options.limit = 1;
  const std::string first = search({}, &options);
  EXPECT_EQ(first.find('\n'), first.size() - 1);
  unshade_blob* stats = nullptr;
  ASSERT_EQ(unshade_index_stats(index.get(), "x", &stats, nullptr), UNSHADE_OK);
  const std::string counts = taken(stats);
  EXPECT_NE(counts.find("\"unshade.index-stats/1\""), std::string::npos) << counts;
  EXPECT_NE(counts.find("\"file\": \"x\""), std::string::npos) << counts;
  ASSERT_EQ(unshade_index_remove(index.get(), pixel.c_str(), nullptr), UNSHADE_OK);
  EXPECT_EQ(search({{UNSHADE_HAS_NAME, "tint"}}), "");
}

TEST_F(CIndexes, SaysWhatIsWrong) {
  EXPECT_EQ(search({{UNSHADE_HAS_COLUMNS, "no_column = 1"}}), "bad-value where: no such column: no_column");
  EXPECT_EQ(search({{UNSHADE_HAS_WORDS, "mul"}}).find("bad-value words: this database has no listings"), 0U);
  EXPECT_EQ(search({{6, "x"}}).find("invalid-argument "), 0U);
  EXPECT_EQ(search({{UNSHADE_HAS_HASH, "12345678"}, {UNSHADE_HAS_HASH, "12345678"}}).find("invalid-argument "), 0U);
  unshade_search_options options{};
  options.struct_size = sizeof options;
  options.context = 1;
  EXPECT_EQ(search({}, &options), "invalid-argument : ignore_case and context require regex");
  options.regex = "(";
  EXPECT_EQ(search({}, &options).find("bad-value regex: "), 0U);
  unshade_index* other = nullptr;
  EXPECT_EQ(unshade_index_open(path.c_str(), UNSHADE_INDEX_MAKE | UNSHADE_INDEX_TEXT, &other, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_index_open(pixel.c_str(), 0, &other, nullptr), UNSHADE_BAD_MAGIC);
  EXPECT_EQ(other, nullptr);
}

TEST_F(CIndexes, MergesOthersAndChecks) {
  const auto make = [&](const std::string& name, std::uint32_t flags, const std::string& file) {
    const std::string other = path + name;
    std::filesystem::remove(other);
    unshade_index* made = nullptr;
    EXPECT_EQ(unshade_index_open(other.c_str(), UNSHADE_INDEX_MAKE | flags, &made, nullptr), UNSHADE_OK);
    const char* files[] = {file.c_str()};
    EXPECT_EQ(unshade_index_add(made, files, 1, nullptr, 0, nullptr, nullptr, nullptr, nullptr), UNSHADE_OK);
    unshade_index_free(made);
    return other;
  };
  // Files, replaced ones and shaders; or the code and the error.
  const auto merge = [](unshade_index* into, const std::vector<std::string>& names) {
    std::vector<const char*> others;
    for (const std::string& name : names) others.push_back(name.c_str());
    unshade_index_merged merged{};
    merged.struct_size = sizeof merged;
    unshade_error* error = nullptr;
    const unshade_code code = unshade_index_merge(into, others.data(), others.size(), &merged, &error);
    if (code == UNSHADE_OK)
      return std::to_string(merged.files) + ' ' + std::to_string(merged.replaced) + ' ' + std::to_string(merged.added);
    const std::string said = std::string(unshade_code_name(code)) + ' ' + unshade_error_path(error) + ": " + unshade_error_message(error);
    unshade_error_free(error);
    return said;
  };
  const std::string first = make("-1", UNSHADE_INDEX_KEEP, pixel);
  const std::string second = make("-2", 0, vertex);
  EXPECT_EQ(merge(index.get(), {first, second}), "2 0 2");
  EXPECT_EQ(merge(index.get(), {first}), "1 0 0");
  EXPECT_NE(search({{UNSHADE_HAS_NAME, "tint"}}), "");
  EXPECT_EQ(unshade_index_check(index.get(), nullptr), UNSHADE_OK);

  EXPECT_EQ(merge(index.get(), {first, path}), "invalid-argument others[1]: a database must not be merged into itself");
  EXPECT_EQ(merge(index.get(), {second, pixel}).find("bad-magic others[1]: "), 0U);
  EXPECT_EQ(merge(index.get(), {path + "-none"}).find("missing others[0]: "), 0U);
  unshade_index* keeps = nullptr;
  ASSERT_EQ(unshade_index_open(first.c_str(), UNSHADE_INDEX_MAKE, &keeps, nullptr), UNSHADE_OK);
  EXPECT_EQ(merge(keeps, {second}), "invalid-argument others[0]: it was made without UNSHADE_INDEX_KEEP, which the index keeps");
  unshade_index_free(keeps);

  // One path, two files: nothing of either is merged.
  const std::string file = path + "-file";
  std::filesystem::copy_file(pixel, file, std::filesystem::copy_options::overwrite_existing);
  const std::string before = make("-3", 0, file);
  std::filesystem::copy_file(vertex, file, std::filesystem::copy_options::overwrite_existing);
  const std::string after = make("-4", 0, file);
  EXPECT_EQ(merge(index.get(), {before, after}),
            "invalid-argument others[1]: its file " + file + " has other shaders than that of others[0]");
  EXPECT_EQ(merge(index.get(), {before}), "1 0 0");
  EXPECT_EQ(merge(index.get(), {after}), "1 1 0");

  auto bytes = test::read_bytes(second);
  for (std::size_t at = 2 * 8192 + 100; at < bytes.size(); at += 8192) bytes[at] ^= std::byte{1};
  std::ofstream(second, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  EXPECT_EQ(merge(index.get(), {first, second}).find("bad-value others[1]: "), 0U);
  unshade_index* damaged = nullptr;
  ASSERT_EQ(unshade_index_open(second.c_str(), 0, &damaged, nullptr), UNSHADE_OK);
  EXPECT_EQ(unshade_index_check(damaged, nullptr), UNSHADE_BAD_VALUE);
  unshade_index_free(damaged);
  EXPECT_EQ(unshade_index_check(index.get(), nullptr), UNSHADE_OK);
  for (const std::string& name : {first, second, before, after, file}) std::filesystem::remove(name);
}

#else

TEST(CIndex, IsUnsupportedWithoutDatabases) {
  unshade_index* index = nullptr;
  EXPECT_EQ(unshade_index_open("x", UNSHADE_INDEX_MAKE, &index, nullptr), UNSHADE_UNSUPPORTED);
}

#endif

}  // namespace
}  // namespace unshade
