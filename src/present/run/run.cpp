#include <unshade/present/run/run.hpp>

#include <unshade/present/schemas.hpp>
#include <unshade/present/value.hpp>

namespace unshade::present {

void write_run(const Value& result, Json& json) {
  begin_document(Schema::run, json);
  for (const Value::Member& member : *result.as_map()) {
    json.key(member.key);
    write_value(member.value, json);
  }
  end_document(json);
}

void write_step(const Value& step, Json& json) {
  write_value(step, json);
  json.finish();
}

}  // namespace unshade::present
