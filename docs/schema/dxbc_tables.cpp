// Tables of docs/reference/formats/{rdef,stat,ifce,fx10,level9}.md.
#include <string>
#include <string_view>

#include "dxbc/effect/expression_layout.hpp"
#include "dxbc/effect/layout.hpp"
#include "dxbc/level9/layout.hpp"
#include "dxbc/level9/sm2_comments_layout.hpp"
#include "dxbc/parts/class_linkage_layout.hpp"
#include "dxbc/parts/rdef_layout.hpp"
#include "dxbc/parts/statistics_layout.hpp"
#include "tables.hpp"

namespace unshade::docs {

namespace {

using namespace dxbc;

/// `float4` for four reals.
std::string scalars_of(std::string_view type, unsigned components) {
  std::string made(type == "real" ? "float" : type == "bool_" ? "bool" : type);
  if (components > 1) made += std::to_string(components);
  return made;
}

// The longest form of every record: shader model 5.1.
constexpr RdefStrides kStrides51{60, 24, 40, 40, 36, 12};

template <class T>
void rdef_record(Text& out, T model) {
  std::vector<Type> types;
  std::size_t table_bytes = 0;
  bytes_of(out, std::move(model), RdefContext{kStrides51, &types, &table_bytes});
}

template <class T>
void comment_record(Text& out, T model) {
  std::vector<sm2::Type> types;
  bytes_of(out, std::move(model), sm2::TypePool{&types});
}

template <class T>
void effect_record(Text& out, T model) {
  std::vector<EffectType> types(1);
  bytes_of(out, std::move(model), EffectContext{EffectVersion::fx_5_0, &types});
}

void names_of(Text& out, const FieldType& type) {
  out << "| value | name |\n|---:|---|\n";
  for (const NamedValue& value : type.names->values) (out << "| ").dec(value.value) << " | `" << value.id << "` |\n";
}

/// `2.0`, `2.x`, `1.0 to 1.4`; empty for none.
std::string models_text(sm2::Models models) {
  const auto text = [](unsigned model) { return std::to_string(model / 10) + '.' + (model == 21 ? "x" : std::to_string(model % 10)); };
  if (models.empty()) return "";
  if (models.first == models.last) return text(models.first);
  return models.last == sm2::models::v1_0.last ? text(models.first) : text(models.first) + " to " + text(models.last);
}

/// As code, unless there is none.
std::string ticked(std::string_view text) { return text.empty() ? "" : '`' + std::string(text) + '`'; }

void level9_opcodes(Text& out) {
  out << "| code | text | shape | lanes | slots | vertex | pixel | gradient | meaning |\n|---|---|---|---|---:|---|---|---|---|\n";
  constexpr std::string_view kGradients[] = {"", "derives", "implicit"};
  for (std::uint32_t code = 0; code < 0x100; ++code) {
    const sm2::OpcodeInfo* const row = sm2::find_opcode(code);
    if (row == nullptr) continue;
    (out << "| `").hex(code, 2) << "` | `" << row->text << "` | " << ticked(row->shape) << " | " << ticked(row->lanes) << " | ";
    out.dec(row->slots) << " | " << models_text(row->vs) << " | " << models_text(row->ps) << " | "
                        << kGradients[static_cast<unsigned>(row->gradient)] << " | " << row->sem << " |\n";
  }
}

void effect_states(Text& out) {
  out << "| value | state | takes | of them |\n|---:|---|---|---:|\n";
  std::uint32_t number = 0;
#define UNSHADE_EFFECT_STATE(id, text, type, components, indexes, values) \
  (out << "| ").dec(number++) << " | `" text "` | " << scalars_of(#type, components) << " | " #indexes " |\n";
#include <unshade/dxbc/effect_states.def>
}

void expression_opcodes(Text& out) {
  out << "| code | operation |\n|---|---|\n";
#define UNSHADE_EXPRESSION_OPCODE(code, text) out << "| `" #code "` | `" text "` |\n";
#include <unshade/dxbc/expression_opcodes.def>
}

constexpr Table kTables[] = {
    {"rdef.header",
     [](Text& out) {
       Rdef rdef;
       rdef.strides = kStrides51;
       bytes_of(out, std::move(rdef));
     }},
    {"rdef.binding", [](Text& out) { rdef_record(out, Binding{}); }},
    {"rdef.constant_buffer", [](Text& out) { rdef_record(out, ConstantBuffer{}); }},
    {"rdef.variable", [](Text& out) { rdef_record(out, Variable{}); }},
    {"rdef.type", [](Text& out) { rdef_record(out, Type{}); }},
    {"rdef.member", [](Text& out) { rdef_record(out, Member{}); }},
    {"rdef.interface", [](Text& out) { rdef_record(out, TypeReference{}); }},
    {"rdef.default_value", [](Text& out) { bytes_of(out, DefaultValue{}, std::uint32_t{0}); }},
    {"stat",
     [](Text& out) {
       Statistics statistics;
       statistics.is_long = true;
       bytes_of(out, statistics);
     }},
    {"ifce.header", [](Text& out) { bytes_of(out, ClassLinkage{}); }},
    {"ifce.type", [](Text& out) { bytes_of(out, ClassType{}); }},
    {"ifce.instance", [](Text& out) { bytes_of(out, ClassInstance{}); }},
    {"ifce.slot",
     [](Text& out) {
       std::size_t left = 0;
       bytes_of(out, InterfaceSlot{}, &left);
     }},
    {"ifce.slot_type", [](Text& out) { bytes_of(out, ClassTypeId{}); }},
    {"ifce.slot_table", [](Text& out) { bytes_of(out, FunctionTableId{}); }},
    {"fx10.header",
     [](Text& out) {
       Effect effect;
       effect.version = EffectVersion::fx_5_0;
       bytes_of(out, std::move(effect));
     }},
    {"fx10.type", [](Text& out) { effect_record(out, EffectType{}); }},
    {"fx10.struct",
     [](Text& out) {
       EffectType type;
       type.kind = EffectTypeKind::structure;
       effect_record(out, std::move(type));
     }},
    {"fx10.member", [](Text& out) { effect_record(out, EffectMember{}); }},
    {"fx10.annotation", [](Text& out) { effect_record(out, EffectAnnotation{}); }},
    {"fx10.buffer", [](Text& out) { effect_record(out, EffectBuffer{}); }},
    {"fx10.variable", [](Text& out) { effect_record(out, EffectVariable{}); }},
    {"fx10.object", [](Text& out) { effect_record(out, EffectObjectVariable{}); }},
    {"fx10.shader", [](Text& out) { bytes_of(out, EffectShader{}, EffectShaderForm::stream_output); }},
    {"fx10.shader5", [](Text& out) { bytes_of(out, EffectShader{}, EffectShaderForm::shader5); }},
    {"fx10.interface", [](Text& out) { effect_record(out, EffectInterfaceVariable{}); }},
    {"fx10.instance", [](Text& out) { bytes_of(out, EffectInstance{}); }},
    {"fx10.group", [](Text& out) { effect_record(out, EffectGroup{}); }},
    {"fx10.technique", [](Text& out) { effect_record(out, EffectTechnique{}); }},
    {"fx10.pass", [](Text& out) { effect_record(out, EffectPass{}); }},
    {"fx10.assignment", [](Text& out) { bytes_of(out, EffectAssignment{}); }},
    {"fx10.constant", [](Text& out) { bytes_of(out, EffectConstant{}); }},
    {"fx10.states", effect_states},
    {"fx10.objects", [](Text& out) { names_of(out, field_type(EffectObject{})); }},
    {"fxlc.instruction", [](Text& out) { bytes_of(out, ExpressionInstruction{}); }},
    {"fxlc.operand",
     [](Text& out) {
       ExpressionOperand operand;
       operand.is_indexed = 1;
       bytes_of(out, operand);
     }},
    {"fxlc.opcodes", expression_opcodes},
    {"level9.opcodes", level9_opcodes},
    {"level9.header", [](Text& out) { bytes_of(out, Level9{}); }},
    {"level9.constant_buffer", [](Text& out) { bytes_of(out, ConstantBufferMapping{}); }},
    {"level9.scalar", [](Text& out) { bytes_of(out, ScalarMapping{}); }},
    {"level9.sampler", [](Text& out) { bytes_of(out, SamplerMapping{}); }},
    {"level9.runtime_constant", [](Text& out) { bytes_of(out, RuntimeConstantMapping{}); }},
    {"comment.debug", [](Text& out) { bytes_of(out, sm2::DebugInfo{}); }},
    {"comment.file", [](Text& out) { bytes_of(out, sm2::SourceFile{}); }},
    {"comment.line", [](Text& out) { bytes_of(out, sm2::LineEntry{}); }},
    {"comment.variable", [](Text& out) { comment_record(out, sm2::Variable{}); }},
    {"comment.write", [](Text& out) { bytes_of(out, sm2::VariableWrite{}); }},
    {"comment.constants", [](Text& out) { bytes_of(out, sm2::ConstantTable{}); }},
    {"comment.constant", [](Text& out) { comment_record(out, sm2::Constant{}); }},
    {"comment.type", [](Text& out) { comment_record(out, sm2::Type{}); }},
    {"comment.member", [](Text& out) { comment_record(out, sm2::StructMember{}); }},
};

}  // namespace

std::span<const Table> dxbc_tables() { return kTables; }

}  // namespace unshade::docs
