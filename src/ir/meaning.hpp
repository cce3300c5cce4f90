// What instructions mean: the words of the column `sem` of every instruction table, and those that all lowerings compute alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/types.hpp>

namespace unshade::ir {

/// An operation of ops.def or a value of builtins.def, by its id, or a word of semantics.def. What two of them have would be declared
/// twice.
enum class Meaning : std::uint16_t {
#define IR_OP(id, ...) id,
#include <unshade/ir/ops.def>
#define IR_BUILTIN(id, text, type, components) id,
#include <unshade/ir/builtins.def>
#define IR_SEM(word, meaning) word,
#include <unshade/ir/semantics.def>
};

constexpr std::optional<Op> op_of(Meaning meaning) {
  const auto number = static_cast<std::size_t>(meaning);
  return number < kOps ? std::optional(static_cast<Op>(number)) : std::nullopt;
}
constexpr std::optional<Builtin> builtin_of(Meaning meaning) {
  const std::size_t number = static_cast<std::size_t>(meaning) - kOps;
  return number < kBuiltinCount ? std::optional(static_cast<Builtin>(number)) : std::nullopt;
}

/// Whether it is an operation whose operands and result have the type that it works in.
constexpr bool is_of_one_type(Meaning meaning) {
  const auto op = op_of(meaning);
  return op && info(*op).results == "t" && info(*op).operands.starts_with('t') &&
         info(*op).operands.find_first_not_of('t') == std::string_view::npos;
}

/// What a word does with memory; of atomic_isub and those by 1, what the lowering adds is negated or 1.
std::optional<AtomicOp> atomic_of(Meaning meaning);

/// What an instruction gives for one component of each of its operands, `x`: an operation with these operands and no extra field, in
/// `type`, or what a word stands for that all instruction sets mean alike. The tuple, of an operation with several results. kNone for all
/// else.
Id lower_meaning(Builder& to, Meaning meaning, Type type, std::span<const Id> x, Flags flags = Flags::none);

}  // namespace unshade::ir
