#include "unpack/search_layers.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>
#include <utility>

#include <unshade/find/identity.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/shader.hpp>

#include "unpack/archives/zip_gaps.hpp"
#include "unpack/streams/streams.hpp"

namespace unshade::unpack {

namespace {

/// Archives in archives, so deep.
constexpr std::size_t kMostLayers = 6;
/// More faults of a file are counted, not told.
constexpr std::size_t kMostFaults = 8;
/// An archive in another one whose directory is at its end is read into memory, up to so many bytes.
constexpr std::size_t kMostInMemory = std::size_t{1} << 27;
/// What is searched at once, and what is read beyond it.
constexpr std::size_t kWindow = std::size_t{1} << 22;
constexpr std::size_t kBeyondWindow = std::size_t{1} << 16;
/// The first bytes of what may be small.
constexpr std::size_t kLeastWindow = std::size_t{1} << 13;
/// What is read of a shader that reaches beyond, if it does not state its size.
constexpr std::size_t kGuess = std::size_t{1} << 20;

/// The part of a feed that is in memory.
class Window {
 public:
  Window(Feed& feed, std::uint64_t at) : feed_(&feed), base_(at) {}

  /// Reads on until so many bytes are there, or the feed ends.
  void fill(std::size_t bytes) {
    while (size_ < bytes && !ended_) {
      if (size_ == capacity_) grow(std::min(std::max(2 * capacity_, kLeastWindow), bytes));
      const std::size_t got = feed_->read(buffer_.get() + size_, std::min(capacity_, bytes) - size_);
      size_ += got;
      ended_ = got == 0;
    }
  }
  void drop(std::size_t bytes) {
    std::copy(buffer_.get() + bytes, buffer_.get() + size_, buffer_.get());
    size_ -= bytes;
    base_ += bytes;
  }
  /// Valid up to the next call of fill() or drop().
  View bytes() const { return View({buffer_.get(), size_}, base_); }
  bool ended() const { return ended_; }

 private:
  void grow(std::size_t capacity) {
    auto larger = std::make_unique_for_overwrite<std::byte[]>(capacity);
    std::copy_n(buffer_.get(), size_, larger.get());
    buffer_ = std::move(larger);
    capacity_ = capacity;
  }

  Feed* feed_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::uint64_t base_;
  bool ended_ = false;
};

/// Bytes of a window from an offset of its feed on, as far as it may grow.
class WindowFeed final : public Feed {
 public:
  WindowFeed(Window& window, std::size_t at) : window_(&window), at_(at) {}

  std::size_t read(std::byte* into, std::size_t bytes) override {
    bytes = std::min(bytes, find::kLargestHit - std::min(at_, find::kLargestHit));
    window_->fill(at_ + bytes);
    const View next = window_->bytes().clamped(at_, bytes);
    std::copy_n(next.bytes().data(), next.size(), into);
    at_ += next.size();
    return next.size();
  }

 private:
  Window* window_;
  std::size_t at_;
};

/// What ranges leave of a file, in order. An empty range parts two gaps.
std::vector<Range> gaps_of(std::vector<Range> covered, std::uint64_t file_bytes) {
  std::ranges::sort(covered, {}, [](const Range& range) { return std::pair(range.begin, range.end); });
  std::vector<Range> gaps;
  std::uint64_t at = 0;
  for (const Range& range : covered) {
    const std::uint64_t begin = std::min(range.begin, file_bytes);
    if (begin > at) gaps.push_back({at, begin});
    at = std::max({at, begin, std::min(range.end, file_bytes)});
  }
  if (at < file_bytes) gaps.push_back({at, file_bytes});
  return gaps;
}

}  // namespace

void print_layers(Text& text, const Layers& layers) {
  for (const Layer& layer : layers) {
    text << '!';
    if (!layer.member.empty()) {
      print_safely(text, layer.member);
      continue;
    }
    text << '(' << layer.form;
    if (layer.offset) (text << "@0x").hex(*layer.offset, 8);
    text << ')';
  }
}

void add_shaders(std::vector<find::Hit>&& hits, View piece, const Search& search, std::vector<FoundShader>& shaders) {
  for (find::Hit& hit : hits) {
    const View bytes = piece.clamped(static_cast<std::size_t>(hit.offset - piece.file_offset()), static_cast<std::size_t>(hit.size));
    FoundShader& found = shaders.emplace_back(FoundShader{hit, {}, {}});
    if (search.examine) {
      found.examined = search.examine(bytes);
      continue;
    }
    found.identities.resize(search.ids.size());
    const auto opened = shader::open(bytes);
    if (!opened) continue;
    shader::Summary summary = outline(*opened);
    found.stage = std::move(summary.stage);
    found.profile = std::move(summary.profile);
    for (std::size_t i = 0; i < search.ids.size(); ++i)
      found.identities[i] = find::identity(*opened, search.ids[i]).value_or(std::string());
  }
}

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
    found.hit = hit;
    kept.push_back(std::move(found));
  }
  shaders = std::move(kept);
}

