// Numbers in the result of a run.
#include <limits>

#include "suite/cases/cases.hpp"

namespace unshade::suite::cases {

NumberType number_type(ir::Type type, bool is_signed) {
  using Kind = NumberType::Kind;
  const Kind whole = is_signed ? Kind::sint : Kind::uint;
  switch (type) {
    case ir::Type::b1: return {Kind::boolean, 4};
    case ir::Type::f16: return {Kind::real, 2};
    case ir::Type::f64: return {Kind::real, 8};
    case ir::Type::i64: return {whole, 8};
    case ir::Type::i32: return {whole, 4};
    case ir::Type::i16: return {whole, 2};
    case ir::Type::i8: return {whole, 1};
    default: return {};
  }
}

Number result_number(const Value& value, NumberType type) {
  if (const Real* const real = value.as_real()) return real_number(real->single ? static_cast<double>(real->narrow) : real->wide, type);
  if (const Integer* const whole = value.as_integer()) return whole_number(whole->negative ? 0 - whole->magnitude : whole->magnitude, type);
  if (const bool* const truth = value.as_boolean()) return whole_number(*truth ? 1 : 0, type);
  const std::string* const text = value.as_text();
  const double infinity = std::numeric_limits<double>::infinity();
  return real_number(text == nullptr || *text == "nan" ? std::numeric_limits<double>::quiet_NaN()
                     : *text == "inf"                  ? infinity
                                                       : -infinity,
                     type);
}

bool add_result_numbers(const Value* list, NumberType type, std::vector<Number>& to) {
  if (list == nullptr || list->as_list() == nullptr) return false;
  for (const Value& one : *list->as_list()) to.push_back(result_number(one, type));
  return true;
}

}  // namespace unshade::suite::cases
