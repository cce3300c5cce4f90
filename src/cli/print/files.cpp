#include "cli/print/files.hpp"

namespace unshade::cli::print {

void begin_files(Json& json, std::string_view schema) {
  json.begin_object();
  json.member("schema", schema);
  json.key("files");
  json.begin_array();
}

void end_files(Json& json, const Io& io) {
  json.end_array();
  write_faults(json, io);
  json.end_object();
  json.finish();
}

void write_faults(Json& json, const Io& io) {
  if (io.faults().empty()) return;
  json.objects("errors", io.faults(), [&](const Fault& fault) {
    json.member("file", fault.file);
    json.member("id", fault.id);
    if (fault.offset) {
      json.member("offset", *fault.offset);
      json.member("path", fault.path);
    }
    json.member("message", fault.message);
  });
}

void write_error(const Error& error, Json& json) {
  json.begin_object();
  json.member("code", id(error.code));
  json.member("offset", error.offset);
  json.member("path", error.path);
  json.member("message", error.message);
  json.end_object();
}

}  // namespace unshade::cli::print
