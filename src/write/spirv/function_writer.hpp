// Writes a function: control flow by its tree, instructions one by one.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <unshade/ir/analysis/vectors.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/ir/structure.hpp>
#include <unshade/ir/texture_operands.hpp>

#include "write/spirv/module_writer.hpp"
#include "write/spirv/writer.hpp"

namespace unshade::write::spirv_writer {

using ir::BlockId;
using ir::Id;
using ir::kNone;
using ir::Op;

class FunctionWriter {
 public:
  FunctionWriter(Writer& writer, const ir::Function& function, const ir::Structure& tree);
  void run(Word id);

 private:
  // --- control flow (flow.cpp)

  /// A way into a label, with the values that the phis of the block get that it leads to.
  struct Edge {
    Word from = 0;
    std::vector<Word> values;
    std::uint32_t exit = 0;  ///< number in Join::exits, from 1; 0: to Join::to
  };
  /// Where ways go on that only pass a label, since SPIR-V has no branch that leaves several loops.
  struct Exit {
    std::uint32_t target = kNone;  ///< a node
    bool continues = false;
    BlockId to = kNone;
  };
  /// A label where ways meet that all lead to one block of the IR.
  struct Join {
    Word label = 0;
    BlockId to = kNone;
    std::vector<Edge> edges;
    std::vector<Exit> exits;
  };
  /// A node of the tree that is open.
  struct Frame {
    std::uint32_t node = 0;
    Join merge;
    Join next;                     ///< of a loop: its continue target
    Word header = 0;               ///< of a loop: its label
    Word back = 0;                 ///< of a loop: the block that goes back to the header
    bool latch_continues = false;  ///< of a loop: the latch is the continue target, which continues lead to
    bool is_dead = false;          ///< nothing leads to it, or it has been written already
    std::vector<Word> arms;        ///< of an if or switch: labels of what it holds
    std::size_t next_arm = 0;
  };

  void walk();
  void open(std::uint32_t node);
  void close(Frame frame);
  void block(std::uint32_t node);
  void if_(std::uint32_t node);
  void switch_(std::uint32_t node);
  void loop(std::uint32_t node);
  void once(std::uint32_t node);
  void close_latch(Frame& loop, std::span<const std::uint32_t> terminator);
  Frame* loop_of_latch(std::uint32_t node, BlockId block);
  Frame& push(std::uint32_t node);
  void arm(std::uint32_t node);
  Frame pop();
  void place(Word label);
  void step_to(Word label);
  /// Ends the open block with a jump to a join.
  void jump(Join& to);
  void jump(Join& to, const Exit& exit);
  void enter_with_exits(Join& join);
  void leave(std::uint32_t target, bool continues);
  /// Opens the join's label, if anything leads to it.
  void enter(Join& join);
  std::vector<Word> phi_values(BlockId from, BlockId to);
  void bind_phis(BlockId block, std::span<const Word> values);

  // --- debug information (function_writer.cpp)

  /// Says where an instruction comes from, unless the one before did.
  void at_line(Id id);
  void name_value(Id id, Word word);

  // --- values

