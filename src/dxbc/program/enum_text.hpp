// Names inside token programs: one table per enumeration, with the listing's spelling. Listing and field tree print from here.
#pragma once

#include <cstdint>
#include <string_view>

#include <unshade/core/tree.hpp>

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

inline constexpr NamedValue kResourceDimensions[] = {
    {0, "unknown"},           {1, "buffer"},      {2, "texture1d"},          {3, "texture2d"},      {4, "texture2dms"},
    {5, "texture3d"},         {6, "texturecube"}, {7, "texture1darray"},     {8, "texture2darray"}, {9, "texture2dmsarray"},
    {10, "texturecubearray"}, {11, "raw_buffer"}, {12, "structured_buffer"},
};
inline constexpr NameTable kResourceDimensionNames{kResourceDimensions};

inline constexpr NamedValue kReturnTypes[] = {{1, "unorm"}, {2, "snorm"},  {3, "sint"},      {4, "uint"},  {5, "float"},
                                              {6, "mixed"}, {7, "double"}, {8, "continued"}, {9, "unused"}};
inline constexpr NameTable kReturnTypeNames{kReturnTypes};

inline constexpr NamedValue kInterpolations[] = {
    {0, "undefined"},
    {1, "constant"},
    {2, "linear"},
    {3, "linear centroid"},
    {4, "linear noperspective"},
    {5, "linear noperspective centroid"},
    {6, "linear sample"},
    {7, "linear noperspective sample"},
};
inline constexpr NameTable kInterpolationNames{kInterpolations};

inline constexpr NamedValue kTopologies[] = {
    {0, "undefined"},     {1, "pointlist"},     {2, "linelist"},       {3, "linestrip"},         {4, "trianglelist"},
    {5, "trianglestrip"}, {10, "linelist_adj"}, {11, "linestrip_adj"}, {12, "trianglelist_adj"}, {13, "trianglestrip_adj"},
};
inline constexpr NameTable kTopologyNames{kTopologies};

inline constexpr NamedValue kPrimitives[] = {
    {0, "undefined"}, {1, "point"},    {2, "line"},     {3, "triangle"}, {6, "lineadj"},  {7, "triangleadj"}, {8, "patch1"},
    {9, "patch2"},    {10, "patch3"},  {11, "patch4"},  {12, "patch5"},  {13, "patch6"},  {14, "patch7"},     {15, "patch8"},
    {16, "patch9"},   {17, "patch10"}, {18, "patch11"}, {19, "patch12"}, {20, "patch13"}, {21, "patch14"},    {22, "patch15"},
    {23, "patch16"},  {24, "patch17"}, {25, "patch18"}, {26, "patch19"}, {27, "patch20"}, {28, "patch21"},    {29, "patch22"},
    {30, "patch23"},  {31, "patch24"}, {32, "patch25"}, {33, "patch26"}, {34, "patch27"}, {35, "patch28"},    {36, "patch29"},
    {37, "patch30"},  {38, "patch31"}, {39, "patch32"},
};
inline constexpr NameTable kPrimitiveNames{kPrimitives};

inline constexpr NamedValue kSamplerModes[] = {{0, "mode_default"}, {1, "mode_comparison"}, {2, "mode_mono"}};
inline constexpr NameTable kSamplerModeNames{kSamplerModes};

inline constexpr NamedValue kDomains[] = {{0, "domain_undefined"}, {1, "domain_isoline"}, {2, "domain_tri"}, {3, "domain_quad"}};
inline constexpr NameTable kDomainNames{kDomains};

inline constexpr NamedValue kPartitionings[] = {{0, "partitioning_undefined"},
                                                {1, "partitioning_integer"},
                                                {2, "partitioning_pow2"},
                                                {3, "partitioning_fractional_odd"},
                                                {4, "partitioning_fractional_even"}};
inline constexpr NameTable kPartitioningNames{kPartitionings};

inline constexpr NamedValue kTessOutputs[] = {
    {0, "output_undefined"}, {1, "output_point"}, {2, "output_line"}, {3, "output_triangle_cw"}, {4, "output_triangle_ccw"}};
inline constexpr NameTable kTessOutputNames{kTessOutputs};

inline constexpr NamedValue kMinPrecisions[] = {{0, "def32"}, {1, "min16f"}, {2, "min2_8f"}, {4, "min16i"}, {5, "min16u"}};
inline constexpr NameTable kMinPrecisionNames{kMinPrecisions};

/// Bits of the global flags declaration, from its control field (bit 11 of the token is bit 0 here), in the order they are printed.
inline constexpr NamedValue kGlobalFlags[] = {
    {1U << 0, "refactoringAllowed"},         {1U << 1, "enableDoublePrecisionFloatOps"},
    {1U << 2, "forceEarlyDepthStencil"},     {1U << 3, "enableRawAndStructuredBuffers"},
    {1U << 4, "skipOptimization"},           {1U << 5, "enableMinimumPrecision"},
    {1U << 6, "enable11_1DoubleExtensions"}, {1U << 7, "enable11_1ShaderExtensions"},
    {1U << 8, "allResourcesBound"},
};
inline constexpr NameTable kGlobalFlagNames{kGlobalFlags};

inline constexpr NamedValue kCustomDataClasses[] = {{0, "comment"},        {1, "debug_info"},
                                                    {2, "opaque"},         {3, "immediate_constant_buffer"},
                                                    {4, "shader_message"}, {5, "clip_plane_constant_mappings"}};
inline constexpr NameTable kCustomDataClassNames{kCustomDataClasses};

}  // namespace unshade::dxbc::program
