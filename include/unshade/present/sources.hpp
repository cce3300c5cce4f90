// Source files that a shader carries, as JSON.
#pragma once

#include <string_view>

#include <unshade/present/json.hpp>
#include <unshade/shader/source_files.hpp>

namespace unshade::present {

/// Members of one file's object; docs/reference/json/source.schema.json has their shape.
void write_sources(std::string_view file, const shader::Sources& sources, Json& json);

}  // namespace unshade::present
