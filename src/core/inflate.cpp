#include <unshade/core/inflate.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace unshade {
namespace {

constexpr unsigned kMostCodeBits = 15;

class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> from) : from_(from) {}

  /// At most 16, the lowest first; zeros beyond the end.
  std::uint32_t take(unsigned count) {
    while (held_ < count) {
      bits_ |= std::uint32_t{next_byte()} << held_;
      held_ += 8;
    }
    const std::uint32_t value = bits_ & ((std::uint32_t{1} << count) - 1);
    bits_ >>= count;
    held_ -= count;
    return value;
  }
  void skip_to_byte() { bits_ = held_ = 0; }
  std::uint8_t next_byte() {
    if (at_ == from_.size()) failed_ = true;
    return failed_ ? std::uint8_t{0} : std::to_integer<std::uint8_t>(from_[at_++]);
  }
  bool failed() const { return failed_; }

 private:
  std::span<const std::byte> from_;
  std::size_t at_ = 0;
  std::uint32_t bits_ = 0;
  unsigned held_ = 0;
  bool failed_ = false;
};

/// A Huffman code whose codes of a length follow each other. src: RFC 1951, 3.2.2
class HuffmanCode {
 public:
  /// `lengths`: of the code of each symbol, 0 if it has none. False if they are no code.
  bool build(std::span<const std::uint8_t> lengths) {
    counts_ = {};
    for (const std::uint8_t length : lengths) ++counts_[length];
    std::array<std::uint16_t, kMostCodeBits + 2> first{};
    int left = 1;
    for (unsigned length = 1; length <= kMostCodeBits; ++length) {
      left = left * 2 - counts_[length];
      if (left < 0) return false;
      first[length + 1] = static_cast<std::uint16_t>(first[length] + counts_[length]);
    }
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
      if (lengths[symbol] != 0) symbols_[first[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
    // only a code of one symbol may leave codes unused
    return left == 0 || lengths.size() - counts_[0] <= 1;
  }
  /// The next symbol; kNone if there is no such code.
  static constexpr unsigned kNone = 0xffff;
  unsigned read(BitReader& bits) const {
    unsigned code = 0, first = 0, index = 0;
    for (unsigned length = 1; length <= kMostCodeBits; ++length) {
      code |= bits.take(1);
      const unsigned count = counts_[length];
      if (code < first + count) return symbols_[index + (code - first)];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return kNone;
  }

 private:
  std::array<std::uint16_t, kMostCodeBits + 1> counts_{};  ///< codes of each length
  std::array<std::uint16_t, 288> symbols_{};               ///< by their codes
};

// src: RFC 1951, 3.2.5
constexpr std::uint16_t kLengths[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                      31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::uint8_t kLengthBits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::uint16_t kDistances[] = {1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
                                        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr std::uint8_t kDistanceBits[] = {0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
static_assert(std::size(kLengths) == std::size(kLengthBits) && std::size(kDistances) == std::size(kDistanceBits));

class Inflater {
 public:
  Inflater(BitReader& bits, std::span<std::byte> out) : bits_(bits), out_(out) {}

  bool run() {
    bool last = false;
    while (!last && !bits_.failed()) {
      last = bits_.take(1) != 0;
      switch (bits_.take(2)) {
        case 0:
          if (!stored()) return false;
          break;
        case 1:
          if (!fixed() || !coded()) return false;
          break;
        case 2:
          if (!dynamic() || !coded()) return false;
          break;
        default: return false;
      }
    }
    return last && !bits_.failed() && at_ == out_.size();
  }

 private:
  bool put(std::uint8_t byte) {
    if (at_ == out_.size()) return false;
    out_[at_++] = std::byte{byte};
    return true;
  }
  bool stored() {
    bits_.skip_to_byte();
    const std::uint32_t size = bits_.take(16), inverse = bits_.take(16);
    if (size != (inverse ^ 0xffff) || bits_.failed() || size > out_.size() - at_) return false;
    for (std::uint32_t k = 0; k < size; ++k) out_[at_++] = std::byte{bits_.next_byte()};
    return true;
  }
  bool fixed() {
    std::array<std::uint8_t, 288> lengths{};
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
      lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    std::array<std::uint8_t, 32> distances{};
    distances.fill(5);
    return literals_.build(lengths) && distances_.build(distances);
  }
  // src: RFC 1951, 3.2.7
  bool dynamic() {
    constexpr std::uint8_t kOrder[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    const std::uint32_t literals = bits_.take(5) + 257, distances = bits_.take(5) + 1, codes = bits_.take(4) + 4;
    if (literals > 286 || distances > 30) return false;
    std::array<std::uint8_t, 286 + 30> lengths{};
    for (std::uint32_t k = 0; k < codes; ++k) lengths[kOrder[k]] = static_cast<std::uint8_t>(bits_.take(3));
    HuffmanCode of_lengths;
    if (!of_lengths.build(std::span(lengths).first(std::size(kOrder)))) return false;
    lengths.fill(0);
    for (std::uint32_t at = 0; at < literals + distances;) {
      const unsigned symbol = of_lengths.read(bits_);
      if (symbol == HuffmanCode::kNone || bits_.failed()) return false;
      if (symbol < 16) {
        lengths[at++] = static_cast<std::uint8_t>(symbol);
        continue;
      }
      if (symbol == 16 && at == 0) return false;
      const std::uint8_t repeated = symbol == 16 ? lengths[at - 1] : std::uint8_t{0};
      const std::uint32_t count = symbol == 16 ? 3 + bits_.take(2) : symbol == 17 ? 3 + bits_.take(3) : 11 + bits_.take(7);
      if (count > literals + distances - at) return false;
      std::fill_n(lengths.begin() + at, count, repeated);
      at += count;
    }
    constexpr std::size_t kEnd = 256;
    return lengths[kEnd] != 0 && literals_.build(std::span(lengths).first(literals)) &&
           distances_.build(std::span(lengths).subspan(literals, distances));
  }
  bool coded() {
    constexpr unsigned kEnd = 256;
    while (!bits_.failed()) {
      const unsigned symbol = literals_.read(bits_);
      if (symbol == kEnd) return true;
      if (symbol < kEnd) {
        if (!put(static_cast<std::uint8_t>(symbol))) return false;
        continue;
      }
      if (symbol - 257 >= std::size(kLengths)) return false;
      const std::size_t length = kLengths[symbol - 257] + bits_.take(kLengthBits[symbol - 257]);
      const unsigned far = distances_.read(bits_);
      if (far >= std::size(kDistances)) return false;
      const std::size_t distance = kDistances[far] + bits_.take(kDistanceBits[far]);
      if (distance > at_ || length > out_.size() - at_) return false;
      for (std::size_t k = 0; k < length; ++k, ++at_) out_[at_] = out_[at_ - distance];
    }
    return false;
  }

  BitReader& bits_;
  std::span<std::byte> out_;
  std::size_t at_ = 0;
  HuffmanCode literals_, distances_;
};

std::uint32_t adler32(std::span<const std::byte> bytes) {
  constexpr std::uint32_t kModulus = 65521;
  constexpr std::size_t kMost = 5552;  // bytes before a sum of 32 bits can overflow
  std::uint32_t low = 1, high = 0;
  while (!bytes.empty()) {
    for (const std::byte byte : bytes.first(std::min(kMost, bytes.size()))) {
      low += std::to_integer<std::uint32_t>(byte);
      high += low;
    }
    low %= kModulus;
    high %= kModulus;
    bytes = bytes.subspan(std::min(kMost, bytes.size()));
  }
  return high << 16 | low;
}

}  // namespace

bool inflate_zlib(std::span<const std::byte> zlib, std::span<std::byte> out) {
  BitReader bits(zlib);
  const std::uint32_t method = bits.next_byte(), flags = bits.next_byte();
  constexpr std::uint32_t kDeflate = 8, kMostWindow = 7, kDictionary = 0x20;
  if (bits.failed() || (method & 15) != kDeflate || method >> 4 > kMostWindow || (method << 8 | flags) % 31 != 0 ||
      (flags & kDictionary) != 0)
    return false;
  if (!Inflater(bits, out).run()) return false;
  bits.skip_to_byte();
  std::uint32_t sum = 0;
  for (int byte = 0; byte < 4; ++byte) sum = sum << 8 | bits.next_byte();
  return !bits.failed() && sum == adler32(out);
}

}  // namespace unshade
