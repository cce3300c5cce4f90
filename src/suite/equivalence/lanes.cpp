#include "suite/equivalence/lanes.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <unshade/core/stage.hpp>

#include "suite/equivalence/built_ins.hpp"
#include "suite/equivalence/inputs.hpp"

namespace unshade::suite::equivalence {
namespace {

using dxcontainer::SystemValue;
using run::InputKeys;

std::set<ir::Builtin> builtins_of(const ir::Module& module) {
  std::set<ir::Builtin> made;
  for (const ir::Function& function : module.functions)
    for (const ir::Inst& inst : function.insts)
      if (inst.op == ir::Op::builtin) made.insert(ir::BuiltinExtra(inst.extra).builtin);
  return made;
}

}  // namespace

LaneGenerator::LaneGenerator(const Subject& a, const Subject& b, const Pairing& pairing, const Value& given)
    : module_(a.shader.module()),
      pairing_(pairing),
      inputs_(module_.signatures.input),
      outputs_(module_.signatures.output),
      patch_(module_.signatures.patch),
      given_(given),
      of_a_(builtins_of(module_)),
      builtins_(of_a_) {
  builtins_.merge(builtins_of(b.shader.module()));
  for (const auto* const pairs : {&pairing.elements_of_a, &pairing.elements_of_b})
    for (const BuiltInPair& pair : *pairs) builtins_.insert(pair.builtin);
  for (const ir::Builtin builtin : builtins_) {
    const std::string_view name = ir::info(builtin).text;
    const bool is_patch_constant = module_.stage == Stage::domain && run::is_input(module_.signatures.patch, name);
    if (is_patch_constant || run::is_input(module_.signatures.input, name)) shadowed_.insert(builtin);
  }
}

Value LaneGenerator::make(Numbers& numbers) const {
  const Value* const listed = given_.find("lanes");
  const std::uint32_t count = listed != nullptr && listed->as_list() != nullptr && !listed->as_list()->empty()
                                  ? static_cast<std::uint32_t>(std::min<std::size_t>(listed->as_list()->size(), 1024))
                                  : kRandomLanes;
  Value list = Value::list();
  for (std::uint32_t lane = 0; lane < count; ++lane) {
    Value one = Value::map();
    const std::uint32_t vertices = vertices_of_lane();
    if (vertices == 0) {
      add_rows(pairing_.inputs, inputs_, lane, one, numbers);
    } else {
      one.add("vertices", several(pairing_.inputs, inputs_, vertices, lane, numbers));
    }
    if (module_.stage == Stage::domain) {
      Value constants = Value::map();
      add_rows(pairing_.patch, patch_, lane, constants, numbers);
      one.add(run::kPatchConstants, std::move(constants));
    }
    if (module_.stage == Stage::hull && module_.info.output_points != 0)
      one.add("control_points", several(pairing_.outputs, outputs_, module_.info.output_points, lane, numbers));
    add_built_ins(lane, one, numbers);
    list.push(std::move(one));
  }
  return list;
}

void LaneGenerator::add_built_ins(std::uint32_t lane, Value& to, Numbers& numbers) const {
  const bool has_elements = !pairing_.elements_of_a.empty() || !pairing_.elements_of_b.empty();
  Value built_ins = Value::map();  // those whose names inputs have
  for (const ir::Builtin builtin : builtins_) {
    Value value = built_in(builtin, lane, numbers);
    if (value.is(Value::Kind::null)) continue;
    // numbers of vertices and instances are without them in Direct3D, and with them in Vulkan
    if (has_elements && (builtin == ir::Builtin::base_vertex || builtin == ir::Builtin::base_instance)) value = Value::integer(0);
    bool is_element = false;
    for (const BuiltInPair& pair : pairing_.elements_of_a) {
      if (pair.builtin != builtin) continue;
      const Value row = as_row(value);
      std::vector<const Value*> components;
      for (const Value& one : *row.as_list()) components.push_back(&one);
      inputs_.add(pair.row.place, components, to);
      is_element = true;
    }
    if (is_element && !of_a_.contains(builtin)) continue;
    (shadowed_.contains(builtin) ? built_ins : to).add(ir::info(builtin).text, std::move(value));
  }
  if (!built_ins.as_map()->empty()) to.add(run::kBuiltIns, std::move(built_ins));
}

/// Of a primitive or patch that a lane reads; 0 if it reads one set of inputs.
std::uint32_t LaneGenerator::vertices_of_lane() const {
  if (module_.stage == Stage::geometry) return std::max(1U, ir::vertices_of(module_.info.input_primitive));
  return module_.stage == Stage::hull || module_.stage == Stage::domain ? std::max(1U, module_.info.input_points) : 0;
}

Value LaneGenerator::several(const std::vector<RowPair>& rows, const InputKeys& keys, std::uint32_t count, std::uint32_t lane,
                             Numbers& numbers) const {
  Value list = Value::list();
  for (std::uint32_t k = 0; k < count; ++k) {
    Value one = Value::map();
    add_rows(rows, keys, lane, one, numbers);
    list.push(std::move(one));
  }
  return list;
}

void LaneGenerator::add_rows(const std::vector<RowPair>& rows, const InputKeys& keys, std::uint32_t lane, Value& to,
                             Numbers& numbers) const {
  for (auto pair = rows.begin(); pair != rows.end();) {
    const Row& row = pair->a;
    const ir::Element& element = *row.element;
    // the other shader may read more of a row
    std::uint32_t columns = element.columns;
    for (; pair != rows.end() && pair->a.place == row.place; ++pair)
      if (pair->first_a != 0) columns = std::max(columns, pair->first_a + pair->columns);
    const bool is_place = element.system_value == SystemValue::position && module_.stage == Stage::pixel;
    Value components = is_place ? position(lane, numbers) : Value::list();
    for (unsigned k = 0; k < columns && !is_place; ++k) components.push(component(element, lane, numbers));
    std::vector<const Value*> values;
    for (const Value& one : *components.as_list()) values.push_back(&one);
    keys.add(row.place, values, to);
  }
}

Value LaneGenerator::component(const ir::Element& element, std::uint32_t lane, Numbers& numbers) const {
  if (element.system_value == SystemValue::vertex_id) return Value::integer(lane);
  if (element.system_value == SystemValue::is_front_face) return Value::integer(numbers.below(2) == 0 ? 0U : 0xffff'ffffU);
  if (element.system_value != SystemValue::undefined && !ir::is_float(element.type)) return Value::integer(numbers.below(4));
  return numbers.value(cases::number_type(element.type, element.is_signed));
}

}  // namespace unshade::suite::equivalence
