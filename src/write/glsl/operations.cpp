// Operations that are several words of GLSL, or functions of their own.
#include <algorithm>
#include <optional>

#include <unshade/core/text/numbers.hpp>

#include "write/glsl/glsl.hpp"
#include "write/source/operation.hpp"
#include "write/specializations.hpp"

namespace unshade::write::glsl {

using ir::Op;

namespace {

constexpr std::string_view kMinimum = "  return isnan(a) ? b : isnan(b) ? a : min(a, b);\n";
constexpr std::string_view kMaximum = "  return isnan(a) ? b : isnan(b) ? a : max(a, b);\n";
constexpr std::string_view kSaturate = "  return a > 0.0 ? min(a, 1.0) : 0.0;\n";
constexpr std::string_view kProductWithZero = "  return (a == 0.0 || b == 0.0) && !isnan(a) && !isnan(b) ? 0.0 : a * b;\n";
// Each step is exact: what is subtracted is at least half of what it is subtracted from.
constexpr std::string_view kRemainder =
    "  float size = abs(a), by = abs(b);\n"
    "  if (isnan(size) || isinf(size) || !(by > 0.0)) return uintBitsToFloat(0x7fc00000u);\n"
    "  if (isinf(by)) return a;\n"
    "  float scaled = by;\n"
    "  while (scaled <= 0.5 * size) scaled *= 2.0;\n"
    "  for (; scaled >= by; scaled *= 0.5) {\n"
    "    if (size >= scaled) size -= scaled;\n"
    "  }\n"
    "  return uintBitsToFloat(floatBitsToUint(size) | (floatBitsToUint(a) & 0x80000000u));\n";
constexpr std::string_view kField = "  return (a >> (b & 31)) & ((1u << (c & 31)) - 1u);\n";
constexpr std::string_view kSignedField =
    "  int offset = b & 31, width = c & 31;\n"
    "  if (width == 0) return 0;\n"
    "  return offset + width < 32 ? (a << (32 - offset - width)) >> (32 - width) : a >> offset;\n";
constexpr std::string_view kInsert =
    "  uint mask = ((1u << (d & 31)) - 1u) << (c & 31);\n"
    "  return ((a << (c & 31)) & mask) | (b & ~mask);\n";
constexpr std::string_view kHigh =
    "  uint low = (a & 0xffffu) * (b & 0xffffu);\n"
    "  uint first = (a >> 16) * (b & 0xffffu) + (low >> 16);\n"
    "  uint second = (a & 0xffffu) * (b >> 16) + (first & 0xffffu);\n"
    "  return (a >> 16) * (b >> 16) + (first >> 16) + (second >> 16);\n";
constexpr std::string_view kDifferences =
    "  uint sum = 0u;\n"
    "  for (int shift = 0; shift < 32; shift += 8) {\n"
    "    int x = int((a >> shift) & 0xffu), y = int((b >> shift) & 0xffu);\n"
    "    if (x != 0) sum += uint(abs(x - y));\n"
    "  }\n"
    "  return c + sum < c ? 0xffffffffu : c + sum;\n";
constexpr std::string_view kSignedDot =
    "  for (int shift = 24; shift >= 0; shift -= 8) a += ((b << shift) >> 24) * ((c << shift) >> 24);\n"
    "  return a;\n";
constexpr std::string_view kUnsignedDot =
    "  for (int shift = 24; shift >= 0; shift -= 8) a += ((b >> shift) & 0xffu) * ((c >> shift) & 0xffu);\n"
    "  return a;\n";
constexpr std::string_view kHighestOfWords = "  return words.y != 0u ? findMSB(words.y) + 32 : findMSB(words.x);\n";
constexpr std::string_view kReverse =
    "  a = ((a & 0x55555555u) << 1) | ((a >> 1) & 0x55555555u);\n"
    "  a = ((a & 0x33333333u) << 2) | ((a >> 2) & 0x33333333u);\n"
    "  a = ((a & 0x0f0f0f0fu) << 4) | ((a >> 4) & 0x0f0f0f0fu);\n"
    "  a = ((a & 0x00ff00ffu) << 8) | ((a >> 8) & 0x00ff00ffu);\n"
    "  return (a << 16) | (a >> 16);\n";
constexpr std::string_view kCount =
    "  int count = 0;\n"
    "  for (; a != 0u; a &= a - 1u) count++;\n"
    "  return count;\n";
constexpr std::string_view kLowest =
    "  for (int bit = 0; bit < 32; bit++) {\n"
    "    if (((a >> bit) & 1u) != 0u) return bit;\n"
    "  }\n"
    "  return -1;\n";
constexpr std::string_view kHighest =
    "  for (int bit = 31; bit >= 0; bit--) {\n"
    "    if (((a >> bit) & 1u) != 0u) return bit;\n"
    "  }\n"
    "  return -1;\n";

/// Words that a version lacks. src: the "Changes" of the specifications, and their chapter 8
struct WordRow {
  Op op;
  std::string_view feature;
  Since since;
};
constexpr WordRow kWords[] = {
    {Op::ffma, "`fma`", {400, 320}},
    {Op::fldexp, "`ldexp`", {400, 310}},
    {Op::ddx_fine, "fine derivatives", {450, 0}},
    {Op::ddy_fine, "fine derivatives", {450, 0}},
};

std::optional<std::uint32_t> number_of(const Expression& one) {
  if (!one.is_literal || one.type.width != 1) return std::nullopt;
  std::string_view text = one.text;
  if (text.ends_with('u')) text.remove_suffix(1);
  return as_number<std::uint32_t>(text);
}

}  // namespace

// The word gives the bits that the setting asks for, and the version has it.
bool Glsl::spells(const ir::Inst& inst) {
  if (const auto* const row = std::ranges::find(kWords, inst.op, &WordRow::op); row != std::end(kWords)) needs(row->feature, row->since);
  const bool is_derivative = inst.op == Op::ddx || inst.op == Op::ddy || inst.op == Op::ddx_fine || inst.op == Op::ddy_fine;
  if (is_derivative && (is_mesh() || writer_.module.stage == Stage::amplification))
    writer_.unsupported("derivatives in " + std::string(id(writer_.module.stage)) + " shaders");
  if (is_derivative && writer_.module.stage == Stage::compute) {
    needs("derivatives in compute shaders", {0, 0}, is_es() || version_ < 450 ? "" : "GL_NV_compute_shader_derivatives");
    has_derivatives_ = true;
  }
  const bool is_32 = inst.type == ir::Type::f32 || inst.type == ir::Type::i32;
  if (inst.op == Op::bit_reverse) return is_32 && has({400, 310});
  if (inst.type == ir::Type::f64 && (inst.op == Op::fexp2 || inst.op == Op::flog2 || inst.op == Op::fsin || inst.op == Op::fcos ||
                                     inst.op == Op::ftan || inst.op == Op::fpow)) {
    writer_.unsupported("transcendental functions of 64 bits");
    return true;
  }
  if (!writer_.is_exact()) return true;
  switch (inst.op) {
    case Op::fmin:
    case Op::fmax: return inst.type != ir::Type::f32;
    case Op::ddx:
    case Op::ddy: return !has({450, 0});
    case Op::idiv:
    case Op::udiv:
    case Op::urem: return inst.type != ir::Type::i32;
    case Op::ishl:
    case Op::ishr:
    case Op::ushr: return false;
    default: return true;
  }
}

std::optional<Expression> Glsl::exact(const ir::Inst& inst, std::span<const Expression> operands, ValueType result) {
  const Base of = inst.op == Op::idiv || inst.op == Op::irem ? Base::int_ : Base::uint_;
  const auto divided = [&](std::string_view name, std::string_view body) {
    return call({name, of, {of, of}, body}, operands, result.width);
  };
  switch (inst.op) {
    case Op::fmin: return call({"minimum", Base::float_, {Base::float_, Base::float_}, kMinimum}, operands, result.width);
    case Op::fmax: return call({"maximum", Base::float_, {Base::float_, Base::float_}, kMaximum}, operands, result.width);
    case Op::ddx: return Expression{"dFdxCoarse(" + operands[0].text + ')', Level::postfix, result};
    case Op::ddy: return Expression{"dFdyCoarse(" + operands[0].text + ')', Level::postfix, result};
    case Op::idiv: return divided("quotient", "  return b == 0 ? -1 : b == -1 ? -a : a / b;\n");
    case Op::udiv: return divided("quotient", "  return b == 0u ? 0xffffffffu : a / b;\n");
    case Op::urem: return divided("remainder", "  return b == 0u ? 0xffffffffu : a % b;\n");
    case Op::ishl:
    case Op::ishr:
    case Op::ushr: {
      Expression value = operands[0];
      const Base want = inst.op == Op::ishr   ? (bits_of(value.type.base) == 64   ? Base::int64
                                                 : bits_of(value.type.base) == 16 ? Base::int16
                                                                                  : Base::int_)
                        : inst.op == Op::ushr ? (bits_of(value.type.base) == 64   ? Base::uint64
                                                 : bits_of(value.type.base) == 16 ? Base::uint16
                                                                                  : Base::uint_)
                                              : value.type.base;
      if (want != value.type.base) {
        value.type.base = want;
        value.text = type_name(value.type) + '(' + value.text + ')';
        value.level = Level::postfix;
      }
      if (value.type.width < operands[1].type.width) {
        value.type.width = operands[1].type.width;
        value.text = type_name(value.type) + '(' + value.text + ')';
        value.level = Level::postfix;
      }
      const unsigned width = bits_of(value.type.base);
      const auto known = number_of(operands[1]);
      std::string by = operands[1].text;
      if (known) {
        by = std::to_string(*known % width);
      } else if (!operands[1].is_literal) {
        by = '(' + operands[1].in(Level::shift) + " & " + literal(operands[1].type.base, width - 1, false) + ')';
      }
      const std::string left = value.level >= Level::unary ? value.text : '(' + value.text + ')';
      return Expression{left + (inst.op == Op::ishl ? " << " : " >> ") + by, Level::shift, value.type};
    }
    default: return std::nullopt;
  }
}

// Counts and searches of bits that GLSL has of words alone.
std::optional<Expression> Glsl::bits_of_size(const ir::Inst& inst, const Expression& value, unsigned width) {
  const bool is_wide = ir::bit_width(inst.type) == 64;
  if ((!is_wide && ir::bit_width(inst.type) != 16) || !has({400, 310})) return std::nullopt;
  const Base from =
      source::ModuleWriter::base_of(inst.type, inst.op == Op::first_high_signed ? ir::Declared::signed_ : ir::Declared::unsigned_);
  const Expression operands[] = {value};
  const std::string words = "  uvec2 words = unpackUint2x32(a);\n";
  switch (inst.op) {
    case Op::bit_reverse:
      return call({"reverse",
                   from,
                   {from},
                   is_wide ? words + "  return packUint2x32(uvec2(bitfieldReverse(words.y), bitfieldReverse(words.x)));\n"
                           : "  return uint16_t(bitfieldReverse(uint(a)) >> 16);\n"},
                  operands, width);
    case Op::bit_count:
      return call({"countBits",
                   Base::int_,
                   {from},
                   is_wide ? words + "  return bitCount(words.x) + bitCount(words.y);\n" : "  return bitCount(uint(a));\n"},
                  operands, width);
    case Op::first_low:
      return call({"lowestBit",
                   Base::int_,
                   {from},
                   is_wide ? words + "  return words.x != 0u ? findLSB(words.x) : words.y != 0u ? findLSB(words.y) + 32 : -1;\n"
                           : "  return findLSB(uint(a));\n"},
                  operands, width);
    case Op::first_high:
      return call({"highestBit", Base::int_, {from}, is_wide ? words + std::string(kHighestOfWords) : "  return findMSB(uint(a));\n"},
                  operands, width);
    case Op::first_high_signed:
      return call({"highestBit",
                   Base::int_,
                   {from},
                   is_wide ? "  uvec2 words = unpackUint2x32(uint64_t(a < 0l ? ~a : a));\n" + std::string(kHighestOfWords)
                           : "  return findMSB(int(a));\n"},
                  operands, width);
    default: return std::nullopt;
  }
}

std::optional<Expression> Glsl::integers(const ir::Inst& inst, std::span<const Expression> operands, ValueType result) {
  const bool is_32 = inst.type == ir::Type::i32;
  const auto as_int = [&](const Expression& one) {
    if (const auto known = number_of(one)) return std::to_string(*known);
    return one.type.base == Base::int_ ? one.text : type_name({Base::int_, one.type.width}) + '(' + one.text + ')';
  };
  const auto function = [&](std::string_view name, Base made, std::vector<Base> from, std::string_view body) {
    return call({name, made, std::move(from), body}, operands, result.width);
  };
  const auto of_bits = [&](std::string_view word, std::string_view name, std::string_view body) {
    if (!has({400, 310})) return function(name, Base::int_, {Base::uint_}, body);
    return Expression{std::string(word) + '(' + operands[0].text + ')', Level::postfix, {Base::int_, result.width}};
  };
  switch (inst.op) {
    case Op::ubfe:
    case Op::ibfe: {
      if (!is_32) return std::nullopt;
      const bool is_signed = inst.op == Op::ibfe;
      const auto offset = number_of(operands[1]), width = number_of(operands[2]);
      const bool is_known = offset && width && *width != 0 && *width < 32 && *offset + *width <= 32;
      if (is_known && has({400, 310})) {
        const Base base = is_signed ? Base::int_ : Base::uint_;
        return Expression{"bitfieldExtract(" + operands[0].text + ", " + std::to_string(*offset) + ", " + std::to_string(*width) + ')',
                          Level::postfix,
                          {base, result.width}};
      }
      if (is_signed) return function("extractSigned", Base::int_, {Base::int_, Base::int_, Base::int_}, kSignedField);
      return function("extract", Base::uint_, {Base::uint_, Base::int_, Base::int_}, kField);
    }
    case Op::bfi: {
      if (!is_32) return std::nullopt;
      const auto offset = number_of(operands[2]), width = number_of(operands[3]);
      if (offset && width && *width < 32 && *offset + *width <= 32 && has({400, 310})) {
        return Expression{
            "bitfieldInsert(" + operands[1].text + ", " + operands[0].text + ", " + as_int(operands[2]) + ", " + as_int(operands[3]) + ')',
            Level::postfix,
            {Base::uint_, result.width}};
      }
      return function("insert", Base::uint_, {Base::uint_, Base::uint_, Base::int_, Base::int_}, kInsert);
    }
    case Op::bit_reverse:
      if (!is_32) return bits_of_size(inst, operands[0], result.width);
      return function("reverse", Base::uint_, {Base::uint_}, kReverse);
    case Op::bit_count:
      if (!is_32) return bits_of_size(inst, operands[0], result.width);
      return of_bits("bitCount", "countBits", kCount);
    case Op::first_low:
      if (!is_32) return bits_of_size(inst, operands[0], result.width);
      return of_bits("findLSB", "lowestBit", kLowest);
    case Op::first_high:
      if (!is_32) return bits_of_size(inst, operands[0], result.width);
      return of_bits("findMSB", "highestBit", kHighest);
    case Op::first_high_signed:
      if (!is_32) return bits_of_size(inst, operands[0], result.width);
      needs("`findMSB` of signed integers", {400, 310});
      return Expression{"findMSB(" + operands[0].text + ')', Level::postfix, {Base::int_, result.width}};
    case Op::msad: return function("maskedDifferences", Base::uint_, {Base::uint_, Base::uint_, Base::uint_}, kDifferences);
    case Op::dot4_add_i8: return function("addDot4", Base::int_, {Base::int_, Base::int_, Base::int_}, kSignedDot);
    case Op::dot4_add_u8: return function("addDot4", Base::uint_, {Base::uint_, Base::uint_, Base::uint_}, kUnsignedDot);
    case Op::umul_high:
      if (!is_32) return std::nullopt;
      if (!has({400, 310})) return function("multiplyHigh", Base::uint_, {Base::uint_, Base::uint_}, kHigh);
      return function("multiplyHigh", Base::uint_, {Base::uint_, Base::uint_},
                      "  uint high, low;\n  umulExtended(a, b, high, low);\n  return high;\n");
    case Op::imul_high:
      if (!is_32) return std::nullopt;
      needs("`imulExtended`", {400, 310});
      return function("multiplyHigh", Base::int_, {Base::int_, Base::int_},
                      "  int high, low;\n  imulExtended(a, b, high, low);\n  return high;\n");
    case Op::irem: {
      if (!is_32) {
        const Base base = source::ModuleWriter::base_of(inst.type, ir::Declared::signed_);
        const std::string type = type_name({base, 1});
        const auto number = [&](std::string_view text) { return type + '(' + std::string(text) + ')'; };
        const std::string whole = type + "(a - b * (a / b))";
        return function("remainder", base, {base, base},
                        writer_.is_exact() ? "  return b == " + number("0") + " ? " + number("-1") + " : b == " + number("-1") + " ? " +
                                                 number("0") + " : " + whole + ";\n"
                                           : "  return " + whole + ";\n");
      }
      if (writer_.is_exact())
        return function("remainder", Base::int_, {Base::int_, Base::int_}, "  return b == 0 ? -1 : b == -1 ? 0 : a - b * (a / b);\n");
      // `%` of negative numbers is undefined
      return function("remainder", Base::int_, {Base::int_, Base::int_}, "  return a - b * (a / b);\n");
    }
    case Op::add_carry:
    case Op::sub_borrow: {
      if (!is_32) return std::nullopt;
      const bool adds = inst.op == Op::add_carry;
      const std::string name =
          adds ? helper("addCarry", "uvec2 @(uint a, uint b) {\n  uint sum = a + b;\n  return uvec2(sum, sum < a ? 1u : 0u);\n}\n")
               : helper("subtractBorrow", "uvec2 @(uint a, uint b) {\n  return uvec2(a - b, a < b ? 1u : 0u);\n}\n");
      return Expression{name + '(' + operands[0].text + ", " + operands[1].text + ')', Level::postfix, {Base::uint_, 2}};
    }
    case Op::pack_i8: {
      const auto how = static_cast<ir::Pack>(inst.extra);
      // numbers of 16 bits have a sign, which clamping asks for
      const auto with_sign = [&](const Expression& one) {
        return bits_of(one.type.base) == 16 ? "int(" + type_name({Base::int16, 1}) + '(' + one.text + "))" : as_int(one);
      };
      std::string value = "int a, int b, int c, int d) {\n  ivec4 value = ivec4(a, b, c, d);\n";
      if (how == ir::Pack::clamp_signed) value += "  value = clamp(value, -128, 127);\n";
      if (how == ir::Pack::clamp_unsigned) value += "  value = clamp(value, 0, 255);\n";
      value += "  uvec4 bytes = uvec4(value) & 0xffu;\n  return bytes.x | (bytes.y << 8) | (bytes.z << 16) | (bytes.w << 24);\n}\n";
      std::string text = helper("packBytes", "uint @(" + value) + '(';
      for (std::size_t k = 0; k < operands.size(); ++k) (text += k == 0 ? "" : ", ") += with_sign(operands[k]);
      return Expression{text + ')', Level::postfix, {Base::uint_, 1}};
    }
    case Op::unpack_i8: {
      const bool is_signed = static_cast<ir::Unpack>(inst.extra) == ir::Unpack::sign_extend;
      const std::string name =
          is_signed ? helper("unpackBytes", "uvec4 @(uint a) {\n  return uvec4(ivec4(a << 24, a << 16, a << 8, a) >> 24);\n}\n")
                    : helper("unpackBytes", "uvec4 @(uint a) {\n  return uvec4(a, a >> 8, a >> 16, a >> 24) & 0xffu;\n}\n");
      return Expression{name + '(' + operands[0].text + ')', Level::postfix, {Base::uint_, 4}};
    }
    default: return std::nullopt;
  }
}

std::optional<Expression> Glsl::lanes(const ir::Inst& inst, std::span<const Expression> operands, ValueType result) {
  const auto subgroup = [&](std::string_view kind) {
    if (!is_vulkan() && !has({430, 310})) needs("operations of subgroups", {430, 310});
    extension("GL_KHR_shader_subgroup_" + std::string(kind));
  };
  const auto called = [&](std::string_view name, ValueType type) {
    Expression made{std::string(name) + '(', Level::postfix, type};
    for (std::size_t k = 0; k < operands.size(); ++k) (made.text += k == 0 ? "" : ", ") += operands[k].text;
    made.text += ')';
    return made;
  };
  const ValueType truth{Base::bool_, 1};
  const ValueType own = operands.empty() ? result : operands[0].type;
  // of values, which may have other sizes than words
  const auto subgroup_of = [&](std::string_view kind) {
    subgroup(kind);
    if (bits_of(own.base) == 16)
      extension(is_real(own.base) ? "GL_EXT_shader_subgroup_extended_types_float16" : "GL_EXT_shader_subgroup_extended_types_int16");
    if (bits_of(own.base) == 64 && !is_real(own.base)) extension("GL_EXT_shader_subgroup_extended_types_int64");
  };
  switch (inst.op) {
    case Op::wave_any: subgroup("vote"); return called("subgroupAny", truth);
    case Op::wave_all: subgroup("vote"); return called("subgroupAll", truth);
    case Op::wave_all_equal: subgroup_of("vote"); return called("subgroupAllEqual", truth);
    case Op::wave_first: subgroup("basic"); return called("subgroupElect", truth);
    case Op::wave_ballot: subgroup("ballot"); return called("subgroupBallot", {Base::uint_, 4});
    case Op::wave_read_first: subgroup_of("ballot"); return called("subgroupBroadcastFirst", own);
    case Op::wave_read_lane: subgroup_of("shuffle"); return called("subgroupShuffle", own);
    case Op::wave_match:
      subgroup_of("ballot");
      extension("GL_NV_shader_subgroup_partitioned");
      return called("subgroupPartitionNV", {Base::uint_, 4});
    case Op::quad_swap: {
      constexpr std::string_view kNames[] = {"subgroupQuadSwapHorizontal", "subgroupQuadSwapVertical", "subgroupQuadSwapDiagonal"};
      subgroup_of("quad");
      return called(kNames[std::min(inst.extra, 2U)], own);
    }
    case Op::quad_read:
      subgroup_of("quad");
      if (operands[1].is_literal) return called("subgroupQuadBroadcast", own);
      subgroup("basic");
      subgroup("shuffle");
      return Expression{
          "subgroupShuffle(" + operands[0].text + ", (gl_SubgroupInvocationID & ~3u) | (" + operands[1].in(Level::bit_and) + " & 3u))",
          Level::postfix, own};
    case Op::quad_any:
      subgroup("clustered");
      return Expression{"subgroupClusteredOr(uint(" + operands[0].text + "), 4u) != 0u", Level::equality, truth};
    case Op::quad_all:
      subgroup("clustered");
      return Expression{"subgroupClusteredAnd(uint(" + operands[0].text + "), 4u) != 0u", Level::equality, truth};
    case Op::clock: extension("GL_ARB_shader_clock"); return Expression{"clock2x32ARB()", Level::postfix, {Base::uint_, 2}};
    case Op::wave_reduce:
    case Op::wave_scan:
    case Op::wave_multi_scan: {
      const ir::ReductionExtra extra(inst.extra);
      using R = ir::Reduction;
      std::string_view word;
      std::optional<Base> want;
      switch (extra.op) {
        case R::iadd:
        case R::fadd: word = "Add"; break;
        case R::imul:
        case R::fmul: word = "Mul"; break;
        case R::smin: word = "Min", want = source::ModuleWriter::base_of(inst.type, ir::Declared::signed_); break;
        case R::smax: word = "Max", want = source::ModuleWriter::base_of(inst.type, ir::Declared::signed_); break;
        case R::umin: word = "Min", want = source::ModuleWriter::base_of(inst.type, ir::Declared::unsigned_); break;
        case R::umax: word = "Max", want = source::ModuleWriter::base_of(inst.type, ir::Declared::unsigned_); break;
        case R::fmin: word = "Min"; break;
        case R::fmax: word = "Max"; break;
        case R::and_: word = "And"; break;
        case R::or_: word = "Or"; break;
        case R::xor_: word = "Xor"; break;
      }
      const bool is_clustered = inst.op == Op::wave_reduce && extra.cluster_log2 != 0xff;
      // lanes with the same mask are a part, as those of wave_match
      const bool is_partitioned = inst.op == Op::wave_multi_scan;
      subgroup_of(is_clustered ? "clustered" : is_partitioned ? "basic" : "arithmetic");
      if (is_partitioned) extension("GL_NV_shader_subgroup_partitioned");
      Expression made;
      made.type = own;
      std::string value = operands[0].text;
      if (want && *want != own.base && bits_of(*want) == bits_of(own.base)) {
        made.type.base = *want;
        value = type_name(made.type) + '(' + value + ')';
      }
      made.text = std::string(is_partitioned ? "subgroupPartitioned" : "subgroup") +
                  (is_clustered                 ? "Clustered"
                   : inst.op == Op::wave_reduce ? ""
                   : extra.inclusive            ? "Inclusive"
                                                : "Exclusive") +
                  std::string(word) + (is_partitioned ? "NV(" : "(") + value;
      if (is_clustered) made.text += ", " + std::to_string(1U << extra.cluster_log2) + 'u';
      if (is_partitioned) made.text += ", uvec4(" + operands[1].text;
      for (std::size_t k = 2; is_partitioned && k < operands.size(); ++k) made.text += ", " + operands[k].text;
      made.text += is_partitioned ? "))" : ")";
      return made;
    }
    default: return std::nullopt;
  }
}

std::optional<Expression> Glsl::operation(const ir::Inst& inst, std::span<const Expression> operands, ValueType result) {
  if (writer_.is_exact())
    if (auto made = exact(inst, operands, result)) return made;
  if (auto made = integers(inst, operands, result)) return made;
  if (auto made = lanes(inst, operands, result)) return made;
  const bool is_single = inst.type == ir::Type::f32;
  const auto function = [&](std::string_view name, std::vector<Base> from, std::string_view body) {
    return call({name, Base::float_, std::move(from), body}, operands, result.width);
  };
  const auto called = [&](std::string_view name, Base base) {
    Expression made{std::string(name) + '(', Level::postfix, {base, result.width}};
    for (std::size_t k = 0; k < operands.size(); ++k) (made.text += k == 0 ? "" : ", ") += operands[k].text;
    made.text += ')';
    return made;
  };
  const std::uint8_t width = operands.empty() ? std::uint8_t{1} : operands[0].type.width;
  const auto negated = [&](const Expression& one) { return width > 1 ? "not(" + one.text + ')' : '!' + one.in(Level::unary); };
  switch (inst.op) {
    case Op::fsat:
      if (writer_.is_exact() && is_single) return function("saturate", {Base::float_}, kSaturate);
      return Expression{"clamp(" + operands[0].text + ", " + literal(result.base, 0, false) + ", " +
                            (result.base == Base::double_ ? "1.0lf"
                             : result.base == Base::half  ? "1.0hf"
                                                          : "1.0") +
                            ')',
                        Level::postfix, result};
    case Op::fmul_zero:
      if (!is_single) return std::nullopt;
      return function("multiplyWithZero", {Base::float_, Base::float_}, kProductWithZero);
    case Op::fmad_zero: {
      if (!is_single) return std::nullopt;
      const Expression product =
          call({"multiplyWithZero", Base::float_, {Base::float_, Base::float_}, kProductWithZero}, operands.first(2), result.width);
      return Expression{product.text + " + " + (operands[2].level <= Level::sum ? '(' + operands[2].text + ')' : operands[2].text),
                        Level::sum, result};
    }
    case Op::fmad: {
      // the product is rounded, as that of `fma` need not be
      if (writer_.is_exact() && writer_.module.modes.fused_mad) {
        needs("`fma`", {400, 320});
        return called("fma", result.base);
      }
      const auto factor = [&](const Expression& one) { return one.level <= Level::product ? '(' + one.text + ')' : one.text; };
      const std::string first = operands[0].level < Level::product ? '(' + operands[0].text + ')' : operands[0].text;
      return Expression{
          first + " * " + factor(operands[1]) + " + " + (operands[2].level <= Level::sum ? '(' + operands[2].text + ')' : operands[2].text),
          Level::sum, result};
    }
    case Op::frem:
      if (!is_single) return std::nullopt;
      if (writer_.is_exact()) return function("remainder", {Base::float_, Base::float_}, kRemainder);
      return function("remainder", {Base::float_, Base::float_}, "  return a - b * trunc(a / b);\n");
    case Op::fclass: {
      if (inst.extra == ir::kNan) return called("isnan", Base::bool_);
      if (inst.extra == ir::kInfinite) return called("isinf", Base::bool_);
      if (!is_single) return std::nullopt;
      std::string asked;
      const auto ask = [&](std::uint32_t bit, std::string_view text) {
        if ((inst.extra & bit) != 0) (asked += asked.empty() ? "" : " || ") += text;
      };
      ask(ir::kNan, "size > 0x7f800000u");
      ask(ir::kInfinite, "size == 0x7f800000u");
      if ((inst.extra & ir::kFinite) == ir::kFinite) {
        ask(ir::kFinite, "size < 0x7f800000u");
      } else {
        ask(ir::kNormal, "(size >= 0x00800000u && size < 0x7f800000u)");
        ask(ir::kSubnormal, "(size != 0u && size < 0x00800000u)");
        ask(ir::kZero, "size == 0u");
      }
      const std::string body = "  uint size = floatBitsToUint(a) & 0x7fffffffu;\n  return " + asked + ";\n";
      const std::string name = inst.extra == ir::kFinite   ? "isfinite"
                               : inst.extra == ir::kNormal ? "isnormal"
                                                           : "isOfClass" + std::to_string(inst.extra);
      return call({name, Base::bool_, {Base::float_}, body}, operands, result.width);
    }
    case Op::funord: {
      const Expression first{"isnan(" + operands[0].text + ')', Level::postfix, {Base::bool_, width}};
      if (operands[0].text == operands[1].text) return first;
      return compared("||", Level::logical_or, first, {"isnan(" + operands[1].text + ')', Level::postfix, {Base::bool_, width}});
    }
    case Op::unpack64:
      if (inst.type == ir::Type::f64) return Expression{"unpackDouble2x32(" + operands[0].text + ')', Level::postfix, {Base::uint_, 2}};
      (void)type_name({Base::uint64, 1});
      return Expression{"unpackUint2x32(uint64_t(" + operands[0].text + "))", Level::postfix, {Base::uint_, 2}};
    case Op::pack64: {
      const std::string both = "(uvec2(" + operands[0].text + ", " + operands[1].text + "))";
      if (inst.type == ir::Type::f64) {
        (void)type_name({Base::double_, 1});
        return Expression{"packDouble2x32" + both, Level::postfix, {Base::double_, 1}};
      }
      (void)type_name({Base::uint64, 1});
      return Expression{"packUint2x32" + both, Level::postfix, {Base::uint64, 1}};
    }
    case Op::interface_slot: return specialized(interface_slot(inst.extra));
    case Op::access_mapped:
      if (!operands[0].truth.empty()) return Expression{operands[0].truth, Level::postfix, {Base::bool_, 1}};
      return compared("!=", Level::equality, operands[0], {"0u", Level::postfix, {Base::uint_, 1}, true});
    case Op::dot2_add:
      return Expression{operands[0].in(Level::sum) + " + float(" + operands[1].text + ") * float(" + operands[3].text + ") + float(" +
                            operands[2].text + ") * float(" + operands[4].text + ')',
                        Level::sum,
                        {Base::float_, 1}};
    default: break;
  }
  (void)negated;
  return std::nullopt;
}

std::optional<Expression> Glsl::dot_with_zero(const Expression& a, const Expression& b) {
  const Expression parameters[] = {{"a", Level::postfix, a.type}, {"b", Level::postfix, a.type}};
  const std::string product =
      call({"multiplyWithZero", Base::float_, {Base::float_, Base::float_}, kProductWithZero}, parameters, a.type.width).text;
  std::string sum = "products.x";
  for (unsigned k = 1; k < a.type.width; ++k)
    sum = std::string("products.") + source::kLetters[k] + " + " + (k == 1 ? sum : '(' + sum + ')');
  const std::string type = type_name(a.type);
  const std::string text =
      "float @(" + type + " a, " + type + " b) {\n  " + type + " products = " + product + ";\n  return " + sum + ";\n}\n";
  return Expression{writer_.helper("dotWithZero", text, true) + '(' + a.text + ", " + b.text + ')', Level::postfix, {Base::float_, 1}};
}

}  // namespace unshade::write::glsl
