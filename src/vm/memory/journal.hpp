// Changes of the memory of resources, and those that wait until it is the turn of the slice that makes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/types.hpp>
#include <unshade/texel/formats.hpp>

namespace unshade::vm {

/// A change that depends on what is there: of components of a texel, or by an atomic operation.
struct Change {
  std::byte* to = nullptr;
  const texel::Format* format = nullptr;  ///< of a texel; null: an atomic operation
  std::array<std::uint32_t, 4> value{};   ///< components; of an atomic operation 64 bits, then those to compare with
  ir::AtomicOp op = ir::AtomicOp::add;
  ir::Type type = ir::Type::i32;
};
/// Does it; the value before, of an atomic operation.
std::uint64_t perform(const Change& change);

/// Changes in their order. Bytes that are written one behind the other are one of them.
class Journal {
 public:
  /// More than a slice may leave to be done.
  bool is_full() const { return entries_.size() >= kMostEntries || bytes_.size() >= kMostBytes; }
  void write(std::byte* to, const std::byte* from, std::size_t count);
  void change(const Change& change) { entries_.push_back({change, 0, 0}); }
  void perform() const;

 private:
  static constexpr std::size_t kMostEntries = std::size_t{1} << 18, kMostBytes = std::size_t{1} << 24;
  struct Entry {
    Change change;
    std::uint32_t first = 0, count = 0;  ///< in bytes_; none of an entry that is a change
  };
  std::vector<Entry> entries_;
  std::vector<std::byte> bytes_;
};

}  // namespace unshade::vm
