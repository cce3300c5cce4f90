// Makes code of a module: slots for values, kernels for operations, copies for phis.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/vm/machine.hpp>

#include "vm/access.hpp"
#include "vm/kernel_list.hpp"
#include "vm/prepare/parallel_copies.hpp"
#include "vm/prepare/schedule.hpp"
#include "vm/prepare/slots.hpp"
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
  Preparing(Program::Data& data, const ir::Function& function)
      : data_(data), f_(function), divergence_(ir::find_divergence(data.module, function)) {}

  Result<void> run() {
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        if (auto done = check(id); !done) return done;
      }
    }
    find_aliases();
    find_preamble();
    if (auto done = give_slots(); !done) return done;
    number_blocks();
    for (std::size_t at = 0; at < f_.order.size(); ++at) make_block(at);
    for (const BlockId block : f_.order) make_end(block);
    data_.slots = std::max(next_slot_, most_slots_);
    if (data_.slots > kMostSlots) return Error{ErrorCode::limit, 0, f_.name, "the function needs too many values at once"};
    schedule(data_, in_preamble_);
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
    return Error{ErrorCode::unsupported, 0, f_.name, "the interpreter does not implement `" + std::string(row.text) + '`'};
  }

  // --- slots ---------------------------------------------------------------------------------------------------------------------------

  // A member of a tuple, and bits as another type of the same lanes, are no code.
  bool is_alias(Id id) const {
    const ir::Inst& inst = f_.insts[id];
    if (inst.op == Op::get) return true;
    if (inst.op != Op::bitcast && inst.op != Op::f_to_f) return false;
    const Type from = ir::result_type(f_, f_.operands_of(id)[0]);
    if (inst.op == Op::f_to_f) return data_.module.modes.f24 == ir::F24::as_f32 && inst.type == Type::f24 && from == Type::f32;
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

  // --- the preamble --------------------------------------------------------------------------------------------------------------------

  // What depends on constants and constant buffers alone is computed once for all waves, before they run. It has no effects, so that
  // nothing shows if it stands in a block that no lane enters.
  void find_preamble() {
    in_preamble_.assign(f_.insts.size(), false);
    escapes_.assign(f_.insts.size(), false);
    if (f_.irreducible) return;
    const std::uint64_t most = kPreambleBytes / data_.slot_bytes;
    std::uint64_t words = 0;
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        if (!is_computed_before(id)) continue;
        if (root_[id] == id && (words += words_of(id)) > most) return find_escapes();
        in_preamble_[id] = true;
      }
    }
    find_escapes();
  }

  bool is_computed_before(Id id) const {
    const ir::Inst& inst = f_.insts[id];
    const auto operands = f_.operands_of(id);
    const bool known = std::ranges::all_of(operands, [&](Id operand) {
      return f_.insts[operand].op == Op::constant || f_.insts[operand].op == Op::undef || in_preamble_[operand];
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
    return is_alias(id) || kernel_of(inst, machine_type(inst.type), machine_type(ir::result_type(f_, operands[0]))) != kNoKernel;
  }

  // Those that something else uses keep their slots.
  void find_escapes() {
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        if (in_preamble_[id]) continue;
        const auto operands = f_.operands_of(id);
        for (std::size_t at = 0; at < operands.size(); ++at) {
          if (!ir::is_block_operand(f_.insts[id].op, at) && in_preamble_[root_[operands[at]]]) escapes_[root_[operands[at]]] = true;
        }
      }
    }
  }

  unsigned words_of(Id id) const {
    unsigned words = 0;
    for (unsigned member = 0; member < f_.insts[id].results; ++member) words += is_wide(ir::result_type(f_, id, member)) ? 2 : 1;
    return words;
  }

  // Constants, and what the preamble gives, keep their slots; the others share them as far as lanes that wait allow.
  Result<void> give_slots() {
    slot_of_.assign(f_.insts.size(), kNone);
    std::vector<std::uint32_t> words(f_.insts.size(), 0);
    std::uint32_t constants = 0;
    for (Id id = 0; id < f_.insts.size(); ++id) {
      const ir::Inst& inst = f_.insts[id];
      if (inst.op == Op::constant || inst.op == Op::undef) {
        if (constants > kMostSlots) break;
        const bool wide = is_wide(inst.type);
        slot_of_[id] = constants;
        constants += wide ? 2 : 1;
        data_.constants.push_back({static_cast<std::uint16_t>(slot_of_[id]), wide, inst.op == Op::undef,
                                   inst.op == Op::undef ? 0 : lane_bits(inst.type, ir::constant_bits(f_, id))});
      } else if (f_.block_of[id] != kNone && root_[id] == id) {
        if (escapes_[id]) {
          slot_of_[id] = constants;
          constants += words_of(id);
        } else {
          words[id] = words_of(id);
        }
      }
    }
    const std::vector<std::uint32_t> given = allocate_slots({f_, words, root_, constants}, next_slot_);
    for (Id id = 0; id < given.size(); ++id) {
      if (given[id] != kNone) slot_of_[id] = given[id];
    }
    scratch_ = static_cast<std::uint16_t>(next_slot_);
    next_slot_ += 2;
    if (next_slot_ <= kMostSlots) return {};
    return Error{
        ErrorCode::limit, 0, f_.name,
        "the function needs " + std::to_string(next_slot_) + " values at once, and " + std::to_string(kMostSlots) + " are the most"};
  }

  std::uint16_t slot(Id id) {
    const Id root = root_[id];
    if (slot_of_[root] == kNone) return 0;
    unsigned at = slot_of_[root];
    // members of a tuple before the one that is meant
    for (Id one = id; one != root; one = f_.operands_of(one)[0]) {
      if (f_.insts[one].op != Op::get) continue;
      const Id tuple = f_.operands_of(one)[0];
      for (unsigned member = 0; member < f_.insts[one].extra; ++member) at += is_wide(ir::result_type(f_, tuple, member)) ? 2 : 1;
    }
    return static_cast<std::uint16_t>(at);
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
    for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
      const ir::Inst& inst = f_.insts[id];
      if (inst.op == Op::phi || inst.op == Op::undef || inst.op == Op::constant || is_alias(id) ||
          has(ir::info(inst.op).effects, ir::Effects::ends))
        continue;
      emit(id, made);
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
      access.uniform = operands.empty() || !divergence_.divergent[operands[0]];
      access.once = can_be_once(inst, access) && std::ranges::none_of(operands, [&](Id operand) { return divergence_.divergent[operand]; });
      access.function = access_function(access.op);
      access.component = transfer_component(data_.module, access);
      if (inst.op == Op::barrier) block.waits = (inst.extra & ir::kSyncGroup) != 0;
      data_.accesses.push_back(std::move(access));
    }
    data_.code.push_back(code);
    data_.origin.push_back(id);
  }

  // Whether an operation with the same operands in all lanes has the same result in all.
  bool can_be_once(const ir::Inst& inst, const Access& access) const {
    if (f_.irreducible) return false;  // an access writes the lanes that run alone there
    switch (inst.op) {
      case Op::handle:
      case Op::handle_from_heap:
      case Op::handle_null:
      case Op::handle_from_address:
      case Op::address_offset:
      case Op::cbuffer_load: return true;
      case Op::query_size:
      case Op::query_levels:
      case Op::query_samples:
      case Op::buffer_load: return !is_wide(access.type);  // a status may follow
      case Op::load: return data_.module.variables[inst.extra].space != ir::Space::private_;
      default: return false;
    }
  }

  std::uint16_t kernel_of(const ir::Inst& inst, Type type, Type from) const {
    // fmad that may be fused is ffma
    const Op op = inst.op == Op::fmad && data_.module.modes.fused_mad && !has(inst.flags, ir::Flags::precise) ? Op::ffma : inst.op;
    if (op == Op::f_to_f && inst.extra == static_cast<std::uint32_t>(ir::Rounding::toward_zero)) return kernel_number(op, type, from, true);
    const ir::F24 f24 = data_.module.modes.f24;
    if (type == Type::f24 && f24 == ir::F24::as_f32) {
      if (const std::uint16_t number = kernel_number(op, Type::f32, from == Type::f24 ? Type::f32 : from); number != kNoKernel)
        return number;
    }
    if (type == Type::f24 && f24 == ir::F24::nearest && op != Op::f_to_f) {
      if (const std::uint16_t number = kernel_number(op, type, from, true); number != kNoKernel) return number;
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
    most_slots_ = std::max(most_slots_, append_in_order(std::move(waiting), scratch_, data_.copies));
    edge.copy_count = static_cast<std::uint32_t>(data_.copies.size()) - edge.first_copy;
    data_.edges.push_back(edge);
  }

  static constexpr std::uint32_t kMostSlots = 0xffff;
  /// The most that a wave has of values of the preamble.
  static constexpr std::uint64_t kPreambleBytes = std::uint64_t{1} << 18;

  Program::Data& data_;
  const ir::Function& f_;
  const ir::Divergence divergence_;
  std::vector<Id> root_;
  std::vector<bool> in_preamble_, escapes_;
  std::vector<std::uint32_t> slot_of_;
  std::vector<std::uint32_t> number_;  // of blocks in the order
  std::uint32_t next_slot_ = 0;
  std::uint32_t most_slots_ = 0;
  std::uint16_t scratch_ = 0;
};

