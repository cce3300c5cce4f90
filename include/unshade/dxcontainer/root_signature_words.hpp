// Words of root signatures: the names of their flags in documents; descriptors and filters as HLSL names them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <unshade/core/tree.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>

namespace unshade::dxcontainer {

inline constexpr NamedValue kRootFlagValues[] = {
    {0x1, "allow_input_assembler_input_layout"},
    {0x2, "deny_vertex_shader_root_access"},
    {0x4, "deny_hull_shader_root_access"},
    {0x8, "deny_domain_shader_root_access"},
    {0x10, "deny_geometry_shader_root_access"},
    {0x20, "deny_pixel_shader_root_access"},
    {0x40, "allow_stream_output"},
    {0x80, "local_root_signature"},
    {0x100, "deny_amplification_shader_root_access"},
    {0x200, "deny_mesh_shader_root_access"},
    {0x400, "cbv_srv_uav_heap_directly_indexed"},
    {0x800, "sampler_heap_directly_indexed"},
};
inline constexpr NameTable kRootFlagNames{kRootFlagValues};
inline constexpr FieldType kRootFlags{FieldKind::flags, "root signature flags", &kRootFlagNames};

inline constexpr NamedValue kDataFlagValues[] = {{0x1, "descriptors_volatile"},
                                                 {0x2, "data_volatile"},
                                                 {0x4, "data_static_while_set_at_execute"},
                                                 {0x8, "data_static"},
                                                 {0x10000, "descriptors_static_keeping_buffer_bounds_checks"}};
inline constexpr NameTable kDataFlagNames{kDataFlagValues};
inline constexpr FieldType kDataFlags{FieldKind::flags, "descriptor flags", &kDataFlagNames};

inline constexpr NamedValue kSamplerFlagValues[] = {{0x1, "uint_border_color"}, {0x2, "non_normalized_coordinates"}};
inline constexpr NameTable kSamplerFlagNames{kSamplerFlagValues};
inline constexpr FieldType kSamplerFlags{FieldKind::flags, "sampler flags", &kSamplerFlagNames};

}  // namespace unshade::dxcontainer

namespace unshade::dxcontainer::root_signature {

/// DescriptorRange::offset_in_table of a range that follows the one before it.
inline constexpr std::uint32_t kAppendedOffset = 0xffff'ffff;

/// A kind of descriptor: a range of a table, and all but samplers a root parameter.
struct DescriptorWord {
  std::string_view text;
  char letter;  ///< of its registers
  DescriptorRangeType range;
  RootParameterType parameter;
  bool is_parameter;
};
inline constexpr DescriptorWord kDescriptorWords[] = {
    {"CBV", 'b', DescriptorRangeType::cbv, RootParameterType::cbv, true},
    {"SRV", 't', DescriptorRangeType::srv, RootParameterType::srv, true},
    {"UAV", 'u', DescriptorRangeType::uav, RootParameterType::uav, true},
    {"Sampler", 's', DescriptorRangeType::sampler, RootParameterType::descriptor_table, false},
};

/// Flags that root descriptors have a word for: the DATA_ ones.
inline constexpr std::uint32_t kRootDescriptorFlags = 0xe;

/// The name of a filter: `FILTER_COMPARISON_MIN_MAG_LINEAR_MIP_POINT`; empty if the value has none. src: d3d12.h, D3D12_FILTER
std::string filter_name(Filter filter);

/// How many filters have a name, and each of them, `i` from 0.
inline constexpr std::size_t kNamedFilters = 40;
Filter named_filter(std::size_t i);

}  // namespace unshade::dxcontainer::root_signature
