// Scalars that were vectors, or may be printed as such.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <unshade/ir/module.hpp>

namespace unshade::ir {

/// Two to four instructions of a block that do the same to different components, none of which needs another: one operation on vectors.
struct VectorRow {
  std::uint32_t first = 0;  ///< in Vectors::members, where they stand in the order of their components
  std::uint8_t count = 0;
  std::array<std::uint8_t, 4> components{};  ///< of the group, rising; without one 0, 1, 2, 3
  bool of_group = false;                     ///< they come from one vector instruction of the file
};

/// A sum of two to four products, each rounded: the dot product of two lists. `fmul` first, then `fmad` of what is before; or `fmul_zero`
/// and `fmad_zero`. Nothing else reads the sums before the last.
struct VectorDot {
  std::uint8_t count = 0;
  std::array<Id, 4> steps{};  ///< the last is the dot product
  std::array<Id, 4> a{}, b{};

  std::span<const Id> first() const { return std::span(a).first(count); }
  std::span<const Id> second() const { return std::span(b).first(count); }
  /// The sums that nothing else reads.
  std::span<const Id> before() const { return std::span(steps).first(count - 1U); }
  Id last() const { return steps[count - 1U]; }
};

struct Vectors {
  std::vector<VectorRow> rows;
  std::vector<VectorDot> dots;
  std::vector<Id> members;
  std::vector<std::uint32_t> row;   ///< by id; kNone: in none
  std::vector<std::uint8_t> place;  ///< by id, its place in its row
  std::vector<std::uint32_t> dot;   ///< by id; kNone: a step of none
  /// Members whose first two operands are to be exchanged, which changes no bits, so that operands stand where those of other members do.
  std::vector<Id> swapped;
  /// The instructions of the blocks that have rows, one block after the other, so that the members of each row stand together.
  std::vector<Id> order;

  /// The dot product that a value is, as the last of its steps; null: it is none, or a step before.
  const VectorDot* dot_of(Id id) const { return dot[id] != kNone && dots[dot[id]].last() == id ? &dots[dot[id]] : nullptr; }
  std::span<const Id> members_of(std::uint32_t number) const { return std::span(members).subspan(rows[number].first, rows[number].count); }
};

/// Finds rows: first those of vector instructions (Source::group and component), then, for programs that have none (DXIL), those that lists
/// of values make: of outputs of one element, of stores, of places in textures, of both sides of dot products. From there on downwards, as
/// long as operands are rows again ("superword level parallelism", S. Larsen, S. Amarasinghe, PLDI 2000). Of a list whose values differ,
/// the longest part is taken that is alike. Rows that need each other are given up. Linear but for a factor log n.
Vectors vectors_of(const Function& function);

/// Moves the instructions of a block so that the members of each row stand together, and exchanges operands. Results stay the same. Counts
/// the rows that were moved together.
std::size_t bring_together(Function& function, const Vectors& vectors);

/// What several values are as one vector.
struct VectorOperand {
  enum class Kind : std::uint8_t {
    mixed,      ///< nothing in common: a constructor
    constants,  ///< or undefined
    same,       ///< one value in all components
    swizzle,    ///< components of a row
    members,    ///< of a tuple: a load
    element,    ///< of an element of a signature, or of a builtin
  } kind = Kind::mixed;
  std::uint32_t of = kNone;              ///< the row; of tuples and `same` the value; of elements the first of the values
  std::array<std::uint8_t, 4> places{};  ///< of swizzle, in the row; of members, of elements and builtins the component
};
VectorOperand operand_of(const Function& function, const Vectors& vectors, std::span<const Id> values);

}  // namespace unshade::ir
