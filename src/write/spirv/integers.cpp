// Integers, conversions.
#include <bit>

#include <unshade/ir/extra.hpp>

#include "write/spirv/function_writer.hpp"

namespace unshade::write::spirv_writer {

// An integer of another width.
Word FunctionWriter::resized(Word word, Type from, Type to, bool is_signed) {
  if (from == to) return word;
  return op(is_signed ? Opcode::s_convert : Opcode::u_convert, word_type(to), {word});
}

bool FunctionWriter::integers() {
  const Type type = inst_->type;
  const Word of = word_type(type);
  const Word b1 = word_type(Type::b1);
  const unsigned width = ir::bit_width(type);
  const auto a = [&](std::size_t at) { return operand(at); };
  const auto done = [&](Word made) { return define(id_, made), true; };
  const auto number = [&](std::uint64_t bits) { return constant(type, bits); };
  const auto choose = [&](Opcode bits, Opcode logic) { return type == Type::b1 ? logic : bits; };
  switch (inst_->op) {
    case Op::iand: return done(op(choose(Opcode::bitwise_and, Opcode::logical_and), of, {a(0), a(1)}));
    case Op::ior: return done(op(choose(Opcode::bitwise_or, Opcode::logical_or), of, {a(0), a(1)}));
    case Op::ixor: return done(op(choose(Opcode::bitwise_xor, Opcode::logical_not_equal), of, {a(0), a(1)}));
    case Op::inot: return done(op(choose(Opcode::not_, Opcode::logical_not), of, {a(0)}));
    case Op::ieq: return done(op(choose(Opcode::i_equal, Opcode::logical_equal), b1, {a(0), a(1)}));
    case Op::ine: return done(op(choose(Opcode::i_not_equal, Opcode::logical_not_equal), b1, {a(0), a(1)}));
    case Op::ishl:
    case Op::ishr:
    case Op::ushr: {
      const Opcode what = inst_->op == Op::ishl   ? Opcode::shift_left_logical
                          : inst_->op == Op::ishr ? Opcode::shift_right_arithmetic
                                                  : Opcode::shift_right_logical;
      const auto amount = known(operands()[1]);
      Word by = 0;
      if (amount) {
        by = number(*amount & (width - 1));
      } else if (writer_.is_exact() && !is_below(operands()[1], width)) {
        by = op(Opcode::bitwise_and, of, {a(1), number(width - 1)});
      } else {
        by = a(1);
      }
      return done(op(what, of, {a(0), by}));
    }
    case Op::udiv:
    case Op::urem:
    case Op::idiv:
    case Op::irem: return done(division());
    case Op::imul_high:
    case Op::umul_high: {
      const Word both[] = {of, of};
      const Word made =
          op({inst_->op == Op::imul_high ? Opcode::s_mul_extended : Opcode::u_mul_extended, out_.struct_type(both), {a(0), a(1)}});
      return done(op(Opcode::composite_extract, of, {made, 1}));
    }
    case Op::add_carry:
    case Op::sub_borrow: {
      const Word both[] = {of, of};
      const Word made = op({inst_->op == Op::add_carry ? Opcode::i_add_carry : Opcode::i_sub_borrow, out_.struct_type(both), {a(0), a(1)}});
      const Word parts[] = {op(Opcode::composite_extract, of, {made, 0}), op(Opcode::composite_extract, of, {made, 1})};
      return define_members(parts), true;
    }
    case Op::ibfe:
    case Op::ubfe: {
      const bool is_signed = inst_->op == Op::ibfe;
      const auto offset = known(operands()[1]), size = known(operands()[2]);
      if (width == 32 && offset && size && (*offset & 31) + (*size & 31) <= 32)
        return done(op(is_signed ? Opcode::bit_field_s_extract : Opcode::bit_field_u_extract, of,
                       {a(0), u32(static_cast<Word>(*offset & 31)), u32(static_cast<Word>(*size & 31))}));
      const auto shift = [&](std::size_t at) {
        const Word within = op({Opcode::bitwise_and, out_.int_type(32), {a(at), u32(width - 1)}});
        return resized(within, Type::i32, type);
      };
      const Word low = shift(1), count = shift(2);
      const Word mask = op(Opcode::i_sub, of, {op(Opcode::shift_left_logical, of, {number(1), count}), number(1)});
      const Word moved = op(is_signed ? Opcode::shift_right_arithmetic : Opcode::shift_right_logical, of, {a(0), low});
      const Word field = op(Opcode::bitwise_and, of, {moved, mask});
      if (!is_signed) return done(field);
      const Word sign = op(Opcode::shift_right_logical, of, {op(Opcode::shift_left_logical, of, {number(1), count}), number(1)});
      return done(op(Opcode::i_sub, of, {op(Opcode::bitwise_xor, of, {field, sign}), sign}));
    }
    case Op::bfi: {
      const auto offset = known(operands()[2]), size = known(operands()[3]);
      if (width == 32 && offset && size && (*offset & 31) + (*size & 31) <= 32)
        return done(
            op(Opcode::bit_field_insert, of, {a(1), a(0), u32(static_cast<Word>(*offset & 31)), u32(static_cast<Word>(*size & 31))}));
      const auto shift = [&](std::size_t at) {
        const Word within = op({Opcode::bitwise_and, out_.int_type(32), {a(at), u32(width - 1)}});
        return resized(within, Type::i32, type);
      };
      const Word low = shift(2), count = shift(3);
      const Word ones = op(Opcode::i_sub, of, {op(Opcode::shift_left_logical, of, {number(1), count}), number(1)});
      const Word field = op(Opcode::shift_left_logical, of, {ones, low});
      const Word put = op(Opcode::bitwise_and, of, {op(Opcode::shift_left_logical, of, {a(0), low}), field});
      return done(op(Opcode::bitwise_or, of, {put, op(Opcode::bitwise_and, of, {a(1), op(Opcode::not_, of, {field})})}));
    }
    case Op::bit_reverse:
      if (width == 32) return done(op(Opcode::bit_reverse, of, {a(0)}));
      if (width < 32) {
        const Word wide = op({Opcode::bit_reverse, out_.int_type(32), {resized(a(0), type, Type::i32)}});
        return done(resized(op({Opcode::shift_right_logical, out_.int_type(32), {wide, u32(32 - width)}}), Type::i32, type));
      }
      {
        const Word low = op({Opcode::bit_reverse, out_.int_type(32), {half(a(0), 1)}});
        return done(joined(low, op({Opcode::bit_reverse, out_.int_type(32), {half(a(0), 0)}})));
      }
    case Op::bit_count: {
      const Word word32 = out_.int_type(32);
      if (width == 64)
        return done(
            op(Opcode::i_add, word32, {op(Opcode::bit_count, word32, {half(a(0), 0)}), op(Opcode::bit_count, word32, {half(a(0), 1)})}));
      return done(op(Opcode::bit_count, word32, {resized(a(0), type, Type::i32)}));
    }
    case Op::first_low:
    case Op::first_high:
    case Op::first_high_signed: return done(first_bit());
    case Op::msad: {
      // src: Direct3D 11.3 functional specification 22.12.15
      Word sum = 0;
      for (std::uint32_t byte = 0; byte < 4; ++byte) {
        const Word x = op(Opcode::bit_field_u_extract, of, {a(0), u32(8 * byte), u32(8)});
        const Word y = op(Opcode::bit_field_u_extract, of, {a(1), u32(8 * byte), u32(8)});
        const Word apart = op(Opcode::i_sub, of, {glsl(Glsl::u_max, of, {x, y}), glsl(Glsl::u_min, of, {x, y})});
        const Word counted = select({of, op(Opcode::i_not_equal, b1, {x, u32(0)}), apart, u32(0)});
        sum = byte == 0 ? counted : op(Opcode::i_add, of, {sum, counted});
      }
      sum = op(Opcode::i_add, of, {a(2), sum});
      sum = select({of, op(Opcode::u_less_than, b1, {sum, a(2)}), u32(0xffff'ffff), sum});
      return done(sum);
    }
    case Op::dot4_add_i8:
    case Op::dot4_add_u8: {
      const Opcode extract = inst_->op == Op::dot4_add_i8 ? Opcode::bit_field_s_extract : Opcode::bit_field_u_extract;
      Word sum = a(0);
      for (std::uint32_t byte = 0; byte < 4; ++byte) {
        const Word x = op(extract, of, {a(1), u32(8 * byte), u32(8)});
        const Word y = op(extract, of, {a(2), u32(8 * byte), u32(8)});
        sum = op(Opcode::i_add, of, {sum, op(Opcode::i_mul, of, {x, y})});
      }
      return done(sum);
    }
    case Op::pack_i8: {
      const auto how = static_cast<ir::Pack>(extra());
      const Word word32 = out_.int_type(32);
      Word made = 0;
      for (std::uint32_t byte = 0; byte < 4; ++byte) {
        Word x = resized(a(byte), type, Type::i32, true);
        if (how == ir::Pack::clamp_signed) x = glsl(Glsl::s_clamp, word32, {x, u32(0xffff'ff80), u32(127)});
        if (how == ir::Pack::clamp_unsigned) x = glsl(Glsl::s_clamp, word32, {x, u32(0), u32(255)});
        made = byte == 0 ? op(Opcode::bitwise_and, word32, {x, u32(255)})
                         : op(Opcode::bit_field_insert, word32, {made, x, u32(8 * byte), u32(8)});
      }
      return done(made);
    }
    case Op::unpack_i8: {
      const bool is_signed = static_cast<ir::Unpack>(extra()) == ir::Unpack::sign_extend;
      std::array<Word, 4> parts{};
      for (std::uint32_t byte = 0; byte < 4; ++byte) {
        const Word x =
            op({is_signed ? Opcode::bit_field_s_extract : Opcode::bit_field_u_extract, out_.int_type(32), {a(0), u32(8 * byte), u32(8)}});
        parts[byte] = resized(x, Type::i32, type);
      }
      return define_members(parts), true;
    }
    case Op::pack64: {
      const Word pair[] = {a(0), a(1)};
      return done(op(Opcode::bitcast, of, {vector(out_.int_type(32), pair)}));
    }
    case Op::unpack64: {
      Tuple made;
      made.part_type = out_.int_type(32);
      made.composite = op({Opcode::bitcast, out_.vector_type(made.part_type, 2), {a(0)}});
      tuple_of_[id_] = static_cast<std::uint32_t>(tuples_.size());
      tuples_.push_back(made);
      return true;
    }
    case Op::dot2_add: {
      const Word f32 = word_type(Type::f32);
      const auto wide = [&](std::size_t at) { return op(Opcode::f_convert, f32, {a(at)}); };
      const Word first = op(Opcode::f_mul, f32, {wide(1), wide(3)});
      const Word second = op(Opcode::f_mul, f32, {wide(2), wide(4)});
      return done(op(Opcode::f_add, f32, {op(Opcode::f_add, f32, {a(0), first}), second}));
    }
    default: return false;
  }
}

// Whether a value is less than a power of two whatever it is computed from: it is masked already.
bool FunctionWriter::is_below(Id id, unsigned bound) const {
  const ir::Inst& inst = function_.insts[id];
  if (inst.op != Op::iand) return false;
  for (const Id each : function_.operands_of(id))
    if (const auto mask = known(each); mask && *mask < bound) return true;
  return false;
}

// Division by zero gives all ones; the smallest number by -1 itself. src: <unshade/ir/numeric/integer.hpp>
Word FunctionWriter::division() {
  const Type type = inst_->type;
  const Word of = word_type(type);
  const Word b1 = out_.bool_type();
  const bool is_signed = inst_->op == Op::idiv || inst_->op == Op::irem;
  const Opcode what = inst_->op == Op::udiv   ? Opcode::u_div
                      : inst_->op == Op::urem ? Opcode::u_mod
                      : inst_->op == Op::idiv ? Opcode::s_div
                                              : Opcode::s_rem;
  const Word a = operand(0), b = operand(1);
  const std::uint64_t ones = ir::bit_width(type) == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << ir::bit_width(type)) - 1;
  const auto divisor = known(operands()[1]);
  if (!writer_.is_exact() || (divisor && *divisor != 0 && (!is_signed || (*divisor & ones) != ones))) return op(what, of, {a, b});
  const Word zero = constant(type, 0), one = constant(type, 1);
  const Word is_zero = op(Opcode::i_equal, b1, {b, zero});
  Word is_special = is_zero;
  Word special = constant(type, ones);
  if (is_signed) {
    const Word is_minus = op(Opcode::i_equal, b1, {b, constant(type, ones)});
    is_special = op(Opcode::logical_or, b1, {is_zero, is_minus});
    special = select({of, is_zero, special, inst_->op == Op::idiv ? op(Opcode::s_negate, of, {a}) : zero});
  }
  return select({of, is_special, special, op(what, of, {a, select({of, is_special, one, b})})});
}

// The low or high word of 64 bits.
Word FunctionWriter::half(Word wide, unsigned which) {
  const Word word32 = out_.int_type(32);
  return op(Opcode::composite_extract, word32, {op(Opcode::bitcast, out_.vector_type(word32, 2), {wide}), which});
}

Word FunctionWriter::joined(Word low, Word high) {
  const Word pair[] = {low, high};
  return op({Opcode::bitcast, out_.int_type(64), {vector(out_.int_type(32), pair)}});
}

// Counted from bit 0; all ones if there is none.
Word FunctionWriter::first_bit() {
  const Type type = inst_->type;
  const Word word32 = out_.int_type(32);
  const Word b1 = out_.bool_type();
  const Word x = operand(0);
  const Glsl what = inst_->op == Op::first_low ? Glsl::find_i_lsb : inst_->op == Op::first_high ? Glsl::find_u_msb : Glsl::find_s_msb;
  if (type == Type::i32) return glsl(what, word32, {x});
  if (type != Type::i64) return glsl(what, word32, {resized(x, type, Type::i32, inst_->op == Op::first_high_signed)});
  Word source = x;
  if (inst_->op == Op::first_high_signed) {
    const Word sign = op({Opcode::shift_right_arithmetic, word_type(type), {x, constant(type, 63)}});
    source = op(Opcode::bitwise_xor, word_type(type), {x, sign});
  }
  const Glsl each = inst_->op == Op::first_low ? Glsl::find_i_lsb : Glsl::find_u_msb;
  const Word low = glsl(each, word32, {half(source, 0)});
  const Word high = glsl(each, word32, {half(source, 1)});
  const Word high_place = op(Opcode::i_add, word32, {high, u32(32)});
  const Word none = u32(0xffff'ffff);
  const Word has_low = op(Opcode::i_not_equal, b1, {low, none}), has_high = op(Opcode::i_not_equal, b1, {high, none});
  const Word high_or_none = select({word32, has_high, high_place, none});
  if (inst_->op == Op::first_low) return select({word32, has_low, low, high_or_none});
  return select({word32, has_high, high_place, low});
}

bool FunctionWriter::conversion() {
  const Type to = inst_->type;
  const Word of = word_type(to);
  const auto done = [&](Word made) { return define(id_, made), true; };
  switch (inst_->op) {
    case Op::sext:
    case Op::zext: {
      const Type from = type(operands()[0]);
      if (from == Type::b1) {
        const std::uint64_t ones = inst_->op == Op::zext ? 1 : ~std::uint64_t{0};
        return done(select({of, operand(0), constant(to, ones), constant(to, 0)}));
      }
      return done(resized(operand(0), from, to, inst_->op == Op::sext));
    }
    case Op::trunc: return done(resized(operand(0), type(operands()[0]), to));
    case Op::f_to_s:
    case Op::f_to_u: return done(to_integer(operands()[0], to, inst_->op == Op::f_to_s));
    case Op::f_to_f: {
      const Type from = type(operands()[0]);
      if (word_type(from) == of) return done(operand(0));
      if (static_cast<ir::Rounding>(extra()) == ir::Rounding::toward_zero && ir::bit_width(to) < ir::bit_width(from)) {
        const Word single = from == Type::f64 ? single_toward_zero(operand(0)) : operand(0);
        if (to != Type::f16) return done(single);
        return done(op(Opcode::bitcast, of, {resized(half_toward_zero(single), Type::i32, Type::i16)}));
      }
      return done(op(Opcode::f_convert, of, {operand(0)}));
    }
    default: return false;
  }
}

// Toward zero; the nearest integer of what is out of range; of NaN 0.
Word FunctionWriter::to_integer(Id of, Type to, bool is_signed) {
  const Type from = type(of);
  const Word word_to = word_type(to), word_from = word_type(from);
  const Word x = value(of);
  const Opcode convert = is_signed ? Opcode::convert_f_to_s : Opcode::convert_f_to_u;
  if (!writer_.is_exact() || from == Type::f16) return op(convert, word_to, {x});
  const Word b1 = out_.bool_type();
  const unsigned bits = ir::bit_width(to) - (is_signed ? 1 : 0);
  const auto real = [&](double number) {
    return from == Type::f64 ? constant(from, std::bit_cast<std::uint64_t>(number))
                             : constant(from, std::bit_cast<std::uint32_t>(static_cast<float>(number)));
  };
  const double end = std::bit_cast<double>((std::uint64_t{1023} + bits) << 52);  // 2 to the power of bits
  const Word above = op(Opcode::f_ord_greater_than_equal, b1, {x, real(end)});
  // what is not inside, NaN too, is converted as 0
  const Word inside = is_signed
                          ? op(Opcode::logical_and, b1,
                               {op(Opcode::f_ord_greater_than_equal, b1, {x, real(-end)}), op(Opcode::f_ord_less_than, b1, {x, real(end)})})
                          : op(Opcode::logical_and, b1,
                               {op(Opcode::f_ord_greater_than, b1, {x, real(0)}), op(Opcode::f_ord_less_than, b1, {x, real(end)})});
  const Word made = op(convert, word_to, {select({word_from, inside, x, real(0)})});
  const std::uint64_t most = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  Word result = select({word_to, above, constant(to, most), made});
  if (is_signed) {
    const Word below = op(Opcode::f_ord_less_than, b1, {x, real(-end)});
    result = select({word_to, below, constant(to, ~most), result});
  }
  return result;
}

// An f64 as f32, rounded toward zero: the nearest number, or the one before it in size if that is larger.
Word FunctionWriter::single_toward_zero(Word real) {
  const Word f32 = word_type(Type::f32), f64 = word_type(Type::f64), word32 = out_.int_type(32);
  const Word nearest = op(Opcode::f_convert, f32, {real});
  const Word size = glsl(Glsl::f_abs, f64, {op(Opcode::f_convert, f64, {nearest})});
  const Word is_larger = op({Opcode::f_ord_greater_than, out_.bool_type(), {size, glsl(Glsl::f_abs, f64, {real})}});
  const Word bits = op(Opcode::bitcast, word32, {nearest});
  return op(Opcode::bitcast, f32, {select({word32, is_larger, op(Opcode::i_sub, word32, {bits, u32(1)}), bits})});
}

// The bits of f16 that an f32 is, rounded toward zero: 32 bits. src: Direct3D 11.3 functional specification 3.2.2
Word FunctionWriter::half_toward_zero(Word real) {
  const Word word32 = out_.int_type(32);
  const Word b1 = out_.bool_type();
  const Word bits = op(Opcode::bitcast, word32, {real});
  const Word size = op(Opcode::bitwise_and, word32, {bits, u32(0x7fff'ffff)});
  const Word sign = op(Opcode::bitwise_and, word32, {op(Opcode::shift_right_logical, word32, {bits, u32(16)}), u32(0x8000)});
  // normal: the exponent moves from a bias of 127 to one of 15; what is too large is the largest number
  const Word normal = op(Opcode::shift_right_logical, word32, {op(Opcode::i_sub, word32, {size, u32(112U << 23)}), u32(13)});
  const Word finite = glsl(Glsl::u_min, word32, {normal, u32(0x7bff)});
  // denormal: the mantissa with its leading one, moved by 126 - exponent bits
  const Word exponent = op(Opcode::shift_right_logical, word32, {size, u32(23)});
  const Word mantissa = op(Opcode::bitwise_or, word32, {op(Opcode::bitwise_and, word32, {size, u32(0x7f'ffff)}), u32(0x80'0000)});
  const Word by =
      glsl(Glsl::u_min, word32, {op(Opcode::i_sub, word32, {u32(126), glsl(Glsl::u_min, word32, {exponent, u32(126)})}), u32(31)});
  const Word denormal = op(Opcode::shift_right_logical, word32, {mantissa, by});
  const Word is_small = op(Opcode::u_less_than, b1, {size, u32(113U << 23)});
  Word made = select({word32, is_small, denormal, finite});
  made = select({word32, op(Opcode::i_equal, b1, {size, u32(0x7f80'0000)}), u32(0x7c00), made});
  made = op(Opcode::bitwise_or, word32, {made, sign});
  return select({word32, op(Opcode::u_less_than, b1, {u32(0x7f80'0000), size}), u32(0x7e00), made});
}

}  // namespace unshade::write::spirv_writer
