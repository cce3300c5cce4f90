// Operations of subgroups.
#include <algorithm>
#include <bit>

#include "ir/spirv/function.hpp"

namespace unshade::ir::lower_spirv {
namespace {

constexpr struct {
  Opcode opcode;
  Reduction reduction;
} kReductions[] = {
#define SPIRV_SEM(id, sem)
#define SPIRV_GLSL_SEM(id, sem)
#define SPIRV_REDUCTION(id, what) {Opcode::id, Reduction::what},
#include <unshade/spirv/semantics.def>
};

}  // namespace

Id FunctionLowering::lane() { return op(Op::builtin, Type::i32, {}, BuiltinExtra(Builtin::lane, 0).bits()); }
Id FunctionLowering::wave_size() { return op(Op::builtin, Type::i32, {}, BuiltinExtra(Builtin::wave_size, 0).bits()); }

// Four words with the bits of the lanes before `count`.
Pieces FunctionLowering::lanes_below(Id count) {
  Pieces made;
  for (std::uint32_t word = 0; word < 4; ++word) {
    const Id none = op(Op::ule, Type::i32, {count, i32(32 * word)});
    const Id all = op(Op::ule, Type::i32, {i32(32 * word + 32), count});
    const Id some = op(Op::isub, Type::i32, {op(Op::ishl, Type::i32, {i32(1), count}), i32(1)});
    made.push_back(op(Op::select, Type::i32, {none, i32(0), op(Op::select, Type::i32, {all, i32(0xffff'ffff), some})}));
  }
  return made;
}

bool FunctionLowering::lanes(const Instruction& i) {
  // opcodes of the core have a scope first
  const spirv::OpcodeInfo* row = spirv::find_opcode(static_cast<std::uint32_t>(i.opcode));
  const bool scoped = row != nullptr && row->operands.size() > 2 && row->operands[2].kind == spirv::OperandKind::id_scope;
  const std::size_t first = scoped ? 1 : 0;
  const auto each_piece = [&](auto&& make) {
    Pieces made;
    for (const Id piece : pieces(i.operand(first))) made.push_back(make(piece));
    define(i, std::move(made));
    return true;
  };
  const auto read_from = [&](auto&& place) {  // the value of another lane
    const Id index = place();
    return each_piece([&](Id x) { return op(Op::wave_read_lane, builder_.type_of(x), {x, index}); });
  };
  const auto second = [&] { return resized(value(i.operand(first + 1)), Type::i32); };
  switch (i.meaning) {
    case Meaning::wave_first: return define(i, op(Op::wave_first, Type::void_, {})), true;
    case Meaning::wave_all:
    case Meaning::wave_any: return define(i, op(static_cast<Op>(i.meaning), Type::void_, {value(i.operand(first))})), true;
    case Meaning::wave_all_equal: {
      Id all = kNone;
      for (const Id x : pieces(i.operand(first))) {
        const Id one = op(Op::wave_all_equal, builder_.type_of(x), {x});
        all = all == kNone ? one : op(Op::iand, Type::b1, {all, one});
      }
      return define(i, all), true;
    }
    case Meaning::wave_read_first: return each_piece([&](Id x) { return op(Op::wave_read_first, builder_.type_of(x), {x}); });
    case Meaning::wave_read_lane: return read_from(second);
    case Meaning::wave_shuffle_xor: return read_from([&] { return op(Op::ixor, Type::i32, {lane(), second()}); });
    case Meaning::wave_shuffle_up: return read_from([&] { return op(Op::isub, Type::i32, {lane(), second()}); });
    case Meaning::wave_shuffle_down: return read_from([&] { return op(Op::iadd, Type::i32, {lane(), second()}); });
    case Meaning::wave_rotate:
      return read_from([&] {
        const Id size = i.operands.size() > 3 ? value(i.operand(3)) : wave_size();
        const Id within = op(Op::isub, Type::i32, {size, i32(1)});
        const Id moved = op(Op::iand, Type::i32, {op(Op::iadd, Type::i32, {lane(), second()}), within});
        return op(Op::ior, Type::i32, {moved, op(Op::iand, Type::i32, {lane(), op(Op::inot, Type::i32, {within})})});
      });
    case Meaning::quad_read: return each_piece([&, index = second()](Id x) { return op(Op::quad_read, builder_.type_of(x), {x, index}); });
    case Meaning::quad_all:
    case Meaning::quad_any: return define(i, op(static_cast<Op>(i.meaning), Type::b1, {value(i.operand(0))})), true;
    case Meaning::quad_swap: {
      const auto direction = static_cast<std::uint32_t>(constant(i.operand(2)) & 3);
      return each_piece([&](Id x) { return op(Op::quad_swap, builder_.type_of(x), {x}, direction); });
    }
    case Meaning::wave_ballot: {
      const Id words = op(Op::wave_ballot, Type::void_, {value(i.operand(first))});
      return define(i, members(words, std::array{Type::i32, Type::i32, Type::i32, Type::i32})), true;
    }
    case Meaning::wave_match: {
      const Id x = value(i.operand(0));
      const Id words = op(Op::wave_match, builder_.type_of(x), {x});
      return define(i, members(words, std::array{Type::i32, Type::i32, Type::i32, Type::i32})), true;
    }
    case Meaning::ballot_own_bit:
    case Meaning::ballot_bit: {
      const Pieces words = pieces(i.operand(1));
      if (words.size() != 4)
        return fail(ErrorCode::bad_value, "a ballot must have four components, found " + std::to_string(words.size())), true;
      const Id index = i.meaning == Meaning::ballot_bit ? resized(value(i.operand(2)), Type::i32) : lane();
      const Id which = op(Op::ushr, Type::i32, {index, i32(5)});
      Id word = words[0];
      for (std::uint32_t k = 1; k < 4; ++k) word = op(Op::select, Type::i32, {op(Op::ieq, Type::i32, {which, i32(k)}), words[k], word});
      const Id bit = op(Op::iand, Type::i32, {op(Op::ushr, Type::i32, {word, index}), i32(1)});
      return define(i, op(Op::ine, Type::i32, {bit, i32(0)})), true;
    }
    case Meaning::ballot_count: {
      const Pieces words = pieces(i.operand(2));
      if (words.size() != 4)
        return fail(ErrorCode::bad_value, "a ballot must have four components, found " + std::to_string(words.size())), true;
      const std::uint32_t how = i.operand(1);  // GroupOperation
      const Id count = how == 0 ? wave_size() : how == 1 ? op(Op::iadd, Type::i32, {lane(), i32(1)}) : lane();
      const Pieces mask = lanes_below(count);
      Id sum = kNone;
      for (std::size_t k = 0; k < 4; ++k) {
        const Id bits_ = op(Op::bit_count, Type::i32, {op(Op::iand, Type::i32, {words[k], mask[k]})});
        sum = k == 0 ? bits_ : op(Op::iadd, Type::i32, {sum, bits_});
      }
      return define(i, sum), true;
    }
    case Meaning::ballot_low:
    case Meaning::ballot_high: {
      const Pieces words = pieces(i.operand(1));
      if (words.size() != 4)
        return fail(ErrorCode::bad_value, "a ballot must have four components, found " + std::to_string(words.size())), true;
      const bool low = i.meaning == Meaning::ballot_low;
      const Pieces mask = lanes_below(wave_size());
      Id found = i32(0xffff'ffff);
      for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t at = low ? 3 - k : k;  // the last that has a bit wins
        const Id word = op(Op::iand, Type::i32, {words[at], mask[at]});
        const Id place = op(Op::iadd, Type::i32, {op(low ? Op::first_low : Op::first_high, Type::i32, {word}), i32(32 * at)});
        found = op(Op::select, Type::i32, {op(Op::ine, Type::i32, {word, i32(0)}), place, found});
      }
      return define(i, found), true;
    }
    case Meaning::wave_arithmetic: return wave_arithmetic(i), true;
    default: return false;
  }
}

void FunctionLowering::wave_arithmetic(const Instruction& i) {
  const auto how = static_cast<spirv::GroupOperation>(i.operand(1));
  const auto* const row = std::ranges::find_if(kReductions, [&](const auto& one) { return one.opcode == i.opcode; });
  ReductionExtra extra(row->reduction, how == spirv::GroupOperation::inclusive_scan);
  Op what = Op::wave_scan;
  switch (how) {
    case spirv::GroupOperation::reduce: what = Op::wave_reduce; break;
    case spirv::GroupOperation::inclusive_scan:
    case spirv::GroupOperation::exclusive_scan: break;
    case spirv::GroupOperation::clustered_reduce: {
      const std::uint64_t size = constant(i.operand(3));
      if (!std::has_single_bit(size) || size > 128)
        return fail(ErrorCode::bad_value, "the size of a cluster must be a power of two up to 128, found " + std::to_string(size));
      what = Op::wave_reduce;
      extra.cluster_log2 = static_cast<std::uint8_t>(std::countr_zero(size));
      break;
    }
    case spirv::GroupOperation::partitioned_inclusive_scan_nv: extra.inclusive = true; [[fallthrough]];
    case spirv::GroupOperation::partitioned_exclusive_scan_nv: what = Op::wave_multi_scan; break;
    default: return unsupported("a partitioned reduction of a subgroup");
  }
  Pieces mask;
  if (what == Op::wave_multi_scan) {
    mask = pieces(i.operand(3));
    if (mask.size() != 4) return fail(ErrorCode::bad_value, "a ballot must have four components, found " + std::to_string(mask.size()));
  }
  const auto reduced = [&](Type type, Id x) {
    std::vector<std::uint32_t> operands{x};
    operands.insert(operands.end(), mask.begin(), mask.end());
    return builder_.inst(what, type, operands, {.extra = extra.bits()});
  };
  Pieces made;
  for (const Id x : pieces(i.operand(2))) {
    const Type type = builder_.type_of(x);
    if (type == Type::b1) {
      const Id all = reduced(Type::i32, op(Op::zext, Type::i32, {x}));
      made.push_back(op(Op::ine, Type::i32, {op(Op::iand, Type::i32, {all, i32(1)}), i32(0)}));
    } else {
      made.push_back(reduced(type, x));
    }
  }
  define(i, std::move(made));
}

}  // namespace unshade::ir::lower_spirv
