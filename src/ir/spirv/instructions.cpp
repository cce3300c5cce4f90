// Arithmetic and composites.
#include <algorithm>

#include "ir/spirv/function.hpp"

namespace unshade::ir::lower_spirv {

void FunctionLowering::instruction(const Instruction& i) {
  if (i.meaning == Meaning::nothing || error_) return;
  if (i.meaning == Meaning::extended) return extended(i);
  if (addresses(i)) return;
  if (i.meaning == Meaning::unsupported || !(terminator(i) || memory(i) || image(i) || lanes(i) || composite(i) || arithmetic(i))) {
    const spirv::OpcodeInfo* row = spirv::find_opcode(static_cast<std::uint32_t>(i.opcode));
    unsupported(row != nullptr ? "Op" + std::string(row->text) : "opcode " + std::to_string(static_cast<unsigned>(i.opcode)));
  }
}

// --- composites --------------------------------------------------------------------------------------------------------------------------

bool FunctionLowering::composite(const Instruction& i) {
  const auto select_at = [&](const Pieces& from, Id index) {
    const Type type = builder_.type_of(index);
    Id found = from[0];
    for (std::size_t k = 1; k < from.size(); ++k) {
      found = op(Op::select, builder_.type_of(found), {op(Op::ieq, type, {index, builder_.constant(type, k)}), from[k], found});
    }
    return found;
  };
  // the first piece and the type that indexes lead to
  const auto member = [&](std::uint32_t type, std::span<const std::uint32_t> indexes) {
    std::uint64_t first = 0;
    for (const std::uint32_t index : indexes) {
      if (index >= context_.parts(type)) {
        fail(ErrorCode::bad_value, "index " + std::to_string(index) + " is out of bounds of the composite");
        return std::pair<std::uint64_t, std::uint64_t>{0, 0};
      }
      if (context_.type(type).kind == TypeKind::structure) {
        for (std::uint32_t k = 0; k < index; ++k) first += context_.count(context_.part(type, k));
      } else {
        first += std::uint64_t{index} * context_.count(context_.part(type, index));
      }
      type = context_.part(type, index);
    }
    return std::pair<std::uint64_t, std::uint64_t>{first, context_.count(type)};
  };
  const std::span<const std::uint32_t> o = i.operands;
  switch (i.meaning) {
    case Meaning::compose: {
      Pieces made;
      if (i.opcode == Opcode::composite_construct_replicate_ext) {
        if (!replicated(result_type(i), i.operand(0), made))
          unsupported("OpCompositeConstructReplicateEXT of " + context_.type_text(result_type(i)));
        return define(i, copied(std::move(made))), true;
      }
      for (const std::uint32_t part : o) {
        const Pieces some = pieces(part);
        made.insert(made.end(), some.begin(), some.end());
      }
      if (made.size() != context_.count(result_type(i)))
        fail(ErrorCode::bad_value, "the number of constituents differs from that of the type " + context_.type_text(result_type(i)));
      return define(i, copied(std::move(made))), true;
    }
    case Meaning::extract: {
      const Pieces whole = pieces(i.operand(0));
      const auto [first, count] = member(type_of(i.operand(0)), o.subspan(std::min<std::size_t>(1, o.size())));
      if (error_ || first + count > whole.size()) return fail(ErrorCode::bad_value, "the composite has no such member"), true;
      const auto from = whole.begin() + static_cast<std::ptrdiff_t>(first);
      return define(i, copied(Pieces(from, from + static_cast<std::ptrdiff_t>(count)))), true;
    }
    case Meaning::insert: {
      const Pieces part = pieces(i.operand(0));
      Pieces whole = pieces(i.operand(1));
      const auto [first, count] = member(type_of(i.operand(1)), o.subspan(std::min<std::size_t>(2, o.size())));
      if (error_ || first + count > whole.size() || part.size() != count)
        return fail(ErrorCode::bad_value, "the composite has no such member"), true;
      std::ranges::copy(part, whole.begin() + static_cast<std::ptrdiff_t>(first));
      return define(i, copied(std::move(whole))), true;
    }
    case Meaning::extract_at: {
      const Pieces whole = pieces(i.operand(0));
      if (whole.empty()) return fail(ErrorCode::bad_value, "the vector is empty"), true;
      return define(i, select_at(whole, value(i.operand(1)))), true;
    }
    case Meaning::insert_at: {
      Pieces whole = pieces(i.operand(0));
      const Id part = value(i.operand(1));
      const Id index = value(i.operand(2));
      const Type type = builder_.type_of(index);
      for (std::size_t k = 0; k < whole.size(); ++k) {
        whole[k] = op(Op::select, builder_.type_of(whole[k]), {op(Op::ieq, type, {index, builder_.constant(type, k)}), part, whole[k]});
      }
      return define(i, copied(std::move(whole))), true;
    }
    case Meaning::shuffle: {
      Pieces both = pieces(i.operand(0));
      const Pieces second = pieces(i.operand(1));
      both.insert(both.end(), second.begin(), second.end());
      if (both.empty()) return fail(ErrorCode::bad_value, "the vector is empty"), true;
      Pieces made;
      for (std::size_t k = 2; k < o.size(); ++k) {
        made.push_back(o[k] < both.size() ? both[o[k]] : builder_.undef(builder_.type_of(both[0])));
      }
      return define(i, copied(std::move(made))), true;
    }
    case Meaning::transpose: {
      const Pieces from = pieces(i.operand(0));
      const std::size_t columns = context_.parts(result_type(i));
      Pieces made;
      if (columns == 0 || from.size() % columns != 0) return fail(ErrorCode::bad_value, "expected a matrix"), true;
      const std::size_t rows = from.size() / columns;
      for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t r = 0; r < rows; ++r) made.push_back(from[r * columns + c]);
      return define(i, copied(std::move(made))), true;
    }
    case Meaning::mov:
      if (const auto from = addresses_.find(i.operand(0)); from != addresses_.end())
        addresses_.insert_or_assign(i.result, Pieces(from->second));
      if (const spirv::Type* type = context_.interface.type(type_of(i.operand(0))); type != nullptr && type->kind == TypeKind::pointer) {
        Pointer from = pointer(i.operand(0));
        return pointers_.insert_or_assign(i.result, std::move(from)), true;
      }
      return define(i, copied(pieces(i.operand(0)))), true;
    case Meaning::undef:
      if (context_.count(result_type(i)) == kNone) return true;  // an error if it is used
      return define(i, undefined(result_type(i))), true;
    case Meaning::select: {
      if (context_.count(result_type(i)) == kNone && !is_address(result_type(i)))
        return unsupported("OpSelect of pointers of this storage class"), true;
      const Pieces condition = pieces(i.operand(0));
      const Pieces a = any_pieces(i.operand(1));
      const Pieces b = any_pieces(i.operand(2));
      if (condition.empty() || a.size() != b.size())
        return fail(ErrorCode::bad_value, "the objects of OpSelect must have as many components as its result"), true;
      Pieces made;
      for (std::size_t k = 0; k < a.size(); ++k) {
        // of a pointer, one condition for handle and offset
        const std::size_t which = condition.size() == a.size() ? k : 0;
        made.push_back(op(Op::select, builder_.type_of(a[k]), {condition[which], a[k], b[k]}));
      }
      return define_any(i, std::move(made)), true;
    }
    default: return false;
  }
}

