// A module of the IR: what any shader is lowered to, and what passes, the interpreter and writers read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <unshade/core/stage.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/types.hpp>

namespace unshade::ir {

/// The number of an instruction in its function; also of the value that it makes. Constants are instructions too.
using Id = std::uint32_t;
using BlockId = std::uint32_t;
/// No instruction, block, ...
inline constexpr std::uint32_t kNone = 0xffff'ffff;

/// An instruction: 16 bytes, so that four share a cache line.
struct Inst {
  Op op = Op::undef;
  Type type = Type::void_;   ///< letter t of the operation's shape
  std::uint8_t results = 0;  ///< 0, 1, or the members of a tuple
  std::uint32_t first_operand = 0;
  std::uint16_t operand_count = 0;
  Flags flags = Flags::none;
  std::uint32_t extra = 0;  ///< see info(op).extra
};
static_assert(sizeof(Inst) == 16);

struct Block {
  Id first = kNone;  ///< kNone: no instructions yet
  Id last = kNone;
  std::uint32_t first_predecessor = 0;  ///< into Function::predecessors, where each predecessor stands once
  std::uint32_t predecessor_count = 0;
  BlockId merge = kNone;      ///< block in which the branches of the terminator meet again, as DXBC and SPIR-V state it: a hint
  BlockId continue_ = kNone;  ///< of a loop's header, the block that continues it: a hint
};

/// Of no component of a vector.
inline constexpr std::uint8_t kNoComponent = 0xff;

/// Where an instruction comes from.
struct Source {
  std::uint32_t instruction = kNone;  ///< index in the list of the program's instructions, as its listing has them
  std::uint32_t group = kNone;        ///< scalar instructions made of one vector instruction share it
  /// Which component of its group's vectors the scalar is: of what the instruction writes that of its destination, of what it reads that of
  /// the register. kNoComponent: of none, or of several, as the sum of a dot product is. Only in a group.
  std::uint8_t component = kNoComponent;

  bool operator==(const Source&) const = default;
};

/// A function. Arenas only grow; compact() renumbers them. Instructions of a block are a list: next and previous.
struct Function {
  std::string name;
  std::vector<Type> parameters;
  std::vector<Type> results;

  std::vector<Inst> insts;
  std::vector<std::uint32_t> operands;  ///< ids and blocks, as the shape says
  std::vector<Id> next;                 ///< of each instruction in its block; kNone at the end
  std::vector<Id> previous;
  std::vector<BlockId> block_of;  ///< kNone of constants and of what was removed
  std::vector<Source> sources;    ///< empty, or one for each instruction

  std::vector<Block> blocks;
  std::vector<BlockId> order;            ///< the order has meaning: see docs/internals/ir.md, "Flow". Block 0 is the entry and first.
  std::vector<BlockId> predecessors;     ///< of all blocks, see Block::first_predecessor; phi operands stand in this order
  std::vector<std::uint64_t> constants;  ///< values of more than 32 bits
  std::unordered_map<Id, std::string> names;
  bool irreducible = false;  ///< then rules of the order do not hold, and values share no slots in the interpreter

