#include "present/graph/names.hpp"

#include <algorithm>

namespace unshade::present::graph {

namespace {

constexpr std::size_t kLongestLabel = 24;

std::string counted(std::size_t count, const char* what) { return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s"); }

}  // namespace

std::string block_title(const shader::FlowBlock& block, const GraphBlock& shown) {
  std::string title = "B" + std::to_string(shown.number);
  if (!block.name.empty())
    title += "  " + (block.name.size() <= 2 * kLongestLabel ? block.name : block.name.substr(0, 2 * kLongestLabel) + "...");
  if (block.lines == 1) title += "  line " + std::to_string(block.line);
  if (block.lines > 1) title += "  lines " + std::to_string(block.line) + '-' + std::to_string(block.line + block.lines - 1);
  if (shown.folded != 0) title += "  and " + counted(shown.folded, "block");
  return title;
}

std::string edge_label(const shader::FlowEdge& edge) {
  if (edge.kind == shader::FlowKind::next) return {};
  std::string label(shader::id(edge.kind));
  if (edge.kind == shader::FlowKind::case_)
    label += ' ' + (edge.label.size() <= kLongestLabel ? edge.label : edge.label.substr(0, kLongestLabel - 3) + "...");
  return label;
}

std::string counts_of(const GraphView& view) {
  const auto regions = view.nesting.regions();
  const auto loops =
      static_cast<std::size_t>(std::count_if(regions.begin(), regions.end(), [](const auto& region) { return region.is_loop; }));
  std::string counts = counted(view.function.blocks.size(), "block") + ", " + counted(view.function.edges.size(), "edge");
  if (loops != 0) counts += ", " + counted(loops, "loop");
  if (!view.nesting.regular()) counts += ", irregular";
  return counts;
}

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace unshade::present::graph
