#include "texel/blocks.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include <unshade/texel/memory.hpp>

namespace unshade::texel {
namespace {

using BlockTexel = std::array<std::uint32_t, 4>;
using Colors = std::span<const float, 256>;

// The bits of a block from the lowest on.
class BlockBits {
 public:
  explicit BlockBits(const std::byte* block) { std::memcpy(words_.data(), block, 16); }
  std::uint32_t at(unsigned first, unsigned count) const {
    std::uint64_t word = words_[first / 64] >> (first % 64);
    if (first % 64 + count > 64) word |= words_[1] << (64 - first % 64);
    return static_cast<std::uint32_t>(word & ((std::uint64_t{1} << count) - 1));
  }
  std::uint32_t next(unsigned count) {
    const std::uint32_t bits = count == 0 ? 0 : at(place, count);
    place += count;
    return bits;
  }
  unsigned place = 0;

 private:
  std::array<std::uint64_t, 2> words_{};
};

std::uint64_t word_at(const std::byte* bytes, unsigned count) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, count);
  return word;
}

// --- BC1 to BC5 --------------------------------------------------------------------------------------------------------------------------

// 5, 6 and 5 bits to 8 each: the highest bits follow the lowest.
std::array<unsigned, 3> promoted(unsigned color) {
  const unsigned red = color >> 11 & 31, green = color >> 5 & 63, blue = color & 31;
  return {red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2};
}

// src: 19.5.6; 19.5.2 lets the division round to nearest, as here. `has_three`: a block whose first color is not above the second has one
// between them, and transparent black
BlockTexel color_of(const std::byte* block, unsigned texel, bool has_three, Colors colors) {
  const auto first = static_cast<unsigned>(word_at(block, 2)), second = static_cast<unsigned>(word_at(block + 2, 2));
  const unsigned code = static_cast<unsigned>(word_at(block + 4, 4) >> (2 * texel)) & 3;
  const auto a = promoted(first), b = promoted(second);
  const bool is_three = has_three && first <= second;
  BlockTexel made{0, 0, 0, f32_bits(1)};
  if (is_three && code == 3) return {0, 0, 0, 0};
  for (unsigned k = 0; k < 3; ++k) {
    const unsigned value = code == 0   ? a[k]
                           : code == 1 ? b[k]
                           : is_three  ? (a[k] + b[k] + 1) / 2
                           : code == 2 ? (2 * a[k] + b[k] + 1) / 3
                                       : (a[k] + 2 * b[k] + 1) / 3;
    made[k] = std::bit_cast<std::uint32_t>(colors[value]);
  }
  return made;
}

// src: 19.5.9, 19.5.10
std::uint32_t single_of(const std::byte* block, unsigned texel, bool is_signed) {
  const auto end = [&](unsigned at) {
    const int byte = std::to_integer<int>(block[at]);
    return is_signed ? int{static_cast<std::int8_t>(byte)} : byte;
  };
  const bool is_eight = end(0) > end(1);
  const int least = is_signed ? -127 : 0, most = is_signed ? 127 : 255;
  const int a = std::max(end(0), least), b = std::max(end(1), least);
  const int code = static_cast<int>(word_at(block + 2, 6) >> (3 * texel)) & 7;
  if (code == 0) return f32_bits(static_cast<double>(a) / most);
  if (code == 1) return f32_bits(static_cast<double>(b) / most);
  if (is_eight) return f32_bits(static_cast<double>((8 - code) * a + (code - 1) * b) / (7 * most));
  if (code == 6) return f32_bits(is_signed ? -1 : 0);
  if (code == 7) return f32_bits(1);
  return f32_bits(static_cast<double>((6 - code) * a + (code - 1) * b) / (5 * most));
}

// --- BC6H and BC7 ------------------------------------------------------------------------------------------------------------------------

constexpr std::array<std::uint8_t, 16> kWeights[] = {
    {0, 21, 43, 64}, {0, 9, 18, 27, 37, 46, 55, 64}, {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64}};

