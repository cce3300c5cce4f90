// parse(print(x)) == x, for every root signature.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/root_signature_text.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

using namespace dxcontainer;

TEST(CorpusRootSignatures, TextGivesTheSameBytesBack) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t all = 0;
  std::size_t same = 0;
  for (const char* extension : {".dxbc", ".dxil", ".rts0"}) {
    for (const auto& path : files_below(corpus, extension)) {
      const auto bytes = read_bytes(path);
      const auto container = parse_container(view_of(bytes));
      const Part* const part = container ? container->find(fourcc("RTS0")) : nullptr;
      const auto signature = part != nullptr ? parse_root_signature(*part) : Error{};
      if (!signature) continue;
      ++all;
      for (const bool in_hlsl : {false, true}) {
        for (const bool every : {false, true}) {
          Text text;
          RootSignaturePrintOptions options;
          options.all = every;
          if (in_hlsl) options.define = "RS";
          ASSERT_TRUE(print_root_signature(*signature, text, options)) << path;
          const auto parsed = parse_root_signature_text(text.view());
          ASSERT_TRUE(parsed.ok) << path << '\n' << text.view() << '\n' << to_string(parsed.messages.back());
          const auto written = write_root_signature(parsed.signature);
          const View data = part->data;
          EXPECT_TRUE(View(written).text() == data.text()) << path << '\n' << text.view();
        }
      }
      ++same;
    }
  }
  std::printf("%zu root signatures of %zu\n", same, all);
  EXPECT_GT(all, 0U);
}

}  // namespace

}  // namespace unshade::test
