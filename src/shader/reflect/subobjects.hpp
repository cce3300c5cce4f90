// What there is to tell of a subobject, for tables and comparisons alike.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <unshade/shader/reflection.hpp>

namespace unshade::shader::reflection {

struct SubobjectFact {
  std::string_view name;
  std::string text;  ///< may be empty
};

/// The facts that a subobject's kind has, in a fixed order.
std::vector<SubobjectFact> facts_of(const Subobject& subobject);

}  // namespace unshade::shader::reflection
