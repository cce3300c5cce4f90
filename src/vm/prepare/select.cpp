#include "vm/prepare/select.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "vm/access.hpp"
#include "vm/program.hpp"

namespace unshade::vm {
namespace {

using ir::BlockId;
using ir::Id;
using ir::kNone;
using ir::Op;
using ir::Type;

class Selecting {
 public:
  Selecting(const ir::Module& module, const ir::Function& function, std::uint64_t most_preamble)
      : module_(module), f_(function), most_preamble_(most_preamble) {}

  Result<Selection> run() {
    made_.root.resize(f_.insts.size());
    for (Id id = 0; id < f_.insts.size(); ++id) made_.root[id] = id;
    made_.offset.resize(f_.insts.size());
    made_.kernel.assign(f_.insts.size(), kNoKernel);
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        if (auto done = check(id); !done) return std::move(done).error();
        if (is_alias(id)) {
          share(id, f_.operands_of(id)[0]);
        } else if (is_code(f_.insts[id].op)) {
          made_.kernel[id] = kernel_of(id);
        }
      }
    }
    find_preamble();
    return std::move(made_);
  }

 private:
  Result<void> check(Id id) const {
    const Op op = f_.insts[id].op;
    const auto& row = ir::info(op);
    const bool known = op == Op::phi || op == Op::get || op == Op::constant || op == Op::undef || op == Op::bitcast ||
                       has(row.effects, ir::Effects::ends) || access_function(op) != nullptr ||
                       kernel_number(op, machine_type(f_.insts[id].type), operand_type(id)) != kNoKernel;
    if (known) return {};
    return Error{ErrorCode::unsupported, 0, f_.name, "the interpreter does not implement `" + std::string(row.text) + '`'};
  }

  // Of the first operand.
  Type operand_type(Id id) const {
    return f_.insts[id].operand_count == 0 ? Type::void_ : machine_type(ir::result_type(f_, f_.operands_of(id)[0]));
  }

  // A member of a tuple, and bits as another type of the same lanes, are no code.
  bool is_alias(Id id) const {
    const ir::Inst& inst = f_.insts[id];
    if (inst.op == Op::get) return true;
    if (inst.op != Op::bitcast && inst.op != Op::f_to_f) return false;
    const Type from = ir::result_type(f_, f_.operands_of(id)[0]);
    if (inst.op == Op::f_to_f) return module_.modes.f24 == ir::F24::as_f32 && inst.type == Type::f24 && from == Type::f32;
    const auto plain = [](Type type) { return type == Type::i32 || type == Type::f32 || type == Type::i64 || type == Type::f64; };
    return plain(from) && plain(inst.type);
  }

  void share(Id id, Id operand) {
    made_.root[id] = made_.root[operand];
    made_.offset[id] = made_.offset[operand];
    if (f_.insts[id].op != Op::get) return;
    for (unsigned member = 0; member < f_.insts[id].extra; ++member)
      made_.offset[id] += is_wide(ir::result_type(f_, operand, member)) ? 2 : 1;
  }

  static bool is_code(Op op) {
    return op != Op::phi && op != Op::undef && op != Op::constant && !has(ir::info(op).effects, ir::Effects::ends);
  }

  // --- kernels -------------------------------------------------------------------------------------------------------------------------

  std::uint16_t kernel_of(Id id) const {
    const ir::Inst& inst = f_.insts[id];
    const std::uint16_t number = kernel_of(inst, machine_type(inst.type), operand_type(id));
    return number == kNoKernel ? kAccess : number;
  }

  std::uint16_t kernel_of(const ir::Inst& inst, Type type, Type from) const {
    // fmad that may be fused is ffma
    const Op op = inst.op == Op::fmad && module_.modes.fused_mad && !has(inst.flags, ir::Flags::precise) ? Op::ffma : inst.op;
    if (op == Op::f_to_f && inst.extra == static_cast<std::uint32_t>(ir::Rounding::toward_zero)) return kernel_number(op, type, from, true);
    const ir::F24 f24 = module_.modes.f24;
    if (type == Type::f24 && f24 == ir::F24::as_f32) {
      if (const std::uint16_t number = kernel_number(op, Type::f32, from == Type::f24 ? Type::f32 : from); number != kNoKernel)
        return number;
    }
    if (type == Type::f24 && f24 == ir::F24::nearest && op != Op::f_to_f) {
      if (const std::uint16_t number = kernel_number(op, type, from, true); number != kNoKernel) return number;
    }
    return kernel_number(op, type, from);
  }

  // --- the preamble --------------------------------------------------------------------------------------------------------------------

  // What depends on constants and constant buffers alone is computed once for all waves, before they run. It has no effects, so that
  // nothing shows if it stands in a block that no lane enters.
  void find_preamble() {
    made_.in_preamble.assign(f_.insts.size(), false);
    made_.escapes.assign(f_.insts.size(), false);
    if (f_.irreducible || most_preamble_ == 0) return;
    std::uint64_t words = 0;
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        if (!is_computed_before(id)) continue;
        if (made_.root[id] == id && (words += words_of(f_, id)) > most_preamble_) return find_escapes();
        made_.in_preamble[id] = true;
      }
    }
    find_escapes();
  }

  bool is_computed_before(Id id) const {
    const ir::Inst& inst = f_.insts[id];
    const auto operands = f_.operands_of(id);
    const bool known = std::ranges::all_of(operands, [&](Id operand) {
      return f_.insts[operand].op == Op::constant || f_.insts[operand].op == Op::undef || made_.in_preamble[operand];
    });
    if (!known || inst.op == Op::phi) return false;
    switch (inst.op) {
      case Op::handle:
      case Op::handle_from_heap:
      case Op::handle_null:
      case Op::handle_from_address:
      case Op::address_offset:
      case Op::cbuffer_load: return true;
      default: break;
    }
    if (operands.empty() || ir::info(inst.op).effects != ir::Effects::pure) return false;
    return is_alias(id) || (made_.kernel[id] != kNoKernel && made_.kernel[id] != kAccess);
  }

  // Those that something else uses keep their slots.
  void find_escapes() {
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        if (made_.in_preamble[id]) continue;
        const auto operands = f_.operands_of(id);
        for (std::size_t at = 0; at < operands.size(); ++at) {
          const bool is_value = !ir::is_block_operand(f_.insts[id].op, at);
          if (is_value && made_.in_preamble[made_.root[operands[at]]]) made_.escapes[made_.root[operands[at]]] = true;
        }
      }
    }
  }

  const ir::Module& module_;
  const ir::Function& f_;
  const std::uint64_t most_preamble_;
  Selection made_;
};

}  // namespace

unsigned words_of(const ir::Function& function, Id id) {
  unsigned words = 0;
  for (unsigned member = 0; member < function.insts[id].results; ++member) words += is_wide(ir::result_type(function, id, member)) ? 2 : 1;
  return words;
}

Result<Selection> select_kernels(const ir::Module& module, const ir::Function& function, std::uint64_t most_preamble) {
  return Selecting(module, function, most_preamble).run();
}

Operations list_operations(const ir::Function& function, const Selection& selection) {
  Operations made;
  made.blocks.reserve(function.order.size());
  for (const BlockId block : function.order) {
    std::vector<Operation>& own = made.blocks.emplace_back();
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) {
      if (selection.kernel[id] == kNoKernel) continue;
      (selection.in_preamble[id] ? made.preamble : own).push_back({.id = id, .kernel = selection.kernel[id]});
    }
  }
  return made;
}

}  // namespace unshade::vm
