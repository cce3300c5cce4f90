// What compilers wrote is valid.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <initializer_list>

#include <unshade/shader/validate.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

struct Count {
  std::size_t files = 0;
  std::size_t with_errors = 0;
};

/// Of the files below with these endings; errors are printed.
Count count_files(const std::filesystem::path& folder, std::initializer_list<const char*> endings) {
  Count count;
  for (const char* const ending : endings) {
    for (const auto& file : files_below(folder, ending)) {
      const auto bytes = read_bytes(file);
      const auto findings = shader::validate(view_of(bytes));
      ++count.files;
      if (!has_errors(findings)) continue;
      ++count.with_errors;
      for (const Diagnostic& finding : findings)
        if (finding.rule->severity == Severity::error)
          std::printf("%s: %s\n", file.filename().string().c_str(), to_string(finding).c_str());
    }
  }
  std::printf("%zu files, %zu with errors\n", count.files, count.with_errors);
  return count;
}

TEST(CorpusValidate, WhatCompilersWroteHasNoErrors) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  const auto [files, with_errors] = count_files(corpus / "dxbc", {".dxbc"});
  // A few are broken on purpose, by the tests of other readers.
  EXPECT_LE(with_errors * 500, files);
}

TEST(CorpusValidate, WhatDxcWroteHasNoErrors) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  const auto [files, with_errors] = count_files(corpus / "dxil", {".dxil", ".bc"});
  // A few were written by hand, for the tests of other readers.
  EXPECT_LE(with_errors * 200, files);
}

}  // namespace

}  // namespace unshade::test
