// Which stream of a program database holds what, and the description of each.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/msf.hpp>
#include <unshade/dxcontainer/pdb/msf_layout.hpp>

#include "dxbc/debug/codeview_module.hpp"
#include "dxbc/debug/codeview_streams.hpp"
#include "dxbc/debug/codeview_types.hpp"

namespace unshade::dxbc::debug {

using dxcontainer::pdb::kInformationStream;
inline constexpr std::size_t kTypeStream = 2;
inline constexpr std::size_t kInterfaceStream = 3;
inline constexpr std::size_t kIdStream = 4;
inline constexpr std::uint16_t kNoStream = 0xffff;
inline constexpr std::string_view kSourcePrefix = "/src/files/";

/// Texts of a table, by their offsets. Many offsets into one long text would take time out of proportion to find its end for each, so the
/// characters handed out are bounded; beyond that, names are empty.
class Names {
 public:
  explicit Names(View texts) : texts_(texts), budget_(texts.size() * limits::kWorkPerByte + limits::kWorkBase) {}
  std::string_view at(std::uint32_t offset) {
    const auto text = budget_ == 0 ? std::nullopt : texts_.c_string(offset);
    if (!text) return {};
    budget_ -= std::min(budget_, text->size() + 1);
    return *text;
  }

 private:
  View texts_;
  std::size_t budget_;
};

/// The names of streams, in no order: f(name, stream).
template <class F>
void for_names(const codeview::Information& information, F&& f) {
  Names names(information.names);
  for (std::size_t i = 0; i < information.entries.size() / 8; ++i) {
    const auto name = names.at(list_u32(information.entries, i * 2));
    if (!name.empty()) f(name, list_u32(information.entries, i * 2 + 1));
  }
}

/// All that is read of a database before its parts are.
struct Database {
  dxcontainer::MsfFile msf;
  std::array<dxcontainer::MsfBytes, 5> fixed;  // streams 0 to 4
  codeview::Information information;
  codeview::DebugInterface interface;
  std::uint32_t names_stream = 0;
  dxcontainer::MsfBytes names_bytes;
  codeview::StringTable names;
};
/// Streams read before an error stay in `database`.
Result<void> open_database(View data, Database& database);

enum class StreamKind : std::uint8_t {
  old_directory,
  information,
  types,
  debug_interface,
  ids,
  type_hash,
  names,
  source_headers,
  source,
  module,
  section_headers,
  global_symbols,
  public_symbols,
  symbol_records,
  unknown,
};
/// Static text: the name of a stream in trees and documents.
const char* id(StreamKind kind);

/// One stream: the first to claim it wins.
struct DatabaseStream {
  StreamKind kind = StreamKind::unknown;
  codeview::TypeHeader types;                    ///< of the stream that names these hashes
  const codeview::ModuleInfo* module = nullptr;  ///< of a module
};
/// As many as the database has. Borrows the database.
std::vector<DatabaseStream> streams_of(const Database& database);

/// f(name, model, context...) with the model that describes a stream.
template <class F>
void with_model(const Database& database, const DatabaseStream& stream, F&& f) {
  using namespace codeview;
  const char* const name = id(stream.kind);
  NoTypeVisitor no_types;
  NoModuleVisitor no_module;
  switch (stream.kind) {
    // the directory as it was before the last commit
    case StreamKind::old_directory: return f(name, dxcontainer::pdb::Directory{}, database.msf.block_bytes);
    case StreamKind::information: return f(name, Information{});
    case StreamKind::types:
    case StreamKind::ids: return f(name, TypeStream<NoTypeVisitor>{{}, &no_types});
    case StreamKind::debug_interface: return f(name, DebugInterface{});
    case StreamKind::type_hash: return f(name, TypeHash{&stream.types, {}, {}, {}});
    case StreamKind::names: return f(name, StringTable{});
    case StreamKind::source_headers: return f(name, SourceHeaders{});
    case StreamKind::source: return f(name, Whole{"text", &kText, {}});
    case StreamKind::module: {
      ModuleSizes sizes;
      if (stream.module != nullptr) sizes = {stream.module->symbol_bytes, stream.module->old_line_bytes, stream.module->line_bytes};
      return f(name, Module<NoModuleVisitor>{sizes.symbol_bytes, sizes.old_line_bytes, sizes.line_bytes, &no_module});
    }
    case StreamKind::section_headers: return f(name, SectionHeader{});
    case StreamKind::global_symbols: return f(name, SymbolHash{});
    case StreamKind::public_symbols: return f(name, PublicSymbols{});
    case StreamKind::symbol_records: return f(name, SymbolStream{});
    case StreamKind::unknown: return f(name, Whole{"unknown", &kUnknown, {}});
  }
}

}  // namespace unshade::dxbc::debug
