// Text that the room present prints, in memory.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <unshade/core/result.hpp>
#include <unshade/present/files.hpp>
#include <unshade/present/json.hpp>
#include <unshade/present/printer.hpp>

#include "capi/object.hpp"

namespace unshade::capi {

/// What `print`, called with a printer, prints into memory, or its error.
template <class Print>
Result<std::string> printed(Print print) {
  present::MemoryStream stream;
  present::Printer printer(stream, false);
  if (auto done = print(printer); !done) return std::move(done).error();
  printer.flush();
  return std::move(stream.text);
}

/// The JSON document of a schema whose files `write`, called with a present::Json, writes.
template <class Write>
Result<std::string> printed_files(present::Schema schema, present::Json::Layout layout, Write write) {
  return printed([&](present::Printer& printer) -> Result<void> {
    present::Json json(printer, layout);
    present::begin_files(json, schema);
    if (Result<void> done = write(json); !done) return done;
    present::end_files(json);
    return {};
  });
}

inline unshade_code hand_out(const Result<std::string>& made, unshade_blob** text, unshade_error** error) {
  if (!made) return fail(error, made.error());
  *text = make_blob(*made);
  return UNSHADE_OK;
}

/// A name that may be NULL.
inline std::string_view or_empty(const char* text) { return text != nullptr ? std::string_view(text) : std::string_view{}; }

}  // namespace unshade::capi
