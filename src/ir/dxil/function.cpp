#include "ir/dxil/function.hpp"

#include <algorithm>

#include <unshade/core/bits/half.hpp>
#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/limits.hpp>

#include "ir/operands.hpp"
#include "ir/sizes.hpp"

namespace unshade::ir::lower_dxil {
namespace {

using dxil::ConstantKind;
using dxil::TypeKind;
using dxil::ValueKind;

/// Pieces that a value may have: structures and arrays of values are small in real shaders.
constexpr std::size_t kMostPieces = 4096;

bool is_barrier(const dxil::Call& call) { return call.row().has(dxil::operation_trait::barrier); }

}  // namespace

bool Context::is_handle(std::uint32_t type) const {
  return query.is(type, TypeKind::structure) && query.name_of(query.type(type)) == "dx.types.Handle";
}

std::optional<Type> Context::scalar(std::uint32_t type) const {
  switch (query.type(type).kind) {
    case TypeKind::half: return minimum_precision ? Type::f32 : Type::f16;
    case TypeKind::float_: return Type::f32;
    case TypeKind::double_:
    case TypeKind::ppc_fp128: return Type::f64;  // the latter of literals in constant expressions, whose first word is a double
    case TypeKind::integer: break;
    default: return is_handle(type) ? std::optional(Type::handle) : std::nullopt;
  }
  switch (query.type(type).number) {
    case 1: return Type::b1;
    case 8: return Type::i8;
    case 16: return minimum_precision ? Type::i32 : Type::i16;
    case 32: return Type::i32;
    case 64: return Type::i64;
    default: return std::nullopt;
  }
}

std::uint64_t Context::widened(std::uint32_t type, std::uint64_t bits) const {
  if (!minimum_precision) return bits;
  if (query.is_integer(type, 16)) return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int16_t>(bits)));
  if (!query.is(type, TypeKind::half)) return bits;
  return single_bits_of_half(static_cast<std::uint32_t>(bits & 0xffff));
}

bool Context::flatten(std::uint32_t type, Types& pieces, unsigned depth) const {
  // types hold no cycles by value; arrays multiply, so that what is too much is found before it is made
  if (depth > limits::kIrNesting) return false;
  if (const auto one = scalar(type)) {
    pieces.push_back(*one);
    return pieces.size() <= kMostPieces;
  }
  const dxil::Type& t = query.type(type);
  switch (t.kind) {
    case TypeKind::void_: return true;
    case TypeKind::array:
    case TypeKind::vector: {
      if (t.count > kMostPieces) return false;
      for (std::uint64_t k = 0; k < t.count; ++k) {
        if (!flatten(module.element_of(type), pieces, depth + 1)) return false;
      }
      return true;
    }
    case TypeKind::structure:
      return std::ranges::all_of(module.parts_of(t), [&](std::uint32_t part) { return flatten(part, pieces, depth + 1); });
    default: return false;
  }
}

std::uint32_t Context::add_variable(std::string name, Space space, std::uint64_t bytes, std::vector<std::byte> initial) {
  std::uint64_t& end = space_bytes[static_cast<std::size_t>(space)];
  out.variables.push_back({std::move(name), space, static_cast<std::uint32_t>(end), static_cast<std::uint32_t>(bytes), std::move(initial)});
  end += round_up(bytes, 16);
  return static_cast<std::uint32_t>(out.variables.size() - 1);
}

Type Context::common_scalar(std::uint32_t type, unsigned depth) const {
  if (depth > limits::kIrNesting) return Type::void_;
  if (const auto one = scalar(type)) return *one == Type::b1 ? Type::i8 : *one == Type::handle ? Type::void_ : *one;
  const dxil::Type& t = query.type(type);
  if (t.kind == TypeKind::array || t.kind == TypeKind::vector) return common_scalar(module.element_of(type), depth + 1);
  if (t.kind != TypeKind::structure) return Type::void_;
  Type found = Type::void_;
  for (const std::uint32_t part : module.parts_of(t)) {
    const Type one = common_scalar(part, depth + 1);
    if (one == Type::void_ || (found != Type::void_ && found != one)) return Type::void_;
    found = one;
  }
  return found;
}

void Context::describe_memory(std::uint32_t variable, std::uint32_t type, bool several) {
  Variable& made = out.variables[variable];
  made.element = common_scalar(type);
  if (several) {
    made.stride = static_cast<std::uint32_t>(layout.size_of(type));
  } else if (query.is(type, TypeKind::array) && made.bytes != 0) {
    made.stride = static_cast<std::uint32_t>(layout.size_of(module.element_of(type)));
  }
}

