// Numbers that are generated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <unshade/core/value.hpp>
#include <unshade/ir/module.hpp>

#include "suite/cases/cases.hpp"
#include "suite/equivalence/word_kinds.hpp"

namespace unshade::suite::equivalence {

/// Constants of programs.
struct Constants {
  std::vector<double> reals;
  std::vector<std::uint64_t> wholes;

  /// Takes an instruction that is a constant.
  void add(const ir::Function& function, ir::Id id);
};

/// All constants of programs, and those that they compare numbers with.
struct KnownConstants {
  Constants all, compared;

  void add(const ir::Module& module);
};

/// Bits as cases have the number; reals have 4 or 8 bytes.
Value as_case(std::uint64_t bits, const cases::NumberType& type);

/// Numbers of one set, the same for the same seed and set.
class Numbers {
 public:
  Numbers(std::uint64_t seed, unsigned set);

  /// From the second round of flavours on, a number in four is near one of these; in each second round a number in two near one that the
  /// programs compare with. Borrows them.
  void know(const KnownConstants& constants);

  /// A word, of which in rounds that take turns a field (or all) is one of the constants that the programs compare it with: mostly, since a
  /// program may ask for several at once, or half of the time.
  std::uint64_t word_or_constant(std::span<const WordKinds::Compared> of_a, std::span<const WordKinds::Compared> of_b, std::uint64_t word);

  unsigned set() const { return set_; }
  /// Whether whole numbers are words of which few bits are set, so that most fields of packed words are small.
  bool has_few_bits() const { return flavour_ == Flavour::wide && set_ / kFlavours % 3 == 2; }
  std::uint64_t bits();
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>((bits() >> 32) * bound >> 32); }
  /// From 0 to 1, of 24 bits so that it is a float.
  double unit() { return static_cast<double>(bits() >> 40) * 0x1p-24; }

  double real(const cases::NumberType& type);
  std::uint64_t whole(const cases::NumberType& type);
  /// As cases have it.
  Value value(const cases::NumberType& type);

 private:
  /// Sets take turns.
  enum class Flavour : unsigned { unit, small, wide, special };
  static constexpr unsigned kFlavours = 4;

  double any_real(const cases::NumberType& type);
  std::uint64_t any_whole(const cases::NumberType& type);
  std::uint64_t few_bits(const cases::NumberType& type);

  std::uint64_t state_;
  std::uint64_t choices_;  ///< of constants, apart so that the other numbers are the same without them
  Flavour flavour_;
  unsigned set_;
  const Constants* constants_ = nullptr;
  bool decides_ = false;
  bool most_compared_ = false;
  unsigned share_ = 4;  ///< one of so many is near a constant
};

}  // namespace unshade::suite::equivalence
