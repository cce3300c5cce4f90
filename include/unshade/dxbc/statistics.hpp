// STAT of a DXBC container: what the compiler counted. In a DXIL container the part of this name holds a module instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>

namespace unshade::dxbc {

using dxcontainer::InputPrimitive;
using dxcontainer::OutputTopology;
using dxcontainer::TessellatorDomain;
using dxcontainer::TessellatorOutput;
using dxcontainer::TessellatorPartitioning;

/// The parsed part, its fields in the order of the file.
struct Statistics {
  std::uint32_t instruction_count = 0;
  std::uint32_t temp_register_count = 0;
  std::uint32_t define_count = 0;
  std::uint32_t declaration_count = 0;
  std::uint32_t float_instruction_count = 0;
  std::uint32_t int_instruction_count = 0;
  std::uint32_t uint_instruction_count = 0;
  std::uint32_t static_flow_control_count = 0;
  std::uint32_t dynamic_flow_control_count = 0;
  std::uint32_t macro_instruction_count = 0;  ///< 0 in every file seen
  std::uint32_t temp_array_count = 0;
  std::uint32_t array_instruction_count = 0;
  std::uint32_t cut_instruction_count = 0;
  std::uint32_t emit_instruction_count = 0;
  std::uint32_t texture_normal_instructions = 0;
  std::uint32_t texture_load_instructions = 0;
  std::uint32_t texture_comparison_instructions = 0;
  std::uint32_t texture_bias_instructions = 0;
  std::uint32_t texture_gradient_instructions = 0;
  std::uint32_t mov_instruction_count = 0;
  std::uint32_t movc_instruction_count = 0;
  std::uint32_t conversion_instruction_count = 0;
  std::uint32_t bitwise_instruction_count = 0;  ///< guess, by its place among the counts; 0 in every file seen
  InputPrimitive input_primitive = InputPrimitive::undefined;
  OutputTopology output_topology = OutputTopology::undefined;
  std::uint32_t max_output_vertex_count = 0;
  std::uint32_t texture_gather_instructions = 0;
  std::uint32_t texture_lod_instructions = 0;
  std::uint32_t sample_frequency = 0;  ///< 1: a pixel shader that runs once for each sample
  // 29 fields so far; shader model 5 and newer compilers add eight
  bool is_long = false;
  std::uint32_t instance_count = 0;  ///< of a geometry shader
  std::uint32_t control_point_count = 0;
  TessellatorOutput tessellator_output = TessellatorOutput::undefined;
  TessellatorPartitioning tessellator_partitioning = TessellatorPartitioning::undefined;
  TessellatorDomain tessellator_domain = TessellatorDomain::undefined;
  std::uint32_t barrier_instructions = 0;
  std::uint32_t interlocked_instructions = 0;
  std::uint32_t texture_store_instructions = 0;
};

/// Bytes of the longer of two sizes.
inline constexpr std::size_t kLongStatisticsBytes = 4 * 37;

/// Reads the part; what follows the known fields is left alone. Errors: truncated.
Result<Statistics> parse_statistics(const dxcontainer::Part& part);
/// Adds the part's fields to a tree.
void record_statistics(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);
/// The part's data, in the size the model asks for.
std::vector<std::byte> write_statistics(const Statistics& statistics);

}  // namespace unshade::dxbc
