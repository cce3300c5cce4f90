// What has to hold of the IR's text form, and of passes over any module.
#include <algorithm>
#include <string>

#include <unshade/core/diagnostic.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

namespace {

bool has_calls(const ir::Module& module) {
  return std::ranges::any_of(module.functions, [](const ir::Function& function) {
    return std::ranges::any_of(function.insts, [](const ir::Inst& inst) { return inst.op == ir::Op::call; });
  });
}

std::string printed_again(const ir::Module& module, std::size_t size) {
  const std::string text = ir::print(module);
  if (text.size() > size * kTextPerByte + kTextBase) return "a text out of proportion";
  const auto again = ir::parse(text);
  if (!again) return "the text of a module is refused: " + to_string(again.error());
  return ir::print(*again) == text ? std::string() : "the text of a module makes another";
}

}  // namespace

std::string ir_text(View file) {
  auto module = ir::parse(file.text());
  if (!module) {
    const bool has_place = module.error().offset <= file.size() && module.error().path.find(':') != std::string::npos;
    return has_place ? std::string() : "an error without a place";
  }
  if (auto fault = printed_again(*module, file.size()); !fault.empty()) return fault;
  // calls in calls grow to the limit, which is out of proportion to the text
  if (has_calls(*module)) return {};
  for (const ir::Pass& pass : ir::all_passes()) {
    ir::Module made = *module;
    if (ir::unfit_for(pass, made)) continue;
    (void)pass.run(made);
    for (const Diagnostic& finding : ir::findings_of(made)) return std::string(pass.name) + " alone: " + to_string(finding);
  }
  if (has_errors(ir::findings_of(*module))) return {};
  ir::canonicalize(*module);
  for (const ir::Pass* pass : ir::optimizing_passes()) {
    (void)pass->run(*module);
    for (const Diagnostic& finding : ir::findings_of(*module)) return std::string(pass->name) + ": " + to_string(finding);
  }
  for (const ir::Function& function : module->functions) ir::find_divergence(*module, function);
  return printed_again(*module, file.size());
}

}  // namespace unshade::fuzz
