// The text form of a module, printed and parsed: docs/internals/ir.md, "Text".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::ir {

/// Prints what is part of the module: blocks that stand in the order, constants that are used.
void print(const Module& module, Text& out);
std::string print(const Module& module);

/// Parses what `print` makes. Errors have the place in the text as offset and path (`line:column`). The module is not verified, but every
/// id, block and index in it is that of something, and phis have an operand for each predecessor.
Result<Module> parse(std::string_view text);

/// The names of a function's values in its text form, without the %: what they are called, made unique, else numbers.
class ValueNames {
 public:
  explicit ValueNames(const Function& function);
  /// `?` of what makes no value.
  std::string_view of(Id id) const { return id < names_.size() && !names_[id].empty() ? std::string_view(names_[id]) : "?"; }

 private:
  std::vector<std::string> names_;
};

}  // namespace unshade::ir
