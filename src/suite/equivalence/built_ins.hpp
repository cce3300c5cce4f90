// Built-ins of lanes, as cases have them.
#pragma once

#include <cstdint>
#include <span>

#include <unshade/core/value.hpp>
#include <unshade/ir/extra.hpp>

#include "suite/equivalence/numbers.hpp"

namespace unshade::suite::equivalence {

/// Where the pixel of a lane is: in quads from left to right, four in a row.
Value position(std::uint32_t lane, Numbers& numbers);

/// Null if the interpreter knows it.
Value built_in(ir::Builtin builtin, std::uint32_t lane, Numbers& numbers);

/// A value of a built-in as an element has it: a list, in which true is all ones.
Value as_row(const Value& built_in);
/// The reverse.
Value as_built_in(ir::Builtin builtin, std::span<const Value* const> row);

}  // namespace unshade::suite::equivalence