std::uint32_t Context::function_of(std::uint32_t function) {
  const auto [found, is_new] = functions.try_emplace(function, static_cast<std::uint32_t>(functions.size()));
  if (is_new) waiting.push_back(function);
  return found->second;
}

FunctionLowering::FunctionLowering(Context& context, const dxil::Body& body, Function& function)
    : context_(context), module_(context.module), body_(body), builder_(function), locals_(body.values.count), used_(body.values.count) {
  builder_.keep_copies(context.keeps_copies);
  reserve(function, 2 * std::size_t{body.instructions.count});
}

Result<void> FunctionLowering::run() {
  Function& function = builder_.function();
  const dxil::Function& from = module_.functions[body_.function];
  const auto parts = module_.parts_of(module_.types[from.type]);
  Types results;
  if (!context_.flatten(parts[0], results))
    fail(ErrorCode::unsupported, "the return type of the function is not supported: " + context_.query.text_of(parts[0]));
  function.results.assign(results.begin(), results.end());
  number_blocks();
  builder_.at(first_block_[0]);
  for (std::uint32_t k = 0; k < body_.parameters && !error_; ++k) {
    const std::uint32_t type = module_.local_values[body_.values.first + k].type;
    Types types;
    if (!context_.flatten(type, types)) continue;  // a pointer: an error if it is used
    for (const Type piece : types) {
      const auto at = static_cast<std::uint32_t>(function.parameters.size());
      function.parameters.push_back(piece);
      locals_[k].push_back(builder_.inst(Op::param, piece, {}, {.extra = at}));
    }
  }

  graph_.build(body_.blocks.count, [&](auto&& add) {
    for (std::uint32_t block = 0; block < body_.blocks.count; ++block) {
      const auto& instructions = module_.blocks[body_.blocks.first + block].instructions;
      dxil::for_each_successor(module_, module_.instructions[instructions.end() - 1], [&](std::uint32_t to) { add(block, to); });
    }
  });
  Dominators dominators;
  dominators.examine(graph_);
  for (const std::uint32_t block : dominators.reverse_postorder()) {
    lower_block(block);
    if (error_) return std::move(*error_);
  }
  fill_phis();
  place_expressions();
  if (error_) return std::move(*error_);
  context_.instructions_left -= std::min(function.insts.size(), context_.instructions_left);
  return {};
}

// Blocks keep the order of the file; a block that a barrier begins follows the block of the barrier.
void FunctionLowering::number_blocks() {
  const auto count = body_.blocks.count;
  first_block_.resize(count);
  last_block_.resize(count);
  for (std::uint32_t block = 0; block < count; ++block) {
    first_block_[block] = last_block_[block] = builder_.block();
    const auto& range = module_.blocks[body_.blocks.first + block].instructions;
    for (std::uint32_t k = range.first; k < range.end(); ++k) {
      const Instruction& i = module_.instructions[k];
      if (i.opcode == dxil::Opcode::call)
        if (const auto call = call_of(context_.query, body_, i); call && is_barrier(*call)) last_block_[block] = builder_.block();
      // which members of results are read
      if (i.opcode == dxil::Opcode::extractvalue && operands(i).size() == 2) {
        if (operands(i)[0] >= module_.values.size())
          used_[operands(i)[0] - module_.values.size()] |= std::uint64_t{1} << (operands(i)[1] & 63);
        continue;
      }
      dxil::for_each_value_operand(module_, i, [&](std::size_t, std::uint32_t operand) {
        if (operand >= module_.values.size()) used_[operand - module_.values.size()] = ~std::uint64_t{0};
      });
    }
  }
}

void FunctionLowering::lower_block(std::uint32_t block) {
  builder_.at(first_block_[block]);
  next_block_ = first_block_[block];
  current_block_ = block;
  const auto& range = module_.blocks[body_.blocks.first + block].instructions;
  for (std::uint32_t k = range.first; k < range.end() && !error_; ++k) {
    current_ = &module_.instructions[k];
    builder_.from({k - body_.instructions.first, k - body_.instructions.first});
    flags_ = flags_of(*current_);
    instruction(*current_);
    check_size();
  }
}

