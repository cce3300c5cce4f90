// Lowers the functions of one SPIR-V module. A value is one value of the IR or several, its pieces: components, columns, members and
// elements in their order; of a sampled image, the image and the sampler. Pointers are no values: each id of one has a Pointer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/ir/builder.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/spirv/code.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>

#include "ir/meaning.hpp"
#include "ir/message_table.hpp"

namespace unshade::ir::lower_spirv {

using Pieces = std::vector<Id>;
using spirv::Opcode;
using spirv::StorageClass;
using spirv::TypeKind;

inline constexpr auto kNearest = static_cast<std::uint32_t>(Rounding::nearest_even);

Meaning meaning_of(spirv::Opcode opcode);
Meaning meaning_of(spirv::extended::GlslStd450 instruction);

/// A part of an input or output.
struct Node {
  enum class Kind : std::uint8_t { none, structure, elements, element, builtin, special } kind = Kind::none;
  SignatureKind signature = SignatureKind::input;
  std::uint16_t element = 0;
  Builtin builtin = Builtin::thread_id;
  spirv::BuiltIn special{};    ///< computed from builtins
  std::vector<Node> children;  ///< members, or elements of an array of structures
};

/// What a pointer points to.
struct Pointer {
  enum class Kind : std::uint8_t { none, memory, constants, buffer, address, resources, interface, texel } kind = Kind::none;
  std::uint32_t type = kNone;  ///< place of the type it points to
  Flags flags = Flags::none;   ///< of accesses

  // memory, constants, buffer, address: bytes
  bool natural = false;            ///< no decorations give the layout
  std::uint32_t variable = kNone;  ///< of Module::variables
  Id handle = kNone;
  Id address = kNone;  ///< in 64 bits, to which the offset is added
  std::uint64_t offset = 0;
  Id index = kNone;  ///< added to the offset; of resources, to their first one
  std::uint32_t matrix_stride = 0;
  bool row_major = false;
  std::uint32_t component_stride = 0;  ///< of vectors; 0: components stand beside each other

  // resources: places of Module::resources
  std::uint32_t resource = kNone;
  std::uint32_t sampler = kNone;

  // interface
  const Node* node = nullptr;
  bool per_vertex = false;  ///< the next index is that of a vertex
  Id vertex = kNone;
  std::uint32_t row = 0;
  Id row_index = kNone;
  std::uint32_t column = 0;
  Id column_index = kNone;

  // texel
  std::uint32_t image = kNone;  ///< type
  Pieces coordinates;           ///< and the sample, if the image has several
};

/// What all functions of a module share.
struct Context {
  const spirv::Module& module;
  const spirv::IdTable& ids;
  const spirv::Interface& interface;
  const spirv::Code& code;
  const spirv::EntryPoint& entry;
  Module& out;
  bool keeps_copies = false;
  bool keeps_calls = false;
  MessageTable messages{out};

  struct Mark {
    Flags flags = Flags::none;
    bool toward_zero = false;
  };
  std::unordered_map<std::uint32_t, Mark> marks;                    ///< decorations of results, by id
  std::unordered_map<std::uint32_t, Pointer> roots;                 ///< of variables, by id
  std::vector<std::uint32_t> piece_counts;                          ///< of types; kNone: has no values
  std::vector<bool> too_large;                                      ///< of types: they have no values because there would be too many
  std::vector<std::uint64_t> sizes;                                 ///< of types, in memory without a layout
  std::vector<std::uint32_t> first_words;                           ///< of all instructions
  std::vector<Node> nodes;                                          ///< of variables
  std::unordered_map<std::uint32_t, std::uint32_t> kept_functions;  ///< calls of which are kept: place in Module::functions, by id
  std::vector<const spirv::CodeFunction*> waiting;                  ///< of those, in the order of their places, from 1 on
  std::size_t instructions_left = 0;                                ///< that functions may still be lowered to
  struct WithoutLocation {
    SignatureKind signature;
    std::uint16_t element;
    bool counts;  ///< its semantic has the location as its index
  };
  std::vector<WithoutLocation> without_location;  ///< elements of the signatures
  std::array<std::uint64_t, 4> space_bytes{};     ///< taken up by variables so far
  bool chooses_pointers = false;                  ///< capability VariablePointers or VariablePointersStorageBuffer
  bool explicit_group_layout = false;             ///< variables of group memory are blocks
  bool has_bfloat16 = false;                      ///< a type of the module is bfloat16

  Context(const spirv::Module& from, const spirv::IdTable& table, const spirv::Interface& shown, const spirv::Code& functions,
          const spirv::EntryPoint& point, Module& to);

