#include "unpack/streams/streams.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include <unshade/spirv/grammar.hpp>
#include <unshade/spirv/module.hpp>

#include <unshade/unpack/dictionaries.hpp>
#include "unpack/streams/blocks.hpp"
#include "unpack/streams/smolv.hpp"
#include "unpack/streams/unity_shaders.hpp"

#if defined(UNSHADE_HAS_ARCHIVES)
#include <lz4.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zstd.h>
#endif

namespace unshade::unpack {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kStreamPiece = std::size_t{1} << 14;

/// Of zlib and gzip: the header says which.
class InflateDecoder final : public Decoder {
 public:
  InflateDecoder() { is_ready_ = inflateInit2(&stream_, 15 + 32) == Z_OK; }
  ~InflateDecoder() override {
    if (is_ready_) inflateEnd(&stream_);
  }

  Step run(std::span<const std::byte>& packed, std::span<std::byte>& out) override {
    if (!is_ready_) return Step::damaged;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));  // zlib does not change its input
    stream_.avail_in = static_cast<uInt>(packed.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    packed = packed.last(stream_.avail_in);
    out = out.last(stream_.avail_out);
    if (status == Z_STREAM_END) return Step::ended;
    return status == Z_OK || status == Z_BUF_ERROR ? Step::more : Step::damaged;
  }
  bool restart() override { return inflateReset(&stream_) == Z_OK; }
  std::string_view fault() const override { return stream_.msg != nullptr ? stream_.msg : ""; }

 private:
  z_stream stream_{};
  bool is_ready_ = false;
};

template <class T>
std::unique_ptr<Decoder> make_decoder() {
  return std::make_unique<T>();
}

/// Words of SPIR-V as Fossilize and vkd3d-proton store them: seven bits in each byte, the lowest first, the highest bit set in all but the
/// last byte of a word. The stream ends where no instruction follows. src: ValveSoftware/Fossilize, varint.cpp
class VarintDecoder final : public Decoder {
 public:
  Step run(std::span<const std::byte>& packed, std::span<std::byte>& out) override {
    if (packed.empty() && sent_ == kWord) return is_at_end() ? Step::ended : Step::damaged;
    for (;;) {
      for (; sent_ < kWord && !out.empty(); ++sent_) {
        out.front() = static_cast<std::byte>(word_ >> (8 * sent_) & 0xff);
        out = out.subspan(1);
      }
      if (sent_ < kWord) return Step::more;
      switch (take_word(packed)) {
        case Taken::part: return Step::more;
        case Taken::none: return is_at_end() ? Step::ended : Step::damaged;
        case Taken::word: break;
      }
    }
  }

 private:
  enum class Taken : std::uint8_t { part, none, word };
  static constexpr unsigned kWord = 4;  // bytes

  /// Whether the words so far are a header and whole instructions.
  bool is_at_end() const { return count_ > spirv::kHeaderWords && left_ == 0 && shift_ == 0; }

  Taken take_word(std::span<const std::byte>& packed) {
    while (!packed.empty()) {
      const auto byte = std::to_integer<std::uint32_t>(packed.front());
      // of the fifth byte a word has four bits left
      if (shift_ == 28 && byte > 0xf) return give_up();
      next_ |= (byte & 0x7f) << shift_;
      shift_ += 7;
      packed = packed.subspan(1);
      if ((byte & 0x80) != 0) continue;
      const std::uint32_t word = std::exchange(next_, 0);
      shift_ = 0;
      if (!may_follow(word)) return Taken::none;
      word_ = word;
      sent_ = 0;
      ++count_;
      return Taken::word;
    }
    return Taken::part;
  }
  /// What was read of a word belongs to something else.
  Taken give_up() {
    shift_ = 0;
    return Taken::none;
  }

  bool may_follow(std::uint32_t word) {
    if (count_ == 0) return word == spirv::kMagic;
    if (count_ < spirv::kHeaderWords) return true;
    if (left_ != 0) {
      --left_;
      return true;
    }
    const std::uint32_t words = word >> 16;
    if (words == 0 || spirv::find_opcode(word & 0xffff) == nullptr) return false;
    left_ = words - 1;
    return true;
  }

