// The tree of a listing's control flow: what ir::structure_of() finds for its blocks.
#pragma once

#include <unshade/present/json.hpp>
#include <unshade/shader/flow.hpp>

namespace unshade::present::graph {

/// An array of nodes, each after the one that holds it; null for a function that is irreducible. What cannot be reached is left out.
void write_tree(const shader::FlowFunction& function, Json& json);

}  // namespace unshade::present::graph
