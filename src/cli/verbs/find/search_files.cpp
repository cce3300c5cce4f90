#include "cli/verbs/find/search_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include <unshade/find/identity.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/shader.hpp>

#include "core/parallel.hpp"

namespace unshade::cli::verbs::scan {

namespace {

/// A thread searches so many bytes at once: they stay in the cache between reading and searching.
constexpr std::size_t kSearchPiece = std::size_t{1} << 22;
/// What is read beyond a piece, so that what begins in its last bytes is seen.
constexpr std::size_t kBeyondPiece = std::size_t{1} << 16;
/// What is read of a shader that reaches beyond a piece, if it does not state its size.
constexpr std::size_t kFirstGuess = std::size_t{1} << 20;
/// What all that reaches beyond one piece may cost to read.
constexpr std::size_t kMostBeyond = std::size_t{1} << 28;

class OpenFile {
 public:
  /// Pipes and devices are not read, and not waited for.
  explicit OpenFile(const std::string& name) : fd_(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (fd_ < 0) {
      fault_ = std::strerror(errno);
    } else if (!Io::file_bytes(name)) {
      fault_ = "not a regular file";
    }
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }

  /// Bytes at an offset, fewer at the end of the file.
  View read(std::uint64_t offset, std::byte* into, std::size_t bytes) {
    std::size_t got = 0;
    while (fault_.empty() && got < bytes) {
      const auto count = ::pread(fd_, into + got, bytes - got, static_cast<off_t>(offset + got));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fault_ = std::strerror(errno);
      if (count <= 0) break;
      got += static_cast<std::size_t>(count);
    }
    return View({into, got}, offset);
  }
  const std::string& fault() const { return fault_; }

 private:
  int fd_;
  std::string fault_;
};

/// Part of a file.
struct Piece {
  std::size_t file = 0;  ///< which
  std::uint64_t offset = 0;
  std::uint64_t file_bytes = 0;
  bool is_last = true;
};

struct PieceResult {
  std::vector<FoundShader> shaders;
  std::string fault;
};

void add_shaders(std::vector<find::Hit>&& hits, View piece, const std::vector<std::string>& ids, std::vector<FoundShader>& shaders) {
  for (find::Hit& hit : hits) {
    const View bytes = piece.clamped(static_cast<std::size_t>(hit.offset - piece.file_offset()), static_cast<std::size_t>(hit.size));
    FoundShader& found = shaders.emplace_back(FoundShader{hit, {}, {}});
    found.identities.resize(ids.size());
    const auto opened = shader::open(bytes);
    if (!opened) continue;
    shader::Summary summary = summarize(*opened);
    found.stage = std::move(summary.stage);
    found.profile = std::move(summary.profile);
    for (std::size_t i = 0; i < ids.size(); ++i) found.identities[i] = find::identity(*opened, ids[i]).value_or(std::string());
  }
}

/// What reaches beyond a piece, read on its own.
void add_unfinished(const std::vector<find::Unfinished>& unfinished, std::uint64_t file_bytes, OpenFile& file,
                    const std::vector<std::string>& ids, std::vector<FoundShader>& shaders) {
  std::size_t left = kMostBeyond;
  std::unique_ptr<std::byte[]> buffer;
  std::size_t capacity = 0;
  for (const find::Unfinished& begun : unfinished) {
    // one byte more than it needs: what ends there is told from what was cut there
    std::size_t bytes = begun.needs != 0 ? begun.needs + 1 : kFirstGuess;
    for (;;) {
      if (bytes > left) return;
      left -= bytes;
      if (bytes > capacity) {
        buffer = std::make_unique_for_overwrite<std::byte[]>(bytes);
        capacity = bytes;
      }
      const View piece = file.read(begun.offset, buffer.get(), bytes);
      find::Carved carved = find::carve(piece, 1, begun.offset + piece.size() >= file_bytes);
      const bool is_more = !carved.unfinished.empty() && bytes < find::kLargestHit;
      add_shaders(std::move(carved.hits), piece, ids, shaders);
      if (!is_more) break;
      bytes = find::kLargestHit;
    }
  }
}

PieceResult search_piece(const Piece& piece, const std::string& name, const std::vector<std::string>& ids) {
  constexpr std::size_t kBytes = kSearchPiece + kBeyondPiece;
  static thread_local const std::unique_ptr<std::byte[]> buffer = std::make_unique_for_overwrite<std::byte[]>(kBytes);
  PieceResult result;
  OpenFile file(name);
  const View bytes = file.read(piece.offset, buffer.get(), kBytes);
  find::Carved carved = find::carve(bytes, kSearchPiece, piece.offset + bytes.size() >= piece.file_bytes);
  add_shaders(std::move(carved.hits), bytes, ids, result.shaders);
  add_unfinished(carved.unfinished, piece.file_bytes, file, ids, result.shaders);
  result.fault = file.fault();
  return result;
}

/// Puts the shaders of a file in order, and drops those that are none of their own.
void settle(std::vector<FoundShader>& shaders) {
  std::vector<find::Hit> hits;
  std::unordered_map<std::uint64_t, std::size_t> by_offset;
  for (std::size_t i = 0; i < shaders.size(); ++i) {
    hits.push_back(shaders[i].hit);
    by_offset.emplace(shaders[i].hit.offset, i);
  }
  find::nest(hits);
  std::vector<FoundShader> kept;
  kept.reserve(hits.size());
  for (const find::Hit& hit : hits) {
    FoundShader& found = shaders[by_offset.at(hit.offset)];
    kept.push_back({hit, std::move(found.stage), std::move(found.profile), std::move(found.identities)});
  }
  shaders = std::move(kept);
}

}  // namespace

void search_files(const std::vector<std::string>& names, const std::vector<std::string>& ids, std::size_t threads,
                  const std::function<void(std::uint64_t bytes)>& done, const std::function<bool(SearchedFile&& file)>& take) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::uint64_t bytes = Io::file_bytes(names[i]).value_or(0);
    std::uint64_t offset = 0;
    do {
      const bool is_last = bytes - offset <= kSearchPiece;
      pieces.push_back({i, offset, bytes, is_last});
      offset += kSearchPiece;
    } while (offset < bytes);
  }
  std::uint64_t searched = 0;
  SearchedFile file;
  in_order(
      pieces.size(), threads, [&](std::size_t i) { return search_piece(pieces[i], names[pieces[i].file], ids); },
      [&](std::size_t i, PieceResult&& result) {
        const Piece& piece = pieces[i];
        std::move(result.shaders.begin(), result.shaders.end(), std::back_inserter(file.shaders));
        if (file.fault.empty()) file.fault = std::move(result.fault);
        searched += std::min<std::uint64_t>(kSearchPiece, piece.file_bytes - piece.offset);
        done(searched);
        if (!piece.is_last) return true;
        file.name = names[piece.file];
        file.size = piece.file_bytes;
        settle(file.shaders);
        return take(std::exchange(file, {}));
      },
      4 * threads);
}

SearchedFile search_bytes(std::string name, View bytes, const std::vector<std::string>& ids) {
  SearchedFile file{std::move(name), bytes.size(), {}, {}};
  find::Carved carved = find::carve(bytes, bytes.size(), true);
  add_shaders(std::move(carved.hits), bytes, ids, file.shaders);
  settle(file.shaders);
  return file;
}

}  // namespace unshade::cli::verbs::scan
