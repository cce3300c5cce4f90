// Writes a function of the IR as statements.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/texture_operands.hpp>

#include "write/source/module_writer.hpp"
#include "write/source/operation.hpp"
#include "write/source/plan/plan.hpp"
#include "write/source/statement.hpp"

namespace unshade::write::source {

using ir::Op;
using ir::Type;
using Ids = std::span<const Id>;

class FunctionWriter {
 public:
  FunctionWriter(ModuleWriter& writer, std::size_t function);
  /// Appends the statements of the function.
  void run(Text& out, std::vector<std::uint32_t>& lines);

 private:
  // --- control flow: flow.cpp ---
  void walk(Statements& into, std::uint32_t first, std::uint32_t end, unsigned depth);
  void block(Statements& into, BlockId block);
  void edge(Statements& into, BlockId from, BlockId to);
  void if_(Statements& into, std::uint32_t node, unsigned depth);
  void switch_(Statements& into, std::uint32_t node, unsigned depth);
  void loop(Statements& into, std::uint32_t node, unsigned depth);
  std::uint32_t left_by_break(std::uint32_t node) const;
  void leave(Statements& into, std::uint32_t node);
  void arrive(Statements& into, const ir::Node& node);
  void cross(Statements& into, Statements made, std::uint32_t node);
  void set(Statements& into, VariableId flag, bool value);
  void return_(Statements& into);
  void assign(Statements& into, Ids ids, std::span<const Place> places, Id source);
  void instruction(Statements& into, Id id);
  void name_variables();
  std::string_view joined_name(const PlannedVariable& variable) const;
  std::string wanted_name(const PlannedVariable& variable) const;
  std::string role_of(Id id, unsigned depth) const;
  std::string purpose_of(Id id) const;
  bool is_counter(const PlannedVariable& variable) const;
  bool is_fixed(Id id, unsigned depth = 0) const;
  bool are_fixed(Ids ids, Base base) const;
  void unsupported_operation(Op op);
  void mesh_index(Statements& into, Id id);
  void message(Statements& into, Id id);
  void statement(Statements& into, std::string text, Id id);
  VariableId spare_of(VariableId variable);
  bool are_alike_operations(Ids ids) const;
  bool is_beside(Ids ids, Id next) const;
  Statement& add(Statements& into, StatementKind kind, std::string text, Id source);
  std::uint32_t line_of(Id id) const;

  // --- expressions: expressions.cpp ---
  /// Values as a scalar or vector: of their width, or a scalar if all are the same.
  Expression list(Ids ids, std::optional<Base> want = {}, bool hex = false);
  Expression one(Id id, std::optional<Base> want = {}) { return list({&id, 1}, want); }
  Expression loosely(Ids ids, Base want);
  /// Of their width, and of the base.
  Expression full(Ids ids, Base want);
  Expression widened(Expression value, std::size_t width);
  /// Bits as another type.
  Expression as(Expression value, Base want);
  Expression literals(Ids ids, Base base, bool hex);
  Expression swizzled(const std::string& text, unsigned width, std::span<const std::uint8_t> components, Base base);
  Expression constructed(Ids ids, std::optional<Base> want);
  std::size_t natural(Ids ids);
  Place place_of(Id id) const;
  bool are_alike(Ids ids) const;
  bool are_coherent(Ids ids, unsigned depth) const;
  bool are_nearly_coherent(Ids ids, unsigned depth) const;
  bool are_same(Ids ids) const;
  bool are_constant(Ids ids) const;
  bool is_constant(Id id) const { return f_.insts[id].op == Op::constant || f_.insts[id].op == Op::undef; }
  Base base_of(Id id) const;
  Base base_of_result(Ids ids) const { return base_of(ids[0]); }
  std::optional<std::uint64_t> known(Id id) const;

  // --- operations: operations.cpp ---
  Expression compute(Ids ids);
  void count_components(Ids ids);
  Expression apart(Ids ids);
  Expression binary(std::string_view word, Level level, const Expression& a, const Expression& b, ValueType type);
  Expression call(std::string_view name, std::vector<Expression> arguments, ValueType type);
  Expression by_row(Ids ids, const Spelling& spelling);
  Expression integer_by_row(Ids ids, const Spelling& spelling);
  Expression test(const Spelling& spelling, std::vector<Expression> operands, unsigned width);
  Expression amounts(Ids ids, Type type);
  Expression logical(Ids ids);
  Expression sum(Ids ids);
  Expression select(Ids ids);
  Expression conversion(Ids ids);
  Expression dot(const ir::VectorDot& dot);
  std::optional<Expression> halves(Ids ids);

