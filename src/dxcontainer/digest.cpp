#include <unshade/dxcontainer/digest.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include <unshade/core/bits/little_endian.hpp>

namespace unshade::dxcontainer {

namespace {

// src: RFC 1321, 3.4: T[i] is the integer part of 4294967296 * abs(sin(i)).
constexpr std::array<std::uint32_t, 64> kSines = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1,
    0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453,
    0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942,
    0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05,
    0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d,
    0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
constexpr std::array<std::array<int, 4>, 4> kShifts = {{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

class Md5 {
 public:
  void block(const std::byte* bytes) { blocks<1>({this}, {bytes}); }
  /// A block of each of several messages: a step waits for the one before, and those of another message fill the wait.
  template <std::size_t kMessages>
  static void blocks(const std::array<Md5*, kMessages>& messages, const std::array<const std::byte*, kMessages>& bytes) {
    std::array<Words, kMessages> words;
    std::array<State, kMessages> states;
    for (std::size_t m = 0; m < kMessages; ++m) {
      const View view({bytes[m], 64});
      for (std::size_t i = 0; i < 16; ++i) words[m][i] = view.load_unchecked<std::uint32_t>(4 * i);
      states[m] = messages[m]->state_;
    }
    [&]<std::size_t... i>(std::index_sequence<i...>) { (step<i>(states, words), ...); }(std::make_index_sequence<64>());
    for (std::size_t m = 0; m < kMessages; ++m)
      for (std::size_t i = 0; i < 4; ++i) messages[m]->state_[i] += states[m][i];
  }
  Digest digest() const {
    Digest digest;
    for (std::size_t i = 0; i < 16; ++i) digest[i] = static_cast<std::byte>(state_[i / 4] >> (8 * (i % 4)));
    return digest;
  }

 private:
  using Words = std::array<std::uint32_t, 16>;
  using State = std::array<std::uint32_t, 4>;

  template <std::size_t i, std::size_t kMessages>
  static void step(std::array<State, kMessages>& states, const std::array<Words, kMessages>& words) {
    for (std::size_t m = 0; m < kMessages; ++m) step<i>(states[m], words[m]);
  }
  /// Step i of the 64, which rotates the names of the four: each step waits for the one before, so that all else is known when this is
  /// compiled.
  template <std::size_t i>
  static void step(State& state, const Words& words) {
    constexpr std::size_t round = i / 16;
    constexpr std::size_t word = round == 0 ? i : round == 1 ? (5 * i + 1) % 16 : round == 2 ? (3 * i + 5) % 16 : (7 * i) % 16;
    std::uint32_t& a = state[(64 - i) % 4];
    const std::uint32_t b = state[(65 - i) % 4], c = state[(66 - i) % 4], d = state[(67 - i) % 4];
    a += kSines[i] + words[word];
    if constexpr (round == 0) {
      a += d ^ (b & (c ^ d));
    } else if constexpr (round == 1) {
      a += c & ~d;  // apart from the next term, whose bits are others: that one alone waits for b
      a += b & d;
    } else if constexpr (round == 2) {
      a += b ^ (c ^ d);
    } else {
      a += c ^ (b | ~d);
    }
    a = std::rotl(a, kShifts[round][i % 4]) + b;
  }

  State state_ = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
};

constexpr std::size_t kDigestedFrom = 20;  // magic and digest themselves are left out

}  // namespace

std::string_view id(DigestState state) {
  switch (state) {
    case DigestState::valid: return "valid";
    case DigestState::valid_debug: return "valid-debug";
    case DigestState::zero: return "unsigned";
    case DigestState::bypass: return "bypass";
    case DigestState::preview_bypass: return "preview-bypass";
    case DigestState::wrong: return "wrong";
  }
  return "unknown";
}

Digest compute_digest(View container, DigestVariant variant) {
  const View bytes = container.clamped(kDigestedFrom, container.size());
  const auto length = static_cast<std::uint32_t>(bytes.size());
  const bool debug = variant == DigestVariant::debug;
  const std::uint32_t first = debug ? (length << 4) | 0xf : length * 8;
  const std::uint32_t last = debug ? (length << 2) | 0x1000'0000 : (length * 2) | 1;

  Md5 md5;
  std::size_t at = 0;
  for (; bytes.size() - at >= 64; at += 64) md5.block(bytes.data() + at);
  const std::size_t tail = bytes.size() - at;
  std::array<std::byte, 64> block{};
  const auto copy_tail = [&](std::size_t to) {
    if (tail != 0) std::memcpy(block.data() + to, bytes.data() + at, tail);
    block[to + tail] = std::byte{0x80};
  };
  if (tail < 56) {
    store_little_endian<std::uint32_t>(block.data(), first);
    copy_tail(4);
  } else {
    copy_tail(0);
    md5.block(block.data());
    block = {};
    store_little_endian<std::uint32_t>(block.data(), first);
  }
  store_little_endian<std::uint32_t>(block.data() + 60, last);
  md5.block(block.data());
  return md5.digest();
}

namespace {

/// Of a message whose first `at` bytes, whole blocks, are in the state.
Digest rest_of_md5(Md5 state, View bytes, std::size_t at) {
  for (; bytes.size() - at >= 64; at += 64) state.block(bytes.data() + at);
  const std::size_t tail = bytes.size() - at;
  std::array<std::byte, 64> block{};
  if (tail != 0) std::memcpy(block.data(), bytes.data() + at, tail);
  block[tail] = std::byte{0x80};
  if (tail >= 56) {
    state.block(block.data());
    block = {};
  }
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  store_little_endian<std::uint32_t>(block.data() + 56, static_cast<std::uint32_t>(bits));
  store_little_endian<std::uint32_t>(block.data() + 60, static_cast<std::uint32_t>(bits >> 32));
  state.block(block.data());
  return state.digest();
}

}  // namespace

Digest md5(View bytes) { return rest_of_md5({}, bytes, 0); }

std::array<Digest, 2> md5(View first, View second) {
  std::array<Md5, 2> states;
  std::size_t at = 0;
  for (const std::size_t both = std::min(first.size(), second.size()); both - at >= 64; at += 64)
    Md5::blocks<2>({&states[0], &states[1]}, {first.data() + at, second.data() + at});
  return {rest_of_md5(states[0], first, at), rest_of_md5(states[1], second, at)};
}

Digest sentinel(DigestState state) {
  Digest digest{};
  if (state == DigestState::bypass) digest.fill(std::byte{1});
  if (state == DigestState::preview_bypass) digest.fill(std::byte{2});
  return digest;
}

DigestState check_digest(const Container& container) {
  for (const DigestState state : {DigestState::zero, DigestState::bypass, DigestState::preview_bypass})
    if (container.digest == sentinel(state)) return state;
  const View whole = container.file.clamped(0, container.size);
  if (compute_digest(whole, DigestVariant::standard) == container.digest) return DigestState::valid;
  if (compute_digest(whole, DigestVariant::debug) == container.digest) return DigestState::valid_debug;
  return DigestState::wrong;
}

}  // namespace unshade::dxcontainer
