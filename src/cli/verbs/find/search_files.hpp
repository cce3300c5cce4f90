// Files of any size searched for shaders piece by piece, on several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <unshade/find/carve.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli::verbs::scan {

/// A shader that was found.
struct FoundShader {
  find::Hit hit;
  std::string stage;    ///< `pixel`; empty if it has none
  std::string profile;  ///< `ps_5_0`; empty if it has none
  /// The names that were asked for, in their order; empty where it has none.
  std::vector<std::string> identities{};
};

/// A file that was searched to its end.
struct SearchedFile {
  std::string name;
  std::uint64_t size = 0;            ///< bytes
  std::vector<FoundShader> shaders;  ///< in the order of their offsets
  std::string fault;                 ///< why it could not be read; empty: it could
};

/// Searches regular files. `ids`: the names of shaders to find out, see find::identity(). `done(bytes)` is called now and then with the
/// bytes that were searched, `take(file)`, in the order of the names, with each file; the search ends early if it returns false. Memory is
/// bounded, whatever the sizes: some pieces for each thread.
void search_files(const std::vector<std::string>& names, const std::vector<std::string>& ids, std::size_t threads,
                  const std::function<void(std::uint64_t bytes)>& done, const std::function<bool(SearchedFile&& file)>& take);

/// Searches bytes that are in memory.
SearchedFile search_bytes(std::string name, View bytes, const std::vector<std::string>& ids);

}  // namespace unshade::cli::verbs::scan
