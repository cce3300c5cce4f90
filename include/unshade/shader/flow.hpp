// Control flow of a shader, as its listing shows it: functions, their basic blocks with the lines and bytes of each, and the edges between.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/graph.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

/// When an edge is taken.
enum class FlowKind : std::uint8_t {
  next,   ///< always
  taken,  ///< the condition of the block's last instruction holds
  not_taken,
  case_,  ///< the value of a switch is that of the label
  default_,
};
/// `next`, `true`, `false`, `case`, `default`.
std::string_view id(FlowKind kind);

/// One edge from a block to another: what goes to one block by several labels of a switch has them all.
struct FlowEdge {
  std::uint32_t from = 0, to = 0;  ///< in FlowFunction::blocks
  FlowKind kind = FlowKind::next;
  std::string label;  ///< of a case, its values: `3, 4`; else empty
};

/// How a block ends.
enum class FlowEnd : std::uint8_t {
  next,         ///< goes on to one block
  branch,       ///< chooses
  return_,      ///< leaves the function, or ends the shader
  unreachable,  ///< never gets there, as the file says
  outside,      ///< jumps to an address that is not in the function
};
/// `next`, `branch`, `return`, `unreachable`, `outside`.
std::string_view id(FlowEnd end);

struct FlowBlock {
  std::string name;        ///< as the listing calls it: `%13`, `label_4`; or empty
  std::uint32_t line = 0;  ///< of the listing, from 1; 0 and no lines if nothing is printed of the block
  std::uint32_t lines = 0;
  std::uint64_t offset = 0;  ///< of its first instruction, bytes from the start of the file
  std::uint64_t size = 0;    ///< bytes up to the end of its last instruction
  std::uint32_t instructions = 0;
  FlowEnd end = FlowEnd::next;
};

/// A function, procedure or phase. Block 0 is its entry.
struct FlowFunction {
  std::string name;   ///< as the listing calls it: `main`, `hs_fork_phase 2`, `label l0`
  std::string stage;  ///< of a file with several programs, the one that it is part of; or empty
  std::vector<FlowBlock> blocks;
  std::vector<FlowEdge> edges;  ///< by block, in the order of its last instruction
};

struct Flow {
  std::vector<FlowFunction> functions;  ///< in the order of the listing, those without code left out
};

/// The edges alone; blocks keep their numbers.
Graph graph_of(const FlowFunction& function);

/// Appends the listing to `text`, whose lines the blocks name, and returns its control flow. Of `options`, `origins` must be null.
/// Errors: those of disassemble(); missing if the file has no program; unsupported for effects and for listings of bitcode; bad_value for
/// structured code whose ends do not match its beginnings.
Result<Flow> control_flow(const Shader& shader, Text& text, const ListingOptions& options = {});

/// The lines, from 1, on which a listing and its control flow have the instructions that stepped_lines() gives, by ir::Source::instruction;
/// 0 of those that are not found.
std::vector<std::uint32_t> lines_in_listing(Family family, std::string_view listing, const Flow& flow, const SteppedLines& stepped);

}  // namespace unshade::shader
