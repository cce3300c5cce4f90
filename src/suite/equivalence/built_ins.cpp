#include "suite/equivalence/built_ins.hpp"

#include <algorithm>

namespace unshade::suite::equivalence {

Value position(std::uint32_t lane, Numbers& numbers) {
  Value list = Value::list();
  list.push(Value::real(static_cast<float>(lane % 2 + lane / 4 % 4 * 2) + 0.5F));
  list.push(Value::real(static_cast<float>(lane / 2 % 2 + lane / 16 * 2) + 0.5F));
  list.push(Value::real(static_cast<float>(numbers.unit())));
  list.push(Value::real(1.0F));
  return list;
}

Value built_in(ir::Builtin builtin, std::uint32_t lane, Numbers& numbers) {
  using B = ir::Builtin;
  switch (builtin) {
    case B::vertex_id: return Value::integer(lane);
    case B::position: return position(lane, numbers);
    case B::front_face: return Value::boolean(numbers.below(2) != 0);
    case B::coverage: return Value::integer(numbers.below(16));
    case B::inner_coverage: return Value::integer(numbers.below(2));
    case B::instance_id:
    case B::base_vertex:
    case B::base_instance:
    case B::draw_index:
    case B::primitive_id:
    case B::control_point_id:
    case B::gs_instance_id:
    case B::sample_index:
    case B::render_target_array_index:
    case B::viewport_array_index:
    case B::device_index:
    case B::view_id: return Value::integer(numbers.below(4));
    // src: Direct3D 12 variable-rate shading: from 1 by 1 to 4 by 4 pixels; the flags of SPIR-V are the same bits
    case B::shading_rate: {
      const std::uint32_t x = numbers.below(3);
      return Value::integer(x << 2 | numbers.below(3));
    }
    case B::domain_location:
    case B::sample_location:
    case B::point_coord:
    case B::barycentrics:
    case B::barycentrics_linear: {
      Value list = Value::list();
      for (unsigned k = 0; k < ir::info(builtin).components; ++k) list.push(Value::real(static_cast<float>(numbers.unit())));
      return list;
    }
    default: return {};
  }
}

Value as_row(const Value& built_in) {
  const bool* const truth = built_in.as_boolean();
  if (truth != nullptr) return Value::list({Value::integer(*truth ? 0xffff'ffffU : 0U)});
  return built_in.as_list() != nullptr ? built_in : Value::list({built_in});
}

Value as_built_in(ir::Builtin builtin, std::span<const Value* const> row) {
  const ir::BuiltinInfo& info = ir::info(builtin);
  if (row.empty()) return {};
  if (info.type == ir::Type::b1) {
    const Integer* const whole = row.front()->as_integer();
    return whole == nullptr ? *row.front() : Value::boolean(whole->magnitude != 0);
  }
  if (info.components == 1) return *row.front();
  Value list = Value::list();
  for (const Value* const one : row.first(std::min<std::size_t>(row.size(), info.components))) list.push(*one);
  return list;
}

}  // namespace unshade::suite::equivalence
