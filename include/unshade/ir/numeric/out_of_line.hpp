// What of the rules is not made of operations over lanes, but computed lane by lane. Functions of the rules' files that do so name one of
// these as kFunction; recorded rules call it by that name, and by the types of its operands and results.
#pragma once

#include <cstdint>

namespace unshade::ir::numeric {

enum class Function : std::uint8_t {
  fma,          ///< a * b + c, rounded once
  fmod,         ///< the remainder of a / b, with the sign of a
  idiv,         ///< a / b toward zero: by 0 all ones, of the smallest by -1 the smallest
  large_angle,  ///< two results: what is left of an angle in radians, and the number of quarters of a turn
  ldexp,        ///< a * 2^b, rounded once
  s_to_f,       ///< the float nearest to a signed integer
  u_to_f,       ///< the float nearest to an unsigned integer
  udiv,         ///< a / b: by 0 all ones
};
inline constexpr unsigned kFunctions = 8;

}  // namespace unshade::ir::numeric
