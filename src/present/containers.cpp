#include <unshade/present/containers.hpp>

#include <unshade/dxcontainer/root_signature_text.hpp>
#include <unshade/present/schemas.hpp>

namespace unshade::present {

void print_parts(const dxcontainer::Container& container, Printer& out) {
  for (const dxcontainer::Part& part : container.parts) {
    const dxcontainer::PartKind* const kind = dxcontainer::find_part_kind(part.fourcc);
    print_safely(out.text, fourcc_text(part.fourcc));
    out.text << "  0x";
    out.text.hex(static_cast<std::uint32_t>(container.file.file_offset() + part.offset), 8) << "  ";
    out.text.dec(part.data.size()) << " bytes";
    if (kind != nullptr) out.text << "  " << kind->summary;
    out.text << '\n';
  }
}

void write_parts(std::string_view file, const dxcontainer::Container& container, Json& json) {
  json.object([&] {
    json.member("file", file);
    json.objects("parts", container.parts, [&](const dxcontainer::Part& part) {
      json.member("name", fourcc_text(part.fourcc));
      json.member("offset", container.file.file_offset() + part.offset);
      json.member("size", std::uint64_t{part.data.size()});
    });
  });
}

void write_root_signature(std::string_view file, const dxcontainer::RootSignature& signature, std::string_view text, Json& json) {
  begin_document(Schema::rootsig, json);
  json.member("file", file);
  json.member("version", field_type(signature.version).names->find(static_cast<std::uint32_t>(signature.version)));
  json.member("flags", std::uint64_t{signature.flags});
  json.member("parameters", std::uint64_t{signature.parameters.size()});
  json.member("static_samplers", std::uint64_t{signature.static_samplers.size()});
  json.member("argument_dwords", dxcontainer::root_argument_dwords(signature));
  json.member("text", text);
  end_document(json);
}

void print_database(const dxil::DebugDatabase& database, Printer& printer) {
  Text& out = printer.text;
  (out << "id         " << database.id << "\nage        ").dec(database.age);
  print_safely(out << "\nname       ", database.name);
  out << "\nstreams   ";
  for (const std::uint32_t bytes : database.stream_bytes) (out << ' ').dec(bytes);
  (out << " bytes, in blocks of ").dec(database.block_bytes);
  (out << "\ncontainer  stream ").dec(database.container_stream) << ':';
  for (const std::uint32_t part : database.parts) print_safely(out << ' ', fourcc_text(part));
  out << '\n';
}

void write_database(std::string_view file, const dxil::DebugDatabase& database, Json& json) {
  begin_document(Schema::pdb, json);
  json.member("file", file);
  json.member("id", database.id);
  json.member("age", std::uint64_t{database.age});
  json.member("name", database.name);
  json.member("block_bytes", std::uint64_t{database.block_bytes});
  json.array("streams", database.stream_bytes, [&](std::uint32_t bytes) { json.number(bytes); });
  json.member("container_stream", std::uint64_t{database.container_stream});
  json.array("parts", database.parts, [&](std::uint32_t part) { json.string(fourcc_text(part)); });
  end_document(json);
}

}  // namespace unshade::present
