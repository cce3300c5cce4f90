// Lowers the functions of one DXIL module. A value of LLVM is one value of the IR or several, its pieces: elements of vectors, members of
// structures, in their order. Pointers have none: loads and stores resolve them with dxil::address_of().
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/collections/small_vector.hpp>
#include <unshade/core/graph.hpp>
#include <unshade/core/result.hpp>
#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/layout.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/program/call.hpp>
#include <unshade/dxil/program/handles.hpp>
#include <unshade/dxil/query.hpp>
#include <unshade/ir/builder.hpp>
#include <unshade/ir/module.hpp>

#include "ir/meaning.hpp"

namespace unshade::ir::lower_dxil {

/// What the tables of the format say; unsupported of what they do not have.
Meaning meaning_of(const dxil::OperationInfo& row);
Meaning meaning_of(dxil::Opcode opcode);
Meaning meaning_of(dxil::Predicate predicate);
Meaning meaning_of(dxil::AtomicOperation operation);

/// Types of the pieces of a value.
using Types = SmallVector<Type, 8>;

/// What all functions of a module share.
struct Context {
  const dxil::Module& module;
  const dxil::ProgramMetadata& program;
  const dxil::EntryPoint& entry;
  dxil::ProgramQuery query;
  dxil::HandleFinder handles;
  dxil::TypeLayout layout;
  Module& out;
  bool keeps_copies = false;

  bool minimum_precision = false;
  std::unordered_map<const dxil::ProgramResource*, std::uint32_t> resources;  ///< index of Module::resources
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> heap_resources;       ///< by what an annotation says, and the heap
  std::unordered_map<std::uint32_t, std::uint32_t> variables;                 ///< of globals, by value id
  std::unordered_map<std::uint32_t, std::uint32_t> functions;                 ///< index of Module::functions, by that of dxil::Module
  std::vector<std::uint32_t> waiting;                                         ///< functions that are called and not lowered yet
  std::uint32_t payload = kNone;                                              ///< variable
  std::size_t instructions_left = 0;                                          ///< that functions may still be lowered to
  std::array<std::uint64_t, 4> space_bytes{};                                 ///< taken up by variables so far

  Context(const dxil::Module& from, const dxil::ProgramMetadata& metadata, const dxil::EntryPoint& point, Module& to);

  /// The IR's type of a scalar of LLVM; nothing for other types, and for widths that the IR does not have.
  std::optional<Type> scalar(std::uint32_t type) const;
  /// Bits of a number of the file as scalar() has it: integers and reals of minimum precision are wider there.
  std::uint64_t widened(std::uint32_t type, std::uint64_t bits) const;
  /// The types of the pieces of a value; false for a type that holds what is no value of the IR.
  bool flatten(std::uint32_t type, Types& pieces, unsigned depth = 0) const;
  bool is_handle(std::uint32_t type) const;
  /// The type in memory of all scalars of a type, if they have one; else void_.
  Type common_scalar(std::uint32_t type, unsigned depth = 0) const;
  /// A new variable after those of its space.
  std::uint32_t add_variable(std::string name, Space space, std::uint64_t bytes, std::vector<std::byte> initial = {});
  /// Says of a variable of a type, or of several in a row, what its numbers and elements are.
  void describe_memory(std::uint32_t variable, std::uint32_t type, bool several = false);
  std::uint32_t function_of(std::uint32_t function);
};

/// A row for what has these properties, without a place.
Resource resource_of(const dxil::ResourceProperties& properties);

class FunctionLowering {
 public:
  FunctionLowering(Context& context, const dxil::Body& body, Function& function);
  Result<void> run();

 private:
  using Piece = Id;
  using Pieces = SmallVector<Piece, 4>;
  using Operands = SmallVector<std::uint32_t, 8>;
  using Instruction = dxil::Instruction;

  // function.cpp: blocks, and values as pieces
  void number_blocks();
  void fill_phis();
  void lower_block(std::uint32_t block);
  /// Fails once the functions are larger than they may become (ir/sizes.hpp).
  void check_size();
  void fail(ErrorCode code, std::string message);
  void unsupported(std::string_view what) { fail(ErrorCode::unsupported, std::string(what) + " is not supported"); }
  std::span<const std::uint32_t> operands(const Instruction& i) const { return module_.operands_of(i.operands); }
  std::uint32_t type_of(std::uint32_t operand) const { return context_.query.type_of(body_, operand); }
  /// They stay where they are until the value is defined anew.
  const Pieces& pieces(std::uint32_t operand);
  Id value(std::uint32_t operand);
  void append_constant(std::uint32_t operand, Pieces& to, unsigned depth);
  void append_expression(const dxil::Constant& constant, Pieces& to, unsigned depth);
  void place_expressions();
  void append_zeros(std::uint32_t type, bool undefined, Pieces& to);
  Id number(std::uint32_t type, std::uint64_t bits);
  void define(const Instruction& i, Pieces pieces);
  void define(const Instruction& i, Id piece) { define(i, Pieces{piece}); }
  /// Builder::copied() of each.
  Pieces copied(Pieces pieces) {
    for (Id& piece : pieces) piece = builder_.copied(piece);
    return pieces;
  }
  Flags flags_of(const Instruction& i) const;
  Id op(Op op, Type type, std::initializer_list<std::uint32_t> operands, std::uint32_t extra = 0) {
    return builder_.inst(op, type, operands, {.extra = extra, .flags = flags_});
  }
  Id i32(std::uint32_t value) { return builder_.i32(value); }
  /// Members of a tuple that has one member or more.
  Pieces members(Id tuple, std::span<const Type> types);

