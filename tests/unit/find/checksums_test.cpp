// Checksums against published check values, and against Python's zlib and hashlib.
#include <unshade/find/checksums.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text.hpp>

#include "find/checksum_paths.hpp"

namespace unshade::test {

namespace {

View bytes_of(std::string_view text) { return View(std::as_bytes(std::span(text.data(), text.size()))); }

/// bytes((i * 7 + 3) & 255 for i in range(size))
std::vector<std::byte> counted(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + 3);
  return bytes;
}

std::string hex_of(std::span<const std::byte> bytes) {
  Text text;
  for (const std::byte byte : bytes) text.hex(std::to_integer<std::uint64_t>(byte), 2);
  return text.str();
}

// src: the check values of the catalogue of parametrised CRC algorithms, CRC-32/ISO-HDLC and CRC-32/ISCSI
TEST(Checksums, Crc32HasItsCheckValue) {
  EXPECT_EQ(find::crc32(bytes_of("123456789")), 0xcbf4'3926U);
  EXPECT_EQ(find::crc32({}), 0U);
  EXPECT_EQ(find::crc32(View(counted(1000))), 0x17bc'2a46U);
}

TEST(Checksums, Crc32cHasItsCheckValue) {
  EXPECT_EQ(find::crc32c(bytes_of("123456789")), 0xe306'9283U);
  EXPECT_EQ(find::crc32c(View(counted(1000))), 0xdd2e'dff7U);
}

TEST(Checksums, CrcOfPiecesIsThatOfTheWhole) {
  const auto bytes = counted(300);
  const View whole(bytes);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    EXPECT_EQ(find::crc32(whole.clamped(cut, 300), find::crc32(whole.clamped(0, cut))), find::crc32(whole));
    EXPECT_EQ(find::crc32c(whole.clamped(cut, 300), find::crc32c(whole.clamped(0, cut))), find::crc32c(whole));
  }
}

// src: test vectors of draft-eastlake-fnv
TEST(Checksums, Fnv1HasItsTestVectors) {
  EXPECT_EQ(find::fnv1_64({}), 0xcbf2'9ce4'8422'2325U);
  EXPECT_EQ(find::fnv1_64(bytes_of("a")), 0xaf63'bd4c'8601'b7beU);
  EXPECT_EQ(find::fnv1_64(bytes_of("foobar")), 0x340d'8765'a4dd'a9c2U);
  EXPECT_EQ(find::fnv1_64({}, 0), 0U);
}

// src: RFC 3174, 7.3, and hashlib for sizes around the padding's
TEST(Checksums, Sha1HasItsTestVectors) {
  EXPECT_EQ(hex_of(find::sha1(bytes_of("abc"))), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex_of(find::sha1({})), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(hex_of(find::sha1(View(counted(55)))), "ddf57317ef34bfee3b6df83d359098930eb278bc");
  EXPECT_EQ(hex_of(find::sha1(View(counted(56)))), "a0d492bb0fc889d0eca3bc137066ab6f4f74f369");
  EXPECT_EQ(hex_of(find::sha1(View(counted(63)))), "c55856749bef509bdfe6bfebfc7bf4e793e82132");
  EXPECT_EQ(hex_of(find::sha1(View(counted(64)))), "bede92be29c3874e1b54ddc77988d606fc857a8e");
  EXPECT_EQ(hex_of(find::sha1(View(counted(119)))), "504e27376a6e0f0dba8295b85cb25dc4dfa17d23");
  EXPECT_EQ(hex_of(find::sha1(View(counted(1000)))), "4231a8a50a10fa9758db8ec71fdef855b751048a");
}

// src: xxHash, cli/xsum_sanity_check.c: its generator, and the digests of as many of its bytes, for each of the algorithm's ways
TEST(Checksums, Xxh3HasItsTestVectors) {
  if (!find::has_xxh3()) GTEST_SKIP() << "built without xxHash";
  std::vector<std::byte> generated(512);
  std::uint64_t state = 0x9e37'79b1;
  for (std::byte& byte : generated) {
    byte = static_cast<std::byte>(state >> 56);
    state *= 0x9e37'79b1'85eb'ca8d;
  }
  const auto of_first = [&](std::size_t size) { return hex_of(find::xxh3_128(View(generated).clamped(0, size))); };
  EXPECT_EQ(of_first(0), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(of_first(1), "a6cd5e9392000f6ac44bdff4074eecdb");
  EXPECT_EQ(of_first(3), "20efc49ff02422ea54247382a8d6b94d");
  EXPECT_EQ(of_first(8), "47a7f080d82bb45664c69cab4bb21dc5");
  EXPECT_EQ(of_first(16), "c68c368ecf8a9c05562980258a998629");
  EXPECT_EQ(of_first(128), "39992220e045260aebb15e34a7fb5ab1");
  EXPECT_EQ(of_first(240), "aa4202daa2769dc85c9aae94c8ebe5a0");
  EXPECT_EQ(of_first(512), "18d2d110dcc9bca1617e49599013cb6b");
  EXPECT_EQ(hex_of(find::xxh3_128(bytes_of("abc"))), "06b05ab6733a618578af5f94892f3950");
}

// What the processor has instructions for, and without them.
TEST(Checksums, AreTheSameOnAllPaths) {
  const auto bytes = counted(1000);
  for (std::size_t size = 0; size < bytes.size(); size += size < 300 ? 1 : 233) {
    const View part = View(bytes).clamped(1, size);
    EXPECT_EQ(find::crc32(part, 5), find::portable_crc32(part, 5)) << size;
    EXPECT_EQ(find::crc32c(part, 5), find::portable_crc32c(part, 5)) << size;
    const std::array<std::uint64_t, 2> both = {find::fnv1_64(part), find::fnv1_64(part, std::uint64_t{0})};
    EXPECT_EQ(find::fnv1_64(part, {find::kFnvBasis, 0}), both) << size;
  }
  std::array<std::uint32_t, 5> state = {1, 2, 3, 4, 0xffff'ffff};
  std::array<std::uint32_t, 5> same = state;
  find::sha1_blocks(state, bytes.data(), 15);
  find::portable_sha1_blocks(same, bytes.data(), 15);
  EXPECT_EQ(state, same);
}

}  // namespace

}  // namespace unshade::test
