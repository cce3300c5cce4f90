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
  /// Bits of a word that are taken out of it: (word >> shift) & mask. By default all.
  struct Field {
    std::uint32_t shift = 0;
    std::uint32_t mask = ~std::uint32_t{0};
    bool operator==(const Field&) const = default;
  };
  /// The constants that a field is compared with.
  struct Compared {
    Field field;
    std::vector<std::uint64_t> constants;
  };
  void compare(std::uint32_t byte, Field field, std::uint64_t constant);
  /// By field; the whole word, if it is compared, first.
  std::span<const Compared> compared(std::uint32_t byte) const;
  /// Of the word at a place: what is loaded there, else what is loaded from places that are computed.
  Kind of(std::uint32_t byte) const;

 private:
  Kind anywhere_ = Kind::unknown;
  std::map<std::uint32_t, Kind> at_;
  std::map<std::uint32_t, std::vector<Compared>> compared_;
};

/// Whether an instruction compares, or chooses by a number.
bool decides(const ir::Function& function, ir::Id id);

/// By resource of the module.
std::vector<WordKinds> word_kinds_of(const ir::Module& module);

}  // namespace unshade::suite::equivalence
