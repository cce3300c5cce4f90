// What each opcode means: the words of the column `sem` of opcodes.def as functions of the lowering.
#pragma once

#include <unshade/dxbc/program.hpp>

#include "ir/dxbc/lowering.hpp"

namespace unshade::ir::lower_dxbc {

struct Semantic {
  Lowering::Meaning lower;
  Op op;  ///< for functions that several words share
};
/// Of an opcode that is in the table.
const Semantic& semantic_of(std::uint32_t code);

}  // namespace unshade::ir::lower_dxbc
