// What compilers wrote is valid.
#include <gtest/gtest.h>

#include <cstdio>

#include <unshade/shader/validate.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

TEST(CorpusValidate, WhatCompilersWroteHasNoErrors) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t files = 0;
  std::size_t with_errors = 0;
  for (const auto& file : files_below(corpus / "dxbc", ".dxbc")) {
    const auto bytes = read_bytes(file);
    const auto findings = shader::validate(view_of(bytes));
    ++files;
    if (!has_errors(findings)) continue;
    ++with_errors;
    for (const Diagnostic& finding : findings)
      if (finding.rule->severity == Severity::error) std::printf("%s: %s\n", file.filename().c_str(), to_string(finding).c_str());
  }
  std::printf("%zu files, %zu with errors\n", files, with_errors);
  // A few are broken on purpose, by the tests of other readers.
  EXPECT_LE(with_errors * 500, files);
}

TEST(CorpusValidate, WhatDxcWroteHasNoErrors) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t files = 0;
  std::size_t with_errors = 0;
  for (const char* const kind : {".dxil", ".bc"}) {
    for (const auto& file : files_below(corpus / "dxil", kind)) {
      const auto bytes = read_bytes(file);
      const auto findings = shader::validate(view_of(bytes));
      ++files;
      if (!has_errors(findings)) continue;
      ++with_errors;
      for (const Diagnostic& finding : findings)
        if (finding.rule->severity == Severity::error) std::printf("%s: %s\n", file.filename().c_str(), to_string(finding).c_str());
    }
  }
  std::printf("%zu files, %zu with errors\n", files, with_errors);
  // A few were written by hand, for the tests of other readers.
  EXPECT_LE(with_errors * 200, files);
}

}  // namespace

}  // namespace unshade::test
