// The instructions of GLSL.std.450.
#include <algorithm>
#include <initializer_list>
#include <numbers>

#include "ir/spirv/function.hpp"

namespace unshade::ir::lower_spirv {
namespace {

using Glsl = spirv::extended::GlslStd450;

}  // namespace

void FunctionLowering::extended(const Instruction& i) {
  const spirv::ExtendedSet set = context_.ids.set(i.operand(0));
  if (set == spirv::ExtendedSet::DebugPrintf) return print(i);
  if (spirv::is_non_semantic(set) || spirv::is_debug_info(set)) return;
  if (set != spirv::ExtendedSet::GlslStd450) return unsupported("an instruction of the extended set %" + std::to_string(i.operand(0)));
  const auto which = static_cast<Glsl>(i.operand(1));
  const Meaning meaning = meaning_of(which);
  const spirv::ExtendedInfo* row = spirv::find_extended(set, i.operand(1));
  Instruction of = i;
  of.operands.erase(of.operands.begin(), of.operands.begin() + 2);
  if (row == nullptr || meaning == Meaning::unsupported) {
    return unsupported("GLSL.std.450 " + (row != nullptr ? std::string(row->text) : std::to_string(i.operand(1))));
  }
  if (glsl_vector(of, meaning, which) || error_) return;
  // component by component
  std::vector<Pieces> from;
  for (const std::uint32_t id : of.operands) from.push_back(pieces(id));
  if (from.empty() || error_) return;
  const Type type = result_scalar(i);
  Pieces made;
  for (std::size_t k = 0; k < from[0].size() && !error_; ++k) {
    Pieces x;
    for (const Pieces& one : from) {
      if (one.empty()) return fail(ErrorCode::bad_value, "an operand is missing");
      x.push_back(one[std::min(k, one.size() - 1)]);
    }
    while (x.size() < 3) x.push_back(x.back());
    made.push_back(glsl_scalar(meaning, which, type, x));
  }
  define(i, std::move(made));
}

Id FunctionLowering::length(std::span<const Id> x) {
  const Type type = builder_.type_of(x[0]);
  return x.size() == 1 ? op(Op::fabs, type, {x[0]}) : op(Op::fsqrt, type, {dot(x, x)});
}

// False for what is computed component by component.
bool FunctionLowering::glsl_vector(const Instruction& i, Meaning meaning, Glsl which) {
  const auto minus = [&](Type type, const Pieces& a, const Pieces& b) {
    Pieces made;
    for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) made.push_back(op(Op::fsub, type, {a[k], b[k]}));
    return made;
  };
  // a result, and another one through a pointer or as members that follow
  const auto two = [&](bool is_struct, auto&& make) {
    Pieces first;
    Pieces second;
    for (const Id x : pieces(i.operand(0))) {
      const auto [a, b] = make(x);
      first.push_back(a);
      second.push_back(b);
    }
    if (is_struct) {
      first.insert(first.end(), second.begin(), second.end());
    } else {
      const Pointer to = pointer(i.operand(1));
      std::size_t next = 0;
      if (!error_) store(to, second, next);
    }
    define(i, std::move(first));
    return true;
  };
  switch (meaning) {
    case Meaning::flength:
    case Meaning::fdistance:
    case Meaning::fnormalize: {
      Pieces x = pieces(i.operand(0));
      const Type type = result_scalar(i);
      if (meaning == Meaning::fdistance) x = minus(type, x, pieces(i.operand(1)));
      if (x.empty()) return true;
      const Id size = length(x);
      if (meaning != Meaning::fnormalize) return define(i, size), true;
      for (Id& piece : x) piece = op(Op::fdiv, type, {piece, size});
      return define(i, std::move(x)), true;
    }
    case Meaning::fcross: {
      const Type type = result_scalar(i);
      const Pieces a = pieces(i.operand(0));
      const Pieces b = pieces(i.operand(1));
      if (a.size() != 3 || b.size() != 3) return fail(ErrorCode::bad_value, "expected vectors of three components"), true;
      Pieces made;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t next = (k + 1) % 3;
        const std::size_t last = (k + 2) % 3;
        made.push_back(op(Op::fsub, type, {op(Op::fmul, type, {a[next], b[last]}), op(Op::fmul, type, {a[last], b[next]})}));
      }
      return define(i, std::move(made)), true;
    }
    case Meaning::face_forward: {
      const Type type = result_scalar(i);
      Pieces n = pieces(i.operand(0));
      const Pieces incident = pieces(i.operand(1));
      const Id product = dot(pieces(i.operand(2)), incident);
      if (error_) return true;
      const Id towards = op(Op::flt, type, {product, real(type, 0)});
      for (Id& piece : n) piece = op(Op::select, type, {towards, piece, op(Op::fneg, type, {piece})});
      return define(i, std::move(n)), true;
    }
    case Meaning::freflect: {
      const Type type = result_scalar(i);
      Pieces from = pieces(i.operand(0));
      const Pieces n = pieces(i.operand(1));
      const Id product = dot(n, from);
      if (error_) return true;
      const Id twice = op(Op::fmul, type, {real(type, 2), product});
      for (std::size_t k = 0; k < from.size(); ++k) from[k] = op(Op::fsub, type, {from[k], op(Op::fmul, type, {twice, n[k]})});
      return define(i, std::move(from)), true;
    }
    case Meaning::frefract: {
      const Type type = result_scalar(i);
      Pieces from = pieces(i.operand(0));
      const Pieces n = pieces(i.operand(1));
      Id eta = value(i.operand(2));
      const Id product = dot(n, from);
      if (error_) return true;
      if (builder_.type_of(eta) != type) eta = op(Op::f_to_f, type, {eta}, kNearest);
      const Id one = real(type, 1);
      const Id rest = op(Op::fsub, type, {one, op(Op::fmul, type, {product, product})});
      const Id k = op(Op::fsub, type, {one, op(Op::fmul, type, {op(Op::fmul, type, {eta, eta}), rest})});
      const Id none = op(Op::flt, type, {k, real(type, 0)});
      const Id along = op(Op::fadd, type, {op(Op::fmul, type, {eta, product}), op(Op::fsqrt, type, {k})});
      for (std::size_t c = 0; c < from.size(); ++c) {
        const Id bent = op(Op::fsub, type, {op(Op::fmul, type, {eta, from[c]}), op(Op::fmul, type, {along, n[c]})});
        from[c] = op(Op::select, type, {none, real(type, 0), bent});
      }
      return define(i, std::move(from)), true;
    }
    case Meaning::determinant:
    case Meaning::matrix_inverse: {
      const Pieces m = pieces(i.operand(0));
      const unsigned n = context_.parts(type_of(i.operand(0)));
      if (n < 2 || n > 4 || m.size() != std::size_t{n} * n) return fail(ErrorCode::bad_value, "expected a square matrix"), true;
      if (meaning == Meaning::determinant) return define(i, determinant(m, n)), true;
      return define(i, inverse(m, n)), true;
    }
    case Meaning::fmodf:
      return two(which == Glsl::modf_struct, [&](Id x) {
        const Type type = builder_.type_of(x);
        const Id whole = op(Op::ftrunc, type, {x});
        // infinity has no fraction
        const Id infinite = op(Op::fclass, type, {x}, kInfinite);
        return std::pair(op(Op::select, type, {infinite, real(type, 0), op(Op::fsub, type, {x, whole})}), whole);
      });
    case Meaning::ffrexp:
      return two(which == Glsl::frexp_struct, [&](Id x) {
        const Type type = builder_.type_of(x);
        const Id made = op(Op::ffrexp, type, {x});
        const Id exponent = builder_.get(made, Type::i32, 1);
        return std::pair(builder_.get(made, type, 0), exponent);
      });
    case Meaning::pack_normalized:
    case Meaning::pack_half:
    case Meaning::unpack_normalized:
    case Meaning::unpack_half: return define(i, packed(i, which)), true;
    case Meaning::pack64: {
      const Pieces x = pieces(i.operand(0));
      if (x.size() != 2) return fail(ErrorCode::bad_value, "expected a vector of two components, found " + std::to_string(x.size())), true;
      return define(i, op(Op::pack64, Type::f64, {x[0], x[1]})), true;
    }
    case Meaning::unpack64:
      return define(i, members(op(Op::unpack64, Type::f64, {value(i.operand(0))}), std::array{Type::i32, Type::i32})), true;
    case Meaning::eval_centroid: return interpolate(i, i.operand(0), ElementExtra::Place::centroid, {}), true;
    case Meaning::eval_sample_index: return interpolate(i, i.operand(0), ElementExtra::Place::sample, pieces(i.operand(1))), true;
    case Meaning::eval_offset: return interpolate(i, i.operand(0), ElementExtra::Place::offset, pieces(i.operand(1))), true;
    default: return false;
  }
}

