// GPUPersistentCache of Chrome since 2025: databases of SQLite with what the GPU process keeps, Dawn's, Skia's and ANGLE's shaders.
#pragma once

#include <unshade/core/view.hpp>

#include <unshade/unpack/archive.hpp>

namespace unshade::unpack {

/// Whether a file that begins with these bytes is such a database. False in builds without SQLite.
bool is_chrome_cache(View head);
/// Reads the content of each entry, as `entry_N` by its row. The feed must be able to go anywhere. What is in the write-ahead log
/// (`.db-wal`) alone is not read. src: Chromium, components/persistent_cache/sqlite/sqlite_backend_impl.cc
void read_chrome_cache(Feed& packed, Budget& budget, const ArchiveReader& reader);

}  // namespace unshade::unpack
