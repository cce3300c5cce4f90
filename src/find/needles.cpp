#include "find/needles.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__AARCH64EL__)
#include <arm_neon.h>
#endif

namespace unshade::find {

namespace {

/// Which needles begin with a pair of bytes: a bit for each distinct pair.
struct Prefixes {
  std::array<std::array<std::uint8_t, 2>, kNeedles.size()> pairs{};
  std::size_t count = 0;
};
constexpr Prefixes kPrefixes = [] {
  Prefixes prefixes;
  for (const Needle& row : kNeedles) {
    const std::array<std::uint8_t, 2> pair = {row.bytes[0], row.bytes[1]};
    const auto end = prefixes.pairs.begin() + static_cast<std::ptrdiff_t>(prefixes.count);
    if (std::find(prefixes.pairs.begin(), end, pair) == end) prefixes.pairs[prefixes.count++] = pair;
  }
  return prefixes;
}();
static_assert(kPrefixes.count <= 8, "a pair of bytes has a bit of its own in a byte");

/// Adds a candidate if a needle is at `at`.
void add_needle(std::span<const std::byte> bytes, std::size_t at, std::vector<Candidate>& candidates) {
  if (bytes.size() - at < kNeedleBytes) return;
  for (const Needle& row : kNeedles)
    if (std::memcmp(row.bytes.data(), bytes.data() + at, kNeedleBytes) == 0) candidates.push_back({at, row.form});
}

/// Whether a needle begins with a byte.
constexpr std::array<bool, 256> kFirstBytes = [] {
  std::array<bool, 256> first{};
  for (std::size_t i = 0; i < kPrefixes.count; ++i) first[kPrefixes.pairs[i][0]] = true;
  return first;
}();

void pass_from(std::span<const std::byte> bytes, std::size_t from, std::vector<Candidate>& candidates) {
  for (std::size_t at = from; at + kNeedleBytes <= bytes.size(); ++at)
    if (kFirstBytes[std::to_integer<std::size_t>(bytes[at])]) add_needle(bytes, at, candidates);
}

void portable_pass(std::span<const std::byte> bytes, std::vector<Candidate>& candidates) { pass_from(bytes, 0, candidates); }

#if defined(__x86_64__) || defined(__AARCH64EL__)

/// Calls add_needle() for each byte that has a bit, of `kBits` a byte.
template <int kBits>
void add_needles(std::span<const std::byte> bytes, std::size_t at, std::uint64_t bits, std::vector<Candidate>& candidates) {
  for (; bits != 0; bits &= bits - 1) add_needle(bytes, at + static_cast<std::size_t>(std::countr_zero(bits) / kBits), candidates);
}

/// For each value of the low and of the high half of a byte, the pairs whose first or second byte has it.
struct NibbleTable {
  std::array<std::uint8_t, 16> low{}, high{};
};
constexpr std::array<NibbleTable, 2> kNibbles = [] {
  std::array<NibbleTable, 2> tables;
  for (std::size_t i = 0; i < kPrefixes.count; ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      const std::uint8_t byte = kPrefixes.pairs[i][k];
      tables[k].low[byte & 15] = static_cast<std::uint8_t>(tables[k].low[byte & 15] | 1U << i);
      tables[k].high[byte >> 4] = static_cast<std::uint8_t>(tables[k].high[byte >> 4] | 1U << i);
    }
  }
  return tables;
}();

#endif

#if defined(__x86_64__)

void sse2_pass(std::span<const std::byte> bytes, std::vector<Candidate>& candidates) {
  __m128i pairs[kPrefixes.count][2];
  for (std::size_t i = 0; i < kPrefixes.count; ++i)
    for (std::size_t k = 0; k < 2; ++k) pairs[i][k] = _mm_set1_epi8(static_cast<char>(kPrefixes.pairs[i][k]));
  std::size_t at = 0;
  for (; at + 17 <= bytes.size(); at += 16) {
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data() + at));
    const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data() + at + 1));
    __m128i found = _mm_setzero_si128();
    for (const auto& pair : pairs)
      found = _mm_or_si128(found, _mm_and_si128(_mm_cmpeq_epi8(first, pair[0]), _mm_cmpeq_epi8(second, pair[1])));
    if (const int bits = _mm_movemask_epi8(found); bits != 0) add_needles<1>(bytes, at, static_cast<std::uint32_t>(bits), candidates);
  }
  pass_from(bytes, at, candidates);
}

