// What values are declared as when they are printed: floats or integers where bits are only moved, and whether integers are signed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <unshade/ir/module.hpp>

namespace unshade::ir {

enum class Declared : std::uint8_t {
  as_is,      ///< the type that it has in the IR: b1, handles, f24, tuples
  real,       ///< a float of its width
  signed_,    ///< an integer of its width
  unsigned_,  ///< the same; also what nothing tells apart
};
/// `as_is`, `real`, `signed`, `unsigned`.
std::string_view text(Declared declared);

/// What is at some bytes of a variable.
struct DeclaredWord {
  std::uint32_t variable = 0;
  std::uint32_t offset = 0;  ///< in each element of Variable::stride bytes; kNone: all of it has one type
  Declared declared = Declared::unsigned_;
  bool operator==(const DeclaredWord&) const = default;
};

struct DeclaredTypes {
  std::vector<std::vector<Declared>> of;  ///< by function and id
  std::vector<DeclaredWord> words;        ///< of private and group memory whose accesses have one width, by variable and offset
  /// Uses for which bits have to be taken as another type: as the IR has it, with each bitcast that something uses, and as declared here.
  std::size_t casts_before = 0, casts = 0;
  std::size_t half_casts = 0;  ///< of `casts`, those between f16 and the low half of a word: a conversion in most languages
  std::size_t sign_casts = 0;  ///< uses of integers as of the other sign
};

/// Phis, selects, what is read from memory without a type, and words of private and group memory are of either kind. Chooses so that as few
/// uses as possible need a cast: a minimum cut of the graph of what moves bits to what, between operations on floats and on integers
/// (J. Dinitz's algorithm); then another between signed and unsigned. Of equal choices integers, which keep all bits, and unsigned. Where
/// a graph is so large that this would take long, the choice is good but perhaps not the best.
DeclaredTypes declared_types(const Module& module);

}  // namespace unshade::ir