  Word value(Id id);
  /// A component of a vector (kNone: the word itself), or another type of one, which is written where it is used first, and in each block
  /// again: what vectors are used for as a whole leaves none. `type`: of the component.
  void define_part(Id id, Word word, std::uint32_t component, Word type, std::uint32_t width = 0);
  void define_cast(Id id, Word word, Type from) { define_part(id, word, kNone, word_type(from)); }
  void define(Id id, Word word);
  Type type(Id id) const;
  /// Of a row that is written, of vectors.
  Word word_type(Type type) {
    const Word made = writer_.type_of(type);
    return row_.empty() ? made : out_.vector_type(made, static_cast<unsigned>(row_.size()));
  }
  Word constant(Type type, std::uint64_t bits);
  Word u32(std::uint32_t number) { return out_.u32(number); }
  std::optional<std::uint64_t> known(Id id) const;
  Word op(Opcode opcode, Word type, std::initializer_list<Word> operands);
  Word op(Opcode opcode, Word type, std::span<const Word> operands);
  Word glsl(Glsl what, Word type, std::initializer_list<Word> operands);
  void effect(Opcode opcode, std::initializer_list<Word> operands) { body_.put(opcode, operands); }
  // In braces, every compiler makes types and operands in the order in which they are written: `op({opcode, type(), {a(), b()}})`.
  struct Operation {
    Opcode opcode;
    Word type;
    std::initializer_list<Word> operands;
  };
  Word op(const Operation& of) { return op(of.opcode, of.type, of.operands); }
  struct GlslOperation {
    Glsl what;
    Word type;
    std::initializer_list<Word> operands;
  };
  Word glsl(const GlslOperation& of) { return glsl(of.what, of.type, of.operands); }
  struct Selection {
    Word type, condition, a, b;
  };
  Word select(const Selection& of) { return op(Opcode::select, of.type, {of.condition, of.a, of.b}); }
  Word member(Id tuple, unsigned number, Type of);
  void define_members(std::span<const Word> members);

  // --- instructions (instructions.cpp)

  void instruction(Id id);
  void compute(Id id);
  bool table_row();
  bool arithmetic();
  bool integers();
  bool conversion();
  Word to_integer(Id of, Type to, bool is_signed);
  Word half_toward_zero(Word real);
  Word single_toward_zero(Word real);
  Word float_class();
  bool is_below(Id id, unsigned bound) const;
  Word division();
  Word half(Word wide, unsigned which);
  Word joined(Word low, Word high);
  Word first_bit();
  Word resized(Word word, Type from, Type to, bool is_signed = false);
  Word as(Type to, Type from, Word word);
  void precise(Word word);
  Word defined() const { return row_.empty() ? words_[id_] : row_word_; }
  std::uint32_t extra() const { return inst_->extra; }
  std::span<const std::uint32_t> operands() const { return function_.operands_of(id_); }
  Word operand(std::size_t at);

  /// A component of a vector in memory that nothing writes, which is loaded as a whole: once in a block, and once for all in the first.
  Word constant_vector(const Variable& variable, std::span<const Word> before, Word vector);
  Word extract(Word vector, std::uint32_t component, Word type) { return op(Opcode::composite_extract, type, {vector, component}); }

  // --- vectors (rows.cpp)

  void choose_rows();
  /// Writes the row that the instruction begins; true if it is in one.
  bool row(Id id);
  /// Writes the dot product that the instruction ends; true if it is in one.
  bool dot(Id id);
  bool may_be_dot(const ir::VectorDot& dot) const;
  bool drop_rows();
  int words_of_operand(std::span<const Id> list, bool may_be_scalar, std::vector<bool>& is_alone) const;
  void name_row(std::span<const Id> members);
  Word components_of(std::span<const Id> ids, Word scalar, Word whole);
  Id common_operand(std::size_t at) const;
  static bool is_by_components(Op op);
  static bool is_table_row(Op op);
  /// Values as a vector.
  Word vector_of(std::span<const Id> ids);

  // --- memory, inputs and outputs (memory.cpp)

