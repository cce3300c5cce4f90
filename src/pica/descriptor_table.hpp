// Operand descriptors as picasso shares them: one descriptor serves every instruction that agrees with it in the bits it looks at.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <unshade/pica/instruction.hpp>

#include "pica/descriptor_care.hpp"

namespace unshade::pica {

class DescriptorTable {
 public:
  std::size_t size() const { return values_.size(); }
  std::uint32_t value(std::size_t index) const { return values_[index]; }
  std::uint32_t second(std::size_t index) const { return index < seconds_.size() ? seconds_[index] : 0; }

  /// The lowest descriptor that agrees in the bits both look at, completed by those of this one; a new one at the end if there is none.
  std::uint32_t share(std::uint32_t descriptor, std::uint32_t care) {
    // What a search has found stays found: a descriptor keeps the bits that are looked at, and looks at more of them only.
    const Memory& memory = memories_[slot(descriptor, care)];
    if (memory.descriptor == descriptor && memory.care == care) return memory.index;
    return search(descriptor, care);
  }
  /// As share, but leaves descriptors as they are.
  std::uint32_t find_or_add(std::uint32_t descriptor, std::uint32_t care) {
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (((values_[i] ^ descriptor) & care) == 0) return static_cast<std::uint32_t>(i);
    values_.push_back(descriptor);
    cares_.push_back(kAll);
    return static_cast<std::uint32_t>(values_.size() - 1);
  }
  /// Whether set() was called for any.
  bool has_stated() const { return !stated_.empty(); }
  /// Whether set() was called for it.
  bool is_stated(std::size_t index) const { return index < stated_.size() && stated_[index]; }
  /// Descriptor `index` as it is; those between are zero until they are set.
  void set(std::size_t index, std::uint32_t descriptor, std::uint32_t second) {
    if (values_.size() <= index) {
      values_.resize(index + 1);
      cares_.resize(index + 1, kAll);
    }
    values_[index] = descriptor;
    cares_[index] = kAll;
    if (stated_.size() <= index) stated_.resize(index + 1);
    stated_[index] = true;
    memories_ = {};
    if (second != 0 && seconds_.size() <= index) seconds_.resize(index + 1);
    if (index < seconds_.size()) seconds_[index] = second;
  }

  /// A descriptor that mad can name instead of `index` (32 or more): the two are exchanged, in the table and in `words`, which lie before
  /// the mad. Nothing if all that mad can name are used by other mads.
  std::optional<std::uint32_t> lower(std::uint32_t index, std::vector<std::uint32_t>& words);
  /// A mad names `index` (below 32).
  void used_by_mad(std::uint32_t index) { mad_ |= 1U << index; }

 private:
  static constexpr std::uint32_t kAll = 0xffff'ffff;

  struct Memory {
    std::uint32_t descriptor = 0;
    std::uint32_t care = 0;  ///< 0: nothing is kept, as there is always a bit that is looked at
    std::uint32_t index = 0;
  };

  static std::size_t slot(std::uint32_t descriptor, std::uint32_t care) { return (descriptor * 0x9e37'79b1U ^ care * 0x85eb'ca6bU) >> 25; }
  std::uint32_t search(std::uint32_t descriptor, std::uint32_t care);

  std::vector<std::uint32_t> values_;
  std::vector<std::uint32_t> cares_;  // bits that some instruction looks at
  std::vector<std::uint32_t> seconds_;
  std::vector<bool> stated_;
  std::array<Memory, 128> memories_{};  // of share()
  std::uint32_t mad_ = 0;               // a bit for each descriptor that a mad names
};

}  // namespace unshade::pica
