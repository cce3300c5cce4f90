// Suites that `unshade test --amber` writes as scripts, in a folder of the test's own.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include <unshade/document_text/document_text.hpp>

#include "support/command.hpp"
#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {

class AmberScripts : public ::testing::Test {
 protected:
  AmberScripts() : folder_(std::filesystem::temp_directory_path() / ("unshade-scripts-" + std::to_string(process_id()))) {
    std::filesystem::create_directories(folder_);
  }
  ~AmberScripts() override { std::filesystem::remove_all(folder_); }

  struct Written {
    std::string file, reason, status;
  };
  /// What became of the tests of a suite, by their names in it.
  std::map<std::string, Written> write(const std::string& suite) {
    const auto done = run_command({"test", "--json", "--amber", (folder_ / "out").generic_string(), suite});
    const auto result = document_text::read_yaml(done.out);
    EXPECT_TRUE(result) << done.out << done.err;
    std::map<std::string, Written> made;
    const std::string before = suite + ": ";
    for (const Value& one : *result->find("amber")->as_list()) {
      Written& to = made[one.find("test")->as_text()->substr(before.size())];
      if (const Value* const file = one.find("file")) to.file = *file->as_text();
      if (const Value* const reason = one.find("reason")) to.reason = *reason->as_text();
    }
    for (const Value& one : *result->find("tests")->as_list())
      made[one.find("name")->as_text()->substr(before.size())].status = *one.find("status")->as_text();
    return made;
  }
  /// The same of a suite with this text, which goes into the folder.
  std::map<std::string, Written> write_suite(std::string_view name, std::string_view text) {
    const std::string suite = add(name, text);
    return write(suite);
  }
  /// A file in the folder, and its path.
  std::string add(std::string_view name, std::string_view text) {
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.generic_string();
  }
  /// A file of tests/data.
  static std::string data(std::string_view name) { return (source_dir() / "tests/data" / name).generic_string(); }
  static std::string status_of(const std::string& script) {
    const auto done = run_command({"test", "--json", script});
    const auto result = document_text::read_yaml(done.out);
    return result ? *(*result->find("tests")->as_list())[0].find("status")->as_text() : done.err;
  }
  /// All are written, and each script has the verdict of its test. How many passed and failed.
  static std::map<std::string, int> agreeing(const std::map<std::string, Written>& written) {
    std::map<std::string, int> statuses;
    for (const auto& [name, one] : written) {
      EXPECT_EQ(one.reason, "") << name;
      EXPECT_EQ(status_of(one.file), one.status) << name;
      ++statuses[one.status];
    }
    return statuses;
  }

  std::filesystem::path folder_;
};

}  // namespace unshade::test
