#include <unshade/present/files.hpp>

namespace unshade::present {

void begin_files(Json& json, std::string_view schema) {
  json.begin_object();
  json.member("schema", schema);
  json.key("files");
  json.begin_array();
}

void end_files(Json& json) {
  json.end_array();
  json.end_object();
  json.finish();
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
