// Words of the columns of ops.def.
#pragma once

#include <unshade/ir/types.hpp>

namespace unshade::ir::columns {

constexpr TypeSet none = 0;
constexpr TypeSet F = kFloats;
constexpr TypeSet I = kIntegers;
constexpr TypeSet IB = I | set_of(Type::b1);
constexpr TypeSet FI = F | I;
constexpr TypeSet T = F | IB;
constexpr TypeSet TH = T | set_of(Type::handle);
constexpr TypeSet f32 = set_of(Type::f32);
constexpr TypeSet i32 = set_of(Type::i32);
constexpr TypeSet i16_32 = set_of(Type::i16) | i32;
constexpr TypeSet i32_64 = i32 | set_of(Type::i64);
constexpr TypeSet i64_f64 = set_of(Type::i64) | set_of(Type::f64);
constexpr Effects pure = Effects::pure;
constexpr Effects reads = Effects::reads;
constexpr Effects writes = Effects::writes;
constexpr Effects wave = Effects::wave;
constexpr Effects ends = Effects::ends;
constexpr Effects quad = Effects::quad;

}  // namespace unshade::ir::columns
