// The order of a module's types, and which operands of records are types.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/module.hpp>

#include "dxil/module/record_operands.hpp"

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

/// Operands of a record of the type table that are types: calls `visit` with their positions.
template <class Visit>
void for_each_type_operand(std::uint32_t code, std::size_t count, Visit&& visit) {
  std::size_t first = count;
  std::size_t end = count;
  switch (code) {
    case bitcode::code::types_pointer:
      first = 0;
      end = 1;
      break;
    case bitcode::code::types_array:
    case bitcode::code::types_vector: first = 1; break;
    case bitcode::code::types_function:
    case bitcode::code::types_literal_struct:
    case bitcode::code::types_named_struct: first = 1; break;
    case bitcode::code::types_function_old: first = 2; break;
    default: break;
  }
  for (std::size_t i = first; i < end && i < count; ++i) visit(i);
}

/// Operands of a record of constants that are types, likewise.
template <class Visit>
void for_each_constant_type(std::uint32_t code, std::size_t count, Visit&& visit) {
  switch (code) {
    case bitcode::code::constants_cast: visit(std::size_t{1}); return;
    case bitcode::code::constants_getelementptr:
    case bitcode::code::constants_getelementptr_inbounds:
      if (count % 2 == 1) visit(std::size_t{0});
      for (std::size_t i = count % 2; i < count; i += 2) visit(i);
      return;
    case bitcode::code::constants_extractelement:
      visit(std::size_t{0});
      if (count > 3) visit(std::size_t{2});
      return;
    case bitcode::code::constants_insertelement:
      if (count > 3) visit(std::size_t{2});
      return;
    case bitcode::code::constants_shufflevector_wide:
    case bitcode::code::constants_compare:
    case bitcode::code::constants_block_address: visit(std::size_t{0}); return;
    default: return;
  }
}

/// The operand of an abbreviation that is as wide as types are; 0 if there is none. `block`: whose records it codes.
std::size_t type_width_operand(std::uint64_t block, std::span<const AbbreviationOperand> layout);

}  // namespace unshade::dxil::module
