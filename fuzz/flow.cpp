// Control flow and its drawings.
#include <algorithm>
#include <string>

#include <unshade/core/text.hpp>
#include <unshade/present/graph/graph.hpp>
#include <unshade/shader/flow.hpp>
#include <unshade/shader/shader.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

namespace {

std::string fault_of_function(const shader::FlowFunction& function, std::size_t lines, View file) {
  if (function.blocks.empty()) return "a function without blocks";
  for (const shader::FlowBlock& block : function.blocks) {
    if (block.lines == 0) continue;
    if (block.line == 0 || block.line > lines || block.lines > lines - block.line + 1) return "a block beyond the listing";
    if (block.offset > file.size() || block.size > file.size() - block.offset) return "a block beyond the file";
  }
  std::uint32_t from = 0;
  for (const shader::FlowEdge& edge : function.edges) {
    if (edge.from >= function.blocks.size() || edge.to >= function.blocks.size()) return "an edge to no block";
    if (edge.from < from) return "edges that are not sorted";
    from = edge.from;
  }
  return {};
}

std::string fault_of_drawing(const present::GraphView& view) {
  const present::Layout& layout = view.layout;
  if (layout.nodes.size() != view.blocks.size() || layout.edges.size() != view.function.edges.size()) return "a drawing of something else";
  for (const present::LayoutBox& box : layout.nodes)
    if (box.x < 0 || box.y < 0 || box.x + box.width > layout.width || box.y + box.height > layout.height)
      return "a box outside of its drawing";
  for (std::size_t e = 0; e < layout.edges.size(); ++e) {
    const auto way = view.nesting.way(view.function.edges[e].from, view.function.edges[e].to);
    if (layout.edges[e].regular != (way != Nesting::Way::irregular)) return "a regular edge that is not drawn as one";
    if (layout.edges[e].points.size() < 2) return "an edge without a line";
  }
  return {};
}

}  // namespace

std::string control_flow(View file) {
  const auto opened = shader::open(file);
  if (!opened) return {};
  Text listing;
  const auto flow = shader::control_flow(*opened, listing);
  if (!flow) return flow.error().message.empty() ? "an error that says nothing" : std::string();
  const std::string_view text = listing.view();
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  std::vector<present::GraphView> views;
  for (const shader::FlowFunction& function : flow->functions) {
    if (auto fault = fault_of_function(function, lines, file); !fault.empty()) return fault;
    auto view = present::view_graph(function, text);
    if (!view) {
      if (view.error().code != ErrorCode::limit) return "a drawing refused: " + to_string(view.error());
      continue;
    }
    if (auto fault = fault_of_drawing(*view); !fault.empty()) return fault;
    views.push_back(*std::move(view));
  }
  present::MemoryStream json_text;
  present::Printer printer(json_text, false);
  present::Json json(printer, present::Json::Layout::compact);
  present::write_graph({"file", "any"}, views, json);
  Text outline, dot;
  present::print_graph_outline(views, outline);
  present::print_graph_dot({"file", "any"}, views, dot);
  if (outline.size() + dot.size() > 4 * (kTextPerByte * file.size() + kTextBase)) return "texts out of proportion";
  return {};
}

}  // namespace unshade::fuzz
