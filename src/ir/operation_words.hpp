// Operations of ops.def by the words that the column `sem` of instruction tables holds, for tables that are made when compiled.
#pragma once

#include <string_view>

#include <unshade/ir/types.hpp>

namespace unshade::ir {

struct OperationWord {
  std::string_view word;   ///< the id in ops.def
  std::string_view shape;  ///< as there: RESULTS<OPERANDS
  Op op;
};
inline constexpr OperationWord kOperationWords[] = {
#define IR_OP(id, text, shape, types, effects, extra) {#id, shape, Op::id},
#include <unshade/ir/ops.def>
};

/// The row of a word, or nullptr: a word of semantics.def.
constexpr const OperationWord* find_operation_word(std::string_view word) {
  for (const OperationWord& row : kOperationWords)
    if (row.word == word) return &row;
  return nullptr;
}

}  // namespace unshade::ir
