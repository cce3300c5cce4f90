// Types, literals and operations of HLSL.
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <unshade/core/text.hpp>

#include "write/hlsl/hlsl.hpp"
#include "write/source/operation.hpp"

namespace unshade::write::hlsl {

using ir::Op;

std::string Hlsl::type_name(ValueType type) const {
  static constexpr std::string_view kNames[] = {"bool",    "int",      "uint",   "float",   "float16_t",
                                                "int16_t", "uint16_t", "double", "int64_t", "uint64_t"};
  static_assert(std::size(kNames) == source::kBases);
  std::string made(kNames[static_cast<std::size_t>(type.base)]);
  if (type.width > 1) made += std::to_string(type.width);
  return made;
}

namespace {

void put_number(Text& out, std::uint64_t value, bool as_hex) {
  if (!as_hex) return void(out.dec(value));
  out << "0x";
  out.hex(value);
}

}  // namespace

std::string Hlsl::literal(Base base, std::uint64_t bits, bool hex) const {
  Text out;
  switch (base) {
    case Base::bool_: return bits != 0 ? "true" : "false";
    case Base::float_: {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      if (std::isnan(value) || std::isinf(value) || (value != 0 && std::fpclassify(value) == FP_SUBNORMAL)) {
        out << "asfloat(0x";
        out.hex(bits & 0xffff'ffff, 8);
        out << "u)";
      } else {
        out.shortest(value);
      }
      return out.str();
    }
    case Base::half: {
      // as the float of the same value
      const auto half = static_cast<std::uint32_t>(bits & 0xffff);
      const std::uint32_t exponent = half >> 10 & 31, mantissa = half & 0x3ff;
      const double value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, static_cast<int>(exponent) - 25);
      if (exponent == 31) {
        out << "asfloat16(uint16_t(0x";
        out.hex(half);
        out << "))";
        return out.str();
      }
      out.shortest(static_cast<float>((half & 0x8000) != 0 ? -value : value));
      return out.str() + 'h';
    }
    case Base::double_: {
      const double value = std::bit_cast<double>(bits);
      if (!std::isfinite(value)) {
        out << "asdouble(0x";
        out.hex(bits & 0xffff'ffff);
        out << "u, 0x";
        out.hex(bits >> 32);
        out << "u)";
        return out.str();
      }
      out.shortest(value);
      return out.str() + 'L';
    }
    case Base::int16: {
      out << "int16_t(";
      out.dec_signed(static_cast<std::int16_t>(static_cast<std::uint16_t>(bits)));
      return out.str() + ')';
    }
    case Base::uint16: {
      const std::uint64_t value = bits & 0xffff;
      out << "uint16_t(";
      put_number(out, value, hex && value > 9);
      return out.str() + ')';
    }
    case Base::int_: {
      const auto value = static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
      if (hex && (value < 0 || value > 9)) {
        put_number(out, static_cast<std::uint32_t>(value), true);
        return out.str();
      }
      if (value == std::numeric_limits<std::int32_t>::min()) return "int(0x80000000)";
      out.dec_signed(value);
      return out.str();
    }
    case Base::int64: {
      const auto value = static_cast<std::int64_t>(bits);
      if (value == std::numeric_limits<std::int64_t>::min()) return "int64_t(0x8000000000000000ul)";
      out.dec_signed(value);
      return out.str() + 'l';
    }
    case Base::uint64: put_number(out, bits, hex && bits > 9); return out.str() + "ul";
    default: {
      const std::uint64_t value = bits & 0xffff'ffff;
      const bool is_large = value >= 0x8000'0000;
      put_number(out, value, hex ? value > 9 : is_large);
      if (is_large) out << 'u';
      return out.str();
    }
  }
}

Expression Hlsl::reinterpreted(const Expression& value, Base to) const {
  Expression made = value;
  made.type.base = to;
  made.level = Level::postfix;
  if (bits_of(to) == 64) return bits_of_wide(value, to);
  std::string name = is_real(to) ? "asfloat" : is_signed(to) ? "asint" : "asuint";
  if (bits_of(to) == 16) name += "16";
  made.text = name + '(' + value.text + ')';
  made.is_literal = false;
  return made;
}

// Of a double as an integer, or the reverse: HLSL has words of doubles alone.
Expression Hlsl::bits_of_wide(const Expression& value, Base to) const {
  const bool is_to_real = is_real(to);
  const Base from = is_to_real ? Base::uint64 : Base::double_, made_of = is_to_real ? Base::double_ : Base::uint64;
  const std::string_view name = is_to_real ? "doubleOf" : "bitsOf";
  const auto type = [&](Base base, std::uint8_t width) { return type_name({base, width}); };
  const std::string own = writer_.helper(
      name,
      is_to_real ? "double @(uint64_t value) {\n  return asdouble(uint(value), uint(value >> 32));\n}\n"
                 : "uint64_t @(double value) {\n  uint low, high;\n  asuint(value, low, high);\n  return uint64_t(high) << 32 | low;\n}\n",
      true);
  const std::uint8_t width = value.type.width;
  if (width > 1) {
    std::string text = type(made_of, width) + " @(" + type(from, width) + " value) {\n  return " + type(made_of, width) + '(';
    for (unsigned k = 0; k < width; ++k) text += (k == 0 ? "@(value." : ", @(value.") + std::string(1, source::kLetters[k]) + ')';
    (void)writer_.helper(name, text + ");\n}\n", true);
  }
  Expression made{own + '(' + value.text + ')', Level::postfix, {made_of, width}};
  if (to == made_of) return made;
  made.type.base = to;
  made.text = type_name(made.type) + '(' + made.text + ')';
  return made;
}

Expression Hlsl::compared(std::string_view word, Level level, const Expression& a, const Expression& b) const {
  return as_operator(word, level, a, b);
}

Expression Hlsl::chosen(const Expression& condition, const Expression& a, const Expression& b) const {
  Expression made;
  made.type = {a.type.base, std::max({condition.type.width, a.type.width, b.type.width})};
  made.level = Level::conditional;
  made.text = condition.in(Level::logical_or) + " ? " + a.in(Level::logical_or) + " : " + b.in(Level::logical_or);
  return made;
}

std::optional<Expression> Hlsl::half_as_float(const Expression& bits) {
  return Expression{"f16tof32(" + bits.text + ')', Level::postfix, {Base::float_, bits.type.width}};
}

std::optional<Expression> Hlsl::float_as_half(const Expression& value, ir::Rounding) {
  return Expression{"f32tof16(" + value.text + ')', Level::postfix, {Base::uint_, value.type.width}};
}

std::string Hlsl::matrix_element(const std::string& matrix, bool is_rows, std::string_view vector, std::string_view component) const {
  const auto index = [](std::string_view text) { return '[' + std::string(text) + ']'; };
  if (component.empty()) return is_rows ? matrix + index(vector) : "transpose(" + matrix + ')' + index(vector);
  return is_rows ? matrix + index(vector) + index(component) : matrix + index(component) + index(vector);
}

Expression Hlsl::matrix_product(const std::string& matrix, MatrixSize size, MatrixSize used, const Expression& vector,
                                bool is_vector_first) {
  std::string part = matrix;
  if (!(size == used)) part = "(float" + std::to_string(used.rows) + 'x' + std::to_string(used.columns) + ')' + matrix;
  Expression made;
  made.type = {Base::float_, static_cast<std::uint8_t>(is_vector_first ? used.columns : used.rows)};
  made.text = "mul(" + (is_vector_first ? vector.text + ", " + part : part + ", " + vector.text) + ')';
  return made;
}

namespace {

constexpr std::string_view kField =
    "uint @(uint value, uint offset, uint width) {\n"
    "  return (value >> offset) & ((1u << width) - 1u);\n"
    "}\n";
constexpr std::string_view kSignedField =
    "int @(int value, uint offset, uint width) {\n"
    "  uint field = uint(value >> offset) & ((1u << width) - 1u);\n"
    "  uint sign = (1u << width) >> 1;\n"
    "  return int((field ^ sign) - sign);\n"
    "}\n";
constexpr std::string_view kInsert =
    "uint @(uint inserted, uint value, uint offset, uint width) {\n"
    "  uint mask = ((1u << (width & 31)) - 1u) << (offset & 31);\n"
    "  return ((inserted << (offset & 31)) & mask) | (value & ~mask);\n"
    "}\n";
constexpr std::string_view kHigh =
    "uint @(uint a, uint b) {\n"
    "  uint low = (a & 0xffff) * (b & 0xffff);\n"
    "  uint first = (a >> 16) * (b & 0xffff) + (low >> 16);\n"
    "  uint second = (a & 0xffff) * (b >> 16) + (first & 0xffff);\n"
    "  return (a >> 16) * (b >> 16) + (first >> 16) + (second >> 16);\n"
    "}\n";
constexpr std::string_view kSignedHigh =
    "int @(int a, int b) {\n"
    "  return int(HIGH(uint(a), uint(b)) - (a < 0 ? uint(b) : 0u) - (b < 0 ? uint(a) : 0u));\n"
    "}\n";
constexpr std::string_view kSad =
    "uint @(uint reference, uint source, uint sum) {\n"
    "  uint differences = 0;\n"
    "  for (uint shift = 0; shift < 32; shift += 8) {\n"
    "    int a = int((reference >> shift) & 0xff);\n"
    "    int b = int((source >> shift) & 0xff);\n"
    "    if (a != 0) differences += uint(abs(a - b));\n"
    "  }\n"
    "  return sum + differences < sum ? 0xffffffffu : sum + differences;\n"
    "}\n";
constexpr std::string_view kDotBytes =
    "uint @(uint sum, uint a, uint b) {\n"
    "  for (uint shift = 0; shift < 32; shift += 8) {\n"
    "    sum += ((a >> shift) & 0xff) * ((b >> shift) & 0xff);\n"
    "  }\n"
    "  return sum;\n"
    "}\n";
constexpr std::string_view kDotSignedBytes =
    "uint @(uint sum, uint a, uint b) {\n"
    "  for (uint shift = 0; shift < 32; shift += 8) {\n"
    "    sum += uint((int(a << (24 - shift)) >> 24) * (int(b << (24 - shift)) >> 24));\n"
    "  }\n"
    "  return sum;\n"
    "}\n";
constexpr std::string_view kPackBytes =
    "  uint4 bytes = uint4(value) & 0xff;\n"
    "  return bytes.x | (bytes.y << 8) | (bytes.z << 16) | (bytes.w << 24);\n"
    "}\n";
constexpr std::string_view kUnpackBytes =
    "uint4 @(uint value) {\n"
    "  return uint4(value, value >> 8, value >> 16, value >> 24) & 0xff;\n"
    "}\n";
constexpr std::string_view kUnpackSignedBytes =
    "uint4 @(uint value) {\n"
    "  return uint4(int4(value << 24, value << 16, value << 8, value) >> 24);\n"
    "}\n";
constexpr std::string_view kQuadAny =
    "bool @(bool value) {\n"
    "  uint any = value ? 1u : 0u;\n"
    "  any |= QuadReadAcrossX(any);\n"
    "  return (any | QuadReadAcrossY(any)) != 0;\n"
    "}\n";
constexpr std::string_view kQuadAll =
    "bool @(bool value) {\n"
    "  uint all = value ? 1u : 0u;\n"
    "  all &= QuadReadAcrossX(all);\n"
    "  return (all & QuadReadAcrossY(all)) != 0;\n"
    "}\n";
/// The middle of the name of an operation on waves; `is_signed`: its operand must be an int.
std::string_view word_of(ir::Reduction op, bool& is_signed) {
  using R = ir::Reduction;
  switch (op) {
    case R::iadd:
    case R::fadd: return "Sum";
    case R::imul:
    case R::fmul: return "Product";
    case R::smin: is_signed = true; [[fallthrough]];
    case R::umin:
    case R::fmin: return "Min";
    case R::smax: is_signed = true; [[fallthrough]];
    case R::umax:
    case R::fmax: return "Max";
    case R::and_: return "BitAnd";
    case R::or_: return "BitOr";
    case R::xor_: return "BitXor";
  }
  return {};
}
std::string product_with_zero(const std::string& type) {
  return type + " @(" + type + " a, " + type +
         " b) {\n"
         "  return (a == 0.0 || b == 0.0) && !isnan(a) && !isnan(b) ? 0.0 : a * b;\n"
         "}\n";
}

// A function of integers, of vectors of a width.
std::string widened(std::string_view text, unsigned width) {
  std::string made;
  for (const char c : text) {
    if (width > 1 && made.ends_with("int") && (c == ' ' || c == '(')) made += std::to_string(width);
    made += c;
  }
  return made;
}

}  // namespace

std::optional<Expression> Hlsl::dot_with_zero(const Expression& a, const Expression& b) {
  const std::string type = type_name(a.type), product = writer_.helper("multiplyWithZero", product_with_zero(type), true);
  std::string sum = "products.x";
  for (unsigned k = 1; k < a.type.width; ++k) sum = std::string("products.") + "xyzw"[k] + " + " + (k == 1 ? sum : '(' + sum + ')');
  const std::string text =
      "float @(" + type + " a, " + type + " b) {\n  " + type + " products = " + product + "(a, b);\n  return " + sum + ";\n}\n";
  return Expression{writer_.helper("dotWithZero", text, true) + '(' + a.text + ", " + b.text + ')', Level::postfix, {Base::float_, 1}};
}

std::optional<Expression> Hlsl::operation(const ir::Inst& inst, std::span<const Expression> operands, ValueType result) {
  const auto call = [&](std::string_view name) {
    Expression made;
    made.type = result;
    made.text = std::string(name) + '(';
    for (std::size_t k = 0; k < operands.size(); ++k) (made.text += k == 0 ? "" : ", ") += operands[k].text;
    made.text += ')';
    return made;
  };
  const auto of_base = [&](Expression made, Base base) {
    made.type.base = base;
    return made;
  };
  const auto of_vectors = [&](std::string_view name, std::string_view text) {
    return writer_.helper(name, widened(text, result.width), true);
  };
  const bool is_32 = inst.type == ir::Type::i32 || inst.type == ir::Type::f32;
  switch (inst.op) {
    case Op::ubfe: return of_base(call(of_vectors("bitfieldExtract", kField)), Base::uint_);
    case Op::ibfe: return of_base(call(of_vectors("bitfieldExtractSigned", kSignedField)), Base::int_);
    case Op::bfi: return of_base(call(of_vectors("bitfieldInsert", kInsert)), Base::uint_);
    case Op::msad: return of_base(call(writer_.helper("maskedDifferences", kSad)), Base::uint_);
    case Op::dot4_add_u8: return of_base(call(writer_.helper("dot4Add", kDotBytes)), Base::uint_);
    case Op::dot4_add_i8: return of_base(call(writer_.helper("dot4AddSigned", kDotSignedBytes)), Base::uint_);
    case Op::pack_i8: {
      const auto how = static_cast<ir::Pack>(inst.extra);
      std::string text = "uint @(int4 value) {\n";
      if (how == ir::Pack::clamp_signed) text += "  value = clamp(value, -128, 127);\n";
      if (how == ir::Pack::clamp_unsigned) text += "  value = clamp(value, 0, 255);\n";
      std::string made = writer_.helper("packBytes", text + std::string(kPackBytes)) + "(int4(";
      for (std::size_t k = 0; k < operands.size(); ++k) {
        // numbers of 16 bits have a sign, which clamping asks for
        const bool is_small = bits_of(operands[k].type.base) == 16;
        (made += k == 0 ? "" : ", ") += is_small ? type_name({Base::int16, 1}) + '(' + operands[k].text + ')' : operands[k].text;
      }
      return Expression{made + "))", Level::postfix, {Base::uint_, 1}};
    }
    case Op::unpack_i8: {
      const bool is_signed = static_cast<ir::Unpack>(inst.extra) == ir::Unpack::sign_extend;
      const std::string name = writer_.helper("unpackBytes", is_signed ? kUnpackSignedBytes : kUnpackBytes);
      return Expression{name + '(' + operands[0].text + ')', Level::postfix, {Base::uint_, 4}};
    }
    case Op::interface_slot: return class_number(inst.extra);
    case Op::quad_any: return of_base(call(writer_.helper("quadAny", kQuadAny)), Base::bool_);
    case Op::quad_all: return of_base(call(writer_.helper("quadAll", kQuadAll)), Base::bool_);
    case Op::umul_high:
      if (!is_32) return std::nullopt;
      return of_base(call(writer_.helper("multiplyHigh", kHigh)), Base::uint_);
    case Op::imul_high:
      if (!is_32) return std::nullopt;
      {
        const std::string other = writer_.helper("multiplyHigh", kHigh);
        std::string text(kSignedHigh);
        text.replace(text.find("HIGH"), 4, other);
        return of_base(call(writer_.helper("multiplyHighSigned", text)), Base::int_);
      }
    case Op::fmul_zero:
      if (inst.type != ir::Type::f32) return std::nullopt;
      return call(writer_.helper("multiplyWithZero", product_with_zero(type_name(result)), true));
    case Op::fmad_zero: {
      if (inst.type != ir::Type::f32) return std::nullopt;
      const std::string name = writer_.helper("multiplyWithZero", product_with_zero(type_name(result)), true);
      return Expression{name + '(' + operands[0].text + ", " + operands[1].text + ") + " + operands[2].in(Level::product), Level::sum,
                        result};
    }
    case Op::fmad: return call("mad");
    case Op::fclass:
      if (inst.extra == ir::kNan) return of_base(call("isnan"), Base::bool_);
      if (inst.extra == ir::kInfinite) return of_base(call("isinf"), Base::bool_);
      if (inst.extra == ir::kFinite) return of_base(call("isfinite"), Base::bool_);
      return std::nullopt;
    case Op::funord: {
      const std::string first = "isnan(" + operands[0].text + ')';
      if (operands[0].text == operands[1].text) return Expression{first, Level::postfix, {Base::bool_, result.width}};
      return Expression{first + " || isnan(" + operands[1].text + ')', Level::logical_or, {Base::bool_, result.width}};
    }
    case Op::fldexp: return call("ldexp");
    case Op::access_mapped: return of_base(call("CheckAccessFullyMapped"), Base::bool_);
    case Op::dot2_add: {
      const std::string type = type_name({Base::half, 2}) + '(';
      return Expression{"dot2add(" + type + operands[1].text + ", " + operands[2].text + "), " + type + operands[3].text + ", " +
                            operands[4].text + "), " + operands[0].text + ')',
                        Level::postfix,
                        {Base::float_, 1}};
    }
    case Op::add_carry: {
      if (!is_32) return std::nullopt;
      const std::string name =
          writer_.helper("addCarry", "uint2 @(uint a, uint b) {\n  uint sum = a + b;\n  return uint2(sum, sum < a ? 1u : 0u);\n}\n");
      return call(name);
    }
    case Op::sub_borrow: {
      if (!is_32) return std::nullopt;
      const std::string name = writer_.helper("subtractBorrow", "uint2 @(uint a, uint b) {\n  return uint2(a - b, a < b ? 1u : 0u);\n}\n");
      return call(name);
    }
    case Op::unpack64:
      if (inst.type != ir::Type::f64)
        return Expression{
            writer_.helper("wordsOf", "uint2 @(uint64_t value) {\n  return uint2(uint(value), uint(value >> 32));\n}\n", true) + '(' +
                operands[0].text + ')',
            Level::postfix,
            {Base::uint_, 2}};
      return Expression{
          writer_.helper("wordsOf",
                         "uint2 @(double value) {\n  uint low, high;\n  asuint(value, low, high);\n  return uint2(low, high);\n}\n", true) +
              '(' + operands[0].text + ')',
          Level::postfix,
          {Base::uint_, 2}};
    case Op::pack64:
      if (inst.type != ir::Type::f64) {
        const std::string low = "uint64_t(" + operands[0].text + ')', high = "uint64_t(" + operands[1].text + ')';
        return Expression{high + " << 32 | " + low, Level::bit_or, {Base::uint64, 1}};
      }
      return of_base(call("asdouble"), Base::double_);
    case Op::wave_ballot: return Expression{"WaveActiveBallot(" + operands[0].text + ')', Level::postfix, {Base::uint_, 4}};
    case Op::wave_match: return Expression{"WaveMatch(" + operands[0].text + ')', Level::postfix, {Base::uint_, 4}};
    case Op::wave_multi_scan: {
      const ir::ReductionExtra extra(inst.extra);
      bool is_signed = false;
      const std::string_view word = word_of(extra.op, is_signed);
      if (extra.inclusive || word == "Min" || word == "Max") return std::nullopt;
      Expression made;
      made.type = operands[0].type;
      made.text = "WaveMultiPrefix" + std::string(word) + '(' + operands[0].text + ", uint4(" + operands[1].text;
      for (const Expression& one : operands.subspan(2)) made.text += ", " + one.text;
      made.text += "))";
      return made;
    }
    case Op::wave_all_equal: return of_base(call("WaveActiveAllEqual"), Base::bool_);
    case Op::wave_any:
    case Op::wave_all:
    case Op::wave_first:
    case Op::wave_read_lane:
    case Op::wave_read_first:
    case Op::quad_read: {
      Expression made = call(source::spelling_of(ShadingLanguage::hlsl, inst.op).word);
      if (!operands.empty()) made.type.base = operands[0].type.base;
      if (ir::info(inst.op).results == "b") made.type.base = Base::bool_;
      return made;
    }
    case Op::quad_swap: {
      constexpr std::string_view kNames[] = {"QuadReadAcrossX", "QuadReadAcrossY", "QuadReadAcrossDiagonal"};
      if (inst.extra > 2) return std::nullopt;
      return of_base(call(kNames[inst.extra]), operands[0].type.base);
    }
    case Op::wave_reduce:
    case Op::wave_scan: {
      const ir::ReductionExtra extra(inst.extra);
      const bool with_own = inst.op == Op::wave_scan && extra.inclusive;
      if (extra.cluster_log2 != 0xff || (with_own && extra.op != ir::Reduction::iadd)) return std::nullopt;
      bool is_signed = false;
      const std::string_view word = word_of(extra.op, is_signed);
      Expression made;
      made.type = operands[0].type;
      std::string value = operands[0].text;
      if (is_signed) {
        made.type.base = source::ModuleWriter::base_of(inst.type, ir::Declared::signed_);
        value = type_name(made.type) + '(' + value + ')';
      }
      made.text = (inst.op == Op::wave_scan ? "WavePrefix" : "WaveActive") + std::string(word) + '(' + value + ')';
      if (with_own) {
        made.text += " + " + operands[0].in(Level::product);
        made.level = Level::sum;
      }
      return made;
    }
    default: return std::nullopt;
  }
}

}  // namespace unshade::write::hlsl
