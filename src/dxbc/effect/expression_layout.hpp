// The one description of the literals and instructions of expressions in effects; the constant table is that of Direct3D 9.
// read: wine d3d10 effect.c and d3dx9 preshader.c; observed in effects of fx_4_0
#pragma once

#include <unshade/core/archive/archive.hpp>
#include <unshade/dxbc/expression.hpp>

namespace unshade::dxbc {

inline constexpr Bits kExpressionComponents{"components", 0, 16};
inline constexpr Bits kExpressionScalar{"scalar", 31, 1};
extern const FieldType kExpressionToken;

/// Bytes: 4.
template <class Archive>
void describe(Archive& a, ExpressionLiteral& l) {
  a.f32("value", l.value);
}

/// Bytes: 4, then 4 for each literal.
template <class Archive>
void describe(Archive& a, ExpressionLiterals& l) {
  auto count = static_cast<std::uint32_t>(l.values.size());
  a.u32("count", count, kCount);
  a.records("values", l.values, count, 4);
}

/// Bytes: 12; 20 if it is indexed.
inline constexpr std::size_t kExpressionOperandBytes = 12;
template <class Archive>
void describe(Archive& a, ExpressionOperand& o) {
  a.u32("is_indexed", o.is_indexed);
  if (o.is_indexed > 1) return a.fail(ErrorCode::bad_value, "is_indexed", "expected 0 or 1");
  if (o.is_indexed != 0) {
    a.enum32("index_bank", o.index_bank);
    a.u32("index_address", o.index_address);
  }
  a.enum32("bank", o.bank);
  a.u32("address", o.address);
}

/// Bytes: 8, then the inputs, then the output.
inline constexpr std::size_t kExpressionInstructionBytes = 20;
template <class Archive>
void describe(Archive& a, ExpressionInstruction& i) {
  a.u32("token", i.token, kExpressionToken);
  auto count = static_cast<std::uint32_t>(i.inputs.size());
  a.u32("input_count", count, kCount);
  a.sequence("inputs", i.inputs, count, kExpressionOperandBytes);
  a.record("output", i.output);
}

/// Bytes: 4, then the instructions, then 12 that are always the same.
template <class Archive>
void describe(Archive& a, ExpressionCode& c) {
  auto count = static_cast<std::uint32_t>(c.instructions.size());
  a.u32("count", count, kCount);
  a.sequence("instructions", c.instructions, count, kExpressionInstructionBytes);
  a.expect32("end", 0xf0f0'f0f0);
  a.expect32("end", 0x0f0f'0f0f);
  a.expect32("end", 0x0000'ffff);
}

}  // namespace unshade::dxbc
