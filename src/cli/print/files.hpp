// What JSON of several verbs has in common: `{"schema": ..., "files": [...]}`.
#pragma once

#include <string_view>

#include <unshade/core/result.hpp>

#include "cli/print/json.hpp"

namespace unshade::cli {

/// Opens the document: `{"schema": "unshade.info/1", "files": [`. end_files closes it.
void begin_files(Json& json, std::string_view schema);
void end_files(Json& json);

/// `{"code": ..., "offset": ..., "path": ..., "message": ...}`
void write_error(const Error& error, Json& json);

}  // namespace unshade::cli
