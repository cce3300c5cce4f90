#include "suite/equivalence/numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

#include <unshade/core/bits/half.hpp>
#include <unshade/core/bits/sign_extended.hpp>
#include <unshade/run/trace.hpp>

namespace unshade::suite::equivalence {
namespace {

using Kind = cases::NumberType::Kind;

constexpr double kMostSingle = std::numeric_limits<float>::max();

// src: Sebastiano Vigna, splitmix64.c
std::uint64_t next_bits(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e37'79b9'7f4a'7c15;
  z = (z ^ z >> 30) * 0xbf58'476d'1ce4'e5b9;
  z = (z ^ z >> 27) * 0x94d0'49bb'1331'11eb;
  return z ^ z >> 31;
}

}  // namespace

void Constants::add(const ir::Function& function, ir::Id id) {
  constexpr std::size_t kMost = 1024;
  const ir::Inst& inst = function.insts[id];
  if (inst.op != ir::Op::constant || inst.type == ir::Type::b1) return;
  const std::uint64_t bits = ir::constant_bits(function, id);
  if (!ir::is_float(inst.type)) {
    if (wholes.size() < kMost) wholes.push_back(bits);
    return;
  }
  const double value = inst.type == ir::Type::f64   ? std::bit_cast<double>(bits)
                       : inst.type == ir::Type::f16 ? std::bit_cast<float>(single_bits_of_half(static_cast<std::uint32_t>(bits)))
                                                    : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (std::isfinite(value) && reals.size() < kMost) reals.push_back(value);
}

void KnownConstants::add(const ir::Module& module) {
  for (const ir::Function& function : module.functions) {
    for (ir::Id id = 0; id < function.insts.size(); ++id) {
      all.add(function, id);
      if (!decides(function, id)) continue;
      for (const ir::Id operand : function.operands_of(id))
        if (operand < function.insts.size()) compared.add(function, operand);
    }
  }
}

Numbers::Numbers(std::uint64_t seed, unsigned set)
    : state_(seed * 0x9e37'79b9'7f4a'7c15 ^ std::uint64_t{set} << 32), choices_(~state_), flavour_(Flavour{set % kFlavours}), set_(set) {}

std::uint64_t Numbers::word_or_constant(std::span<const WordKinds::Compared> of_a, std::span<const WordKinds::Compared> of_b,
                                        std::uint64_t word) {
  if (!decides_) return word;
  const auto constants_of = [](std::span<const WordKinds::Compared> all, WordKinds::Field field) -> std::span<const std::uint64_t> {
    const auto found = std::ranges::find(all, field, &WordKinds::Compared::field);
    return found == all.end() ? std::span<const std::uint64_t>() : found->constants;
  };
  const auto choose = [&](WordKinds::Field field) {
    const auto a = constants_of(of_a, field), b = constants_of(of_b, field);
    const std::uint64_t choice = next_bits(choices_);
    // one of several that must all be equal is to differ, too
    if (most_compared_ ? choice % 8 == 0 : choice % share_ != 0) return;
    const std::size_t at = (choice >> 8) % (a.size() + b.size());
    const std::uint64_t constant = at < a.size() ? a[at] : b[at - a.size()];
    if (field == WordKinds::Field{}) {
      word = constant;
    } else {
      // a comparison decides at the constant or beside it
      const std::uint64_t step = field.mask & (~field.mask + 1);
      const std::uint64_t near = constant + step * ((choice >> 4) % 2);
      const std::uint64_t mask = std::uint64_t{field.mask} << field.shift;
      word = (word & ~mask) | (near << field.shift & mask);
    }
  };
  for (const WordKinds::Compared& one : of_a) choose(one.field);
  for (const WordKinds::Compared& one : of_b)
    if (constants_of(of_a, one.field).empty()) choose(one.field);
  return word;
}

std::uint64_t Numbers::bits() { return next_bits(state_); }

void Numbers::know(const KnownConstants& constants) {
  const unsigned round = set_ / kFlavours;
  if (round == 0) return;
  decides_ = round % 2 == 0;
  constants_ = decides_ ? &constants.compared : &constants.all;
  share_ = decides_ ? 2 : 4;
  most_compared_ = round % 4 == 0;
}

double Numbers::real(const cases::NumberType& type) {
  const double made = any_real(type);
  if (constants_ == nullptr || constants_->reals.empty()) return made;
  const std::uint64_t choice = next_bits(choices_);
  if (choice % share_ != 0) return made;
  const double known = constants_->reals[(choice >> 8) % constants_->reals.size()];
  constexpr double kNear[] = {1, 1, 0.75, 1.25, -1};
  const double near = known * kNear[(choice >> 4) % std::size(kNear)];
  const double most = type.bytes == 2 ? kGreatestHalf : type.bytes == 8 ? std::numeric_limits<double>::max() : kMostSingle;
  return std::abs(near) <= most ? near : made;
}

std::uint64_t Numbers::whole(const cases::NumberType& type) {
  std::uint64_t made = any_whole(type);
  if (has_few_bits() && type.kind != Kind::boolean) made = few_bits(type);
  if (constants_ == nullptr || constants_->wholes.empty() || type.kind == Kind::boolean) return made;
  const std::uint64_t choice = next_bits(choices_);
  if (choice % share_ != 0) return made;
  constexpr std::uint64_t kNear[] = {0, 0, 1, ~std::uint64_t{0}};
  const std::uint64_t known = constants_->wholes[(choice >> 8) % constants_->wholes.size()] + kNear[(choice >> 4) % std::size(kNear)];
  const unsigned unused = 64 - type.bytes * 8U;
  return known << unused >> unused;
}

/// A word of which each bit is set once in eight times: of packed words most fields are small then, wherever they lie.
std::uint64_t Numbers::few_bits(const cases::NumberType& type) {
  const std::uint64_t word = next_bits(choices_) & next_bits(choices_) & next_bits(choices_);
  return word >> (64 - type.bytes * 8U);
}

Value Numbers::value(const cases::NumberType& type) {
  if (type.kind != Kind::real && type.kind != Kind::texel) return as_case(whole(type), type);
  const double made = real(type);
  if (type.bytes == 8) return as_case(std::bit_cast<std::uint64_t>(made), type);
  return as_case(std::bit_cast<std::uint32_t>(static_cast<float>(made)), {});
}

Value as_case(std::uint64_t bits, const cases::NumberType& type) {
  using enum ir::Type;
  const bool is_wide = type.bytes == 8;
  switch (type.kind) {
    case Kind::boolean: return run::shown(b1, false, bits);
    case Kind::uint: return run::shown(is_wide ? i64 : i32, false, bits);
    case Kind::sint: return run::shown(i64, true, static_cast<std::uint64_t>(sign_extended(bits, type.bytes * 8U)));
    default: return run::shown(is_wide ? f64 : f32, true, bits);
  }
}

double Numbers::any_real(const cases::NumberType& type) {
  const bool narrow = type.bytes == 2;
  const double sign = (bits() & 1) != 0 ? -1 : 1;
  switch (flavour_ == Flavour::special && below(8) != 0 ? Flavour::wide : flavour_) {
    case Flavour::unit: return narrow ? sign * below(1025) / 1024.0 : sign * unit();
    case Flavour::small: return sign * below(17);
    case Flavour::wide: {
      const int exponent = narrow ? static_cast<int>(below(24)) - 12 : static_cast<int>(below(60)) - 30;  // before the fraction is drawn
      if (narrow) return sign * std::ldexp(1 + below(1024) / 1024.0, exponent);
      return sign * std::ldexp(1 + unit() / 2, exponent);
    }
    default: break;
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double largest = narrow ? kGreatestHalf : type.bytes == 8 ? std::numeric_limits<double>::max() : kMostSingle;
  const double least = narrow ? 0x1p-24 : type.bytes == 8 ? std::numeric_limits<double>::denorm_min() : 0x1p-149;
  const double specials[] = {0, 1, 0.5, 2, kInfinity, std::numeric_limits<double>::quiet_NaN(), largest, least};
  return sign * specials[below(8)];
}

std::uint64_t Numbers::any_whole(const cases::NumberType& type) {
  if (type.kind == Kind::boolean) return bits() & 1;
  const unsigned width = type.bytes * 8U;
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  switch (flavour_ == Flavour::special && below(4) != 0 ? Flavour::small : flavour_) {
    case Flavour::unit: return below(8);
    case Flavour::small: return below(64);
    case Flavour::wide: {
      const std::uint64_t value = bits() & mask;
      return value >> below(width);
    }
    default: break;
  }
  const std::uint64_t top = std::uint64_t{1} << (width - 1);
  const std::uint64_t specials[] = {0, 1, mask, mask - 1, top, top - 1, mask / 3, 2};
  return specials[below(8)];
}

}  // namespace unshade::suite::equivalence
