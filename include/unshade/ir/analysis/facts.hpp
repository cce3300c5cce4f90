// All that writers of other languages ask about a module, found once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/ir/analysis/phi_webs.hpp>
#include <unshade/ir/analysis/scopes.hpp>
#include <unshade/ir/analysis/types.hpp>
#include <unshade/ir/analysis/uses.hpp>
#include <unshade/ir/analysis/vectors.hpp>
#include <unshade/ir/structure.hpp>

namespace unshade::ir {

struct FunctionFacts {
  Uses uses;
  Writings writings;
  PhiWebs webs;
  Scopes scopes;
  Vectors vectors;
};

/// Of a module with its trees, which it borrows: neither may change or go away before it.
struct Facts {
  explicit Facts(const Structured& structured, const WritingOptions& options = {});

  const Module& module() const { return *of.module; }
  const Structure& tree(std::size_t function) const { return of.trees[function]; }

  const Structured& of;
  std::vector<FunctionFacts> functions;  ///< one for each of the module
  DeclaredTypes types;
};

/// Prints them: docs/internals/ir_analysis.md, "Text".
void print(const Facts& facts, Text& out);
std::string print(const Facts& facts);

}  // namespace unshade::ir
