// The order of a module's types, and how wide abbreviations hold them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/module.hpp>

namespace unshade::dxil::module {

/// Types in the order in which they are met, each after what it consists of, but for structs with a name, which may be referred to before.
/// src: DXC ValueEnumerator.cpp, EnumerateType
class TypeOrder {
 public:
  /// Of the first `types` of the module.
  TypeOrder(const Module& module, std::size_t types) : module_(module), numbers_(types, kNone), is_open_(types) {}

  void add(std::uint32_t type);
  /// By their new numbers, the old ones.
  std::span<const std::uint32_t> order() const { return order_; }
  /// The new number of a type; nothing if it was not met.
  std::optional<std::uint32_t> number(std::uint64_t type) const {
    if (type >= numbers_.size() || numbers_[static_cast<std::size_t>(type)] == kNone) return std::nullopt;
    return numbers_[static_cast<std::size_t>(type)];
  }
  /// Bits that a type takes in abbreviations.
  std::uint64_t width() const { return width_of(order_.size()); }
  static std::uint64_t width_of(std::uint64_t types);

 private:
  const Module& module_;
  std::vector<std::uint32_t> numbers_;
  std::vector<bool> is_open_;
  std::vector<std::uint32_t> order_;
};

/// The operand of an abbreviation that is as wide as types are; 0 if there is none. `block`: whose records it codes.
std::size_t type_width_operand(std::uint64_t block, std::span<const AbbreviationOperand> layout);

}  // namespace unshade::dxil::module
