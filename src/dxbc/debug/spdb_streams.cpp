#include "dxbc/debug/spdb_streams.hpp"

#include <utility>

#include <unshade/core/archive/reader.hpp>
#include <unshade/dxcontainer/pdb/streams.hpp>

namespace unshade::dxbc::debug {

using dxcontainer::MsfFile;
using dxcontainer::pdb::read_stream;

const char* id(StreamKind kind) {
  switch (kind) {
    case StreamKind::old_directory: return "old_directory";
    case StreamKind::information: return "information";
    case StreamKind::types: return "types";
    case StreamKind::debug_interface: return "debug_interface";
    case StreamKind::ids: return "ids";
    case StreamKind::type_hash: return "type_hash";
    case StreamKind::names: return "names";
    case StreamKind::source_headers: return "source_headers";
    case StreamKind::source: return "source";
    case StreamKind::module: return "module";
    case StreamKind::section_headers: return "section_headers";
    case StreamKind::global_symbols: return "global_symbols";
    case StreamKind::public_symbols: return "public_symbols";
    case StreamKind::symbol_records: return "symbol_records";
    case StreamKind::unknown: break;
  }
  return "stream";
}

Result<void> open_database(View data, Database& database) {
  auto msf = dxcontainer::parse_msf(data);
  if (!msf) return std::move(msf).error();
  database.msf = std::move(*msf);
  const MsfFile& file = database.msf;
  if (file.streams.size() <= kInterfaceStream)
    return Error{ErrorCode::missing, data.file_offset(), "", "a program database must have at least four streams"};
  for (std::size_t i = 0; i < database.fixed.size(); ++i) database.fixed[i] = file.bytes(i);
  const auto read = [&](std::size_t i, StreamKind kind, auto& model) {
    return read_stream(file, file.streams[i], database.fixed[i].view(), id(kind), model);
  };
  if (auto done = read(kInformationStream, StreamKind::information, database.information); !done) return done;
  if (auto done = read(kInterfaceStream, StreamKind::debug_interface, database.interface); !done) return done;
  debug::for_names(database.information, [&](std::string_view name, std::uint32_t stream) {
    if (name == "/names" && stream < file.streams.size()) database.names_stream = stream;
  });
  if (database.names_stream == 0) return {};
  database.names_bytes = file.bytes(database.names_stream);
  return read_stream(file, file.streams[database.names_stream], database.names_bytes.view(), id(StreamKind::names), database.names);
}

std::vector<DatabaseStream> streams_of(const Database& database) {
  std::vector<DatabaseStream> streams(database.msf.streams.size());
  const auto claim = [&](std::size_t i, StreamKind kind) -> DatabaseStream* {
    if (i >= streams.size() || streams[i].kind != StreamKind::unknown) return nullptr;
    streams[i].kind = kind;
    return &streams[i];
  };
  claim(0, StreamKind::old_directory);
  claim(kInformationStream, StreamKind::information);
  claim(kTypeStream, StreamKind::types);
  claim(kInterfaceStream, StreamKind::debug_interface);
  claim(kIdStream, StreamKind::ids);
  for (const std::size_t i : {kTypeStream, kIdStream}) {
    codeview::TypeHeader header;
    Reader reader(database.fixed[i].view());
    describe(reader, header);
    if (!reader.ok()) continue;
    if (DatabaseStream* const stream = claim(header.hash_stream, StreamKind::type_hash)) stream->types = header;
  }
  if (database.names_stream != 0) claim(database.names_stream, StreamKind::names);
  debug::for_names(database.information, [&](std::string_view name, std::uint32_t i) {
    if (name == "/src/headerblock") claim(i, StreamKind::source_headers);
    if (name.starts_with(kSourcePrefix)) claim(i, StreamKind::source);
  });
  for (const codeview::ModuleInfo& listed : database.interface.modules) {
    if (listed.stream == kNoStream) continue;
    if (DatabaseStream* const stream = claim(listed.stream, StreamKind::module)) stream->module = &listed;
  }
  constexpr std::size_t kSectionHeaders = 5;  // its place in the list of debug streams
  if (const auto sections = database.interface.debug_header.u16(kSectionHeaders * 2); sections)
    claim(*sections, StreamKind::section_headers);
  claim(database.interface.global_stream, StreamKind::global_symbols);
  claim(database.interface.public_stream, StreamKind::public_symbols);
  claim(database.interface.symbol_stream, StreamKind::symbol_records);
  return streams;
}

}  // namespace unshade::dxbc::debug
