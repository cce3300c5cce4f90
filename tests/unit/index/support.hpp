// A folder of its own for a test of databases.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unshade/index/database.hpp>

#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {

class DatabaseFolder : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// The path of the file.
  std::string write(const std::string& name, const std::vector<std::byte>& bytes) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path(name);
  }
  /// Those of an empty text are all.
  static std::vector<std::string> profiles(index::Database& database, const index::Conditions& conditions = {}) {
    std::vector<std::string> found;
    const auto query = index::Query::of(conditions, database.keeps().listings);
    if (!query) return {query.error().path};
    const auto ids = database.matching(*query);
    if (!ids) return {ids.error().path};
    EXPECT_TRUE(database.read(*ids, [&](index::Found&& one) {
      found.push_back(one.row.profile);
      return true;
    }));
    return found;
  }

 private:
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / ("unshade-index-" + std::to_string(process_id()));
};

}  // namespace unshade::test