  std::uint32_t next_ = 0;  // the word that is being read
  unsigned shift_ = 0;
  std::uint32_t word_ = 0;   // the word that goes out
  unsigned sent_ = kWord;    // bytes of it
  std::uint64_t count_ = 0;  // words so far
  std::uint32_t left_ = 0;   // words of the instruction
};

bool begins_with(View from, std::string_view magic) { return from.text().starts_with(magic); }

/// src: RFC 1950, 2.2: method 8, the window of 32 KiB that all encoders state, a check of the header, no dictionary
bool begins_zlib(View from) {
  if (from.size() < 2) return false;
  const auto method = std::to_integer<unsigned>(from.bytes()[0]);
  const auto flags = std::to_integer<unsigned>(from.bytes()[1]);
  return method == 0x78 && (256 * method + flags) % 31 == 0 && (flags & 0x20) == 0;
}
/// src: RFC 1952, 2.3: method 8, reserved flags are zero
bool begins_gzip(View from) { return begins_with(from, "\x1f\x8b\x08"sv) && (from.u8(3).value_or(0xff) & 0xe0) == 0; }

#if defined(UNSHADE_HAS_ARCHIVES)

/// What a decoder may hold of a stream to look back at.
constexpr std::uint64_t kMostDictionary = std::uint64_t{1} << 27;

class ZstdDecoder final : public Decoder {
 public:
  ZstdDecoder() : context_(ZSTD_createDCtx()) {}
  ~ZstdDecoder() override { ZSTD_freeDCtx(context_); }

  void use(const Dictionaries& dictionaries) override { dictionaries_ = &dictionaries; }

  Step run(std::span<const std::byte>& packed, std::span<std::byte>& out) override {
    if (context_ == nullptr) return Step::damaged;
    if (std::exchange(is_new_, false) && dictionaries_ != nullptr) {
      const unsigned number = ZSTD_getDictID_fromFrame(packed.data(), packed.size());
      if (const void* const digest = number != 0 ? dictionaries_->find(number) : nullptr)
        ZSTD_DCtx_refDDict(context_, static_cast<const ZSTD_DDict*>(digest));
    }
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t status = ZSTD_decompressStream(context_, &to, &in);
    packed = packed.subspan(in.pos);
    out = out.subspan(to.pos);
    if (ZSTD_isError(status) != 0) {
      fault_ = ZSTD_getErrorName(status);
      return Step::damaged;
    }
    return status == 0 ? Step::ended : Step::more;
  }
  bool restart() override {
    is_new_ = true;
    return ZSTD_isError(ZSTD_DCtx_reset(context_, ZSTD_reset_session_only)) == 0;
  }
  std::string_view fault() const override { return fault_; }

 private:
  ZSTD_DCtx* context_;
  std::string_view fault_;
  const Dictionaries* dictionaries_ = nullptr;
  bool is_new_ = true;
};

/// Of current frames of LZ4, and skippable ones.
class CurrentLz4Decoder final : public Decoder {
 public:
  CurrentLz4Decoder() {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) != 0) context_ = nullptr;
  }
  ~CurrentLz4Decoder() override { LZ4F_freeDecompressionContext(context_); }

  Step run(std::span<const std::byte>& packed, std::span<std::byte>& out) override {
    if (context_ == nullptr) return Step::damaged;
    std::size_t from = packed.size();
    std::size_t to = out.size();
    const std::size_t status = LZ4F_decompress(context_, out.data(), &to, packed.data(), &from, nullptr);
    packed = packed.subspan(from);
    out = out.subspan(to);
    if (LZ4F_isError(status) != 0) {
      fault_ = LZ4F_getErrorName(status);
      return Step::damaged;
    }
    return status == 0 ? Step::ended : Step::more;
  }
  bool restart() override {
    if (context_ != nullptr) LZ4F_resetDecompressionContext(context_);
    return true;
  }
  std::string_view fault() const override { return fault_; }

 private:
  std::string_view fault_;
  LZ4F_dctx* context_ = nullptr;
};

/// What follows the magic number of a legacy frame: blocks, each after its packed size. There is no end mark: the frame ends with the
/// packed bytes, or before a word that is too large for a size, as all magic numbers of LZ4 are. src: lz4_Frame_format.md, "Legacy frame";
/// read: lz4/lz4, programs/lz4io.c
class LegacyLz4Decoder final : public Decoder {
 public:
  std::size_t wants() const override { return wants_; }
  std::size_t wasted() const override { return wasted_; }

