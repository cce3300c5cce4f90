#include "cli/print/files.hpp"

namespace unshade::cli::print {

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

}  // namespace unshade::cli::print
