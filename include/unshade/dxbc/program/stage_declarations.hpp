// What a program declares of itself as a whole: a row for each such declaration.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/program/limits.hpp>
#include <unshade/dxbc/program/rules.hpp>

namespace unshade::dxbc::program {

struct StageDeclarations {
  std::uint32_t global_flags = 0;  ///< bit 0 is refactoringAllowed, see kGlobalFlags
  std::optional<std::array<std::uint32_t, 3>> thread_group;
  dxcontainer::InputPrimitive input_primitive = dxcontainer::InputPrimitive::undefined;
  std::uint8_t stream = 0;                              ///< whose topology and outputs are being declared
  std::uint32_t streams = 0;                            ///< bit i: stream i is declared
  std::vector<dxcontainer::OutputTopology> topologies;  ///< by stream
  dxcontainer::OutputTopology last_topology = dxcontainer::OutputTopology::undefined;
  std::uint32_t max_vertices = 0;
  std::optional<std::uint32_t> instances;
  std::optional<std::uint32_t> input_points;
  std::uint32_t output_points = 0;
  dxcontainer::TessellatorDomain domain = dxcontainer::TessellatorDomain::undefined;
  dxcontainer::TessellatorPartitioning partitioning = dxcontainer::TessellatorPartitioning::undefined;
  dxcontainer::TessellatorOutput tessellator_output = dxcontainer::TessellatorOutput::undefined;
  std::optional<float> max_tess_factor;
  std::uint32_t phase_instances = 1;  ///< of the last fork or join phase that states them
};

namespace stage_rows {

template <class T>
void read(const Instruction& in, T& to) {
  to = static_cast<T>(in.declared_value());
}
inline void read(const Instruction& in, std::optional<std::uint32_t>& to) { to = in.declared_value(); }
inline void read(const Instruction& in, std::optional<float>& to) { to = std::bit_cast<float>(in.declared_value()); }
inline void read(const Instruction& in, std::optional<std::array<std::uint32_t, 3>>& to) { to = {in.words[0], in.words[1], in.words[2]}; }
template <auto member>
void set(StageDeclarations& stage, const Instruction& in) {
  read(in, stage.*member);
}

inline void set_stream(StageDeclarations& stage, const Instruction& in) {
  const Operand& operand = in.operands[0];
  if (operand.dimensions == 0) return;
  if (operand.index[0] < 32) stage.streams |= 1U << operand.index[0];
  if (operand.type == OperandType::stream && operand.index[0] < kStreams) stage.stream = static_cast<std::uint8_t>(operand.index[0]);
}
inline void set_topology(StageDeclarations& stage, const Instruction& in) {
  read(in, stage.last_topology);
  stage.topologies.resize(std::max<std::size_t>(stage.topologies.size(), stage.stream + std::size_t{1}));
  stage.topologies[stage.stream] = stage.last_topology;
}

}  // namespace stage_rows

struct StageDeclaration {
  Opcode opcode;
  void (*set)(StageDeclarations& stage, const Instruction& in);
  bool is_repeated;               ///< for each stream or phase; else there must be one at most
  Stages needed = 0;              ///< whose programs must have it
  std::string_view counted = {};  ///< what it is the number of, if that has limits
  std::uint32_t least = 0;
  std::uint32_t most = 0;
};

namespace stage_rows {

using S = StageDeclarations;
inline constexpr bool once = false;
inline constexpr bool each = true;
inline constexpr StageDeclaration kStageDeclarations[] = {
    {Opcode::dcl_globalFlags, set<&S::global_flags>, once},
    {Opcode::dcl_thread_group, set<&S::thread_group>, once, kCompute},
    {Opcode::dcl_inputprimitive, set<&S::input_primitive>, once, kGeometry},
    {Opcode::dcl_stream, set_stream, each},
    {Opcode::dcl_outputtopology, set_topology, each},
    {Opcode::dcl_maxout, set<&S::max_vertices>, once, kGeometry, "vertices", 1, kMaxVertices},
    {Opcode::dcl_gsinstances, set<&S::instances>, once, 0, "instances", 1, kMaxInstances},
    {Opcode::dcl_input_control_point_count, set<&S::input_points>, once, kHull, "control points", 1, kControlPoints},
    {Opcode::dcl_output_control_point_count, set<&S::output_points>, once, kHull, "control points", 0, kControlPoints},
    {Opcode::dcl_tessellator_domain, set<&S::domain>, once, kHull | kDomain},
    {Opcode::dcl_tessellator_partitioning, set<&S::partitioning>, once, kHull},
    {Opcode::dcl_tessellator_output_primitive, set<&S::tessellator_output>, once, kHull},
    {Opcode::dcl_hs_max_tessfactor, set<&S::max_tess_factor>, once},
    {Opcode::dcl_hs_fork_phase_instance_count, set<&S::phase_instances>, each, 0, "instances", 1, kPhaseInstances},
    {Opcode::dcl_hs_join_phase_instance_count, set<&S::phase_instances>, each, 0, "instances", 1, kPhaseInstances},
};

}  // namespace stage_rows
using stage_rows::kStageDeclarations;

/// The row of an opcode, or null.
constexpr const StageDeclaration* find_stage_declaration(Opcode opcode) {
  for (const StageDeclaration& row : kStageDeclarations)
    if (row.opcode == opcode) return &row;
  return nullptr;
}

/// Takes in what an instruction declares of the program as a whole; false if it is no such declaration.
inline bool declare(StageDeclarations& stage, const Instruction& in) {
  if (in.info == nullptr || in.info->counted != Counted::dcl) return false;
  const StageDeclaration* const row = find_stage_declaration(in.opcode());
  if (row != nullptr) row->set(stage, in);
  return row != nullptr;
}

}  // namespace unshade::dxbc::program
