// Where a session of stepping is, as JSON.
#pragma once

#include <unshade/present/json.hpp>
#include <unshade/run/session.hpp>

namespace unshade::present {

/// docs/reference/json/session.schema.json has its shape.
void write_session(const run::Session& session, Json& json);

}  // namespace unshade::present
