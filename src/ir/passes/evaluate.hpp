// Computing operations on constants, by the rules of <unshade/ir/numeric/>.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <unshade/ir/module.hpp>

namespace unshade::ir::passes {

/// The bits of an operation's one result, from those of its operands, all as constants have them. Nothing if the operation has no rule, or
/// if numbers too small to be normal play a part, which modes treat in several ways.
std::optional<std::uint64_t> evaluate(Op op, Type type, std::span<const std::uint64_t> operands);

/// The same of sext, zext, trunc and conversions between integers and floats.
std::optional<std::uint64_t> evaluate_conversion(Op op, Type to, Type from, std::uint64_t bits);

}  // namespace unshade::ir::passes
