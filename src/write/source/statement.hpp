// Statements as a tree, so that declarations find their place and loops their form before text is made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/ir/module.hpp>

#include "write/source/expression.hpp"

namespace unshade::write::source {

/// Numbers of variables of a function.
using VariableId = std::uint32_t;

/// What variables a text reads or writes, each as often as it does.
using Mentions = std::vector<VariableId>;

struct Statement;
using Statements = std::vector<Statement>;

enum class StatementKind : std::uint8_t {
  text,     ///< `text;`
  assign,   ///< `text = value;` or a declaration with it
  declare,  ///< `type text;`
  if_,      ///< `if (value) { first } else { second }`
  loop,     ///< `while (true) { first }`
  while_,   ///< `while (value) { first }`
  for_,     ///< `for (text; value; step) { first }`
  do_,      ///< `do { first } while (value)`
  switch_,  ///< `switch (value) { first }`, whose statements are cases
  case_,    ///< labels in `text`, and `first`
  break_,   ///< of the innermost loop or switch
  continue_,
  return_,  ///< `return text;`
};

struct Statement {
  StatementKind kind = StatementKind::text;
  std::string text;
  Expression value;
  std::string step;
  Statements first, second;
  Mentions mentions;                      ///< of the statement itself
  VariableId variable = ir::kNone;        ///< of assign: all of it, or a part, is written; of declare
  bool is_whole = false;                  ///< of assign: all of it
  bool has_effect = false;                ///< of assign: it does more
  std::string declared_as;                ///< of assign: the type, if it declares the variable
  std::uint32_t instruction = ir::kNone;  ///< of the listing
  VariableId counted = ir::kNone;         ///< of assign: it adds a constant to this variable: its own
  std::uint32_t region = ir::kNone;       ///< of what holds others: the node of the tree that it is
};

/// A variable as the tree sees it.
struct LocalVariable {
  std::string name;
  std::string plain;  ///< without new names
  ValueType type;
  std::string type_name;
  std::uint32_t region = ir::kNone;  ///< the node of the tree in which it must be declared, or one around that; kNone: the function
  bool is_used = false;
};

/// Puts what is done before the only way out of a loop behind the loop.
void leave_loops(Statements& body);
/// Drops what is computed for nothing, and gives every variable its declaration: where it is first written, or before that in the innermost
/// list that holds all its mentions within its region.
void declare_variables(Statements& body, const std::vector<LocalVariable>& variables);
/// Turns `while (true)` into `for`, `while` and `do`, `if` without a first arm around, and drops what does nothing.
void shape(Statements& body);

struct Lines {
  std::vector<std::uint32_t> instructions;  ///< by line: the instruction of the listing, or kNone
};
struct StatementPrinter {
  Text& out;
  std::vector<std::uint32_t>& lines;  ///< of `out`, as Lines::instructions
  unsigned indent = 1;

  void print(const Statements& body);
  void line(std::string_view text, std::uint32_t instruction);

 private:
  void print(const Statement& one, bool after_else = false);
  void block(const Statements& body);
};

}  // namespace unshade::write::source
