// Compressed streams that lie anywhere in other bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <unshade/core/view.hpp>

#include <unshade/unpack/feed.hpp>

namespace unshade::unpack {

class Dictionaries;

enum class Step : std::uint8_t { more, ended, damaged };

/// A decoder of one stream.
class Decoder {
 public:
  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual ~Decoder() = default;

  /// What frames may have been made with.
  virtual void use(const Dictionaries&) {}
  /// So many packed bytes must be at hand for the next step; there are fewer at their end alone.
  virtual std::size_t wants() const { return 1; }
  /// Takes from the front of `packed` what it uses, and from that of `out` what it has written.
  virtual Step run(std::span<const std::byte>& packed, std::span<std::byte>& out) = 0;
  /// Gets ready for another stream of its form. False: only a new decoder can read it.
  virtual bool restart() { return false; }
  /// Why the last step was Step::damaged, if the library of the form knows.
  virtual std::string_view fault() const { return {}; }
  /// If the last step was Step::damaged: bytes that were read and unpacked for it, but neither taken nor written.
  virtual std::size_t wasted() const { return 0; }
};

/// A form of stream.
struct StreamForm {
  std::string_view id;                    ///< `zlib`
  std::uint8_t first;                     ///< the least first byte of one
  std::uint8_t last;                      ///< the greatest
  bool (*begins)(View from);              ///< whether one may begin here
  std::unique_ptr<Decoder> (*decoder)();  ///< null if there is no memory
};

/// Those that the command was built with: zlib and gzip always.
std::span<const StreamForm> stream_forms();
/// So many bytes tell whether a stream may begin.
inline constexpr std::size_t kStreamHead = 56;
/// LZMA as in its older files, and of what its head is made: properties, and the size of the content. Null in builds without liblzma.
const StreamForm* lzma_form();
inline constexpr std::size_t kLzmaProperties = 5;
inline constexpr std::size_t kLzmaHead = 13;
/// The magic number of a legacy frame of LZ4. src: lz4_Frame_format.md, "Legacy frame"
inline constexpr std::string_view kLegacyLz4{"\x02\x21\x4c\x18"};
/// The form called so, or null.
const StreamForm* find_stream_form(std::string_view id);
/// The form of the stream that may begin here, or null.
const StreamForm* stream_at(View from);
/// The first offset, at or after `at` and below `end`, where the first byte of a stream is, or `end`.
std::size_t next_stream(View bytes, std::size_t at, std::size_t end);

/// What a stream holds.
class StreamFeed final : public Feed {
 public:
  /// Both what is read and what comes out are taken from the budget.
  StreamFeed(const StreamForm& form, Feed& packed, Budget& budget, const Dictionaries* dictionaries = nullptr);

  std::size_t read(std::byte* into, std::size_t bytes) override;

  /// Whether the stream was read to its end, and is what its checksum says.
  bool ended() const { return step_ == Step::ended; }
  /// Bytes of the stream that were read.
  std::uint64_t packed_bytes() const { return taken_; }
  /// What was read of the packed bytes, and is none of the stream. Valid up to the next call.
  std::span<const std::byte> unused() const { return waiting_; }
  /// What lies after a stream that ended: so many bytes, up to kStreamHead, fewer at the end. Valid up to the next call.
  View behind(std::size_t bytes);
  /// Passes over bytes that are behind() the stream, as if they were part of it.
  void pass(std::size_t bytes);
  /// Begins the stream after one that ended. packed_bytes() counts on. False: its decoder cannot.
  bool go_on();
  /// Whether the packed bytes ended before the stream did.
  bool is_cut() const { return at_end_ && waiting_.size() < decoder_->wants() && !ended(); }
  std::string_view fault() const { return decoder_->fault(); }

 private:
  /// Reads on until so many packed bytes are waiting, or they end.
  void fill(std::size_t bytes);

  std::unique_ptr<Decoder> decoder_;
  Feed* packed_;
  Budget* budget_;
  Step step_ = Step::more;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t capacity_;
  std::span<const std::byte> waiting_;
  std::uint64_t taken_ = 0;
  bool at_end_ = false;
};

}  // namespace unshade::unpack