// Of 2 to 4 bits of index.
template <class Integer>
Integer between(Integer a, Integer b, unsigned index, unsigned index_bits) {
  const Integer weight = kWeights[index_bits - 2][index];
  return (a * (64 - weight) + b * weight + 32) >> 6;
}

// How a block is divided: the texels of subsets 1 and 2, and the texels after the first whose index has a bit less.
struct Partition {
  std::uint16_t second, third;
  std::uint8_t fix_second, fix_third;
};
constexpr Partition kHalves[] = {
#define BC_PARTITION2(second, fix) {second, 0, fix, 0},
#include "texel/blocks.def"
};
constexpr Partition kThirds[] = {
#define BC_PARTITION3(second, third, fix_second, fix_third) {second, third, fix_second, fix_third},
#include "texel/blocks.def"
};

struct Divided {
  const Partition* partition = nullptr;  ///< null: one subset
  unsigned subset(unsigned texel) const {
    if (partition == nullptr) return 0;
    return (partition->second >> texel & 1) != 0 ? 1 : (partition->third >> texel & 1) != 0 ? 2 : 0;
  }
  /// The index of a texel, of indices of `bits` each from bit `first` of the block on.
  unsigned index(const BlockBits& block, unsigned first, unsigned bits, unsigned texel) const {
    const auto is_fixed = [&](unsigned at) {
      if (at == 0) return true;
      return partition != nullptr && (partition->fix_second == at || (partition->third != 0 && partition->fix_third == at));
    };
    unsigned place = first + texel * bits;
    for (unsigned before = 0; before < texel; ++before) place -= is_fixed(before) ? 1 : 0;
    return block.at(place, is_fixed(texel) ? bits - 1 : bits);
  }
};

struct FieldBit {
  std::uint8_t field;  ///< component * 4 + endpoint; 12: the partition
  std::uint8_t bit;
};
struct Bc6Mode {
  std::uint8_t code, code_bits, regions;
  bool transformed;
  std::uint8_t bits;
  std::array<std::uint8_t, 3> differences;
  unsigned count = 0;
  std::array<FieldBit, 80> layout{};
};

constexpr Bc6Mode bc6_mode(unsigned code, unsigned code_bits, unsigned regions, bool transformed, unsigned bits, unsigned red,
                           unsigned green, unsigned blue, std::string_view layout) {
  Bc6Mode made{static_cast<std::uint8_t>(code),
               static_cast<std::uint8_t>(code_bits),
               static_cast<std::uint8_t>(regions),
               transformed,
               static_cast<std::uint8_t>(bits),
               {static_cast<std::uint8_t>(red), static_cast<std::uint8_t>(green), static_cast<std::uint8_t>(blue)}};
  const auto number = [&] {
    int value = 0;
    while (!layout.empty() && layout.front() >= '0' && layout.front() <= '9') {
      value = value * 10 + (layout.front() - '0');
      layout.remove_prefix(1);
    }
    return value;
  };
  while (!layout.empty()) {
    unsigned field = 12;
    if (layout.front() != 'd') {
      field = static_cast<unsigned>(std::string_view("rgb").find(layout.front()) * 4 + std::string_view("wxyz").find(layout[1]));
      layout.remove_prefix(1);
    }
    layout.remove_prefix(1);
    const int first = number();
    int last = first;
    if (!layout.empty() && layout.front() == '-') {
      layout.remove_prefix(1);
      last = number();
    }
    for (int bit = first;; bit += last < first ? -1 : 1) {
      made.layout[made.count++] = {static_cast<std::uint8_t>(field), static_cast<std::uint8_t>(bit)};
      if (bit == last) break;
    }
    if (!layout.empty()) layout.remove_prefix(1);
  }
  return made;
}

constexpr Bc6Mode kBc6Modes[] = {
#define BC6_MODE(code, code_bits, regions, transformed, bits, red, green, blue, layout) \
  bc6_mode(code, code_bits, regions, transformed, bits, red, green, blue, layout),
#include "texel/blocks.def"
};

int extended(int value, unsigned bits) {
  const int sign = 1 << (bits - 1);
  const int low = value & ((1 << bits) - 1);
  return (low ^ sign) - sign;
}