void FunctionLowering::check_size() {
  const Function& function = builder_.function();
  if (are_larger(function.insts.size(), function.operands.size() + pieces_, context_.instructions_left))
    fail(ErrorCode::limit, "the program has too many instructions or operands once it is lowered to the IR");
}

void FunctionLowering::fail(ErrorCode code, std::string message) {
  if (error_) return;
  error_ = Error{code, current_ != nullptr ? current_->offset : 0U, "", std::move(message)};
}

// Operands of phis stand by our predecessors, which are known when all terminators are there.
void FunctionLowering::fill_phis() {
  Function& function = builder_.function();
  link_predecessors(function);
  std::vector<std::uint32_t> from_block(function.blocks.size(), kNone);
  for (std::uint32_t block = 0; block < body_.blocks.count; ++block) from_block[last_block_[block]] = block;
  std::vector<std::uint32_t> given(body_.blocks.count, kNone);  // operands by block, for one phi
  std::vector<std::uint32_t> made;
  for (const Phi& phi : phis_) {
    current_ = phi.instruction;
    const auto incoming = operands(*phi.instruction);
    for (std::size_t at = 0; at + 1 < incoming.size(); at += 2) {
      if (incoming[at + 1] < given.size() && given[incoming[at + 1]] == kNone) given[incoming[at + 1]] = incoming[at];
    }
    std::vector<Pieces> values;
    for (const BlockId origin : std::as_const(function).predecessors_of(first_block_[phi.block])) {
      const std::uint32_t operand = from_block[origin] < given.size() ? given[from_block[origin]] : kNone;
      if (operand == kNone) return fail(ErrorCode::bad_value, "a phi node has no value for one of the predecessors of its block");
      values.push_back(pieces(operand));
      pieces_ += values.back().size();
      check_size();
      if (error_) return;
      if (values.back().size() != phi.phis.size()) return fail(ErrorCode::unsupported, "a phi of pointers is not supported");
    }
    for (std::size_t at = 0; at + 1 < incoming.size(); at += 2)
      if (incoming[at + 1] < given.size()) given[incoming[at + 1]] = kNone;
    for (std::size_t piece = 0; piece < phi.phis.size(); ++piece) {
      made.clear();
      for (const Pieces& one : values) made.push_back(one[piece]);
      set_operands(function, phi.phis[piece], made);
    }
  }
}

// --- values ------------------------------------------------------------------------------------------------------------------------------

Id FunctionLowering::number(std::uint32_t type, std::uint64_t bits) {
  const auto scalar = context_.scalar(type);
  if (!scalar) return i32(0);
  return builder_.constant(*scalar, context_.widened(type, bits));
}

void FunctionLowering::append_zeros(std::uint32_t type, bool undefined, Pieces& to) {
  Types types;
  if (!context_.flatten(type, types)) return;
  for (const Type piece : types) {
    to.push_back(undefined || piece == Type::handle ? builder_.undef(piece) : builder_.constant(piece, 0));
  }
}

void FunctionLowering::append_constant(std::uint32_t operand, Pieces& to, unsigned depth) {
  const dxil::Constant* constant = context_.query.constant_of(&body_, operand);
  if (constant == nullptr || depth > limits::kIrNesting || to.size() > kMostPieces) {
    return fail(ErrorCode::unsupported, "a constant of this kind is not supported");
  }
  switch (constant->kind) {
    case ConstantKind::null: return append_zeros(constant->type, false, to);
    case ConstantKind::undef: return append_zeros(constant->type, true, to);
    case ConstantKind::integer: to.push_back(number(constant->type, constant->bits)); return;
    case ConstantKind::real: {
      const auto wide = module_.literals_of(constant->literals);
      to.push_back(number(constant->type, wide.empty() ? constant->bits : wide[0]));
      return;
    }
    case ConstantKind::aggregate:
      for (const std::uint32_t part : module_.operands_of(constant->operands)) append_constant(part, to, depth + 1);
      return;
    case ConstantKind::data:
    case ConstantKind::string:
    case ConstantKind::c_string:
      for (const std::uint64_t bits : module_.literals_of(constant->literals))
        to.push_back(number(module_.element_of(constant->type), bits));
      if (constant->kind == ConstantKind::c_string) to.push_back(number(module_.element_of(constant->type), 0));
      return;
    default: return append_expression(*constant, to, depth);
  }
}