  // --- idioms.cpp ---
  /// `to * factor` if `factor` is not empty.
  struct Interpolation {
    std::vector<Id> from, to, factor, by;
  };
  std::optional<Expression> idiom(Ids ids);
  bool knows_expansions() const;
  bool knows_functions_of_spirv() const;
  std::optional<Interpolation> mixed(Ids ids) const;
  /// The vector and the normal.
  std::optional<std::array<std::vector<Id>, 2>> reflected(Ids ids) const;
  std::optional<std::vector<Id>> normalized(Ids ids) const;
  std::optional<Interpolation> interpolated(Ids ids) const;
  bool are_inside(Ids ids, Op op) const;
  bool are_negated(Ids ids, Ids values) const;

  // --- matrices.cpp ---
  struct MatrixVector {
    std::string prefix;
    std::vector<Step> path;
    bool is_rows = false;
    unsigned number = 0;  ///< of the vectors in memory
    unsigned count = 0, across = 0;
  };
  std::optional<std::vector<ScalarPlace>> constant_places(Ids ids, std::string& prefix);
  std::optional<MatrixVector> matrix_vector(Ids ids);
  bool are_equal(Ids a, Ids b) const;
  Expression product_of(const MatrixVector& matrix, unsigned vectors, unsigned components, const Expression& vector, bool is_sum);
  std::optional<MatrixVector> scaled_vector(Ids ids, Id& factor);
  std::optional<Expression> product_of_dots(Ids ids);
  std::optional<Expression> product_of_sum(Ids ids);
  bool is_product(Ids ids);

  // --- memory: memory.cpp, resources.cpp ---
  std::string path_text(std::string prefix, std::span<const Step> path);
  std::string index_text(const Index& index);
  Expression read(const std::string& prefix, std::span<const ScalarPlace> places);
  struct Target_ {
    std::string text;
    ValueType type;
  };
  Target_ place_text(const std::string& prefix, std::span<const ScalarPlace> places);
  std::optional<std::vector<ScalarPlace>> places(const ByteLayout& layout, Address address, unsigned count, unsigned bytes) const;
  std::optional<Expression> composed(const std::string& prefix, const ByteLayout& layout, const Address& address, Type type);
  std::optional<Expression> read_members(const std::string& prefix, const ByteLayout& layout, const Address& address, Type type,
                                         std::span<const std::uint8_t> members);
  Expression constant_load(Ids ids);
  std::optional<Expression> number_at(const std::string& prefix, Base base, Id address, std::uint32_t after, Type type);
  Expression members_of_load(Id load, std::span<const std::uint8_t> members);
  Expression load(Ids ids);
  void store(Statements& into, Ids ids);
  std::string flat_place(const Memory& memory, Id offset, unsigned add);
  ResourceUse resource(Id handle);
  TextureCall texture_call(Id id);
  Expression wide_texel(Ids values, Base base);
  std::optional<std::string> buffer_prefix(const ResourceUse& buffer, Id access);
  std::optional<ScalarPlace> buffer_place(const Memory& memory, Id access, std::uint32_t after, unsigned bytes) const;
  std::optional<Expression> length(Ids ids);
  Expression status_of(Id load);
  void refuse_member() { writer_.unsupported("accesses to a structured buffer that match no member"); }
  Expression buffer_load(Id id, std::span<const std::uint8_t> members);
  void buffer_store(Statements& into, Id id);
  void store_parts(Statements& into, Id id, const std::string& element, const ByteLayout& layout, const Address& address, Ids values);
  void atomic(Statements& into, Id id);
  ElementUse element_use(Ids ids);
  void outputs(Statements& into, Ids ids);
  bool goes_on(Id first, Id next) const;

  void mention(VariableId variable) { mentions_.push_back(variable); }
  Mentions take_mentions() { return std::exchange(mentions_, {}); }

  ModuleWriter& writer_;
  Target& target_;
  const std::size_t number_;
  const ir::Function& f_;
  const ir::Structure& tree_;
  const Plan plan_;
  std::vector<LocalVariable> variables_;
  std::vector<bool> is_typed_;  ///< by variable
  Mentions mentions_;
  std::vector<bool> is_done_;     ///< by id: written with another
  std::vector<bool> is_counted_;  ///< by id, in the score
  std::map<VariableId, VariableId> spares_;
  /// A break or continue that leaves more than the innermost loop, switch or region.
  struct Way {
    std::uint32_t node = kNone;   ///< one of those that go this way
    VariableId variable = kNone;  ///< whether it is gone
  };
  std::map<std::pair<std::uint32_t, bool>, Way> ways_;                           ///< by target, and whether they go on there
  std::map<std::uint32_t, std::set<std::pair<std::uint32_t, bool>>> ways_left_;  ///< by the node that they leave before the target
  std::set<std::string_view> joined_names_;                                      ///< of variables that several values come together in
  bool takes_new_names_ = false;                                                 ///< wanted_name() makes names of resources' new ones
};

}  // namespace unshade::write::source