  // instructions.cpp: what LLVM has
  void instruction(const Instruction& i);
  /// Whether an instruction only computes, as constant expressions do too.
  static bool is_computed(dxil::Opcode opcode);
  Pieces computed(const Instruction& i);
  Pieces binary(const Instruction& i);
  Pieces cast(const Instruction& i);
  Pieces compare(const Instruction& i);
  Pieces select(const Instruction& i);
  void phi(const Instruction& i);
  void aggregate(const Instruction& i);
  void vector(const Instruction& i);
  void shuffle(const Instruction& i);
  void call(const Instruction& i);
  void terminator(const Instruction& i);
  Id converted(Meaning how, Type to, Id value);
  std::pair<std::size_t, std::size_t> member(std::uint32_t type, std::span<const std::uint32_t> indexes);

  // names.cpp
  /// What llvm.dbg.value, or llvm.dbg.declare of a variable, says.
  void name_by_debug_information(const Instruction& call, bool declares);

  // memory.cpp
  struct Place {
    std::uint32_t variable = kNone;
    Id offset = kNone;  ///< i32, bytes
    std::uint64_t constant = 0;
  };
  std::optional<Place> place(std::uint32_t pointer);
  Id at(const Place& place, std::uint64_t more);
  void alloca_variable(const Instruction& i);
  void load(const Instruction& i);
  void store(const Instruction& i);
  void atomic(const Instruction& i);
  void load_pieces(std::uint32_t type, const Place& from, std::uint64_t offset, Pieces& to);
  void store_pieces(std::uint32_t type, const Place& to, std::uint64_t offset, const Pieces& from, std::size_t& next);

  // operations.cpp: calls of DXIL's operations
  void operation(const dxil::Call& call);
  bool componentwise(const dxil::Call& call, Meaning meaning);
  void input(const dxil::Call& call, Meaning meaning);
  void output(const dxil::Call& call, Meaning meaning);
  void interpolate(const dxil::Call& call, Meaning meaning);
  void builtin(const dxil::Call& call, Builtin which);
  void wave(const dxil::Call& call, Meaning meaning);
  void barrier(const dxil::Call& call);
  void mesh(const dxil::Call& call, Meaning meaning);
  void dot(const dxil::Call& call);
  Reduction reduction(const dxil::Call& call, Meaning meaning);
  ElementExtra element(const dxil::Call& call, SignatureKind kind);
  void add_row(const dxil::Call& call, ElementExtra& extra, Operands& operands);
  std::uint64_t constant(const dxil::Call& call, dxil::Parameter parameter);
  Id argument(const dxil::Call& call, dxil::Parameter parameter) { return value(call.argument(parameter)); }
  Type overload(const dxil::Call& call) const;

  // resources.cpp
  bool resource_operation(const dxil::Call& call, Meaning meaning);
  void create_handle(const dxil::Call& call);
  void create_heap_handle(const dxil::Call& call);
  void annotate_handle(const dxil::Call& call);
  std::uint32_t heap_resource(const std::array<std::uint32_t, 2>& properties, bool samplers);
  void constant_buffer(const dxil::Call& call);
  void load_buffer(const dxil::Call& call);
  void store_buffer(const dxil::Call& call);
  void load_texture(const dxil::Call& call);
  void store_texture(const dxil::Call& call);
  void sample(const dxil::Call& call, Meaning meaning);
  void gather(const dxil::Call& call);
  void feedback(const dxil::Call& call);
  void dimensions(const dxil::Call& call);
  void level_of_detail(const dxil::Call& call);
  void resource_atomic(const dxil::Call& call);
  std::optional<dxil::HandleResource> resource(const dxil::Call& call, dxil::Parameter handle);
  /// Members of the result of a load that are read: bit i for member i.
  std::uint64_t used(const Instruction& i) const;
  void loaded(const dxil::Call& call, Id tuple, unsigned count, bool has_status);
  bool coordinates(const dxil::Call& call, std::span<const dxil::Parameter> from, unsigned count, TextureOperands<Id>& to);
  void offsets(const dxil::Call& call, std::span<const dxil::Parameter> from, unsigned count, TextureOperands<Id>& to);
  void levels(const dxil::Call& call, unsigned dimensions, TextureOperands<Id>& to);
  void load_texels(const dxil::Call& call, Op op, std::span<const Id> handles, TextureExtra extra, const TextureOperands<Id>& operands,
                   bool all);

  Context& context_;
  const dxil::Module& module_;
  const dxil::Body& body_;
  Builder builder_;
  Graph graph_;
  std::vector<BlockId> first_block_, last_block_;  ///< of LLVM's blocks: a barrier ends one of ours
  std::vector<Pieces> locals_;                     ///< of the body's values
  std::unordered_map<std::uint32_t, Pieces> constants_;
  const Pieces no_pieces_{};
  std::vector<Id> expressions_;      ///< of constants, in no block until place_expressions()
  std::vector<std::uint64_t> used_;  ///< of the body's values, see used()
  struct Phi {
    const Instruction* instruction;
    std::uint32_t block;
    Pieces phis;
  };
  std::vector<Phi> phis_;
  std::size_t pieces_ = 0;                                    ///< of all values and phis so far
  std::unordered_map<std::uint32_t, std::uint32_t> allocas_;  ///< variables by value id
  std::optional<Error> error_;
  const Instruction* current_ = nullptr;
  std::uint32_t current_block_ = 0;  ///< of the body
  BlockId next_block_ = kNone;       ///< after the next barrier
  Flags flags_ = Flags::none;
};

}  // namespace unshade::ir::lower_dxil
