// The text form of a module, printed and parsed: docs/internals/ir.md, "Text".
#pragma once

#include <cstdint>
#include <memory>
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

/// Prints what operations of a module have beside operands, as its text form does, each word after a blank: for other texts about them.
class FieldPrinter {
 public:
  explicit FieldPrinter(const Module& module);
  ~FieldPrinter();
  /// The fields of an Inst::extra.
  void print(Op op, std::uint32_t extra, Text& out) const;
  void print(Flags flags, Text& out) const;
  /// The name of a function.
  void print_function(std::uint32_t index, Text& out) const;

 private:
  struct Labels;
  std::unique_ptr<const Labels> labels_;
};

}  // namespace unshade::ir
