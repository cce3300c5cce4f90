// What JSON of several verbs has in common: `{"schema": ..., "files": [...]}`.
#pragma once

#include <unshade/present/files.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"

namespace unshade::cli::print {

using present::begin_document;
using present::begin_files;
using present::end_document;
using present::Schema;
using present::write_error;

/// Closes the document that begin_files opens, with the errors that were reported, if any.
inline void end_files(Json& json, const Io& io) { present::end_files(json, io.faults()); }

/// `"errors": [...]`, a member of the document: the errors that were reported. Nothing if there are none.
inline void write_faults(Json& json, const Io& io) { present::write_faults(io.faults(), json); }

}  // namespace unshade::cli::print
