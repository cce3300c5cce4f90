#include "vm/memory/journal.hpp"

#include <bit>
#include <cstring>

#include "vm/access.hpp"

namespace unshade::vm {

std::uint64_t perform(const Change& change) {
  if (change.format != nullptr) return texel::store_texel(*change.format, change.value, change.to), 0;
  const auto [value, compare] = std::bit_cast<std::array<std::uint64_t, 2>>(change.value);
  const unsigned size = memory_bytes(change.type);
  std::uint64_t old = 0;
  std::memcpy(&old, change.to, size);
  const std::uint64_t made = atomic_result(change.op, change.type, old, value, compare);
  std::memcpy(change.to, &made, size);
  return old;
}

void Journal::write(std::byte* to, const std::byte* from, std::size_t count) {
  if (entries_.empty() || entries_.back().count == 0 || entries_.back().change.to + entries_.back().count != to)
    entries_.push_back({{.to = to}, static_cast<std::uint32_t>(bytes_.size()), 0});
  entries_.back().count += static_cast<std::uint32_t>(count);
  bytes_.insert(bytes_.end(), from, from + count);
}

void Journal::perform() const {
  for (const Entry& entry : entries_) {
    if (entry.count == 0) {
      vm::perform(entry.change);
    } else {
      std::memcpy(entry.change.to, bytes_.data() + entry.first, entry.count);
    }
  }
}

}  // namespace unshade::vm
