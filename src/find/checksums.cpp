#include <unshade/find/checksums.hpp>

#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__AARCH64EL__)
#include <arm_acle.h>
#include <arm_neon.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif
#endif

#include "find/checksum_paths.hpp"

namespace unshade::find {

namespace {

/// How many bytes a step takes.
constexpr std::size_t kCrcStep = 8;
using CrcTables = std::array<std::array<std::uint32_t, 256>, kCrcStep>;

/// tables[k][b]: what byte b becomes if k zeros follow it.
constexpr CrcTables crc_tables(std::uint32_t reflected_polynomial) {
  CrcTables tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? reflected_polynomial : 0);
    tables[0][b] = crc;
  }
  for (std::size_t k = 1; k < kCrcStep; ++k)
    for (std::uint32_t b = 0; b < 256; ++b) tables[k][b] = tables[k - 1][b] >> 8 ^ tables[0][tables[k - 1][b] & 0xff];
  return tables;
}

constexpr std::uint32_t kCrc32Polynomial = 0xedb8'8320;
constexpr CrcTables kCrc32 = crc_tables(kCrc32Polynomial);
constexpr CrcTables kCrc32c = crc_tables(0x82f6'3b78);

std::uint32_t crc_of(const CrcTables& tables, View bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  std::size_t at = 0;
  for (; at + kCrcStep <= bytes.size(); at += kCrcStep) {
    std::uint64_t word = bytes.load_unchecked<std::uint64_t>(at) ^ crc;
    crc = 0;
    for (std::size_t k = kCrcStep; k-- != 0; word >>= 8) crc ^= tables[k][word & 0xff];
  }
  for (; at < bytes.size(); ++at) crc = crc >> 8 ^ tables[0][(crc ^ std::to_integer<std::uint32_t>(bytes.data()[at])) & 0xff];
  return ~crc;
}

/// What SHA-1 adds in each of 20 steps.
constexpr std::array<std::uint32_t, 4> kSha1Rounds = {0x5a82'7999, 0x6ed9'eba1, 0x8f1b'bcdc, 0xca62'c1d6};

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crc32c_by_instruction(View bytes, std::uint32_t before) {
  std::uint64_t crc = ~before;
  std::size_t at = 0;
  for (; at + kCrcStep <= bytes.size(); at += kCrcStep) crc = _mm_crc32_u64(crc, bytes.load_unchecked<std::uint64_t>(at));
  auto rest = static_cast<std::uint32_t>(crc);
  for (; at < bytes.size(); ++at) rest = _mm_crc32_u8(rest, std::to_integer<std::uint8_t>(bytes.data()[at]));
  return ~rest;
}

/// x to a power, modulo the polynomial of CRC-32; one place higher, as a product of reflected numbers is one place too low.
constexpr std::uint64_t crc32_power(unsigned power) {
  std::uint32_t rest = 0x8000'0000;  // 1
  for (; power != 0; --power) rest = rest >> 1 ^ ((rest & 1) != 0 ? kCrc32Polynomial : 0);
  return std::uint64_t{rest} << 1;
}
// src: Intel, Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction, 2009, which has them as numbers
static_assert(crc32_power(4 * 128 + 32) == 0x1'5444'2bd4 && crc32_power(4 * 128 - 32) == 0x1'c6e4'1596);

constexpr std::size_t kFoldedBytes = 64;

/// Adds what stands `ahead` bits before some 16 bytes to them, so that the remainder by the polynomial stays the same.
template <unsigned ahead>
__attribute__((target("pclmul,sse4.1"))) inline __m128i fold(__m128i rest, __m128i bytes) {
  constexpr std::uint64_t kHigh = crc32_power(ahead - 32);
  constexpr std::uint64_t kLow = crc32_power(ahead + 32);
  const __m128i powers = _mm_set_epi64x(static_cast<long long>(kHigh), static_cast<long long>(kLow));
  return _mm_xor_si128(bytes, _mm_xor_si128(_mm_clmulepi64_si128(rest, powers, 0x00), _mm_clmulepi64_si128(rest, powers, 0x11)));
}

/// At least kFoldedBytes. src: the same
__attribute__((target("pclmul,sse4.1"))) std::uint32_t crc32_by_multiplication(View bytes, std::uint32_t before) {
  const auto load = [&](std::size_t at) __attribute__((target("pclmul,sse4.1"))) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data() + at));
  };
  __m128i rests[4] = {_mm_xor_si128(load(0), _mm_cvtsi32_si128(static_cast<int>(~before))), load(16), load(32), load(48)};
  std::size_t at = kFoldedBytes;
  for (; at + kFoldedBytes <= bytes.size(); at += kFoldedBytes)
    for (std::size_t i = 0; i < 4; ++i) rests[i] = fold<4 * 128>(rests[i], load(at + 16 * i));
  __m128i rest = rests[0];
  for (std::size_t i = 1; i < 4; ++i) rest = fold<128>(rest, rests[i]);
  for (; at + 16 <= bytes.size(); at += 16) rest = fold<128>(rest, load(at));
  // what is left of all before is as good as those bytes
  std::array<std::byte, 16> last;
  _mm_storeu_si128(reinterpret_cast<__m128i*>(last.data()), rest);
  constexpr std::uint32_t kNothing = 0xffff'ffff;
  return crc_of(kCrc32, bytes.clamped(at, bytes.size()), crc_of(kCrc32, View(last), kNothing));
}

