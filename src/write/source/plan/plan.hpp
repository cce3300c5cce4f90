// What the values of a function are in its text: expressions, or components of variables.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <unshade/ir/analysis/phi_webs.hpp>
#include <unshade/ir/analysis/scopes.hpp>
#include <unshade/ir/analysis/types.hpp>
#include <unshade/ir/analysis/uses.hpp>
#include <unshade/ir/analysis/vectors.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/ir/structure.hpp>

#include "write/source/expression.hpp"
#include "write/source/statement.hpp"

namespace unshade::write::source {

using ir::BlockId;
using ir::Id;
using ir::kNone;

/// A component of a variable.
struct Place {
  VariableId variable = kNone;
  std::uint8_t component = 0;
};

/// A variable, before it has a name.
struct PlannedVariable {
  std::vector<Id> members;  ///< values that it holds, in the order of the function
  std::uint8_t width = 1;
  bool is_web = false;  ///< written in several places
  std::uint32_t region = kNone;
};

/// The operands at one place of several instructions.
std::vector<Id> operands_at(const ir::Function& function, std::span<const Id> ids, std::size_t at);

/// What a text has.
struct PlanOptions {
  /// What is computed for an operation that is no arithmetic has a variable of its own, which can be declared precise.
  bool is_exact = false;
  /// A vector that is divided by its length is `normalize(v)`, and a power `pow(x, y)`.
  bool has_expansions = false;
};

class Plan {
 public:
  Plan(const ir::Function& function, const ir::Structure& tree, const std::vector<ir::Declared>& declared, const PlanOptions& options);

  const ir::Uses& uses() const { return uses_; }
  const ir::Writings& writings() const { return writings_; }
  const ir::PhiWebs& webs() const { return webs_; }
  const ir::Vectors& vectors() const { return vectors_; }
  const std::vector<PlannedVariable>& variables() const { return variables_; }
  Place place(Id id) const { return places_[id]; }
  Place place_of_web(std::uint32_t web) const { return web_places_[web]; }
  bool is_named(Id id) const { return writings_.of[id] == ir::Writing::named; }
  /// The values that one statement computes, of which this is the first; empty if another is.
  std::span<const Id> statement_of(Id id) const;
  /// The operands at one place of several instructions.
  std::vector<Id> operands_at(std::span<const Id> ids, std::size_t at) const { return source::operands_at(f_, ids, at); }
  /// The dot product of a vector with itself that `of` is computed of, by `op`, and that is written there; null: none.
  const ir::VectorDot* square_in(Id of, ir::Op op) const;
  /// Whether all but the last step of a dot product are written in it.
  bool is_whole(const ir::VectorDot& dot) const;
  /// Whether a value is a component of an operation on vectors: of the file's, or of those that lists of values make.
  bool is_of_vector(Id id) const { return is_of_vector_[id]; }
  /// What a number of 32 bits is declared as.
  ir::Declared declared(Id id) const { return declared_[id]; }

 private:
  void drop_scattered_rows();
  void drop_addresses();
  void repeat_signs();
  void join_dots();
  bool is_dot_row(std::uint32_t row) const;
  void put_loads_inside();
  void index_users();
  std::span<const Id> users_of(Id id) const { return std::span(users_).subspan(first_user_[id], first_user_[id + 1] - first_user_[id]); }
  void share_in_row(Id id);
  bool share_normalized(std::uint32_t row);
  void name_shared();
  void name_rows();
  void name_row(std::uint32_t row);
  bool takes_vectors(std::span<const Id> members) const;
  bool split_row(std::uint32_t row);
  std::uint32_t operations_in(Id id, std::uint32_t most) const;
  Id base_of_power(Id product) const;
  void name_heavy();
  void name_results();
  void mend_statements();
  void make_variables();
  bool take_variable(std::span<const Id> ids);
  bool find_taken(std::span<const Id> ids, std::span<const Id> statement, unsigned depth);
  bool may_take(std::span<const Id> before, std::span<const Id> ids);
  bool are_taken_together(std::span<const Id> ids) const;
  /// Outputs that are written, and other lanes that run.
  struct Dependence {
    bool on_outputs = false, on_lanes = false;
  };
  Dependence dependence_of(Id id, std::uint32_t& left) const;
  bool may_move(Id load, Id user) const;
  void for_each_list(const std::function<void(std::span<const Id>)>& visit) const;
  void group_webs();
  VariableId add_variable(std::uint8_t width);
  std::uint32_t common_region(std::uint32_t a, std::uint32_t b) const;

  const ir::Function& f_;
  const PlanOptions options_;
  const ir::Structure& tree_;
  const std::vector<ir::Declared>& declared_;
  ir::Uses uses_;
  ir::Writings writings_;
  ir::Vectors vectors_;
  ir::PhiWebs webs_;
  ir::Scopes scopes_;
  std::vector<std::uint32_t> writes_before_;  ///< in its block, but for outputs
  std::vector<std::uint32_t> outputs_before_;
  std::vector<std::uint32_t> position_;    ///< in the order of the function
  std::vector<std::uint32_t> first_user_;  ///< by id, in users_; one more at the end
  std::vector<Id> users_;
  std::vector<PlannedVariable> variables_;
  std::vector<Place> places_;
  std::vector<Place> web_places_;
  std::vector<std::vector<Id>> statements_;
  /// A vector that stands in normalize() alone, and what has to be written there too.
  struct Normalized {
    std::vector<Id> vector, parts;
  };
  std::vector<Normalized> normalized_;
  std::vector<bool> is_of_vector_;        ///< by id
  std::vector<bool> in_address_;          ///< by id
  std::vector<std::uint32_t> statement_;  ///< by id, in statements_
};

/// The memory that an operation reads, or that others see.
bool changes_something(const ir::Function& function, Id id);
/// Operations whose operands are lists.
bool takes_lists(ir::Op op);

}  // namespace unshade::write::source
