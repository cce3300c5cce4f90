// Formats of texels: that a storage image of SPIR-V states, and of what no case describes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <unshade/ir/module.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/texel/formats.hpp>

namespace unshade::run {

/// The DXGI name of a format that an image type states: `R8G8B8A8_UNORM` of `Rgba8`. Empty if DXGI has none: of `R64ui`, and of no format.
/// src: Vulkan specification, "Compatibility Between SPIR-V Image Formats And Vulkan Formats"
std::string dxgi_name(std::string_view image_format);

/// The DXGI name of a format for a resource whose format no case says: the one that it states, else of as many components as loads give, of
/// the numbers that the shader declares: 8 bits of normalized ones, else 32. `row`: the reflection's row of the resource, or null.
std::string format_without_case(const ir::Resource& resource, const shader::Resource* row);

/// The format by which a shader that declares integers reads the stencil of a texture: of one with a format of stencil
/// (`X24_TYPELESS_G8_UINT`), and of one with depth beside it (`D24_UNORM_S8_UINT`) if `is_target`. Nothing for others.
/// Stencil is green in Direct3D, red in Vulkan. src: DXGI_FORMAT; Vulkan specification, "Conversion to RGBA"
std::optional<texel::Format> stencil_view(const ir::Resource& resource, const texel::Format& format, bool is_target);

}  // namespace unshade::run