Pieces FunctionLowering::packed(const Instruction& i, Glsl which) {
  const bool bytes =
      which == Glsl::pack_snorm4x8 || which == Glsl::pack_unorm4x8 || which == Glsl::unpack_snorm4x8 || which == Glsl::unpack_unorm4x8;
  const bool is_signed =
      which == Glsl::pack_snorm4x8 || which == Glsl::pack_snorm2x16 || which == Glsl::unpack_snorm4x8 || which == Glsl::unpack_snorm2x16;
  const bool half = which == Glsl::pack_half2x16 || which == Glsl::unpack_half2x16;
  const std::uint32_t width = bytes ? 8 : 16;
  const std::uint32_t mask = bytes ? 0xff : 0xffff;
  const Id most = real(Type::f32, is_signed ? mask >> 1 : mask);
  const Pieces from = pieces(i.operand(0));
  Pieces made;
  if (which == Glsl::unpack_half2x16 || which == Glsl::unpack_snorm2x16 || which == Glsl::unpack_unorm2x16 ||
      which == Glsl::unpack_snorm4x8 || which == Glsl::unpack_unorm4x8) {
    const Id word = value(i.operand(0));
    for (std::uint32_t low = 0; low < 32; low += width) {
      if (half) {
        const Id bits_ = op(Op::trunc, Type::i16, {low == 0 ? word : op(Op::ushr, Type::i32, {word, i32(low)})});
        made.push_back(op(Op::f_to_f, Type::f32, {builder_.as(Type::f16, bits_)}, kNearest));
        continue;
      }
      const Id field = op(is_signed ? Op::ibfe : Op::ubfe, Type::i32, {word, i32(low), i32(width)});
      const Id number = op(Op::fdiv, Type::f32, {op(is_signed ? Op::s_to_f : Op::u_to_f, Type::f32, {field}), most});
      made.push_back(is_signed ? op(Op::fmax, Type::f32, {number, builder_.f32(-1)}) : number);
    }
    return made;
  }
  Id word = i32(0);
  for (std::size_t k = 0; k < from.size() && k < 32 / width; ++k) {
    Id field = kNone;
    if (half) {
      const Id rounded = op(Op::f_to_f, Type::f16, {from[k]}, kNearest);
      field = op(Op::zext, Type::i32, {builder_.as(Type::i16, rounded)});
    } else {
      const Id one = builder_.f32(1);
      const Id within = clamped(Type::f32, from[k], builder_.f32(is_signed ? -1.0F : 0.0F), one);
      const Id number = op(Op::fround_even, Type::f32, {op(Op::fmul, Type::f32, {within, most})});
      field = op(Op::iand, Type::i32, {op(is_signed ? Op::f_to_s : Op::f_to_u, Type::i32, {number}), i32(mask)});
    }
    if (k != 0) field = op(Op::ishl, Type::i32, {field, i32(static_cast<std::uint32_t>(k) * width)});
    word = k == 0 ? field : op(Op::ior, Type::i32, {word, field});
  }
  return {word};
}

