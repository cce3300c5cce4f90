// Properties of register files.
#pragma once

#include <cstdint>

#include <unshade/dxbc/program.hpp>

namespace unshade::dxbc::program {

/// A set of stages, a bit each by their numbers.
using Stages = std::uint8_t;
inline constexpr Stages kPixel = stages::ps;
inline constexpr Stages kVertex = stages::of(Stage::vertex);
inline constexpr Stages kGeometry = stages::gs;
inline constexpr Stages kHull = stages::hs;
inline constexpr Stages kDomain = stages::of(Stage::domain);
inline constexpr Stages kCompute = stages::cs;
inline constexpr Stages kEvery = stages::every;
/// That of a program; all for a stage that is none.
constexpr Stages bit(Stage stage) {
  const auto place = static_cast<unsigned>(stage);
  return place <= 5 ? static_cast<Stages>(1U << place) : kEvery;
}

/// A set of operand types, a bit each.
using OperandTypes = std::uint64_t;
/// Empty for a type beyond all known ones.
constexpr OperandTypes bit(OperandType type) {
  const auto place = static_cast<unsigned>(type);
  return place < 64 ? OperandTypes{1} << place : 0;
}

/// The properties of a register file.
struct OperandTraits {
  Stages stages;
  bool is_source;
  bool is_destination;
  std::uint8_t dimensions;                 ///< indexes; inputs of geometry and hull shaders have one more
  bool is_bound;                           ///< one index more in shader model 5.1: the range's id is first
  bool is_special;                         ///< a single register, declared by a dcl_input or dcl_output of its own
  ShaderModel since = ShaderModel::sm4_0;  ///< the first that has it
  std::uint8_t components = 4;             ///< how many the register has; vDomain has fewer in some domains
  /// Of its element in the signature, for outputs that are single registers.
  dxcontainer::SystemValue output = dxcontainer::SystemValue::undefined;
};

/// By operand type. src: d3d12TokenizedProgramFormat.hpp; the functional specification of Direct3D 11.3, registers of each stage.
inline constexpr OperandTraits kOperandTraits[] = {
    /* temp */ {kEvery, true, true, 1, false, false},
    /* input */ {kPixel | kVertex | kGeometry | kHull, true, false, 1, false, false},
    /* output */ {kPixel | kVertex | kGeometry | kHull | kDomain, false, true, 1, false, false},
    /* indexable_temp */ {kEvery, true, true, 2, false, false},
    /* immediate32 */ {kEvery, true, false, 0, false, false},
    /* immediate64 */ {kEvery, true, false, 0, false, false, ShaderModel::sm5_0},
    /* sampler */ {kEvery, false, false, 1, true, false},
    /* resource */ {kEvery, false, false, 1, true, false},
    /* constant_buffer */ {kEvery, true, false, 2, true, false},
    /* immediate_constant_buffer */ {kEvery, true, false, 1, false, false},
    /* label */ {kEvery, false, false, 1, false, false},
    /* input_primitive_id */ {kGeometry | kHull | kDomain, true, false, 0, false, true, ShaderModel::sm4_0, 1},
    /* output_depth */ {kPixel, false, true, 0, false, true, ShaderModel::sm4_0, 1, dxcontainer::SystemValue::depth},
    /* null */ {kEvery, false, true, 0, false, false},
    /* rasterizer */ {kPixel, false, false, 0, false, false},
    /* output_coverage_mask */ {kPixel, false, true, 0, false, true, ShaderModel::sm4_1, 1, dxcontainer::SystemValue::coverage},
    /* stream */ {kGeometry, false, false, 1, false, false, ShaderModel::sm5_0},
    /* function_body */ {kEvery, false, false, 1, false, false, ShaderModel::sm5_0},
    /* function_table */ {kEvery, false, false, 1, false, false, ShaderModel::sm5_0},
    /* interface */ {kEvery, false, false, 2, false, false, ShaderModel::sm5_0},
    /* function_input */ {kEvery, true, false, 1, false, false, ShaderModel::sm5_0},
    /* function_output */ {kEvery, false, true, 1, false, false, ShaderModel::sm5_0},
    /* output_control_point_id */ {kHull, true, false, 0, false, true, ShaderModel::sm5_0, 1},
    /* input_fork_instance_id */ {kHull, true, false, 0, false, true, ShaderModel::sm5_0, 1},
    /* input_join_instance_id */ {kHull, true, false, 0, false, true, ShaderModel::sm5_0, 1},
    /* input_control_point */ {kHull | kDomain, true, false, 2, false, false, ShaderModel::sm5_0},
    /* output_control_point */ {kHull, true, false, 2, false, false, ShaderModel::sm5_0},
    /* input_patch_constant */ {kHull | kDomain, true, false, 1, false, false, ShaderModel::sm5_0},
    /* input_domain_point */ {kDomain, true, false, 0, false, true, ShaderModel::sm5_0, 3},
    /* this_pointer */ {kEvery, true, false, 1, false, false, ShaderModel::sm5_0},
    /* uav */ {kEvery, false, false, 1, true, false},
    /* thread_group_shared_memory */ {kCompute, false, false, 1, false, false},
    /* input_thread_id */ {kCompute, true, false, 0, false, true, ShaderModel::sm4_0, 3},
    /* input_thread_group_id */ {kCompute, true, false, 0, false, true, ShaderModel::sm4_0, 3},
    /* input_thread_id_in_group */ {kCompute, true, false, 0, false, true, ShaderModel::sm4_0, 3},
    /* input_coverage_mask */ {kPixel, true, false, 0, false, true, ShaderModel::sm5_0, 1},
    /* input_thread_id_in_group_flattened */ {kCompute, true, false, 0, false, true, ShaderModel::sm4_0, 1},
    /* input_gs_instance_id */ {kGeometry, true, false, 0, false, true, ShaderModel::sm5_0, 1},
    /* output_depth_greater_equal */
    {kPixel, false, true, 0, false, true, ShaderModel::sm5_0, 1, dxcontainer::SystemValue::depth_greater_equal},
    /* output_depth_less_equal */
    {kPixel, false, true, 0, false, true, ShaderModel::sm5_0, 1, dxcontainer::SystemValue::depth_less_equal},
    /* cycle_counter */ {kEvery, true, false, 0, false, true, ShaderModel::sm5_0, 2},
    /* output_stencil_ref */ {kPixel, false, true, 0, false, true, ShaderModel::sm5_0, 1, dxcontainer::SystemValue::stencil_ref},
    /* input_inner_coverage */ {kPixel, true, false, 0, false, true, ShaderModel::sm5_0, 1},
};

/// Registers that replace the interpolated depth, of which a pixel shader has one.
inline constexpr OperandTypes kDepthOutputs =
    bit(OperandType::output_depth) | bit(OperandType::output_depth_greater_equal) | bit(OperandType::output_depth_less_equal);

inline const OperandTraits* find_traits(OperandType type) {
  const auto index = static_cast<std::size_t>(type);
  return index < std::size(kOperandTraits) ? &kOperandTraits[index] : nullptr;
}

/// The bit of dxbc::access for a register file.
constexpr std::uint32_t access_to(OperandType type) {
  switch (type) {
    case OperandType::resource: return access::t;
    case OperandType::uav: return access::u;
    case OperandType::thread_group_shared_memory: return access::g;
    case OperandType::rasterizer: return access::rasterizer;
    case OperandType::constant_buffer: return access::constants;
    case OperandType::sampler: return access::samplers;
    case OperandType::stream: return access::stream;
    case OperandType::input: return access::input;
    case OperandType::input_control_point:
    case OperandType::output_control_point:
    case OperandType::input_patch_constant: return access::patch;
    case OperandType::output: return access::output;
    default: break;
  }
  const OperandTraits* const traits = find_traits(type);
  if (traits == nullptr || !traits->is_special) return access::none;
  return traits->is_destination ? access::other_output : access::other_input;
}

}  // namespace unshade::dxbc::program