// --- arithmetic --------------------------------------------------------------------------------------------------------------------------

// The same on each component; false for what is no function of values.
bool FunctionLowering::each(const Instruction& i) {
  const Type result = result_scalar(i);
  std::vector<Pieces> from;
  for (const std::uint32_t id : i.operands) from.push_back(pieces(id));
  if (from.empty() || i.result == 0) return false;
  Pieces made;
  Pieces operands(from.size());
  for (std::size_t k = 0; k < from[0].size(); ++k) {
    for (std::size_t at = 0; at < from.size(); ++at) {
      if (k >= from[at].size()) return fail(ErrorCode::bad_value, "the operands have different numbers of components"), true;
      operands[at] = from[at][k];
    }
    const auto scope = builder_.component(from[0].size() == 1 ? kNoComponent : k);
    // a test works in the type of what it tests
    made.push_back(lower_meaning(builder_, i.meaning, result == Type::b1 ? builder_.type_of(operands[0]) : result, operands, flags_));
    if (made.back() == kNone) return false;
  }
  define(i, std::move(made));
  return true;
}

// Shifts, fields and counts: operands of other widths than the result.
void FunctionLowering::bits(const Instruction& i, Op what) {
  const Type type = result_scalar(i);
  std::vector<Pieces> from;
  for (const std::uint32_t id : i.operands) from.push_back(pieces(id));
  Pieces made;
  if (from.empty()) return fail(ErrorCode::bad_value, "an operand is missing");
  const auto at = [&](std::size_t operand, std::size_t k) {
    if (operand >= from.size() || from[operand].empty()) return fail(ErrorCode::bad_value, "an operand is missing"), i32(0);
    return from[operand][std::min(k, from[operand].size() - 1)];
  };
  // A field may have all bits; widths of the IR's operations are modulo the number of bits.
  // src: SPIR-V 3.52.14, "OpBitFieldInsert": undefined only if the width, the offset or their sum is greater
  const auto whole_or = [&](Id width, Id whole, Id field) {
    return op(Op::select, type, {op(Op::ult, Type::i32, {i32(lane_bytes(type) * 8 - 1), width}), whole, field});
  };
  for (std::size_t k = 0; k < from[0].size() && !error_; ++k) {
    const auto scope = builder_.component(from[0].size() == 1 ? kNoComponent : k);
    switch (what) {
      case Op::ishl:
      case Op::ishr:
      case Op::ushr: made.push_back(op(what, type, {at(0, k), resized(at(1, k), type)})); break;
      case Op::bfi: {
        const Id width = resized(at(3, k), Type::i32);
        made.push_back(whole_or(width, at(1, k), op(what, type, {at(1, k), at(0, k), resized(at(2, k), Type::i32), width})));
        break;
      }
      case Op::ibfe:
      case Op::ubfe: {
        const Id width = resized(at(2, k), Type::i32);
        made.push_back(whole_or(width, at(0, k), op(what, type, {at(0, k), resized(at(1, k), Type::i32), width})));
        break;
      }
      default: made.push_back(resized(op(what, builder_.type_of(at(0, k)), {at(0, k)}), type, true)); break;
    }
  }
  define(i, std::move(made));
}

