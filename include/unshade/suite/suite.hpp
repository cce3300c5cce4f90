// Suites: cases of a shader with what is expected of them. docs/reference/suites.md has the fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/mutex.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/core/view.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/source_files.hpp>
#include <unshade/suite/test.hpp>
#include <unshade/vm/machine.hpp>

namespace unshade::suite {

namespace cases {
struct Case;
}

/// Tests that a suite may have: cases, those with a table once for each row.
inline constexpr std::size_t kMostTests = 65536;

struct Suite {
  struct Test {
    std::string name;        ///< unique in the suite
    std::size_t number = 0;  ///< of its case
    std::size_t row = 0;     ///< of the case's table
  };
  Value document;
  std::vector<Value> tables;  ///< of each case, its rows: a list of maps; null without a table
  std::vector<Test> tests;
  std::vector<std::uint32_t> line_starts;  ///< offsets in the text

  /// The place of an offset in the text; none for 0, which values have that come from elsewhere.
  Place place(std::uint64_t offset) const;
};

/// A value of a suite's text that is something else than the value of an expectation.
struct OtherUse {
  std::uint64_t offset = 0;  ///< in the text
  std::string column;        ///< of the table; empty: none
  std::string_view what;     ///< `an input`
};
struct TextRange {
  std::uint64_t begin = 0, end = 0;
};
/// Uses of values that lie in ranges of the text, one for each range at most: inputs and names of all tests, bounds, parts of texts, and
/// expectations of tests that do not run. `ranges` are in the order of the text and do not overlap.
std::vector<OtherUse> other_uses(const Suite& suite, std::span<const TextRange> ranges, const std::vector<bool>& runs);

/// Reads a suite from the values of its text. Errors: bad_value, missing and limit, at an offset of the text, with the field as path;
/// those of TestOptions::read_file.
Result<Suite> read_suite(Value document, std::string_view text, const TestOptions& options = {});

/// Runs the tests of a suite. A shader is read and made ready once. Threads may share it.
class SuiteRunner {
 public:
  /// `file`: the name of the suite, for outcomes.
  SuiteRunner(Suite suite, std::string_view file, const TestOptions& options);
  SuiteRunner(const SuiteRunner&) = delete;
  SuiteRunner& operator=(const SuiteRunner&) = delete;
  ~SuiteRunner();

  const Suite& suite() const { return suite_; }
  /// Runs a test, by its index in Suite::tests. What goes wrong, errors of files too, is in the outcome.
  Outcome run(std::size_t test);
  const TestOptions& options() const { return options_; }
  struct ReadyShader {
    run::Runnable shader;
    shader::Family family;
    View file;  ///< of the shader; of the runner, or of `shader` if the case sets specialization constants
  };
  /// The shader of a case, with the specialization constants that the case gives. Errors: those of its file, and of lowering it.
  Result<ReadyShader> shader_of(const cases::Case& one);

  /// How often instructions of a shader's function ran in all tests so far, with TestOptions::covers.
  struct Coverage {
    std::string shader;  ///< its path as the suite has it
    std::string entry;   ///< empty: the first
    std::string function;
    std::vector<std::string> lines;           ///< of the listing, by instruction
    shader::SourceLines places;               ///< of the source, likewise; empty if the shader does not say
    std::vector<shader::SourceFile> sources;  ///< that the shader carries
    vm::Profile profile;
  };
  std::vector<Coverage> coverage();

 private:
  struct Loaded;
  Loaded& load(std::string_view path, std::string_view entry, bool watched);

  Suite suite_;
  std::string file_;
  TestOptions options_;
  Mutex mutex_;
  std::map<std::string, std::unique_ptr<Loaded>> loaded_;
};

}  // namespace unshade::suite
