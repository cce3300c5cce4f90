// Tests of suites and scripts by the names of their files: read, run one by one, and corrected.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/suite/correct.hpp>
#include <unshade/suite/suite.hpp>
#include <unshade/suite/test.hpp>

namespace unshade::amber {

/// Whether a file in a folder is one of tests, by its name: *.amber, *.test.toml, .yaml, .yml and .json.
bool is_test_name(std::string_view name);

/// What a run with TestOptions::corrects changes.
struct Updates {
  struct Fault {
    std::string where;  ///< a test, or a file
    std::string_view why;
  };
  struct Text {
    std::string file;
    std::string_view before;  ///< of the collection
    Result<suite::Corrected> made;
  };
  struct Golden {
    std::string path;
    const picture::Picture* picture;  ///< of the outcomes
    bool is_input;                    ///< of a test, which must not change
  };
  std::vector<Fault> faults;
  std::vector<Text> texts;      ///< of suites that have corrections, by their names
  std::vector<Golden> goldens;  ///< likewise
};

class Collection {
 public:
  /// Files that tests name lie beside them: `read_file` of the options gets the paths of these. Its functions are called on any thread.
  explicit Collection(const suite::TestOptions& options);
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;
  ~Collection();

  /// Adds the tests of a file whose names match one of the patterns, whose stars stand for anything; all without patterns. A file that is
  /// not valid is one test, which fails.
  void add(std::string name, std::string text, std::span<const std::string_view> patterns);
  std::size_t size() const { return tests_.size(); }
  /// Whether a test has been added by the pattern. Names in a suite that is not valid are not known: true if there is one.
  bool has_match(std::string_view pattern) const { return has_invalid_suite_ || matched_.contains(pattern); }
  /// Of all suites, `shader` as a path beside them. With TestOptions::covers.
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
  /// What outcomes of its tests change. With TestOptions::corrects.
  Updates updates(std::span<const suite::Outcome> outcomes) const;

 private:
  struct File;
  struct Test {
    std::size_t file;
    std::size_t number;  ///< in the suite
  };
  suite::TestOptions options_of(File& file) const;
  std::vector<suite::OtherUse> other_uses(std::size_t file, std::span<const suite::TextRange> ranges) const;

  suite::TestOptions options_;
  std::vector<std::unique_ptr<File>> files_;
  std::vector<Test> tests_;
  std::set<std::string, std::less<>> matched_;  ///< patterns
  bool has_invalid_suite_ = false;
};

}  // namespace unshade::amber
