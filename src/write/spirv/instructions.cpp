// Arithmetic, and which file writes what else.
#include <algorithm>
#include <bit>

#include <unshade/ir/extra.hpp>

#include "write/spirv/function_writer.hpp"

namespace unshade::write::spirv_writer {

namespace {

enum class Kind : std::uint8_t { none, instruction, extended };

struct Row {
  Kind kind = Kind::none;
  Word spirv = 0;
};

constexpr auto kRows = [] {
  std::array<Row, ir::kOps> made{};
  namespace instruction = spirv;
#define WRITE_INSTRUCTION(name) word(Opcode::name)
#define WRITE_EXTENDED(name) word(Glsl::name)
#define WRITE_WORD_instruction(name) WRITE_INSTRUCTION(name)
#define WRITE_WORD_extended(name) WRITE_EXTENDED(name)
#define WRITE_WORD_none(name) 0
#define WRITE_OP(op, kind, name, ...) made[static_cast<std::size_t>(Op::op)] = {Kind::kind, WRITE_WORD_##kind(name)};
#include "write/operations.def"
#undef WRITE_WORD_instruction
#undef WRITE_WORD_extended
#undef WRITE_WORD_none
#undef WRITE_INSTRUCTION
#undef WRITE_EXTENDED
  return made;
}();

/// Functions whose operands must have 16 or 32 bits. src: "SPIR-V Extended Instructions for GLSL"
bool is_of_32_bits(Op op) {
  switch (op) {
    case Op::fexp2:
    case Op::flog2:
    case Op::fsin:
    case Op::fcos:
    case Op::ftan:
    case Op::fasin:
    case Op::facos:
    case Op::fatan:
    case Op::fsinh:
    case Op::fcosh:
    case Op::ftanh:
    case Op::fatan2:
    case Op::fpow: return true;
    default: return false;
  }
}

}  // namespace

bool FunctionWriter::is_table_row(Op op) { return kRows[static_cast<std::size_t>(op)].kind != Kind::none; }

void FunctionWriter::instruction(Id id) {
  const std::size_t end = body_.words().size();
  const std::uint32_t line = current_line_;
  const bool has_scope = has_scope_;
  at_line(id);
  const std::size_t start = body_.words().size();
  last_result_ = 0;  // what others compute keeps its number
  if (!row(id) && !dot(id)) compute(id);
  name_value(id, words_[id]);
  if (start == end || body_.words().size() != start) return;
  // nothing was written that the line is of
  body_.cut(end);
  current_line_ = line;
  has_scope_ = has_scope;
}

void FunctionWriter::compute(Id id) {
  id_ = id;
  inst_ = &function_.insts[id];
  if (table_row() || arithmetic() || integers() || conversion() || memory() || interface() || resources() || images() || lanes()) return;
  writer_.unsupported("the operation `" + std::string(ir::info(inst_->op).text) + "` of the IR");
}

// Operations that are one instruction.
bool FunctionWriter::table_row() {
  const Row& row = kRows[static_cast<std::size_t>(inst_->op)];
  if (row.kind == Kind::none) return false;
  const bool is_test = ir::info(inst_->op).results == "b";
  if (inst_->type == Type::f64 && is_of_32_bits(inst_->op)) {
    writer_.unsupported("`" + std::string(ir::info(inst_->op).text) + "` of 64 bits, which GLSL.std.450 does not have");
    return true;
  }
  const Word type = word_type(is_test ? Type::b1 : inst_->type);
  if (inst_->op == Op::ddx || inst_->op == Op::ddy || inst_->op == Op::ddx_fine || inst_->op == Op::ddy_fine)
    writer_.uses_derivatives(true);
  Words words;
  if (row.kind == Kind::extended) words = {out_.glsl(), row.spirv};
  auto what = row.kind == Kind::extended ? Opcode::ext_inst : static_cast<Opcode>(row.spirv);
  const Id second = inst_->op == Op::fmul ? common_operand(1) : kNone, first = inst_->op == Op::fmul ? common_operand(0) : kNone;
  if (first != kNone || second != kNone) {
    what = Opcode::vector_times_scalar;
    words = {operand(second != kNone ? 0 : 1), value(second != kNone ? second : first)};
  } else {
    for (std::size_t at = 0; at < operands().size(); ++at) words.push_back(operand(at));
  }
  define(id_, op(what, type, words));
  if (inst_->op == Op::fadd || inst_->op == Op::fsub || inst_->op == Op::fmul) precise(defined());
  return true;
}

Word FunctionWriter::as(Type to, Type from, Word word) { return to == from ? word : op(Opcode::bitcast, word_type(to), {word}); }

bool FunctionWriter::arithmetic() {
  const Type type = inst_->type;
  const Word of = word_type(type);
  const auto real = [&](double number) {
    switch (type) {
      case Type::f64: return constant(type, std::bit_cast<std::uint64_t>(number));
      case Type::f16: return constant(type, number == 1 ? 0x3c00U : 0U);
      default: return constant(type, std::bit_cast<std::uint32_t>(static_cast<float>(number)));
    }
  };
  const auto a = [&](std::size_t at) { return operand(at); };
  const auto done = [&](Word made) { return define(id_, made), true; };
  switch (inst_->op) {
    case Op::phi: return true;
    case Op::select:
      if (type == Type::handle) return writer_.unsupported("a resource that is chosen when the shader runs"), true;
      if (const Id condition = out_.version() >= 0x0001'0400 ? common_operand(0) : kNone; condition != kNone)
        return done(select({of, value(condition), a(1), a(2)}));
      return done(select({of, a(0), a(1), a(2)}));
    case Op::get: {
      const Id tuple = operands()[0];
      if (const auto found = tuple_parts_.find(tuple); found != tuple_parts_.end()) {
        const Part& part = found->second[extra()];
        return define_part(id_, part.word, part.component, part.type, part.width), true;
      }
      const Tuple* const from = tuple_of_[tuple] == kNone ? nullptr : &tuples_[tuple_of_[tuple]];
      if (from != nullptr && from->width != 0 && extra() != from->status_at)
        return define_part(id_, from->composite, extra() + from->shift, from->part_type, from->width), true;
      return done(member(tuple, extra(), ir::result_type(function_, id_)));
    }
    case Op::bitcast: {
      const Id source = operands()[0];
      const Part* const found = part_of(source);
      // of a part, of what that is one
      if (found == nullptr) return define_cast(id_, a(0), this->type(source)), true;
      const Part part = *found;
      return define_part(id_, part.word, part.component, part.type, part.width), true;
    }
    case Op::fmad: {
      if (writer_.module.modes.fused_mad || !ir::has(inst_->flags, ir::Flags::precise))
        return done(glsl(Glsl::fma, of, {a(0), a(1), a(2)}));
      const Word product = op(Opcode::f_mul, of, {a(0), a(1)});
      precise(product);
      define(id_, op(Opcode::f_add, of, {product, a(2)}));
      return precise(defined()), true;
    }
    case Op::fmul_zero:
    case Op::fmad_zero: {
      // zero if an operand is, and the other no NaN
      const Word x = a(0), y = a(1), zero = real(0);
      const Word product = op(Opcode::f_mul, of, {x, y});
      const Word b1 = word_type(Type::b1);
      const Word either = op(Opcode::logical_or, b1, {op(Opcode::f_ord_equal, b1, {x, zero}), op(Opcode::f_ord_equal, b1, {y, zero})});
      const Word nan = op(Opcode::logical_or, b1, {op(Opcode::is_nan, b1, {x}), op(Opcode::is_nan, b1, {y})});
      const Word is_zero = op(Opcode::logical_and, b1, {either, op(Opcode::logical_not, b1, {nan})});
      Word made = select({of, is_zero, zero, product});
      if (inst_->op == Op::fmad_zero) made = op(Opcode::f_add, of, {made, a(2)});
      return done(made);
    }
    case Op::fsat: {
      // NaN and -0 give +0
      const Word x = a(0);
      if (!writer_.is_exact()) return done(glsl(Glsl::n_clamp, of, {x, real(0), real(1)}));
      const Word above = op({Opcode::f_ord_greater_than, word_type(Type::b1), {x, real(0)}});
      return done(select({of, above, glsl(Glsl::n_min, of, {x, real(1)}), real(0)}));
    }
    case Op::frcp: return done(op(Opcode::f_div, of, {real(1), a(0)}));
    case Op::ffrexp: {
      const Word both[] = {of, out_.int_type(32)};
      Tuple made;
      // the exponent is of the type that the struct has
      made.composite = glsl({Glsl::frexp_struct, out_.struct_type(both), {a(0)}});
      const Word parts[] = {op(Opcode::composite_extract, of, {made.composite, 0}),
                            op(Opcode::composite_extract, both[1], {made.composite, 1})};
      return define_members(parts), true;
    }
    case Op::funord: {
      const Word b1 = out_.bool_type();
      const Word x = a(0), y = a(1);
      const Word first = op(Opcode::is_nan, b1, {x});
      return done(x == y ? first : op(Opcode::logical_or, b1, {first, op(Opcode::is_nan, b1, {y})}));
    }
    case Op::fclass: return done(float_class());
    default: return false;
  }
}

// Tests of bits, since comparisons flush denormals where the mode says so.
Word FunctionWriter::float_class() {
  const Type from = inst_->type;
  const Word b1 = out_.bool_type();
  const std::uint32_t classes = extra();
  const Word x = operand(0);
  if (classes == ir::kNan) return op(Opcode::is_nan, b1, {x});
  if (classes == ir::kInfinite) return op(Opcode::is_inf, b1, {x});
  const unsigned width = from == Type::f16 ? 16 : from == Type::f64 ? 64 : 32;
  const unsigned mantissa = from == Type::f16 ? 10 : from == Type::f64 ? 52 : 23;
  const Type whole = width == 16 ? Type::i16 : width == 64 ? Type::i64 : Type::i32;
  const Word type = word_type(whole);
  const std::uint64_t top = std::uint64_t{1} << (width - 1);
  const std::uint64_t infinity = ((std::uint64_t{1} << (width - 1 - mantissa)) - 1) << mantissa;
  const Word size = op(Opcode::bitwise_and, type, {op(Opcode::bitcast, type, {x}), constant(whole, top - 1)});
  const Word least = constant(whole, std::uint64_t{1} << mantissa);
  const Word most = constant(whole, infinity);
  Word any = 0;
  const auto add = [&](Word test) { any = any == 0 ? test : op(Opcode::logical_or, b1, {any, test}); };
  if ((classes & ir::kNan) != 0) add(op(Opcode::u_less_than, b1, {most, size}));
  if ((classes & ir::kInfinite) != 0) add(op(Opcode::i_equal, b1, {size, most}));
  if ((classes & ir::kNormal) != 0)
    add(op(Opcode::logical_and, b1, {op(Opcode::u_less_than_equal, b1, {least, size}), op(Opcode::u_less_than, b1, {size, most})}));
  if ((classes & ir::kSubnormal) != 0) {
    const Word above = op(Opcode::i_not_equal, b1, {size, constant(whole, 0)});
    add(op(Opcode::logical_and, b1, {above, op(Opcode::u_less_than, b1, {size, least})}));
  }
  if ((classes & ir::kZero) != 0) add(op(Opcode::i_equal, b1, {size, constant(whole, 0)}));
  return any == 0 ? out_.bool_constant(false) : any;
}

}  // namespace unshade::write::spirv_writer
