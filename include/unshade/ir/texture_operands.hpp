// The operands of operations on textures, described once: lowerings fill them in, the verifier asks for their types, the interpreter reads
// them.
#pragma once

#include <array>
#include <cstddef>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/ir/types.hpp>

namespace unshade::ir {

/// What follows the handles of sample, sample_implicit, gather, query_lod, sampler_feedback, texel_load, texel_store and texel_atomic:
/// values of a function, or where the interpreter has them. TextureExtra says which are there; others are kNone.
template <class Value>
struct TextureOperands {
  static constexpr auto kAbsent = static_cast<Value>(kNone);
  template <std::size_t kCount>
  static constexpr std::array<Value, kCount> absent() {
    std::array<Value, kCount> made;
    made.fill(kAbsent);
    return made;
  }

  std::array<Value, 4> coordinates = absent<4>();  ///< one of each dimension, then the element of an array
  Value bias = kAbsent;                            ///< added to the level
  Value lod = kAbsent;                             ///< the level
  std::array<Value, 3> ddx = absent<3>();          ///< one of each dimension
  std::array<Value, 3> ddy = absent<3>();
  std::array<Value, 12> offsets = absent<12>();  ///< one of each dimension; of a gather with four_offsets, those of each texel in turn
  Value reference = kAbsent;                     ///< compared with
  Value min_lod = kAbsent;                       ///< the smallest level
  Value sample = kAbsent;                        ///< of a multisampled texture
  std::array<Value, 4> values = absent<4>();     ///< stored; of an atomic the value, and what compare_exchange compares with
};

/// Their order and types. An archive has
///   values(letter, values, count)   the first `count` of an array are operands, of the type that a letter of ops.def stands for
///   value(letter, value, is_there)  the same of one
///   rest(letter, values)            so are all operands that are left
template <class Archive, class Operands>
void describe(Archive& a, Op op, const TextureExtra& extra, Operands& o) {
  const bool has_sampler = info(op).operands.starts_with("hh");
  const char number = has_sampler ? 'f' : 'i';
  const unsigned dimensions = extra.dimension_count();
  a.values(number, o.coordinates, op == Op::query_lod ? dimensions : extra.coordinate_count());
  a.value('f', o.bias, extra.has_bias);
  a.value(number, o.lod, extra.has_lod);
  a.values('f', o.ddx, extra.has_gradient ? dimensions : 0);
  a.values('f', o.ddy, extra.has_gradient ? dimensions : 0);
  a.values('i', o.offsets, extra.has_offset ? dimensions * (extra.four_offsets ? 4 : 1) : 0);
  a.value('f', o.reference, extra.has_reference);
  a.value('f', o.min_lod, extra.has_min_lod);
  a.value('i', o.sample, extra.has_sample);
  if (op == Op::texel_atomic) a.values('t', o.values, extra.op == AtomicOp::compare_exchange ? 2 : 1);
  if (op == Op::texel_store) a.rest('t', o.values);
}

/// How many handles come before them.
constexpr std::size_t texture_handles(Op op) { return info(op).operands.find_last_of('h') + 1; }

}  // namespace unshade::ir
