// Makes code of a module: slots for values, kernels for operations, copies for phis.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/vm/machine.hpp>

#include "vm/access.hpp"
#include "vm/kernel_list.hpp"
#include "vm/program.hpp"

namespace unshade::vm {
namespace {

using ir::BlockId;
using ir::Id;
using ir::kNone;
using ir::Op;
using ir::Type;

bool is_wide(Type type) { return ir::lane_bytes(type) == 8; }
// Handles are numbers.
Type machine_type(Type type) { return type == Type::handle ? Type::i32 : type; }

class Preparing {
 public:
  Preparing(Program::Data& data, const ir::Function& function) : data_(data), f_(function) {}

  Result<void> run() {
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        if (auto done = check(id); !done) return done;
      }
    }
    find_aliases();
    find_lifetimes();
    slot_of_.assign(f_.insts.size(), kNone);
    place_constants();
    scratch_ = allocate(2);
    number_blocks();
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone && f_.insts[id].op == Op::phi; id = f_.next[id]) {
        slot_of_[id] = allocate(is_wide(f_.insts[id].type) ? 2 : 1);
      }
    }
    for (std::size_t at = 0; at < f_.order.size() && !full_; ++at) make_block(at);
    // values of later blocks have slots now
    for (const BlockId block : f_.order) make_end(block);
    data_.slots = next_slot_;
    if (full_) return Error{ErrorCode::limit, 0, f_.name, "the function has more values at once than the machine has slots (65,535)"};
    return {};
  }

 private:
  Result<void> check(Id id) const {
    const Op op = f_.insts[id].op;
    const auto& row = ir::info(op);
    const Type from = f_.insts[id].operand_count == 0 ? Type::void_ : machine_type(ir::result_type(f_, f_.operands_of(id)[0]));
    const bool known = op == Op::phi || op == Op::get || op == Op::constant || op == Op::undef || op == Op::bitcast ||
                       has(row.effects, ir::Effects::ends) || access_function(op) != nullptr ||
                       kernel_number(op, machine_type(f_.insts[id].type), from) != kNoKernel;
    if (known) return {};
    return Error{ErrorCode::unsupported, 0, f_.name, "the machine does not run `" + std::string(row.text) + "` yet"};
  }

  // --- slots ---------------------------------------------------------------------------------------------------------------------------

  // A member of a tuple, and bits as another type of the same lanes, are no code.
  bool is_alias(Id id) const {
    const ir::Inst& inst = f_.insts[id];
    if (inst.op == Op::get) return true;
    if (inst.op != Op::bitcast) return false;
    const Type from = ir::result_type(f_, f_.operands_of(id)[0]);
    const auto plain = [](Type type) { return type == Type::i32 || type == Type::f32 || type == Type::i64 || type == Type::f64; };
    return plain(from) && plain(inst.type);
  }

  void find_aliases() {
    root_.resize(f_.insts.size());
    for (Id id = 0; id < f_.insts.size(); ++id) root_[id] = id;
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        if (is_alias(id)) root_[id] = root_[f_.operands_of(id)[0]];
      }
    }
  }

  // Values that live in one block alone share slots there, which is right whatever lanes run it. The last use of each is found; the others
  // have slots of their own, which unmasked writes of the canonical form cannot harm.
  void find_lifetimes() {
    last_use_.assign(f_.insts.size(), kNone);
    shared_.assign(f_.insts.size(), false);
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        const ir::Inst& inst = f_.insts[id];
        const auto operands = f_.operands_of(id);
        for (std::size_t at = 0; at < operands.size(); ++at) {
          if (ir::is_block_operand(inst.op, at)) continue;
          const Id root = root_[operands[at]];
          if (inst.op == Op::phi || f_.block_of[root] != block || has(ir::info(inst.op).effects, ir::Effects::ends)) {
            shared_[root] = true;
          } else {
            last_use_[root] = id;
          }
        }
      }
    }
  }

  std::uint16_t allocate(unsigned slots) {
    auto& free = free_[slots];
    if (!free.empty()) {
      const std::uint16_t slot = free.back();
      free.pop_back();
      return slot;
    }
    if (next_slot_ + slots > 0xffff) {
      full_ = true;
      return 0;
    }
    const auto slot = static_cast<std::uint16_t>(next_slot_);
    next_slot_ += slots;
    return slot;
  }

  unsigned slots_of(Id id) const {
    unsigned slots = 0;
    for (unsigned member = 0; member < f_.insts[id].results; ++member) slots += is_wide(ir::result_type(f_, id, member)) ? 2 : 1;
    return slots;
  }

  std::uint16_t slot(Id id) {
    const Id root = root_[id];
    if (slot_of_[root] == kNone) return 0;  // only if slots ran out
    unsigned at = slot_of_[root];
    // members of a tuple before the one that is meant
    for (Id one = id; one != root; one = f_.operands_of(one)[0]) {
      if (f_.insts[one].op != Op::get) continue;
      const Id tuple = f_.operands_of(one)[0];
      for (unsigned member = 0; member < f_.insts[one].extra; ++member) at += is_wide(ir::result_type(f_, tuple, member)) ? 2 : 1;
    }
    return static_cast<std::uint16_t>(at);
  }

  void place_constants() {
    for (Id id = 0; id < f_.insts.size(); ++id) {
      const ir::Inst& inst = f_.insts[id];
      if (f_.block_of[id] != kNone || (inst.op != Op::constant && inst.op != Op::undef)) continue;
      const bool wide = is_wide(inst.type);
      slot_of_[id] = allocate(wide ? 2 : 1);
      data_.constants.push_back(
          {static_cast<std::uint16_t>(slot_of_[id]), wide, inst.op == Op::undef ? 0 : lane_bits(inst.type, ir::constant_bits(f_, id))});
    }
  }

  // --- code ----------------------------------------------------------------------------------------------------------------------------

  void number_blocks() {
    number_.assign(f_.blocks.size(), kNone);
    for (std::size_t at = 0; at < f_.order.size(); ++at) number_[f_.order[at]] = static_cast<std::uint32_t>(at);
    data_.blocks.resize(f_.order.size());
  }

  void make_block(std::size_t at) {
    const BlockId block = f_.order[at];
    BlockCode& made = data_.blocks[at];
    made.first = static_cast<std::uint32_t>(data_.code.size());
    std::vector<std::pair<unsigned, std::uint16_t>> freed;
    for (Id id = f_.blocks[block].first; id != kNone && !full_; id = f_.next[id]) {
      const ir::Inst& inst = f_.insts[id];
      if (inst.op == Op::phi || has(ir::info(inst.op).effects, ir::Effects::ends)) continue;
      if (inst.op == Op::undef || inst.op == Op::constant) {
        slot_of_[id] = allocate(is_wide(inst.type) ? 2 : 1);
        data_.constants.push_back({static_cast<std::uint16_t>(slot_of_[id]), is_wide(inst.type), 0});
        continue;
      }
      if (is_alias(id)) continue;
      if (inst.results != 0) slot_of_[id] = allocate(slots_of(id));
      emit(id, made);
      // results may not take the place of operands, of which a kernel reads the next chunk after it wrote one; later values may
      const auto release = [&](Id root) {
        if (!shared_[root] && f_.block_of[root] == block && last_use_[root] == id && f_.insts[root].op != Op::phi &&
            f_.insts[root].op != Op::undef && f_.insts[root].op != Op::constant) {
          free_[slots_of(root)].push_back(static_cast<std::uint16_t>(slot_of_[root]));
          last_use_[root] = kNone;
          freed.emplace_back(slots_of(root), static_cast<std::uint16_t>(slot_of_[root]));
        }
      };
      for (const Id operand : f_.operands_of(id)) release(root_[operand]);
    }
    made.count = static_cast<std::uint32_t>(data_.code.size()) - made.first;
  }

  void emit(Id id, BlockCode& block) {
    const ir::Inst& inst = f_.insts[id];
    const auto operands = f_.operands_of(id);
    Code code;
    const Type type = machine_type(inst.type);
    const Type from = operands.empty() ? Type::void_ : machine_type(ir::result_type(f_, operands[0]));
    code.kernel = kernel_of(inst, type, from);
    if (code.kernel != kNoKernel) {
      code.d = slot(id);
      std::uint16_t* const places[] = {&code.a, &code.b, &code.c, &code.more};
      for (std::size_t at = 0; at < operands.size() && at < 4; ++at) *places[at] = slot(operands[at]);
      code.extra = operands.size() > 4 ? slot(operands[4]) : inst.extra;
    } else {
      code.kernel = kAccess;
      code.extra = static_cast<std::uint32_t>(data_.accesses.size());
      Access access{id, inst.op, type, inst.results, inst.flags, inst.extra, inst.results == 0 ? std::uint16_t{0} : slot(id), {}};
      for (const Id operand : operands) access.operands.push_back(slot(operand));
      if (inst.op == Op::barrier) block.waits = (inst.extra & ir::kSyncGroup) != 0;
      data_.accesses.push_back(std::move(access));
    }
    data_.code.push_back(code);
    data_.origin.push_back(id);
  }

  std::uint16_t kernel_of(const ir::Inst& inst, Type type, Type from) const {
    // fmad that may be fused is ffma
    const Op op = inst.op == Op::fmad && data_.module.modes.fused_mad && !has(inst.flags, ir::Flags::precise) ? Op::ffma : inst.op;
    if (op == Op::f_to_f && inst.extra == static_cast<std::uint32_t>(ir::Rounding::toward_zero)) {
      const std::uint16_t number = kernel_number(op, type, from);
      return number == kNoKernel ? number : static_cast<std::uint16_t>(number + 1);  // the next row rounds toward zero
    }
    return kernel_number(op, type, from);
  }

  // --- edges ---------------------------------------------------------------------------------------------------------------------------

  void make_end(BlockId block) {
    BlockCode& made = data_.blocks[number_[block]];
    const Id last = f_.blocks[block].last;
    const auto operands = f_.operands_of(last);
    made.first_edge = static_cast<std::uint32_t>(data_.edges.size());
    switch (f_.insts[last].op) {
      case Op::jump:
        made.end = BlockCode::End::jump;
        make_edge(block, operands[0]);
        break;
      case Op::branch:
        made.end = BlockCode::End::branch;
        made.condition = slot(operands[0]);
        make_edge(block, operands[1]);
        make_edge(block, operands[2]);
        break;
      case Op::switch_:
        made.end = BlockCode::End::switch_;
        made.condition = slot(operands[0]);
        made.wide = f_.insts[last].type == Type::i64;
        made.first_case = static_cast<std::uint32_t>(data_.cases.size());
        make_edge(block, operands[1]);
        for (std::size_t at = 2; at + 1 < operands.size(); at += 2) {
          data_.cases.push_back(ir::constant_bits(f_, operands[at]));
          make_edge(block, operands[at + 1]);
        }
        break;
      case Op::unreachable: made.end = BlockCode::End::unreachable; break;
      default: made.end = BlockCode::End::stop; break;
    }
    made.edge_count = static_cast<std::uint32_t>(data_.edges.size()) - made.first_edge;
  }

  void make_edge(BlockId from, BlockId to) {
    Edge edge{number_[to], static_cast<std::uint32_t>(data_.copies.size()), 0};
    const auto origins = f_.predecessors_of(to);
    const auto place = static_cast<std::size_t>(std::ranges::find(origins, from) - origins.begin());
    std::vector<Copy> waiting;
    for (Id id = f_.blocks[to].first; id != kNone && f_.insts[id].op == Op::phi; id = f_.next[id]) {
      const Copy copy{slot(f_.operands_of(id)[place]), slot(id), is_wide(f_.insts[id].type)};
      if (copy.from != copy.to) waiting.push_back(copy);
    }
    sequence(std::move(waiting));
    edge.copy_count = static_cast<std::uint32_t>(data_.copies.size()) - edge.first_copy;
    data_.edges.push_back(edge);
  }

  // Copies that happen at once, one after the other: none overwrites what another still reads; a cycle goes through the spare slots.
  void sequence(std::vector<Copy> waiting) {
    std::map<std::uint16_t, unsigned> readers;
    for (const Copy& copy : waiting) ++readers[copy.from];
    std::vector<Copy> ready;
    std::map<std::uint16_t, Copy> blocked;  // by the slot that is written
    for (const Copy& copy : waiting) {
      if (readers.contains(copy.to)) {
        blocked.emplace(copy.to, copy);
      } else {
        ready.push_back(copy);
      }
    }
    while (!ready.empty() || !blocked.empty()) {
      if (ready.empty()) {
        // a cycle: what one of them overwrites is kept aside, and read there
        Copy copy = blocked.begin()->second;
        blocked.erase(blocked.begin());
        data_.copies.push_back({copy.to, scratch_, copy.wide});
        data_.copies.push_back(copy);
        for (auto& [to, other] : blocked) {
          if (other.from == copy.to) other.from = scratch_;
        }
        release_source(copy.from, readers, ready, blocked);
        continue;
      }
      const Copy copy = ready.back();
      ready.pop_back();
      data_.copies.push_back(copy);
      release_source(copy.from, readers, ready, blocked);
    }
  }

  static void release_source(std::uint16_t from, std::map<std::uint16_t, unsigned>& readers, std::vector<Copy>& ready,
                             std::map<std::uint16_t, Copy>& blocked) {
    if (--readers[from] != 0) return;
    if (const auto found = blocked.find(from); found != blocked.end()) {
      ready.push_back(found->second);
      blocked.erase(found);
    }
  }

  Program::Data& data_;
  const ir::Function& f_;
  std::vector<Id> root_;
  std::vector<Id> last_use_;
  std::vector<bool> shared_;
  std::vector<std::uint32_t> slot_of_;
  std::map<unsigned, std::vector<std::uint16_t>> free_;
  std::vector<std::uint32_t> number_;  // of blocks in the order
  std::uint32_t next_slot_ = 0;
  std::uint16_t scratch_ = 0;
  bool full_ = false;
};