  Step run(std::span<const std::byte>& packed, std::span<std::byte>& out) override {
    if (left_.empty()) {
      const View from(packed);
      const auto size = from.u32(0);
      if (!size || *size > kMostPacked) return Step::ended;
      wants_ = kSize + *size;
      wasted_ = packed.size();
      if (packed.size() < wants_) return Step::more;
      // no block of LZ4 has more than 255 bytes for each packed one
      const std::size_t most = std::min(kMostBlock, 256 * std::size_t{*size});
      if (most > capacity_) {
        block_ = std::make_unique_for_overwrite<std::byte[]>(most);
        capacity_ = most;
      }
      const auto bytes = unpack_lz4_block_within(from.clamped(kSize, *size), {block_.get(), most});
      wasted_ += most;
      if (!bytes) return Step::damaged;
      left_ = {block_.get(), *bytes};
      packed = packed.subspan(wants_);
      wants_ = kSize;
    }
    const std::size_t count = std::min(left_.size(), out.size());
    std::copy_n(left_.begin(), count, out.begin());
    left_ = left_.subspan(count);
    out = out.subspan(count);
    return Step::more;
  }
  bool restart() override {
    wants_ = kSize;
    left_ = {};
    return true;
  }

 private:
  static constexpr std::size_t kSize = 4;
  static constexpr std::size_t kMostBlock = std::size_t{1} << 23;
  static constexpr std::size_t kMostPacked = LZ4_COMPRESSBOUND(kMostBlock);

  std::size_t wants_ = kSize;
  std::size_t wasted_ = 0;
  std::unique_ptr<std::byte[]> block_;
  std::size_t capacity_ = 0;         // of block_
  std::span<const std::byte> left_;  // of the block, to be written
};

/// Of current, skippable and legacy frames.
class Lz4Decoder final : public Decoder {
 public:
  std::size_t wants() const override { return chosen_ != nullptr ? chosen_->wants() : kLegacyLz4.size(); }
  std::size_t wasted() const override { return chosen_ != nullptr ? chosen_->wasted() : 0; }

  Step run(std::span<const std::byte>& packed, std::span<std::byte>& out) override {
    if (chosen_ != nullptr) return chosen_->run(packed, out);
    if (!begins_with(View(packed), kLegacyLz4)) {
      chosen_ = &current_;
      return chosen_->run(packed, out);
    }
    chosen_ = &legacy_;
    packed = packed.subspan(kLegacyLz4.size());
    return Step::more;
  }
  bool restart() override {
    chosen_ = nullptr;
    return current_.restart() && legacy_.restart();
  }
  std::string_view fault() const override { return chosen_ != nullptr ? chosen_->fault() : std::string_view(); }

 private:
  CurrentLz4Decoder current_;
  LegacyLz4Decoder legacy_;
  Decoder* chosen_ = nullptr;  // for the frame
};
bool begins_lz4(View from) { return begins_with(from, "\x04\x22\x4d\x18"sv) || begins_with(from, kLegacyLz4); }

/// Of xz and of LZMA's older files.
class LzmaDecoder : public Decoder {
 public:
  ~LzmaDecoder() override { lzma_end(&stream_); }

  Step run(std::span<const std::byte>& packed, std::span<std::byte>& out) override {
    if (!is_ready_) return Step::damaged;
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
    stream_.avail_in = packed.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret status = lzma_code(&stream_, LZMA_RUN);
    packed = packed.last(stream_.avail_in);
    out = out.last(stream_.avail_out);
    if (status == LZMA_STREAM_END) return Step::ended;
    if (status == LZMA_MEMLIMIT_ERROR) fault_ = "its dictionary is larger than unshade supports";
    if (status == LZMA_OPTIONS_ERROR) fault_ = "liblzma does not support its options";
    return status == LZMA_OK || status == LZMA_BUF_ERROR ? Step::more : Step::damaged;
  }
  std::string_view fault() const override { return fault_; }

 protected:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool is_ready_ = false;

 private:
  std::string_view fault_;
};
constexpr std::string_view kXzMagic =
    "\xfd"
    "7zXZ\0"sv;
