// What has to hold of the trees of functions.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/structure.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

namespace {

using ir::Op;
using ir::Type;

/// A function with any edges, but to its entry: of each block a byte for their number, and one for each with its distance.
ir::Module module_of_edges(View file) {
  constexpr std::size_t kMostBlocks = 1024;
  const auto count = static_cast<std::uint32_t>(std::min(file.size() / 2 + 2, kMostBlocks));
  std::size_t at = 0;
  const auto next = [&] { return at < file.size() ? std::to_integer<unsigned>(file.bytes()[at++]) : 0U; };
  ir::Module module;
  module.stage = Stage::compute;
  module.variables.push_back({"out", ir::Space::group, 0, 4, {}});
  ir::Function& function = module.functions.emplace_back();
  ir::Builder builder(function);
  ir::SsaVariables variables(builder);
  const std::uint32_t variable = variables.declare(Type::i32);
  for (std::uint32_t block = 0; block < count; ++block) builder.block();
  for (std::uint32_t block = 0; block < count; ++block) {
    builder.at(block);
    const unsigned byte = next();
    if (byte & 0x80) builder.inst(Op::store, Type::i32, {builder.i32(0), variables.read(variable)}, {.extra = 0});
    if (byte & 0x40) variables.write(variable, builder.inst(Op::iadd, Type::i32, {variables.read(variable), builder.i32(block)}));
    const auto target = [&] {
      const auto distance = static_cast<std::int8_t>(next());
      return static_cast<std::uint32_t>(std::clamp<std::int64_t>(std::int64_t{block} + distance, 1, count - 1));
    };
    const unsigned edges = byte & 7;
    if (edges == 0) {
      builder.return_values();
    } else if (edges == 1) {
      builder.jump(target());
    } else if (edges < 5) {
      const auto yes = target(), no = target();
      builder.branch(builder.inst(Op::ieq, Type::i32, {variables.read(variable), builder.i32(block)}), yes, no);
    } else {
      std::vector<std::uint32_t> cases;
      for (std::uint32_t label = 1; label < edges; ++label) cases.insert(cases.end(), {builder.i32(label), target()});
      builder.switch_on(variables.read(variable), target(), cases);
    }
  }
  variables.finish();
  return module;
}

bool has_calls(const ir::Module& module) {
  return std::ranges::any_of(module.functions, [](const ir::Function& function) {
    return std::ranges::any_of(function.insts, [](const ir::Inst& inst) { return inst.op == Op::call; });
  });
}

std::string fault_of(ir::Module module, std::size_t size) {
  for (const ir::Function& function : module.functions) {
    const auto tree = ir::structure_of(function);
    if (tree.has_value() == function.irreducible) return "a tree of an irreducible function, or none of another";
    if (!tree) continue;
    for (const Diagnostic& finding : ir::findings_of(function, *tree)) return to_string(finding);
  }
  auto valid = ir::verified(std::move(module));
  if (!valid) return to_string(valid.error());
  const auto made = ir::structured(*std::move(valid));
  if (!made) return made.error().path.empty() ? "an error that names no function" : std::string();
  for (const Diagnostic& finding : ir::findings_of(*made->module)) return to_string(finding);
  for (std::size_t at = 0; at < made->trees.size(); ++at) {
    for (const Diagnostic& finding : ir::findings_of(made->module->functions[at], made->trees[at])) return to_string(finding);
  }
  return ir::print(*made).size() > 8 * (size * kTextPerByte + kTextBase) ? "a text out of proportion" : std::string();
}

}  // namespace

std::string structure(View file) {
  auto module = ir::parse(file.text());
  const bool is_text = module && !has_errors(ir::findings_of(*module)) && !has_calls(*module);
  if (!is_text) module = module_of_edges(file);
  ir::canonicalize(*module);
  return fault_of(*std::move(module), file.size());
}

}  // namespace unshade::fuzz
