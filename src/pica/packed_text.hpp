// Eight characters at a time: where the words of assembly text end, and what they are, without walking them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#elif defined(__AARCH64EL__)
#include <arm_neon.h>
#endif

namespace unshade::pica::packed {

/// Up to eight characters as a number, the first in the lowest byte; zeros after the end of the text.
constexpr std::uint64_t load(const char* text, std::size_t left) {
  const std::size_t size = left < 8 ? left : 8;
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < size; ++i) out |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  return out;
}

/// The same of text that has eight.
inline std::uint64_t load8(const char* text) {
  if constexpr (std::endian::native != std::endian::little) return load(text, 8);
  std::uint64_t out = 0;
  std::memcpy(&out, text, sizeof out);
  return out;
}

constexpr std::uint64_t repeat(unsigned char c) { return 0x0101'0101'0101'0101 * std::uint64_t{c}; }

/// A bit for each of 16 characters, the first in the lowest: whether it may be in a word ('-' to 0x7f, so no blank, comma and line feed;
/// nor
/// `!"#$%&'()*+`, which names seldom have), and whether it is a line feed.
struct Marks {
  std::uint32_t words = 0;
  std::uint32_t line_feeds = 0;
};

inline Marks portable_marks(const char* text) {
  constexpr std::uint64_t kHigh = repeat(0x80);
  // the high bits side by side
  const auto gathered = [](std::uint64_t high) { return static_cast<std::uint32_t>(high * 0x0002'0408'1020'4081 >> 56); };
  Marks marks;
  for (unsigned i = 0; i < 16; i += 8) {
    const std::uint64_t t = load8(text + i);
    const std::uint64_t other = t ^ repeat('\n');
    marks.words |= gathered(((t | kHigh) - repeat('-')) & ~t & kHigh) << i;
    marks.line_feeds |= gathered(~(((other & ~kHigh) + ~kHigh) | other) & kHigh) << i;
  }
  return marks;
}

/// The same, by the instructions that every x86-64 and every 64-bit Arm has.
inline Marks marks_of(const char* text) {
#ifdef __SSE2__
  __m128i characters{};
  std::memcpy(&characters, text, sizeof characters);
  const auto gathered = [](__m128i bytes) { return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes)); };
  // characters from 0x80 on count as negative
  return {gathered(_mm_cmpgt_epi8(characters, _mm_set1_epi8('-' - 1))), gathered(_mm_cmpeq_epi8(characters, _mm_set1_epi8('\n')))};
#elif defined(__AARCH64EL__)
  int8x16_t characters{};
  std::memcpy(&characters, text, sizeof characters);
  // a bit of its own for each of eight characters; three sums of neighbours put these side by side, of words first
  const uint8x16_t weights = vreinterpretq_u8_u64(vdupq_n_u64(0x8040'2010'0804'0201));
  const uint8x16_t words = vandq_u8(vcgtq_s8(characters, vdupq_n_s8('-' - 1)), weights);
  const uint8x16_t line_feeds = vandq_u8(vceqq_s8(characters, vdupq_n_s8('\n')), weights);
  uint8x16_t sums = vpaddq_u8(words, line_feeds);
  sums = vpaddq_u8(sums, sums);
  sums = vpaddq_u8(sums, sums);
  const std::uint32_t both = vgetq_lane_u32(vreinterpretq_u32_u8(sums), 0);
  return {both & 0xffff, both >> 16};
#else
  return portable_marks(text);
#endif
}

/// The first `count` characters (0 to 8).
constexpr std::uint64_t first(std::uint64_t text, unsigned count) {
  return count >= 8 ? text : text & ((std::uint64_t{1} << 8 * count) - 1);
}

/// Letters of either case as lower case ones. Nothing but letters becomes a letter, and nothing but digits a digit, if no character is
/// below a blank.
constexpr std::uint64_t lower(std::uint64_t text) { return text | repeat(0x20); }

/// A name in two numbers: all of one of up to sixteen characters; of a longer one the first eight and what the rest comes to.
struct Key {
  std::uint64_t head = 0;
  std::uint64_t tail = 0;

  friend constexpr bool operator==(const Key&, const Key&) = default;

  static constexpr Key of(std::string_view name) {
    Key key{load(name.data(), name.size()), 0};
    if (name.size() > 8) key.tail = load(name.data() + 8, name.size() - 8);
    for (std::size_t at = 16; at < name.size(); at += 8)
      key.tail = std::rotl((key.tail ^ load(name.data() + at, name.size() - at)) * 0x9e37'79b9'7f4a'7c15, 29);
    return key;
  }
  constexpr std::uint32_t hash() const {
    const std::uint64_t mixed = (head ^ std::rotl(tail, 23) * 0xc2b2'ae3d'27d4'eb4f) * 0x9e37'79b9'7f4a'7c15;
    return static_cast<std::uint32_t>(mixed >> 32);
  }
};

}  // namespace unshade::pica::packed
