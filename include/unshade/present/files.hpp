// What JSON of several files has in common: `{"schema": ..., "files": [...]}`.
#pragma once

#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/present/json.hpp>

namespace unshade::present {

/// Opens the document: `{"schema": "unshade.info/1", "files": [`.
void begin_files(Json& json, std::string_view schema);
/// Closes it.
void end_files(Json& json);

/// `{"code": ..., "offset": ..., "path": ..., "message": ...}`
void write_error(const Error& error, Json& json);

}  // namespace unshade::present
