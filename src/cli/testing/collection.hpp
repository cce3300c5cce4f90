// Tests of scripts and suites: found in folders, read, and run one by one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/suite/suite.hpp>
#include <unshade/suite/test.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli::testing {

/// Scripts and suites among the operands: files as they are, of folders all *.amber and *.test.toml, .yaml, .yml and .json. Reports folders
/// that cannot be read.
std::vector<std::string> find_tests(std::span<const std::string> operands, Io& io, Exit& exit);

/// Whether a name has a pattern in it, whose stars stand for anything.
bool matches(std::string_view pattern, std::string_view name);

class Collection {
 public:
  explicit Collection(const suite::TestOptions& options) : options_(options) {}

  /// Adds the tests of a file whose names match one of the patterns; all without patterns. A file that is not valid is one test, which
  /// fails.
  void add(Input input, std::span<const std::string_view> patterns);
  std::size_t size() const { return tests_.size(); }
  /// Whether a test has been added by the pattern. Names in a suite that is not valid are not known: true if there is one.
  bool has_match(std::string_view pattern) const { return has_invalid_suite_ || matched_.contains(pattern); }
  /// A file that has tests, by its name; null if there is none.
  const Input* input(std::string_view name) const;
  /// suite::other_uses() of a suite.
  std::vector<suite::OtherUse> other_uses(const std::string& file, std::span<const suite::TextRange> ranges) const;
  /// Of all suites, `shader` as a path from here. With TestOptions::covers.
  std::vector<suite::SuiteRunner::Coverage> coverage() const;
  /// Names of the files that tests have read so far.
  std::vector<std::string> files() const;
  /// From any thread.
  suite::Outcome run(std::size_t test) const;
  /// A test of a suite as a script of Amber, under its name there; nothing for other tests.
  struct Script {
    std::string file, name;  ///< of the suite, and in it
    Result<std::string> text;
  };
  std::optional<Script> amber_script(std::size_t test) const;

  struct File {
    Input input;
    std::filesystem::path folder;  ///< of the files that it names
    std::mutex mutex;
    std::set<std::string> named;  ///< files that it read
    std::unique_ptr<suite::SuiteRunner> suite;
    std::optional<Error> error;
  };

 private:
  struct Test {
    std::size_t file;
    std::size_t number;  ///< in the suite
  };
  suite::TestOptions options_of(File& file) const;

  suite::TestOptions options_;
  std::vector<std::unique_ptr<File>> files_;
  std::vector<Test> tests_;
  std::set<std::string, std::less<>> matched_;  ///< patterns
  bool has_invalid_suite_ = false;
};

}  // namespace unshade::cli::testing
