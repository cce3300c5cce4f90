// Which operands of bitcode records are values or metadata, for those who number these anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <unshade/dxil/module.hpp>

#include "dxil/bitcode/records.hpp"

namespace unshade::dxil::module {

/// A record of a function, a letter for each operand; those after `|` come as often as need be.
///   v  a value, counted back from the instruction; if it comes later, its type follows
///   u  a value, counted back from the instruction
///   s  the same with a sign in bit 0
///   a  a value id
///   m  a metadata id + 1, or 0
///   t  a type id
///   T  a type id if an odd number of operands is left, which older records lack
///   .  neither
/// Empty for calls and for records that LLVM 3.7 does not have.
std::string_view function_record_shape(std::uint32_t code);

/// Operands of a record of constants that are value ids: calls `visit` with their positions, in their order in memory.
template <class Visit>
void for_each_constant_operand(std::uint32_t code, std::size_t count, Visit&& visit) {
  const auto all = [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end && i < count; ++i) visit(i);
  };
  switch (code) {
    case bitcode::code::constants_aggregate: return all(0, count);
    case bitcode::code::constants_binary: return all(1, 3);
    case bitcode::code::constants_cast: return all(2, 3);
    case bitcode::code::constants_getelementptr:
    case bitcode::code::constants_getelementptr_inbounds:
      for (std::size_t i = count % 2 + 1; i < count; i += 2) visit(i);
      return;
    case bitcode::code::constants_select:
    case bitcode::code::constants_shufflevector: return all(0, 3);
    case bitcode::code::constants_extractelement: all(1, 2); return count > 3 ? all(3, 4) : all(2, 3);
    case bitcode::code::constants_insertelement: all(0, 2); return count > 3 ? all(3, 4) : all(2, 3);
    case bitcode::code::constants_shufflevector_wide: return all(1, 4);
    case bitcode::code::constants_compare: return all(1, 3);
    case bitcode::code::constants_block_address: return all(1, 2);
    default: return;
  }
}

/// The code of a node's record, and of one that is distinct if that has another.
std::uint32_t node_code(const Metadata& node);
/// Operands of a node that are metadata, in their order in memory, which is that in which they are numbered. For a tuple: none, all are.
std::span<const std::uint8_t> node_operand_order(MetadataKind kind);
/// Those of them that are not always strings.
std::span<const std::uint8_t> node_link_order(MetadataKind kind);
/// Whether an operand is an id, rather than an id + 1.
bool is_plain_id(MetadataKind kind, std::size_t operand);

/// How many operands of a node may be metadata, in the order in which LLVM keeps them.
std::size_t linked_count(const Metadata& node);
/// Which metadata the operand at `i` of those is; kNone if it is null.
std::uint32_t linked(const Module& module, const Metadata& node, std::size_t i);

}  // namespace unshade::dxil::module
