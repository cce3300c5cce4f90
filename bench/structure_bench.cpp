// Trees of functions of up to a million blocks. Time must be in proportion to their number, whatever their shape.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/structure.hpp>

namespace unshade {

namespace {

using Edges = std::vector<std::vector<std::uint32_t>>;

/// Blocks in canonical form without instructions but terminators.
ir::Function function_of(const Edges& edges) {
  ir::Function function;
  ir::Builder builder(function);
  for (std::size_t block = 0; block < edges.size(); ++block) builder.block();
  for (std::uint32_t block = 0; block < edges.size(); ++block) {
    builder.at(block);
    const auto& to = edges[block];
    if (to.empty()) {
      builder.return_values();
    } else if (to.size() == 1) {
      builder.jump(to[0]);
    } else if (to.size() == 2) {
      builder.branch(builder.b1(true), to[0], to[1]);
    } else {
      std::vector<std::uint32_t> cases;
      for (std::uint32_t at = 1; at < to.size(); ++at) cases.insert(cases.end(), {builder.i32(at), to[at]});
      builder.switch_on(builder.i32(0), to[0], cases);
    }
  }
  ir::link_blocks(function);
  return function;
}

// Loops one after the other, each with a branch and a break in it.
Edges loops_in_a_row(std::uint32_t blocks) {
  Edges edges{{1}};
  for (std::uint32_t at = 1; at + 6 < blocks; at += 5)
    edges.insert(edges.end(), {{at + 1, at + 2}, {at + 3}, {at + 3, at + 4}, {at}, {at + 5}});
  edges.emplace_back();
  return edges;
}

// Branches in each other, which meet one after the other.
Edges nested_branches(std::uint32_t blocks) {
  const std::uint32_t half = blocks / 2;
  Edges edges;
  for (std::uint32_t at = 0; at < half; ++at) edges.push_back({at + 1, 2 * half - at});
  edges.push_back({half + 1});
  for (std::uint32_t at = half + 1; at < 2 * half; ++at) edges.push_back({at + 1});
  edges.emplace_back();
  return edges;
}

// Loops in each other.
Edges nested_loops(std::uint32_t blocks) {
  const std::uint32_t half = blocks / 2;
  Edges edges{{1}};
  for (std::uint32_t at = 1; at <= half; ++at) edges.push_back({at + 1});
  for (std::uint32_t at = half + 1; at <= 2 * half; ++at) edges.push_back({2 * half + 1 - at, at + 1});
  edges.emplace_back();
  return edges;
}

// Each block leads to the next or the one after it: regions in each other.
Edges skips(std::uint32_t blocks) {
  Edges edges;
  for (std::uint32_t at = 0; at + 2 < blocks; ++at) edges.push_back({at + 1, at + 2});
  edges.push_back({blocks - 1});
  edges.emplace_back();
  return edges;
}

// Switches of 16,000 cases, each with a block of its own.
Edges switches(std::uint32_t blocks) {
  constexpr std::uint32_t kCases = 16'000;
  Edges edges;
  for (std::uint32_t at = 0; at + 1 < blocks;) {
    const std::uint32_t cases = std::min(kCases, blocks - at - 2), end = at + cases + 1;
    auto& all = edges.emplace_back();
    for (std::uint32_t one = 1; one <= cases; ++one) all.push_back(at + one);
    all.push_back(end);
    for (std::uint32_t one = 1; one <= cases; ++one) edges.push_back({end});
    at = end;
  }
  edges.emplace_back();
  return edges;
}

void structure(benchmark::State& state, Edges (*make)(std::uint32_t)) {
  const ir::Function function = function_of(make(static_cast<std::uint32_t>(state.range(0))));
  std::size_t nodes = 0;
  for (auto _ : state) {
    const auto tree = ir::structure_of(function);
    if (!tree) return state.SkipWithError(tree.error().message.c_str());
    nodes = tree->nodes.size();
  }
  state.counters["nodes"] = static_cast<double>(nodes);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(function.blocks.size()));
}

const bool kRegistered = [] {
  struct Shape {
    const char* name;
    Edges (*make)(std::uint32_t);
  };
  constexpr Shape kShapes[] = {{"ir/structure/loops_in_a_row", loops_in_a_row},
                               {"ir/structure/nested_branches", nested_branches},
                               {"ir/structure/nested_loops", nested_loops},
                               {"ir/structure/skips", skips},
                               {"ir/structure/switches", switches}};
  for (const Shape& shape : kShapes)
    benchmark::RegisterBenchmark(shape.name, [shape](benchmark::State& state) { structure(state, shape.make); })
        ->Arg(100)
        ->Arg(10'000)
        ->Arg(100'000)
        ->Arg(1'000'000)
        ->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace

}  // namespace unshade
