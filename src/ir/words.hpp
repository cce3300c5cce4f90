// The words of the IR's enumerations in its text form, for both directions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <type_traits>

#include <unshade/core/stage.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::ir::words {

/// Of the names after % and @.
constexpr bool is_label_character(char c) { return is_name_character(c) || c == '.'; }

/// In the order of the enumerators.
template <class E>
inline constexpr std::string_view kWords[] = {""};
template <>
inline constexpr std::string_view kWords<Rounding>[] = {"nearest_even", "toward_zero"};
template <>
inline constexpr std::string_view kWords<Pack>[] = {"truncate", "clamp_signed", "clamp_unsigned"};
template <>
inline constexpr std::string_view kWords<Unpack>[] = {"sign_extend", "zero_extend"};
template <>
inline constexpr std::string_view kWords<Counter>[] = {"up", "down"};
template <>
inline constexpr std::string_view kWords<AtomicOp>[] = {"add",  "and",  "or",   "xor",      "smin",
                                                        "smax", "umin", "umax", "exchange", "compare_exchange",
                                                        "fadd", "fmin", "fmax", "inc_wrap", "dec_wrap"};
template <>
inline constexpr std::string_view kWords<BufferKind>[] = {"raw", "structured", "typed"};
template <>
inline constexpr std::string_view kWords<SignatureKind>[] = {"in", "out", "patch"};
template <>
inline constexpr std::string_view kWords<ElementExtra::Place>[] = {"centre", "centroid", "sample", "offset"};
template <>
inline constexpr std::string_view kWords<Reduction>[] = {"iadd", "imul", "smin", "smax", "umin", "umax", "and",
                                                         "or",   "xor",  "fadd", "fmul", "fmin", "fmax"};
template <>
inline constexpr std::string_view kWords<Denormals>[] = {"any", "flush", "preserve"};
template <>
inline constexpr std::string_view kWords<F24>[] = {"truncate", "nearest", "as_f32"};

/// In the order of the bits.
inline constexpr std::string_view kFloatClasses[] = {"nan", "infinite", "normal", "subnormal", "zero"};
inline constexpr std::string_view kBarrierBits[] = {"sync_group", "sync_wave", "group_memory", "device_memory"};
inline constexpr std::string_view kFlags[] = {"precise", "relaxed", "non_uniform", "coherent", "volatile", "helpers"};

template <class E>
concept HasFieldType = requires(E value) { dxcontainer::field_type(value); };
template <class E>
concept HasText = requires(E value) { text(value); };

/// Empty if the value has no word: it is written as a number then.
template <class E>
std::string_view word(E value) {
  if constexpr (std::is_same_v<E, Builtin>) {
    return static_cast<std::size_t>(value) < kBuiltinCount ? info(value).text : std::string_view{};
  } else if constexpr (std::is_same_v<E, Stage>) {
    return id(value);
  } else if constexpr (HasFieldType<E>) {
    return dxcontainer::id(value);
  } else if constexpr (HasText<E>) {
    return text(value);
  } else {
    const auto at = static_cast<std::size_t>(value);
    return at < std::size(kWords<E>) ? kWords<E>[at] : std::string_view{};
  }
}

/// The value of a word.
template <class E>
std::optional<E> value_of(std::string_view text) {
  // numbers that enumerators may have
  constexpr unsigned kMost = 256;
  if (text.empty()) return std::nullopt;
  for (unsigned number = 0; number < kMost; ++number) {
    if (word(static_cast<E>(number)) == text) return static_cast<E>(number);
  }
  return std::nullopt;
}

}  // namespace unshade::ir::words