// src: 19.5.13.9
int unquantized(int value, unsigned bits, bool is_signed) {
  if (!is_signed) {
    if (bits >= 15 || value == 0) return value;
    return value == (1 << bits) - 1 ? 0xffff : ((value << 16) + 0x8000) >> bits;
  }
  if (bits >= 16 || value == 0) return value;
  const int magnitude = value < 0 ? -value : value;
  const int made = magnitude >= (1 << (bits - 1)) - 1 ? 0x7fff : ((magnitude << 15) + 0x4000) >> (bits - 1);
  return value < 0 ? -made : made;
}

// src: 19.5.13.10: bits of a half
std::uint32_t finished(int value, bool is_signed) {
  if (!is_signed) return static_cast<std::uint32_t>(value * 31 >> 6);
  return value < 0 ? 0x8000U | static_cast<std::uint32_t>(-value * 31 >> 5) : static_cast<std::uint32_t>(value * 31 >> 5);
}

BlockTexel bc6(const std::byte* bytes, unsigned texel, bool is_signed) {
  BlockBits block(bytes);
  const std::uint32_t low = block.at(0, 5);
  const auto* const mode =
      std::ranges::find_if(kBc6Modes, [&](const Bc6Mode& one) { return one.code == (low & ((1U << one.code_bits) - 1)); });
  if (mode == std::end(kBc6Modes)) return {0, 0, 0, f32_bits(1)};
  std::array<int, 13> fields{};
  for (unsigned k = 0; k < mode->count; ++k) {
    const auto [field, bit] = mode->layout[k];
    fields[field] |= static_cast<int>(block.at(mode->code_bits + k, 1) << bit);
  }
  const Divided divided{mode->regions == 2 ? &kHalves[fields[12]] : nullptr};
  const unsigned index_bits = mode->regions == 2 ? 3 : 4;
  const unsigned index = divided.index(block, mode->code_bits + mode->count, index_bits, texel);
  const unsigned first = divided.subset(texel) * 2;
  BlockTexel made{0, 0, 0, f32_bits(1)};
  for (unsigned k = 0; k < 3; ++k) {
    const auto endpoint = [&](unsigned number) {
      const int base = is_signed ? extended(fields[k * 4], mode->bits) : fields[k * 4];
      if (number == 0) return base;
      int value = fields[k * 4 + number];
      if (is_signed || mode->transformed) value = extended(value, mode->differences[k]);
      if (mode->transformed) {
        value = (value + base) & ((1 << mode->bits) - 1);
        if (is_signed) value = extended(value, mode->bits);
      }
      return value;
    };
    const int a = unquantized(endpoint(first), mode->bits, is_signed), b = unquantized(endpoint(first + 1), mode->bits, is_signed);
    made[k] = static_cast<std::uint32_t>(from_memory(ir::Type::f16, finished(between(a, b, index, index_bits), is_signed)));
  }
  return made;
}

