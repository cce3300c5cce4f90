// What blocks, edges and functions of a graph are called in all its forms.
#pragma once

#include <string>
#include <string_view>

#include <unshade/present/graph/graph.hpp>

namespace unshade::present::graph {

/// Of a text in UTF-8.
std::size_t characters_of(std::string_view text);

// Of a block as it is drawn, in pixels.
inline constexpr std::int32_t kLine = 16;
inline constexpr std::int32_t kHead = 20;  ///< above its lines
inline constexpr std::int32_t kPadding = 8;

/// `B3  %13  lines 40-52`
std::string block_title(const shader::FlowBlock& block, const GraphBlock& shown);
/// `true`, `case 3, 4`; empty for an edge that is always taken.
std::string edge_label(const shader::FlowEdge& edge);
/// `9 blocks, 12 edges, 1 loop`
std::string counts_of(const GraphView& view);

}  // namespace unshade::present::graph
