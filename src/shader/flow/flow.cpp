#include "shader/flow/flow.hpp"

#include <algorithm>
#include <utility>

namespace unshade::shader::flow {

Lines::Lines(std::string_view text, std::size_t start, TextOrigins origins) : text_(text), origins_(std::move(origins)) {
  for (TextOrigin& origin : origins_) origin.text -= start;
  for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size()) + 1) begins_.push_back(at);
  lines_of_origins_.reserve(origins_.size());
  std::size_t line = 0;
  for (const TextOrigin& origin : origins_) {
    while (line + 1 < begins_.size() && begins_[line + 1] <= origin.text) ++line;
    lines_of_origins_.push_back(static_cast<std::uint32_t>(line));
  }
}

void Lines::place(FlowBlock& block, std::size_t first, std::size_t last) const {
  block.line = line_of(first) + 1;
  block.lines = line_of(last) - line_of(first) + 1;
  block.offset = origins_[first].offset;
  std::uint64_t end = block.offset;
  for (std::size_t k = first; k <= last; ++k) end = std::max(end, origins_[k].offset + origins_[k].size);
  block.size = end - block.offset;
}

void arrange_edges(FlowFunction& function) {
  std::vector<FlowEdge>& edges = function.edges;
  std::stable_sort(edges.begin(), edges.end(), [](const FlowEdge& a, const FlowEdge& b) { return a.from < b.from; });
  // The edge of a case to each block, if it is one of the same switch.
  std::vector<std::size_t> cases(function.blocks.size(), edges.size());
  std::size_t kept = 0;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    if (edges[k].kind == FlowKind::case_) {
      std::size_t& place = cases[edges[k].to];
      if (place < kept && edges[place].from == edges[k].from && edges[place].to == edges[k].to) {
        edges[place].label += ", " + edges[k].label;
        continue;
      }
      place = kept;
    }
    if (kept != k) edges[kept] = std::move(edges[k]);
    ++kept;
  }
  edges.resize(kept);
}

}  // namespace unshade::shader::flow

namespace unshade::shader {

std::string_view id(FlowKind kind) {
  switch (kind) {
    case FlowKind::next: return "next";
    case FlowKind::taken: return "true";
    case FlowKind::not_taken: return "false";
    case FlowKind::case_: return "case";
    case FlowKind::default_: return "default";
  }
  return {};
}

std::string_view id(FlowEnd end) {
  switch (end) {
    case FlowEnd::next: return "next";
    case FlowEnd::branch: return "branch";
    case FlowEnd::return_: return "return";
    case FlowEnd::unreachable: return "unreachable";
    case FlowEnd::outside: return "outside";
  }
  return {};
}

Graph graph_of(const FlowFunction& function) {
  Graph graph;
  graph.build(static_cast<std::uint32_t>(function.blocks.size()), [&](auto&& add) {
    for (const FlowEdge& edge : function.edges) add(edge.from, edge.to);
  });
  return graph;
}

Result<Flow> control_flow(const Shader& shader, Text& text, const ListingOptions& options) {
  const auto unsupported = [&](const char* why) { return Error{ErrorCode::unsupported, shader.file.file_offset(), "file", why}; };
  if (options.bitcode) return unsupported("the records of a bitstream have no control flow");
  if (shader.container() != nullptr && shader.container()->find(dxcontainer::fourcc("FX10")) != nullptr)
    return unsupported("an effect has many programs: extract its shaders first");
  TextOrigins origins;
  ListingOptions how = options;
  how.origins = &origins;
  const std::size_t start = text.size();
  if (auto done = disassemble(shader, text, how); !done) return std::move(done).error();
  const flow::Lines lines(text.view().substr(start), start, std::move(origins));
  Flow made;
  Result<void> done;
  switch (shader.family) {
    case Family::dxbc: done = flow::flow_of_dxbc(shader, lines, made); break;
    case Family::dxil: done = flow::flow_of_dxil(shader, lines, made); break;
    case Family::pica: done = flow::flow_of_pica(shader, lines, made); break;
    case Family::spirv:
    case Family::vbc: done = flow::flow_of_spirv(shader, lines, made); break;
    case Family::unknown: break;
  }
  if (!done) return std::move(done).error();
  if (made.functions.empty()) return Error{ErrorCode::missing, shader.file.file_offset(), "file", "the file has no code"};
  for (FlowFunction& function : made.functions) flow::arrange_edges(function);
  return made;
}

}  // namespace unshade::shader
