// The verb scan on GPUPersistentCache of Chrome: databases as Chromium's components/persistent_cache makes them.
#if defined(UNSHADE_HAS_DATABASE)

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unshade/unpack/search.hpp>
#include "fuzz/properties.hpp"
#include "support/files.hpp"
#include "support/made_files.hpp"
#include "support/system.hpp"

namespace unshade::test {

namespace {

using unpack::search_files;

constexpr const char* kTable =
    "CREATE TABLE entries(key TEXT PRIMARY KEY UNIQUE NOT NULL, content BLOB NOT NULL, input_signature INTEGER, write_timestamp INTEGER)";

/// A database in memory; each content is an entry.
Bytes database_of(const char* table, const std::vector<Bytes>& contents) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(":memory:", &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, table, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(database, "insert into entries(key, content) values(?, ?)", -1, &insert, nullptr);
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const std::string key = "k\xff" + std::to_string(i);
    sqlite3_bind_text(insert, 1, key.data(), static_cast<int>(key.size()), SQLITE_TRANSIENT);
    sqlite3_bind_blob64(insert, 2, contents[i].data(), contents[i].size(), SQLITE_TRANSIENT);
    EXPECT_EQ(sqlite3_step(insert), SQLITE_DONE);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  sqlite3_int64 size = 0;
  unsigned char* const image = sqlite3_serialize(database, "main", &size, 0);
  const auto* const begin = reinterpret_cast<const std::byte*>(image);
  Bytes bytes(begin, begin + size);
  sqlite3_free(image);
  sqlite3_close(database);
  return bytes;
}

/// As Dawn has it: some numbers, and the shader at an odd offset.
Bytes shader_content() {
  Bytes content(37, std::byte{3});
  const Bytes shader = sample("textured_ps_5_0.dxbc");
  content.insert(content.end(), shader.begin(), shader.end());
  content.resize(content.size() + 11);
  return content;
}

Bytes deflated(const Bytes& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  Bytes packed(size);
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()));
  packed.resize(size);
  return packed;
}

Bytes cache() { return database_of(kTable, {Bytes(100, std::byte{7}), shader_content(), deflated(shader_content())}); }

TEST(ScanChromeCache, FindsShadersInTheContentOfEntries) {
  Bytes file = cache();
  for (const std::byte version : {std::byte{1}, std::byte{2}}) {  // 2: with a write-ahead log
    file[18] = file[19] = version;
    const SearchedFile found = search_bytes("cache.db", view_of(file), {});
    EXPECT_TRUE(found.faults.empty());
    ASSERT_EQ(found.shaders.size(), 2U);
    for (const auto& shader : found.shaders) {
      EXPECT_EQ(shader.hit.offset, 37U);
      EXPECT_EQ(shader.hit.size, sample("textured_ps_5_0.dxbc").size());
      EXPECT_EQ(shader.layers->front().form, "sqlite");
    }
    EXPECT_EQ(found.shaders[0].layers->back().member, "entry_2");
    EXPECT_EQ(found.shaders[1].layers->front().member, "entry_3");
    EXPECT_EQ(found.shaders[1].layers->back().form, "zlib");
  }
}

/// The same by files, which are not in memory.
TEST(ScanChromeCache, ReadsFiles) {
  const Bytes file = cache();
  const auto path = std::filesystem::temp_directory_path() / ("unshade-cache-" + std::to_string(process_id()) + ".db");
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  std::size_t shaders = 0;
  search_files(
      {path.string()}, {}, 1, [](std::uint64_t) {},
      [&](SearchedFile&& found) {
        shaders += found.shaders.size();
        EXPECT_TRUE(found.faults.empty());
        return true;
      });
  EXPECT_EQ(shaders, 2U);
  std::filesystem::remove(path);
}

TEST(ScanChromeCache, OtherDatabasesAreSearchedAsTheyAre) {
  const Bytes file = database_of("create table entries(content blob, key text)", {shader_content(), deflated(shader_content())});
  const SearchedFile found = search_bytes("x.db", view_of(file), {});
  EXPECT_TRUE(found.faults.empty());
  for (const auto& shader : found.shaders) EXPECT_EQ(shader.layers, nullptr);
}

TEST(ScanChromeCache, DamageIsAFaultAndNeverAnEnd) {
  const Bytes whole = cache();
  // a page of the table that leads to itself, and one that is gone
  Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(whole.size() - 4096));
  EXPECT_FALSE(search_bytes("cache.db", view_of(cut), {}).faults.empty());
  for (std::size_t page = 1; page * 4096 < whole.size(); ++page) {
    Bytes file = whole;
    std::fill_n(file.begin() + static_cast<std::ptrdiff_t>(page * 4096), 4096, std::byte{5});
    EXPECT_EQ(fuzz::unpacking(view_of(file)), "");
  }
  for (std::size_t i = 0; i < 60; ++i) {
    Bytes file = whole;
    file[(i * 7919) % file.size()] ^= static_cast<std::byte>(1U << i % 8);
    EXPECT_EQ(fuzz::unpacking(view_of(file)), "");
  }
  Bytes schema = whole;
  const std::string_view text = view_of(schema).text();
  const std::size_t at = text.find("content BLOB");
  ASSERT_NE(at, std::string_view::npos);
  std::fill_n(schema.begin() + static_cast<std::ptrdiff_t>(at), 7, static_cast<std::byte>('x'));
  ASSERT_EQ(search_bytes("cache.db", view_of(schema), {}).faults.size(), 1U);
}

}  // namespace

}  // namespace unshade::test

#endif
