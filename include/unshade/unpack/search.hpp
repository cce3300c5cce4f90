// Files of any size searched for shaders piece by piece, on several threads, and what is packed in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/find/carve.hpp>

#include <unshade/unpack/dictionaries.hpp>
#include <unshade/unpack/spool.hpp>

namespace unshade::unpack {

/// What bytes were unpacked from.
struct Layer {
  std::string form;                     ///< `zip`, `gzip`
  std::string member;                   ///< its name there; empty if the form has one content alone
  std::optional<std::uint64_t> offset;  ///< of a stream among other bytes
};
/// From the outside in.
using Layers = std::vector<Layer>;
/// `!member`, `!(gzip)`, `!(zlib@0x12)`, one after the other.
void print_layers(Text& text, const Layers& layers);

/// A shader that was found.
struct FoundShader {
  find::Hit hit;        ///< in the file or, if there are layers, in what the last one holds
  std::string stage;    ///< `pixel`; empty if it has none
  std::string profile;  ///< `ps_5_0`; empty if it has none
  /// The names that were asked for, in their order; empty where it has none.
  std::vector<std::string> identities{};
  std::shared_ptr<const void> examined{};  ///< what Search::examine has made of it
  std::shared_ptr<const Layers> layers{};  ///< null: it lies in the file as it is
  /// With Search::keep, of a shader with layers: where its bytes are, and at which offset there; nothing if the disk is full.
  std::shared_ptr<Spool> spool{};
  std::optional<std::uint64_t> spooled{};
};

/// What cannot be unpacked.
struct LayerFault {
  Layers layers;
  Error error;
};

/// A file that was searched to its end.
struct SearchedFile {
  std::string name;
  std::uint64_t size = 0;            ///< bytes
  std::vector<FoundShader> shaders;  ///< in the order of their offsets, of members in their order
  std::vector<LayerFault> faults;
  std::string fault;  ///< why it could not be read; empty: it could
};

struct Search {
  std::vector<std::string> ids;  ///< names of shaders to find out, see find::identity()
  bool unpack = true;            ///< members of archives and contents of compressed files
  bool streams = false;          ///< compressed streams anywhere
  bool keep = false;             ///< bytes of what was unpacked
  Dictionaries dictionaries;
  /// Gets the bytes of each shader, on the threads that search. Where it is set, stage, profile and identities are not found out.
  std::function<std::shared_ptr<const void>(View bytes)> examine{};
};

/// Searches regular files. `done(bytes)` is called now and then with the bytes that were searched, `take(file)`, in the order of the
/// names, with each file; the search ends early if it returns false. Memory is bounded, whatever the sizes: some pieces for each thread.
void search_files(const std::vector<std::string>& names, const Search& search, std::size_t threads,
                  const std::function<void(std::uint64_t bytes)>& done, const std::function<bool(SearchedFile&& file)>& take);

/// Searches bytes that are in memory.
SearchedFile search_bytes(std::string name, View bytes, const Search& search);

}  // namespace unshade::unpack
