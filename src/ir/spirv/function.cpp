#include "ir/spirv/function.hpp"

#include <algorithm>

#include <unshade/core/graph.hpp>
#include <unshade/core/limits.hpp>

#include "ir/operands.hpp"
#include "ir/sizes.hpp"

namespace unshade::ir::lower_spirv {
namespace {

/// Instructions after functions were copied to their calls.
constexpr unsigned kMostCallDepth = 64;

constexpr struct {
  spirv::Opcode opcode;
  Meaning meaning;
} kMeanings[] = {
#define SPIRV_SEM(id, sem) {spirv::Opcode::id, Meaning::sem},
#define SPIRV_GLSL_SEM(id, sem)
#include <unshade/spirv/semantics.def>
};
constexpr struct {
  spirv::extended::GlslStd450 instruction;
  Meaning meaning;
} kGlslMeanings[] = {
#define SPIRV_SEM(id, sem)
#define SPIRV_GLSL_SEM(id, sem) {spirv::extended::GlslStd450::id, Meaning::sem},
#include <unshade/spirv/semantics.def>
};

}  // namespace

Meaning meaning_of(spirv::Opcode opcode) {
  // opcodes from 512 on come with extensions, and are rare
  static const auto kNear = [] {
    std::array<Meaning, 512> made{};
    made.fill(Meaning::unsupported);
    for (const auto& row : kMeanings)
      if (static_cast<std::size_t>(row.opcode) < made.size()) made[static_cast<std::size_t>(row.opcode)] = row.meaning;
    return made;
  }();
  if (static_cast<std::size_t>(opcode) < kNear.size()) return kNear[static_cast<std::size_t>(opcode)];
  for (const auto& row : kMeanings)
    if (row.opcode == opcode) return row.meaning;
  return Meaning::unsupported;
}

Meaning meaning_of(spirv::extended::GlslStd450 instruction) {
  for (const auto& row : kGlslMeanings)
    if (row.instruction == instruction) return row.meaning;
  return Meaning::unsupported;
}

FunctionLowering::FunctionLowering(Context& context, Function& function)
    : context_(context), builder_(function), messages_(context.messages), most_(context.instructions_left) {
  builder_.keep_copies(context.keeps_copies);
}

Result<void> FunctionLowering::run() {
  const spirv::CodeFunction* entry = context_.code.find_function(context_.entry.function);
  if (entry == nullptr || entry->block_count == 0) return Error{ErrorCode::missing, 0, "functions", "the entry point has no body"};
  // found before the work is done: calls multiply
  const std::size_t most = most_inlined(context_.module.instruction_count());
  if (inlined_size(*entry, 0, most) > most)
    return Error{ErrorCode::limit, 0, "", "the program has too many instructions once functions are inlined"};
  // constants that are computed, and initial values, go before the function's own entry
  entry_ = builder_.block();
  builder_.at(entry_);
  for (const spirv::Variable& variable : context_.interface.variables) {
    const auto root = context_.roots.find(variable.id);
    if (variable.initializer == 0 || root == context_.roots.end()) continue;
    // group memory is zero when a group starts, which no lane may repeat
    if (variable.storage == spirv::StorageClass::workgroup) continue;
    const Pieces from = pieces(variable.initializer);
    std::size_t next = 0;
    if (!error_) store(root->second, from, next);
  }
  return finish(*entry);
}

Result<void> FunctionLowering::run(const spirv::CodeFunction& f) {
  Function& function = builder_.function();
  const std::size_t most = most_inlined(context_.module.instruction_count());
  if (inlined_size(f, 0, most) > most)
    return Error{ErrorCode::limit, 0, "", "the program has too many instructions once functions are inlined"};
  entry_ = builder_.block();
  builder_.at(entry_);
  for (const spirv::Parameter& parameter : context_.code.parameters(f)) {
    std::vector<Type> types;
    context_.flatten(context_.interface.find_type(parameter.type), types);
    Pieces made;
    for (const Type type : types) {
      made.push_back(builder_.inst(Op::param, type, {}, {.extra = static_cast<std::uint32_t>(function.parameters.size())}));
      function.parameters.push_back(type);
    }
    name_pieces(parameter.id, parameter.type, made);
    values_.emplace(parameter.id, std::move(made));
  }
  context_.flatten(context_.interface.find_type(f.result_type), function.results);
  return finish(f);
}

Result<void> FunctionLowering::finish(const spirv::CodeFunction& f) {
  Function& function = builder_.function();
  std::vector<std::pair<BlockId, Pieces>> returns;
  std::vector<BlockId> layout{entry_};
  const BlockId start = new_block();
  layout.push_back(start);
  builder_.at(start);
  const auto rest = lower_function(f, nullptr, kNone, returns);
  if (error_) return std::move(*error_);
  layout.insert(layout.end(), rest.begin(), rest.end());
  builder_.at(entry_);
  builder_.jump(start);
  number_blocks(layout);
  fill_phis();
  if (error_) return std::move(*error_);
  context_.instructions_left -= std::min(function.insts.size(), context_.instructions_left);
  compact(function);
  return {};
}

std::size_t FunctionLowering::inlined_size(const spirv::CodeFunction& f, unsigned depth, std::size_t most) {
  // what calls itself counts as nothing
  const auto [known, is_new] = inlined_sizes_.try_emplace(f.id, 0);
  if (!is_new || depth > kMostCallDepth) return known->second;
  std::size_t size = 0;
  for (const spirv::Block& block : context_.code.blocks(f)) {
    for (const spirv::Instruction one : context_.code.instructions(block)) {
      size = std::min(size + 1, most + 1);
      if (one.opcode() != spirv::Opcode::function_call || one.word_count() < 4) continue;
      const spirv::CodeFunction* const called = context_.code.find_function(one.word(3));
      if (called != nullptr) size = std::min(size + inlined_size(*called, depth + 1, most), most + 1);
    }
  }
  return inlined_sizes_[f.id] = size;
}

void FunctionLowering::check_size() {
  const Function& function = builder_.function();
  if (are_larger(function.insts.size(), function.operands.size() + pieces_, most_)) {
    fail(ErrorCode::limit, "the program has too many instructions or operands once it is lowered to the IR");
  }
}

BlockId FunctionLowering::new_block() {
  if (builder_.function().blocks.size() >= limits::kIrBlocks) fail(ErrorCode::limit, "the program has too many blocks");
  return builder_.block();
}

void FunctionLowering::fail(ErrorCode code, std::string message) {
  if (!error_) error_ = Error{code, current_offset_, "", std::move(message)};
}

// Lowers a function's blocks after the current one. Returns lead to `return_block`. The blocks in the order of the file.
std::vector<BlockId> FunctionLowering::lower_function(const spirv::CodeFunction& f, Frame* caller, BlockId return_block,
                                                      std::vector<std::pair<BlockId, Pieces>>& returns) {
  unsigned depth = 0;
  for (const Frame* above = caller; above != nullptr; above = above->caller) {
    if (&above->function == &f) return unsupported("recursion"), std::vector<BlockId>{};
    if (++depth > kMostCallDepth) return fail(ErrorCode::limit, "calls are nested too deeply"), std::vector<BlockId>{};
  }
  Frame frame{f, caller, {}, {}, {}, {}, return_block, {}, 0};
  frame.layout.resize(f.block_count);
  for (std::uint32_t block = 0; block < f.block_count; ++block) {
    frame.first.push_back(new_block());
    frame.layout[block].push_back(frame.first.back());
  }
  frame.last = frame.first;
  builder_.jump(frame.first[0]);

  const Graph graph = context_.code.graph(f);
  Dominators dominators;
  dominators.examine(graph);
  Frame* const before = std::exchange(frame_, &frame);
  for (const std::uint32_t block : dominators.reverse_postorder()) {
    lower_block(frame, block);
    if (error_) return {};
  }
  // hints, and what phis take from the frame's values, which another call of the function replaces
  Function& function = builder_.function();
  const auto blocks = context_.code.blocks(f);
  for (std::uint32_t block = 0; block < f.block_count; ++block) {
    if (blocks[block].merge != spirv::kNone) function.blocks[frame.last[block]].merge = frame.first[blocks[block].merge];
    if (blocks[block].continue_ != spirv::kNone) function.blocks[frame.first[block]].continue_ = frame.first[blocks[block].continue_];
  }
  for (const std::size_t number : frame.phis) {
    Phi& phi = phis_[number];
    for (std::size_t at = 0; at + 1 < phi.operands.size(); at += 2) {
      const std::uint32_t origin = context_.code.find_block(phi.operands[at + 1]);
      if (origin >= f.block_count || !dominators.reachable(origin)) continue;
      phi.incoming.emplace_back(frame.last[origin], any_pieces(phi.operands[at]));
      pieces_ += phi.incoming.back().second.size();
      check_size();
      if (error_) return {};
    }
  }
  frame_ = before;
  returns = std::move(frame.returns);
  std::vector<BlockId> layout;
  for (const auto& some : frame.layout) layout.insert(layout.end(), some.begin(), some.end());
  return layout;
}

void FunctionLowering::lower_block(Frame& frame, std::uint32_t block) {
  builder_.at(frame.first[block]);
  frame.block = block;
  Instruction i;
  for (const spirv::Instruction from : context_.code.instructions(context_.code.blocks(frame.function)[block])) {
    current_offset_ = context_.module.file_offset(from);
    i.opcode = from.opcode();
    i.meaning = meaning_of(i.opcode);
    const spirv::OpcodeInfo* row = from.info();
    if (row == nullptr) return unsupported("opcode " + std::to_string(static_cast<unsigned>(i.opcode)));
    std::uint32_t word = 1;
    i.type = row->has_type ? from.word(word++) : 0;
    i.result = row->has_result ? from.word(word++) : 0;
    i.operands.clear();
    for (; word < from.word_count(); ++word) i.operands.push_back(from.word(word));
    const std::uint32_t index = context_.listing_index(from);
    builder_.from({index, index});
    const auto mark = context_.marks.find(i.result);
    flags_ = mark != context_.marks.end() ? mark->second.flags : Flags::none;
    if (row->group == spirv::OpcodeGroup::debug) continue;
    instruction(i);
    check_size();
    if (error_) return;
  }
}

// Numbers the blocks by their layout.
void FunctionLowering::number_blocks(std::span<const BlockId> layout) {
  Function& function = builder_.function();
  std::vector<BlockId> number(function.blocks.size(), kNone);
  std::vector<Block> blocks;
  for (const BlockId block : layout) {
    number[block] = static_cast<BlockId>(blocks.size());
    blocks.push_back(function.blocks[block]);
  }
  for (Block& block : blocks) {
    if (block.merge != kNone) block.merge = number[block.merge];
    if (block.continue_ != kNone) block.continue_ = number[block.continue_];
    if (block.last == kNone) continue;
    const auto operands = function.operands_of(block.last);
    for (std::size_t at = 0; at < operands.size(); ++at)
      if (is_block_operand(function.insts[block.last].op, at)) operands[at] = number[operands[at]];
  }
  for (BlockId& block : function.block_of)
    if (block != kNone) block = number[block];
  for (Phi& phi : phis_) {
    phi.block = number[phi.block];
    for (auto& [block, values] : phi.incoming) block = number[block];
  }
  function.blocks = std::move(blocks);
  function.order.resize(function.blocks.size());
  for (BlockId block = 0; block < function.order.size(); ++block) function.order[block] = block;
}

// Operands of phis stand by our predecessors, which are known when all terminators are there.
void FunctionLowering::fill_phis() {
  Function& function = builder_.function();
  link_predecessors(function);
  std::vector<const Pieces*> given(function.blocks.size(), nullptr);  // by block, for one phi
  std::vector<std::uint32_t> operands;
  for (const Phi& phi : phis_) {
    for (const auto& [block, values] : phi.incoming)
      if (block < given.size() && given[block] == nullptr) given[block] = &values;
    const auto origins = std::as_const(function).predecessors_of(phi.block);
    std::vector<const Pieces*> from;
    for (const BlockId origin : origins) {
      const Pieces* const found = given[origin];
      if (found == nullptr || found->size() != phi.phis.size()) {
        return fail(ErrorCode::bad_value, "OpPhi has no value for one of the predecessors of its block");
      }
      from.push_back(found);
    }
    for (const auto& [block, values] : phi.incoming)
      if (block < given.size()) given[block] = nullptr;
    for (std::size_t piece = 0; piece < phi.phis.size(); ++piece) {
      operands.clear();
      for (const Pieces* one : from) operands.push_back((*one)[piece]);
      set_operands(function, phi.phis[piece], operands);
    }
  }
}

// --- values ------------------------------------------------------------------------------------------------------------------------------

Pieces FunctionLowering::undefined(std::uint32_t place) {
  Pieces made;
  std::vector<Type> types;
  if (context_.count(place) == kNone) return fail(ErrorCode::unsupported, "an undefined pointer is not supported"), made;
  context_.flatten(place, types);
  for (const Type type : types) made.push_back(builder_.undef(type));
  return made;
}

// Pieces of a constant; false if the id is none.
bool FunctionLowering::constant_pieces(std::uint32_t id, Pieces& to, unsigned depth) {
  const auto definition = context_.ids.definition(id);
  if (!definition || depth > limits::kIrNesting || to.size() > most_) return false;
  const std::uint32_t type = type_of(id);
  switch (definition->opcode()) {
    case spirv::Opcode::undef:
    case spirv::Opcode::poison_khr: {
      const Pieces none = undefined(type);
      to.insert(to.end(), none.begin(), none.end());
      return true;
    }
    case spirv::Opcode::constant_null: {
      std::vector<Type> types;
      if (context_.count(type) == kNone) return false;
      context_.flatten(type, types);
      for (const Type one : types)
        to.push_back(one == Type::handle ? builder_.inst(Op::handle_null, Type::void_, {}) : builder_.constant(one, 0));
      return true;
    }
    case spirv::Opcode::constant_composite:
    case spirv::Opcode::spec_constant_composite:
      for (std::uint32_t word = 3; word < definition->word_count(); ++word) {
        const Pieces part = pieces(definition->word(word));
        to.insert(to.end(), part.begin(), part.end());
      }
      return true;
    case spirv::Opcode::constant_composite_replicate_ext:
    case spirv::Opcode::spec_constant_composite_replicate_ext: return replicated(type, definition->word(3), to);
    default: break;
  }
  const auto bits = known(id);
  const auto scalar = context_.scalar(type);
  if (bits && scalar) return to.push_back(builder_.constant(*scalar, *bits)), true;
  if (definition->opcode() != spirv::Opcode::spec_constant_op || evaluating_ > limits::kIrNesting) return false;
  // computed in a block that dominates all uses
  Instruction i;
  i.opcode = static_cast<spirv::Opcode>(definition->word(3));
  i.meaning = meaning_of(i.opcode);
  i.type = definition->word(1);
  i.result = id;
  for (std::uint32_t word = 4; word < definition->word_count(); ++word) i.operands.push_back(definition->word(word));
  const spirv::OpcodeInfo* const info = spirv::find_opcode(definition->word(3));
  if (info == nullptr || !info->has(spirv::traits::constant)) return false;
  const BlockId before = builder_.at();
  builder_.at(entry_);
  ++evaluating_;
  instruction(i);
  --evaluating_;
  builder_.at(before);
  const auto made = values_.find(id);
  if (made == values_.end()) return false;
  to.insert(to.end(), made->second.begin(), made->second.end());
  return true;
}

// A composite all parts of which are one value; false if its type has no values, or too many.
bool FunctionLowering::replicated(std::uint32_t type, std::uint32_t id, Pieces& to) {
  constexpr std::uint32_t kMost = 1U << 14;
  const std::uint32_t count = context_.count(type);
  if (count == kNone || count > kMost) return false;
  const Pieces part = pieces(id);
  if (part.empty() || part.size() * context_.parts(type) != count) return false;
  for (std::uint32_t k = 0; k < context_.parts(type); ++k) to.insert(to.end(), part.begin(), part.end());
  return true;
}

Pieces FunctionLowering::pieces(std::uint32_t id) {
  if (const auto found = values_.find(id); found != values_.end()) return found->second;
  if (const auto found = constants_.find(id); found != constants_.end()) return found->second;
  Pieces made;
  if (++evaluating_ > 2 * limits::kIrNesting || !constant_pieces(id, made, 0)) {
    fail(ErrorCode::unsupported, "%" + std::to_string(id) + " is used as a value, and is a pointer or not defined before");
  }
  --evaluating_;
  pieces_ += made.size();
  constants_.emplace(id, made);
  return made;
}

Id FunctionLowering::value(std::uint32_t id) {
  const Pieces all = pieces(id);
  if (all.size() == 1) return all[0];
  fail(ErrorCode::bad_value, "%" + std::to_string(id) + " has several components, expected one");
  return i32(0);
}

std::optional<std::uint64_t> FunctionLowering::known(std::uint32_t id) const {
  const std::uint32_t place = context_.interface.find_constant(id);
  if (place == spirv::kNone || !context_.interface.constants[place].has_value) return std::nullopt;
  return context_.interface.constants[place].value;
}

std::uint64_t FunctionLowering::constant(std::uint32_t id) {
  const auto bits = known(id);
  if (!bits) fail(ErrorCode::bad_value, "%" + std::to_string(id) + " must be a constant");
  return bits.value_or(0);
}

// OpName's, of the components of a vector with their letters.
void FunctionLowering::name_pieces(std::uint32_t id, std::uint32_t type_id, const Pieces& pieces) {
  const std::string name = context_.name_of(id);
  if (name.empty()) return;
  const spirv::Type* const type = context_.interface.type(context_.interface.find_type(type_id));
  const bool vector = type != nullptr && type->kind == TypeKind::vector;
  Function& function = builder_.function();
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    if (function.block_of[pieces[k]] == kNone) continue;
    function.names.try_emplace(pieces[k], pieces.size() == 1 ? name
                                          : vector && k < 4  ? name + '.' + "xyzw"[k]
                                                             : name + '.' + std::to_string(k));
  }
}

