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

#include "ir/columns.hpp"

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

// Shape: a function that returns the shape of ops.def.
template <Op O, Type T, class Shape, std::size_t... I>
std::optional<std::uint64_t> apply(std::span<const std::uint64_t> operands, std::index_sequence<I...>) {
  constexpr std::string_view kShape = Shape{}();
  const auto values = std::tuple(value_from<type_of_letter(kShape[2 + I], T)>(operands[I])...);
  if (!(std::get<I>(values).has_value() && ...)) return std::nullopt;
  return bits_from<type_of_letter(kShape[0], T)>(numeric::Rule<O>::template apply<T>(*std::get<I>(values)...));
}

template <Op O, Type T, class Shape, std::size_t... I>
constexpr bool has_rule(std::index_sequence<I...>) {
  constexpr std::string_view kShape = Shape{}();
  return numeric::HasRule<O, T>::template of<numeric::Value<type_of_letter(kShape[2 + I], T), 1>...>;
}

template <Op O, Type T, class Shape>
constexpr Evaluator evaluator_of() {
  constexpr std::string_view kShape = Shape{}();
  constexpr bool kSimple = kShape.size() > 2 && kShape[1] == '<' && kShape.find_first_not_of("tbi<") == std::string_view::npos;
  if constexpr (kSimple) {
    using Operands = std::make_index_sequence<kShape.size() - 2>;
    if constexpr (has_rule<O, T, Shape>(Operands())) {
      return [](std::span<const std::uint64_t> operands) -> std::optional<std::uint64_t> {
        if (operands.size() != Operands::size()) return std::nullopt;
        return apply<O, T, Shape>(operands, Operands());
      };
    }
  }
  return nullptr;
}

// f16 and f24 are left to the interpreter: constants hold them in other forms than lanes do.
constexpr Type kTypesComputed[] = {Type::b1, Type::i8, Type::i16, Type::i32, Type::i64, Type::f32, Type::f64};

template <Op O, TypeSet Types, class Shape, std::size_t... I>
constexpr std::array<Evaluator, kTypes> row(std::index_sequence<I...>) {
  std::array<Evaluator, kTypes> evaluators{};
  const auto set = [&]<Type T>() {
    if constexpr (contains(Types, T)) evaluators[static_cast<std::size_t>(T)] = evaluator_of<O, T, Shape>();
  };
  (set.template operator()<kTypesComputed[I]>(), ...);
  return evaluators;
}

// A set of types, as a template argument that is not named by words of other namespaces.
template <Op O, class Types, class Shape>
constexpr std::array<Evaluator, kTypes> row() {
  return row<O, Types{}(), Shape>(std::make_index_sequence<std::size(kTypesComputed)>());
}

constexpr std::array<std::array<Evaluator, kTypes>, kOps> kEvaluators = {{
#define IR_OP(id, text, shape, types, effects, extra)               \
  row<Op::id, decltype([]() -> TypeSet {                            \
        using namespace columns;                                    \
        return Extra::extra == Extra::none ? types : columns::none; \
      }),                                                           \
      decltype([] { return std::string_view(shape); })>(),
#include <unshade/ir/ops.def>
}};

constexpr unsigned bits_of(Type type) {
  return type == Type::b1 ? 1 : type == Type::i8 ? 8 : type == Type::i16 ? 16 : type == Type::i64 || type == Type::f64 ? 64 : 32;
}

constexpr bool converts(Op op, Type to, Type from) {
  const bool narrower = bits_of(from) < bits_of(to);
  switch (op) {
    case Op::sext:
    case Op::zext: return is_integer(to) && (is_integer(from) || from == Type::b1) && narrower;
    case Op::trunc: return is_integer(to) && is_integer(from) && bits_of(from) > bits_of(to);
    case Op::f_to_s:
    case Op::f_to_u: return is_integer(to) && is_float(from);
    default: return is_float(to) && is_integer(from);
  }
}

template <Op O, Type To, Type From>
constexpr Evaluator conversion_of() {
  if constexpr (converts(O, To, From)) {
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

constexpr Op kConversionOps[] = {Op::sext, Op::zext, Op::trunc, Op::f_to_s, Op::f_to_u, Op::s_to_f, Op::u_to_f};
constexpr Conversions kConversions[] = {conversions<Op::sext>(),   conversions<Op::zext>(),   conversions<Op::trunc>(),
                                        conversions<Op::f_to_s>(), conversions<Op::f_to_u>(), conversions<Op::s_to_f>(),
                                        conversions<Op::u_to_f>()};

}  // namespace

std::optional<std::uint64_t> evaluate_conversion(Op op, Type to, Type from, std::uint64_t bits) {
  const auto place = [](const auto& list, auto value) {
    return static_cast<std::size_t>(std::ranges::find(list, value) - std::begin(list));
  };
  const std::size_t row = place(kConversionOps, op);
  const std::size_t column = place(kTypesComputed, to);
  const std::size_t origin = place(kTypesComputed, from);
  if (row == std::size(kConversionOps) || column == std::size(kTypesComputed) || origin == std::size(kTypesComputed)) return std::nullopt;
  const Evaluator evaluator = kConversions[row][column][origin];
  return evaluator == nullptr ? std::nullopt : evaluator(std::span(&bits, 1));
}

std::optional<std::uint64_t> evaluate(Op op, Type type, std::span<const std::uint64_t> operands) {
  const Evaluator evaluator = kEvaluators[static_cast<std::size_t>(op)][static_cast<std::size_t>(type)];
  return evaluator == nullptr ? std::nullopt : evaluator(operands);
}

}  // namespace unshade::ir::passes
