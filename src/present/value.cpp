#include <unshade/present/value.hpp>

namespace unshade::present {

void write_value(const Value& value, Json& json) {
  switch (value.kind()) {
    case Value::Kind::null: json.null(); break;
    case Value::Kind::boolean: json.boolean(*value.as_boolean()); break;
    case Value::Kind::integer: {
      const Integer& integer = *value.as_integer();
      if (integer.negative) {
        json.number_signed(static_cast<std::int64_t>(~integer.magnitude + 1));
      } else {
        json.number(integer.magnitude);
      }
      break;
    }
    case Value::Kind::real: {
      const Real& real = *value.as_real();
      if (real.single) {
        json.real(real.narrow);
      } else {
        json.real(real.wide);
      }
      break;
    }
    case Value::Kind::text: json.string(*value.as_text()); break;
    case Value::Kind::bytes: {
      Text text(2 * value.as_bytes()->size() + 1);
      append_hex(text, *value.as_bytes());
      json.string(text.view());
      break;
    }
    case Value::Kind::list:
      json.begin_array();
      for (const Value& element : *value.as_list()) write_value(element, json);
      json.end_array();
      break;
    case Value::Kind::map:
      json.begin_object();
      for (const auto& member : *value.as_map()) {
        json.key(member.key);
        write_value(member.value, json);
      }
      json.end_object();
      break;
  }
}

}  // namespace unshade::present
