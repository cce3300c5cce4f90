// Random blocks of BC1 to BC7, each mode of BC6H and BC7 by itself, decoded here and by iOrange/bcdec, a header:
//
//   git clone https://github.com/iOrange/bcdec
//   printf '#define BCDEC_IMPLEMENTATION\n#define BCDEC_BC4BC5_PRECISE\n#define float double\n#include <bcdec.h>\n' > bcdec.c
//   clang-19 -O2 -Ibcdec -c bcdec.c
//   B=build/release; clang++-19 -std=c++20 -O2 -Ibcdec -Iinclude scripts/compare/bcdec.cpp bcdec.o \
//     -Wl,--start-group $B/libunshade_texel.a $B/libunshade_ir.a $B/libunshade_dxcontainer.a $B/libunshade_core.a -Wl,--end-group -o
//     compare_bcdec
//   ./compare_bcdec 100000
//
// Prints for each format the texels and how many differ, with the first block that does; exits 1 if one differs by more than its row
// permits. A byte b of bcdec is b / 255; its f32 is f64 here (`#define float double`), rounded once.
#define BCDEC_BC4BC5_PRECISE
#include <bcdec.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

#include <unshade/texel/formats.hpp>

namespace {

using Texels = std::array<std::array<float, 4>, 16>;
using Block16 = std::array<std::byte, 16>;

template <class Decode>
Texels bytes(Decode decode, const Block16& block) {
  std::array<std::uint8_t, 64> out{};
  decode(block.data(), out.data(), 16);
  Texels made{};
  for (std::size_t at = 0; at < 64; ++at) made[at / 4][at % 4] = static_cast<float>(out[at]) / 255.0F;
  return made;
}

template <class Decode>
Texels floats(Decode decode, const Block16& block, std::size_t components, int is_signed) {
  std::array<double, 48> out{};
  decode(block.data(), out.data(), static_cast<int>(components * 4), is_signed);
  Texels made{};
  for (std::size_t at = 0; at < 16; ++at) {
    made[at] = {0, 0, 0, 1};
    for (std::size_t c = 0; c < components; ++c) made[at][c] = static_cast<float>(out[at * components + c]);
  }
  return made;
}

// Of BC1 to BC3. src: Direct3D 11.3 functional specification 19.5.2: an error of 1 / 255 and more is permitted; 19.5.3 repeats the highest
// bits of a color of 5 or 6 bits, where bcdec rounds it to the nearest of 8 bits
constexpr double kStep = 1.0000001 / 255;
// Sums of f64 that are 0 for numbers.
constexpr double kZero = 1e-15;

Texels halves(const Block16& block, int is_signed) {
  std::array<_Float16, 48> out{};
  bcdec_bc6h_half(block.data(), out.data(), 12, is_signed);
  Texels made{};
  for (std::size_t at = 0; at < 16; ++at)
    made[at] = {static_cast<float>(out[3 * at]), static_cast<float>(out[3 * at + 1]), static_cast<float>(out[3 * at + 2]), 1};
  return made;
}

struct Row {
  const char* name;
  Texels (*decode)(const Block16& block);
  double bound;                                // of the difference
  unsigned modes;                              // 0: one
  void (*set)(Block16& block, unsigned mode);  // puts the bits of a mode
};

// Ends of -127 and -128 are one number: bcdec compares the numbers, unshade what is stored, and so they count the steps between
// differently.
bool is_undecided(const Block16& block) {
  const auto pair = [&](std::size_t at) { return block[at] == std::byte{0x81} && block[at + 1] == std::byte{0x80}; };
  return pair(0) || pair(8);
}

void bc6_mode(Block16& block, unsigned mode) {
  static constexpr std::uint8_t kCodes[] = {0, 1, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31};
  const unsigned keep = mode < 2 ? 0xfc : 0xe0;
  block[0] = static_cast<std::byte>((std::to_integer<unsigned>(block[0]) & keep) | kCodes[mode]);
}
void bc7_mode(Block16& block, unsigned mode) {
  const unsigned bit = 1U << mode;
  block[0] = mode == 8 ? std::byte{0} : static_cast<std::byte>((std::to_integer<unsigned>(block[0]) & ~(bit - 1)) | bit);
}

constexpr Row kRows[] = {
    {"BC1_UNORM", [](const Block16& b) { return bytes(bcdec_bc1, b); }, kStep, 0, nullptr},
    {"BC2_UNORM", [](const Block16& b) { return bytes(bcdec_bc2, b); }, kStep, 0, nullptr},
    {"BC3_UNORM", [](const Block16& b) { return bytes(bcdec_bc3, b); }, kStep, 0, nullptr},
    {"BC4_UNORM", [](const Block16& b) { return floats(bcdec_bc4_float, b, 1, 0); }, 0, 0, nullptr},
    {"BC4_SNORM", [](const Block16& b) { return floats(bcdec_bc4_float, b, 1, 1); }, kZero, 0, nullptr},
    {"BC5_UNORM", [](const Block16& b) { return floats(bcdec_bc5_float, b, 2, 0); }, 0, 0, nullptr},
    {"BC5_SNORM", [](const Block16& b) { return floats(bcdec_bc5_float, b, 2, 1); }, kZero, 0, nullptr},
    {"BC6H_UF16", [](const Block16& b) { return halves(b, 0); }, 0, 18, bc6_mode},
    {"BC6H_SF16", [](const Block16& b) { return halves(b, 1); }, 0, 18, bc6_mode},
    {"BC7_UNORM", [](const Block16& b) { return bytes(bcdec_bc7, b); }, 0, 9, bc7_mode},
};

}  // namespace

