// Tables of docs/reference/formats/psv0.md, rdat.md and dxil-parts.md.
#include "dxil/parts/parts_layout.hpp"
#include "dxil/parts/program_header_layout.hpp"
#include "dxil/parts/psv_layout.hpp"
#include "dxil/parts/rdat_layout.hpp"
#include "dxil/parts/source_info/layout.hpp"
#include "tables.hpp"

namespace unshade::docs {

namespace {

using namespace dxil;

const dxil::parts::TextTable kTexts{};

// --- PSV0 -----------------------------------------------------------------------------------------------------------------------------

void stage_info(Text& out, ShaderKind kind) { bytes_of(out, PsvStageInfo{}, kind); }

// Version 4, whose fields behind the union are those of `kind`.
void runtime_info(Text& out) {
  PsvRuntimeInfo info;
  info.size = kPsvInfoBytes[4];
  info.kind = ShaderKind::geometry;
  bytes_of(out, info);
}

// --- RDAT -----------------------------------------------------------------------------------------------------------------------------

/// The newest form of a record.
template <class Row>
void row(Text& out, std::uint32_t stride) {
  bytes_of(out, Row{}, kTexts, stride);
}

void subobject(Text& out, SubobjectKind kind) {
  RdatSubobject row;
  row.kind = kind;
  bytes_of(out, row, kTexts, std::uint32_t{24});
}

void stage(Text& out, ShaderKind kind, std::uint32_t stride) { bytes_of(out, RdatStage{}, kind, kTexts, stride); }

void part_type_rows(Text& out) {
  out << "| type | piece | record bytes |\n|---:|---|---|\n";
  Rdat rdat;
  const NameTable& names = *field_type(RdatPartType{}).names;
  for (const NamedValue& named : names.values) {
    (out << "| ").hex(named.value) << " | `" << named.id << "` | ";
    with_rdat_table(rdat, static_cast<RdatPartType>(named.value), [&](const auto&, RdatRecordBytes bytes, const auto&...) {
      out.dec(bytes.first);
      if (bytes.newest != bytes.first) (out << ", ").dec(bytes.newest);
    });
    out << " |\n";
  }
}

void enumeration_rows(Text& out, const FieldType& type) {
  out << "| value | name |\n|---:|---|\n";
  for (const NamedValue& named : type.names->values) (out << "| ").dec(named.value) << " | `" << named.id << "` |\n";
}

constexpr Table kTables[] = {
    {"program.header", [](Text& out) { bytes_of(out, Program{}, true); }},
    {"program.kinds", [](Text& out) { enumeration_rows(out, field_type(ShaderKind{})); }},
    {"ildn", [](Text& out) { bytes_of(out, DebugName{}); }},
    {"hash", [](Text& out) { bytes_of(out, ShaderHash{}); }},
    {"vers", [](Text& out) { bytes_of(out, CompilerVersion{}); }},
    {"srci.header", [](Text& out) { bytes_of(out, SourceInfo{}); }},
    {"srci.section", [](Text& out) { bytes_of(out, SourceSection{}); }},
    {"srci.names", [](Text& out) { bytes_of(out, SourceNames{}); }},
    {"srci.name", [](Text& out) { bytes_of(out, SourceName{}); }},
    {"srci.contents", [](Text& out) { bytes_of(out, SourceContentsSection{}); }},
    {"srci.content", [](Text& out) { bytes_of(out, SourceContent{}); }},
    {"srci.arguments", [](Text& out) { bytes_of(out, SourceArguments{}); }},
    {"pdbi", [](Text& out) { bytes_of(out, PdbInfoPart{}); }},
    {"psv.vertex", [](Text& out) { stage_info(out, ShaderKind::vertex); }},
    {"psv.hull", [](Text& out) { stage_info(out, ShaderKind::hull); }},
    {"psv.domain", [](Text& out) { stage_info(out, ShaderKind::domain); }},
    {"psv.geometry", [](Text& out) { stage_info(out, ShaderKind::geometry); }},
    {"psv.pixel", [](Text& out) { stage_info(out, ShaderKind::pixel); }},
    {"psv.mesh", [](Text& out) { stage_info(out, ShaderKind::mesh); }},
    {"psv.amplification", [](Text& out) { stage_info(out, ShaderKind::amplification); }},
    {"psv.runtime_info", runtime_info},
    {"psv.resource", [](Text& out) { bytes_of(out, PsvResource{}, kPsvResourceBytes[1]); }},
    {"psv.resource_types", [](Text& out) { enumeration_rows(out, field_type(PsvResourceType{})); }},
    {"psv.element", [](Text& out) { bytes_of(out, PsvSignatureElement{}, kTexts, kPsvElementBytes); }},
    {"rdat.parts", part_type_rows},
    {"rdat.resource", [](Text& out) { row<RdatResource>(out, 32); }},
    {"rdat.function", [](Text& out) { row<RdatFunction>(out, kRdatFunctionBytes[1]); }},
    {"rdat.state_object_config", [](Text& out) { subobject(out, SubobjectKind::state_object_config); }},
    {"rdat.root_signature", [](Text& out) { subobject(out, SubobjectKind::global_root_signature); }},
    {"rdat.exports_association", [](Text& out) { subobject(out, SubobjectKind::subobject_to_exports_association); }},
    {"rdat.shader_config", [](Text& out) { subobject(out, SubobjectKind::raytracing_shader_config); }},
    {"rdat.pipeline_config", [](Text& out) { subobject(out, SubobjectKind::raytracing_pipeline_config); }},
    {"rdat.hit_group", [](Text& out) { subobject(out, SubobjectKind::hit_group); }},
    {"rdat.pipeline_config1", [](Text& out) { subobject(out, SubobjectKind::raytracing_pipeline_config1); }},
    {"rdat.node_id", [](Text& out) { row<RdatNodeId>(out, 8); }},
    {"rdat.node_function_attribute", [](Text& out) { row<RdatNodeFunctionAttribute>(out, 8); }},
    {"rdat.node_io_attribute", [](Text& out) { row<RdatNodeIoAttribute>(out, 8); }},
    {"rdat.node_io", [](Text& out) { row<RdatNodeIo>(out, 8); }},
    {"rdat.node_shader", [](Text& out) { row<RdatNodeShader>(out, 20); }},
    {"rdat.signature_element", [](Text& out) { row<RdatSignatureElement>(out, 16); }},
    {"rdat.vertex_shader", [](Text& out) { stage(out, ShaderKind::vertex, 16); }},
    {"rdat.pixel_shader", [](Text& out) { stage(out, ShaderKind::pixel, 8); }},
    {"rdat.hull_shader", [](Text& out) { stage(out, ShaderKind::hull, 48); }},
    {"rdat.domain_shader", [](Text& out) { stage(out, ShaderKind::domain, 40); }},
    {"rdat.geometry_shader", [](Text& out) { stage(out, ShaderKind::geometry, 28); }},
    {"rdat.compute_shader", [](Text& out) { stage(out, ShaderKind::compute, 8); }},
    {"rdat.mesh_shader", [](Text& out) { stage(out, ShaderKind::mesh, 48); }},
    {"rdat.amplification_shader", [](Text& out) { stage(out, ShaderKind::amplification, 12); }},
    {"rdat.pdb_info", [](Text& out) { row<RdatPdbInfo>(out, 44); }},
    {"rdat.pdb_source", [](Text& out) { row<RdatPdbSource>(out, 8); }},
    {"rdat.pdb_library", [](Text& out) { row<RdatPdbLibrary>(out, 12); }},
};

}  // namespace

std::span<const Table> dxil_tables() { return kTables; }

}  // namespace unshade::docs
