// Words in the columns of fxc's tables: from values to words, and back.
#pragma once

#include <optional>
#include <string_view>

#include <unshade/dxcontainer/signature.hpp>

namespace unshade::dxbc::listing {

/// The bit of early depth-stencil among the features that fxc prints. Those are D3D_SHADER_REQUIRES_* of d3dcommon.h, not the bits of
/// SFI0, where bit 1 is raw and structured buffers in shader model 4. It comes from the program's global flags.
inline constexpr unsigned kEarlyDepthStencilFeature = 1;

/// A feature bit of SFI0 as fxc words it; empty for a bit without words.
std::string_view feature_text(unsigned bit);
/// The Format column: `float`, `min16f`.
std::string_view fxc_text(dxcontainer::ComponentType type, dxcontainer::MinPrecision precision);

// The way back, from words to values.
std::optional<dxcontainer::SystemValue> system_value_of(std::string_view text);
struct ComponentFormat {
  dxcontainer::ComponentType type;
  dxcontainer::MinPrecision precision;
};
std::optional<ComponentFormat> component_format_of(std::string_view text);

}  // namespace unshade::dxbc::listing