// `m` by columns.
Id FunctionLowering::determinant(std::span<const Id> m, unsigned n) {
  const Type type = builder_.type_of(m[0]);
  if (n == 1) return m[0];
  if (n == 2) return op(Op::fsub, type, {op(Op::fmul, type, {m[0], m[3]}), op(Op::fmul, type, {m[2], m[1]})});
  Id sum = kNone;
  for (unsigned r = 0; r < n; ++r) {
    Pieces minor;
    for (unsigned c = 1; c < n; ++c)
      for (unsigned k = 0; k < n; ++k)
        if (k != r) minor.push_back(m[std::size_t{c} * n + k]);
    const Id one = op(Op::fmul, type, {m[r], determinant(minor, n - 1)});
    sum = r == 0 ? one : op(r % 2 == 1 ? Op::fsub : Op::fadd, type, {sum, one});
  }
  return sum;
}

Pieces FunctionLowering::inverse(std::span<const Id> m, unsigned n) {
  const Type type = builder_.type_of(m[0]);
  const Id whole = determinant(m, n);
  Pieces made;
  for (unsigned c = 0; c < n; ++c) {
    for (unsigned r = 0; r < n; ++r) {
      // the cofactor of the transposed place
      Pieces minor;
      for (unsigned column = 0; column < n; ++column)
        for (unsigned row = 0; row < n; ++row)
          if (column != r && row != c) minor.push_back(m[std::size_t{column} * n + row]);
      Id one = determinant(minor, n - 1);
      if ((c + r) % 2 == 1) one = op(Op::fneg, type, {one});
      made.push_back(op(Op::fdiv, type, {one, whole}));
    }
  }
  return made;
}

