#include "ir/passes/evaluate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <unshade/ir/numeric/rules.hpp>

namespace unshade::ir::passes {
namespace {

using Evaluator = std::optional<std::uint64_t> (*)(std::span<const std::uint64_t>);

// The type of a value that a letter of the shape stands for.
constexpr Type type_of_letter(char letter, Type own) { return letter == 't' ? own : letter == 'b' ? Type::b1 : Type::i32; }

template <class Float>
bool may_be_flushed(Float value) {
  return value != 0 && std::abs(value) <= std::numeric_limits<Float>::min();
}

template <Type T>
std::optional<numeric::Value<T, 1>> value_from(std::uint64_t bits) {
  using Element = numeric::Element<T>;
  if constexpr (T == Type::b1) {
    return numeric::Value<T, 1>(bits != 0 ? ~0U : 0U);
  } else if constexpr (std::is_floating_point_v<Element>) {
    const auto value = std::bit_cast<Element>(static_cast<std::conditional_t<sizeof(Element) == 4, std::uint32_t, std::uint64_t>>(bits));
    if (may_be_flushed(value)) return std::nullopt;
    return numeric::Value<T, 1>(value);
  } else {
    // narrow integers are kept sign-extended
    constexpr unsigned kUnused = T == Type::i8 ? 24 : T == Type::i16 ? 16 : 0;
    return numeric::Value<T, 1>(
        static_cast<Element>(static_cast<std::make_signed_t<Element>>(static_cast<Element>(bits) << kUnused) >> kUnused));
  }
}

template <Type T, class V>
std::optional<std::uint64_t> bits_from(const V& value) {
  const auto element = value.parts[0];
  if constexpr (T == Type::b1) {
    return element != 0 ? 1 : 0;
  } else if constexpr (std::is_same_v<typename V::Element, float>) {
    if (may_be_flushed(element)) return std::nullopt;
    return std::bit_cast<std::uint32_t>(element);
  } else if constexpr (std::is_same_v<typename V::Element, double>) {
    if (may_be_flushed(element)) return std::nullopt;
    return std::bit_cast<std::uint64_t>(element);
  } else {
    return element;
  }
}

template <Op O, Type T, std::size_t... I>
std::optional<std::uint64_t> apply(std::span<const std::uint64_t> operands, std::index_sequence<I...>) {
  constexpr OpInfo kRow = info(O);
  const auto values = std::tuple(value_from<type_of_letter(kRow.operands[I], T)>(operands[I])...);
  if (!(std::get<I>(values).has_value() && ...)) return std::nullopt;
  return bits_from<type_of_letter(kRow.results[0], T)>(numeric::Rule<O>::template apply<T>(*std::get<I>(values)...));
}

template <Op O, Type T, std::size_t... I>
constexpr bool has_rule(std::index_sequence<I...>) {
  return numeric::HasRule<O, T>::template of<numeric::Value<type_of_letter(info(O).operands[I], T), 1>...>;
}

template <Op O, Type T>
constexpr Evaluator evaluator_of() {
  constexpr OpInfo kRow = info(O);
  constexpr bool kSimple =
      kRow.results.size() == 1 && !kRow.operands.empty() && kRow.operands.find_first_not_of("tbi") == std::string_view::npos;
  if constexpr (kSimple) {
    using Operands = std::make_index_sequence<kRow.operands.size()>;
    if constexpr (has_rule<O, T>(Operands())) {
      return [](std::span<const std::uint64_t> operands) -> std::optional<std::uint64_t> {
        if (operands.size() != Operands::size()) return std::nullopt;
        return apply<O, T>(operands, Operands());
      };
    }
  }
  return nullptr;
}

// f16 and f24 are left to the interpreter: constants hold them in other forms than lanes do.
constexpr Type kTypesComputed[] = {Type::b1, Type::i8, Type::i16, Type::i32, Type::i64, Type::f32, Type::f64};

template <Op O>
constexpr std::array<Evaluator, kTypes> row() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    std::array<Evaluator, kTypes> evaluators{};
    const auto set = [&]<Type T>() {
      if constexpr (contains(info(O).types, T)) evaluators[static_cast<std::size_t>(T)] = evaluator_of<O, T>();
    };
    if constexpr (info(O).extra == Extra::none) (set.template operator()<kTypesComputed[I]>(), ...);
    return evaluators;
  }(std::make_index_sequence<std::size(kTypesComputed)>());
}

constexpr std::array<std::array<Evaluator, kTypes>, kOps> kEvaluators = {{
#define IR_OP(id, ...) row<Op::id>(),
#include <unshade/ir/ops.def>
}};

template <Op O, Type To, Type From>
constexpr Evaluator conversion_of() {
  if constexpr (contains(info(O).types, To) && contains(info(O).from, From) && fits(O, To, From)) {
    return [](std::span<const std::uint64_t> operands) -> std::optional<std::uint64_t> {
      const auto value = value_from<From>(operands[0]);
      return value ? bits_from<To>(numeric::Rule<O>::template apply<To, From>(*value)) : std::nullopt;
    };
  }
  return nullptr;
}

using Conversions = std::array<std::array<Evaluator, std::size(kTypesComputed)>, std::size(kTypesComputed)>;

template <Op O>
constexpr Conversions conversions() {
  constexpr std::size_t kCount = std::size(kTypesComputed);
  return []<std::size_t... I>(std::index_sequence<I...>) {
    Conversions all{};
    ((all[I / kCount][I % kCount] = conversion_of<O, kTypesComputed[I / kCount], kTypesComputed[I % kCount]>()), ...);
    return all;
  }(std::make_index_sequence<kCount * kCount>());
}

// By value: neither those that keep the bits nor those that round as their extra field says.
constexpr bool is_evaluated(Op op) { return info(op).is_conversion() && info(op).extra == Extra::none && op != Op::bitcast; }

struct ConversionRow {
  Op op;
  Conversions evaluators;
};
template <Op O>
constexpr void add(ConversionRow*& next) {
  if constexpr (is_evaluated(O)) *next++ = {O, conversions<O>()};
}
constexpr std::size_t kConversionCount = 0
#define IR_OP(id, ...) +(is_evaluated(Op::id) ? 1 : 0)
#include <unshade/ir/ops.def>
    ;
constexpr auto kConversions = [] {
  std::array<ConversionRow, kConversionCount> rows{};
  ConversionRow* next = rows.data();
#define IR_OP(id, ...) add<Op::id>(next);
#include <unshade/ir/ops.def>
  return rows;
}();

}  // namespace

std::optional<std::uint64_t> evaluate_conversion(Op op, Type to, Type from, std::uint64_t bits) {
  const auto place = [](Type type) {
    return static_cast<std::size_t>(std::ranges::find(kTypesComputed, type) - std::begin(kTypesComputed));
  };
  const auto row = std::ranges::find(kConversions, op, &ConversionRow::op);
  const std::size_t column = place(to);
  const std::size_t origin = place(from);
  if (row == kConversions.end() || column == std::size(kTypesComputed) || origin == std::size(kTypesComputed)) return std::nullopt;
  const Evaluator evaluator = row->evaluators[column][origin];
  return evaluator == nullptr ? std::nullopt : evaluator(std::span(&bits, 1));
}

std::optional<std::uint64_t> evaluate(Op op, Type type, std::span<const std::uint64_t> operands) {
  const Evaluator evaluator = kEvaluators[static_cast<std::size_t>(op)][static_cast<std::size_t>(type)];
  return evaluator == nullptr ? std::nullopt : evaluator(operands);
}

}  // namespace unshade::ir::passes
