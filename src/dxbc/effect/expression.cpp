#include <unshade/dxbc/expression.hpp>

#include <unshade/dxcontainer/part_model.hpp>

#include "dxbc/effect/expression_layout.hpp"
#include "dxbc/level9/sm2_comments_layout.hpp"

namespace unshade::dxbc {

namespace {

using dxcontainer::fourcc;
using dxcontainer::Part;

constexpr NamedValue kExpressionBanks[] = {{1, "literal"}, {2, "input"}, {4, "output"}, {7, "temporary"}};
constexpr NameTable kExpressionBankNames{kExpressionBanks};
constexpr FieldType kBankType{FieldKind::enumeration, "expression bank", &kExpressionBankNames};

constexpr NamedValue kExpressionOpcodes[] = {
#define UNSHADE_EXPRESSION_OPCODE(code, text) {code, text},
#include <unshade/dxbc/expression_opcodes.def>
};
constexpr NameTable kExpressionOpcodeNames{kExpressionOpcodes};

constexpr Bits kExpressionOpcodeBits{"opcode", 20, 11, &kExpressionOpcodeNames};
constexpr Bits kTokenBits[] = {kExpressionComponents, kExpressionOpcodeBits, kExpressionScalar};

}  // namespace

const FieldType kExpressionToken{FieldKind::bits, "expression token", nullptr, kTokenBits};

const FieldType& field_type(ExpressionBank) { return kBankType; }

std::string_view expression_opcode_name(std::uint32_t opcode) { return kExpressionOpcodeNames.find(opcode); }

std::uint32_t ExpressionInstruction::components() const { return kExpressionComponents.get(token); }
std::uint32_t ExpressionInstruction::opcode() const { return kExpressionOpcodeBits.get(token); }
bool ExpressionInstruction::is_scalar() const { return kExpressionScalar.get(token) != 0; }

Result<sm2::ConstantTable> parse_expression_constants(const Part& part) { return dxcontainer::parse_model<sm2::ConstantTable>(part); }
Result<ExpressionLiterals> parse_expression_literals(const Part& part) { return dxcontainer::parse_model<ExpressionLiterals>(part); }
Result<ExpressionCode> parse_expression_code(const Part& part) { return dxcontainer::parse_model<ExpressionCode>(part); }

void record_expression_part(const Part& part, Tree& tree, std::uint32_t group) {
  switch (part.fourcc) {
    case fourcc("CTAB"): return dxcontainer::record_model<sm2::ConstantTable>(part, tree, group);
    case fourcc("CLI4"): return dxcontainer::record_model<ExpressionLiterals>(part, tree, group);
    case fourcc("FXLC"): return dxcontainer::record_model<ExpressionCode>(part, tree, group);
    default: return;
  }
}

}  // namespace unshade::dxbc
