#include "write/source/operation.hpp"

#include <array>
#include <cstddef>

namespace unshade::write::source {

using ir::Op;

namespace {

struct Row {
  std::string_view hlsl, glsl;
};

constexpr auto kRows = [] {
  std::array<Row, ir::kOps> made{};
#define WRITE_OP(op, kind, spirv, hlsl, glsl) made[static_cast<std::size_t>(Op::op)] = {hlsl, glsl};
#include "write/operations.def"
  return made;
}();

struct Operator {
  std::string_view word;
  Level level;
};
constexpr Operator kOperators[] = {
    {"+", Level::sum},       {"-", Level::sum},       {"*", Level::product},      {"/", Level::product},
    {"%", Level::product},   {"<<", Level::shift},    {">>", Level::shift},       {"<", Level::relation},
    {"<=", Level::relation}, {"==", Level::equality}, {"!=", Level::equality},    {"&", Level::bit_and},
    {"^", Level::bit_xor},   {"|", Level::bit_or},    {"&&", Level::logical_and}, {"||", Level::logical_or},
};

}  // namespace

Spelling spelling_of(ShadingLanguage language, Op op) {
  const Row& row = kRows[static_cast<std::size_t>(op)];
  Spelling made{language == ShadingLanguage::hlsl ? row.hlsl : row.glsl};
  for (const Operator& one : kOperators)
    if (one.word == made.word) made.is_operator = true, made.level = one.level;
  return made;
}

std::string_view feature_of(Op op) {
  switch (op) {
    case Op::interface_slot: return "dynamic linkage (instances of classes)";
    case Op::sampler_feedback: return "writing sampler feedback";
    case Op::access_mapped: return "loads that say whether their memory is mapped";
    case Op::clock: return "counting cycles";
    case Op::trap: return "stopping with a fault, as abort() does";
    case Op::print: return "printing messages";
    case Op::set_mesh_counts:
    case Op::mesh_index:
    case Op::dispatch_mesh: return "mesh shaders";
    default: return {};
  }
}

Sign sign_of(Op op) {
  switch (op) {
    case Op::imul_high:
    case Op::idiv:
    case Op::irem:
    case Op::imin:
    case Op::imax:
    case Op::iabs:
    case Op::ineg:
    case Op::ishr:
    case Op::ilt:
    case Op::ile:
    case Op::ibfe:
    case Op::s_to_f:
    case Op::first_high_signed: return Sign::signed_;
    case Op::umul_high:
    case Op::udiv:
    case Op::urem:
    case Op::umin:
    case Op::umax:
    case Op::ushr:
    case Op::ult:
    case Op::ule:
    case Op::ubfe:
    case Op::u_to_f:
    case Op::bit_reverse:
    case Op::bit_count:
    case Op::first_low:
    case Op::first_high:
    case Op::add_carry:
    case Op::sub_borrow:
    case Op::msad: return Sign::unsigned_;
    default: return Sign::any;
  }
}

Sign sign_of(ir::AtomicOp op) {
  switch (op) {
    case ir::AtomicOp::smin:
    case ir::AtomicOp::smax: return Sign::signed_;
    case ir::AtomicOp::umin:
    case ir::AtomicOp::umax: return Sign::unsigned_;
    default: return Sign::any;
  }
}

}  // namespace unshade::write::source