  std::span<const std::uint32_t> operands_of(Id id) const { return {operands.data() + insts[id].first_operand, insts[id].operand_count}; }
  std::span<std::uint32_t> operands_of(Id id) { return {operands.data() + insts[id].first_operand, insts[id].operand_count}; }
  std::span<const BlockId> predecessors_of(BlockId block) const {
    return {predecessors.data() + blocks[block].first_predecessor, blocks[block].predecessor_count};
  }
};

enum class Space : std::uint8_t {
  private_,  ///< of a lane
  group,     ///< of a thread group
  constant,  ///< bytes of the module
  payload,   ///< from an amplification shader to its mesh shaders
};
std::string_view text(Space space);

/// A variable in memory. Variables of a space have fixed places in it; offsets of accesses count from the variable's start.
struct Variable {
  std::string name;
  Space space = Space::private_;
  std::uint32_t offset =
      0;  ///< bytes from the start of the space; one that covers others (offset 0, all bytes) is what pointers that meet address
  std::uint32_t bytes = 0;
  std::vector<std::byte> initial;  ///< of space constant all bytes, of others none (zeros) or all
  /// The type of all numbers in it, as far as the language says it; void_: it has several, or does not say.
  Type element = Type::void_;
  std::uint32_t stride = 0;  ///< bytes from an element of the outermost array to the next; 0: no array, or not known
};

/// The format of the texels of a storage image, where the language states one.
enum class ImageFormat : std::uint8_t {
#define IR_IMAGE_FORMAT(id, text) id,
#include <unshade/ir/image_formats.def>
};
/// The layout qualifier of GLSL; empty if there is no such format.
std::string_view text(ImageFormat format);

/// A range of bindings of one kind. Samplers and textures of one SPIR-V binding are two rows, as are its variables that share a binding.
struct Resource {
  std::string name;
  dxcontainer::ResourceKind kind = dxcontainer::ResourceKind::cbuffer;
  dxcontainer::ResourceDimension dimension = dxcontainer::ResourceDimension::unknown;
  dxcontainer::ReturnType return_type = dxcontainer::ReturnType::none;
  std::uint32_t space = 0;           ///< descriptor set
  std::uint32_t first_register = 0;  ///< binding
  std::uint32_t count = 1;           ///< 0: unbounded
  /// Bound as in Vulkan, where all elements of an array have its set and binding. In Direct3D they have the registers that follow.
  bool in_set = false;
  std::vector<std::uint32_t> dimensions;  ///< of an array of arrays, outermost first; `count` is their product
  std::uint32_t stride = 0;               ///< bytes of an element of a structured buffer
  std::uint32_t bytes = 0;                ///< of a constant buffer, as declared; 0: unknown
  std::vector<std::byte> initial;         ///< of a constant buffer: what the file itself gives, from its start; empty: nothing
  bool comparison = false;                ///< of a sampler
  dxcontainer::SamplerFeedback feedback = dxcontainer::SamplerFeedback::min_mip;  ///< of a feedback map
  bool coherent = false;                                                          ///< accesses are seen by all groups at once
  bool heap = false;                                                              ///< found through handle_from_heap alone
  bool ordered = false;                       ///< lanes of overlapping pixels access it in the order of primitives (rasterizer ordered)
  ImageFormat format = ImageFormat::unknown;  ///< of a storage image of SPIR-V
  /// Of SPIR-V: the row that counts for this one, a buffer of its own. Of Direct3D a counter belongs to the buffer: see has_counter().
  std::uint32_t counter = kNone;
  /// Of SPIR-V: a texture that is an input attachment, by its InputAttachmentIndex. Loads name the place in it, which is the fragment's.
  std::uint32_t attachment = kNone;
};
/// Whether a buffer has a counter.
bool has_counter(const Resource& resource);

/// An element of a signature: `rows` registers, `columns` components of each.
struct Element {
  std::string semantic;
  std::uint32_t semantic_index = 0;
  dxcontainer::SystemValue system_value = dxcontainer::SystemValue::undefined;
  Type type = Type::f32;   ///< of its components
  bool is_signed = false;  ///< of integers: how they are shown
  dxcontainer::Interpolation interpolation = dxcontainer::Interpolation::undefined;
  std::uint32_t first_register = kNone;  ///< location; kNone: none
  std::uint8_t first_column = 0;
  std::uint8_t columns = 4;
  std::uint32_t rows = 1;
  std::uint32_t stream = 0;    ///< of outputs of a geometry shader
  bool per_primitive = false;  ///< of a mesh shader's outputs
  /// Of a pixel shader's outputs: the second source of blending, in the location of the first (SPIR-V's Index 1). In Direct3D it is the
  /// second target.
  bool second_source = false;
  /// Of SPIR-V: the variable's name, `color`, or a block's and its member's, `vertex.color`, as reflection has it. Empty: not of SPIR-V.
  std::string variable;
  std::string built_in;  ///< of SPIR-V: `Position`; empty: none
  /// Of SPIR-V, of arrays of arrays and of matrices: how many each level has, from the outermost on. Their product is `rows`.
  std::vector<std::uint32_t> levels{};

