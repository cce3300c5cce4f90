// Databases whose pages end with a checksum, so that a damaged page is an error and never a wrong answer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace unshade::index {

/// All databases have pages of this size, bytes.
inline constexpr std::size_t kPageBytes = 8192;
/// XXH3 of the page before it, seeded by the number of the page. SQLite leaves the last bytes of each page alone, as the header of the
/// file says: other programs read such a database, and those that write it make pages whose checksum is wrong.
inline constexpr std::size_t kPageChecksumBytes = 8;

/// The name of SQLite's file system that writes and checks them; registers it the first time.
const char* checked_file_system();

/// The page, from 1 on, that failed its check last in this thread, or 0.
std::uint64_t damaged_page();

}  // namespace unshade::index
