#include <unshade/unpack/search.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include <unshade/core/parallel.hpp>
#include <unshade/system/file.hpp>
#include <unshade/unpack/packings.hpp>
#include "unpack/open_file.hpp"
#include "unpack/search_layers.hpp"

namespace unshade::unpack {

namespace {

/// A thread searches so many bytes at once: they stay in the cache between reading and searching.
constexpr std::size_t kSearchPiece = std::size_t{1} << 22;
/// What is read beyond a piece, so that what begins in its last bytes is seen.
constexpr std::size_t kBeyondPiece = std::size_t{1} << 16;
/// What is read of a shader that reaches beyond a piece, if it does not state its size.
constexpr std::size_t kFirstGuess = std::size_t{1} << 20;
/// What all that reaches beyond one piece may cost to read.
constexpr std::size_t kMostBeyond = std::size_t{1} << 28;

/// Part of a file.
struct Piece {
  std::size_t file = 0;  ///< which
  std::uint64_t offset = 0;
  std::uint64_t file_bytes = 0;
  bool is_last = true;
  bool is_packed = false;    ///< all of an archive
  bool has_streams = false;  ///< the file is searched for streams unasked
};

struct PieceResult {
  std::vector<FoundShader> shaders;
  std::vector<FoundShader> layers;  ///< shaders of what is packed in it
  std::vector<LayerFault> faults;
  std::shared_ptr<Spool> spool;
  std::string fault;
};

/// What reaches beyond a piece, read on its own.
void add_unfinished(const std::vector<find::Unfinished>& unfinished, std::uint64_t end, OpenFile& file, const Search& search,
                    std::vector<FoundShader>& shaders) {
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
      const View piece =
          file.read(begun.offset, buffer.get(), static_cast<std::size_t>(std::min<std::uint64_t>(bytes, end - begun.offset)));
      find::Carved carved = find::carve(piece, 1, begun.offset + piece.size() >= end);
      const bool is_more = !carved.unfinished.empty() && bytes < find::kLargestHit;
      add_shaders(std::move(carved.hits), piece, search, shaders);
      if (!is_more) break;
      bytes = find::kLargestHit;
    }
  }
}

/// A file from an offset up to another one.
class FileFeed final : public Feed {
 public:
  FileFeed(OpenFile& file, std::uint64_t at, std::uint64_t end) : file_(&file), at_(at), end_(end) {}

  std::size_t read(std::byte* into, std::size_t bytes) override {
    const std::size_t got =
        file_->read(at_, into, static_cast<std::size_t>(std::min(std::uint64_t{bytes}, end_ - std::min(at_, end_)))).size();
    at_ += got;
    return got;
  }
  std::optional<std::uint64_t> size() const override { return end_; }
  void seek(std::uint64_t offset) override { at_ = offset; }

 private:
  OpenFile* file_;
  std::uint64_t at_;
  std::uint64_t end_;
};

/// Searches the bytes of a piece as they are, which are those before `end`.
void search_plainly(View bytes, std::uint64_t end, OpenFile& file, const Search& search, PieceResult& result) {
  find::Carved carved = find::carve(bytes, kSearchPiece, bytes.file_offset() + bytes.size() >= end);
  add_shaders(std::move(carved.hits), bytes, search, result.shaders);
  add_unfinished(carved.unfinished, end, file, search, result.shaders);
}

/// Searches for streams that begin at or after `from`.
void search_streams(View bytes, std::uint64_t end, std::uint64_t from, OpenFile& file, LayerSearch& layers) {
  const std::size_t starts = std::min(bytes.size(), kSearchPiece);
  const auto passed = static_cast<std::size_t>(std::min<std::uint64_t>(from - std::min(from, bytes.file_offset()), starts));
  if (passed == starts) return;
  layers.add_streams(bytes.clamped(passed, bytes.size()), starts - passed,
                     [&](std::uint64_t offset) { return std::make_unique<FileFeed>(file, offset, end); }, {});
}

/// What a thread reads pieces into.
constexpr std::size_t kBufferBytes = kSearchPiece + kBeyondPiece;

PieceResult search_piece(const Piece& piece, const std::string& name, const Search& search, std::byte* buffer) {
  PieceResult result;
  OpenFile file(name);
  const View begin = file.read(piece.offset, buffer, kBufferBytes);
  LayerSearch layers(search, piece.is_packed ? piece.file_bytes : begin.size());
  const Packing* const packing = search.unpack && piece.offset == 0 && piece.is_last ? packing_of(begin) : nullptr;
  const bool searches_streams = search.streams || piece.has_streams || (search.unpack && piece.offset == 0 && holds_streams(begin));
  if (packing == nullptr) {
    search_plainly(begin, piece.file_bytes, file, search, result);
    if (searches_streams) search_streams(begin, piece.file_bytes, 0, file, layers);
  } else {
    FileFeed feed(file, 0, piece.file_bytes);
    layers.add_archive(*packing, feed, {});
    // what cannot be unpacked to its end may hold shaders as they are, and so may what no member covers
    const std::uint64_t streams_from = searches_streams ? 0 : layers.streams_from(piece.file_bytes);
    for (const Range& part : layers.outside(piece.file_bytes)) {
      for (std::uint64_t offset = part.begin; offset < part.end; offset += kSearchPiece) {
        const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(kBufferBytes, part.end - offset));
        const View next = file.read(offset, buffer, bytes);
        search_plainly(next, part.end, file, search, result);
        search_streams(next, part.end, streams_from, file, layers);
      }
    }
  }
  result.layers = std::move(layers.shaders);
  result.faults = layers.take_faults();
  result.spool = std::move(layers.spool);
  result.fault = file.fault();
  return result;
}

