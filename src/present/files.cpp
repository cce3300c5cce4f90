#include <unshade/present/files.hpp>

namespace unshade::present {

void begin_files(Json& json, Schema schema) {
  begin_document(schema, json);
  json.key("files");
  json.begin_array();
}

void end_files(Json& json, std::span<const Fault> faults) {
  json.end_array();
  write_faults(faults, json);
  end_document(json);
}

void write_faults(std::span<const Fault> faults, Json& json) {
  if (faults.empty()) return;
  json.objects("errors", faults, [&](const Fault& fault) {
    json.member("file", fault.file);
    json.member("id", fault.id);
    if (fault.offset) {
      json.member("offset", *fault.offset);
      json.member("path", fault.path);
    }
    json.member("message", fault.message);
  });
}

void write_errors(std::span<const Fault> faults, Json& json) {
  begin_document(Schema::error, json);
  write_faults(faults, json);
  end_document(json);
}

void write_error(const Error& error, Json& json) {
  json.begin_object();
  json.member("code", id(error.code));
  json.member("offset", error.offset);
  json.member("path", error.path);
  json.member("message", error.message);
  json.end_object();
}

}  // namespace unshade::present