void LayerSearch::add_fault(const Layers& layers, Error error) {
  // every archive around the place where the budget ended says so
  if (error.code == ErrorCode::limit && budget_.spent() && std::exchange(has_told_spent_, true)) return;
  // so does every block of a damaged archive until something is whole
  const bool is_again = !faults_.empty() && faults_.back().error.message == error.message && faults_.back().error.path == error.path &&
                        faults_.back().layers.size() == layers.size();
  if (is_again) return;
  if (faults_.size() < kMostFaults) {
    faults_.push_back({layers, std::move(error)});
  } else {
    ++untold_;
  }
}

std::vector<LayerFault> LayerSearch::take_faults() {
  if (untold_ != 0) {
    Text text;
    text.dec(untold_) << (untold_ == 1 ? " more error" : " more errors") << " inside of this archive";
    faults_.push_back({{}, {ErrorCode::limit, 0, {}, text.str()}});
  }
  return std::move(faults_);
}

void LayerSearch::keep(FoundShader& shader, View bytes) {
  if (!search_->keep) return;
  if (spool == nullptr) spool = std::make_shared<Spool>();
  shader.spooled = spool->put(bytes);
}

void LayerSearch::add_archive(const Packing& packing, Feed& packed, const Layers& around) {
  ArchiveReader reader;
  reader.member = [&](const Member& member, Feed& feed) {
    Layers layers = around;
    for (const std::string& form : member.forms) layers.push_back({form, {}, {}});
    if (!layers.empty()) layers.back().member = member.name;
    add_feed(feed, layers);
    return !budget_.spent();
  };
  reader.fault = [&](const Error& error) { add_fault(around, error); };
  reader.rest = [&](std::uint64_t offset, Feed& rest) {
    if (around.empty()) {
      rest_at_ = offset;
      return;
    }
    const bool was = std::exchange(searches_streams_, true);
    WatchedFeed watched(rest);
    add_window(watched, around, offset);
    searches_streams_ = was;
    if (packing.read_gap != nullptr && watched.has_header())
      add_fault(around, {ErrorCode::limit, offset, {}, "another zip follows, which is not unpacked inside another archive"});
  };
  if (around.empty() && packing.has_gaps) {
    covered_.emplace();
    reader.covers = [&](std::uint64_t begin, std::uint64_t end) { covered_->push_back({begin, end}); };
  }
  const bool before = std::exchange(searches_streams_, searches_streams_ || packing.holds_streams);
  (packing.read != nullptr ? packing.read : read_archive)(packed, budget_, reader);
  if (reader.covers && packing.read_gap != nullptr && faults_.empty()) {
    for (const Range& gap : gaps_of(*covered_, packed.size().value_or(0))) packing.read_gap(packed, gap, budget_, reader);
  }
  searches_streams_ = before;
}

std::vector<Range> LayerSearch::outside(std::uint64_t file_bytes) const {
  if (!faults_.empty()) return {{0, file_bytes}};
  if (covered_) return gaps_of(*covered_, file_bytes);
  return {{std::min(rest_at_.value_or(file_bytes), file_bytes), file_bytes}};
}

void LayerSearch::add_feed(Feed& feed, const Layers& around) {
  std::vector<std::byte> head(kPackingHead);
  std::size_t size = 0;
  while (size < head.size()) {
    const std::size_t got = feed.read(head.data() + size, head.size() - size);
    if (got == 0) break;
    size += got;
  }
  const View begin = View(head).clamped(0, size);
  ReplayedFeed whole(begin, feed);
  const Packing* const packing = packing_of(begin);
  if (packing == nullptr || around.size() >= kMostLayers) {
    if (packing != nullptr) add_fault(around, {ErrorCode::limit, 0, {}, "archives are nested too deeply to be unpacked"});
    const bool before = std::exchange(searches_streams_, searches_streams_ || holds_streams(begin));
    add_window(whole, around);
    searches_streams_ = before;
    return;
  }
  if (!packing->needs_seek) return add_archive(*packing, whole, around);
  std::vector<std::byte> bytes;
  for (std::size_t step = kWindow; bytes.size() <= kMostInMemory;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + step);
    const std::size_t got = whole.read(bytes.data() + before, step);
    bytes.resize(before + got);
    if (got != 0) continue;
    MemoryFeed memory{View(bytes)};
    return add_archive(*packing, memory, around);
  }
  add_fault(around, {ErrorCode::limit, 0, {}, "an archive of this form inside another one is unpacked up to 128 MiB"});
}