Id FunctionLowering::glsl_scalar(Meaning meaning, Glsl which, Type type, std::span<const Id> x) {
  // Operands in braces: they are evaluated from left to right, where those of a call are in any order.
  const auto f = [&](Op what, std::initializer_list<Id> operands) { return op(what, type, operands); };
  const auto c = [&](double number) { return real(type, number); };
  const auto log = [&](Id of) {
    const Id ln2 = c(std::numbers::ln2);
    return f(Op::fmul, {f(Op::flog2, {of}), ln2});
  };
  const Type from = builder_.type_of(x[0]);
  switch (meaning) {
    case Meaning::fround_away: {
      const Id whole = f(Op::ftrunc, {x[0]});
      const Id rest = f(Op::fabs, {f(Op::fsub, {x[0], whole})});
      const Id away = f(Op::select, {f(Op::flt, {x[0], c(0)}), c(-1), c(1)});
      return f(Op::select, {f(Op::fle, {c(0.5), rest}), f(Op::fadd, {whole, away}), whole});
    }
    case Meaning::fsign: {
      const Id negative = f(Op::select, {f(Op::flt, {x[0], c(0)}), c(-1), x[0]});
      return f(Op::select, {f(Op::flt, {c(0), x[0]}), c(1), negative});
    }
    case Meaning::isign: {
      const Id zero = builder_.constant(from, 0);
      const Id negative = op(Op::sext, from, {op(Op::ilt, from, {x[0], zero})});
      const Id positive = op(Op::zext, from, {op(Op::ilt, from, {zero, x[0]})});
      return op(Op::ior, from, {negative, positive});
    }
    case Meaning::fmul_constant: return f(Op::fmul, {x[0], c(which == Glsl::radians ? std::numbers::pi / 180 : 180 / std::numbers::pi)});
    case Meaning::fexp: return f(Op::fexp2, {f(Op::fmul, {x[0], c(std::numbers::log2e)})});
    case Meaning::flog: return log(x[0]);
    case Meaning::fasinh: {
      const Id size = f(Op::fabs, {x[0]});
      const Id one = c(1);
      const Id made = log(f(Op::fadd, {size, f(Op::fsqrt, {f(Op::fadd, {f(Op::fmul, {x[0], x[0]}), one})})}));
      return f(Op::select, {f(Op::flt, {x[0], c(0)}), f(Op::fneg, {made}), made});
    }
    case Meaning::facosh: {
      const Id one = c(1);
      return log(f(Op::fadd, {x[0], f(Op::fsqrt, {f(Op::fsub, {f(Op::fmul, {x[0], x[0]}), one})})}));
    }
    case Meaning::fatanh: {
      const Id below = f(Op::fsub, {c(1), x[0]});
      const Id twice = log(f(Op::fdiv, {f(Op::fadd, {c(1), x[0]}), below}));
      return f(Op::fmul, {c(0.5), twice});
    }
    case Meaning::fclamp: return clamped(type, x[0], x[1], x[2]);
    case Meaning::uclamp: return f(Op::umin, {f(Op::umax, {x[0], x[1]}), x[2]});
    case Meaning::iclamp: return f(Op::imin, {f(Op::imax, {x[0], x[1]}), x[2]});
    case Meaning::fmix: {
      const Id second = f(Op::fmul, {x[1], x[2]});
      return f(Op::fadd, {f(Op::fmul, {x[0], f(Op::fsub, {c(1), x[2]})}), second});
    }
    case Meaning::fstep: return f(Op::select, {f(Op::flt, {x[1], x[0]}), c(0), c(1)});
    case Meaning::fsmooth_step: {
      const Id one = c(1);
      const Id zero = c(0);
      const Id width = f(Op::fsub, {x[1], x[0]});
      const Id t = clamped(type, f(Op::fdiv, {f(Op::fsub, {x[2], x[0]}), width}), zero, one);
      const Id twice = f(Op::fmul, {c(2), t});
      const Id rest = f(Op::fsub, {c(3), twice});
      return f(Op::fmul, {f(Op::fmul, {t, t}), rest});
    }
    case Meaning::fldexp: {
      Id exponent = x[1];
      if (builder_.type_of(exponent) == Type::i64) {
        // beyond these every number is infinity or zero
        const Id most = builder_.constant(Type::i64, 10000);
        const Id least = builder_.constant(Type::i64, ~std::uint64_t{9999});
        exponent = op(Op::imin, Type::i64, {op(Op::imax, Type::i64, {exponent, least}), most});
      }
      return f(Op::fldexp, {x[0], resized(exponent, Type::i32, true)});
    }
    case Meaning::first_low:
    case Meaning::first_high:
    case Meaning::first_high_signed: return resized(op(static_cast<Op>(meaning), from, {x[0]}), type, true);
    default: break;
  }
  const auto what = op_of(meaning);
  const Id made = lower_meaning(builder_, meaning, type, x.first(std::min(x.size(), what ? info(*what).operands.size() : 0)), flags_);
  if (made == kNone) unsupported("an instruction of GLSL.std.450");
  return made == kNone ? i32(0) : made;
}

}  // namespace unshade::ir::lower_spirv
