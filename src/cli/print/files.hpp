// What JSON of several verbs has in common: `{"schema": ..., "files": [...]}`.
#pragma once

#include <string_view>

#include <unshade/core/result.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"

namespace unshade::cli::print {

/// Opens the document: `{"schema": "unshade.info/1", "files": [`. end_files closes it, with the errors that were reported, if any.
void begin_files(Json& json, std::string_view schema);
void end_files(Json& json, const Io& io);

/// `"errors": [...]`, a member of the document: the errors that were reported. Nothing if there are none.
void write_faults(Json& json, const Io& io);

/// `{"code": ..., "offset": ..., "path": ..., "message": ...}`
void write_error(const Error& error, Json& json);

}  // namespace unshade::cli::print
