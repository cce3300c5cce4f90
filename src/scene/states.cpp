// States of a pass, in the words of Direct3D 12. src: d3d12.h, D3D12_RASTERIZER_DESC, D3D12_DEPTH_STENCIL_DESC, D3D12_BLEND_DESC
#include <algorithm>
#include <cmath>

#include <unshade/core/text/numbers.hpp>
#include <unshade/run/fields.hpp>
#include <unshade/run/values.hpp>

#include "scene/parts.hpp"

namespace unshade::scene {
namespace {

using run::fault;
using run::Field;
using run::read_fields;
using run::read_real;
using run::read_reals;
using run::read_truth;
using run::read_word;
using run::Word;

constexpr Word<draw::Cull> kCullModes[] = {
#define DX_CULL(id, number, word) {word, draw::Cull::id},
#include <unshade/dxcontainer/states.def>
};
constexpr Word<bool> kDepthWrites[] = {
#define DX_DEPTH_WRITE(id, number, word) {word, id},
#include <unshade/dxcontainer/states.def>
};
constexpr Word<texel::Comparison> kComparisonFuncs[] = {
#define DX_COMPARISON(id, number, word) {word, texel::Comparison::id},
#include <unshade/dxcontainer/states.def>
};
constexpr Word<draw::StencilOp> kStencilOps[] = {
#define DX_STENCIL_OP(id, number, word) {word, draw::StencilOp::id},
#include <unshade/dxcontainer/states.def>
};
constexpr Word<draw::BlendFactor> kBlends[] = {
#define DX_BLEND(id, number, word) {word, draw::BlendFactor::id},
#include <unshade/dxcontainer/states.def>
    {"ALPHA_FACTOR", draw::BlendFactor::alpha_factor},          // Direct3D 12 alone
    {"INV_ALPHA_FACTOR", draw::BlendFactor::inv_alpha_factor},  // the same
};
constexpr Word<draw::BlendOp> kBlendOps[] = {
#define DX_BLEND_OP(id, number, word) {word, draw::BlendOp::id},
#include <unshade/dxcontainer/states.def>
};
constexpr Word<draw::LogicOp> kLogicOps[] = {{"CLEAR", draw::LogicOp::clear},
                                             {"SET", draw::LogicOp::set},
                                             {"COPY", draw::LogicOp::copy},
                                             {"COPY_INVERTED", draw::LogicOp::copy_inverted},
                                             {"NOOP", draw::LogicOp::noop},
                                             {"INVERT", draw::LogicOp::invert},
                                             {"AND", draw::LogicOp::and_},
                                             {"NAND", draw::LogicOp::nand},
                                             {"OR", draw::LogicOp::or_},
                                             {"NOR", draw::LogicOp::nor},
                                             {"XOR", draw::LogicOp::xor_},
                                             {"EQUIV", draw::LogicOp::equiv},
                                             {"AND_REVERSE", draw::LogicOp::and_reverse},
                                             {"AND_INVERTED", draw::LogicOp::and_inverted},
                                             {"OR_REVERSE", draw::LogicOp::or_reverse},
                                             {"OR_INVERTED", draw::LogicOp::or_inverted}};
constexpr Word<draw::Topology> kTopologies[] = {{"POINTLIST", draw::Topology::point_list},
                                                {"LINELIST", draw::Topology::line_list},
                                                {"LINESTRIP", draw::Topology::line_strip},
                                                {"TRIANGLELIST", draw::Topology::triangle_list},
                                                {"TRIANGLESTRIP", draw::Topology::triangle_strip},
                                                {"TRIANGLEFAN", draw::Topology::triangle_fan},
                                                {"LINELIST_ADJ", draw::Topology::line_list_adjacency},
                                                {"LINESTRIP_ADJ", draw::Topology::line_strip_adjacency},
                                                {"TRIANGLELIST_ADJ", draw::Topology::triangle_list_adjacency},
                                                {"TRIANGLESTRIP_ADJ", draw::Topology::triangle_strip_adjacency}};
constexpr Word<shader::GraphicsApi> kConventions[] = {
    {"direct3d", shader::GraphicsApi::direct3d}, {"vulkan", shader::GraphicsApi::vulkan}, {"pica", shader::GraphicsApi::pica}};

Result<void> read_whole(const Value& given, std::uint32_t most, std::uint32_t& to) {
  auto number = run::number_of(given, "");
  if (!number) return std::move(number).error();
  if (*number > most) return fault(given, "", "expected a whole number from 0 to " + std::to_string(most));
  to = *number;
  return {};
}
Result<void> read_byte(const Value& given, std::uint8_t& to) {
  std::uint32_t number = 0;
  auto done = read_whole(given, 0xff, number);
  to = static_cast<std::uint8_t>(number);
  return done;
}

// A field that is read by a function of its type, or is one of some words.
template <auto member, auto read, class T>
Result<void> by(const Value& given, T& to) {
  return read(given, to.*member);
}
template <auto member, const auto& words, class T>
Result<void> word(const Value& given, T& to) {
  return read_word(given, words, to.*member);
}

constexpr Word<draw::Fill> kFillModes[] = {
#define DX_FILL(id, number, word) {word, draw::Fill::id},
#include <unshade/dxcontainer/states.def>
    {"POINT", draw::Fill::points}  // of OpenGL and Vulkan
};
constexpr Word<bool> kConservativeModes[] = {{"OFF", false}, {"ON", true}};
constexpr Word<draw::LineMode> kLineModes[] = {{"ALIASED", draw::LineMode::aliased},
                                               {"ALPHA_ANTIALIASED", draw::LineMode::alpha_antialiased},
                                               {"QUADRILATERAL_WIDE", draw::LineMode::quadrilateral_wide},
                                               {"QUADRILATERAL_NARROW", draw::LineMode::quadrilateral_narrow}};

struct Rasterizer : draw::RasterizerState {
  bool multisample = false, antialiased_lines = false;  ///< choose a mode of lines, if none is stated. src: D3D11.3 specification 15.14.1
  std::optional<draw::LineMode> stated_lines;
};
constexpr Field<Rasterizer> kRasterizerFields[] = {
    {"FillMode", word<&Rasterizer::fill, kFillModes>},
    {"CullMode", word<&Rasterizer::cull, kCullModes>},
    {"FrontCounterClockwise", by<&Rasterizer::front_counter_clockwise, read_truth>},
    {"DepthBias", by<&Rasterizer::depth_bias, read_signed>},
    {"DepthBiasClamp", by<&Rasterizer::depth_bias_clamp, read_real>},
    {"SlopeScaledDepthBias", by<&Rasterizer::slope_scaled_depth_bias, read_real>},
    {"DepthClipEnable", by<&Rasterizer::depth_clip, read_truth>},
    {"ScissorEnable", by<&Rasterizer::scissor, read_truth>},
    {"MultisampleEnable", by<&Rasterizer::multisample, read_truth>},
    {"AntialiasedLineEnable", by<&Rasterizer::antialiased_lines, read_truth>},
    {"LineRasterizationMode", [](const Value& given, Rasterizer& to) { return read_word(given, kLineModes, to.stated_lines.emplace()); }},
    {"ForcedSampleCount", [](const Value& given, Rasterizer& to) { return read_whole(given, 16, to.forced_samples); }},
    {"ConservativeRaster", word<&Rasterizer::conservative, kConservativeModes>},
};

/// Masks that are stated, of a face or of both.
struct StencilMasks {
  std::optional<std::uint8_t> read, write;
};
template <auto member, class T>
Result<void> read_mask(const Value& given, T& to) {
  return read_byte(given, (to.masks.*member).emplace());
}

struct Face : draw::StencilFace {
  StencilMasks masks;
};
constexpr Field<Face> kStencilFaceFields[] = {
    {"StencilFailOp", word<&Face::fail, kStencilOps>},         {"StencilDepthFailOp", word<&Face::depth_fail, kStencilOps>},
    {"StencilPassOp", word<&Face::pass, kStencilOps>},         {"StencilFunc", word<&Face::comparison, kComparisonFuncs>},
    {"StencilReadMask", read_mask<&StencilMasks::read, Face>}, {"StencilWriteMask", read_mask<&StencilMasks::write, Face>},
};
Result<void> read_face(const Value& given, Face& to) { return read_fields(given, kStencilFaceFields, "a face", to); }

struct DepthStencilFields : draw::DepthStencilState {
  StencilMasks masks;
  Face front_face, back_face;
};

constexpr Field<DepthStencilFields> kDepthStencilFields[] = {
    {"DepthEnable", by<&DepthStencilFields::depth, read_truth>},
    {"DepthWriteMask", word<&DepthStencilFields::depth_write, kDepthWrites>},
    {"DepthFunc", word<&DepthStencilFields::comparison, kComparisonFuncs>},
    {"DepthBoundsTestEnable", by<&DepthStencilFields::depth_bounds, read_truth>},
    {"StencilEnable", by<&DepthStencilFields::stencil, read_truth>},
    {"StencilReadMask", read_mask<&StencilMasks::read, DepthStencilFields>},
    {"StencilWriteMask", read_mask<&StencilMasks::write, DepthStencilFields>},
    {"FrontFace", by<&DepthStencilFields::front_face, read_face>},
    {"BackFace", by<&DepthStencilFields::back_face, read_face>},
};

constexpr Field<draw::TargetBlend> kTargetBlendFields[] = {
    {"BlendEnable", by<&draw::TargetBlend::blend, read_truth>},
    {"LogicOpEnable", by<&draw::TargetBlend::logic, read_truth>},
    {"SrcBlend", word<&draw::TargetBlend::src, kBlends>},
    {"DestBlend", word<&draw::TargetBlend::dest, kBlends>},
    {"BlendOp", word<&draw::TargetBlend::op, kBlendOps>},
    {"SrcBlendAlpha", word<&draw::TargetBlend::src_alpha, kBlends>},
    {"DestBlendAlpha", word<&draw::TargetBlend::dest_alpha, kBlends>},
    {"BlendOpAlpha", word<&draw::TargetBlend::op_alpha, kBlendOps>},
    {"LogicOp", word<&draw::TargetBlend::logic_op, kLogicOps>},
    {"RenderTargetWriteMask",
     [](const Value& given, draw::TargetBlend& to) -> Result<void> {
       std::uint32_t number = 0;
       auto done = read_whole(given, 0xf, number);
       to.write_mask = static_cast<std::uint8_t>(number);
       return done;
     }},
};

struct Blend {
  draw::BlendState state;
  std::size_t stated = 0;  ///< targets
};
constexpr Field<Blend> kBlendFields[] = {
    {"AlphaToCoverageEnable", [](const Value& given, Blend& to) { return read_truth(given, to.state.alpha_to_coverage); }},
    {"RenderTarget",
     [](const Value& given, Blend& to) -> Result<void> {
       const Value::List* const list = given.as_list();
       if (list == nullptr || list->empty() || list->size() > draw::kTargets)
         return fault(given, "", "expected a list of 1 to 8 maps, of which the last holds for the targets after it");
       to.stated = list->size();
       for (std::size_t k = 0; k < list->size(); ++k) {
         if (auto done = read_fields((*list)[k], kTargetBlendFields, "a target", to.state.targets[k]); !done)
           return std::move(done).error().within('[' + std::to_string(k) + ']');
       }
       return {};
     }},
};

Result<void> read_depth(const Value& given, float& to) {
  if (auto done = read_real(given, to); !done) return done;
  if (!(to >= 0 && to <= 1)) return fault(given, "", "a depth must be from 0 to 1");
  return {};
}

Result<void> read_extent(const Value& given, float& to) {
  if (auto done = read_real(given, to); !done) return done;
  return to >= 0 ? Result<void>() : Result<void>(fault(given, "", "expected a number from 0 on"));
}

constexpr Field<draw::Viewport> kViewportFields[] = {
    {"TopLeftX", by<&draw::Viewport::x, read_real>},          {"TopLeftY", by<&draw::Viewport::y, read_real>},
    {"Width", by<&draw::Viewport::width, read_extent>},       {"Height", by<&draw::Viewport::height, read_extent>},
    {"MinDepth", by<&draw::Viewport::min_depth, read_depth>}, {"MaxDepth", by<&draw::Viewport::max_depth, read_depth>},
};
constexpr Field<draw::Scissor> kScissorFields[] = {
    {"left", by<&draw::Scissor::left, read_signed>},
    {"top", by<&draw::Scissor::top, read_signed>},
    {"right", by<&draw::Scissor::right, read_signed>},
    {"bottom", by<&draw::Scissor::bottom, read_signed>},
};

template <class T, std::size_t N>
Result<void> read_list(const Value& given, const Field<T> (&fields)[N], std::string_view what, std::vector<T>& to) {
  constexpr std::size_t kMost = 16;
  const Value::List* const list = given.as_list();
  if (list == nullptr || list->empty() || list->size() > kMost) return fault(given, "", "expected a list of 1 to 16 maps");
  for (std::size_t k = 0; k < list->size(); ++k) {
    if (auto done = read_fields((*list)[k], fields, what, to.emplace_back()); !done)
      return std::move(done).error().within('[' + std::to_string(k) + ']');
  }
  return {};
}

constexpr Field<States> kStateFields[] = {
    {"rasterizer",
     [](const Value& given, States& to) {
       to.has_scissor = given.find("ScissorEnable") != nullptr;
       Rasterizer made;
       auto done = read_fields(given, kRasterizerFields, "the rasterizer", made);
       made.lines = made.stated_lines        ? *made.stated_lines
                    : made.multisample       ? draw::LineMode::quadrilateral_wide
                    : made.antialiased_lines ? draw::LineMode::alpha_antialiased
                                             : draw::LineMode::aliased;
       to.rasterizer = made;
       return done;
     }},
    {"depth_stencil",
     [](const Value& given, States& to) {
       DepthStencilFields made;
       auto done = read_fields(given, kDepthStencilFields, "depth_stencil", made);
       for (Face* const face : {&made.front_face, &made.back_face}) {
         face->read_mask = face->masks.read.value_or(made.masks.read.value_or(0xff));
         face->write_mask = face->masks.write.value_or(made.masks.write.value_or(0xff));
       }
       made.front = made.front_face;
       made.back = made.back_face;
       to.depth_stencil = made;
       return done;
     }},
    {"blend",
     [](const Value& given, States& to) {
       Blend made;
       auto done = read_fields(given, kBlendFields, "blend", made);
       for (std::size_t k = std::max<std::size_t>(1, made.stated); k < draw::kTargets; ++k)
         made.state.targets[k] = made.state.targets[k - 1];
       to.blend = made.state;
       return done;
     }},
    {"blend_factor", by<&States::blend_factor, read_reals<4>>},
    {"stencil_ref",
     [](const Value& given, States& to) -> Result<void> {
       const Value::List* const faces = given.as_list();
       if (faces != nullptr && faces->size() != 2)
         return fault(given, "", "expected a stencil reference, or a list of two, of front and back faces");
       for (std::size_t face = 0; face < 2; ++face)
         if (auto done = read_byte(faces == nullptr ? given : (*faces)[face], to.stencil_refs[face]); !done) return done;
       return {};
     }},
    {"depth_bounds", by<&States::depth_bounds, read_reals<2>>},
    {"sample_mask", [](const Value& given, States& to) { return read_whole(given, 0xffff'ffff, to.sample_mask); }},
    {"viewports", [](const Value& given, States& to) { return read_list(given, kViewportFields, "a viewport", to.viewports); }},
    {"scissors", [](const Value& given, States& to) { return read_list(given, kScissorFields, "a scissor", to.scissors); }},
    {"conventions", [](const Value& given, States& to) { return read_word(given, kConventions, to.conventions.emplace()); }},
};
constexpr auto kStateNames = run::names_of(kStateFields);

}  // namespace

Result<void> read_signed(const Value& given, std::int32_t& to) {
  const Integer* const number = given.as_integer();
  if (number == nullptr || number->magnitude > (number->negative ? 0x8000'0000 : 0x7fff'ffff))
    return fault(given, "", "expected a whole number from -2147483648 to 2147483647");
  const auto magnitude = static_cast<std::uint32_t>(number->magnitude);
  to = static_cast<std::int32_t>(number->negative ? 0 - magnitude : magnitude);
  return {};
}

draw::Conventions conventions_of(shader::GraphicsApi api) {
  constexpr draw::Conventions kOfApis[] = {{}, draw::Conventions::vulkan(), draw::Conventions::pica()};
  return kOfApis[static_cast<std::size_t>(api)];
}

std::span<const std::string_view> state_fields() { return kStateNames; }

std::optional<Result<void>> read_state(const Value::Member& member, States& to) {
  const auto* const field = std::ranges::find(kStateFields, member.key, &Field<States>::name);
  if (field == std::end(kStateFields)) return std::nullopt;
  auto done = field->read(member.value, to);
  if (!done) return Result<void>(run::in_field(std::move(done).error(), member.key));
  return done;
}

Result<Primitives> read_topology(const Value& given) {
  Primitives made;
  if (const std::string* const text = given.as_text()) {
    std::string_view rest = *text;
    const auto points = take_number<std::uint32_t>(rest);
    if (points && rest == "_CONTROL_POINT_PATCHLIST") {
      if (*points < 1 || *points > 32) return fault(given, "", "a patch must have 1 to 32 control points");
      return Primitives{draw::Topology::patch_list, *points};
    }
  }
  auto done = read_word(given, kTopologies, made.topology);
  if (!done) return fault(given, "", done.error().message + ", or 1_CONTROL_POINT_PATCHLIST to 32_CONTROL_POINT_PATCHLIST");
  return made;
}

}  // namespace unshade::scene
