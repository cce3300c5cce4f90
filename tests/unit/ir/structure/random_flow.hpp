// Functions with random control flow, which compute nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/ir/passes.hpp>

namespace unshade::ir::test {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(engine_() % count); }
  bool one_of(std::uint32_t count) { return below(count) == 0; }

 private:
  std::mt19937 engine_;
};

/// A function of blocks without instructions, whose edges are given: none return, one jumps, two branch, more are a switch.
inline Module flow_module(const std::vector<std::vector<std::uint32_t>>& edges) {
  Module module;
  module.stage = Stage::compute;
  module.variables.push_back({"out", Space::group, 0, 4, {}});
  Function& function = module.functions.emplace_back();
  function.name = "main";
  Builder builder(function);
  for (std::size_t block = 0; block < edges.size(); ++block) builder.block();
  for (std::uint32_t block = 0; block < edges.size(); ++block) {
    builder.at(block);
    const auto& to = edges[block];
    if (to.empty()) {
      // every other one does something before it returns
      if (block % 2 == 0) builder.inst(Op::store, Type::i32, {builder.i32(0), builder.i32(block)}, {.extra = 0});
      builder.return_values();
      continue;
    }
    if (to.size() == 1) {
      builder.jump(to[0]);
      continue;
    }
    const Id value = builder.inst(Op::load, Type::i32, {builder.i32(0)}, {.extra = 0});
    if (to.size() == 2) {
      builder.branch(builder.inst(Op::ieq, Type::i32, {value, builder.i32(block)}), to[0], to[1]);
      continue;
    }
    std::vector<std::uint32_t> cases;
    for (std::uint32_t at = 1; at < to.size(); ++at) cases.insert(cases.end(), {builder.i32(at), to[at]});
    builder.switch_on(value, to[0], cases);
  }
  link_blocks(function);
  canonicalize(module);
  return module;
}

inline std::uint32_t number_of_edges(Random& random) {
  const std::uint32_t kind = random.below(16);
  return kind == 0 ? 0 : kind < 5 ? 1 : kind < 14 ? 2 : 3 + random.below(4);
}

/// Any edges between so many blocks.
inline std::vector<std::vector<std::uint32_t>> any_edges(Random& random, std::uint32_t blocks) {
  std::vector<std::vector<std::uint32_t>> edges(blocks);
  for (std::uint32_t block = 0; block + 1 < blocks; ++block) {
    const std::uint32_t count = number_of_edges(random);
    for (std::uint32_t at = 0; at < count; ++at) {
      edges[block].push_back(random.one_of(6) ? random.below(blocks) : block + 1 + random.below(std::min(5U, blocks - block - 1)));
    }
  }
  return edges;
}

/// Edges of a reducible graph: loops are ranges that nest, and are entered at their first block alone.
inline std::vector<std::vector<std::uint32_t>> reducible_edges(Random& random, std::uint32_t blocks) {
  struct Range {
    std::uint32_t first, last;
  };
  std::vector<std::vector<Range>> around(blocks);  // of a block, outermost first
  std::vector<Range> open{{0, blocks - 1}};
  for (std::uint32_t block = 0; block < blocks; ++block) {
    while (open.back().last < block) open.pop_back();
    while (block != 0 && open.size() < 8 && random.one_of(5)) open.push_back({block, block + random.below(open.back().last - block + 1)});
    around[block] = open;
  }
  // The block itself, or the first of the outermost range around it that `from` is not in.
  const auto entered = [&](std::uint32_t from, std::uint32_t to) {
    for (const Range& range : around[to])
      if (from < range.first || from > range.last) return range.first;
    return to;
  };
  std::vector<std::vector<std::uint32_t>> edges(blocks);
  for (std::uint32_t block = 0; block + 1 < blocks; ++block) {
    const std::uint32_t count = number_of_edges(random);
    for (std::uint32_t at = 0; at < count; ++at) {
      const auto& ranges = around[block];
      if (ranges.size() > 1 && random.one_of(4)) {
        edges[block].push_back(ranges[1 + random.below(static_cast<std::uint32_t>(ranges.size() - 1))].first);
      } else {
        const std::uint32_t far = random.one_of(4) ? 40 : 4;
        edges[block].push_back(entered(block, block + 1 + random.below(std::min(far, blocks - block - 1))));
      }
    }
  }
  return edges;
}

}  // namespace unshade::ir::test