/// The steps of SHA-1 over blocks of 64 bytes, by the instructions for it. Four steps are one of these; which four decides the constant.
/// src: Intel, Intel SHA Extensions, 2013
template <int kRound>
__attribute__((target("sha,sse4.1"))) inline void sha1_steps(__m128i& state, __m128i& e, __m128i words) {
  const __m128i before = state;
  state = _mm_sha1rnds4_epu32(state, _mm_sha1nexte_epu32(e, words), kRound);
  e = before;
}

__attribute__((target("sha,sse4.1"))) void sha1_blocks_by_instruction(std::array<std::uint32_t, 5>& state, const std::byte* bytes,
                                                                      std::size_t count) {
  const __m128i kSwap = _mm_set_epi64x(0x0001'0203'0405'0607, 0x0809'0a0b'0c0d'0e0f);
  __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data())), 0x1b);
  std::uint32_t e = state[4];
  for (; count != 0; --count, bytes += 64) {
    __m128i w[4];
    for (std::size_t i = 0; i < 4; ++i) w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * i)), kSwap);
    const __m128i abcd_before = abcd;
    const std::uint32_t e_before = e;
    // the first four steps take e as it is
    __m128i last = abcd;
    abcd = _mm_sha1rnds4_epu32(abcd, _mm_add_epi32(_mm_set_epi32(static_cast<int>(e), 0, 0, 0), w[0]), 0);
    for (int four = 1; four < 20; ++four) {
      __m128i& next = w[four % 4];
      if (four >= 4)
        next = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(next, w[(four + 1) % 4]), w[(four + 2) % 4]), w[(four + 3) % 4]);
      switch (four / 5) {
        case 0: sha1_steps<0>(abcd, last, next); break;
        case 1: sha1_steps<1>(abcd, last, next); break;
        case 2: sha1_steps<2>(abcd, last, next); break;
        default: sha1_steps<3>(abcd, last, next); break;
      }
    }
    // e is a of the last but four steps, turned
    e = e_before + std::rotl(static_cast<std::uint32_t>(_mm_extract_epi32(last, 3)), 30);
    abcd = _mm_add_epi32(abcd, abcd_before);
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_shuffle_epi32(abcd, 0x1b));
  state[4] = e;
}
#elif defined(__AARCH64EL__)
__attribute__((target("+crc"))) std::uint32_t crc32_by_instruction(View bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  std::size_t at = 0;
  for (; at + kCrcStep <= bytes.size(); at += kCrcStep) crc = __crc32d(crc, bytes.load_unchecked<std::uint64_t>(at));
  for (; at < bytes.size(); ++at) crc = __crc32b(crc, std::to_integer<std::uint8_t>(bytes.data()[at]));
  return ~crc;
}

