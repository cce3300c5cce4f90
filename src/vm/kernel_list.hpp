// Which kernels there may be: operations of ops.def in their types, in one order for all instruction sets.
#pragma once

#include <array>
#include <bit>
#include <cstddef>

#include <unshade/ir/types.hpp>

#include "vm/code.hpp"

namespace unshade::vm {

template <ir::Op O>
inline constexpr bool is_conversion = ir::info(O).is_conversion();

struct KernelRow {
  ir::Op op{};
  ir::Type type{};
  ir::Type from{};
  bool other_rounding = false;  ///< of f_to_f: toward zero; in f24: to nearest
  bool conversion = false;      ///< else `from` does not matter
};

namespace inner {

// An operation over lanes: pure, with operands of a fixed number of values, at least one.
constexpr bool is_candidate(ir::Op op) {
  const ir::OpInfo& row = ir::info(op);
  return row.effects == ir::Effects::pure && !row.operands.empty() && op != ir::Op::get &&
         row.operands.find_first_of("h^*?") == row.operands.npos;
}

constexpr std::size_t visit_rows(KernelRow* rows) {
  std::size_t count = 0;
  const auto add = [&](const KernelRow& row) {
    if (rows != nullptr) rows[count] = row;
    ++count;
  };
  for (std::size_t number = 0; number < ir::kOps; ++number) {
    const auto op = static_cast<ir::Op>(number);
    const ir::OpInfo& one = ir::info(op);
    if (!is_candidate(op)) continue;
    for (unsigned type = 0; type < ir::kTypes; ++type) {
      const auto t = static_cast<ir::Type>(type);
      if (!ir::contains(one.types, t)) continue;
      if (!one.is_conversion()) {
        add({op, t, one.from != 0 ? static_cast<ir::Type>(std::countr_zero(one.from)) : t, false, false});
        if (t == ir::Type::f24) add({op, t, t, true, false});
        continue;
      }
      for (unsigned from = 0; from < ir::kTypes; ++from) {
        const auto f = static_cast<ir::Type>(from);
        if (!ir::contains(one.from, f)) continue;
        add({op, t, f, false, true});
        if (one.extra == ir::Extra::rounding) add({op, t, f, true, true});
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

/// What an instruction computes that is neither a pair nor an access.
constexpr const KernelRow& row_of(const Code& code) { return kKernelRows[code.kernel]; }
/// Of one that is a pair.
constexpr bool is_pair(const Code& code) { return code.kernel >= kKernelRows.size() && code.kernel < kKernelCount; }
constexpr const Pair& pair_of(const Code& code) { return kPairs[code.kernel - kKernelRows.size()]; }

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
