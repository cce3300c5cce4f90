#include <unshade/ir/analysis/parallel_moves.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace unshade::ir {

std::vector<MoveStep> order_moves(std::span<const ParallelMove> moves) {
  std::vector<MoveStep> made;
  std::unordered_map<std::uint32_t, std::uint32_t> readers, writer;
  for (std::uint32_t i = 0; i < moves.size(); ++i) {
    for (const std::uint32_t place : moves[i].reads) ++readers[place];
    for (const std::uint32_t place : moves[i].writes) writer[place] = i;
  }
  // how often each reads what it writes itself, in the order of its writes
  std::vector<std::vector<std::uint32_t>> own(moves.size());
  std::vector<std::uint32_t> sorted;
  for (std::uint32_t i = 0; i < moves.size(); ++i) {
    sorted = moves[i].reads;
    std::ranges::sort(sorted);
    for (const std::uint32_t place : moves[i].writes)
      own[i].push_back(static_cast<std::uint32_t>(std::ranges::equal_range(sorted, place).size()));
  }
  std::vector<bool> done(moves.size()), kept(moves.size());
  const auto is_ready = [&](std::uint32_t i) {
    for (std::size_t at = 0; at < moves[i].writes.size(); ++at) {
      const auto found = readers.find(moves[i].writes[at]);
      if (found != readers.end() && found->second > (kept[i] ? 0U : own[i][at])) return false;
    }
    return !done[i];
  };
  std::vector<std::uint32_t> ready;
  // What `i` reads is read once less: who writes there may have become ready.
  const auto release = [&](std::uint32_t i) {
    for (const std::uint32_t place : moves[i].reads) --readers[place];
    for (const std::uint32_t place : moves[i].reads) {
      if (const auto found = writer.find(place); found != writer.end() && is_ready(found->second)) ready.push_back(found->second);
    }
  };
  // Whether another that is left has to wait until `i` has read. If what is read is kept aside, all others can go on.
  const auto holds_up = [&](std::uint32_t i) {
    return std::ranges::any_of(moves[i].reads, [&](std::uint32_t place) {
      const auto found = writer.find(place);
      return found != writer.end() && found->second != i && !done[found->second];
    });
  };
  for (std::uint32_t i = 0; i < moves.size(); ++i) {
    if (is_ready(i)) ready.push_back(i);
  }
  for (std::uint32_t next = 0;;) {
    while (!ready.empty()) {
      const std::uint32_t i = ready.back();
      ready.pop_back();
      if (!is_ready(i)) continue;
      done[i] = true;
      made.push_back({i, kept[i] ? MoveStep::Kind::restore : MoveStep::Kind::whole});
      if (!kept[i]) release(i);
    }
    // one may wait for a cycle that it is no part of, if it reads or writes several places
    while (next < moves.size() && (done[next] || kept[next] || !holds_up(next))) ++next;
    if (next == moves.size()) return made;
    made.push_back({next, MoveStep::Kind::keep});
    kept[next] = true;
    release(next);
    if (is_ready(next)) ready.push_back(next);
  }
}

}  // namespace unshade::ir
