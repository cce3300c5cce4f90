#include "dxbc/listing/column_words.hpp"

#include <cstdint>

#include <unshade/dxcontainer/features.hpp>

#include "core/characters.hpp"
#include "dxbc/parts/text_table.hpp"

namespace unshade::dxbc::listing {

using dxcontainer::ComponentType;
using dxcontainer::kNoRegister;
using dxcontainer::MinPrecision;
using dxcontainer::SignatureElement;
using dxcontainer::SystemValue;

namespace {

constexpr std::string_view kEarlyDepthStencil = "Early depth-stencil";
constexpr unsigned kFeatureBits = 14;  // that fxc knows

constexpr parts::TextRow kSystemValues[] = {
    {0, "", "NONE"},        {1, "", "POS"},         {2, "", "CLIPDST"},   {3, "", "CULLDST"},  {4, "", "RTINDEX"},   {5, "", "VPINDEX"},
    {6, "", "VERTID"},      {7, "", "PRIMID"},      {8, "", "INSTID"},    {9, "", "FFACE"},    {10, "", "SAMPLE"},   {11, "", "QUADEDGE"},
    {12, "", "QUADINT"},    {13, "", "TRIEDGE"},    {14, "", "TRIINT"},   {15, "", "LINEDET"}, {16, "", "LINEDEN"},  {23, "", "BARYCEN"},
    {24, "", "SHDINGRATE"}, {25, "", "CULLPRIM"},   {64, "", "TARGET"},   {65, "", "DEPTH"},   {66, "", "COVERAGE"}, {67, "", "DEPTHGE"},
    {68, "", "DEPTHLE"},    {69, "", "STENCILREF"}, {70, "", "INNERCOV"},
};
constexpr parts::TextRow kComponentTypes[] = {
    {0, "", "unknown"}, {1, "", "uint"}, {2, "", "int"},    {3, "", "float"}, {4, "", "uint16"},
    {5, "", "int16"},   {6, "", "fp16"}, {7, "", "uint64"}, {8, "", "int64"}, {9, "", "double"},
};
constexpr parts::TextRow kMinPrecisions[] = {{0, "", ""},       {1, "", "min16f"}, {2, "", "min2_8f"},
                                             {3, "", "min12i"}, {4, "", "min16i"}, {5, "", "min16u"}};

/// Outputs of a pixel shader that have no register number, by their semantic. Both texts hold the column's leading blanks: fxc prints
/// the register as it is, wider than its column if it does not fit.
struct SpecialOutput {
  std::string_view semantic;
  SystemValue value;
  std::string_view register_text;
};
constexpr SpecialOutput kSpecialOutputs[] = {
    {"SV_DEPTH", SystemValue::depth, "   oDepth"},
    {"SV_DEPTHGREATEREQUAL", SystemValue::depth_greater_equal, " oDepthGE"},
    {"SV_DEPTHLESSEQUAL", SystemValue::depth_less_equal, " oDepthLE"},
    {"SV_COVERAGE", SystemValue::coverage, "    oMask"},
    {"SV_STENCILREF", SystemValue::stencil_ref, "    oStencilRef"},
};

const SpecialOutput* find_special_output(std::string_view semantic) {
  for (const SpecialOutput& special : kSpecialOutputs) {
    if (same_letters(semantic, special.semantic)) return &special;
  }
  return nullptr;
}

}  // namespace

std::optional<SystemValue> system_value_of(std::string_view text) {
  for (const parts::TextRow& row : kSystemValues)
    if (row.fxc == text) return static_cast<SystemValue>(row.value);
  return std::nullopt;
}

std::optional<ComponentFormat> component_format_of(std::string_view text) {
  for (const parts::TextRow& row : kComponentTypes)
    if (row.fxc == text) return ComponentFormat{static_cast<ComponentType>(row.value), MinPrecision::none};
  for (const parts::TextRow& row : kMinPrecisions) {
    if (row.fxc != text || text.empty()) continue;
    const auto precision = static_cast<MinPrecision>(row.value);
    switch (precision) {  // observed: the type is that of the full width
      case MinPrecision::float16:
      case MinPrecision::float2_8: return ComponentFormat{ComponentType::float32, precision};
      case MinPrecision::uint16: return ComponentFormat{ComponentType::uint32, precision};
      default: return ComponentFormat{ComponentType::sint32, precision};
    }
  }
  return std::nullopt;
}

std::string_view feature_text(unsigned bit) {
  if (bit == kEarlyDepthStencilFeature) return kEarlyDepthStencil;
  for (const dxcontainer::Feature& feature : dxcontainer::features())
    if (feature.bit == bit && bit < kFeatureBits) return feature.text;
  return {};
}

std::string_view special_register_text(std::string_view semantic, SystemValue value) {
  if (const SpecialOutput* special = find_special_output(semantic)) return special->register_text;
  return value == SystemValue::primitive_id ? "   primID" : "  special";
}

std::string_view fxc_text(SystemValue value) { return parts::find_row(kSystemValues, value).fxc; }

std::string_view fxc_text(ComponentType type, MinPrecision precision) {
  const std::string_view minimum = parts::find_row(kMinPrecisions, precision).fxc;
  return minimum.empty() ? parts::find_row(kComponentTypes, type).fxc : minimum;
}

SystemValue reported_system_value(const SignatureElement& element, bool is_pixel_output) {
  if (!is_pixel_output || element.system_value != SystemValue::undefined) return element.system_value;
  if (element.register_index != kNoRegister) return SystemValue::target;
  const SpecialOutput* special = find_special_output(element.semantic.text);
  return special != nullptr ? special->value : SystemValue::undefined;
}

}  // namespace unshade::dxbc::listing
