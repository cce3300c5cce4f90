#include "index/checked_pages.hpp"

#include <sqlite3.h>

#include <cstring>
#include <new>

#include <unshade/core/view.hpp>
#include <unshade/find/checksums.hpp>

namespace unshade::index {

namespace {

constexpr std::size_t kCheckedBytes = kPageBytes - kPageChecksumBytes;
thread_local std::uint64_t failed_page = 0;

std::uint64_t checksum_of(const std::byte* page, std::uint64_t number) { return find::xxh3_64(View({page, kCheckedBytes}), number); }

bool is_right(const std::byte* page, std::uint64_t number) {
  if (View({page + kCheckedBytes, kPageChecksumBytes}).load_unchecked<std::uint64_t>(0) == checksum_of(page, number)) return true;
  failed_page = number;
  return false;
}

/// A database or its journal; the file of the file system below lies after it.
struct PageFile {
  sqlite3_file base;
  bool is_journal;
};
sqlite3_file* below(sqlite3_file* file) { return reinterpret_cast<sqlite3_file*>(reinterpret_cast<PageFile*>(file) + 1); }

/// What a read comes to that finds fewer bytes than a page: right after the end of the file, else the page was cut off. SQLite would take
/// zeros for what is missing.
int short_read(sqlite3_file* real, sqlite3_int64 page_offset) {
  sqlite3_int64 size = 0;
  if (real->pMethods->xFileSize(real, &size) != SQLITE_OK || page_offset >= size) return SQLITE_IOERR_SHORT_READ;
  failed_page = static_cast<std::uint64_t>(page_offset) / kPageBytes + 1;
  return SQLITE_IOERR_DATA;
}

/// Any part of a page: all of it is read and checked.
int read_part(sqlite3_file* real, void* into, int bytes, sqlite3_int64 offset) {
  std::byte page[kPageBytes];
  const auto at = static_cast<std::size_t>(offset) % kPageBytes;
  if (at + static_cast<std::size_t>(bytes) > kPageBytes) return SQLITE_IOERR_DATA;
  const int status = real->pMethods->xRead(real, page, kPageBytes, offset - static_cast<sqlite3_int64>(at));
  if (status == SQLITE_IOERR_SHORT_READ) {
    std::memset(into, 0, static_cast<std::size_t>(bytes));
    return short_read(real, offset - static_cast<sqlite3_int64>(at));
  }
  if (status != SQLITE_OK) return status;
  if (!is_right(page, static_cast<std::uint64_t>(offset) / kPageBytes + 1)) return SQLITE_IOERR_DATA;
  std::memcpy(into, page + at, static_cast<std::size_t>(bytes));
  return SQLITE_OK;
}

/// A page of a journal: its number is before it. src: sqlite.org, fileformat2.html, "The Rollback Journal"
int check_journal_page(sqlite3_file* real, const std::byte* page, sqlite3_int64 offset) {
  std::byte number[4];
  if (offset < 4 || real->pMethods->xRead(real, number, sizeof number, offset - 4) != SQLITE_OK) return SQLITE_IOERR_DATA;
  std::uint64_t value = 0;
  for (const std::byte byte : number) value = value << 8 | std::to_integer<std::uint64_t>(byte);
  return is_right(page, value) ? SQLITE_OK : SQLITE_IOERR_DATA;
}

int read_file(sqlite3_file* file, void* into, int bytes, sqlite3_int64 offset) {
  sqlite3_file* const real = below(file);
  const bool is_journal = reinterpret_cast<PageFile*>(file)->is_journal;
  if (!is_journal && bytes != static_cast<int>(kPageBytes)) return read_part(real, into, bytes, offset);
  const int status = real->pMethods->xRead(real, into, bytes, offset);
  if (status == SQLITE_IOERR_SHORT_READ && !is_journal) return short_read(real, offset);
  if (status != SQLITE_OK || bytes != static_cast<int>(kPageBytes)) return status;
  const auto* const page = static_cast<const std::byte*>(into);
  if (is_journal) return check_journal_page(real, page, offset);
  return is_right(page, static_cast<std::uint64_t>(offset) / kPageBytes + 1) ? SQLITE_OK : SQLITE_IOERR_DATA;
}

int write_file(sqlite3_file* file, const void* from, int bytes, sqlite3_int64 offset) {
  sqlite3_file* const real = below(file);
  if (!reinterpret_cast<PageFile*>(file)->is_journal && bytes == static_cast<int>(kPageBytes)) {
    // in place, so that what SQLite keeps of the page, and may write to a journal later, has the checksum too
    auto* const page = static_cast<std::byte*>(const_cast<void*>(from));
    std::uint64_t sum = checksum_of(page, static_cast<std::uint64_t>(offset) / kPageBytes + 1);
    for (std::size_t i = 0; i < kPageChecksumBytes; ++i, sum >>= 8) page[kCheckedBytes + i] = static_cast<std::byte>(sum & 0xff);
  }
  return real->pMethods->xWrite(real, from, bytes, offset);
}

int close_file(sqlite3_file* file) {
  sqlite3_file* const real = below(file);
  return real->pMethods->xClose(real);
}
int truncate_file(sqlite3_file* file, sqlite3_int64 size) { return below(file)->pMethods->xTruncate(below(file), size); }
int sync_file(sqlite3_file* file, int flags) { return below(file)->pMethods->xSync(below(file), flags); }
int file_size(sqlite3_file* file, sqlite3_int64* size) { return below(file)->pMethods->xFileSize(below(file), size); }
int lock_file(sqlite3_file* file, int lock) { return below(file)->pMethods->xLock(below(file), lock); }
int unlock_file(sqlite3_file* file, int lock) { return below(file)->pMethods->xUnlock(below(file), lock); }
int is_reserved(sqlite3_file* file, int* result) { return below(file)->pMethods->xCheckReservedLock(below(file), result); }
int control_file(sqlite3_file* file, int operation, void* argument) {
  return below(file)->pMethods->xFileControl(below(file), operation, argument);
}
int sector_size(sqlite3_file* file) { return below(file)->pMethods->xSectorSize(below(file)); }
int characteristics(sqlite3_file* file) { return below(file)->pMethods->xDeviceCharacteristics(below(file)); }

// version 1: no shared memory, so no write-ahead log, and no mapping, which would not be checked
constexpr sqlite3_io_methods kMethods = {1,         close_file,  read_file,   write_file,   truncate_file, sync_file,       file_size,
                                         lock_file, unlock_file, is_reserved, control_file, sector_size,   characteristics, nullptr,
                                         nullptr,   nullptr,     nullptr,     nullptr,      nullptr};

sqlite3_vfs* real_system(sqlite3_vfs* system) { return static_cast<sqlite3_vfs*>(system->pAppData); }

int open_file(sqlite3_vfs* system, const char* name, sqlite3_file* file, int flags, int* flags_out) {
  sqlite3_vfs* const real = real_system(system);
  const bool is_journal = (flags & SQLITE_OPEN_MAIN_JOURNAL) != 0;
  if (!is_journal && (flags & SQLITE_OPEN_MAIN_DB) == 0) return real->xOpen(real, name, file, flags, flags_out);
  auto* const made = new (file) PageFile{{nullptr}, is_journal};
  sqlite3_file* const inner = below(file);
  inner->pMethods = nullptr;
  const int status = real->xOpen(real, name, inner, flags, flags_out);
  if (status == SQLITE_OK) made->base.pMethods = &kMethods;
  return status;
}

}  // namespace

const char* checked_file_system() {
  static sqlite3_vfs system = [] {
    sqlite3_vfs* const real = sqlite3_vfs_find(nullptr);
    sqlite3_vfs made = *real;
    made.pNext = nullptr;
    made.zName = "unshade";
    made.pAppData = real;
    made.szOsFile = real->szOsFile + static_cast<int>(sizeof(PageFile));
    made.xOpen = open_file;
    return made;
  }();
  static const int status = sqlite3_vfs_register(&system, 0);
  return status == SQLITE_OK ? system.zName : nullptr;
}

std::uint64_t damaged_page() { return failed_page; }

}  // namespace unshade::index