// One bit for each pair of bytes: looked up by halves of the first byte and of the second, and left where all four agree.
// src: the idea of Teddy in Hyperscan, X. Wang and others, 2019
__attribute__((target("avx2"))) void avx2_pass(std::span<const std::byte> bytes, std::vector<Candidate>& candidates) {
  __m256i low[2];
  __m256i high[2];
  for (std::size_t k = 0; k < 2; ++k) {
    low[k] = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kNibbles[k].low.data())));
    high[k] = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kNibbles[k].high.data())));
  }
  const __m256i nibble = _mm256_set1_epi8(15);
  std::size_t at = 0;
  for (; at + 33 <= bytes.size(); at += 32) {
    __m256i found = _mm256_set1_epi8(-1);
    for (std::size_t k = 0; k < 2; ++k) {
      const __m256i here = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes.data() + at + k));
      found = _mm256_and_si256(found, _mm256_shuffle_epi8(low[k], _mm256_and_si256(here, nibble)));
      found = _mm256_and_si256(found, _mm256_shuffle_epi8(high[k], _mm256_and_si256(_mm256_srli_epi16(here, 4), nibble)));
    }
    const auto none = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(found, _mm256_setzero_si256())));
    if (none != 0xffff'ffff) add_needles<1>(bytes, at, ~none, candidates);
  }
  pass_from(bytes, at, candidates);
}

#elif defined(__AARCH64EL__)

// As avx2_pass(), in 16 bytes.
void neon_pass(std::span<const std::byte> bytes, std::vector<Candidate>& candidates) {
  uint8x16_t low[2];
  uint8x16_t high[2];
  for (std::size_t k = 0; k < 2; ++k) {
    low[k] = vld1q_u8(kNibbles[k].low.data());
    high[k] = vld1q_u8(kNibbles[k].high.data());
  }
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t at = 0;
  for (; at + 17 <= bytes.size(); at += 16) {
    uint8x16_t found = vdupq_n_u8(0xff);
    for (std::size_t k = 0; k < 2; ++k) {
      const uint8x16_t here = vld1q_u8(data + at + k);
      found = vandq_u8(found, vqtbl1q_u8(low[k], vandq_u8(here, vdupq_n_u8(15))));
      found = vandq_u8(found, vqtbl1q_u8(high[k], vshrq_n_u8(here, 4)));
    }
    // half of each byte that is all ones or none: four bits a byte, of which one is kept
    const uint8x8_t halves = vshrn_n_u16(vreinterpretq_u16_u8(vtstq_u8(found, found)), 4);
    const std::uint64_t bits = vget_lane_u64(vreinterpret_u64_u8(halves), 0) & 0x1111'1111'1111'1111;
    if (bits != 0) add_needles<4>(bytes, at, bits, candidates);
  }
  pass_from(bytes, at, candidates);
}

#endif

constexpr NeedlePass kPasses[] = {
    {"portable", portable_pass},
#if defined(__x86_64__)
    {"sse2", sse2_pass},
    {"avx2", avx2_pass},  // last: not every machine has it
#elif defined(__AARCH64EL__)
    {"neon", neon_pass},
#endif
};

}  // namespace

std::span<const NeedlePass> needle_passes() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") == 0) return std::span(kPasses).first(std::size(kPasses) - 1);
#endif
  return kPasses;
}

void find_needles(View bytes, std::vector<Candidate>& candidates) { needle_passes().back().run(bytes.bytes(), candidates); }

}  // namespace unshade::find