struct Bc7Mode {
  std::uint8_t subsets, partition, rotation, selection, color, alpha, own_last, shared_last, index,
      second_index;  ///< all but subsets: bits
};
// src: 19.5.14.4
constexpr Bc7Mode kBc7Modes[] = {{3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
                                 {2, 6, 0, 0, 7, 0, 1, 0, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
                                 {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0}};

BlockTexel bc7(const std::byte* bytes, unsigned texel, Colors colors) {
  BlockBits block(bytes);
  const auto number = static_cast<unsigned>(std::countr_zero(block.at(0, 8) | 0x100));
  if (number == 8) return {};
  const Bc7Mode& mode = kBc7Modes[number];
  block.place = number + 1;
  const std::uint32_t partition = block.next(mode.partition);
  const Divided divided{mode.subsets == 3 ? &kThirds[partition] : mode.subsets == 2 ? &kHalves[partition] : nullptr};
  const std::uint32_t rotation = block.next(mode.rotation);
  const std::uint32_t selection = block.next(mode.selection);
  const unsigned first = divided.subset(texel) * 2;
  std::array<std::array<std::uint32_t, 4>, 2> ends{};
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned bits = k < 3 ? mode.color : mode.alpha;
    for (unsigned end = 0; end < 2; ++end) ends[end][k] = bits == 0 ? 255 : block.at(block.place + (first + end) * bits, bits);
    block.place += 2U * mode.subsets * bits;
  }
  const bool has_last = mode.own_last + mode.shared_last != 0;
  for (unsigned end = 0; end < 2 && has_last; ++end) {
    const std::uint32_t last = block.at(block.place + (mode.own_last != 0 ? first + end : first / 2), 1);
    for (unsigned k = 0; k < (mode.alpha != 0 ? 4U : 3U); ++k) ends[end][k] = ends[end][k] << 1 | last;
  }
  block.place += mode.own_last != 0 ? 2U * mode.subsets : mode.shared_last != 0 ? mode.subsets : 0U;
  for (unsigned k = 0; k < 4; ++k) {
    if (k == 3 && mode.alpha == 0) continue;
    const unsigned bits = (k < 3 ? mode.color : mode.alpha) + (has_last ? 1U : 0U);
    for (auto& end : ends) end[k] = end[k] << (8 - bits) | end[k] >> (2 * bits - 8);
  }
  const unsigned index = divided.index(block, block.place, mode.index, texel);
  unsigned alpha_index = index, color_index = index, alpha_bits = mode.index, color_bits = mode.index;
  if (mode.second_index != 0) {
    const unsigned subsets = mode.subsets;
    const unsigned second = divided.index(block, block.place + 16U * mode.index - subsets, mode.second_index, texel);
    (selection != 0 ? color_index : alpha_index) = second;
    (selection != 0 ? color_bits : alpha_bits) = mode.second_index;
  }
  std::array<std::uint32_t, 4> value{};
  for (unsigned k = 0; k < 4; ++k)
    value[k] = k < 3 ? between(ends[0][k], ends[1][k], color_index, color_bits) : between(ends[0][k], ends[1][k], alpha_index, alpha_bits);
  if (rotation != 0) std::swap(value[3], value[rotation - 1]);
  BlockTexel made{};
  for (unsigned k = 0; k < 3; ++k) made[k] = std::bit_cast<std::uint32_t>(colors[value[k]]);
  made[3] = f32_bits(value[3] / 255.0);
  return made;
}

BlockTexel shared_color(const std::byte* bytes, unsigned x, bool green_first, Colors colors) {
  const auto at = [&](unsigned byte) { return std::bit_cast<std::uint32_t>(colors[std::to_integer<std::size_t>(bytes[byte])]); };
  const unsigned green = green_first ? 0 : 1, other = green_first ? 1 : 0;
  return {at(other), at(green + 2 * x), at(other + 2), f32_bits(1)};
}

}  // namespace

std::array<std::uint32_t, 4> decode_block(const Format& format, const std::byte* block, unsigned x, unsigned y, Colors colors) {
  const unsigned texel = y * 4 + x;
  const bool is_signed = format.encoding == Encoding::snorm;
  switch (format.block) {
    case Block::r8g8_b8g8: return shared_color(block, x, false, colors);
    case Block::g8r8_g8b8: return shared_color(block, x, true, colors);
    case Block::bc1: return color_of(block, texel, true, colors);
    case Block::bc2: {
      BlockTexel made = color_of(block + 8, texel, false, colors);
      made[3] = f32_bits(static_cast<double>(word_at(block, 8) >> (4 * texel) & 15) / 15);
      return made;
    }
    case Block::bc3: {
      BlockTexel made = color_of(block + 8, texel, false, colors);
      made[3] = single_of(block, texel, false);
      return made;
    }
    case Block::bc4: return {single_of(block, texel, is_signed), 0, 0, f32_bits(1)};
    case Block::bc5: return {single_of(block, texel, is_signed), single_of(block + 8, texel, is_signed), 0, f32_bits(1)};
    case Block::bc6_unsigned: return bc6(block, texel, false);
    case Block::bc6_signed: return bc6(block, texel, true);
    case Block::bc7: return bc7(block, texel, colors);
    default: return {};
  }
}

}  // namespace unshade::texel
