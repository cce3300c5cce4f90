// Types, literals, comparisons and conversions of GLSL.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <unshade/core/text.hpp>

#include "write/glsl/glsl.hpp"

namespace unshade::write::glsl {

namespace {

std::string version_text(unsigned version) {
  return std::to_string(version / 100) + '.' + std::to_string(version / 10 % 10) + std::to_string(version % 10);
}

}  // namespace

bool Glsl::has(Since since) const {
  const unsigned first = is_es() ? since.es : since.desktop;
  return first != 0 && version_ >= first;
}

void Glsl::needs(std::string_view feature, Since since, std::string_view with) const {
  if (has(since)) return;
  if (!with.empty()) return extension(with);
  const unsigned first = is_es() ? since.es : since.desktop;
  const std::string language = is_es() ? "GLSL ES" : "GLSL";
  writer_.unsupported(std::string(feature) + (first == 0 ? ", which " + language + " does not have"
                                                         : ", which " + language + " has since " + version_text(first)));
}

std::string Glsl::type_name(ValueType type) const {
  static constexpr std::string_view kScalars[] = {"bool",    "int",      "uint",   "float",   "float16_t",
                                                  "int16_t", "uint16_t", "double", "int64_t", "uint64_t"};
  static constexpr std::string_view kVectors[] = {"bvec", "ivec", "uvec", "vec", "f16vec", "i16vec", "u16vec", "dvec", "i64vec", "u64vec"};
  static_assert(std::size(kScalars) == source::kBases && std::size(kVectors) == source::kBases);
  switch (type.base) {
    case Base::double_: needs("numbers of 64 bits", {400, 0}); break;
    case Base::int64:
    case Base::uint64:
      if (is_vulkan())
        extension("GL_EXT_shader_explicit_arithmetic_types_int64");
      else
        needs("integers of 64 bits", {0, 0}, is_es() || version_ < 400 ? "" : "GL_ARB_gpu_shader_int64");
      break;
    case Base::half: needs("floats of 16 bits", {0, 0}, is_vulkan() ? "GL_EXT_shader_explicit_arithmetic_types_float16" : ""); break;
    case Base::int16:
    case Base::uint16: needs("integers of 16 bits", {0, 0}, is_vulkan() ? "GL_EXT_shader_explicit_arithmetic_types_int16" : ""); break;
    default: break;
  }
  const auto at = static_cast<std::size_t>(type.base);
  return type.width == 1 ? std::string(kScalars[at]) : std::string(kVectors[at]) + std::to_string(type.width);
}

std::string Glsl::literal(Base base, std::uint64_t bits, bool hex) const {
  Text out;
  const auto as_hex = [&](std::uint64_t value) { out << "0x", out.hex(value); };
  switch (base) {
    case Base::bool_: return bits != 0 ? "true" : "false";
    case Base::float_: {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      if (!std::isfinite(value) || (value != 0 && std::fpclassify(value) == FP_SUBNORMAL)) {
        out << "uintBitsToFloat(0x";
        out.hex(bits & 0xffff'ffff, 8);
        out << "u)";
      } else {
        out.shortest(value);
      }
      return out.str();
    }
    case Base::half: {
      const auto half = static_cast<std::uint32_t>(bits & 0xffff);
      const std::uint32_t exponent = half >> 10 & 31, mantissa = half & 0x3ff;
      (void)type_name({base, 1});
      if (exponent == 31) {
        (void)type_name({Base::uint16, 1});
        out << "uint16BitsToFloat16(";
        as_hex(half);
        out << "us)";
        return out.str();
      }
      const double value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, static_cast<int>(exponent) - 25);
      out.shortest(static_cast<float>((half & 0x8000) != 0 ? -value : value));
      return out.str() + "hf";
    }
    case Base::double_: {
      const double value = std::bit_cast<double>(bits);
      if (!std::isfinite(value)) {
        out << "packDouble2x32(uvec2(";
        as_hex(bits & 0xffff'ffff);
        out << "u, ";
        as_hex(bits >> 32);
        out << "u))";
        return out.str();
      }
      out.shortest(value);
      return out.str() + "lf";
    }
    case Base::int_: {
      const auto value = static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
      if (value == std::numeric_limits<std::int32_t>::min()) return "int(0x80000000u)";
      if (hex && value < 0) {
        out << "int(";
        as_hex(static_cast<std::uint32_t>(value));
        out << "u)";
      } else if (hex && value > 9) {
        as_hex(static_cast<std::uint32_t>(value));
      } else {
        out.dec_signed(value);
      }
      return out.str();
    }
    case Base::int16: {
      out << type_name({base, 1}) << '(';
      out.dec_signed(static_cast<std::int16_t>(static_cast<std::uint16_t>(bits)));
      return out.str() + ')';
    }
    case Base::int64: {
      (void)type_name({base, 1});
      const auto value = static_cast<std::int64_t>(bits);
      if (value == std::numeric_limits<std::int64_t>::min()) return "int64_t(0x8000000000000000ul)";
      out.dec_signed(value);
      return out.str() + 'l';
    }
    case Base::uint16: {
      out << type_name({base, 1}) << '(';
      out.dec(bits & 0xffff);
      return out.str() + "u)";
    }
    case Base::uint64:
      (void)type_name({base, 1});
      if (hex && bits > 9)
        as_hex(bits);
      else
        out.dec(bits);
      return out.str() + "ul";
    default: {
      const std::uint64_t value = bits & 0xffff'ffff;
      if ((hex && value > 9) || value >= 0x8000'0000)
        as_hex(value);
      else
        out.dec(value);
      return out.str() + 'u';
    }
  }
}

Expression Glsl::reinterpreted(const Expression& value, Base to) const {
  Expression made = value;
  made.type.base = to;
  made.level = Level::postfix;
  made.is_literal = false;
  std::string name;
  const Base from = value.type.base;
  switch (bits_of(to)) {
    case 32:
      if (to == Base::float_) name = from == Base::int_ ? "intBitsToFloat" : "uintBitsToFloat";
      if (to == Base::int_) name = "floatBitsToInt";
      if (to == Base::uint_) name = "floatBitsToUint";
      break;
    case 16:
      if (to == Base::half) name = from == Base::int16 ? "int16BitsToFloat16" : "uint16BitsToFloat16";
      if (to == Base::int16) name = "float16BitsToInt16";
      if (to == Base::uint16) name = "float16BitsToUint16";
      break;
    default:
      if (to == Base::double_) name = from == Base::int64 ? "int64BitsToDouble" : "uint64BitsToDouble";
      if (to == Base::int64) name = "doubleBitsToInt64";
      if (to == Base::uint64) name = "doubleBitsToUint64";
      break;
  }
  (void)type_name(made.type);
  made.text = name + '(' + value.text + ')';
  return made;
}

Expression Glsl::compared(std::string_view word, Level level, const Expression& a, const Expression& b) const {
  Expression made;
  const std::uint8_t width = std::max(a.type.width, b.type.width);
  made.type = {Base::bool_, width};
  if (width > 1) {
    // functions, whose operands have one width
    const auto wide = [&](const Expression& one) {
      return one.type.width == width ? one.text : type_name({one.type.base, width}) + '(' + one.text + ')';
    };
    if (word == "!") {
      made.text = "not(" + wide(a) + ')';
      return made;
    }
    std::string name;
    const std::string type = type_name(made.type);
    const auto joined = [&](std::string_view function, std::string_view between) {
      std::string text = type + " @(" + type + " a, " + type + " b) {\n  return " + type + '(';
      for (std::size_t k = 0; k < width; ++k)
        text +=
            (k == 0 ? "" : ", ") + ("a." + std::string(1, source::kLetters[k])) + ' ' + std::string(between) + " b." + source::kLetters[k];
      return helper(function, text + ");\n}\n");
    };
    if (word == "&&") name = joined("both", "&&");
    if (word == "||") name = joined("either", "||");
    if (word == "==") name = "equal";
    if (word == "!=") name = "notEqual";
    if (word == "<") name = "lessThan";
    if (word == "<=") name = "lessThanEqual";
    if (word == ">") name = "greaterThan";
    if (word == ">=") name = "greaterThanEqual";
    made.text = name + '(' + wide(a) + ", " + wide(b) + ')';
    return made;
  }
  return as_operator(word, level, a, b);
}

Expression Glsl::chosen(const Expression& condition, const Expression& a, const Expression& b) const {
  Expression made;
  const std::uint8_t width = std::max({condition.type.width, a.type.width, b.type.width});
  made.type = {a.type.base, width};
  if (condition.type.width == 1) {
    made.level = Level::conditional;
    made.text = condition.in(Level::logical_or) + " ? " + a.in(Level::logical_or) + " : " + b.in(Level::logical_or);
    return made;
  }
  const auto wide = [&](const Expression& one) {
    return one.type.width == width ? one.text : type_name({one.type.base, width}) + '(' + one.text + ')';
  };
  std::string name = "mix";
  if (!is_real(a.type.base) && !has({450, 310})) {
    const std::string type = type_name(made.type), truths = type_name({Base::bool_, width});
    std::string text = type + " @(" + type + " no, " + type + " yes, " + truths + " which) {\n  return " + type + '(';
    for (std::size_t k = 0; k < width; ++k) {
      const std::string at = std::string(".") + source::kLetters[k];
      text += (k == 0 ? "which" : ", which") + at + " ? yes" + at + " : no" + at;
    }
    name = helper("choose", text + ");\n}\n");
  }
  made.text = name + '(' + wide(b) + ", " + wide(a) + ", " + wide(condition) + ')';
  return made;
}

std::string Glsl::matrix_element(const std::string& matrix, bool is_rows, std::string_view vector, std::string_view component) const {
  const auto index = [](std::string_view text) { return '[' + std::string(text) + ']'; };
  if (component.empty()) return is_rows ? "transpose(" + matrix + ')' + index(vector) : matrix + index(vector);
  return is_rows ? matrix + index(component) + index(vector) : matrix + index(vector) + index(component);
}

Expression Glsl::matrix_product(const std::string& matrix, MatrixSize size, MatrixSize used, const Expression& vector,
                                bool is_vector_first) {
  std::string part = matrix;
  const auto type = [](MatrixSize of) {
    return "mat" + std::to_string(of.columns) + (of.rows == of.columns ? std::string() : 'x' + std::to_string(of.rows));
  };
  if (!(size == used)) part = type(used) + '(' + matrix + ')';
  Expression made;
  made.type = {Base::float_, static_cast<std::uint8_t>(is_vector_first ? used.columns : used.rows)};
  made.level = Level::product;
  const std::string with = vector.level <= Level::product ? '(' + vector.text + ')' : vector.text;
  made.text = is_vector_first ? with + " * " + part : part + " * " + with;
  return made;
}

// Numbers that the integer does not have: the nearest one, and 0 of NaN.
std::optional<Expression> Glsl::converted(const Expression& value, Base to) {
  if (!writer_.is_exact() || value.type.base != Base::float_ || (to != Base::int_ && to != Base::uint_)) return std::nullopt;
  const bool is_signed = to == Base::int_;
  const Function function = is_signed ? Function{"toInt",
                                                 Base::int_,
                                                 {Base::float_},
                                                 "  if (isnan(a)) return 0;\n"
                                                 "  if (a >= 2147483648.0) return 0x7fffffff;\n"
                                                 "  return a < -2147483648.0 ? int(0x80000000u) : int(a);\n"}
                                      : Function{"toUint",
                                                 Base::uint_,
                                                 {Base::float_},
                                                 "  if (a >= 4294967296.0) return 0xffffffffu;\n"
                                                 "  return a > 0.0 ? uint(a) : 0u;\n"};
  const Expression operands[] = {value};
  return call(function, operands, value.type.width);
}

std::optional<Expression> Glsl::half_as_float(const Expression& bits) {
  needs("halves of words", {420, 310});
  if (bits.type.width == 1) return Expression{"unpackHalf2x16(" + bits.text + ").x", Level::postfix, {Base::float_, 1}};
  const Expression operands[] = {bits};
  return call({"fromHalf", Base::float_, {Base::uint_}, "  return unpackHalf2x16(a).x;\n"}, operands, bits.type.width);
}

std::optional<Expression> Glsl::float_as_half(const Expression& value, ir::Rounding rounding) {
  const Expression operands[] = {value};
  if (rounding == ir::Rounding::toward_zero && writer_.is_exact()) {
    // src: Direct3D 11.3 functional specification 3.2.2
    return call({"toHalf",
                 Base::uint_,
                 {Base::float_},
                 "  uint bits = floatBitsToUint(a);\n"
                 "  uint size = bits & 0x7fffffffu;\n"
                 "  uint sign = (bits >> 16) & 0x8000u;\n"
                 "  if (size > 0x7f800000u) return 0x7e00u;\n"
                 "  if (size == 0x7f800000u) return sign | 0x7c00u;\n"
                 "  if (size >= 0x38800000u) return sign | min((size - 0x38000000u) >> 13, 0x7bffu);\n"
                 "  uint shift = 126u - (size >> 23);\n"
                 "  return shift > 31u ? sign : sign | (((size & 0x7fffffu) | 0x800000u) >> shift);\n"},
                operands, value.type.width);
  }
  needs("halves of words", {420, 310});
  if (value.type.width == 1) return Expression{"packHalf2x16(vec2(" + value.text + ", 0.0))", Level::postfix, {Base::uint_, 1}};
  return call({"toHalf", Base::uint_, {Base::float_}, "  return packHalf2x16(vec2(a, 0.0));\n"}, operands, value.type.width);
}

// A call of a function that is declared, for vectors as one of its components.
Expression Glsl::call(const Function& function, std::span<const Expression> operands, unsigned width) {
  std::string& name = functions_[std::string(function.name)];
  if (name.empty()) name = writer_.names.reserve(function.name);
  const auto declare = [&](unsigned wide, const std::string& body) {
    const auto of = [&](Base base) { return type_name({base, static_cast<std::uint8_t>(wide)}); };
    std::string text = of(function.result) + ' ' + name + '(';
    for (std::size_t k = 0; k < function.parameters.size(); ++k)
      (((text += k == 0 ? "" : ", ") += of(function.parameters[k])) += ' ') += "abcd"[k];
    (void)helper(function.name, text + ") {\n" + body + "}\n");
  };
  declare(1, std::string(function.body));
  Expression made;
  made.type = {function.result, static_cast<std::uint8_t>(width)};
  if (width > 1) {
    std::string body = "  return " + type_name(made.type) + '(';
    for (unsigned k = 0; k < width; ++k) {
      (body += k == 0 ? "" : ", ") += name + '(';
      for (std::size_t at = 0; at < function.parameters.size(); ++at)
        (((body += at == 0 ? "" : ", ") += "abcd"[at]) += '.') += source::kLetters[k];
      body += ')';
    }
    declare(width, body + ");\n");
  }
  made.text = name + '(';
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const Expression& one = operands[k];
    const Base want = function.parameters[k];
    const bool is_same = one.type.base == want && one.type.width == width;
    (made.text += k == 0 ? "" : ", ") += is_same ? one.text : type_name({want, made.type.width}) + '(' + one.text + ')';
  }
  made.text += ')';
  return made;
}

}  // namespace unshade::write::glsl
