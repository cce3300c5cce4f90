// Operations of waves, quads and groups.
#include <unshade/ir/extra.hpp>

#include "write/spirv/function_writer.hpp"

namespace unshade::write::spirv_writer {

using ir::Reduction;

Word FunctionWriter::reduce() {
  const ir::ReductionExtra of(extra());
  const Type type = inst_->type;
  using spirv::GroupOperation;
  const bool is_scan = inst_->op == Op::wave_scan, is_partitioned = inst_->op == Op::wave_multi_scan;
  const bool is_clustered = !is_scan && !is_partitioned && of.cluster_log2 != 0xff;
  const GroupOperation how =
      is_partitioned ? (of.inclusive ? GroupOperation::partitioned_inclusive_scan_nv : GroupOperation::partitioned_exclusive_scan_nv)
      : is_clustered ? GroupOperation::clustered_reduce
      : !is_scan     ? GroupOperation::reduce
      : of.inclusive ? GroupOperation::inclusive_scan
                     : GroupOperation::exclusive_scan;
  Opcode what = Opcode::nop;
  switch (of.op) {
    case Reduction::iadd: what = Opcode::group_non_uniform_i_add; break;
    case Reduction::imul: what = Opcode::group_non_uniform_i_mul; break;
    case Reduction::smin: what = Opcode::group_non_uniform_s_min; break;
    case Reduction::smax: what = Opcode::group_non_uniform_s_max; break;
    case Reduction::umin: what = Opcode::group_non_uniform_u_min; break;
    case Reduction::umax: what = Opcode::group_non_uniform_u_max; break;
    case Reduction::and_: what = Opcode::group_non_uniform_bitwise_and; break;
    case Reduction::or_: what = Opcode::group_non_uniform_bitwise_or; break;
    case Reduction::xor_: what = Opcode::group_non_uniform_bitwise_xor; break;
    case Reduction::fadd: what = Opcode::group_non_uniform_f_add; break;
    case Reduction::fmul: what = Opcode::group_non_uniform_f_mul; break;
    case Reduction::fmin: what = Opcode::group_non_uniform_f_min; break;
    case Reduction::fmax: what = Opcode::group_non_uniform_f_max; break;
  }
  if (is_partitioned) {
    // lanes with the same mask are a part, as those of WaveMatch
    out_.capability(Capability::group_non_uniform_partitioned_nv);
    out_.extension("SPV_NV_shader_subgroup_partitioned");
    const Word word32 = out_.int_type(32);
    const Word parts[] = {operand(1), operand(2), operand(3), operand(4)};
    return op({what, word_type(type), {u32(word(spirv::Scope::subgroup)), word(how), operand(0), vector(word32, parts)}});
  }
  out_.capability(is_clustered ? Capability::group_non_uniform_clustered : Capability::group_non_uniform_arithmetic);
  const Word scope = u32(word(spirv::Scope::subgroup));
  if (is_clustered) return op({what, word_type(type), {scope, word(how), operand(0), u32(1U << of.cluster_log2)}});
  return op({what, word_type(type), {scope, word(how), operand(0)}});
}

bool FunctionWriter::lanes() {
  const Word b1 = out_.bool_type(), word32 = out_.int_type(32);
  const auto done = [&](Word made) { return define(id_, made), true; };
  const auto scope = [&] { return u32(word(spirv::Scope::subgroup)); };
  const auto vote = [&](Opcode what, Word result) {
    out_.capability(Capability::group_non_uniform_vote);
    return done(op(what, result, {scope(), operand(0)}));
  };
  const auto ballot_members = [&](Word four) {
    Tuple made;
    made.composite = four;
    made.part_type = word32;
    tuple_of_[id_] = static_cast<std::uint32_t>(tuples_.size());
    tuples_.push_back(made);
    return true;
  };
  const Word of = word_type(inst_->type);
  switch (inst_->op) {
    case Op::wave_any: return vote(Opcode::group_non_uniform_any, b1);
    case Op::wave_all: return vote(Opcode::group_non_uniform_all, b1);
    case Op::wave_all_equal: return vote(Opcode::group_non_uniform_all_equal, b1);
    case Op::wave_ballot:
      out_.capability(Capability::group_non_uniform_ballot);
      return ballot_members(op({Opcode::group_non_uniform_ballot, out_.vector_type(word32, 4), {scope(), operand(0)}}));
    case Op::wave_first: out_.capability(Capability::group_non_uniform); return done(op(Opcode::group_non_uniform_elect, b1, {scope()}));
    case Op::wave_read_lane:
      // lanes that differ ask for a shuffle
      out_.capability(Capability::group_non_uniform_shuffle);
      return done(op(Opcode::group_non_uniform_shuffle, of, {scope(), operand(0), operand(1)}));
    case Op::wave_read_first:
      out_.capability(Capability::group_non_uniform_ballot);
      return done(op(Opcode::group_non_uniform_broadcast_first, of, {scope(), operand(0)}));
    case Op::wave_reduce:
    case Op::wave_scan:
    case Op::wave_multi_scan: return done(reduce());
    case Op::wave_match:
      out_.capability(Capability::group_non_uniform_partitioned_nv);
      out_.extension("SPV_NV_shader_subgroup_partitioned");
      return ballot_members(op({Opcode::group_non_uniform_partition_nv, out_.vector_type(word32, 4), {operand(0)}}));
    case Op::quad_swap:
      out_.capability(Capability::group_non_uniform_quad);
      return done(op(Opcode::group_non_uniform_quad_swap, of, {scope(), operand(0), u32(extra())}));
    case Op::quad_read:
      out_.capability(Capability::group_non_uniform_quad);
      if (known(operands()[1])) return done(op(Opcode::group_non_uniform_quad_broadcast, of, {scope(), operand(0), operand(1)}));
      // a lane that is computed: by a shuffle within the quad
      out_.capability(Capability::group_non_uniform_shuffle);
      {
        bool is_bool = false;
        const Word lane = op(Opcode::load, word32, {writer_.builtin(ir::Builtin::lane, is_bool).id});
        const Word first = op(Opcode::bitwise_and, word32, {lane, u32(~3U)});
        const Word at = op(Opcode::bitwise_or, word32, {first, op(Opcode::bitwise_and, word32, {operand(1), u32(3)})});
        return done(op(Opcode::group_non_uniform_shuffle, of, {scope(), operand(0), at}));
      }
    case Op::quad_any:
    case Op::quad_all: {
      // of the lanes that are active: those of a ballot. All are true if none is false
      out_.capability(Capability::group_non_uniform_ballot);
      const bool any = inst_->op == Op::quad_any;
      const Word asked = any ? operand(0) : op(Opcode::logical_not, b1, {operand(0)});
      const Word ballot = op({Opcode::group_non_uniform_ballot, out_.vector_type(word32, 4), {scope(), asked}});
      bool is_bool = false;
      const Word lane = op(Opcode::load, word32, {writer_.builtin(ir::Builtin::lane, is_bool).id});
      const Word bits = op(Opcode::vector_extract_dynamic, word32, {ballot, op(Opcode::shift_right_logical, word32, {lane, u32(5)})});
      const Word first = op(Opcode::bitwise_and, word32, {lane, u32(28)});
      const Word of_quad = op(Opcode::bit_field_u_extract, word32, {bits, first, u32(4)});
      return done(op(any ? Opcode::i_not_equal : Opcode::i_equal, b1, {of_quad, u32(0)}));
    }
    case Op::clock: {
      out_.capability(Capability::shader_clock_khr);
      out_.capability(Capability::int64);  // that the extension asks for
      out_.extension("SPV_KHR_shader_clock");
      return ballot_members(op({Opcode::read_clock_khr, out_.vector_type(word32, 2), {scope()}}));
    }
    case Op::barrier: {
      using spirv::MemorySemantics;
      const std::uint32_t bits = extra();
      Word semantics = 0;
      if ((bits & ir::kGroupMemory) != 0) semantics |= word(MemorySemantics::workgroup_memory);
      if ((bits & ir::kDeviceMemory) != 0) semantics |= word(MemorySemantics::uniform_memory) | word(MemorySemantics::image_memory);
      if (semantics != 0) semantics |= word(MemorySemantics::acquire_release);
      const Word memory_scope = u32(word((bits & ir::kDeviceMemory) != 0 ? spirv::Scope::device : spirv::Scope::workgroup));
      if ((bits & (ir::kSyncGroup | ir::kSyncWave)) != 0) {
        const Word who = u32(word((bits & ir::kSyncGroup) != 0 ? spirv::Scope::workgroup : spirv::Scope::subgroup));
        effect(Opcode::control_barrier, {who, memory_scope, u32(semantics)});
      } else if (semantics != 0) {
        effect(Opcode::memory_barrier, {memory_scope, u32(semantics)});
      }
      return true;
    }
    default: return false;
  }
}

}  // namespace unshade::write::spirv_writer
