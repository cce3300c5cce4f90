// How operations of the IR are spelled: rows of write/operations.def.
#pragma once

#include <cstdint>
#include <string_view>

#include <unshade/core/text/identifiers.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/types.hpp>

#include "write/source/expression.hpp"

namespace unshade::write::source {

/// What operands of integers must be.
enum class Sign : std::uint8_t { any, signed_, unsigned_ };

struct Spelling {
  std::string_view word;  ///< an operator, or the name of a function; empty: not by a row
  bool is_operator = false;
  Level level = Level::postfix;  ///< of an operator
};

/// The spelling of an operation.
Spelling spelling_of(ShadingLanguage language, ir::Op op);
/// What an operation is called by users, where no language that is written has it; empty: as the IR calls it.
std::string_view feature_of(ir::Op op);
Sign sign_of(ir::Op op);
/// Of the number that an atomic operation changes.
Sign sign_of(ir::AtomicOp op);

}  // namespace unshade::write::source
