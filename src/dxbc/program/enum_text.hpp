// Names inside token programs, in the listing's spelling: those of Direct3D's vocabulary, and tables of what token programs alone have.
// Listing and field tree print from here.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>

#include <unshade/core/tree.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxcontainer/words.hpp>

#include "dxbc/program/token.hpp"

namespace unshade::dxbc::program {

// src: d3d12TokenizedProgramFormat.hpp for the numbers; texts observed in fxc's listings unless a comment says otherwise.

inline constexpr NamedValue kNames[] = {
    {0, "undefined"},
    {1, "position"},
    {2, "clip_distance"},
    {3, "cull_distance"},
    {4, "rendertarget_array_index"},
    {5, "viewport_array_index"},
    {6, "vertex_id"},
    {7, "primitive_id"},
    {8, "instance_id"},
    {9, "is_front_face"},
    {10, "sampleIndex"},
    {11, "finalQuadUeq0EdgeTessFactor"},
    {12, "finalQuadVeq0EdgeTessFactor"},
    {13, "finalQuadUeq1EdgeTessFactor"},
    {14, "finalQuadVeq1EdgeTessFactor"},
    {15, "finalQuadUInsideTessFactor"},
    {16, "finalQuadVInsideTessFactor"},
    {17, "finalTriUeq0EdgeTessFactor"},
    {18, "finalTriVeq0EdgeTessFactor"},
    {19, "finalTriWeq0EdgeTessFactor"},
    {20, "finalTriInsideTessFactor"},
    {21, "finalLineDetailTessFactor"},
    {22, "finalLineDensityTessFactor"},
    {23, "barycentrics"},   // guess: no listing seen
    {24, "shadingRate"},    // guess
    {25, "cullPrimitive"},  // guess
};
inline constexpr NameTable kNameNames{kNames};

/// By D3D10_SB_RESOURCE_DIMENSION.
inline constexpr auto kResourceDimensions = [] {
  std::array<NamedValue, std::size(dxcontainer::kShapes) + 1> named{};
  for (const dxcontainer::Shape& shape : dxcontainer::kShapes) named[shape.token_number] = {shape.token_number, shape.token};
  named.back() = {static_cast<std::uint32_t>(named.size() - 1), "structured_buffer"};
  return named;
}();
inline constexpr NameTable kResourceDimensionNames{kResourceDimensions};

/// The words of a token program for one of Direct3D's enumerations.
template <class E>
inline constexpr NameTable kTokenNames = dxcontainer::kNamesOf<E, &dxcontainer::Word::token>;

inline constexpr NameTable kReturnTypeNames = kTokenNames<dxcontainer::ReturnType>;
inline constexpr NameTable kInterpolationNames = kTokenNames<dxcontainer::Interpolation>;
inline constexpr NameTable kTopologyNames = kTokenNames<dxcontainer::OutputTopology>;
inline constexpr NameTable kPrimitiveNames = kTokenNames<dxcontainer::InputPrimitive>;
inline constexpr NameTable kDomainNames = kTokenNames<dxcontainer::TessellatorDomain>;
inline constexpr NameTable kPartitioningNames = kTokenNames<dxcontainer::TessellatorPartitioning>;
inline constexpr NameTable kTessOutputNames = kTokenNames<dxcontainer::TessellatorOutput>;
inline constexpr NameTable kMinPrecisionNames = kTokenNames<dxcontainer::MinPrecision>;

inline constexpr NamedValue kSamplerModes[] = {{0, "mode_default"}, {1, "mode_comparison"}, {2, "mode_mono"}};
inline constexpr NameTable kSamplerModeNames{kSamplerModes};

inline constexpr NamedValue kBufferPatterns[] = {{0, "immediateIndexed"}, {1, "dynamicIndexed"}};
inline constexpr NameTable kBufferPatternNames{kBufferPatterns};

/// Bits of the global flags declaration, from its control field (bit 11 of the token is bit 0 here), in the order they are printed.
inline constexpr NamedValue kGlobalFlags[] = {
    {1U << 0, "refactoringAllowed"},         {1U << 1, "enableDoublePrecisionFloatOps"},
    {1U << 2, "forceEarlyDepthStencil"},     {1U << 3, "enableRawAndStructuredBuffers"},
    {1U << 4, "skipOptimization"},           {1U << 5, "enableMinimumPrecision"},
    {1U << 6, "enable11_1DoubleExtensions"}, {1U << 7, "enable11_1ShaderExtensions"},
    {1U << 8, "allResourcesBound"},
};
inline constexpr NameTable kGlobalFlagNames{kGlobalFlags};

/// The field of a declaration's opcode token that `control` of opcodes.def names, with its words if it is an enumeration; no bits if it
/// names none, or several.
constexpr Bits control_field(Control control) {
  const auto with = [](const NameTable& names, Bits field) {
    field.names = &names;
    return field;
  };
  switch (control) {
    case Control::pattern: return with(kBufferPatternNames, token::kDynamicIndexed);
    case Control::mode: return with(kSamplerModeNames, token::kSamplerMode);
    case Control::topology: return with(kTopologyNames, token::kTopology);
    case Control::primitive: return with(kPrimitiveNames, token::kPrimitive);
    case Control::interpolation: return with(kInterpolationNames, token::kInterpolation);
    case Control::flags: return token::kGlobalFlags;
    case Control::count: return token::kControlPoints;
    case Control::domain: return with(kDomainNames, token::kDomain);
    case Control::partitioning: return with(kPartitioningNames, token::kPartitioning);
    case Control::tess_output: return with(kTessOutputNames, token::kTessOutput);
    default: return {"", 0, 0};
  }
}
/// What messages call a field: `output primitive`.
inline std::string field_text(const Bits& field) {
  std::string text = field.name;
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

inline constexpr NamedValue kCustomDataClasses[] = {{0, "comment"},        {1, "debug_info"},
                                                    {2, "opaque"},         {3, "immediate_constant_buffer"},
                                                    {4, "shader_message"}, {5, "clip_plane_constant_mappings"}};
inline constexpr NameTable kCustomDataClassNames{kCustomDataClasses};

}  // namespace unshade::dxbc::program
