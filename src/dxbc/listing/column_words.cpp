#include "dxbc/listing/column_words.hpp"

#include <unshade/dxbc/listing/header.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/words.hpp>

namespace unshade::dxbc::listing {

using dxcontainer::ComponentType;
using dxcontainer::kNoRegister;
using dxcontainer::MinPrecision;
using dxcontainer::SignatureElement;
using dxcontainer::SystemValue;
using dxcontainer::Word;

namespace {

constexpr std::string_view kEarlyDepthStencil = "Early depth-stencil";
constexpr unsigned kFeatureBits = 14;  // that fxc knows

}  // namespace

std::optional<SystemValue> system_value_of(std::string_view text) {
  for (const NamedValue& named : dxcontainer::kNamedValues<SystemValue, &Word::fxc>)
    if (named.id == text) return static_cast<SystemValue>(named.value);
  return std::nullopt;
}

std::optional<ComponentFormat> component_format_of(std::string_view text) {
  for (const NamedValue& named : dxcontainer::kNamedValues<ComponentType, &Word::fxc>)
    if (named.id == text) return ComponentFormat{static_cast<ComponentType>(named.value), MinPrecision::none};
  for (const NamedValue& named : dxcontainer::kNamedValues<MinPrecision, &Word::fxc>) {
    if (named.id != text) continue;
    const auto precision = static_cast<MinPrecision>(named.value);
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

std::string_view fxc_text(ComponentType type, MinPrecision precision) {
  const std::string_view minimum = fxc_text(precision);
  return minimum.empty() ? fxc_text(type) : minimum;
}

SystemValue reported_system_value(const SignatureElement& element, bool is_pixel_output) {
  if (!is_pixel_output || element.system_value != SystemValue::undefined) return element.system_value;
  if (element.register_index != kNoRegister) return SystemValue::target;
  return dxcontainer::special_output(element.semantic.text).value_or(SystemValue::undefined);
}

}  // namespace unshade::dxbc::listing