void place_memory(Program::Data& data) {
  data.private_bytes = ir::space_bytes(data.module, ir::Space::private_);
  data.group_bytes = ir::space_bytes(data.module, ir::Space::group);
  data.payload_bytes = ir::space_bytes(data.module, ir::Space::payload);
  data.constant_bytes.resize(ir::space_bytes(data.module, ir::Space::constant));
  data.private_initial.resize(round_up(data.private_bytes, 4));
  for (const ir::Variable& variable : data.module.variables) {
    auto& into = variable.space == ir::Space::constant ? data.constant_bytes : data.private_initial;
    if (variable.space != ir::Space::constant && variable.space != ir::Space::private_) continue;
    std::ranges::copy(variable.initial, into.begin() + variable.offset);
  }
}

void round_f24(ir::Module& module, ir::F24 how) {
  module.modes.f24 = how;
  const ir::Rounding rounding = how == ir::F24::truncate ? ir::Rounding::toward_zero : ir::Rounding::nearest_even;
  for (ir::Function& function : module.functions) {
    for (ir::Inst& inst : function.insts)
      if (inst.op == Op::f_to_f && inst.type == Type::f24) inst.extra = static_cast<std::uint32_t>(rounding);
  }
}

}  // namespace

const ir::Module& Program::module() const { return data_->module; }
unsigned Program::wave() const { return data_->wave; }

