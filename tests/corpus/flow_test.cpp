// Control flow of every file, and its drawings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <unshade/present/graph/graph.hpp>
#include <unshade/shader/flow.hpp>
#include <unshade/shader/shader.hpp>

#include "support/drawing.hpp"
#include "support/files.hpp"

namespace unshade::test {

namespace {

TEST(CorpusFlow, EveryFunctionIsDrawn) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t functions = 0, blocks = 0, crossed = 0, irregular = 0, largest = 0;
  for (const char* folder : {"dxbc", "dxil", "shbin", "spirv"}) {
    for (const auto& path : files_below(corpus / folder, "")) {
      const auto bytes = read_bytes(path);
      const auto opened = shader::open(view_of(bytes));
      if (!opened) continue;
      Text listing;
      const auto flow = shader::control_flow(*opened, listing);
      if (!flow) {
        // effects, files without code, and one that breaks out of nothing to see what its reader says
        const bool is_expected = flow.error().code == ErrorCode::unsupported || flow.error().code == ErrorCode::missing ||
                                 path.filename().string().find("ps_break_code") != std::string::npos;
        EXPECT_TRUE(is_expected) << path << ' ' << to_string(flow.error());
        continue;
      }
      for (const shader::FlowFunction& function : flow->functions) {
        const auto view = present::view_graph(function, listing.view());
        ASSERT_TRUE(view) << path << ' ' << to_string(view.error());
        std::vector<present::LayoutEdge> edges;
        for (const shader::FlowEdge& edge : view->function.edges) edges.push_back({edge.from, edge.to, 0});
        EXPECT_EQ(drawing_fault(view->layout, edges), "") << path << ' ' << function.name;
        // each line is in one block at most
        std::vector<std::pair<std::uint32_t, std::uint32_t>> lines;
        for (const shader::FlowBlock& block : function.blocks)
          if (block.lines != 0) lines.emplace_back(block.line, block.line + block.lines);
        std::sort(lines.begin(), lines.end());
        for (std::size_t k = 0; k + 1 < lines.size(); ++k) EXPECT_LE(lines[k].second, lines[k + 1].first) << path << ' ' << function.name;
        ++functions;
        blocks += function.blocks.size();
        largest = std::max(largest, function.blocks.size());
        crossed += view->layout.crossings != 0 ? 1 : 0;
        irregular += view->nesting.regular() ? 0 : 1;
      }
    }
  }
  std::printf("%zu functions, %zu blocks, at most %zu; %zu with crossings, %zu irregular\n", functions, blocks, largest, crossed,
              irregular);
  EXPECT_GT(functions, 0U);
  // Those that several arms of one branch leave.
  EXPECT_LE(crossed * 500, functions);
}

}  // namespace

}  // namespace unshade::test