  bool memory();
  Word within(Word index, std::optional<std::uint64_t> constant, std::uint32_t count);
  Word exchanged(ir::AtomicOp what, Type type, Type whole, Word at, Word scope, Word operand);
  void wide_access(const Variable& variable, std::uint32_t words);
  void small_access(const Variable& variable, Id offset, Word index, Word is_inside, bool is_load);
  /// An index and a number.
  Word sum(Word word, std::uint32_t add);
  Word byte_index(Id offset, unsigned shift, std::uint32_t add);
  Word load_words(const Variable& from, std::span<const Word> before, Word index, Type type);
  void store_words(const Variable& to, std::span<const Word> before, Word index, Type type, Word what);
  bool interface();
  Word vector_of_element(const ElementPlace& place) const;
  void store_output();
  bool gathers_outputs(Id first);
  std::vector<Word> element_indexes(const ElementPlace& place, const ir::ElementExtra& extra, std::size_t& next);
  Word element_pointer(const ElementPlace& place, const ir::ElementExtra& extra, std::size_t& next);
  std::unordered_set<Id> stored_later_;                    ///< outputs that the last of their vector stores
  std::unordered_map<Id, std::array<Id, 4>> stored_with_;  ///< by the last, those of all components
  Word from_element(const ElementPlace& place, Word loaded);
  Word builtin();
  void mesh_index();
  Word pointer(StorageClass storage, Word type, Word base, std::span<const Word> indexes);

  // --- resources (resources.cpp, images.cpp)

  struct Handle {
    std::uint32_t resource = kNone;
    Id index = kNone;
    bool is_non_uniform = false;
  };
  Handle handle(Id id);
  bool resources();
  void constant_load();
  void count_constants();
  bool is_row_shared(std::uint32_t resource, std::uint64_t byte) const;
  bool is_multiple_of_16(Id id, unsigned depth = 0) const;
  bool own_constants(const Handle& from, std::uint64_t bytes);
  bool named_constants(const Handle& from, std::optional<std::uint64_t> bytes);
  bool is_beyond(const Handle& of, const ir::BufferExtra& extra, std::uint32_t number) const;
  void buffer_load();
  void buffer_store();
  void buffer_atomic();
  void counter();
  /// A place in a buffer: what indexes it, the last of words of `bytes` bytes.
  Words buffer_indexes(const Handle& of, const ir::BufferExtra& extra, unsigned bytes);
  void add_index(Words& indexes, const Handle& of, StorageClass storage, bool is_image, bool is_sampler);
  Word resource_pointer(const Variable& variable, const Handle& of, Word type, std::span<const Word> indexes);
  Word load_resource(const Variable& variable, const Handle& of, bool is_sampler, bool is_storage);
  Word keep_in_element(const Handle& of, const ir::BufferExtra& extra, unsigned bytes, std::uint32_t words, Words& indexes);
  Word bit_of_byte(const ir::BufferExtra& extra, std::uint32_t number, Words& indexes);
  void store_bits(Word at, spirv::Scope scope, Word low, unsigned width, Word what);
  static bool is_of_floats(ir::AtomicOp what);
  Word float_atomic(ir::AtomicOp what, Type type, Word at, Word scope, Word operand);
  /// Writes what is done only where a condition holds; 0: always.
  template <class Write>
  void only_if(Word condition, Write write);
  Word atomic(ir::AtomicOp what, Type type, Word pointer, Word scope, std::span<const Word> values);
  bool images();
  bool is_shaped(const Handle& of, ResourceDimension dimension);
  void sample();
  void texel_load();
  void texel_store();
  void texel_atomic();
  void query();
  void sample_position();
  Word target_samples();
  Word vector(Word component, std::span<const Word> parts);
  Word texel_place(const ir::TextureExtra& extra, const ir::TextureOperands<Id>& o);
  Word result_of(const Writer::Image& image, unsigned count, bool has_status);
  /// Members of the operation from a vector of texels, or from a struct of a code and such a vector.
  void define_texel(const Writer::Image& image, Word made, bool has_status);
  Word texel_value(const Writer::Image& image, Word component);
  ir::TextureOperands<Id> texture_operands(const ir::TextureExtra& extra);

  // --- lanes (lanes.cpp)
  bool lanes();
  Word reduce();

  Writer& writer_;
  ModuleWriter& out_;
  ir::Vectors rows_;
  const std::optional<ir::Function> ordered_;  ///< if rows are: with their members together
  const ir::Function& function_;
  const ir::Structure& tree_;
  Section body_;
  Word last_result_ = 0;      ///< of the last instruction that op() wrote
  std::size_t last_end_ = 0;  ///< where that ends in body_

