// What scripts call the states of pipelines. src: google/amber:docs/amber_script.md, "Pipeline Content"
#pragma once

#include <array>
#include <string_view>

#include <unshade/draw/state.hpp>

namespace unshade::amber {

template <class T>
struct Choice {
  std::string_view name;
  T value;
};

inline constexpr Choice<texel::Comparison> kCompareOps[] = {
    {"never", texel::Comparison::never},
    {"less", texel::Comparison::less},
    {"equal", texel::Comparison::equal},
    {"less_or_equal", texel::Comparison::less_equal},
    {"greater", texel::Comparison::greater},
    {"not_equal", texel::Comparison::not_equal},
    {"greater_or_equal", texel::Comparison::greater_equal},
    {"always", texel::Comparison::always},
};
inline constexpr Choice<draw::StencilOp> kStencilWords[] = {
    {"keep", draw::StencilOp::keep},
    {"zero", draw::StencilOp::zero},
    {"replace", draw::StencilOp::replace},
    {"increment_and_clamp", draw::StencilOp::increment_saturate},
    {"decrement_and_clamp", draw::StencilOp::decrement_saturate},
    {"invert", draw::StencilOp::invert},
    {"increment_and_wrap", draw::StencilOp::increment},
    {"decrement_and_wrap", draw::StencilOp::decrement},
};
// src: google/amber:src/command_data.cc, which reads `costant_alpha` where its documentation has `constant_alpha`
inline constexpr Choice<draw::BlendFactor> kFactors[] = {
    {"zero", draw::BlendFactor::zero},
    {"one", draw::BlendFactor::one},
    {"src_color", draw::BlendFactor::src_color},
    {"one_minus_src_color", draw::BlendFactor::inv_src_color},
    {"dst_color", draw::BlendFactor::dest_color},
    {"one_minus_dst_color", draw::BlendFactor::inv_dest_color},
    {"src_alpha", draw::BlendFactor::src_alpha},
    {"one_minus_src_alpha", draw::BlendFactor::inv_src_alpha},
    {"dst_alpha", draw::BlendFactor::dest_alpha},
    {"one_minus_dst_alpha", draw::BlendFactor::inv_dest_alpha},
    {"constant_color", draw::BlendFactor::blend_factor},
    {"one_minus_constant_color", draw::BlendFactor::inv_blend_factor},
    {"constant_alpha", draw::BlendFactor::alpha_factor},
    {"costant_alpha", draw::BlendFactor::alpha_factor},
    {"one_minus_constant_alpha", draw::BlendFactor::inv_alpha_factor},
    {"src_alpha_saturate", draw::BlendFactor::src_alpha_sat},
    {"src1_color", draw::BlendFactor::src1_color},
    {"one_minus_src1_color", draw::BlendFactor::inv_src1_color},
    {"src1_alpha", draw::BlendFactor::src1_alpha},
    {"one_minus_src1_alpha", draw::BlendFactor::inv_src1_alpha},
};
inline constexpr Choice<draw::BlendOp> kOps[] = {
    {"add", draw::BlendOp::add},
    {"substract", draw::BlendOp::subtract},
    {"reverse_substract", draw::BlendOp::rev_subtract},
    {"min", draw::BlendOp::min},
    {"max", draw::BlendOp::max},
};
/// In the order of draw::Topology.
inline constexpr std::string_view kTopologies[] = {"POINT_LIST",
                                                   "LINE_LIST",
                                                   "LINE_STRIP",
                                                   "TRIANGLE_LIST",
                                                   "TRIANGLE_STRIP",
                                                   "TRIANGLE_FAN",
                                                   "LINE_LIST_WITH_ADJACENCY",
                                                   "LINE_STRIP_WITH_ADJACENCY",
                                                   "TRIANGLE_LIST_WITH_ADJACENCY",
                                                   "TRIANGLE_STRIP_WITH_ADJACENCY",
                                                   "PATCH_LIST"};

// --- samplers. src: google/amber:docs/amber_script.md, "Sampler" ---

inline constexpr Choice<texel::Filter> kFilters[] = {{"nearest", texel::Filter::point}, {"linear", texel::Filter::linear}};
/// The last as Amber reads it, where its documentation has the one before.
inline constexpr Choice<texel::AddressMode> kAddressModes[] = {
    {"repeat", texel::AddressMode::wrap},
    {"mirrored_repeat", texel::AddressMode::mirror},
    {"clamp_to_edge", texel::AddressMode::clamp},
    {"clamp_to_border", texel::AddressMode::border},
    {"mirrored_clamp_to_edge", texel::AddressMode::mirror_once},
    {"mirror_clamp_to_edge", texel::AddressMode::mirror_once},
};
inline constexpr Choice<std::array<float, 4>> kBorderColors[] = {
    {"float_transparent_black", {0, 0, 0, 0}}, {"int_transparent_black", {0, 0, 0, 0}}, {"float_opaque_black", {0, 0, 0, 1}},
    {"int_opaque_black", {0, 0, 0, 1}},        {"float_opaque_white", {1, 1, 1, 1}},    {"int_opaque_white", {1, 1, 1, 1}},
};

/// The first word of a value; there is one of each.
template <class T, std::size_t N>
constexpr std::string_view word_of(const Choice<T> (&words)[N], T value) {
  for (const Choice<T>& one : words)
    if (one.value == value) return one.name;
  return {};
}

}  // namespace unshade::amber