void place_memory(Program::Data& data) {
  const auto end_of = [&](ir::Space space) {
    std::uint32_t end = 0;
    for (const ir::Variable& variable : data.module.variables) {
      if (variable.space == space) end = std::max(end, variable.offset + variable.bytes);
    }
    return end;
  };
  data.private_bytes = end_of(ir::Space::private_);
  data.group_bytes = end_of(ir::Space::group);
  data.payload_bytes = end_of(ir::Space::payload);
  data.constant_bytes.resize(end_of(ir::Space::constant));
  data.private_initial.resize(data.private_bytes);
  for (const ir::Variable& variable : data.module.variables) {
    auto& into = variable.space == ir::Space::constant ? data.constant_bytes : data.private_initial;
    if (variable.space != ir::Space::constant && variable.space != ir::Space::private_) continue;
    std::ranges::copy(variable.initial, into.begin() + variable.offset);
  }
}

}  // namespace

const ir::Module& Program::module() const { return data_->module; }
unsigned Program::wave() const { return data_->wave; }

std::uint16_t kernel_number(Op op, Type type, Type from) {
  // by operation, the first of its rows
  static const auto kFirst = [] {
    std::array<std::uint16_t, ir::kOps + 1> first{};
    first.fill(static_cast<std::uint16_t>(kKernelRows.size()));
    for (std::size_t row = kKernelRows.size(); row-- > 0;)
      first[static_cast<std::size_t>(kKernelRows[row].op)] = static_cast<std::uint16_t>(row);
    return first;
  }();
  const Kernel* const kernels = kernels_of(available_isas().front());
  for (std::size_t row = kFirst[static_cast<std::size_t>(op)]; row < kKernelRows.size() && kKernelRows[row].op == op; ++row) {
    const KernelRow& one = kKernelRows[row];
    if (one.type != type || one.toward_zero || (one.conversion && one.from != from)) continue;
    return kernels[row] == nullptr ? kNoKernel : static_cast<std::uint16_t>(row);
  }
  return kNoKernel;
}

