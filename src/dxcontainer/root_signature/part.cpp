#include <unshade/dxcontainer/root_signature.hpp>

#include <unshade/core/archive/writer.hpp>
#include <unshade/dxcontainer/part_model.hpp>

#include "dxcontainer/root_signature/layout.hpp"

namespace unshade::dxcontainer {

namespace {

// src: d3d12.h
constexpr NamedValue kVersions[] = {{1, "1.0"}, {2, "1.1"}, {3, "1.2"}};
constexpr NameTable kVersionNames{kVersions};
constexpr FieldType kVersionType{FieldKind::enumeration, "root signature version", &kVersionNames};

constexpr NamedValue kParameterTypes[] = {{0, "descriptor_table"}, {1, "constants"}, {2, "cbv"}, {3, "srv"}, {4, "uav"}};
constexpr NameTable kParameterTypeNames{kParameterTypes};
constexpr FieldType kParameterType{FieldKind::enumeration, "root parameter type", &kParameterTypeNames};

constexpr NamedValue kVisibilities[] = {{0, "all"},      {1, "vertex"}, {2, "hull"},          {3, "domain"},
                                        {4, "geometry"}, {5, "pixel"},  {6, "amplification"}, {7, "mesh"}};
constexpr NameTable kVisibilityNames{kVisibilities};
constexpr FieldType kVisibilityType{FieldKind::enumeration, "shader visibility", &kVisibilityNames};

constexpr NamedValue kRangeTypes[] = {{0, "srv"}, {1, "uav"}, {2, "cbv"}, {3, "sampler"}};
constexpr NameTable kRangeTypeNames{kRangeTypes};
constexpr FieldType kRangeType{FieldKind::enumeration, "descriptor range type", &kRangeTypeNames};

constexpr NamedValue kAddressModes[] = {
#define DX_ADDRESS(id, number, word) {number, #id},
#include <unshade/dxcontainer/states.def>
};
constexpr NameTable kAddressModeNames{kAddressModes};
constexpr FieldType kAddressModeType{FieldKind::enumeration, "texture address mode", &kAddressModeNames};

constexpr NamedValue kComparisons[] = {
    {0, "none"},
#define DX_COMPARISON(id, number, word) {number, #id},
#include <unshade/dxcontainer/states.def>
};
constexpr NameTable kComparisonNames{kComparisons};
constexpr FieldType kComparisonType{FieldKind::enumeration, "comparison function", &kComparisonNames};

constexpr NamedValue kBorderColors[] = {
    {0, "transparent_black"}, {1, "opaque_black"}, {2, "opaque_white"}, {3, "opaque_black_uint"}, {4, "opaque_white_uint"}};
constexpr NameTable kBorderColorNames{kBorderColors};
constexpr FieldType kBorderColorType{FieldKind::enumeration, "static border color", &kBorderColorNames};

// D3D12_FILTER is made of bit fields. src: d3d12.h, D3D12_ENCODE_BASIC_FILTER
constexpr NamedValue kLinearity[] = {{0, "point"}, {1, "linear"}};
constexpr NameTable kLinearityNames{kLinearity};
constexpr NamedValue kReductions[] = {{0, "standard"}, {1, "comparison"}, {2, "minimum"}, {3, "maximum"}};
constexpr NameTable kReductionNames{kReductions};
constexpr Bits kFilterBits[] = {{"min", 4, 2, &kLinearityNames},
                                {"mag", 2, 2, &kLinearityNames},
                                {"mip", 0, 2, &kLinearityNames},
                                {"anisotropic", 6, 1},
                                {"reduction", 7, 2, &kReductionNames}};
constexpr FieldType kFilterType{FieldKind::bits, "filter", nullptr, kFilterBits};

}  // namespace

const FieldType& field_type(RootSignatureVersion) { return kVersionType; }
const FieldType& field_type(RootParameterType) { return kParameterType; }
const FieldType& field_type(ShaderVisibility) { return kVisibilityType; }
const FieldType& field_type(DescriptorRangeType) { return kRangeType; }
const FieldType& field_type(Filter) { return kFilterType; }
const FieldType& field_type(TextureAddressMode) { return kAddressModeType; }
const FieldType& field_type(ComparisonFunction) { return kComparisonType; }
const FieldType& field_type(BorderColor) { return kBorderColorType; }

Result<RootSignature> parse_root_signature(const Part& part) { return parse_model<RootSignature>(part); }

void record_root_signature(const Part& part, Tree& tree, std::uint32_t group) { record_model<RootSignature>(part, tree, group); }

std::vector<std::byte> write_root_signature(const RootSignature& signature) { return write_part(signature); }

}  // namespace unshade::dxcontainer