/// What a file is that is more than a piece.
struct SearchedForm {
  bool is_packed = false;
  bool has_streams = false;
};
SearchedForm form_of(const std::string& name) {
  std::vector<std::byte> head(kPackingHead);
  OpenFile file(name);
  const View begin = file.read(0, head.data(), head.size());
  return {packing_of(begin) != nullptr, holds_streams(begin)};
}

}  // namespace

void search_files(const std::vector<std::string>& names, const Search& search, std::size_t threads,
                  const std::function<void(std::uint64_t bytes)>& done, const std::function<bool(SearchedFile&& file)>& take) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::uint64_t bytes = system::regular_file_bytes(names[i]).value_or(0);
    const SearchedForm form = bytes > kSearchPiece && search.unpack ? form_of(names[i]) : SearchedForm{};
    if (form.is_packed) {
      pieces.push_back({i, 0, bytes, true, true, false});
      continue;
    }
    std::uint64_t offset = 0;
    do {
      const bool is_last = bytes - offset <= kSearchPiece;
      pieces.push_back({i, offset, bytes, is_last, false, form.has_streams});
      offset += kSearchPiece;
    } while (offset < bytes);
  }
  std::uint64_t searched = 0;
  SearchedFile file;
  std::vector<FoundShader> layers;
  in_order_with(
      pieces.size(), threads, [] { return std::make_unique_for_overwrite<std::byte[]>(kBufferBytes); },
      [&](std::size_t i, const std::unique_ptr<std::byte[]>& buffer) {
        return search_piece(pieces[i], names[pieces[i].file], search, buffer.get());
      },
      [&](std::size_t i, PieceResult&& result) {
        const Piece& piece = pieces[i];
        std::move(result.shaders.begin(), result.shaders.end(), std::back_inserter(file.shaders));
        const std::size_t layers_before = layers.size();
        std::move(result.layers.begin(), result.layers.end(), std::back_inserter(layers));
        if (result.spool != nullptr) {
          for (std::size_t k = layers_before; k < layers.size(); ++k) layers[k].spool = result.spool;
        }
        std::move(result.faults.begin(), result.faults.end(), std::back_inserter(file.faults));
        if (file.fault.empty()) file.fault = std::move(result.fault);
        searched += piece.is_packed ? piece.file_bytes : std::min<std::uint64_t>(kSearchPiece, piece.file_bytes - piece.offset);
        done(searched);
        if (!piece.is_last) return true;
        file.name = names[piece.file];
        file.size = piece.file_bytes;
        settle(file.shaders);
        std::move(layers.begin(), layers.end(), std::back_inserter(file.shaders));
        layers.clear();
        return take(std::exchange(file, {}));
      },
      4 * threads);
}

SearchedFile search_bytes(std::string name, View bytes, const Search& search) {
  SearchedFile file{std::move(name), bytes.size(), {}, {}, {}};
  LayerSearch layers(search, bytes.size());
  const Packing* const packing = search.unpack ? packing_of(bytes) : nullptr;
  std::vector<Range> parts = {{0, bytes.size()}};
  const bool searches_streams = search.streams || (search.unpack && holds_streams(bytes));
  std::uint64_t streams_from = searches_streams ? 0 : bytes.size();
  if (packing != nullptr) {
    MemoryFeed feed(bytes);
    layers.add_archive(*packing, feed, {});
    parts = layers.outside(bytes.size());
    if (!searches_streams) streams_from = layers.streams_from(bytes.size());
  }
  for (const Range& part : parts) {
    const auto from = [&](std::uint64_t offset) {
      return bytes.clamped(static_cast<std::size_t>(offset), static_cast<std::size_t>(part.end - offset));
    };
    const View plain = from(part.begin);
    add_shaders(std::move(find::carve(plain, plain.size(), true).hits), plain, search, file.shaders);
    if (const View packed = from(std::clamp(streams_from, part.begin, part.end)); !packed.empty()) {
      layers.add_streams(packed, packed.size(), [&](std::uint64_t offset) { return std::make_unique<MemoryFeed>(from(offset)); }, {});
    }
  }
  settle(file.shaders);
  for (FoundShader& shader : layers.shaders) shader.spool = layers.spool;
  std::move(layers.shaders.begin(), layers.shaders.end(), std::back_inserter(file.shaders));
  file.faults = layers.take_faults();
  return file;
}

}  // namespace unshade::unpack
