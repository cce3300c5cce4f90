// Control flow as a picture (SVG), as text for Graphviz (DOT), as JSON with the places of boxes and lines, and as an outline.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/nesting.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/present/graph/layout.hpp>
#include <unshade/present/json.hpp>
#include <unshade/shader/flow.hpp>

namespace unshade::present {

struct GraphOptions {
  std::uint32_t lines = 40;            ///< of a block's text at most; what is left out is counted. 0: all
  std::uint32_t columns = 100;         ///< of a line
  std::vector<std::string> functions;  ///< only those of these names; empty: all
  /// Of one function: blocks whose region is drawn as one, which is the loop of a header, or the arms of a branch.
  std::vector<std::uint32_t> folded;
};

/// A block as it is drawn.
struct GraphBlock {
  std::uint32_t number = 0;       ///< in the function
  std::uint32_t folded = 0;       ///< further blocks that it stands for
  std::vector<std::string> text;  ///< of the listing, without what indents all of it
};

/// A function made ready to be drawn.
struct GraphView {
  shader::FlowFunction function;  ///< without what is folded
  std::vector<GraphBlock> blocks;
  Nesting nesting;
  Layout layout;
};

/// `listing`: what control_flow() appended. Errors: missing for blocks to fold that are no head of a region; limit, see lay_out().
Result<GraphView> view_graph(const shader::FlowFunction& function, std::string_view listing, const GraphOptions& options = {});

/// Those of a shader that the options name. Errors: as of view_graph(); missing for a name that no function has; bad_value for blocks to
/// fold in several functions.
Result<std::vector<GraphView>> view_graphs(const shader::Flow& flow, std::string_view listing, const GraphOptions& options = {});

/// Those of a shader, with their lines as such options list them. Errors: those of shader::control_flow() too.
Result<std::vector<GraphView>> view_graphs(const shader::Shader& shader, const GraphOptions& options = {},
                                           const shader::ListingOptions& listing = {});

/// What heads the pictures: `textured.dxbc`.
struct GraphTitle {
  std::string_view file;
  std::string_view family;
};
/// A picture that stands for itself: colours of light and dark screens, and names for screen readers.
void print_graph_svg(const GraphTitle& title, std::span<const GraphView> functions, Text& out);
/// One digraph, a cluster for each function.
void print_graph_dot(const GraphTitle& title, std::span<const GraphView> functions, Text& out);
/// Blocks by their nesting, a line each.
void print_graph_outline(std::span<const GraphView> functions, Text& out);
/// One file's object; docs/reference/json/graph.schema.json has its shape.
void write_graph(const GraphTitle& title, std::span<const GraphView> functions, Json& json);

}  // namespace unshade::present