__attribute__((target("+crc"))) std::uint32_t crc32c_by_instruction(View bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  std::size_t at = 0;
  for (; at + kCrcStep <= bytes.size(); at += kCrcStep) crc = __crc32cd(crc, bytes.load_unchecked<std::uint64_t>(at));
  for (; at < bytes.size(); ++at) crc = __crc32cb(crc, std::to_integer<std::uint8_t>(bytes.data()[at]));
  return ~crc;
}

/// Four steps of SHA-1 are one of the instructions for it; which four decides the constant. src: Arm, A64 instruction set, SHA1C and those
/// beside it
template <std::size_t kFour>
__attribute__((target("+crypto"))) inline void sha1_steps(uint32x4_t& abcd, std::uint32_t& e, uint32x4_t (&w)[4]) {
  uint32x4_t& words = w[kFour % 4];
  if constexpr (kFour >= 4) words = vsha1su1q_u32(vsha1su0q_u32(words, w[(kFour + 1) % 4], w[(kFour + 2) % 4]), w[(kFour + 3) % 4]);
  constexpr std::size_t kRound = kFour / 5;
  const uint32x4_t sums = vaddq_u32(words, vdupq_n_u32(kSha1Rounds[kRound]));
  const std::uint32_t next = vsha1h_u32(vgetq_lane_u32(abcd, 0));
  abcd = kRound == 0 ? vsha1cq_u32(abcd, e, sums) : kRound == 2 ? vsha1mq_u32(abcd, e, sums) : vsha1pq_u32(abcd, e, sums);
  e = next;
}

template <std::size_t... kFours>
__attribute__((target("+crypto"))) inline void sha1_all_steps(uint32x4_t& abcd, std::uint32_t& e, uint32x4_t (&w)[4],
                                                              std::index_sequence<kFours...>) {
  (sha1_steps<kFours>(abcd, e, w), ...);
}

/// Blocks of 64 bytes.
__attribute__((target("+crypto"))) void sha1_blocks_by_instruction(std::array<std::uint32_t, 5>& state, const std::byte* bytes,
                                                                   std::size_t count) {
  uint32x4_t abcd = vld1q_u32(state.data());
  std::uint32_t e = state[4];
  for (; count != 0; --count, bytes += 64) {
    uint32x4_t w[4];
    for (std::size_t i = 0; i < 4; ++i)
      w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(reinterpret_cast<const std::uint8_t*>(bytes) + 16 * i)));
    const uint32x4_t abcd_before = abcd;
    const std::uint32_t e_before = e;
    sha1_all_steps(abcd, e, w, std::make_index_sequence<20>());
    e += e_before;
    abcd = vaddq_u32(abcd, abcd_before);
  }
  vst1q_u32(state.data(), abcd);
  state[4] = e;
}
#endif

/// The steps of SHA-1 over 64 bytes.
void sha1_block(std::array<std::uint32_t, 5>& state, const std::byte* bytes) {
  std::array<std::uint32_t, 80> w;
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] = 0;
    for (std::size_t k = 0; k < 4; ++k) w[i] = w[i] << 8 | std::to_integer<std::uint32_t>(bytes[4 * i + k]);
  }
  for (std::size_t i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  auto [a, b, c, d, e] = state;
  for (std::size_t i = 0; i < 80; ++i) {
    const std::uint32_t f = i < 20 ? (b & c) | (~b & d) : i >= 40 && i < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
    const std::uint32_t next = std::rotl(a, 5) + f + e + kSha1Rounds[i / 20] + w[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  const std::array<std::uint32_t, 5> add = {a, b, c, d, e};
  for (std::size_t i = 0; i < 5; ++i) state[i] += add[i];
}

#if defined(__x86_64__)
bool has_sha_instructions() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  // leaf 7, bit 29 of EBX. src: Intel SDM, CPUID
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b >> 29 & 1) != 0 && __builtin_cpu_supports("sse4.1") != 0;
}
#elif defined(__AARCH64EL__)
// Optional before Armv8.1 and in all of Armv8: Linux says whether the processor has them. Elsewhere a build decides, as Apple's do, whose
// least processor has both.
#if defined(__linux__)
bool has_crc_instructions() { return (::getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }
bool has_sha_instructions() { return (::getauxval(AT_HWCAP) & HWCAP_SHA1) != 0; }
#else
#if defined(__ARM_FEATURE_CRC32)
constexpr bool has_crc_instructions() { return true; }
#else
constexpr bool has_crc_instructions() { return false; }
#endif
#if defined(__ARM_FEATURE_SHA2)
constexpr bool has_sha_instructions() { return true; }
#else
constexpr bool has_sha_instructions() { return false; }
#endif
#endif
#endif

}  // namespace

