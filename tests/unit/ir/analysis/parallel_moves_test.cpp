#include <unshade/ir/analysis/parallel_moves.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace unshade::ir {
namespace {

std::string order_of(const std::vector<ParallelMove>& moves) {
  std::string text;
  for (const MoveStep& step : order_moves(moves)) {
    text += text.empty() ? "" : " ";
    text += step.kind == MoveStep::Kind::keep ? "keep " : step.kind == MoveStep::Kind::restore ? "restore " : "";
    text += std::to_string(step.move);
  }
  return text;
}

TEST(IrParallelMoves, WritesWhatNoOtherReadsFirst) {
  EXPECT_EQ(order_of({}), "");
  EXPECT_EQ(order_of({{{1}, {0}}}), "0");
  // a = b, b = c
  EXPECT_EQ(order_of({{{1}, {0}}, {{2}, {1}}}), "0 1");
  // b = c, a = b
  EXPECT_EQ(order_of({{{2}, {1}}, {{1}, {0}}}), "1 0");
  // a = a + 1, b = a
  EXPECT_EQ(order_of({{{0}, {0}}, {{0}, {1}}}), "1 0");
}

TEST(IrParallelMoves, KeepsOneOfACycle) {
  // a = b, b = a
  EXPECT_EQ(order_of({{{1}, {0}}, {{0}, {1}}}), "keep 0 1 restore 0");
  // of a sum of both
  EXPECT_EQ(order_of({{{0, 1}, {0}}, {{0, 1}, {1}}}), "keep 0 1 restore 0");
}

// Any set, done one after the other, gives what it gives at once.
TEST(IrParallelMoves, ComputesWhatHappensAtOnce) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 2000; ++round) {
    constexpr std::uint32_t kPlaces = 8;
    std::vector<ParallelMove> moves;
    for (std::uint32_t place = 0; place < kPlaces; ++place) {
      if (random() % 3 == 0) continue;
      ParallelMove& move = moves.emplace_back();
      move.writes.push_back(place);
      if (place + 1 < kPlaces && random() % 4 == 0) move.writes.push_back(++place);
      for (std::uint32_t read = 0; read < random() % 3; ++read) {
        const auto from = static_cast<std::uint32_t>(random() % kPlaces);
        if (std::ranges::find(move.reads, from) == move.reads.end()) move.reads.push_back(from);
      }
    }
    std::vector<std::uint64_t> before(kPlaces), after;
    for (std::uint64_t& one : before) one = random();
    const auto value = [&](const ParallelMove& move, const std::vector<std::uint64_t>& from) {
      std::uint64_t sum = 7;
      for (const std::uint32_t read : move.reads) sum = sum * 31 + from[read];
      return sum;
    };
    const auto write = [](const ParallelMove& move, std::uint64_t sum, std::vector<std::uint64_t>& to) {
      for (const std::uint32_t place : move.writes) to[place] = sum + place;
    };
    after = before;
    for (const ParallelMove& move : moves) write(move, value(move, before), after);
    std::vector<std::uint64_t> found = before, kept(moves.size());
    std::size_t done = 0;
    for (const MoveStep& step : order_moves(moves)) {
      const ParallelMove& move = moves[step.move];
      if (step.kind == MoveStep::Kind::keep) {
        kept[step.move] = value(move, found);
        continue;
      }
      ++done;
      write(move, step.kind == MoveStep::Kind::restore ? kept[step.move] : value(move, found), found);
    }
    EXPECT_EQ(done, moves.size());
    EXPECT_EQ(found, after);
  }
}

}  // namespace
}  // namespace unshade::ir
