#include "vm/prepare/parallel_copies.hpp"

#include <unordered_map>

namespace unshade::vm {

std::uint32_t append_in_order(std::vector<Copy> copies, std::uint32_t spare, std::vector<Copy>& to) {
  const auto words = [](const Copy& copy) { return copy.wide ? 2U : 1U; };
  std::unordered_map<std::uint32_t, std::uint32_t> readers, writer;
  for (std::uint32_t i = 0; i < copies.size(); ++i) {
    for (std::uint32_t w = 0; w < words(copies[i]); ++w) {
      ++readers[copies[i].from + w];
      writer[copies[i].to + w] = i;
    }
  }
  std::vector<bool> done(copies.size());
  const auto is_ready = [&](std::uint32_t i) {
    const Copy& copy = copies[i];
    for (std::uint32_t target = copy.to; target < copy.to + words(copy); ++target) {
      const auto found = readers.find(target);
      const bool own = target >= copy.from && target < copy.from + words(copy);
      if (found != readers.end() && found->second > (own ? 1U : 0U)) return false;
    }
    return !done[i];
  };
  std::vector<std::uint32_t> ready;
  // What `copy` reads is read once less: who writes there may have become ready.
  const auto release = [&](const Copy& copy) {
    for (std::uint32_t w = 0; w < words(copy); ++w) --readers[copy.from + w];
    for (std::uint32_t w = 0; w < words(copy); ++w) {
      if (const auto found = writer.find(copy.from + w); found != writer.end() && is_ready(found->second)) ready.push_back(found->second);
    }
  };
  // Whether another that is left has to wait until `i` has read its source. One whose source is kept aside lets all others go on.
  const auto holds_up = [&](std::uint32_t i) {
    for (std::uint32_t w = 0; w < words(copies[i]); ++w) {
      const auto found = writer.find(copies[i].from + w);
      if (found != writer.end() && found->second != i && !done[found->second]) return true;
    }
    return false;
  };
  for (std::uint32_t i = 0; i < copies.size(); ++i) {
    if (is_ready(i)) ready.push_back(i);
  }
  for (std::uint32_t next = 0;;) {
    while (!ready.empty()) {
      const std::uint32_t i = ready.back();
      ready.pop_back();
      if (!is_ready(i)) continue;
      done[i] = true;
      to.push_back(copies[i]);
      release(copies[i]);
    }
    // a copy may wait for a cycle that it is no part of, if a value of 64 bits is read and its halves are written
    while (next < copies.size() && (done[next] || !holds_up(next))) ++next;
    if (next == copies.size()) return spare;
    const Copy kept{copies[next].from, static_cast<std::uint16_t>(spare), copies[next].wide};
    spare += words(kept);
    to.push_back(kept);
    copies[next].from = kept.to;
    for (std::uint32_t w = 0; w < words(kept); ++w) ++readers[kept.to + w];
    release(kept);
    if (is_ready(next)) ready.push_back(next);
  }
}

}  // namespace unshade::vm
