#include <unshade/present/run.hpp>

#include <unshade/present/value.hpp>

namespace unshade::present {

void write_run(const Value& result, Json& json) {
  json.begin_object();
  json.member("schema", "unshade.run/1");
  for (const Value::Member& member : *result.as_map()) {
    json.key(member.key);
    write_value(member.value, json);
  }
  json.end_object();
  json.finish();
}

}  // namespace unshade::present
