#include <unshade/find/checksums.hpp>

#include <bit>
#include <cstring>
#include <vector>

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

constexpr CrcTables kCrc32 = crc_tables(0xedb8'8320);
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
    constexpr std::array<std::uint32_t, 4> kRounds = {0x5a82'7999, 0x6ed9'eba1, 0x8f1b'bcdc, 0xca62'c1d6};
    const std::uint32_t next = std::rotl(a, 5) + f + e + kRounds[i / 20] + w[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  const std::array<std::uint32_t, 5> add = {a, b, c, d, e};
  for (std::size_t i = 0; i < 5; ++i) state[i] += add[i];
}

}  // namespace

std::uint32_t crc32(View bytes, std::uint32_t before) { return crc_of(kCrc32, bytes, before); }
std::uint32_t crc32c(View bytes, std::uint32_t before) { return crc_of(kCrc32c, bytes, before); }

std::uint64_t fnv1_64(View bytes, std::uint64_t basis) {
  std::uint64_t hash = basis;
  for (const std::byte byte : bytes.bytes()) hash = hash * 0x100'0000'01b3 ^ std::to_integer<std::uint64_t>(byte);
  return hash;
}

std::array<std::byte, 20> sha1(View bytes) {
  std::array<std::uint32_t, 5> state = {0x6745'2301, 0xefcd'ab89, 0x98ba'dcfe, 0x1032'5476, 0xc3d2'e1f0};
  const std::size_t whole = bytes.size() / 64 * 64;
  for (std::size_t at = 0; at < whole; at += 64) sha1_block(state, bytes.data() + at);
  // the rest, a one bit, zeros, and the number of bits
  std::array<std::byte, 128> end{};
  const std::size_t rest = bytes.size() - whole;
  if (rest != 0) std::memcpy(end.data(), bytes.data() + whole, rest);
  end[rest] = std::byte{0x80};
  const std::size_t size = rest + 9 <= 64 ? 64 : 128;
  const std::uint64_t bits = std::uint64_t{8} * bytes.size();
  for (std::size_t i = 0; i < 8; ++i) end[size - 1 - i] = static_cast<std::byte>(bits >> (8 * i));
  for (std::size_t at = 0; at < size; at += 64) sha1_block(state, end.data() + at);
  std::array<std::byte, 20> digest;
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = static_cast<std::byte>(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

}  // namespace unshade::find