void FunctionLowering::bitcast(const Instruction& i) {
  const auto scalar = context_.scalar(context_.scalar_of(result_type(i)));  // bfloat16 too: its bits
  const Type to = scalar ? *scalar : result_scalar(i);
  const Pieces from = pieces(i.operand(0));
  if (from.empty() || error_) return;
  const unsigned old_width = bit_width(builder_.type_of(from[0]));
  const unsigned width = bit_width(to);
  const auto integer = [](unsigned bits_) { return bits_ == 8 ? Type::i8 : bits_ == 16 ? Type::i16 : bits_ == 32 ? Type::i32 : Type::i64; };
  Pieces made;
  if (old_width == 0 || width == 0) return unsupported("OpBitcast to " + context_.type_text(result_type(i)));
  if (old_width == width) {
    for (const Id piece : from) made.push_back(builder_.as(to, piece));
  } else if (old_width > width) {
    for (const Id piece : from) {
      const Id whole = builder_.as(integer(old_width), piece);
      for (unsigned low = 0; low < old_width; low += width) {
        const Type type = integer(old_width);
        const Id part = low == 0 ? whole : op(Op::ushr, type, {whole, builder_.constant(type, low)});
        made.push_back(builder_.as(to, op(Op::trunc, integer(width), {part})));
      }
    }
  } else {
    const std::size_t ratio = width / old_width;
    const Type type = integer(width);
    for (std::size_t first = 0; first + ratio <= from.size(); first += ratio) {
      Id whole = kNone;
      for (std::size_t k = 0; k < ratio; ++k) {
        Id part = op(Op::zext, type, {builder_.as(integer(old_width), from[first + k])});
        if (k != 0) part = op(Op::ishl, type, {part, builder_.constant(type, k * old_width)});
        whole = k == 0 ? part : op(Op::ior, type, {whole, part});
      }
      made.push_back(builder_.as(to, whole));
    }
  }
  define(i, std::move(made));
}

// --- bfloat16: the upper half of a float -------------------------------------------------------------------------------------------------
// src: SPV_KHR_bfloat16

bool FunctionLowering::takes_bfloat16(const Instruction& i) const {
  return context_.has_bfloat16 &&
         std::ranges::any_of(i.operands, [&](std::uint32_t id) { return context_.is_bfloat16(context_.scalar_of(type_of(id))); });
}

