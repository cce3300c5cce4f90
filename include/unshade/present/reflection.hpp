// The reflection as JSON: docs/reference/json/reflect.schema.json.
#pragma once

#include <unshade/present/json.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::present {

/// The members of a file's object that hold the reflection; the object itself is the caller's to begin and end.
void write_reflection(const shader::Reflection& reflection, Json& json);

}  // namespace unshade::present
