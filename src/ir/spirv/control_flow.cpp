// Phis, calls, and what ends a block.
#include <algorithm>

#include "ir/spirv/function.hpp"

namespace unshade::ir::lower_spirv {

void FunctionLowering::phi(const Instruction& i) {
  std::vector<Type> types;
  if (context_.count(result_type(i)) == kNone && !is_address(result_type(i))) return unsupported("OpPhi of pointers of this storage class");
  flatten(result_type(i), types);
  Pieces made;
  for (const Type type : types) made.push_back(builder_.inst(Op::phi, type, {}, {.flags = flags_}));
  frame_->phis.push_back(phis_.size());
  phis_.push_back({builder_.at(), made, {}, i.operands});
  define_any(i, std::move(made));
}

bool Context::has_plain_pieces(std::uint32_t type_id, std::vector<Type>& types) const {
  constexpr std::size_t kMost = 0xff;
  const std::uint32_t place = interface.find_type(type_id);
  if (count(place) == kNone || types.size() + count(place) > kMost) return false;
  flatten(place, types);
  return std::ranges::find(types, Type::handle) == types.end();
}

bool Context::always_returns(const spirv::CodeFunction& f, unsigned depth) {
  constexpr unsigned kMostDepth = 64;
  const auto [known, is_new] = returns_.try_emplace(f.id, Returns::open);
  if (!is_new) return known->second == Returns::always;
  bool always = depth < kMostDepth && f.block_count != 0;
  for (const spirv::Block& block : code.blocks(f)) {
    for (const spirv::Instruction one : code.instructions(block)) {
      if (!always) break;
      const Meaning meaning = meaning_of(one.opcode());
      if (meaning == Meaning::kill || meaning == Meaning::dispatch_mesh) always = false;
      if (meaning != Meaning::call || one.word_count() < 4) continue;
      const spirv::CodeFunction* const called = code.find_function(one.word(3));
      always = called != nullptr && always_returns(*called, depth + 1);
    }
  }
  returns_[f.id] = always ? Returns::always : Returns::perhaps;
  return always;
}

bool Context::keeps(const spirv::CodeFunction& f) {
  if (!keeps_calls || !always_returns(f, 0)) return false;
  std::vector<Type> types;
  if (!has_plain_pieces(f.result_type, types)) return false;
  types.clear();
  return std::ranges::all_of(code.parameters(f), [&](const spirv::Parameter& one) { return has_plain_pieces(one.type, types); });
}

std::uint32_t Context::place_of(const spirv::CodeFunction& f) {
  const auto [found, is_new] = kept_functions.try_emplace(f.id, static_cast<std::uint32_t>(waiting.size() + 1));
  if (is_new) waiting.push_back(&f);
  return found->second;
}

void FunctionLowering::call(const Instruction& i) {
  const spirv::CodeFunction* callee = context_.code.find_function(i.operand(0));
  if (callee == nullptr || callee->block_count == 0) return fail(ErrorCode::bad_value, "the function has no body");
  const auto parameters = context_.code.parameters(*callee);
  if (i.operands.size() != parameters.size() + 1)
    return fail(ErrorCode::bad_value,
                "the call has " + std::to_string(i.operands.size() - 1) + " arguments, expected " + std::to_string(parameters.size()));
  if (context_.keeps(*callee)) {
    std::vector<std::uint32_t> given;
    std::vector<Type> types;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const Pieces argument = pieces(i.operands[k + 1]);
      given.insert(given.end(), argument.begin(), argument.end());
    }
    context_.flatten(result_type(i), types);
    const Id made = builder_.inst(Op::call, types.empty() ? Type::void_ : types[0], given,
                                  {.extra = context_.place_of(*callee), .results = static_cast<unsigned>(types.size())});
    return types.empty() ? void() : define(i, members(made, types));
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const std::uint32_t argument = i.operands[k + 1];
    const spirv::Type* type = context_.interface.type(context_.interface.find_type(parameters[k].type));
    if (type != nullptr && type->kind == TypeKind::pointer && !is_device_address(type_of(argument))) {
      Pointer to = pointer(argument);
      pointers_.insert_or_assign(parameters[k].id, std::move(to));
      if (const auto known_address = addresses_.find(argument); known_address != addresses_.end()) {
        addresses_.insert_or_assign(parameters[k].id, Pieces(known_address->second));
      } else {
        addresses_.erase(parameters[k].id);
      }
    } else {
      Pieces given = pieces(argument);
      pieces_ += given.size();
      values_.insert_or_assign(parameters[k].id, std::move(given));
    }
  }
  if (error_) return;
  const BlockId after = new_block();
  std::vector<std::pair<BlockId, Pieces>> returns;
  Frame* const frame = frame_;
  const auto layout = lower_function(*callee, frame, after, returns);
  if (error_) return;
  auto& own = frame->layout[frame->block];
  own.insert(own.end(), layout.begin(), layout.end());
  own.push_back(after);
  frame->last[frame->block] = after;
  builder_.at(after);
  std::vector<Type> types;
  if (context_.count(result_type(i)) == kNone && !is_address(result_type(i)))
    return unsupported("returning a pointer of this storage class from a function");
  flatten(result_type(i), types);
  Pieces made;
  if (returns.size() == 1) {
    made = returns[0].second;
  } else if (returns.empty()) {
    made = undefined(result_type(i));
  } else {
    for (const Type type : types) made.push_back(builder_.inst(Op::phi, type, {}));
    if (!made.empty()) phis_.push_back({after, made, std::move(returns), {}});
  }
  define_any(i, std::move(made));
}

