// src: effects listed by fxc and d3dcompiler in public repositories; guess: what is said so below
#include "dxbc/effect/listing.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/archive/writer.hpp>
#include <unshade/core/lanes.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/text/shown.hpp>
#include <unshade/dxbc/expression.hpp>

#include "dxbc/effect/layout.hpp"

namespace unshade::dxbc::effect {

namespace {

using dxcontainer::fourcc;

enum class StateType : std::uint8_t { object, uint, byte, bool_, real };

constexpr NamedValue kNoValues[] = {{0xffff'ffff, ""}};
constexpr NamedValue kBooleanValues[] = {{0, "FALSE"}, {1, "TRUE"}};
constexpr NamedValue kFillValues[] = {
#define DX_FILL(id, number, word) {number, word},
#include <unshade/dxcontainer/states.def>
};
constexpr NamedValue kCullValues[] = {
#define DX_CULL(id, number, word) {number, word},
#include <unshade/dxcontainer/states.def>
};
constexpr NamedValue kDepthWriteValues[] = {
#define DX_DEPTH_WRITE(id, number, word) {number, word},
#include <unshade/dxcontainer/states.def>
};
constexpr NamedValue kComparisonValues[] = {
#define DX_COMPARISON(id, number, word) {number, word},
#include <unshade/dxcontainer/states.def>
};
constexpr NamedValue kStencilValues[] = {
#define DX_STENCIL_OP(id, number, word) {number, word},
#include <unshade/dxcontainer/states.def>
};
constexpr NamedValue kBlendValues[] = {
#define DX_BLEND(id, number, word) {number, word},
#include <unshade/dxcontainer/states.def>
};
constexpr NamedValue kBlendOperationValues[] = {
#define DX_BLEND_OP(id, number, word) {number, word},
#include <unshade/dxcontainer/states.def>
};
constexpr NamedValue kAddressValues[] = {
#define DX_ADDRESS(id, number, word) {number, word},
#include <unshade/dxcontainer/states.def>
};
constexpr NamedValue kFilterValues[] = {
    {0x00, "MIN_MAG_MIP_POINT"},
    {0x01, "MIN_MAG_POINT_MIP_LINEAR"},
    {0x04, "MIN_POINT_MAG_LINEAR_MIP_POINT"},
    {0x05, "MIN_POINT_MAG_MIP_LINEAR"},
    {0x10, "MIN_LINEAR_MAG_MIP_POINT"},
    {0x11, "MIN_LINEAR_MAG_POINT_MIP_LINEAR"},
    {0x14, "MIN_MAG_LINEAR_MIP_POINT"},
    {0x15, "MIN_MAG_MIP_LINEAR"},
    {0x55, "ANISOTROPIC"},
    {0x80, "COMPARISON_MIN_MAG_MIP_POINT"},
    {0x81, "COMPARISON_MIN_MAG_POINT_MIP_LINEAR"},
    {0x84, "COMPARISON_MIN_POINT_MAG_LINEAR_MIP_POINT"},
    {0x85, "COMPARISON_MIN_POINT_MAG_MIP_LINEAR"},
    {0x90, "COMPARISON_MIN_LINEAR_MAG_MIP_POINT"},
    {0x91, "COMPARISON_MIN_LINEAR_MAG_POINT_MIP_LINEAR"},
    {0x94, "COMPARISON_MIN_MAG_LINEAR_MIP_POINT"},
    {0x95, "COMPARISON_MIN_MAG_MIP_LINEAR"},
    {0xd5, "COMPARISON_ANISOTROPIC"},
};

enum class EffectStateValues : std::uint8_t {
  none,
  boolean,
  fill,
  cull,
  depth_write,
  comparison,
  stencil,
  blend,
  blend_operation,
  filter,
  address,
};
// In the order of EffectStateValues.
constexpr NameTable kValueNames[] = {{kNoValues},         {kBooleanValues}, {kFillValues},  {kCullValues},           {kDepthWriteValues},
                                     {kComparisonValues}, {kStencilValues}, {kBlendValues}, {kBlendOperationValues}, {kFilterValues},
                                     {kAddressValues}};

struct StateRow {
  std::string_view text;
  StateType type;
  std::uint8_t components;
  std::uint8_t indexes;
  EffectStateValues values;
};
constexpr StateRow kStateRows[] = {
#define UNSHADE_EFFECT_STATE(id, text, type, components, indexes, values) \
  {text, StateType::type, components, indexes, EffectStateValues::values},
#include <unshade/dxbc/effect_states.def>
};

const StateRow* find_state(EffectState state) {
  const auto number = static_cast<std::size_t>(state);
  return number < std::size(kStateRows) ? &kStateRows[number] : nullptr;
}

constexpr std::size_t kEffectIndent = 4;
constexpr std::size_t kEffectNameColumn = 8;
constexpr std::size_t kEffectCommentColumn = 40;
constexpr std::size_t kExpressionIndent = 16;  // further than the assignment

/// printf's %.9g.
void print_effect_real(Text& out, float value) {
  char digits[32];
  const auto [end, fault] = std::to_chars(digits, digits + sizeof digits, static_cast<double>(value), std::chars_format::general, 9);
  if (fault == std::errc{}) out << std::string_view(digits, static_cast<std::size_t>(end - digits));
}

void print_scalar(Text& out, EffectScalar type, std::uint32_t bits) {
  switch (type) {
    case EffectScalar::float_: return print_effect_real(out, std::bit_cast<float>(bits));
    case EffectScalar::int_: out.dec_signed(static_cast<std::int32_t>(bits)); return;
    case EffectScalar::bool_: out << (bits != 0 ? "TRUE" : "FALSE"); return;
    default: out.dec(bits); return;
  }
}

/// A constant as the number that a state takes.
std::uint32_t as_uint(const EffectConstant& constant) {
  if (constant.type != EffectScalar::float_) return constant.bits;
  const auto real = std::bit_cast<float>(constant.bits);
  return real >= 0 && real < 4294967296.0F ? static_cast<std::uint32_t>(real) : 0;
}
float as_real(const EffectConstant& constant) {
  switch (constant.type) {
    case EffectScalar::float_: return std::bit_cast<float>(constant.bits);
    case EffectScalar::int_: return static_cast<float>(static_cast<std::int32_t>(constant.bits));
    default: return static_cast<float>(constant.bits);
  }
}

class EffectLister {
 public:
  EffectLister(const Effect& effect, Text& out, const ShaderLister& shaders)
      : effect_(effect), out_(out), shaders_(shaders), types_(effect.types), context_{effect.version, &types_} {}

  Result<void> run() {
    out_ << "//\n// FX Version: " << field_type(effect_.version).names->find(static_cast<std::uint32_t>(effect_.version)) << '\n';
    if (!effect_.is_5()) out_ << "// Child effect (requires effect pool): " << (effect_.is_child() ? "true" : "false") << '\n';
    out_ << "//\n";
    is_first_ = true;
    buffers(effect_.buffers, " local buffer(s)");
    objects(effect_.objects, " local object(s)");
    buffers(effect_.shared_buffers, " shared buffer(s)");
    objects(effect_.shared_objects, " shared object(s)");
    if (!effect_.interfaces.empty()) {
      heading(effect_.interfaces.size(), " local interface(s)");  // guess
      for (const EffectInterfaceVariable& variable : effect_.interfaces) interface(variable);
      out_ << '\n';
    }
    if (!effect_.techniques.empty()) techniques(effect_.techniques, "technique10");
    if (!effect_.groups.empty()) {
      heading(effect_.groups.size(), " groups(s)");
      for (const EffectGroup& group : effect_.groups) {
        out_ << "fxgroup";
        if (!group.name.empty()) out_ << ' ' << printable(group.name.text);
        out_ << '\n';
        annotations(group.annotations);
        out_ << "{\n";
        indent_ += kEffectIndent;
        techniques(group.techniques, "technique11");
        indent_ -= kEffectIndent;
        out_ << "}\n\n";
      }
    }
    if (error_) return *std::move(error_);
    return {};
  }

 private:
  Text& line() { return out_.repeat(' ', indent_); }
  void heading(std::size_t count, std::string_view what) {
    if (!is_first_) line() << "//\n";
    is_first_ = false;
    line() << "// ";
    out_.dec(count) << what << '\n';
    line() << "//\n";
  }
  void elements(std::uint32_t type) {
    if (const std::uint32_t count = context_.type(type).elements; count != 0) (out_ << '[').dec(count) << ']';
  }
  /// Type and name.
  void declare(std::uint32_t type, const String& name) {
    out_.left(printable(context_.type(type).name.text), kEffectNameColumn - 1) << ' ' << printable(name.text);
    elements(type);
  }
  void values(const View& bytes, std::uint32_t type, std::string_view open, std::string_view close) {
    const EffectType& of = context_.type(type);
    const EffectScalar scalar = of.kind == EffectTypeKind::numeric ? of.scalar() : EffectScalar::uint_;
    out_ << open;
    for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
      if (at != 0) out_ << ", ";
      print_scalar(out_, scalar, bytes.u32(at).value_or(0));
    }
    out_ << close;
  }
  void bind_point(std::uint32_t point, char letter) {
    if (point != kNoBindPoint) (out_ << " : register(" << letter).dec(point) << ')';
  }
  void annotations(const std::vector<EffectAnnotation>& annotations) {
    if (annotations.empty()) return;
    line() << "<\n";
    for (const EffectAnnotation& annotation : annotations) {
      line().repeat(' ', kEffectIndent) << printable(context_.type(annotation.type).name.text) << ' ' << printable(annotation.name.text);
      elements(annotation.type);
      out_ << " = ";
      if (!annotation.strings.empty()) {
        strings(annotation.strings);
      } else if (annotation.value.bytes.size() <= 4) {
        values(annotation.value.bytes, annotation.type, "", "");
      } else {
        values(annotation.value.bytes, annotation.type, "{ ", " }");
      }
      out_ << ";\n";
    }
    line() << ">\n";
  }
  void strings(const std::vector<EffectText>& strings) {
    if (strings.size() > 1) out_ << "{ ";
    for (std::size_t i = 0; i < strings.size(); ++i) out_ << (i != 0 ? ", \"" : "\"") << printable(strings[i].text.text) << '"';
    if (strings.size() > 1) out_ << " }";
  }
  void buffers(const std::vector<EffectBuffer>& buffers, std::string_view what) {
    if (buffers.empty()) return;
    heading(buffers.size(), what);
    for (const EffectBuffer& buffer : buffers) {
      out_ << ((buffer.flags & 1) != 0 ? "tbuffer " : "cbuffer ") << printable(buffer.name.text);
      bind_point(buffer.bind_point, (buffer.flags & 1) != 0 ? 't' : 'b');
      out_ << '\n';
      annotations(buffer.annotations);
      out_ << "{\n";
      indent_ += kEffectIndent;
      for (const EffectVariable& variable : buffer.variables) this->variable(variable);
      indent_ -= kEffectIndent;
      out_ << "}\n\n";
    }
  }
  void variable(const EffectVariable& variable) {
    const std::size_t from = out_.size();
    line();
    declare(variable.type, variable.name);
    if (!variable.semantic.empty()) out_ << " : " << printable(variable.semantic.text);  // guess
    if (!variable.default_value.bytes.empty()) values(variable.default_value.bytes, variable.type, " = { ", " }");
    out_ << ';';
    const std::size_t used = out_.size() - from;
    out_.repeat(' ', used < kEffectCommentColumn ? kEffectCommentColumn - used : 0) << "// Offset: ";
    out_.dec(variable.offset, 4) << ", size: ";
    out_.dec(context_.type(variable.type).total_bytes, 4) << '\n';
    annotations(variable.annotations);
  }
  static char register_letter(EffectObject object) {
    if (object == EffectObject::sampler_state) return 's';
    return object >= EffectObject::rwtexture1d && object <= EffectObject::rwbuffer ? 'u' : 't';
  }
  void objects(const std::vector<EffectObjectVariable>& objects, std::string_view what) {
    if (objects.empty()) return;
    heading(objects.size(), what);
    for (const EffectObjectVariable& object : objects) this->object(object);
    out_ << '\n';
  }
  void object(const EffectObjectVariable& object) {
    declare(object.type, object.name);
    if (!object.semantic.empty()) out_ << " : " << printable(object.semantic.text);  // guess
    bind_point(object.bind_point, register_letter(context_.object(object.type)));
    if (!object.strings.empty()) {
      out_ << " = ";
      strings(object.strings);
    }
    const bool has_states =
        std::any_of(object.blocks.begin(), object.blocks.end(), [](const EffectBlock& block) { return !block.assignments.empty(); });
    if (!object.annotations.empty()) {
      out_ << '\n';
      annotations(object.annotations);
    } else if (has_states) {
      out_ << '\n';
    }
    if (has_states) {
      blocks(object.blocks, context_.type(object.type).elements != 0);
    } else if (!object.shaders.empty()) {
      shaders(object.shaders);
    }
    out_ << ";\n";
  }
  void blocks(const std::vector<EffectBlock>& blocks, bool is_array) {
    out_ << "{\n";
    indent_ += kEffectIndent;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (is_array) {
        line() << "{\n";
        indent_ += kEffectIndent;
      }
      for (const EffectAssignment& x : blocks[i].assignments) assignment(x);
      if (is_array) {
        indent_ -= kEffectIndent;
        line() << (i + 1 < blocks.size() ? "},\n" : "}\n");
      }
    }
    indent_ -= kEffectIndent;
    out_ << '}';
  }
  void code(const EffectCode& code) {
    if (code.bytes.empty()) {
      out_ << "NULL";
      return;
    }
    out_ << "asm {\n";
    Text listed;
    if (auto done = shaders_.run(code.bytes, listed, shaders_.user); !done && !error_) error_ = std::move(done).error();
    indent_ += kEffectIndent;
    for (std::string_view left = listed.view(); !left.empty();) {
      const std::string_view text = left.substr(0, left.find('\n'));
      line() << text << '\n';
      left.remove_prefix(std::min(left.size(), text.size() + 1));
    }
    // observed: the line after the code is the code's indentation, and the brace's once more
    line();
    indent_ -= kEffectIndent;
    line() << '\n';
    line() << '}';
  }
  void shaders(const std::vector<EffectShader>& shaders) {
    const auto one = [&](const EffectShader& shader) {
      if (shader.code.bytes.empty()) return static_cast<void>(out_ << "NULL");
      out_ << '\n';
      indent_ += kEffectIndent;
      line();
      code(shader.code);
      indent_ -= kEffectIndent;
      stream_output(shader);
    };
    out_ << " = ";
    if (shaders.size() == 1) return one(shaders[0]);
    out_ << "{ ";  // guess
    for (std::size_t i = 0; i < shaders.size(); ++i) {
      if (i != 0) out_ << ", ";
      one(shaders[i]);
    }
    out_ << " }";
  }
  void stream_output(const EffectShader& shader) {
    for (std::size_t i = 0; i < shader.stream_output.size(); ++i) {
      const std::string_view declaration = shader.stream_output[i].text;
      if (declaration.empty()) continue;
      out_ << '\n';
      line() << "/* Stream " << static_cast<char>('0' + i) << " out decl: \"" << printable(declaration) << "\" */";  // guess
    }
  }
  void interface(const EffectInterfaceVariable& variable) {
    declare(variable.type, variable.name);
    for (std::size_t i = 0; i < variable.instances.size(); ++i) {
      out_ << (i == 0 ? " = " : ", ");
      instance(variable.instances[i]);
    }
    out_ << ";\n";
    annotations(variable.annotations);
  }
  void instance(const EffectInstance& instance) {
    out_ << printable(instance.name.text);
    if (instance.element != kNoBindPoint) (out_ << '[').dec(instance.element) << ']';
  }
  void techniques(const std::vector<EffectTechnique>& techniques, std::string_view word) {
    heading(techniques.size(), " technique(s)");
    for (const EffectTechnique& technique : techniques) {
      line() << word;
      if (!technique.name.empty()) out_ << ' ' << printable(technique.name.text);
      out_ << '\n';
      annotations(technique.annotations);
      line() << "{\n";
      indent_ += kEffectIndent;
      for (const EffectPass& pass : technique.passes) {
        line() << "pass";
        if (!pass.name.empty()) out_ << ' ' << printable(pass.name.text);
        out_ << '\n';
        annotations(pass.annotations);
        line() << "{\n";
        indent_ += kEffectIndent;
        for (const EffectAssignment& x : pass.assignments) assignment(x);
        indent_ -= kEffectIndent;
        line() << "}\n\n";
      }
      indent_ -= kEffectIndent;
      line() << "}\n\n";
    }
  }

  // --- assignments -----------------------------------------------------------------------------------------------------------------
  void assignment(const EffectAssignment& x) {
    const StateRow* const row = find_state(x.state);
    std::string name(row != nullptr ? row->text : std::string_view());
    if (row == nullptr) name = "state" + std::to_string(static_cast<std::uint32_t>(x.state));
    if (x.index != 0 || (row != nullptr && row->indexes > 1)) name += '[' + std::to_string(x.index) + ']';
    line().left(name, kEffectNameColumn) << " = ";
    switch (x.kind) {
      case EffectAssigned::constant: constants(x.constants, row); break;
      case EffectAssigned::variable: out_ << printable(x.variable.text); break;
      case EffectAssigned::constant_index: (out_ << printable(x.variable.text) << '[').dec(x.element) << ']'; break;
      case EffectAssigned::variable_index: out_ << printable(x.variable.text) << '[' << printable(x.element_variable.text) << ']'; break;
      case EffectAssigned::expression_index:
        out_ << printable(x.variable.text) << '[';
        expression(x.code);
        out_ << ']';
        break;
      case EffectAssigned::expression: expression(x.code); break;
      default:
        for (const EffectShader& shader : x.shaders) {
          code(shader.code);
          stream_output(shader);
        }
        break;
    }
    out_ << ";\n";
  }
  void constants(const std::vector<EffectConstant>& constants, const StateRow* row) {
    const StateType type = row != nullptr ? row->type : StateType::uint;
    const bool is_null = constants.size() == 1 && constants[0].bits == 0;
    if (type == StateType::object && is_null) return static_cast<void>(out_ << "NULL");
    if (type == StateType::real) {
      out_ << "float";
      if (constants.size() > 1) out_.dec(constants.size());
    } else {
      out_ << (type == StateType::byte ? "byte" : type == StateType::bool_ ? "bool" : "uint");
    }
    out_ << '(';
    for (std::size_t i = 0; i < constants.size(); ++i) {
      if (i != 0) out_ << ", ";
      const std::uint32_t number = as_uint(constants[i]);
      const auto name = row != nullptr ? kValueNames[static_cast<std::size_t>(row->values)].find(number) : std::string_view();
      constexpr std::uint32_t kMostDecimal = 0xffff;  // guess: masks are larger
      if (type == StateType::real) {
        print_effect_real(out_, as_real(constants[i]));
      } else if (type == StateType::byte) {
        (out_ << "0x").hex(number, 2);
      } else if (!name.empty()) {
        (out_ << name << " /* ").dec(number) << " */";
      } else if (number > kMostDecimal) {
        (out_ << "0x").hex(number, 8);
      } else {
        out_.dec(number);
      }
    }
    out_ << ')';
  }

  // --- expressions -----------------------------------------------------------------------------------------------------------------
  struct Expression {
    ExpressionLiterals literals;
    ExpressionCode code;
    sm2::ConstantTable constants;
  };
  static std::optional<Expression> parse(View bytes) {
    const auto container = dxcontainer::parse_container(bytes);
    if (!container) return std::nullopt;
    const auto* const code = container->find(fourcc("FXLC"));
    if (code == nullptr) return std::nullopt;
    auto parsed = parse_expression_code(*code);
    if (!parsed) return std::nullopt;
    Expression made;
    made.code = std::move(*parsed);
    if (const auto* const part = container->find(fourcc("CLI4")))
      if (auto literals = parse_expression_literals(*part)) made.literals = std::move(*literals);
    if (const auto* const part = container->find(fourcc("CTAB")))
      if (auto constants = parse_expression_constants(*part)) made.constants = std::move(*constants);
    return made;
  }
  void expression(const EffectCode& code) {
    out_ << "eval(";
    if (const auto parsed = parse(code.bytes)) {
      for (std::size_t i = 0; i < parsed->code.instructions.size(); ++i) {
        if (i != 0) (out_ << '\n').repeat(' ', indent_ + kExpressionIndent);
        instruction(*parsed, parsed->code.instructions[i]);
      }
    } else {
      out_ << "...";
    }
    out_ << ')';
  }
  void instruction(const Expression& expression, const ExpressionInstruction& i) {
    const auto name = expression_opcode_name(i.opcode());
    if (name.empty()) {
      (out_ << "op_0x").hex(i.opcode());
    } else {
      out_ << name;
    }
    out_ << ' ';
    operand(expression, i.output, i.components());
    for (std::size_t n = 0; n < i.inputs.size(); ++n) {
      out_ << ", ";
      operand(expression, i.inputs[n], n == 0 && i.is_scalar() ? 1 : i.components());
    }
  }
  void literal(const Expression& expression, std::uint32_t address, std::uint32_t components) {
    out_ << '(';
    for (std::uint32_t n = 0; n < std::min(components, 4U); ++n) {
      if (n != 0) out_ << ", ";
      const std::size_t at = std::size_t{address} + n;
      const float value = at < expression.literals.values.size() ? expression.literals.values[at].value : 0;
      // guess: bits that are no usual float are a whole number
      const auto bits = std::bit_cast<std::uint32_t>(value);
      constexpr std::uint32_t kMinusZero = 0x8000'0000;
      if (std::isnormal(value) || bits == kMinusZero) {
        out_.fixed(static_cast<double>(value));
      } else {
        out_.dec_signed(static_cast<std::int32_t>(bits));
      }
    }
    out_ << ')';
  }
  void operand(const Expression& expression, const ExpressionOperand& o, std::uint32_t components) {
    const std::uint32_t reg = o.address / 4;
    switch (o.bank) {
      case ExpressionBank::literal: return literal(expression, o.address, components);
      case ExpressionBank::temporary: (out_ << 'r').dec(reg); break;
      case ExpressionBank::output:
        out_ << "expr";
        if (o.address != 0) out_.dec(reg);
        break;
      case ExpressionBank::input: input(expression, reg); break;
      default:
        (out_ << "bank").dec(static_cast<std::uint32_t>(o.bank)) << '_';
        out_.dec(reg);
        break;
    }
    if (o.is_indexed != 0) {
      ExpressionOperand index;
      index.bank = o.index_bank;
      index.address = o.index_address;
      out_ << '[';
      operand(expression, index, 1);
      out_ << ']';
    }
    if (components >= 4 && o.address % 4 == 0) return;
    out_ << '.';
    for (std::uint32_t n = 0; n < std::min(components, 4U); ++n) out_ << component_letter(o.address + n);
  }
  void input(const Expression& expression, std::uint32_t reg) {
    for (const sm2::Constant& constant : expression.constants.constants.items) {
      if (reg < constant.register_index || reg - constant.register_index >= constant.register_count) continue;
      out_ << printable(constant.name.text.substr(0, limits::kNameCharacters));
      if (constant.register_count > 1) (out_ << '[').dec(reg - constant.register_index) << ']';
      return;
    }
    (out_ << 'c').dec(reg);
  }

  const Effect& effect_;
  Text& out_;
  const ShaderLister& shaders_;
  std::vector<EffectType> types_;
  EffectContext context_;
  std::size_t indent_ = 0;
  bool is_first_ = true;
  std::optional<Error> error_;
};

}  // namespace

Result<void> list_effect(const Effect& effect, Text& out, const ShaderLister& shaders) { return EffectLister(effect, out, shaders).run(); }

}  // namespace unshade::dxbc::effect
