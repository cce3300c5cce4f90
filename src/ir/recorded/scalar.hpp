// Primitives in one lane.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <unshade/ir/recorded/recording.hpp>

namespace unshade::ir::recorded {

std::size_t operand_count(Primitive primitive);

/// Whether a result is a float that arithmetic gives: neither a denormal that the mode flushes nor a signalling NaN.
bool computes(Primitive primitive, Lane type);

/// The bits of the value of a primitive with operands; `from` is the type of the first. Not of operands, constants and calls.
std::uint64_t scalar_value(Primitive primitive, Lane type, Lane from, const std::array<std::uint64_t, 3>& operands);

/// The bits of the value of a primitive of constants, if it is the same whatever becomes of denormals and NaNs.
std::optional<std::uint64_t> exact_value(Primitive primitive, Lane type, const Value& a, const Value& b = {}, const Value& c = {});

}  // namespace unshade::ir::recorded
