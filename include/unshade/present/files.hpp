// What JSON of several files has in common: `{"schema": ..., "files": [...], "errors": [...]}`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/present/json.hpp>
#include <unshade/present/schemas.hpp>

namespace unshade::present {

/// An error that was reported, for documents to repeat.
struct Fault {
  std::string file;
  std::string id;
  std::optional<std::uint64_t> offset;  ///< bytes; absent if it is the file as a whole that could not be read
  std::string path;
  std::string message;
};

/// Opens the document: `{"schema": "unshade.info/1", "files": [`.
void begin_files(Json& json, Schema schema);
/// Closes it.
void end_files(Json& json, std::span<const Fault> faults = {});

/// `"errors": [...]`, a member of the document that is open. Nothing if there are none.
void write_faults(std::span<const Fault> faults, Json& json);
/// The document of a verb that has nothing else to say.
void write_errors(std::span<const Fault> faults, Json& json);

/// `{"code": ..., "offset": ..., "path": ..., "message": ...}`
void write_error(const Error& error, Json& json);

}  // namespace unshade::present
