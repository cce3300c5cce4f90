// The expressions in effects: containers with a constant table (CTAB), literals (CLI4) and instructions (FXLC).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/dxbc/sm2.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxbc {

/// Where an operand is. Addresses count scalars.
enum class ExpressionBank : std::uint32_t { literal = 1, input = 2, output = 4, temporary = 7 };

struct ExpressionLiteral {
  float value = 0;
};

/// CLI4.
struct ExpressionLiterals {
  std::vector<ExpressionLiteral> values;
};

struct ExpressionOperand {
  std::uint32_t is_indexed = 0;
  ExpressionBank index_bank = ExpressionBank::temporary;
  std::uint32_t index_address = 0;
  ExpressionBank bank = ExpressionBank::temporary;
  std::uint32_t address = 0;
};

struct ExpressionInstruction {
  std::uint32_t token = 0;  ///< components, opcode, whether the first operand is a scalar: bits
  std::vector<ExpressionOperand> inputs;
  ExpressionOperand output;

  std::uint32_t components() const;
  std::uint32_t opcode() const;
  bool is_scalar() const;
};

/// FXLC.
struct ExpressionCode {
  std::vector<ExpressionInstruction> instructions;
};

/// Read the parts. Errors: truncated, bad_value, limit; of the constant table also out_of_range, cycle.
Result<sm2::ConstantTable> parse_expression_constants(const dxcontainer::Part& part);
Result<ExpressionLiterals> parse_expression_literals(const dxcontainer::Part& part);
Result<ExpressionCode> parse_expression_code(const dxcontainer::Part& part);
/// Add the fields of a CTAB, CLI4 or FXLC part to a tree.
void record_expression_part(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);

/// The name of an operation; empty if there is none.
std::string_view expression_opcode_name(std::uint32_t opcode);

const FieldType& field_type(ExpressionBank);

}  // namespace unshade::dxbc