std::uint64_t LayerSearch::add_streams(View piece, std::size_t starts,
                                       const std::function<std::unique_ptr<Feed>(std::uint64_t offset)>& open, const Layers& around) {
  searches_streams_ = true;
  std::uint64_t end = piece.file_offset();
  if (around.size() >= kMostLayers) return end;
  for (std::size_t at = 0; (at = next_stream(piece, at, starts)) < std::min(starts, piece.size()); ++at) {
    const StreamForm* const form = stream_at(piece.clamped(at, kStreamHead));
    if (form == nullptr) continue;
    if (budget_.spent()) break;
    const std::uint64_t offset = piece.file_offset() + at;
    const std::size_t shaders_before = shaders.size();
    const std::size_t faults_before = faults_.size();
    const std::uint64_t untold_before = untold_;
    const bool told_spent_before = has_told_spent_;
    const auto packed = open(offset);
    StreamFeed feed(*form, *packed, budget_, &search_->dictionaries);
    Layers layers = around;
    layers.push_back({std::string(form->id), {}, offset});
    add_feed(feed, layers);
    for (std::array<std::byte, 4096> rest; feed.read(rest.data(), rest.size()) != 0;) {
    }
    if (feed.ended()) {
      at += static_cast<std::size_t>(feed.packed_bytes()) - 1;
      end = offset + feed.packed_bytes();
    } else {
      shaders.resize(shaders_before);
      faults_.resize(faults_before);
      untold_ = untold_before;
      has_told_spent_ = told_spent_before;
    }
  }
  if (budget_.spent()) add_fault(around, {ErrorCode::limit, end, {}, "streams unpack to more than 256 times the size of the file"});
  return end;
}

void LayerSearch::add_window(Feed& feed, const Layers& around, std::uint64_t at) {
  std::vector<FoundShader> found;
  const auto path = std::make_shared<const Layers>(around);
  Window window(feed, at);
  const auto add = [&](find::Carved&& carved) {
    const std::size_t before = found.size();
    add_shaders(std::move(carved.hits), window.bytes(), *search_, found);
    for (std::size_t i = before; i < found.size(); ++i) {
      found[i].layers = path;
      const find::Hit& hit = found[i].hit;
      keep(found[i],
           window.bytes().clamped(static_cast<std::size_t>(hit.offset - window.bytes().file_offset()), static_cast<std::size_t>(hit.size)));
    }
  };
  std::uint64_t streams_until = 0;
  for (;;) {
    window.fill(kWindow + kBeyondWindow);
    const std::size_t size = window.bytes().size();
    const std::size_t starts = window.ended() ? size : kWindow;
    find::Carved carved = find::carve(window.bytes(), starts, window.ended());
    const std::vector<find::Unfinished> unfinished = std::move(carved.unfinished);
    add(std::move(carved));
    for (const find::Unfinished& begun : unfinished) {
      const auto place = static_cast<std::size_t>(begun.offset - window.bytes().file_offset());
      for (std::size_t needs = begun.needs != 0 ? begun.needs + 1 : kGuess;; needs = find::kLargestHit) {
        window.fill(place + needs);
        find::Carved more = find::carve(window.bytes().clamped(place, window.bytes().size()), 1, window.ended());
        const bool is_more = !more.unfinished.empty() && needs < find::kLargestHit;
        add(std::move(more));
        if (!is_more) break;
      }
    }
    if (searches_streams_) {
      const std::uint64_t base = window.bytes().file_offset();
      const std::size_t from = static_cast<std::size_t>(std::clamp(streams_until, base, base + starts) - base);
      // a copy: the window moves while it is read on
      const View piece = window.bytes().clamped(from, starts - from + kPackingHead);
      const std::vector<std::byte> copy(piece.bytes().begin(), piece.bytes().end());
      streams_until = add_streams(
          View(copy, piece.file_offset()), starts - from,
          [&](std::uint64_t offset) { return std::make_unique<WindowFeed>(window, static_cast<std::size_t>(offset - base)); }, around);
    }
    if (window.ended() && window.bytes().size() <= starts) break;
    window.drop(starts);
  }
  settle(found);
  std::move(found.begin(), found.end(), std::back_inserter(shaders));
}

}  // namespace unshade::unpack