std::uint16_t kernel_number(Op op, Type type, Type from, bool other_rounding) {
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
    if (one.type != type || one.other_rounding != other_rounding || (one.conversion && one.from != from)) continue;
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
  if (options.f24) round_f24(data->module, *options.f24);
  data->function = &data->module.functions[options.function];
  const ir::Together together = ir::find_together(data->module, *data->function);
  data->wave = together == ir::Together::wave ? wave : together == ir::Together::quad ? 4 : 1;
  data->width = std::max(data->wave, kNarrow);
  const bool narrow = data->width <= kNarrow;
  data->chunks = std::max(1U, data->width / kChunk);
  data->slot_bytes = data->chunks * (narrow ? kNarrow : kChunk) * std::size_t{4};
  data->flushes = data->module.modes.denorm32 != ir::Denormals::preserve;
  data->isa = options.isa.value_or(available_isas().back());
  data->kernels = kernels_of(data->isa, data->flushes);
  if (narrow && data->kernels != nullptr) data->kernels = narrow_kernels(data->flushes);
  if (data->kernels == nullptr) return Error{ErrorCode::unsupported, 0, "isa", "the processor does not have this instruction set"};
  data->inputs = components_of(data->module.signatures.input);
  data->outputs = components_of(data->module.signatures.output);
  data->patch = components_of(data->module.signatures.patch);
  if (auto done = Preparing(*data, *data->function).run(); !done) return std::move(done).error();
  data->waits = std::ranges::any_of(data->blocks, &BlockCode::waits);
  place_memory(*data);
  return Program(std::move(data));
}

}  // namespace unshade::vm