// A local variable's name is that of what it holds, once the variable itself is gone. Compilers copy what they pass to functions to
// `param`.
void FunctionLowering::name_stored(std::uint32_t variable, const Pointer& to, const Pieces& pieces) {
  const spirv::Type* const type = context_.interface.type(to.type);
  const bool is_small = type != nullptr && (type->kind == TypeKind::vector || type->kind == TypeKind::boolean ||
                                            type->kind == TypeKind::integer || type->kind == TypeKind::real);
  const std::string name = context_.name_of(variable);
  if (!is_small || name.empty() || name.starts_with("param")) return;
  Function& function = builder_.function();
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    if (function.block_of[pieces[k]] == kNone) continue;
    function.names.try_emplace(pieces[k], pieces.size() == 1 ? name : name + '.' + "xyzw"[k & 3]);
  }
}

void FunctionLowering::define(const Instruction& i, Pieces pieces) {
  if (evaluating_ == 0 && frame_ != nullptr && !pieces.empty()) name_pieces(i.result, i.type, pieces);
  const std::uint32_t rows = context_.vector_size(result_type(i));
  for (std::size_t k = 0; rows > 1 && k < pieces.size(); ++k) builder_.name_component(pieces[k], k % rows);
  pieces_ += pieces.size();
  values_.insert_or_assign(i.result, std::move(pieces));
}

