#include "dxil/module/abbreviations.hpp"

#include <algorithm>
#include <bit>

namespace unshade::dxil::module {

namespace {

/// Bits of an operand, or -1 if it cannot be held.
std::int64_t bits_of(AbbreviationOperand layout, std::uint64_t value) {
  switch (layout.encoding) {
    case Encoding::literal: return value == layout.value ? 0 : -1;
    case Encoding::fixed: return layout.value >= 64 || value >> layout.value == 0 ? static_cast<std::int64_t>(layout.value) : -1;
    case Encoding::vbr: {
      if (layout.value == 0) return value == 0 ? 0 : -1;
      const auto width = static_cast<std::int64_t>(layout.value);
      return (std::max<std::int64_t>(static_cast<std::int64_t>(std::bit_width(value)), 1) + width - 2) / (width - 1) * width;
    }
    case Encoding::char6: return is_char6(value) ? 6 : -1;
    default: return -1;
  }
}

std::int64_t bits_of(const Abbreviation& layout, std::uint32_t code, std::span<const std::uint64_t> operands) {
  std::int64_t sum = bits_of(layout[0], code);
  std::size_t at = 0;
  for (std::size_t i = 1; i < layout.size() && sum >= 0; ++i) {
    if (layout[i].encoding == Encoding::blob) return -1;
    if (layout[i].encoding == Encoding::array) {
      for (; at < operands.size(); ++at) {
        const std::int64_t bits = bits_of(layout[i + 1], operands[at]);
        if (bits < 0) return -1;
        sum += bits;
      }
      return sum;
    }
    if (at == operands.size()) return -1;
    const std::int64_t bits = bits_of(layout[i], operands[at++]);
    if (bits < 0) return -1;
    sum += bits;
  }
  return at == operands.size() ? sum : -1;
}

}  // namespace

std::uint32_t choose(std::span<const Abbreviation> all, std::uint32_t code, std::span<const std::uint64_t> operands) {
  std::uint32_t best = abbreviation::kUnabbreviated;
  std::int64_t least = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::int64_t bits = bits_of(all[i], code, operands);
    if (bits < 0 || (best != abbreviation::kUnabbreviated && bits >= least)) continue;
    best = abbreviation::kFirst + static_cast<std::uint32_t>(i);
    least = bits;
  }
  return best;
}

}  // namespace unshade::dxil::module
