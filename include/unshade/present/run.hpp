// Results of runs as JSON.
#pragma once

#include <unshade/core/value.hpp>
#include <unshade/present/json.hpp>

namespace unshade::present {

/// The document of a result of run::execute(); docs/reference/json/run.schema.json has its shape.
void write_run(const Value& result, Json& json);

}  // namespace unshade::present