Result<Program> prepare(const Validated<ir::Module>& module, const Options& options) {
  const unsigned wave = options.wave;
  if (wave < 4 || wave > kMostLanes || (wave & (wave - 1)) != 0 || wave < module->modes.wave_min || wave > module->modes.wave_max) {
    return Error{ErrorCode::bad_value, 0, "wave",
                 std::to_string(wave) + " lanes: the program allows powers of 2 from " + std::to_string(module->modes.wave_min) + " to " +
                     std::to_string(module->modes.wave_max)};
  }
  if (options.function >= module->functions.size()) return Error{ErrorCode::missing, 0, "functions", "the module has no such function"};
  auto data = std::make_shared<Program::Data>();
  data->module = *module;
  data->function = &data->module.functions[options.function];
  data->wave = wave;
  data->chunks = std::max(1U, wave / kChunk);
  data->kernels = kernels_of(options.isa.value_or(available_isas().back()));
  if (data->kernels == nullptr) return Error{ErrorCode::unsupported, 0, "isa", "this machine does not have the instruction set"};
  data->masked = data->function->irreducible;
  if (data->masked) return Error{ErrorCode::unsupported, 0, data->function->name, "a function of irreducible flow does not run yet"};
  data->flushes = data->module.modes.denorm32 != ir::Denormals::preserve;
  if (auto done = Preparing(*data, *data->function).run(); !done) return std::move(done).error();
  place_memory(*data);
  return Program(std::move(data));
}

}  // namespace unshade::vm
