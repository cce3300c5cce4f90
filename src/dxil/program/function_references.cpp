#include "dxil/program/function_references.hpp"

#include <algorithm>
#include <unordered_map>

#include "dxil/program/part_vocabulary.hpp"

namespace unshade::dxil::program {

bool is_elsewhere(const ProgramQuery& query, const Function& f) {
  const std::string_view name = query.name_of(f);
  return f.body == kNone && f.linkage == Linkage::external && !is_operation_name(name) && !name.starts_with("llvm.");
}

std::vector<FunctionReferences> references_of_functions(const ProgramQuery& query) {
  const Module& m = query.module;
  const auto all = resources_in_order(query.program);
  std::unordered_map<std::uint32_t, std::uint32_t> by_symbol;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (all[i]->symbol != kNone) by_symbol.emplace(all[i]->symbol, i);
  std::vector<FunctionReferences> references(m.functions.size());
  for (const Body& body : m.bodies) {
    FunctionReferences& of = references[body.function];
    for (std::uint32_t k = body.instructions.first; k < body.instructions.end(); ++k)
      for_each_value_operand(m, m.instructions[k], [&](std::size_t, std::uint32_t id) {
        const Value& root = query.constant_root_of(&body, id);
        if (root.kind == ValueKind::global) {
          const auto found = by_symbol.find(m.globals[root.index].value);
          if (found != by_symbol.end()) of.resources.push_back(found->second);
        } else if (root.kind == ValueKind::function && is_elsewhere(query, m.functions[root.index])) {
          of.dependencies.push_back(root.index);
        }
      });
    for (auto* list : {&of.resources, &of.dependencies}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
  }
  return references;
}

}  // namespace unshade::dxil::program
