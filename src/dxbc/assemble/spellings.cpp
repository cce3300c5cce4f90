#include "dxbc/assemble/spellings.hpp"

#include "dxbc/program/enum_text.hpp"

namespace unshade::dxbc::assembler {

namespace {

struct OtherMnemonic {
  std::string_view text;
  Opcode opcode;
};
// read: RenderDoc 1.35, dxbc_stringise.cpp (its two misspellings are of that version). `sample_info` is not here: it does not say whether
// the result is float or uint, and `ld` of a load with a status neither.
constexpr OtherMnemonic kMnemonics[] = {
    {"dcl_indexRange", Opcode::dcl_indexrange},
    {"dcl_gs_instance_count", Opcode::dcl_gsinstances},
    {"debugbreak", Opcode::debug_break},
    {"emitthencut", Opcode::emitthencut},
    {"emitThenCut_stream", Opcode::emitthencut_stream},
    {"gather4_statusk", Opcode::gather4_s},
    {"gather4_status", Opcode::gather4_s},
    {"gather4_c_status", Opcode::gather4_c_s},
    {"gather4_po_statusk", Opcode::gather4_po_s},
    {"gather4_po_status", Opcode::gather4_po_s},
    {"gather4_po_c_status", Opcode::gather4_po_c_s},
    {"ld_ms", Opcode::ld_ms},
    {"ld_ms_status", Opcode::ld_ms_s},
    {"ld_raw_status", Opcode::ld_raw_s},
    {"ld_structured_status", Opcode::ld_structured_s},
    {"ld_uav_typed_status", Opcode::ld_uav_typed_s},
    {"sample_status", Opcode::sample_cl_s},
    {"sample_b_status", Opcode::sample_b_cl_s},
    {"sample_c_status", Opcode::sample_c_cl_s},
    {"sample_c_lz_status", Opcode::sample_c_lz_s},
    {"sample_d_status", Opcode::sample_d_cl_s},
    {"sample_l_status", Opcode::sample_l_s},
};

struct OtherRegister {
  std::string_view letters;
  OperandType type;
};
constexpr OtherRegister kRegisters[] = {
    {"oDepthGreaterEqual", OperandType::output_depth_greater_equal},
    {"oDepthLessEqual", OperandType::output_depth_less_equal},
    {"vCoverageMask", OperandType::input_coverage_mask},
};

struct OtherWord {
  const NameTable* names;
  std::string_view word;
  std::uint32_t value;
};
constexpr OtherWord kWords[] = {
    {&program::kNameNames, "clipdistance", 2},
    {&program::kNameNames, "culldistance", 3},
    {&program::kNameNames, "vertexid", 6},
    {&program::kNameNames, "primitiveid", 7},
    {&program::kNameNames, "instanceid", 8},
    {&program::kNameNames, "isfrontface", 9},
    {&program::kNameNames, "sampleidx", 10},
    {&program::kNameNames, "finalLineEdgeTessFactor", 21},
    {&program::kNameNames, "finalLineInsideTessFactor", 22},
    {&program::kInterpolationNames, "nointerpolation", static_cast<std::uint32_t>(dxcontainer::Interpolation::constant)},
    {&program::kResourceDimensionNames, "rawbuffer", 11},
    {&program::kMinPrecisionNames, "min10f", static_cast<std::uint32_t>(dxcontainer::MinPrecision::float2_8)},
    {&program::kPrimitiveNames, "line_adj", static_cast<std::uint32_t>(dxcontainer::InputPrimitive::line_adjacency)},
    {&program::kPrimitiveNames, "triangle_adj", static_cast<std::uint32_t>(dxcontainer::InputPrimitive::triangle_adjacency)},
    {&program::kTopologyNames, "point", static_cast<std::uint32_t>(dxcontainer::OutputTopology::point_list)},
    {&program::kGlobalFlagNames, "doublePrecisionFloats", 1U << 1},
    {&program::kGlobalFlagNames, "skipOptimisation", 1U << 4},
    {&program::kGlobalFlagNames, "enableMinPrecision", 1U << 5},
    {&program::kGlobalFlagNames, "doubleExtensions", 1U << 6},
    {&program::kGlobalFlagNames, "shaderExtensions", 1U << 7},
    {&program::kGlobalFlagNames, "d3d12AllResourcesBound", 1U << 8},
};
constexpr std::string_view kControlPointPatch = "control_point_patch_";  // and a number

}  // namespace

std::optional<std::uint32_t> find_other_mnemonic(std::string_view text) {
  for (const OtherMnemonic& other : kMnemonics)
    if (other.text == text) return static_cast<std::uint32_t>(other.opcode);
  return std::nullopt;
}

std::optional<OperandType> find_other_register(std::string_view letters) {
  for (const OtherRegister& other : kRegisters)
    if (other.letters == letters) return other.type;
  return std::nullopt;
}

std::optional<std::uint32_t> find_other_value(const NameTable& names, std::string_view word) {
  for (const OtherWord& other : kWords)
    if (other.names == &names && other.word == word) return other.value;
  if (&names == &program::kPrimitiveNames && word.starts_with(kControlPointPatch)) {
    // patch1 to patch32
    for (const NamedValue& named : names.values)
      if (named.id.starts_with("patch") && named.id.substr(5) == word.substr(kControlPointPatch.size())) return named.value;
  }
  return std::nullopt;
}

}  // namespace unshade::dxbc::assembler