bool begins_xz(View from) { return begins_with(from, kXzMagic); }

/// xz makes dictionaries of up to 1.5 GiB. What is not written to costs nothing.
constexpr std::uint64_t kMostXz = std::uint64_t{1600} << 20;

class XzDecoder final : public LzmaDecoder {
 public:
  XzDecoder() { restart(); }
  bool restart() override { return is_ready_ = lzma_stream_decoder(&stream_, kMostXz, 0) == LZMA_OK; }
};
class LzmaAloneDecoder : public LzmaDecoder {
 public:
  LzmaAloneDecoder() { is_ready_ = lzma_alone_decoder(&stream_, kMostDictionary) == LZMA_OK; }
};

/// LZMA of the Source engines: `LZMA`, the size of the content, that of what follows the properties, the properties. src: Valve's Source
/// SDK 2013, public/tier1/lzmaDecoder.h
class SourceLzmaDecoder final : public LzmaAloneDecoder {
 public:
  Step run(std::span<const std::byte>& packed, std::span<std::byte>& out) override {
    if (got_ < kSourceHead) {
      const std::size_t count = std::min(kSourceHead - got_, packed.size());
      std::copy_n(packed.begin(), count, head_.begin() + static_cast<std::ptrdiff_t>(got_));
      packed = packed.subspan(count);
      got_ += count;
      if (got_ < kSourceHead) return Step::more;
      left_ = *View(head_).u32(8);
      // the head that LZMA's own files have: properties and the size
      std::array<std::byte, kLzmaHead> head{};
      std::copy_n(head_.begin() + 12, kLzmaProperties, head.begin());
      std::copy_n(head_.begin() + 4, 4, head.begin() + kLzmaProperties);
      std::span<const std::byte> rest(head);
      if (LzmaAloneDecoder::run(rest, out) == Step::damaged || !rest.empty()) return Step::damaged;
    }
    std::span<const std::byte> own = packed.first(std::min<std::size_t>(packed.size(), left_));
    const std::size_t before = own.size();
    const Step step = LzmaAloneDecoder::run(own, out);
    left_ -= static_cast<std::uint32_t>(before - own.size());
    packed = packed.subspan(before - own.size());
    if (step != Step::ended) return step;
    return left_ == 0 ? Step::ended : Step::damaged;
  }

 private:
  static constexpr std::size_t kSourceHead = 17;
  std::array<std::byte, kSourceHead> head_{};
  std::size_t got_ = 0;
  std::uint32_t left_ = 0;  // packed bytes
};
bool begins_source_lzma(View from) {
  return begins_with(from, "LZMA"sv) && from.size() >= 14 && *from.u32(4) != 0 && *from.u32(8) != 0 && *from.u8(12) < 225;
}

/// src: lzma-file-format.txt of XZ Utils: properties, size of the dictionary, size of the content or -1. There is no magic number: only the
/// properties that all encoders begin with, usual dictionaries and sizes below 2^38 are taken for one.
bool begins_lzma(View from) {
  if (!begins_with(from, "\x5d\0\0"sv) || from.size() < 14 || from.u8(13) != std::uint8_t{0}) return false;
  const std::uint32_t dictionary = *from.u32(1);
  const std::uint64_t size = *from.load<std::uint64_t>(5);
  const bool is_usual = std::has_single_bit(dictionary) || (dictionary % 3 == 0 && std::has_single_bit(dictionary / 3));
  return is_usual && dictionary >= 1U << 12 && dictionary <= kMostDictionary && (size == ~std::uint64_t{0} || size >> 38 == 0);
}

#endif

constexpr StreamForm kStreamForms[] = {
    {"zlib", 0x78, 0x78, begins_zlib, make_decoder<InflateDecoder>},
    {"gzip", 0x1f, 0x1f, begins_gzip, make_decoder<InflateDecoder>},
    {"varint", 0x83, 0x83, [](View from) { return begins_with(from, "\x83\x84\x8c\x39"sv); },
     make_decoder<VarintDecoder>},  // SPIR-V's magic
    {"smolv", kSmolvMagic & 0xff, kSmolvMagic & 0xff, begins_smolv, make_smolv_decoder},
#if defined(UNSHADE_HAS_ARCHIVES)
    {"zstd", 0x28, 0x28, [](View from) { return begins_with(from, "\x28\xb5\x2f\xfd"sv); }, make_decoder<ZstdDecoder>},
    {"lz4", 0x02, 0x04, begins_lz4, make_decoder<Lz4Decoder>},
    {"xz", 0xfd, 0xfd, begins_xz, make_decoder<XzDecoder>},
    {"lzma", 0x5d, 0x5d, begins_lzma, make_decoder<LzmaAloneDecoder>},
    {"source-lzma", 0x4c, 0x4c, begins_source_lzma, make_decoder<SourceLzmaDecoder>},
    {"unity", 1, kMostPlatforms, begins_unity_shader, make_unity_shader_decoder},
#endif
};

