// Tables of docs/reference/formats/debug.md.
#include "dxbc/debug/codeview_module.hpp"
#include "dxbc/debug/codeview_streams.hpp"
#include "dxbc/debug/codeview_types.hpp"
#include "dxbc/debug/sdbg_layout.hpp"
#include "tables.hpp"

namespace unshade::docs {

namespace {

using namespace dxbc;

template <class T>
void record(Text& out) {
  bytes_of(out, T{});
}
// A record that fills up to its end: shown as if nothing were left.
template <class T>
void bounded(Text& out) {
  bytes_of(out, T{}, std::size_t{0});
}

constexpr Table kTables[] = {
    {"pdb.information", record<codeview::Information>},
    {"pdb.type_header", record<codeview::TypeHeader>},
    {"pdb.debug_interface", record<codeview::DebugInterface>},
    {"pdb.module", record<codeview::ModuleInfo>},
    {"pdb.section_contribution", record<codeview::SectionContribution>},
    {"pdb.section_map_entry", record<codeview::SectionMapEntry>},
    {"pdb.string_table", record<codeview::StringTable>},
    {"pdb.source_headers", record<codeview::SourceHeaders>},
    {"pdb.source_header", record<codeview::SourceHeaderEntry>},
    {"pdb.section_header", record<codeview::SectionHeader>},
    {"pdb.symbol_hash", record<codeview::SymbolHash>},
    {"pdb.public_symbols", record<codeview::PublicSymbols>},
    {"codeview.LF_VECTOR", record<codeview::Vector>},
    {"codeview.LF_MATRIX", record<codeview::Matrix>},
    {"codeview.LF_STRIDED_ARRAY", record<codeview::StridedArray>},
    {"codeview.LF_STRUCTURE", record<codeview::Structure>},
    {"codeview.LF_MEMBER", record<codeview::Member>},
    {"codeview.LF_ONEMETHOD", record<codeview::OneMethod>},
    {"codeview.LF_METHOD", record<codeview::Methods>},
    {"codeview.LF_BCLASS", record<codeview::BaseClass>},
    {"codeview.LF_HLSL", record<codeview::Hlsl>},
    {"codeview.LF_MODIFIER_EX", record<codeview::Modifier>},
    {"codeview.LF_ALIAS", record<codeview::Alias>},
    {"codeview.LF_PROCEDURE", record<codeview::ProcedureType>},
    {"codeview.LF_MFUNCTION", record<codeview::MemberFunctionType>},
    {"codeview.LF_ARGLIST", record<codeview::ArgumentList>},
    {"codeview.LF_FUNC_ID", record<codeview::FunctionId>},
    {"codeview.S_COMPILE3", record<codeview::Compile3>},
    {"codeview.S_GPROC32", record<codeview::Procedure>},
    {"codeview.S_LOCAL", record<codeview::Local>},
    {"codeview.S_DEFRANGE_HLSL", bounded<codeview::Defrange>},
    {"codeview.S_INLINESITE", bounded<codeview::InlineSite>},
    {"codeview.S_BLOCK32", record<codeview::Block>},
    {"codeview.S_GDATA_HLSL", record<codeview::DataHlsl>},
    {"codeview.S_PROCREF", record<codeview::ProcedureReference>},
    {"codeview.S_OBJNAME", record<codeview::NumberAndName>},
    {"codeview.S_CONSTANT", record<codeview::Constant>},
    {"codeview.S_PUB32", record<codeview::PublicSymbol>},
    {"codeview.lines_header", record<codeview::LinesHeader>},
    {"codeview.lines_of_file", [](Text& out) { bytes_of(out, codeview::LineBlock{}, true); }},
    {"codeview.column", record<codeview::Column>},
    {"codeview.line", record<codeview::Line>},
    {"codeview.file_checksum", record<codeview::FileChecksum>},
    {"codeview.inlinee", [](Text& out) { bytes_of(out, codeview::InlineeLine{}, true); }},
    {"sdbg.header", record<sdbg::Part>},
    {"sdbg.file", record<sdbg::File>},
    {"sdbg.instruction", record<sdbg::Instruction>},
    {"sdbg.variable", record<sdbg::Variable>},
    {"sdbg.input", record<sdbg::Input>},
    {"sdbg.symbol", record<sdbg::Symbol>},
    {"sdbg.scope", record<sdbg::Scope>},
    {"sdbg.type", record<sdbg::Type>},
};

}  // namespace

std::span<const Table> debug_tables() { return kTables; }

}  // namespace unshade::docs