void portable_sha1_blocks(std::array<std::uint32_t, 5>& state, const std::byte* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sha1_block(state, bytes + 64 * i);
}

void sha1_blocks(std::array<std::uint32_t, 5>& state, const std::byte* bytes, std::size_t count) {
#if defined(__x86_64__) || defined(__AARCH64EL__)
  static const bool has_instructions = has_sha_instructions();
  if (has_instructions) return sha1_blocks_by_instruction(state, bytes, count);
#endif
  portable_sha1_blocks(state, bytes, count);
}

std::uint32_t crc32(View bytes, std::uint32_t before) {
#if defined(__x86_64__)
  if (bytes.size() >= kFoldedBytes && __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.1") != 0)
    return crc32_by_multiplication(bytes, before);
#elif defined(__AARCH64EL__)
  if (has_crc_instructions()) return crc32_by_instruction(bytes, before);
#endif
  return portable_crc32(bytes, before);
}

std::uint32_t portable_crc32(View bytes, std::uint32_t before) { return crc_of(kCrc32, bytes, before); }

std::uint32_t crc32c(View bytes, std::uint32_t before) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2") != 0) return crc32c_by_instruction(bytes, before);
#elif defined(__AARCH64EL__)
  if (has_crc_instructions()) return crc32c_by_instruction(bytes, before);
#endif
  return portable_crc32c(bytes, before);
}

std::uint32_t portable_crc32c(View bytes, std::uint32_t before) { return crc_of(kCrc32c, bytes, before); }

std::uint64_t fnv1_64(View bytes, std::uint64_t basis) {
  std::uint64_t hash = basis;
  for (const std::byte byte : bytes.bytes()) hash = hash * 0x100'0000'01b3 ^ std::to_integer<std::uint64_t>(byte);
  return hash;
}

std::array<std::uint64_t, 2> fnv1_64(View bytes, std::array<std::uint64_t, 2> bases) {
  auto [a, b] = bases;
  for (const std::byte byte : bytes.bytes()) {
    const auto value = std::to_integer<std::uint64_t>(byte);
    a = a * 0x100'0000'01b3 ^ value;
    b = b * 0x100'0000'01b3 ^ value;
  }
  return {a, b};
}

std::array<std::byte, 20> sha1(View bytes) {
  std::array<std::uint32_t, 5> state = {0x6745'2301, 0xefcd'ab89, 0x98ba'dcfe, 0x1032'5476, 0xc3d2'e1f0};
  const std::size_t whole = bytes.size() / 64 * 64;
  sha1_blocks(state, bytes.data(), whole / 64);
  // the rest, a one bit, zeros, and the number of bits
  std::array<std::byte, 128> end{};
  const std::size_t rest = bytes.size() - whole;
  if (rest != 0) std::memcpy(end.data(), bytes.data() + whole, rest);
  end[rest] = std::byte{0x80};
  const std::size_t size = rest + 9 <= 64 ? 64 : 128;
  const std::uint64_t bits = std::uint64_t{8} * bytes.size();
  for (std::size_t i = 0; i < 8; ++i) end[size - 1 - i] = static_cast<std::byte>(bits >> (8 * i));
  sha1_blocks(state, end.data(), size / 64);
  std::array<std::byte, 20> digest;
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = static_cast<std::byte>(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

}  // namespace unshade::find