// Computed once, at the beginning of the function.
void FunctionLowering::append_expression(const dxil::Constant& constant, Pieces& to, unsigned depth) {
  if (!is_computed(constant.opcode)) {
    return fail(ErrorCode::unsupported, "a constant expression of `" + std::string(text(constant.opcode)) + "` is not supported");
  }
  for (const std::uint32_t operand : module_.operands_of(constant.operands)) {
    if (constants_.contains(operand)) continue;
    Pieces made;
    append_constant(operand, made, depth + 1);
    constants_.emplace(operand, std::move(made));
  }
  if (error_) return;
  Instruction i;
  i.opcode = constant.opcode;
  i.detail = static_cast<std::uint8_t>(constant.predicate);
  i.flags = constant.flags;
  i.type = constant.type;
  i.operands = constant.operands;
  const BlockId here = builder_.at();
  const Flags flags = std::exchange(flags_, flags_of(i));
  builder_.at(kNone);
  const auto before = static_cast<Id>(builder_.function().insts.size());
  const Pieces made = computed(i);
  for (Id id = before; id < builder_.function().insts.size(); ++id)
    if (const Op what = builder_.function().insts[id].op; what != Op::constant && what != Op::undef) expressions_.push_back(id);
  builder_.at(here);
  flags_ = flags;
  to.append(made);
}

void FunctionLowering::place_expressions() {
  Function& function = builder_.function();
  const Id first = function.blocks.front().first;
  for (const Id id : expressions_) insert_before(function, first, id);
}

const FunctionLowering::Pieces& FunctionLowering::pieces(std::uint32_t operand) {
  if ((operand & dxil::kMetadataOperand) != 0) return no_pieces_;
  const dxil::Value& value = module_.value(&body_, operand);
  if (value.kind == ValueKind::constant) {
    if (const auto known = constants_.find(operand); known != constants_.end()) return known->second;
    Pieces made;
    Types types;
    if (context_.scalar(value.type) || context_.flatten(value.type, types)) append_constant(operand, made, 0);
    pieces_ += made.size();
    return constants_.emplace(operand, std::move(made)).first->second;
  }
  if (operand < module_.values.size()) return no_pieces_;
  return locals_[operand - module_.values.size()];
}

Id FunctionLowering::value(std::uint32_t operand) {
  const Pieces& all = operand == dxil::kNone ? no_pieces_ : pieces(operand);
  if (all.size() == 1) return all[0];
  fail(ErrorCode::unsupported,
       all.empty() ? "using a pointer as a value is not supported" : "using an aggregate or vector as a scalar is not supported");
  return i32(0);
}

void FunctionLowering::define(const Instruction& i, Pieces pieces) {
  if (i.value != dxil::kNone && i.value >= module_.values.size()) {
    // of structures, those that loads give
    const bool is_vector = context_.query.is(i.type, TypeKind::vector);
    const std::size_t most = is_vector                                                                       ? pieces.size()
                             : context_.query.is(i.type, TypeKind::structure) && !context_.is_handle(i.type) ? std::size_t{4}
                                                                                                             : 0;
    for (std::size_t k = 0; k < std::min(pieces.size(), most); ++k) builder_.name_component(pieces[k], k);
    pieces_ += pieces.size();
    locals_[i.value - module_.values.size()] = std::move(pieces);
  }
}

Flags FunctionLowering::flags_of(const Instruction& i) const {
  Flags flags = Flags::none;
  const std::uint32_t scalar = context_.query.innermost(context_.query.scalar_of(i.type));
  if (context_.query.is_real(scalar) && (dxil::is_binary(i.opcode) || i.opcode == dxil::Opcode::fcmp) &&
      (i.flags & dxil::flag::kFast) == 0) {
    flags = flags | Flags::precise;
  }
  if (context_.minimum_precision && (context_.query.is(scalar, TypeKind::half) || context_.query.is_integer(scalar, 16))) {
    flags = flags | Flags::relaxed;
  }
  return flags;
}

FunctionLowering::Pieces FunctionLowering::members(Id tuple, std::span<const Type> types) {
  if (types.size() == 1) return {tuple};
  Pieces made;
  for (unsigned member = 0; member < types.size(); ++member) made.push_back(builder_.get(tuple, types[member], member));
  return made;
}

std::uint64_t FunctionLowering::used(const Instruction& i) const {
  return i.value == dxil::kNone ? 0 : used_[i.value - module_.values.size()];
}

}  // namespace unshade::ir::lower_dxil
