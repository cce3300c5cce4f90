// Tables of docs/formats/{rdef,stat,ifce,level9}.md.
#include "dxbc/class_linkage_layout.hpp"
#include "dxbc/level9_layout.hpp"
#include "dxbc/rdef_layout.hpp"
#include "dxbc/sm2_comments_layout.hpp"
#include "dxbc/statistics_layout.hpp"
#include "tables.hpp"

namespace unshade::docs {

namespace {

using namespace dxbc;

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