// Ends the block of the IR.
void FunctionLowering::barrier(std::uint32_t extra) {
  builder_.inst(Op::barrier, Type::void_, {}, {.extra = extra});
  const BlockId next = new_block();
  builder_.jump(next);
  builder_.at(next);
  frame_->layout[frame_->block].push_back(next);
  frame_->last[frame_->block] = next;
}

bool FunctionLowering::terminator(const Instruction& i) {
  const auto block = [&](std::uint32_t label) {
    const std::uint32_t found = context_.code.find_block(label);
    if (frame_ == nullptr || found >= frame_->first.size()) return fail(ErrorCode::bad_value, "the function has no such block"), entry_;
    return frame_->first[found];
  };
  if (frame_ == nullptr) return false;
  const auto give_back = [&](Pieces values) {
    if (frame_->return_block == kNone) return builder_.return_values(values);
    frame_->returns.emplace_back(builder_.at(), std::move(values));
    builder_.jump(frame_->return_block);
  };
  switch (i.meaning) {
    case Meaning::phi: return phi(i), true;
    case Meaning::call: return call(i), true;
    case Meaning::jump: return builder_.jump(block(i.operand(0))), true;
    case Meaning::branch: {
      const BlockId yes = block(i.operand(1));
      const BlockId no = block(i.operand(2));
      return builder_.branch(value(i.operand(0)), yes, no), true;
    }
    case Meaning::switch_: {
      const spirv::Block& here = context_.code.blocks(frame_->function)[frame_->block];
      const Id selector = value(i.operand(0));
      const Type from = builder_.type_of(selector);
      const Type type = from == Type::i64 ? Type::i64 : Type::i32;
      const std::uint64_t mask = bit_width(from) >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bit_width(from)) - 1;
      std::vector<std::uint32_t> cases;
      for (const spirv::SwitchCase& one : context_.code.cases(here)) {
        cases.push_back(builder_.constant(type, one.value & mask));
        cases.push_back(frame_->first[one.block]);
      }
      const BlockId otherwise = block(i.operand(1));
      if (cases.size() > 0xfff0) return fail(ErrorCode::limit, "the switch has too many cases"), true;
      return builder_.switch_on(resized(selector, type), otherwise, cases), true;
    }
    case Meaning::kill: builder_.inst(Op::demote, Type::void_, {}); return builder_.return_values(), true;
    case Meaning::demote: return builder_.inst(Op::demote, Type::void_, {}), true;
    case Meaning::return_: return give_back(i.opcode == Opcode::return_value ? any_pieces(i.operand(0)) : Pieces{}), true;
    case Meaning::unreachable: return builder_.unreachable(), true;
    case Meaning::dispatch_mesh: {
      const Id x = value(i.operand(0));
      const Id y = value(i.operand(1));
      builder_.inst(Op::dispatch_mesh, Type::void_, {x, y, value(i.operand(2))});
      return builder_.return_values(), true;
    }
    case Meaning::set_mesh_counts: {
      const Id vertices = value(i.operand(0));
      return builder_.inst(Op::set_mesh_counts, Type::void_, {vertices, value(i.operand(1))}), true;
    }
    case Meaning::emit:
    case Meaning::cut: {
      constexpr std::uint64_t kStreams = 4;
      const std::uint64_t stream = i.operands.empty() ? 0 : constant(i.operand(0));
      if (stream >= kStreams) {
        fail(ErrorCode::bad_value, "vertex streams are numbered from 0 to 3, found " + std::to_string(stream));
        return true;
      }
      // the execution mode is that of all streams
      auto& topologies = context_.out.info.stream_topologies;
      if (!topologies.empty() && topologies.size() <= stream) topologies.resize(stream + 1, topologies.front());
      return builder_.inst(static_cast<Op>(i.meaning), Type::void_, {}, {.extra = static_cast<std::uint32_t>(stream)}), true;
    }
    case Meaning::barrier: {
      const bool control = i.opcode == Opcode::control_barrier;
      const std::uint64_t semantics = constant(i.operand(control ? 2 : 1));
      std::uint32_t extra = 0;
      if (control) extra |= constant(i.operand(0)) == 3 ? kSyncWave : kSyncGroup;
      if ((semantics & 0x100) != 0) extra |= kGroupMemory;
      if ((semantics & 0x1840) != 0) extra |= kDeviceMemory;  // uniform, image, and output memory
      if (extra != 0) barrier(extra);
      return true;
    }
    default: return false;
  }
}

}  // namespace unshade::ir::lower_spirv
