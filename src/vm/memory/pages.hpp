// Memory that slices both read and write: what a slice writes goes to pages of its own until its turn, and the words that it touches are
// noted, so that a slice whose words another one changed before its turn can run again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace unshade::vm {

inline constexpr std::size_t kPageBytes = 4096, kWordBytes = 4;

/// A bit for each word of a page.
using PageWords = std::array<std::uint64_t, kPageBytes / kWordBytes / 64>;

/// Ranges of memory that do not touch each other, by rising address.
using SharedMemory = std::vector<std::span<std::byte>>;

/// The words that slices before have written since a round began.
class WrittenWords {
 public:
  explicit WrittenWords(const SharedMemory& memory);
  void clear();

 private:
  friend class SlicePages;
  std::vector<std::vector<PageWords>> ranges_;
  std::vector<PageWords*> touched_;
};

/// What one slice reads and writes of shared memory. Others see nothing of it before commit().
class SlicePages {
 public:
  SlicePages() = default;
  /// `memory` outlives this, and nobody writes it while the slice runs. `most`: bytes of pages that the slice may keep.
  SlicePages(const SharedMemory& memory, std::size_t most);

  /// Whether a place is in shared memory.
  bool has(const std::byte* at) const { return range_of(at) != ranges_.size(); }
  /// Bytes as the slice sees them: what it wrote itself, else what was there when it began.
  void read(const std::byte* at, std::size_t count, std::byte* to) {
    const Word word = count == kWordBytes ? known_word(at) : Word{};
    if (word.page == nullptr) return read_bytes(at, count, to);
    word.page->read[word.index] |= word.mask & ~word.page->written[word.index];
    std::memcpy(to, word.page->own != nullptr ? word.page->own->data() + word.offset : at, kWordBytes);
  }
  void write(const std::byte* at, const std::byte* from, std::size_t count) {
    const Word word = count == kWordBytes ? known_word(at) : Word{};
    if (word.page == nullptr || word.page->own == nullptr) return write_bytes(at, from, count);
    word.page->written[word.index] |= word.mask;
    std::memcpy(word.page->own->data() + word.offset, from, kWordBytes);
  }
  /// More than the slice may keep.
  bool is_full() const { return kept_ > most_; }
  /// Whether the slice read something that is in `written`: it would have read something else in its turn.
  bool depends_on(const WrittenWords& written) const;
  /// Writes all that the slice wrote, and adds it to `written`.
  void commit(WrittenWords& written) const;

 private:
  struct Page {
    PageWords read{}, written{};
    std::unique_ptr<std::array<std::byte, kPageBytes>> own;  ///< a copy, once the slice writes to it
  };
  struct Range {
    std::span<std::byte> memory;
    std::vector<std::unique_ptr<Page>> pages;
    std::vector<std::size_t> touched;  ///< numbers of the pages that there are
  };

  /// A whole word of the first range, in a page that there is; no page: it is something else.
  struct Word {
    Page* page = nullptr;
    std::size_t offset = 0, index = 0;  ///< in the page; of the bits
    std::uint64_t mask = 0;
  };
  Word known_word(const std::byte* at) const {
    const Range& range = ranges_.front();
    const auto offset =
        static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(range.memory.data()));
    if (offset >= range.memory.size() || offset % kWordBytes != 0) return {};
    const std::size_t in_page = offset % kPageBytes, word = in_page / kWordBytes;
    return {range.pages[offset / kPageBytes].get(), in_page, word / 64, std::uint64_t{1} << (word % 64)};
  }
  void read_bytes(const std::byte* at, std::size_t count, std::byte* to);
  void write_bytes(const std::byte* at, const std::byte* from, std::size_t count);
  std::size_t range_of(const std::byte* at) const;
  Page& page_of(Range& range, std::size_t number);

  std::vector<Range> ranges_;
  std::size_t kept_ = 0, most_ = 0;  ///< bytes of pages
};

}  // namespace unshade::vm
