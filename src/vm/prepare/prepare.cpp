// Makes a program of a module in four steps: operations, the order in which they run, slots for values, and code.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/vm/machine.hpp>

#include "vm/kernel_list.hpp"
#include "vm/prepare/allocate.hpp"
#include "vm/prepare/emit.hpp"
#include "vm/prepare/fuse.hpp"
#include "vm/prepare/schedule.hpp"
#include "vm/prepare/select.hpp"
#include "vm/program.hpp"

namespace unshade::vm {
namespace {

using ir::Op;
using ir::Type;

// The bytes of private memory to the end of the last variable that the function accesses.
std::uint32_t used_private_bytes(const ir::Module& module, const ir::Function& function) {
  std::uint32_t end = 0;
  for (const ir::BlockId block : function.order) {
    for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) {
      const ir::Inst& inst = function.insts[id];
      const bool is_atomic = inst.op == Op::atomic;
      if (!is_atomic && ir::info(inst.op).extra != ir::Extra::variable) continue;
      const ir::Variable& one = module.variables[is_atomic ? ir::AtomicExtra(inst.extra).variable : inst.extra];
      if (one.space == ir::Space::private_) end = std::max(end, one.offset + one.bytes);
    }
  }
  return end;
}

void place_memory(ProgramBase& data) {
  data.private_bytes = used_private_bytes(data.module, *data.function);
  data.group_bytes = ir::space_bytes(data.module, ir::Space::group);
  data.payload_bytes = ir::space_bytes(data.module, ir::Space::payload);
  data.constant_bytes.resize(ir::space_bytes(data.module, ir::Space::constant));
  data.private_initial.resize(round_up(data.private_bytes, 4));
  for (const ir::Variable& variable : data.module.variables) {
    auto& into = variable.space == ir::Space::constant ? data.constant_bytes : data.private_initial;
    if (variable.space != ir::Space::constant && variable.space != ir::Space::private_) continue;
    if (variable.offset < into.size())
      std::ranges::copy(std::span(variable.initial).first(std::min(variable.initial.size(), into.size() - variable.offset)),
                        into.begin() + variable.offset);
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

/// The most that a wave has of values of the preamble.
constexpr std::uint64_t kPreambleBytes = std::uint64_t{1} << 18;

enum class Order : std::uint8_t { of_ir, scheduled };

// The steps. Each takes what those before it made.
Result<std::unique_ptr<Program::Data>> make_code(ProgramBase base, Order order) {
  auto data = std::make_unique<Program::Data>(std::move(base));
  const ir::Function& function = *data->function;
  const bool is_scheduled = order == Order::scheduled;
  const auto selection = select_kernels(data->module, function, is_scheduled ? kPreambleBytes / data->slot_bytes : 0);
  if (!selection) return selection.error();
  Operations operations = list_operations(function, *selection);
  if (is_scheduled) {
    const std::vector<std::uint32_t> uses = count_uses(function);
    fuse_pairs(function, uses, operations);
    schedule({data->module, function, *selection, uses}, operations);
  }
  const auto allocation = allocate(*data, *selection, operations);
  if (!allocation) return allocation.error();
  emit(*data, *selection, operations, *allocation, is_scheduled ? Results::used : Results::all);
  if (data->slots > kMostSlots) return Error{ErrorCode::limit, 0, function.name, "the function needs too many values at once"};
  data->waits = std::ranges::any_of(data->blocks, &BlockCode::waits);
  return data;
}

}  // namespace

const ir::Module& Program::module() const { return data_->module; }
unsigned Program::wave() const { return data_->wave; }

Result<const Program::Data*> watched_data(const Program::Data& data) {
  const std::lock_guard lock(data.watching);
  if (!data.watched) {
    ProgramBase base = data;
    base.function = base.module.functions.data() + (data.function - data.module.functions.data());
    data.watched = make_code(std::move(base), Order::of_ir);
  }
  if (!*data.watched) return data.watched->error();
  return (**data.watched).get();
}

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
  ProgramBase data;
  data.module = *module;
  if (options.f24) round_f24(data.module, *options.f24);
  data.function = &data.module.functions[options.function];
  const ir::Together together = ir::find_together(data.module, *data.function);
  data.wave = together == ir::Together::wave ? wave : together == ir::Together::quad ? 4 : 1;
  data.width = std::max(data.wave, kNarrow);
  const bool narrow = data.width <= kNarrow;
  data.chunks = std::max(1U, data.width / kChunk);
  data.slot_bytes = data.chunks * (narrow ? kNarrow : kChunk) * std::size_t{4};
  data.flushes = data.module.modes.denorm32 != ir::Denormals::preserve;
  data.isa = options.isa.value_or(available_isas().back());
  data.kernels = kernels_of(data.isa, data.flushes);
  data.rows = &row_functions(data.isa);
  if (narrow && data.kernels != nullptr) data.kernels = narrow_kernels(data.flushes);
  if (data.kernels == nullptr) return Error{ErrorCode::unsupported, 0, "isa", "the processor does not have this instruction set"};
  data.inputs = components_of(data.module.signatures.input);
  data.outputs = components_of(data.module.signatures.output);
  data.patch = components_of(data.module.signatures.patch);
  place_memory(data);
  auto made = make_code(std::move(data), Order::scheduled);
  if (!made) return std::move(made).error();
  return Program(*std::move(made));
}

}  // namespace unshade::vm
