// Numbers of records to words of the model, by the tables of <unshade/dxil/ir.def>.
#pragma once

#include <cstdint>

#include <unshade/dxil/module.hpp>

namespace unshade::dxil::module {

/// Of a calling convention: what the records of functions and calls hold. src: LLVM 3.7, BitcodeWriter.cpp and Function.h
inline constexpr std::uint32_t kLargestConvention = 0x1fff;

/// invalid if the number means no operation on such values.
Opcode binary_opcode(std::uint64_t code, bool real);
/// What the optional last operand of a binary operation says.
std::uint16_t binary_flags(std::uint64_t code, bool real, std::uint64_t bits);
std::uint16_t fast_math_flags(std::uint64_t bits);
Opcode cast_opcode(std::uint64_t code);
/// The other way: numbers of records of binary operations, casts and comparisons.
struct OperationCode {
  std::uint64_t operation = 0;
  std::uint64_t flags = 0;  ///< the optional last operand
};
OperationCode operation_code(Opcode opcode, std::uint16_t flags);
std::uint64_t fast_math_bits(std::uint16_t flags);
/// The flags that a record of the opcode can hold, of those whose words follow the opcode's name: nuw, exact, fast, inbounds and the like.
std::uint16_t flags_of(Opcode opcode);
/// False for a number that is no predicate of the opcode, icmp or fcmp.
bool compare_predicate(std::uint64_t code, Opcode opcode, Predicate& predicate);
bool atomic_operation(std::uint64_t code, AtomicOperation& operation);
/// Numbers without a meaning are the strictest ordering, as LLVM has it.
Ordering ordering_of(std::uint64_t code);
Linkage linkage_of(std::uint64_t code);
AttributeKind attribute_of(std::uint64_t code);

}  // namespace unshade::dxil::module