  /// Whether the semantic is a whole name, of which the index is no part.
  bool has_plain_name() const { return !variable.empty() && (semantic == variable || !built_in.empty()); }
};
/// The columns of a register that an element has: bit i is column i.
constexpr unsigned column_mask(const Element& element) { return ((1U << element.columns) - 1) << element.first_column; }

struct Signatures {
  std::vector<Element> input, output, patch;
  std::vector<Element>& of(SignatureKind kind) {
    return kind == SignatureKind::input ? input : kind == SignatureKind::output ? output : patch;
  }
  const std::vector<Element>& of(SignatureKind kind) const { return const_cast<Signatures*>(this)->of(kind); }
};

/// How numbers too small to be normal are treated.
enum class Denormals : std::uint8_t { any, flush, preserve };
/// How f24 is rounded.
enum class F24 : std::uint8_t { truncate, nearest, as_f32 };

/// Rules that hold for the whole module.
struct Modes {
  Denormals denorm32 = Denormals::any;
  Denormals denorm16 = Denormals::preserve;
  Denormals denorm64 = Denormals::preserve;
  bool fused_mad = false;  ///< fmad rounds once
  F24 f24 = F24::truncate;
  std::uint32_t wave_min = 4;  ///< sizes that the program allows
  std::uint32_t wave_max = 128;
  bool early_depth = false;
};

/// What stages with a fixed part around them say about it.
struct StageInfo {
  std::array<std::uint32_t, 3> group_size{1, 1, 1};  ///< compute, mesh, amplification
  bool square_quads = false;                         ///< quads of groups are 2x2 threads; otherwise four threads in sequence
  dxcontainer::InputPrimitive input_primitive = dxcontainer::InputPrimitive::undefined;
  std::vector<dxcontainer::OutputTopology> stream_topologies;  ///< of a geometry shader's streams
  std::uint32_t max_vertices = 0;                              ///< geometry, mesh
  std::uint32_t max_primitives = 0;                            ///< mesh
  std::uint32_t instances = 1;                                 ///< geometry
  std::uint32_t input_points = 0;                              ///< hull, domain
  std::uint32_t output_points = 0;                             ///< hull
  dxcontainer::TessellatorDomain domain = dxcontainer::TessellatorDomain::undefined;
  dxcontainer::TessellatorPartitioning partitioning = dxcontainer::TessellatorPartitioning::undefined;
  dxcontainer::TessellatorOutput tessellator_output = dxcontainer::TessellatorOutput::undefined;
  dxcontainer::MeshTopology mesh_topology = dxcontainer::MeshTopology::undefined;
  float max_tess_factor = 64;
};

/// The thread of its group that a lane runs, the lanes of all waves counted on. src: DirectX-Specs, d3d/HLSL_SM_6_6_Derivatives.md
constexpr std::array<std::uint32_t, 3> thread_of_lane(const StageInfo& info, std::uint32_t lane) {
  const auto [width, height, depth] = info.group_size;
  if (!info.square_quads) return {lane % width, lane / width % height, lane / width / height};
  const std::uint32_t quad = lane / 4, across = width / 2, down = height / 2;
  return {quad % across * 2 + (lane & 1), quad / across % down * 2 + (lane >> 1 & 1), quad / across / down};
}

using dxcontainer::vertices_of;

/// Vertices of a primitive of a mesh.
constexpr std::uint32_t corners_of(dxcontainer::MeshTopology topology) {
  return topology == dxcontainer::MeshTopology::triangle ? 3 : topology == dxcontainer::MeshTopology::line ? 2 : 1;
}

/// What the shader calls a message: something that it reports, or an error that it found.
enum class MessageKind : std::uint8_t { printf, errorf };
std::string_view text(MessageKind kind);

/// A message that `print` shows with values. <unshade/ir/message.hpp> has the text that comes of both.
struct MessageFormat {
  MessageKind kind = MessageKind::printf;
  std::string text;         ///< with a conversion for each argument, which shows one value or the components of a vector
  std::vector<Type> types;  ///< of the values, components of vectors one by one
};

struct Module {
  Stage stage = Stage::none;
  std::string entry;           ///< what the file calls the entry point; empty: the language has no names for it
  std::string patch_constant;  ///< of a hull shader: what the file calls the function for the constants of patches
  StageInfo info;
  Modes modes;
  Signatures signatures;
  std::vector<Resource> resources;
  std::vector<Variable> variables;
  std::vector<MessageFormat> messages;
  std::vector<Function> functions;  ///< the entry point first; of a hull shader, `control_point` (if it has one) and `patch_constant`
};

/// The bytes of a space: to the end of its last variable.
std::uint32_t space_bytes(const Module& module, Space space);
/// The type of result `member` (0 of a single one) of an instruction; void_ if it has none. The members of a call's tuple are what the
/// callee returns: not known here, Inst::type of the call for all.
Type result_type(const Function& function, Id id, unsigned member = 0);
/// The letters of an instruction's operands, one each: those of its row in ops.def, with `?` and `*` resolved by the extra field and
/// the number of operands. False if the number does not fit.
bool operand_letters(const Inst& inst, std::string& letters);
/// The type of an operand or result by its letter; void_ of letters that the operation has a rule of its own for, and of blocks.
Type letter_type(const Inst& inst, char letter);
/// The value of a constant, of up to 64 bits; smaller ones are zero-extended.
std::uint64_t constant_bits(const Function& function, Id id);
/// For each instruction and constant of a function, whether an instruction of a block that is in the order has it as an operand.
std::vector<bool> used_values(const Function& function);
/// Calls `visit` with each successor of a block, repeated if its terminator names it twice. Nothing without a terminator.
template <class Visit>
void for_each_successor(const Function& function, BlockId block, Visit visit);
/// Fills the predecessors of all blocks from the terminators of those that stand in the order, by rising number, and gives phis the
/// operands of those that are left.
void link_blocks(Function& function);
/// The same, but drops blocks from the order that cannot be reached from the entry before.
void link_predecessors(Function& function);
/// Replaces uses: `value` of each id, followed to its end; kNone: none. Removes nothing.
void replace_uses(Function& function, std::span<Id> value);
/// Renumbers: instructions in the order of their blocks, constants first, without what was removed.
void compact(Function& function);

/// True if operand `at` of an instruction is a block, not a value.
constexpr bool is_block_operand(Op op, std::size_t at) {
  return op == Op::jump || (op == Op::branch && at != 0) || (op == Op::switch_ && at % 2 == 1);
}

/// True if some operands of an instruction may be blocks.
constexpr bool names_blocks(Op op) { return op == Op::jump || op == Op::branch || op == Op::switch_; }

template <class Visit>
void for_each_successor(const Function& function, BlockId block, Visit visit) {
  const Id last = function.blocks[block].last;
  if (last == kNone) return;
  const auto operands = function.operands_of(last);
  switch (function.insts[last].op) {
    case Op::jump: visit(operands[0]); return;
    case Op::branch:
      visit(operands[1]);
      visit(operands[2]);
      return;
    case Op::switch_:
      visit(operands[1]);
      for (std::size_t at = 3; at < operands.size(); at += 2) visit(operands[at]);
      return;
    default: return;
  }
}

}  // namespace unshade::ir
