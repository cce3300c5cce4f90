// RTS0: a root signature, versions 1.0, 1.1 and 1.2.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <unshade/core/placed.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxcontainer {

/// D3D_ROOT_SIGNATURE_VERSION.
enum class RootSignatureVersion : std::uint32_t { v1_0 = 1, v1_1 = 2, v1_2 = 3 };
/// D3D12_ROOT_PARAMETER_TYPE.
enum class RootParameterType : std::uint32_t { descriptor_table = 0, constants = 1, cbv = 2, srv = 3, uav = 4 };
/// D3D12_SHADER_VISIBILITY.
enum class ShaderVisibility : std::uint32_t {
  all = 0,
  vertex = 1,
  hull = 2,
  domain = 3,
  geometry = 4,
  pixel = 5,
  amplification = 6,
  mesh = 7
};
/// D3D12_DESCRIPTOR_RANGE_TYPE.
enum class DescriptorRangeType : std::uint32_t { srv = 0, uav = 1, cbv = 2, sampler = 3 };
/// D3D12_FILTER.
enum class Filter : std::uint32_t {};
/// D3D12_TEXTURE_ADDRESS_MODE.
enum class TextureAddressMode : std::uint32_t { wrap = 1, mirror = 2, clamp = 3, border = 4, mirror_once = 5 };
/// D3D12_COMPARISON_FUNC.
enum class ComparisonFunction : std::uint32_t {
  none = 0,
  never = 1,
  less = 2,
  equal = 3,
  less_equal = 4,
  greater = 5,
  not_equal = 6,
  greater_equal = 7,
  always = 8
};
/// D3D12_STATIC_BORDER_COLOR.
enum class BorderColor : std::uint32_t {
  transparent_black = 0,
  opaque_black = 1,
  opaque_white = 2,
  opaque_black_uint = 3,
  opaque_white_uint = 4
};

const FieldType& field_type(RootSignatureVersion);
const FieldType& field_type(RootParameterType);
const FieldType& field_type(ShaderVisibility);
const FieldType& field_type(DescriptorRangeType);
const FieldType& field_type(Filter);
const FieldType& field_type(TextureAddressMode);
const FieldType& field_type(ComparisonFunction);
const FieldType& field_type(BorderColor);

struct DescriptorRange {
  DescriptorRangeType type = DescriptorRangeType::srv;
  std::uint32_t count = 0;  ///< 0xffffffff: unbounded
  std::uint32_t base_register = 0;
  std::uint32_t space = 0;
  std::uint32_t flags = 0;            ///< from 1.1 on
  std::uint32_t offset_in_table = 0;  ///< descriptors; 0xffffffff: after the range before
};

struct RootParameter {
  RootParameterType type = RootParameterType::descriptor_table;
  ShaderVisibility visibility = ShaderVisibility::all;
  std::uint32_t offset = kUnplaced;   ///< of what follows by type, bytes from the start of the part's data
  std::uint32_t shader_register = 0;  ///< constants and descriptors
  std::uint32_t space = 0;
  std::uint32_t flags = 0;           ///< descriptors, from 1.1 on
  std::uint32_t constant_count = 0;  ///< 32-bit values
  Table<DescriptorRange> ranges;     ///< descriptor tables
};

struct StaticSampler {
  Filter filter{};
  TextureAddressMode address_u = TextureAddressMode::wrap;
  TextureAddressMode address_v = TextureAddressMode::wrap;
  TextureAddressMode address_w = TextureAddressMode::wrap;
  float mip_lod_bias = 0;
  std::uint32_t max_anisotropy = 0;
  ComparisonFunction comparison = ComparisonFunction::none;
  BorderColor border_color = BorderColor::transparent_black;
  float min_lod = 0;
  float max_lod = 0;
  std::uint32_t shader_register = 0;
  std::uint32_t space = 0;
  ShaderVisibility visibility = ShaderVisibility::all;
  std::uint32_t flags = 0;  ///< 1.2
};

/// The parsed part. Borrows nothing.
struct RootSignature {
  RootSignatureVersion version = RootSignatureVersion::v1_0;
  Table<RootParameter> parameters;
  Table<StaticSampler> static_samplers;
  std::uint32_t flags = 0;
};

/// Reads the part. Errors: unsupported for another version; truncated, out_of_range, limit, with paths such as
/// `RTS0/parameters[2]/ranges[0]/count`.
Result<RootSignature> parse_root_signature(const Part& part);
/// Adds the part's fields to a tree.
void record_root_signature(const Part& part, Tree& tree, std::uint32_t group);
/// The part's data. An unedited part gives back its bytes.
std::vector<std::byte> write_root_signature(const RootSignature& signature);

}  // namespace unshade::dxcontainer