  std::vector<Word> words_;        ///< of values; 0: not yet
  std::vector<bool> is_reserved_;  ///< a value was used before it was written
  /// Of tuples: a composite, or members one by one.
  struct Tuple {
    Word composite = 0;
    Word part_type = 0;                  ///< of a composite
    std::uint32_t width = 0;             ///< of a composite that is a vector
    std::uint32_t shift = 0;             ///< of a composite: where member 0 is
    std::uint32_t first = 0, count = 0;  ///< in members_
    Word status = 0;                     ///< member `status_at`
    std::uint32_t status_at = kNone;
  };
  std::vector<std::uint32_t> tuple_of_;  ///< by id; kNone: none
  std::vector<Tuple> tuples_;
  std::vector<Word> members_;

  std::size_t number_ = 0;          ///< of the function
  Word debug_function_ = 0;         ///< for debuggers; 0: there are none
  std::uint32_t current_line_ = 0;  ///< that holds in the open block; 0: none
  bool has_scope_ = false;          ///< the open block has said its function
  bool names_values_ = false;
  /// Words that are written again in other blocks: valid in the block with this label, and everywhere if that is the first.
  struct Placed {
    Word label = 0, word = 0;
  };
  bool is_here(const Placed& placed) const { return placed.label != 0 && (placed.label == label_ || placed.label == first_label_); }
  struct Part {
    Word word = 0;
    std::uint32_t component = kNone;  ///< kNone: the word itself
    Word type = 0;
    std::uint32_t width = 0;  ///< of the vector
    Placed made;
  };
  Word first_label_ = 0;
  void define_parts(std::span<const Part> parts);
  /// What a value is a part of; null if it is none.
  Part* part_of(Id id) { return part_of_[id] == kNone ? nullptr : &parts_[part_of_[id]]; }
  std::vector<std::uint32_t> part_of_;  ///< by id, in parts_; kNone: of none
  std::vector<Part> parts_;
  std::unordered_map<Id, std::vector<Part>> tuple_parts_;  ///< of members of a tuple
  ByWords<Placed> operands_;                               ///< that are vectors
  std::vector<bool> is_row_;                               ///< by row: it is written as one
  std::vector<bool> is_row_done_;
  std::vector<bool> is_dot_;                                                    ///< the same by dot product
  std::span<const Id> row_;                                                     ///< the members of the row that is written
  Word row_word_ = 0;                                                           ///< what they are
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> constants_;  ///< values that are read, by resource and row
  ByWords<Placed> vectors_;                                                     ///< by variable and indexes
  std::unordered_set<Word> unnamed_;                                            ///< what instructions gave, and has no name

  std::array<Word, 3> corners_{};  ///< of the primitive of a mesh that is written
  Word atomic_type_ = 0;           ///< of an atomic operation on texels: their type
  Id id_ = 0;
  const ir::Inst* inst_ = nullptr;

  std::vector<Frame> frames_;
  std::vector<std::uint32_t> frame_of_;        ///< by node: its place in frames_, while it is open
  std::vector<std::uint32_t> loops_;           ///< nodes of loops that are open
  std::vector<std::uint32_t> left_by_breaks_;  ///< of loops, switches and onces
  Word label_ = 0;                             ///< of the open block; 0: none is
  BlockId going_to_ = kNone;                   ///< where the open block leads
  std::vector<Word> carried_;                  ///< what the phis of that block get
  bool is_bound_ = false;                      ///< they have it
};

template <class Write>
void FunctionWriter::only_if(Word condition, Write write) {
  if (condition == 0) return write();
  const Word then = out_.fresh(), after = out_.fresh();
  effect(Opcode::selection_merge, {after, 0});
  effect(Opcode::branch_conditional, {condition, then, after});
  place(then);
  write();
  effect(Opcode::branch, {after});
  place(after);
}

}  // namespace unshade::write::spirv_writer
