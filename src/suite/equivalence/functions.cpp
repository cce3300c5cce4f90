#include "suite/equivalence/functions.hpp"

#include <algorithm>
#include <string>

#include <unshade/core/stage.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/hull.hpp>
#include <unshade/run/inputs.hpp>
#include <unshade/run/names.hpp>
#include <unshade/run/run.hpp>

namespace unshade::suite::equivalence {

std::vector<FunctionPair> functions_of(const Subject& a, const Subject& b) {
  const ir::Module& first = a.shader.module();
  const ir::Module& second = b.shader.module();
  const std::size_t of_a = first.functions.size(), of_b = second.functions.size();
  if (first.stage != Stage::hull || of_a == 0 || of_b == 0) return {{}};
  const bool has_own_a = ir::has_patch_constant_function(first), has_own_b = ir::has_patch_constant_function(second);
  if (has_own_a != has_own_b) {
    const FunctionPair constants{has_own_a ? of_a - 1 : 0, has_own_b ? of_b - 1 : 0, false, true, true};
    if ((has_own_a ? of_a : of_b) == 1) return {constants};
    return {{0, 0, true, false}, constants};
  }
  if (of_a != of_b) return {{of_a - 1, of_b - 1}};
  return of_a == 1 ? std::vector<FunctionPair>{{}} : std::vector<FunctionPair>{{}, {1, 1}};
}

void give_first_point(Value& given, const Subject& subject) {
  const auto lanes = std::ranges::find(*given.as_map(), "lanes", &Value::Member::key);
  if (lanes == given.as_map()->end() || lanes->value.as_list() == nullptr) return;
  const auto& inputs = subject.shader.module().signatures.input;
  const auto is_number = [&](const Value::Member& one) {
    return run::builtin_named(one.key, Stage::hull, subject.shader.reflection()) == ir::Builtin::control_point_id;
  };
  for (Value& lane : *lanes->value.as_list()) {
    if (lane.as_map() == nullptr) continue;
    Value::Map& members = *lane.as_map();
    std::erase_if(members, [&](const Value::Member& one) { return is_number(one) && !run::is_input(inputs, one.key); });
    auto built_ins = std::ranges::find(members, run::kBuiltIns, &Value::Member::key);
    if (built_ins == members.end()) built_ins = members.insert(built_ins, {std::string(run::kBuiltIns), Value::map(), 0});
    if (built_ins->value.as_map() == nullptr) continue;
    std::erase_if(*built_ins->value.as_map(), is_number);
    built_ins->value.add(ir::info(ir::Builtin::control_point_id).text, Value::integer(0));
  }
}

void set_function(Value& inputs, std::size_t number) {
  if (number != 0) inputs.add("function", Value::integer(number));
}

}  // namespace unshade::suite::equivalence