  const spirv::Type& type(std::uint32_t place) const;
  /// The IR's type of a scalar, image or sampler; nothing for others. A bfloat16, which has conversions alone, is its bits.
  std::optional<Type> scalar(std::uint32_t place) const;
  bool is_bfloat16(std::uint32_t place) const;
  /// The innermost scalar of vectors and matrices.
  std::uint32_t scalar_of(std::uint32_t place) const;
  std::uint32_t count(std::uint32_t place) const { return place < piece_counts.size() ? piece_counts[place] : kNone; }
  bool is_too_large(std::uint32_t place) const { return place < too_large.size() && too_large[place]; }
  /// In memory with the layout that decorations give.
  std::uint64_t explicit_size(std::uint32_t place, std::uint32_t matrix_stride = 0) const;
  std::uint64_t size(std::uint32_t place) const { return place < sizes.size() ? sizes[place] : 0; }
  void flatten(std::uint32_t place, std::vector<Type>& types) const;
  /// Components of a vector, or of the columns of a matrix; 0 of others.
  std::uint32_t vector_size(std::uint32_t place) const;
  /// Elements of arrays, columns, components, members; 0 of others.
  std::uint32_t parts(std::uint32_t place) const;
  std::uint32_t part(std::uint32_t place, std::uint32_t at) const;
  std::uint32_t listing_index(const spirv::Instruction& instruction) const;
  std::string name_of(std::uint32_t id) const;
  /// What makes a type, for messages: `OpTypeCooperativeMatrixKHR`, `OpTypeFloat 16 BFloat16KHR`.
  std::string type_text(std::uint32_t place) const;
  /// A new variable after those of its space; kNone if there is no more room.
  std::uint32_t add_variable(std::string name, Space space, std::uint64_t bytes);
  /// Whether calls of a function are kept.
  bool keeps(const spirv::CodeFunction& f);
  /// The place of a function that is kept, among those of the module.
  std::uint32_t place_of(const spirv::CodeFunction& f);
  /// Says of a variable of a type what its numbers and elements are.
  void describe_memory(std::uint32_t variable, std::uint32_t type, bool natural = true);
  /// The type in memory of all scalars of a type, if they have one; else void_.
  Type common_scalar(std::uint32_t place) const;
  /// Of storage buffers, which rows count for them.
  void describe_counters();

  Result<void> describe_variables();
  void describe_stage();

 private:
  void measure_types();
  void read_marks();
  void describe_resource(const spirv::Variable& variable);
  void describe_interface(const spirv::Variable& variable);
  /// Whether a function returns to its caller whatever happens, and does not call itself.
  bool always_returns(const spirv::CodeFunction& f, unsigned depth);
  bool has_plain_pieces(std::uint32_t type_id, std::vector<Type>& types) const;
  enum class Returns : std::uint8_t { open, always, perhaps };
  std::unordered_map<std::uint32_t, Returns> returns_;  // of functions, by id
  /// Elements without a location, which Vulkan does not allow, get those after all others: no two are taken for one.
  void place_without_location();
  /// What an input or output, or a part of it, is called.
  struct PartName {
    std::string full;       ///< as reflection has it: `vertex.color`
    std::string member;     ///< of a block, its own name; empty: none
    bool is_named = false;  ///< the module has a name for it, its block or its type
  };
  Node node_of(std::uint32_t place, const spirv::Variable& variable, const spirv::Decorations& own, const PartName& name,
               std::optional<std::uint32_t>& location);
  Node builtin_node(spirv::BuiltIn which, const spirv::Variable& variable);
};

/// An instruction taken apart; or the operation of a constant.
struct Instruction {
  spirv::Opcode opcode{};
  Meaning meaning{};
  std::uint32_t type = 0;    ///< id
  std::uint32_t result = 0;  ///< id
  std::vector<std::uint32_t> operands;
  std::uint32_t operand(std::size_t at) const { return at < operands.size() ? operands[at] : 0; }
};

class FunctionLowering {
 public:
  FunctionLowering(Context& context, Function& function);
  /// The entry point.
  Result<void> run();
  /// A function that is kept.
  Result<void> run(const spirv::CodeFunction& f);

 private:
  struct Frame {
    const spirv::CodeFunction& function;
    Frame* caller;
    std::vector<BlockId> first, last;          ///< of SPIR-V's blocks: calls and barriers end blocks of the IR
    std::vector<std::vector<BlockId>> layout;  ///< blocks of the IR made of each
    std::vector<std::size_t> phis;
    BlockId return_block = kNone;  ///< kNone: of the entry point
    std::vector<std::pair<BlockId, Pieces>> returns;
    std::uint32_t block = 0;  ///< which is being lowered
  };
  struct Phi {
    BlockId block;
    Pieces phis;
    std::vector<std::pair<BlockId, Pieces>> incoming;
    std::vector<std::uint32_t> operands;  ///< of OpPhi, until the frame is done
  };

