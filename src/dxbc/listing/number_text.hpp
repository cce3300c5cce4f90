// Numbers as fxc's listing prints them.
#pragma once

#include <cstdint>

#include <unshade/core/text.hpp>

namespace unshade::dxbc::listing {

/// Most characters any of these writes.
inline constexpr std::size_t kNumberRoom = 340;

/// How the C runtime of an fxc prints numbers.
struct FloatStyle {
  /// Ties of the sixth decimal go to the even digit, else away from zero.
  /// observed: 10.1, though its builds before the Windows 10 SDK of 2004 still rounded away; before: the runtime of Visual Studio.
  bool ties_to_even = true;
  /// `inf` and `nan`, else `1.#INF00` and `1.#QNAN0`. src: the C runtimes: universal since Windows 10.
  bool plain_specials = true;
  /// All digits of floats beyond 2^53, else zeros after the 17th.
  /// observed: one shader listed anew with each Windows 10 SDK, all digits from that of build 18362 on, 17 up to that of 17134.
  bool all_digits = true;
};

/// A float literal: C's %f with six decimals. Writes at `at`, returns the end.
char* write_float(char* at, std::uint32_t bits, FloatStyle style);
/// A double literal, likewise.
char* write_double(char* at, std::uint64_t bits, FloatStyle style);
/// An integer literal: decimal up to 10000 in magnitude, else 0x%08x.
char* write_integer(char* at, std::uint32_t bits);
/// A literal without type: what its bits look like.
char* write_untyped(char* at, std::uint32_t bits, FloatStyle style);
/// A literal without type whose bits can be had back from it: floats in the shortest form that is exact, else an integer.
char* write_exact_float(char* at, std::uint32_t bits);
char* write_exact_untyped(char* at, std::uint32_t bits);
char* write_exact_double(char* at, std::uint64_t bits);

/// Of the floats that print as so many millionths, the one that a program most likely had: see docs/reference/texts/dxbc.md, "Rounded
/// literals".
std::uint32_t guess_float(std::uint32_t millionths);

/// Plain decimal.
char* write_decimal(char* at, std::uint32_t value);

}  // namespace unshade::dxbc::listing