// Conversions give the canonical NaN, as f_to_f does.
Id FunctionLowering::from_bfloat16(Id bits, Type to) {
  const Id wide = op(Op::ishl, Type::i32, {op(Op::zext, Type::i32, {bits}), i32(16)});
  const Id whole = builder_.as(Type::f32, wide);
  if (to != Type::f32) return op(Op::f_to_f, to, {whole}, kNearest);
  const Id is_nan = op(Op::fclass, Type::f32, {whole}, kNan);
  return op(Op::select, Type::f32, {is_nan, builder_.constant(Type::f32, 0x7fc0'0000), whole});
}

Id FunctionLowering::to_bfloat16(Id x, bool toward_zero) {
  const Type type = builder_.type_of(x);
  if (type == Type::f64) return unsupported("OpFConvert of 64 bits to bfloat16"), builder_.constant(Type::i16, 0);
  const Id whole = type == Type::f32 ? x : op(Op::f_to_f, Type::f32, {x}, kNearest);
  const Id bits = builder_.as(Type::i32, whole);
  const Id upper = op(Op::ushr, Type::i32, {bits, i32(16)});
  Id rounded = upper;
  if (!toward_zero) {
    // round to nearest even: add one less than half of the lowest bit that is kept, and that bit itself
    const Id odd = op(Op::iand, Type::i32, {upper, i32(1)});
    const Id more = op(Op::iadd, Type::i32, {bits, op(Op::iadd, Type::i32, {odd, i32(0x7fff)})});
    rounded = op(Op::ushr, Type::i32, {more, i32(16)});
  }
  const Id is_nan = op(Op::fclass, Type::f32, {whole}, kNan);
  return op(Op::trunc, Type::i16, {op(Op::select, Type::i32, {is_nan, i32(0x7fc0), rounded})});
}

Id FunctionLowering::dot(std::span<const Id> a, std::span<const Id> b) {
  if (a.empty() || a.size() != b.size()) return fail(ErrorCode::bad_value, "the vectors have different numbers of components"), i32(0);
  const Type type = builder_.type_of(a[0]);
  Id sum = kNone;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Id product = op(Op::fmul, type, {a[k], b[k]});
    sum = k == 0 ? product : op(Op::fadd, type, {sum, product});
  }
  return sum;
}

void FunctionLowering::matrix(const Instruction& i) {
  const Type type = result_scalar(i);
  const Pieces a = pieces(i.operand(0));
  const Pieces b = pieces(i.operand(1));
  if (error_ || a.empty() || b.empty()) return;
  const auto product = [&](std::span<const Id> m, std::span<const Id> v) {  // of a matrix and a vector
    Pieces made;
    const std::size_t rows = m.size() / v.size();
    for (std::size_t r = 0; r < rows; ++r) {
      Id sum = kNone;
      for (std::size_t c = 0; c < v.size(); ++c) {
        const Id one = op(Op::fmul, type, {m[c * rows + r], v[c]});
        sum = c == 0 ? one : op(Op::fadd, type, {sum, one});
      }
      made.push_back(sum);
    }
    return made;
  };
  Pieces made;
  switch (i.meaning) {
    case Meaning::fmul_scalar:
      for (const Id piece : a) made.push_back(op(Op::fmul, type, {piece, b[0]}));
      break;
    case Meaning::matrix_times_vector: made = product(a, b); break;
    case Meaning::vector_times_matrix:
      for (std::size_t c = 0; c + a.size() <= b.size(); c += a.size()) made.push_back(dot(a, std::span(b).subspan(c, a.size())));
      break;
    case Meaning::matrix_times_matrix: {
      const std::size_t inner = context_.parts(type_of(i.operand(0)));
      for (std::size_t c = 0; inner != 0 && c + inner <= b.size(); c += inner) {
        const Pieces column = product(a, std::span(b).subspan(c, inner));
        made.insert(made.end(), column.begin(), column.end());
      }
      break;
    }
    default:  // outer_product
      for (const Id column : b)
        for (const Id row : a) made.push_back(op(Op::fmul, type, {row, column}));
  }
  if (made.size() != context_.count(result_type(i)))
    return fail(ErrorCode::bad_value, "the sizes of the operands do not match the type of the product");
  define(i, std::move(made));
}

// Products of vectors of integers, or of bytes packed in words.
void FunctionLowering::integer_dot(const Instruction& i) {
  const bool saturating = i.meaning == Meaning::idot_saturating;
  const bool first_signed = i.opcode != Opcode::u_dot && i.opcode != Opcode::u_dot_acc_sat;
  const bool second_signed = i.opcode == Opcode::s_dot || i.opcode == Opcode::s_dot_acc_sat;
  const Type result = result_scalar(i);
  const Type type = saturating ? Type::i64 : result;
  if (saturating && result == Type::i64) return unsupported("saturation of 64 bits");
  const auto components = [&](std::uint32_t id, bool sign) {
    Pieces from = pieces(id);
    const std::uint32_t place = type_of(id);
    if (context_.interface.type(place) != nullptr && context_.type(place).kind == TypeKind::integer && from.size() == 1) {
      const Id bytes =
          op(Op::unpack_i8, Type::i32, {from[0]}, static_cast<std::uint32_t>(sign ? Unpack::sign_extend : Unpack::zero_extend));
      from = members(bytes, std::array{Type::i32, Type::i32, Type::i32, Type::i32});
    }
    for (Id& piece : from) piece = resized(piece, type, sign);
    return from;
  };
  const Pieces a = components(i.operand(0), first_signed);
  const Pieces b = components(i.operand(1), second_signed);
  Id sum = saturating ? resized(value(i.operand(2)), type, first_signed) : builder_.constant(type, 0);
  for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) sum = op(Op::iadd, type, {sum, op(Op::imul, type, {a[k], b[k]})});
  if (saturating) {
    const unsigned width = bit_width(result);
    const std::uint64_t most = (std::uint64_t{1} << (first_signed ? width - 1 : width)) - 1;
    sum = op(Op::imin, type, {sum, builder_.constant(type, most)});
    if (first_signed) sum = op(Op::imax, type, {sum, builder_.constant(type, ~most)});
    sum = resized(sum, result);
  }
  define(i, sum);
}

bool FunctionLowering::arithmetic(const Instruction& i) {
  const auto unary = [&](auto&& make) {
    Pieces made;
    for (const Id piece : pieces(i.operand(0))) made.push_back(make(piece));
    define(i, std::move(made));
    return true;
  };
  const auto binary = [&](auto&& make) {
    const Pieces a = pieces(i.operand(0));
    const Pieces b = pieces(i.operand(1));
    Pieces made;
    for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) made.push_back(make(a[k], b[k]));
    define(i, std::move(made));
    return true;
  };
  // both results of each component: first all of one kind, then all of the other
  const auto both = [&](auto&& make) {
    const Pieces a = pieces(i.operand(0));
    const Pieces b = pieces(i.operand(1));
    Pieces low;
    Pieces high;
    for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) {
      const auto [x, y] = make(a[k], b[k]);
      low.push_back(x);
      high.push_back(y);
    }
    low.insert(low.end(), high.begin(), high.end());
    define(i, std::move(low));
    return true;
  };
  if (takes_bfloat16(i) && i.meaning != Meaning::f_to_f && i.meaning != Meaning::bitcast)
    return unsupported("an operation on " + context_.type_text(context_.scalar_of(type_of(i.operand(0))))), true;
  switch (i.meaning) {
    case Meaning::ishl:
    case Meaning::ishr:
    case Meaning::ushr:
    case Meaning::bfi:
    case Meaning::ibfe:
    case Meaning::ubfe:
    case Meaning::bit_count:
    case Meaning::bit_reverse: return bits(i, static_cast<Op>(i.meaning)), true;
    case Meaning::bitcast: return bitcast(i), true;
    case Meaning::fwidth:
    case Meaning::fwidth_fine: {
      const bool fine = i.meaning == Meaning::fwidth_fine;
      const Type type = result_scalar(i);
      return unary([&](Id x) {
        const Id dx = op(Op::fabs, type, {op(fine ? Op::ddx_fine : Op::ddx, type, {x})});
        return op(Op::fadd, type, {dx, op(Op::fabs, type, {op(fine ? Op::ddy_fine : Op::ddy, type, {x})})});
      });
    }
    case Meaning::resize_unsigned:
    case Meaning::resize_signed: {
      const Type type = result_scalar(i);
      return unary([&](Id x) { return resized(x, type, i.meaning == Meaning::resize_signed); });
    }
    case Meaning::f_to_f: {
      const auto mark = context_.marks.find(i.result);
      const bool toward_zero = mark != context_.marks.end() && mark->second.toward_zero;
      const bool takes = takes_bfloat16(i);
      if (context_.is_bfloat16(context_.scalar_of(result_type(i))))
        return unary([&](Id x) { return takes ? x : to_bfloat16(x, toward_zero); });
      const Type type = result_scalar(i);
      if (takes) return unary([&](Id x) { return from_bfloat16(x, type); });
      return unary([&](Id x) {
        if (builder_.type_of(x) == type) return x;
        return op(Op::f_to_f, type, {x}, toward_zero ? static_cast<std::uint32_t>(Rounding::toward_zero) : kNearest);
      });
    }
    case Meaning::quantize_to_f16:
      return unary([&](Id x) {
        const Id half = op(Op::f_to_f, Type::f16, {x}, kNearest);
        const Id small = op(Op::fclass, Type::f16, {half}, kSubnormal | kZero);
        const Id sign = op(Op::iand, Type::i32, {builder_.as(Type::i32, x), i32(0x8000'0000)});
        return op(Op::select, Type::f32, {small, builder_.as(Type::f32, sign), op(Op::f_to_f, Type::f32, {half}, kNearest)});
      });
    case Meaning::imod:
      return binary([&](Id a, Id b) {
        const Type type = result_scalar(i);
        const Id rest = op(Op::irem, type, {a, b});
        const Id zero = builder_.constant(type, 0);
        const Id differ = op(Op::ilt, type, {op(Op::ixor, type, {rest, b}), zero});
        const Id wrong = op(Op::iand, Type::b1, {differ, op(Op::ine, type, {rest, zero})});
        return op(Op::select, type, {wrong, op(Op::iadd, type, {rest, b}), rest});
      });
    case Meaning::fmod:
      return binary([&](Id a, Id b) {
        const Type type = result_scalar(i);
        const Id whole = op(Op::ffloor, type, {op(Op::fdiv, type, {a, b})});
        return op(Op::fsub, type, {a, op(Op::fmul, type, {b, whole})});
      });
    case Meaning::fmul_scalar:
    case Meaning::vector_times_matrix:
    case Meaning::matrix_times_vector:
    case Meaning::matrix_times_matrix:
    case Meaning::outer_product: return matrix(i), true;
    case Meaning::fdot: {
      const Pieces second = pieces(i.operand(1));
      return define(i, dot(pieces(i.operand(0)), second)), true;
    }
    case Meaning::idot:
    case Meaning::idot_saturating: return integer_dot(i), true;
    case Meaning::add_carry:
    case Meaning::sub_borrow:
      return both([&](Id a, Id b) {
        const Type type = builder_.type_of(a);
        const Id made = op(static_cast<Op>(i.meaning), type, {a, b});
        const Id second = builder_.get(made, type, 1);
        return std::pair(builder_.get(made, type, 0), second);
      });
    case Meaning::umul_extended:
    case Meaning::imul_extended:
      return both([&](Id a, Id b) {
        const Type type = builder_.type_of(a);
        const Id high = op(i.meaning == Meaning::umul_extended ? Op::umul_high : Op::imul_high, type, {a, b});
        return std::pair(op(Op::imul, type, {a, b}), high);
      });
    case Meaning::reduce_or:
    case Meaning::reduce_and: {
      const Pieces from = pieces(i.operand(0));
      if (from.empty()) return false;
      Id made = from[0];
      for (std::size_t k = 1; k < from.size(); ++k)
        made = op(i.meaning == Meaning::reduce_or ? Op::ior : Op::iand, Type::b1, {made, from[k]});
      return define(i, made), true;
    }
    case Meaning::clock: {
      const Id both_words = op(Op::clock, Type::void_, {});
      Pieces words = members(both_words, std::array{Type::i32, Type::i32});
      if (context_.count(result_type(i)) == 1) words = {op(Op::pack64, Type::i64, {words[0], words[1]})};
      return define(i, std::move(words)), true;
    }
    case Meaning::is_helper: return define(i, op(Op::builtin, Type::b1, {}, BuiltinExtra(Builtin::is_helper, 0).bits())), true;
    default: return each(i);
  }
}

}  // namespace unshade::ir::lower_spirv
