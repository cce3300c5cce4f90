#include "vm/memory/pages.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace unshade::vm {
namespace {

std::size_t pages_of(std::span<const std::byte> memory) { return (memory.size() + kPageBytes - 1) / kPageBytes; }

// Calls `visit(index, mask)` with the bits of the words from `first` up to `end`.
template <class Visit>
void for_each_mask(std::size_t first, std::size_t end, Visit visit) {
  while (first < end) {
    const std::size_t count = std::min(end - first, 64 - first % 64);
    visit(first / 64, (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << (first % 64));
    first += count;
  }
}

// Calls `visit(first word, words)` with each run of bits.
template <class Visit>
void for_each_run(const PageWords& words, Visit visit) {
  for (std::size_t index = 0; index < words.size(); ++index) {
    for (std::uint64_t left = words[index]; left != 0;) {
      const auto first = static_cast<unsigned>(std::countr_zero(left));
      const auto count = static_cast<unsigned>(std::countr_one(left >> first));
      visit(64 * index + first, count);
      if (first + count == 64) break;
      left &= ~std::uint64_t{0} << (first + count);
    }
  }
}

}  // namespace

WrittenWords::WrittenWords(const SharedMemory& memory) {
  for (const std::span<std::byte> one : memory) ranges_.emplace_back(pages_of(one));
}

void WrittenWords::clear() {
  for (PageWords* const one : touched_) one->fill(0);
  touched_.clear();
}

SlicePages::SlicePages(const SharedMemory& memory, std::size_t most) : most_(most) {
  ranges_.reserve(memory.size());
  for (const std::span<std::byte> one : memory) {
    Range& range = ranges_.emplace_back();
    range.memory = one;
    range.pages.resize(pages_of(one));
  }
}

std::size_t SlicePages::range_of(const std::byte* at) const {
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    const std::span<std::byte> memory = ranges_[k].memory;
    if (at >= memory.data() && at < memory.data() + memory.size()) return k;
  }
  return ranges_.size();
}

SlicePages::Page& SlicePages::page_of(Range& range, std::size_t number) {
  std::unique_ptr<Page>& page = range.pages[number];
  if (page == nullptr) {
    page = std::make_unique<Page>();
    range.touched.push_back(number);
    kept_ += sizeof(Page);
  }
  return *page;
}

void SlicePages::read_bytes(const std::byte* at, std::size_t count, std::byte* to) {
  Range& range = ranges_[range_of(at)];
  auto offset = static_cast<std::size_t>(at - range.memory.data());
  while (count != 0) {
    const std::size_t begin = offset % kPageBytes, bytes = std::min(count, kPageBytes - begin);
    Page& page = page_of(range, offset / kPageBytes);
    // what the slice wrote itself depends on no other
    for_each_mask(begin / kWordBytes, (begin + bytes + kWordBytes - 1) / kWordBytes,
                  [&](std::size_t index, std::uint64_t mask) { page.read[index] |= mask & ~page.written[index]; });
    std::memcpy(to, page.own != nullptr ? page.own->data() + begin : range.memory.data() + offset, bytes);
    offset += bytes, to += bytes, count -= bytes;
  }
}

void SlicePages::write_bytes(const std::byte* at, const std::byte* from, std::size_t count) {
  Range& range = ranges_[range_of(at)];
  auto offset = static_cast<std::size_t>(at - range.memory.data());
  while (count != 0) {
    const std::size_t begin = offset % kPageBytes, bytes = std::min(count, kPageBytes - begin), page_begin = offset - begin;
    const std::size_t end = begin + bytes, page_end = std::min(kPageBytes, range.memory.size() - page_begin);
    Page& page = page_of(range, offset / kPageBytes);
    if (page.own == nullptr) {
      page.own = std::make_unique<std::array<std::byte, kPageBytes>>();
      std::memcpy(page.own->data(), range.memory.data() + page_begin, page_end);
      kept_ += kPageBytes;
    }
    // words are committed whole: of one that is written in part, the rest is what the slice read
    const auto read_rest = [&](std::size_t word) {
      const std::uint64_t mask = std::uint64_t{1} << (word % 64);
      page.read[word / 64] |= mask & ~page.written[word / 64];
    };
    if (begin % kWordBytes != 0) read_rest(begin / kWordBytes);
    if (end % kWordBytes != 0 && end != page_end) read_rest(end / kWordBytes);
    for_each_mask(begin / kWordBytes, (end + kWordBytes - 1) / kWordBytes,
                  [&](std::size_t index, std::uint64_t mask) { page.written[index] |= mask; });
    std::memcpy(page.own->data() + begin, from, bytes);
    offset += bytes, from += bytes, count -= bytes;
  }
}

bool SlicePages::depends_on(const WrittenWords& written) const {
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    for (const std::size_t number : ranges_[k].touched) {
      const Page& page = *ranges_[k].pages[number];
      const PageWords& before = written.ranges_[k][number];
      for (std::size_t index = 0; index < before.size(); ++index)
        if ((page.read[index] & before[index]) != 0) return true;
    }
  }
  return false;
}

void SlicePages::commit(WrittenWords& written) const {
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    const Range& range = ranges_[k];
    for (const std::size_t number : range.touched) {
      const Page& page = *range.pages[number];
      if (page.own == nullptr) continue;
      const std::size_t begin = number * kPageBytes, bytes = std::min(kPageBytes, range.memory.size() - begin);
      for_each_run(page.written, [&](std::size_t word, std::size_t words) {
        const std::size_t first = kWordBytes * word;
        std::memcpy(range.memory.data() + begin + first, page.own->data() + first, std::min(kWordBytes * words, bytes - first));
      });
      PageWords& all = written.ranges_[k][number];
      written.touched_.push_back(&all);
      for (std::size_t index = 0; index < all.size(); ++index) all[index] |= page.written[index];
    }
  }
}

}  // namespace unshade::vm
