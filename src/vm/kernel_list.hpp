// Which kernels there may be: operations of ops.def in their types, in one order for all instruction sets.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <unshade/ir/types.hpp>

#include "vm/code.hpp"

namespace unshade::vm {

namespace types {
constexpr ir::TypeSet none = 0;
constexpr ir::TypeSet F = ir::kFloats;
constexpr ir::TypeSet I = ir::kIntegers;
constexpr ir::TypeSet IB = I | ir::set_of(ir::Type::b1);
constexpr ir::TypeSet FI = F | I;
constexpr ir::TypeSet T = F | IB;
constexpr ir::TypeSet TH = T | ir::set_of(ir::Type::handle);
constexpr ir::TypeSet f32 = ir::set_of(ir::Type::f32);
constexpr ir::TypeSet i32 = ir::set_of(ir::Type::i32);
constexpr ir::TypeSet i16_32 = ir::set_of(ir::Type::i16) | i32;
constexpr ir::TypeSet i32_64 = i32 | ir::set_of(ir::Type::i64);
constexpr ir::TypeSet i64_f64 = ir::set_of(ir::Type::i64) | ir::set_of(ir::Type::f64);
}  // namespace types

/// The operands of an operation of a fixed shape.
struct Shape {
  std::string_view operands;
  std::size_t count = 0;
};
template <ir::Op O>
inline constexpr Shape kShapes{};
#define IR_OP(id, text, shape, types_, effects, extra_)                                                             \
  template <>                                                                                                       \
  inline constexpr Shape kShapes<ir::Op::id>{std::string_view(shape).substr(std::string_view(shape).find('<') + 1), \
                                             std::string_view(shape).size() - std::string_view(shape).find('<') - 1};
#include <unshade/ir/ops.def>

template <ir::Op O>
inline constexpr bool is_conversion = false;
#define UNSHADE_CONVERSION(id) \
  template <>                  \
  inline constexpr bool is_conversion<ir::Op::id> = true;
UNSHADE_CONVERSION(bitcast)
UNSHADE_CONVERSION(f_to_f)
UNSHADE_CONVERSION(f_to_s)
UNSHADE_CONVERSION(f_to_u)
UNSHADE_CONVERSION(s_to_f)
UNSHADE_CONVERSION(u_to_f)
UNSHADE_CONVERSION(sext)
UNSHADE_CONVERSION(zext)
UNSHADE_CONVERSION(trunc)
#undef UNSHADE_CONVERSION

struct KernelRow {
  ir::Op op{};
  ir::Type type{};
  ir::Type from{};
  bool other_rounding = false;  ///< of f_to_f: toward zero; in f24: to nearest
  bool conversion = false;      ///< else `from` does not matter
};

namespace inner {

struct Candidate {
  ir::Op op;
  std::string_view shape;
  ir::TypeSet types;
  ir::Effects effects;
  bool conversion;
};

inline constexpr Candidate kCandidates[] = {
#define IR_OP(id, text, shape, types_, effects_, extra_) \
  {ir::Op::id, shape,                                    \
   [] {                                                  \
     using namespace types;                              \
     return types_;                                      \
   }(),                                                  \
   [] {                                                  \
     using enum ir::Effects;                             \
     return effects_;                                    \
   }(),                                                  \
   is_conversion<ir::Op::id>},
#include <unshade/ir/ops.def>
};

// An operation over lanes: pure, with operands of a fixed number of values, at least one.
constexpr bool is_candidate(const Candidate& one) {
  const auto operands = one.shape.substr(one.shape.find('<') + 1);
  return one.effects == ir::Effects::pure && !operands.empty() && one.op != ir::Op::get && operands.find_first_of("h^*?") == operands.npos;
}

// What a conversion takes.
constexpr ir::TypeSet operand_types(ir::Op op) {
  switch (op) {
    case ir::Op::f_to_f:
    case ir::Op::f_to_s:
    case ir::Op::f_to_u: return types::F;
    case ir::Op::s_to_f:
    case ir::Op::u_to_f:
    case ir::Op::trunc: return types::I;
    case ir::Op::sext:
    case ir::Op::zext: return types::IB;
    default: return types::FI;
  }
}

constexpr std::size_t visit_rows(KernelRow* rows) {
  std::size_t count = 0;
  const auto add = [&](const KernelRow& row) {
    if (rows != nullptr) rows[count] = row;
    ++count;
  };
  for (const Candidate& one : kCandidates) {
    if (!is_candidate(one)) continue;
    for (unsigned type = 0; type < ir::kTypes; ++type) {
      const auto t = static_cast<ir::Type>(type);
      if (!ir::contains(one.types, t)) continue;
      if (!one.conversion) {
        add({one.op, t, one.op == ir::Op::dot2_add ? ir::Type::f16 : t, false, false});
        if (t == ir::Type::f24) add({one.op, t, t, true, false});
        continue;
      }
      for (unsigned from = 1; from + 1 < ir::kTypes; ++from) {
        const auto f = static_cast<ir::Type>(from);
        if (!ir::contains(operand_types(one.op), f)) continue;
        add({one.op, t, f, false, true});
        if (one.op == ir::Op::f_to_f) add({one.op, t, f, true, true});
      }
    }
  }
  return count;
}

}  // namespace inner

inline constexpr auto kKernelRows = [] {
  std::array<KernelRow, inner::visit_rows(nullptr)> rows{};
  inner::visit_rows(rows.data());
  return rows;
}();

/// Two operations of f32 in one instruction, whose first result stays in a register: second(first(a, b), c) or, if it is the right operand,
/// second(c, first(a, b)). Each rounds by itself. A product and a sum are fmad.
struct Pair {
  ir::Op first{};
  ir::Op second{};
  bool on_right = false;
};

namespace inner {

constexpr bool is_commutative(ir::Op op) { return op == ir::Op::fadd || op == ir::Op::fmul; }

constexpr std::size_t visit_pairs(Pair* pairs) {
  std::size_t count = 0;
  for (const ir::Op first : {ir::Op::fadd, ir::Op::fsub, ir::Op::fmul}) {
    for (const ir::Op second : {ir::Op::fadd, ir::Op::fsub, ir::Op::fmul, ir::Op::fmin, ir::Op::fmax}) {
      for (const bool on_right : {false, true}) {
        if ((on_right && is_commutative(second)) || (first == ir::Op::fmul && second == ir::Op::fadd)) continue;
        if (pairs != nullptr) pairs[count] = {first, second, on_right};
        ++count;
      }
    }
  }
  return count;
}

}  // namespace inner

inline constexpr auto kPairs = [] {
  std::array<Pair, inner::visit_pairs(nullptr)> pairs{};
  inner::visit_pairs(pairs.data());
  return pairs;
}();

/// Numbers of kernels: those of kKernelRows, then those of kPairs.
inline constexpr std::size_t kKernelCount = kKernelRows.size() + kPairs.size();

/// The number of a pair's kernel, or that of none: kKernelCount.
constexpr std::size_t pair_number(ir::Op first, ir::Op second, bool on_right) {
  for (std::size_t at = 0; at < kPairs.size(); ++at) {
    const Pair& one = kPairs[at];
    if (one.first == first && one.second == second && one.on_right == (on_right && !inner::is_commutative(second)))
      return kKernelRows.size() + at;
  }
  return kKernelCount;
}

}  // namespace unshade::vm
