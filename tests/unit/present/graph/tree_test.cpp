#include "present/graph/tree.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/present/printer.hpp>

namespace unshade::present {
namespace {

using shader::FlowEdge;
using shader::FlowFunction;
using shader::FlowKind;

std::string tree_of(std::uint32_t blocks, std::vector<FlowEdge> edges) {
  FlowFunction function;
  function.blocks.resize(blocks);
  function.edges = std::move(edges);
  MemoryStream stream;
  Printer printer(stream, false);
  Json json(printer, Json::Layout::compact);
  graph::write_tree(function, json);
  printer.flush();
  // a node a line
  std::string text;
  for (const char c : stream.text) {
    text += c;
    if (c == '}') text += '\n';
  }
  return text;
}

TEST(GraphTree, LoopWithASwitch) {
  EXPECT_EQ(tree_of(6, {{0, 1, FlowKind::taken, ""},
                        {0, 5, FlowKind::not_taken, ""},
                        {1, 2, FlowKind::case_, "1, 2"},
                        {1, 3, FlowKind::case_, "7"},
                        {1, 4, FlowKind::default_, ""},
                        {2, 4, FlowKind::next, ""},
                        {3, 0, FlowKind::next, ""},
                        {4, 0, FlowKind::next, ""}}),
            R"([{"kind":"loop","block":0,"parent":null,"target":null,"labels":[]}
,{"kind":"block","block":0,"parent":0,"target":null,"labels":[]}
,{"kind":"if","block":0,"parent":0,"target":null,"labels":[]}
,{"kind":"else","block":null,"parent":2,"target":null,"labels":[]}
,{"kind":"break","block":5,"parent":3,"target":0,"labels":[]}
,{"kind":"block","block":1,"parent":0,"target":null,"labels":[]}
,{"kind":"switch","block":1,"parent":0,"target":null,"labels":[]}
,{"kind":"case","block":2,"parent":6,"target":null,"labels":["1, 2"]}
,{"kind":"block","block":2,"parent":7,"target":null,"labels":[]}
,{"kind":"case","block":3,"parent":6,"target":null,"labels":["7"]}
,{"kind":"block","block":3,"parent":9,"target":null,"labels":[]}
,{"kind":"continue","block":0,"parent":9,"target":0,"labels":[]}
,{"kind":"case","block":4,"parent":6,"target":null,"labels":["default"]}
,{"kind":"block","block":4,"parent":0,"target":null,"labels":[]}
,{"kind":"block","block":5,"parent":null,"target":null,"labels":[]}
,{"kind":"return","block":5,"parent":null,"target":null,"labels":[]}
])");
}

TEST(GraphTree, IrreducibleFunctionsHaveNone) {
  EXPECT_EQ(
      tree_of(3, {{0, 1, FlowKind::taken, ""}, {0, 2, FlowKind::not_taken, ""}, {1, 2, FlowKind::next, ""}, {2, 1, FlowKind::next, ""}}),
      "null");
}

// What cannot be reached is left out.
TEST(GraphTree, UnreachableBlocks) {
  EXPECT_EQ(tree_of(3, {{0, 2, FlowKind::next, ""}, {1, 2, FlowKind::next, ""}}),
            R"([{"kind":"block","block":0,"parent":null,"target":null,"labels":[]}
,{"kind":"block","block":2,"parent":null,"target":null,"labels":[]}
,{"kind":"return","block":2,"parent":null,"target":null,"labels":[]}
])");
}

}  // namespace
}  // namespace unshade::present
