// Names of what is printed: what debug information calls values, and identifiers that stay the same from one version of a shader to the
// next.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text/identifiers.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::ir {

/// A variable of the source, and which of its components a value is.
struct ValueName {
  std::string_view variable;  ///< empty: no name
  std::uint8_t component = kNoComponent;
};
/// What debug information calls a value (Function::names), taken apart: `color.x`. Borrows the function.
ValueName name_of(const Function& function, Id id);

/// The registers that instructions of a program write, by Source::instruction: `r0`, `o1`, `x0`; empty of others. What values are called
/// where there is no debug information: `r0.x`.
std::vector<std::string> written_registers(const dxbc::Program& program);
std::vector<std::string> written_registers(const pica::Shbin& file);
/// Of a value, by its Source: the register that its instruction writes, and the component if it is of one.
std::string register_name(const Function& function, Id id, const std::vector<std::string>& registers);

/// A number for each value that follows from what it computes: operations, types, constants, names of inputs and resources, and the numbers
/// of its operands. It does not depend on ids, blocks, or the place in the file, so that a change elsewhere leaves it as it is; what
/// phis take from later blocks does not count. Two values that compute the same have the same number.
std::vector<std::uint64_t> content_keys(const Module& module, const Function& function);

/// The identifiers of a scope.
class Namer {
 public:
  explicit Namer(ShadingLanguage language) : language_(language) {}

  /// An identifier like `wanted` that was not given before. If that one is taken, letters that follow from `key` come after it, not a count
  /// of the names before.
  std::string claim(std::string_view wanted, std::uint64_t key);

 private:
  ShadingLanguage language_;
  std::set<std::string, std::less<>> taken_;
};

}  // namespace unshade::ir
