// LLVM's documents of every DXContainer: each gives its file back to the byte, through its YAML. scripts/check_llvm_yaml.py compares them
// with obj2yaml and yaml2obj.
#include <gtest/gtest.h>

#include <cstdio>

#include <unshade/document_text/document_text.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/present/value.hpp>
#include <unshade/shader/document.hpp>

#include "support/files.hpp"
#include "support/open_first.hpp"

namespace unshade::test {

namespace {

TEST(CorpusLlvmDocument, EveryContainerComesBackToTheByte) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t files = 0;
  for (const auto& [folder, extension] : {std::pair{"dxbc", ".dxbc"}, {"dxil", ".dxil"}}) {
    for (const auto& path : files_below(corpus / folder, extension)) {
      const auto bytes = read_bytes(path);
      if (!dxcontainer::parse_container(view_of(bytes))) continue;
      const auto document = shader::make_llvm_document(view_of(bytes));
      ASSERT_TRUE(document) << path << ' ' << to_string(document.error());
      Text text;
      present::print_llvm_yaml(text, *document);
      const auto container = document_text::read_yaml(text.view());
      ASSERT_TRUE(container) << path << ' ' << to_string(container.error());
      const auto rest = document_text::read_llvm_rest(text.view());
      ASSERT_TRUE(rest) << path << ' ' << to_string(rest.error());
      const auto built = shader::build_llvm_document(*container, *rest);
      ASSERT_TRUE(built) << path << ' ' << to_string(built.error());
      EXPECT_TRUE(*built == bytes) << path;
      ++files;
    }
  }
  std::printf("%zu files\n", files);
}

}  // namespace

}  // namespace unshade::test
