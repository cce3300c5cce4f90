#include "unpack/streams/unity_shaders.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "unpack/streams/blocks.hpp"
#include "unpack/streams/streams.hpp"

namespace unshade::unpack {

namespace {

constexpr std::size_t kUnityWord = 4;
/// More platforms than Unity numbers.
constexpr std::uint32_t kPlatformEnd = 64;
/// Segments of a platform.
constexpr std::uint32_t kMostSegments = 1U << 16;
constexpr std::uint32_t kMostSegment = 1U << 27;  // bytes, unpacked
constexpr std::uint32_t kMostBlob = 1U << 28;     // bytes

struct UnitySegment {
  std::uint32_t offset = 0;
  std::uint32_t packed_bytes = 0;
  std::uint32_t bytes = 0;
};

class UnityShaderDecoder final : public Decoder {
 public:
  Step run(std::span<const std::byte>& packed, std::span<std::byte>& out) override {
    for (;;) {
      const std::size_t sent = std::min(out.size(), made_.size() - sent_);
      std::copy_n(made_.begin() + static_cast<std::ptrdiff_t>(sent_), sent, out.begin());
      out = out.subspan(sent);
      sent_ += sent;
      if (sent_ != made_.size()) return Step::more;
      if (is_in_blob_ && at_ == blob_) return next_ == segments_.size() ? Step::ended : Step::damaged;
      if (packed.empty()) return Step::more;
      const Step step = is_in_blob_ ? take_of_blob(packed) : take_of_lists(packed);
      if (step == Step::damaged) return step;
    }
  }

 private:
  enum class List : std::uint8_t { platforms, offsets, packed_sizes, sizes, blob };

  /// A word of the lists.
  Step take_of_lists(std::span<const std::byte>& packed) {
    while (word_got_ < kUnityWord && !packed.empty()) {
      word_[word_got_++] = packed.front();
      packed = packed.subspan(1);
    }
    if (word_got_ < kUnityWord) return Step::more;
    word_got_ = 0;
    return take_word(View(word_).load_unchecked<std::uint32_t>(0)) ? Step::more : Step::damaged;
  }

  bool take_word(std::uint32_t word) {
    switch (list_) {
      case List::platforms:
        if (platforms_ == 0) {
          platforms_ = word;
          left_ = word;
          return word != 0 && word <= kMostPlatforms;
        }
        if (word >= kPlatformEnd) return false;
        if (--left_ == 0) begin_list(List::offsets);
        return true;
      case List::blob: return begin_blob(word);
      default: return take_of_list(word);
    }
  }
  void begin_list(List list) {
    list_ = list;
    is_counted_ = false;
    inner_ = 0;
    at_segment_ = 0;
  }

  /// Of `offsets` and the two of sizes: an entry for a platform, though the last platforms may have none. Whether an entry is a number or a
  /// list is told by the first list: there the first number is an offset, which is 0 for the first segment, or a count, which is not.
  bool take_of_list(std::uint32_t word) {
    if (!is_counted_) {
      is_counted_ = true;
      left_ = word;
      if (list_ == List::offsets) entries_ = word;
      return word != 0 && word <= platforms_ && word == entries_;
    }
    if (list_ == List::offsets && segments_.empty() && inner_ == 0) is_nested_ = word != 0;
    if (is_nested_ && inner_ == 0) {
      if (word == 0 || word > kMostSegments) return false;
      inner_ = word;
      return true;
    }
    if (!put(word)) return false;
    if (is_nested_ && --inner_ != 0) return true;
    if (--left_ != 0) return true;
    if (list_ != List::offsets && at_segment_ != segments_.size()) return false;
    begin_list(static_cast<List>(static_cast<std::uint8_t>(list_) + 1));
    return true;
  }
  bool put(std::uint32_t word) {
    if (list_ == List::offsets) {
      segments_.push_back({word, 0, 0});
      return word < kMostBlob;
    }
    if (at_segment_ == segments_.size()) return false;
    UnitySegment& segment = segments_[at_segment_++];
    (list_ == List::packed_sizes ? segment.packed_bytes : segment.bytes) = word;
    return list_ == List::packed_sizes ? word <= kMostBlob : word <= kMostSegment && word / 256 <= segment.packed_bytes;
  }

  bool begin_blob(std::uint32_t bytes) {
    blob_ = bytes;
    is_in_blob_ = true;
    std::stable_sort(segments_.begin(), segments_.end(), [](const UnitySegment& a, const UnitySegment& b) { return a.offset < b.offset; });
    std::uint32_t end = 0;
    for (const UnitySegment& segment : segments_) {
      if (segment.offset < end || segment.offset > bytes || segment.packed_bytes > bytes - segment.offset) return false;
      end = segment.offset + segment.packed_bytes;
    }
    return bytes != 0 && end == bytes;
  }

  Step take_of_blob(std::span<const std::byte>& packed) {
    const UnitySegment& segment = segments_[next_];
    const std::uint32_t end = segment.offset + segment.packed_bytes;
    const std::size_t count = std::min<std::size_t>(packed.size(), (at_ < segment.offset ? segment.offset : end) - at_);
    if (at_ >= segment.offset) held_.insert(held_.end(), packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(count));
    packed = packed.subspan(count);
    at_ += static_cast<std::uint32_t>(count);
    if (at_ < end) return Step::more;
    ++next_;
    sent_ = 0;
    made_.resize(segment.bytes);
    if (!unpack_lz4_block(View(held_), made_)) return Step::damaged;
    held_.clear();
    return Step::more;
  }

  std::array<std::byte, kUnityWord> word_{};
  std::size_t word_got_ = 0;
  List list_ = List::platforms;
  std::uint32_t platforms_ = 0;
  std::uint32_t entries_ = 0;
  std::uint32_t left_ = 0;   // entries of the list
  std::uint32_t inner_ = 0;  // numbers of the entry
  bool is_counted_ = false;
  bool is_nested_ = false;
  std::vector<UnitySegment> segments_;
  std::size_t at_segment_ = 0;
  bool is_in_blob_ = false;
  std::uint32_t blob_ = 0;  // bytes
  std::uint32_t at_ = 0;    // in the blob
  std::size_t next_ = 0;    // segment
  std::vector<std::byte> held_, made_;
  std::size_t sent_ = 0;  // of made_
};

}  // namespace

bool begins_unity_shader(View from) {
  const auto platforms = from.u32(0);
  if (!platforms || *platforms == 0 || *platforms > kMostPlatforms) return false;
  const std::size_t count = *platforms;
  const auto entries = from.u32(kUnityWord * (1 + count));
  if (!entries || *entries == 0 || *entries > *platforms) return false;
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t platform = *from.u32(kUnityWord * (1 + i));
    if (platform >= kPlatformEnd || (seen >> platform & 1) != 0) return false;
    seen |= std::uint64_t{1} << platform;
  }
  return true;
}

std::unique_ptr<Decoder> make_unity_shader_decoder() { return std::make_unique<UnityShaderDecoder>(); }

}  // namespace unshade::unpack