int main(int argc, char** argv) {
  const unsigned long count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 40000;
  std::mt19937_64 random(1);
  bool agree = true;
  for (const Row& row : kRows) {
    const auto format = unshade::texel::find_format(row.name);
    std::uint64_t texels = 0, differ = 0;
    double worst = 0;
    char first[200] = "";
    for (unsigned mode = 0; mode < (row.modes == 0 ? 1 : row.modes); ++mode) {
      for (unsigned long at = 0; at < count; ++at) {
        Block16 block;
        for (std::byte& byte : block) byte = static_cast<std::byte>(random());
        if (row.set != nullptr) row.set(block, mode);
        if (is_undecided(block)) continue;
        const Texels theirs = row.decode(block);
        for (unsigned texel = 0; texel < 16; ++texel) {
          const auto ours = unshade::texel::load_texel(*format, block.data(), texel % 4, texel / 4);
          ++texels;
          bool same = true;
          for (unsigned c = 0; c < 4; ++c) {
            const float value = std::bit_cast<float>(ours[c]);
            same = same && value == theirs[texel][c];
            worst = std::fmax(worst, std::fabs(double{value} - theirs[texel][c]));
          }
          if (same) continue;
          if (differ++ == 0) {
            int used = std::snprintf(first, sizeof first, "; first:");
            for (const std::byte byte : block)
              used += std::snprintf(first + used, sizeof first - used, " %02x", std::to_integer<unsigned>(byte));
            std::snprintf(first + used, sizeof first - used, " mode %u texel %u: %g %g %g %g, bcdec %g %g %g %g", mode, texel,
                          std::bit_cast<float>(ours[0]), std::bit_cast<float>(ours[1]), std::bit_cast<float>(ours[2]),
                          std::bit_cast<float>(ours[3]), theirs[texel][0], theirs[texel][1], theirs[texel][2], theirs[texel][3]);
          }
        }
      }
    }
    std::printf("%-10s %10llu texels, %llu differ, by at most %g%s\n", row.name, static_cast<unsigned long long>(texels),
                static_cast<unsigned long long>(differ), worst, first);
    agree = agree && worst <= row.bound;
  }
  return agree ? 0 : 1;
}
