// Formats that storage images of SPIR-V state.
#pragma once

#include <string>
#include <string_view>

namespace unshade::shader::runner {

/// The DXGI name of a format that an image type states: `R8G8B8A8_UNORM` of `Rgba8`. Empty if DXGI has none: of `R64ui`, and of no format.
/// src: Vulkan specification, "Compatibility Between SPIR-V Image Formats And Vulkan Formats"
std::string dxgi_name(std::string_view image_format);

}  // namespace unshade::shader::runner
