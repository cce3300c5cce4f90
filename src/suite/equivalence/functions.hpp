// Which functions of two shaders are compared.
#pragma once

#include <cstddef>
#include <vector>

#include <unshade/core/value.hpp>
#include <unshade/suite/equivalence.hpp>

namespace unshade::suite::equivalence {

/// Functions to compare, by their numbers, and what of the results.
struct FunctionPair {
  std::size_t a = 0, b = 0;
  bool points = true;  ///< outputs that are no patch constants
  bool patch = true;
  bool first_point = false;  ///< of the lane of the first control point, which in SPIR-V computes the constants
};

/// The last function of a hull shader computes the constants of a patch; it alone is compared if one of both has no other, and control
/// points pass through. In SPIR-V one function computes constants and control points, and is compared with each.
std::vector<FunctionPair> functions_of(const Subject& a, const Subject& b);

/// Makes each lane of a case that of the first control point.
void give_first_point(Value& given, const Subject& subject);
void set_function(Value& inputs, std::size_t number);

}  // namespace unshade::suite::equivalence