constexpr std::array<bool, 256> kFirstOfStream = [] {
  std::array<bool, 256> first{};
  for (const StreamForm& form : kStreamForms)
    for (std::size_t byte = form.first; byte <= form.last; ++byte) first[byte] = true;
  return first;
}();

}  // namespace

std::size_t next_stream(View bytes, std::size_t at, std::size_t end) {
  const std::byte* const data = bytes.bytes().data();
  end = std::min(end, bytes.size());
  while (at < end && !kFirstOfStream[std::to_integer<std::size_t>(data[at])]) ++at;
  return at;
}

std::span<const StreamForm> stream_forms() { return kStreamForms; }

const StreamForm* stream_at(View from) {
  for (const StreamForm& form : kStreamForms)
    if (form.begins(from)) return &form;
  return nullptr;
}

const StreamForm* find_stream_form(std::string_view id) {
  const auto* const form =
      std::find_if(std::begin(kStreamForms), std::end(kStreamForms), [&](const StreamForm& row) { return row.id == id; });
  return form == std::end(kStreamForms) ? nullptr : form;
}

const StreamForm* lzma_form() { return find_stream_form("lzma"); }

StreamFeed::StreamFeed(const StreamForm& form, Feed& packed, Budget& budget, const Dictionaries* dictionaries)
    : decoder_(form.decoder()),
      packed_(&packed),
      budget_(&budget),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kStreamPiece)),
      capacity_(kStreamPiece) {
  if (dictionaries != nullptr) decoder_->use(*dictionaries);
}

std::size_t StreamFeed::read(std::byte* into, std::size_t bytes) {
  std::span<std::byte> out(into, bytes);
  while (step_ == Step::more && !out.empty()) {
    fill(decoder_->wants());
    const std::size_t packed_before = waiting_.size();
    const std::size_t out_before = out.size();
    step_ = decoder_->run(waiting_, out);
    const std::size_t used = packed_before - waiting_.size();
    const std::size_t made = out_before - out.size();
    taken_ += used;
    const bool is_stuck = used == 0 && made == 0 && (at_end_ || decoder_->wants() <= waiting_.size());
    if (step_ == Step::more && (is_stuck || !budget_->take(used + made))) step_ = Step::damaged;
    if (step_ == Step::damaged) budget_->take(decoder_->wasted());
  }
  return bytes - out.size();
}

void StreamFeed::fill(std::size_t bytes) {
  if (waiting_.size() >= bytes || at_end_) return;
  std::size_t size = waiting_.size();
  if (size != 0) std::memmove(buffer_.get(), waiting_.data(), size);
  while (size < bytes && !at_end_) {
    if (size == capacity_) {
      capacity_ = std::min(2 * capacity_, bytes);
      auto larger = std::make_unique_for_overwrite<std::byte[]>(capacity_);
      std::copy_n(buffer_.get(), size, larger.get());
      buffer_ = std::move(larger);
    }
    const std::size_t got = packed_->read(buffer_.get() + size, capacity_ - size);
    at_end_ = got == 0;
    size += got;
  }
  waiting_ = std::span(buffer_.get(), size);
}

View StreamFeed::behind(std::size_t bytes) {
  fill(bytes);
  return View(waiting_.first(std::min(bytes, waiting_.size())));
}

void StreamFeed::pass(std::size_t bytes) {
  waiting_ = waiting_.subspan(bytes);
  taken_ += bytes;
}

bool StreamFeed::go_on() {
  if (!ended() || !decoder_->restart()) return false;
  step_ = Step::more;
  return true;
}

}  // namespace unshade::unpack
