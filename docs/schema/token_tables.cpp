// Tables of docs/reference/formats/token-program.md.
#include <unshade/dxbc/program.hpp>

#include "dxbc/program/enum_text.hpp"
#include "dxbc/program/operand_table.hpp"
#include "dxbc/program/token.hpp"
#include "tables.hpp"

namespace unshade::docs {

namespace {

using namespace dxbc;
using namespace dxbc::program;

// --- bits --------------------------------------------------------------------------------------------------------------------------

void bit_range(Text& out, const Bits& bits) {
  const unsigned last = bits.first + bits.count - 1U;
  if (last != bits.first) out.dec(last) << ':';
  out.dec(bits.first);
}

void bit_rows(Text& out, std::initializer_list<Bits> fields) {
  out << "| bits | field |\n|---:|---|\n";
  for (const Bits& bits : fields) {
    out << "| ";
    bit_range(out, bits);
    out << " | `" << bits.name << "` |\n";
  }
}

struct ControlRow {
  std::string_view control;
  std::initializer_list<Bits> fields;
};

void control_rows(Text& out) {
  const ControlRow rows[] = {
      {"sat", {token::kSaturate}},
      {"test", {token::kNonZero}},
      {"return_type", {token::kReturnType}},
      {"sync", {token::kSyncThreads, token::kSyncGroupMemory, token::kSyncUavGroup, token::kSyncUavGlobal}},
      {"dim", {token::kDimension, token::kSampleCount}},
      {"uav_dim", {token::kDimension, token::kGloballyCoherent, token::kRasterizerOrdered}},
      {"uav", {token::kGloballyCoherent, token::kRasterizerOrdered, token::kHasCounter}},
      {"pattern", {token::kDynamicIndexed}},
      {"mode", {token::kSamplerMode}},
      {"topology", {token::kTopology}},
      {"primitive", {token::kPrimitive}},
      {"interpolation", {token::kInterpolation}},
      {"flags", {token::kGlobalFlags}},
      {"dynamic", {token::kDynamicIndexed}},
      {"count", {token::kControlPoints}},
      {"domain", {token::kDomain}},
      {"partitioning", {token::kPartitioning}},
      {"tess_output", {token::kTessOutput}},
      {"(all but declarations)", {token::kPrecise}},
  };
  out << "| control | bits | field |\n|---|---:|---|\n";
  for (const ControlRow& row : rows)
    for (const Bits& bits : row.fields) {
      out << "| " << row.control << " | ";
      bit_range(out, bits);
      out << " | `" << bits.name << "` |\n";
    }
}

void operand_bit_rows(Text& out) {
  bit_rows(out, {token::kComponents, token::kSelection, token::kMaskLanes, token::kSwizzleLanes, token::kSelectLane, token::kOperandType,
                 token::kDimensions, token::kIndexRepresentation[0], token::kIndexRepresentation[1], token::kIndexRepresentation[2],
                 token::kExtended});
}

// --- enumerations ------------------------------------------------------------------------------------------------------------------

void values_of(Text& out, std::string_view what, const NameTable& names) {
  out << "| " << what << " |";
  for (const NamedValue& named : names.values) {
    out << (&named == names.values.data() ? " " : ", ");
    out.dec(named.value) << " `" << named.id << '`';
  }
  out << " |\n";
}

void enumeration_rows(Text& out) {
  out << "| field | values |\n|---|---|\n";
  values_of(out, "resource dimension", kResourceDimensionNames);
  values_of(out, "return type", kReturnTypeNames);
  values_of(out, "sampler mode", kSamplerModeNames);
  values_of(out, "interpolation", kInterpolationNames);
  values_of(out, "topology", kTopologyNames);
  values_of(out, "primitive", kPrimitiveNames);
  values_of(out, "domain", kDomainNames);
  values_of(out, "partitioning", kPartitioningNames);
  values_of(out, "output primitive", kTessOutputNames);
  values_of(out, "minimum precision", kMinPrecisionNames);
  values_of(out, "global flags", kGlobalFlagNames);
  values_of(out, "system value name", kNameNames);
  values_of(out, "custom data class", kCustomDataClassNames);
}

// --- tables of rows ----------------------------------------------------------------------------------------------------------------

void operand_type_rows(Text& out) {
  out << "| number | type | in a listing |\n|---:|---|---|\n";
  for (std::size_t i = 0; i < std::size(kOperands); ++i)
    (out << "| ").dec(i) << " | " << kOperands[i].id << " | `" << kOperands[i].text << "` |\n";
}

struct OpcodeRow {
  unsigned code;
  std::string_view text;
  std::string_view shape;
  std::string_view control;
  std::string_view since;
  std::string_view access;
  std::string_view lanes;
  std::string_view sem;
};

constexpr OpcodeRow kOpcodeRows[] = {
#define DXBC_OP(code, id, text, shape, control, since, counted, stages, traits, access, lanes, sem) \
  {code, text, shape, #control, #since, #access, lanes, #sem},
#include <unshade/dxbc/opcodes.def>
#undef DXBC_OP
};

void opcode_rows(Text& out) {
  out << "| code | text | shape | control | since | access | lanes | meaning |\n|---:|---|---|---|---|---|---|---|\n";
  for (const OpcodeRow& row : kOpcodeRows) {
    (out << "| ").dec(row.code) << " | `" << row.text << "` | ";
    if (!row.shape.empty()) out << '`' << row.shape << '`';
    out << " | " << (row.control == "none" ? std::string_view{} : row.control) << " | " << row.since[2] << '.' << row.since[4] << " | "
        << (row.access == "none" ? std::string_view{} : row.access) << " | ";
    if (!row.lanes.empty()) out << '`' << row.lanes << '`';
    out << " | " << (row.sem == "nothing" ? std::string_view{} : row.sem) << " |\n";
  }
}

constexpr Table kTables[] = {
    {"token.version", [](Text& out) { bit_rows(out, {token::kMinor, token::kMajor, token::kStage}); }},
    {"token.opcode", [](Text& out) { bit_rows(out, {token::kOpcode, token::kControls, token::kLength, token::kExtended}); }},
    {"token.controls", control_rows},
    {"token.sample_controls",
     [](Text& out) { bit_rows(out, {token::kExtendedType, token::kOffsetU, token::kOffsetV, token::kOffsetW, token::kExtended}); }},
    {"token.resource_dimension",
     [](Text& out) { bit_rows(out, {token::kExtendedType, token::kExtendedDimension, token::kExtendedStride, token::kExtended}); }},
    {"token.resource_return_types",
     [](Text& out) { bit_rows(out, {token::kExtendedType, token::kExtendedReturnTypes, token::kExtended}); }},
    {"token.operand", operand_bit_rows},
    {"token.extended_operand",
     [](Text& out) {
       bit_rows(out, {token::kExtendedType, token::kModifier, token::kMinPrecision, token::kNonUniform, token::kExtended});
     }},
    {"token.custom_data", [](Text& out) { bit_rows(out, {token::kOpcode, token::kCustomDataClass}); }},
    {"token.enumerations", enumeration_rows},
    {"operand_types", operand_type_rows},
    {"opcodes", opcode_rows},
};

}  // namespace

std::span<const Table> token_tables() { return kTables; }

}  // namespace unshade::docs
