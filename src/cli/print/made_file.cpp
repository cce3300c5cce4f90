#include "cli/print/made_file.hpp"

#include <cstdint>

#include "cli/io/json.hpp"

namespace unshade::cli::print {

void write_made_file(std::string_view schema, const std::vector<EditNote>& notes, std::string_view family, std::span<const std::byte> bytes,
                     Io& io) {
  Json json(io.out);
  json.begin_object();
  json.member("schema", schema);
  json.objects("notes", notes, [&](const EditNote& note) {
    json.member("severity", id(note.severity));
    json.member("id", note.id);
    json.member("path", note.path);
    json.member("message", note.message);
  });
  json.member("family", family);
  json.member("size", std::uint64_t{bytes.size()});
  json.bytes("bytes", bytes);
  json.end_object();
  json.finish();
}

}  // namespace unshade::cli::print