  // function.cpp: blocks, and values as pieces
  Result<void> finish(const spirv::CodeFunction& f);
  std::vector<BlockId> lower_function(const spirv::CodeFunction& f, Frame* caller, BlockId return_block,
                                      std::vector<std::pair<BlockId, Pieces>>& returns);
  /// Instructions of a function with those of what it calls, up to `most` and one more. Of what nests too deeply or calls itself, any
  /// number.
  std::size_t inlined_size(const spirv::CodeFunction& f, unsigned depth, std::size_t most);
  /// Fails once the function is larger than it may become (ir/sizes.hpp).
  void check_size();
  void lower_block(Frame& frame, std::uint32_t block);
  void number_blocks(std::span<const BlockId> layout);
  void fill_phis();
  BlockId new_block();
  void fail(ErrorCode code, std::string message);
  void unsupported(std::string_view what) { fail(ErrorCode::unsupported, std::string(what) + " is not supported"); }
  std::uint32_t type_of(std::uint32_t id) const { return context_.interface.find_type(context_.ids.type_of(id)); }
  std::uint32_t result_type(const Instruction& i) const { return context_.interface.find_type(i.type); }
  /// The scalar type of the result's components; an error of those that no arithmetic has, such as bfloat16.
  Type result_scalar(const Instruction& i);
  /// Whether an operand has the type bfloat16.
  bool takes_bfloat16(const Instruction& i) const;
  Id from_bfloat16(Id bits, Type to);
  /// The bits of a bfloat16. Half and float only.
  Id to_bfloat16(Id x, bool toward_zero);
  Pieces pieces(std::uint32_t id);
  bool constant_pieces(std::uint32_t id, Pieces& to, unsigned depth);
  bool replicated(std::uint32_t type, std::uint32_t id, Pieces& to);
  Pieces undefined(std::uint32_t place);
  Id value(std::uint32_t id);
  std::optional<std::uint64_t> known(std::uint32_t id) const;
  std::uint64_t constant(std::uint32_t id);
  void define(const Instruction& i, Pieces pieces);
  void name_pieces(std::uint32_t id, std::uint32_t type_id, const Pieces& pieces);
  void name_stored(std::uint32_t variable, const Pointer& to, const Pieces& pieces);
  void define(const Instruction& i, Id piece) { define(i, Pieces{piece}); }
  /// Builder::copied() of each, if they are not those of a constant.
  Pieces copied(Pieces pieces) {
    for (Id& piece : pieces) piece = evaluating_ == 0 ? builder_.copied(piece) : piece;
    return pieces;
  }
  Id op(Op op, Type type, std::initializer_list<std::uint32_t> operands, std::uint32_t extra = 0) {
    return builder_.inst(op, type, operands, {.extra = extra, .flags = flags_});
  }
  Id i32(std::uint32_t value) { return builder_.i32(value); }
  Id real(Type type, double value);
  /// An integer in another width.
  Id resized(Id value, Type to, bool sign = false);
  Id not_(Id value) { return op(Op::inot, Type::b1, {value}); }
  Pieces members(Id tuple, std::span<const Type> types);
  /// Builder::component() of a part of a type, if that is a vector.
  Builder::Component component_of(const spirv::Type& type, std::size_t part) {
    return builder_.component(type.kind == TypeKind::vector ? part : kNoComponent);
  }

  // instructions.cpp
  void instruction(const Instruction& i);
  bool composite(const Instruction& i);
  bool arithmetic(const Instruction& i);
  bool each(const Instruction& i);
  void bits(const Instruction& i, Op what);
  void bitcast(const Instruction& i);
  Id dot(std::span<const Id> a, std::span<const Id> b);
  void matrix(const Instruction& i);
  void integer_dot(const Instruction& i);

  // control_flow.cpp
  void phi(const Instruction& i);
  void call(const Instruction& i);
  bool terminator(const Instruction& i);
  void barrier(std::uint32_t extra);

  // glsl.cpp
  void extended(const Instruction& i);
  bool glsl_vector(const Instruction& i, Meaning meaning, spirv::extended::GlslStd450 which);
  Id glsl_scalar(Meaning meaning, spirv::extended::GlslStd450 which, Type type, std::span<const Id> x);
  Pieces packed(const Instruction& i, spirv::extended::GlslStd450 which);
  Id clamped(Type type, Id x, Id low, Id high) { return op(Op::fmin, type, {op(Op::fmax, type, {x, low}), high}); }
  Id length(std::span<const Id> x);
  Id determinant(std::span<const Id> m, unsigned n);
  Pieces inverse(std::span<const Id> m, unsigned n);