Type FunctionLowering::result_scalar(const Instruction& i) {
  const std::uint32_t place = context_.scalar_of(result_type(i));
  const auto scalar = context_.is_bfloat16(place) ? std::nullopt : context_.scalar(place);
  if (!scalar) unsupported("an operation on " + context_.type_text(place));
  return scalar.value_or(Type::i32);
}

Id FunctionLowering::real(Type type, double value) {
  if (type == Type::f64) return builder_.f64(value);
  const Id single = builder_.f32(static_cast<float>(value));
  return type == Type::f32 ? single : op(Op::f_to_f, type, {single});
}

Id FunctionLowering::resized(Id value, Type to, bool sign) {
  const Type from = builder_.type_of(value);
  if (from == to) return value;
  if (!is_integer(from) || !is_integer(to)) return fail(ErrorCode::bad_value, "expected an integer"), builder_.undef(to);
  return op(bit_width(from) > bit_width(to) ? Op::trunc : sign ? Op::sext : Op::zext, to, {value});
}

Pieces FunctionLowering::members(Id tuple, std::span<const Type> types) {
  if (types.size() == 1) return {tuple};
  Pieces made;
  for (unsigned member = 0; member < types.size(); ++member) made.push_back(builder_.get(tuple, types[member], member));
  return made;
}

}  // namespace unshade::ir::lower_spirv
