// How fast control flow is laid out: programs of loops, branches and breaks, of so many blocks.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include <unshade/present/graph/layout.hpp>

namespace unshade {

namespace {

/// Loops in a row: each has a branch of two arms, one of which may break.
struct LoopsInARow {
  std::vector<present::LayoutBox> sizes;
  std::vector<present::LayoutEdge> edges;
  Graph graph;

  explicit LoopsInARow(std::uint32_t blocks) {
    constexpr std::uint32_t kOfALoop = 6;  // header, two arms, break, latch, exit
    std::uint32_t at = 0;
    std::uint32_t count = 1;
    for (; count + kOfALoop <= blocks; count += kOfALoop) {
      const std::uint32_t header = count, yes = count + 1, no = count + 2, leaves = count + 3, latch = count + 4, exit = count + 5;
      for (const auto& [from, to] : {std::pair{at, header},
                                     {header, yes},
                                     {header, no},
                                     {no, leaves},
                                     {no, latch},
                                     {leaves, exit},
                                     {yes, latch},
                                     {latch, header},
                                     {latch, exit}})
        edges.push_back({from, to, 34});
      at = exit;
    }
    sizes.assign(count, {0, 0, 180, 84});
    graph.build(count, [&](auto&& add) {
      for (const present::LayoutEdge& edge : edges) add(edge.from, edge.to);
    });
  }
};

void graph_layout(benchmark::State& state) {
  const LoopsInARow program(static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) {
    Nesting nesting;
    nesting.examine(program.graph);
    benchmark::DoNotOptimize(present::lay_out(program.sizes, program.edges, nesting));
  }
  state.counters["edges"] = static_cast<double>(program.edges.size());
}
BENCHMARK(graph_layout)->Arg(20)->Arg(150)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace unshade