  // messages.cpp
  void print(const Instruction& i);
  /// What an instruction prints.
  struct PrintedMessage {
    std::uint32_t number = 0;          ///< of Module::messages
    std::vector<std::uint32_t> shown;  ///< ids
  };
  PrintedMessage message_of(const Instruction& i);
  /// The types of an argument's components if it is a number, a truth value or an address, or a vector of them; else none.
  std::vector<Type> shown_types(std::uint32_t id) const;
  /// The beginning of an OpString, as far as a message may have it; null for another id.
  const std::string* text_of(std::uint32_t id);

  // memory.cpp
  bool memory(const Instruction& i);
  Pointer pointer(std::uint32_t id);
  void step(Pointer& p, std::optional<std::uint64_t> at, Id index);
  void enter_block(Pointer& p);
  /// Of a pointer to a resource or address, one to the bytes of a buffer.
  void enter_buffer(Pointer& p);
  bool is_untyped(std::uint32_t id) const;
  void point_to(Pointer& p, std::uint32_t place);
  Id offset(const Pointer& p);
  void add_index(Id& to, Id index, std::uint64_t stride);
  void load(const Pointer& from, Pieces& to);
  void store(const Pointer& to, const Pieces& from, std::size_t& next);
  void load_scalars(const Pointer& from, Type type, unsigned count, Pieces& to);
  void store_scalars(const Pointer& to, Type type, std::span<const Id> values);
  void atomic(const Instruction& i);
  void array_length(const Instruction& i);

  // elements.cpp
  Id load_interface(const Pointer& from, Type type);
  void store_interface(const Pointer& to, Type type, Id value);
  std::vector<std::uint32_t> place_operands(const Pointer& p, ElementExtra& extra);
  Id special(const Pointer& from);
  void interpolate(const Instruction& i, std::uint32_t pointer_id, ElementExtra::Place place, const Pieces& more);

  // pointers.cpp
  bool is_address(std::uint32_t place) const;
  /// Of storage class PhysicalStorageBuffer: a value of 64 bits like any other.
  bool is_device_address(std::uint32_t place) const;
  Id device_address(const Pointer& p);
  void flatten(std::uint32_t place, std::vector<Type>& types);
  std::uint32_t arena();
  Pieces address(std::uint32_t id);
  Pieces address_of(Pointer p);
  Pointer pointer_of(std::uint32_t place, const Pieces& address);
  void define_address(const Instruction& i, Pieces address);
  /// Of values, and of pointers that are chosen.
  Pieces any_pieces(std::uint32_t id);
  void define_any(const Instruction& i, Pieces pieces);
  void step_over(Pointer& p, std::uint32_t base, std::uint32_t element);
  bool addresses(const Instruction& i);

  // images.cpp
  bool image(const Instruction& i);
  void sample(const Instruction& i);
  void define_texel(const Instruction& i, Id made, Type type, unsigned values, bool has_status);
  void texel_load(const Instruction& i);
  void texel_store(const Instruction& i);
  void query(const Instruction& i);
  void texel_atomic(const Instruction& i, const Pointer& to, AtomicOp what, std::span<const Id> values);
  const spirv::Type* image_type(std::uint32_t id);
  Pieces texel_place(const spirv::Type& image, std::uint32_t coordinates);

  // lanes.cpp
  bool lanes(const Instruction& i);
  void wave_arithmetic(const Instruction& i);
  Pieces lanes_below(Id count);
  Id lane();
  Id wave_size();

  Context& context_;
  Builder builder_;
  std::unordered_map<std::uint32_t, Pieces> values_, constants_;
  std::unordered_map<std::uint32_t, Pointer> pointers_;
  std::unordered_map<std::uint32_t, Pieces> addresses_;           ///< pointers as values, by id
  std::uint32_t arena_ = kNone;                                   ///< variable
  std::unordered_map<std::uint32_t, std::size_t> inlined_sizes_;  ///< inlined_size() of functions, by id
  std::unordered_map<std::uint32_t, std::uint32_t> locals_;       ///< variables of functions, by id
  MessageTable& messages_;
  std::unordered_map<std::uint64_t, PrintedMessage> printed_;  ///< by the offset of the instruction, which calls repeat
  std::unordered_map<std::uint32_t, std::string> texts_;       ///< text_of(), by id
  std::vector<Phi> phis_;
  std::size_t most_ = 0;    ///< instructions
  std::size_t pieces_ = 0;  ///< of all values and phis so far
  Frame* frame_ = nullptr;
  BlockId entry_ = kNone;
  unsigned evaluating_ = 0;  ///< constants in constants
  std::optional<Error> error_;
  std::uint64_t current_offset_ = 0;
  Flags flags_ = Flags::none;
};

/// The dimension of an image, as the operations on textures have it.
dxcontainer::ResourceDimension dimension_of(const spirv::ImageInfo& image);

}  // namespace unshade::ir::lower_spirv
