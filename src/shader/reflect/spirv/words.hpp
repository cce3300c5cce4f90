// What SPIR-V calls types, built-ins and images, in the words of the reflection model.
#pragma once

#include <cstdint>
#include <string>

#include <unshade/shader/reflection.hpp>
#include <unshade/spirv/grammar.hpp>
#include <unshade/spirv/interface.hpp>

namespace unshade::shader::reflection {

/// Built-ins that Direct3D knows as system values. src: the Vulkan and Direct3D 12 specifications
dxcontainer::SystemValue system_value_of(spirv::BuiltIn built_in);
BaseType base_type_of(const spirv::Type& type);
dxcontainer::ComponentType component_type_of(const spirv::Type& type);
/// `texel`: null if the image has none.
ReturnType texel_return_type(const spirv::Type* texel);
ResourceDimension image_dimension_of(const spirv::ImageInfo& image);
Interpolation interpolation_of(const spirv::Decorations& d);
/// The enumerant's name, or its number if it has none.
std::string enumerant_text(spirv::OperandKind kind, std::uint32_t value);
/// Of an enumerant with several names that without a vendor; else that of the vendor whose capability or extension the module declares, KHR
/// and EXT before others.
std::string declared_text(const spirv::Interface& module, spirv::OperandKind kind, std::uint32_t value);

}  // namespace unshade::shader::reflection
