// What the words of a resource are, of which no reflection knows the types.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include <unshade/ir/module.hpp>

namespace unshade::suite::equivalence {

/// What programs load the words of a buffer as, and compare them with.
class WordKinds {
 public:
  enum class Kind : std::uint8_t { unknown, real, whole, both };
  static Kind together(Kind one, Kind other);

  /// A word at a place that is known: of structured buffers in each element.
  void add(std::uint32_t byte, Kind kind);
  /// Any word.
  void add(Kind kind);
  /// A constant that a word at a place is compared with: its bits.
  void compare(std::uint32_t byte, std::uint64_t bits) { compared_[byte].push_back(bits); }
  std::span<const std::uint64_t> compared(std::uint32_t byte) const;
  /// Of the word at a place: what is loaded there, else what is loaded from places that are computed.
  Kind of(std::uint32_t byte) const;

 private:
  Kind anywhere_ = Kind::unknown;
  std::map<std::uint32_t, Kind> at_;
  std::map<std::uint32_t, std::vector<std::uint64_t>> compared_;
};

/// Whether an instruction compares, or chooses by a number.
bool decides(const ir::Function& function, ir::Id id);

/// By resource of the module.
std::vector<WordKinds> word_kinds_of(const ir::Module& module);

}  // namespace unshade::suite::equivalence
