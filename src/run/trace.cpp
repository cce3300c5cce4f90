#include <unshade/run/trace.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

#include <unshade/core/bits/half.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/run/values.hpp>

namespace unshade::run {
namespace {

using ir::Id;
using ir::kNone;
using ir::Op;

/// Mnemonics whose first operand is read.
constexpr std::string_view kReaders[] = {"if",     "break", "continue", "ret",  "discard", "switch", "call", "case", "store",
                                         "atomic", "cmp",   "jmp",      "emit", "cut",     "sync",   "Op",   "br",   "texkill"};

bool has(const std::array<std::uint64_t, 2>& lanes, unsigned lane) { return (lanes[lane / 64] >> (lane % 64) & 1) != 0; }

unsigned count(const std::array<std::uint64_t, 2>& lanes) {
  return static_cast<unsigned>(std::popcount(lanes[0]) + std::popcount(lanes[1]));
}

Value list_of(const std::array<std::uint32_t, 3>& group) {
  return Value::list({Value::integer(group[0]), Value::integer(group[1]), Value::integer(group[2])});
}

}  // namespace

Value shown(ir::Type type, bool is_signed, std::uint64_t bits) {
  const auto real = [](auto value) {
    return std::isfinite(value) ? Value::real(value) : Value::text(std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
  };
  if (type == ir::Type::b1) return Value::boolean(bits != 0);
  if (type == ir::Type::f64) return real(std::bit_cast<double>(bits));
  if (type == ir::Type::f16) return real(std::bit_cast<float>(single_bits_of_half(static_cast<std::uint32_t>(bits))));
  if (ir::is_float(type)) return real(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (!is_signed) return Value::integer(bits);
  return Value::signed_integer(type == ir::Type::i64   ? static_cast<std::int64_t>(bits)
                               : type == ir::Type::i16 ? static_cast<std::int16_t>(bits)
                               : type == ir::Type::i8  ? static_cast<std::int8_t>(bits)
                                                       : static_cast<std::int32_t>(bits));
}

std::vector<std::string> destination_names(std::string_view line, std::size_t count) {
  std::vector<std::string> names;
  line = trimmed(line);
  if (line.starts_with('%')) {
    const std::string_view name = line.substr(0, std::min(line.find(' '), line.size()));
    for (std::size_t k = 0; k < count; ++k) names.push_back(std::string(name) + (count == 1 ? "" : '.' + std::to_string(k)));
    return names;
  }
  if (std::ranges::any_of(kReaders, [&](std::string_view word) { return line.starts_with(word); })) return names;
  const auto blank = line.find(' ');
  if (blank == std::string_view::npos) return names;
  std::string_view operand = trimmed(line.substr(blank + 1));
  operand = operand.substr(0, std::min(operand.find_first_of(", "), operand.size()));
  const auto dot = operand.rfind('.');
  const bool has_mask = dot != std::string_view::npos && operand.find(']', dot) == std::string_view::npos;
  const std::string_view mask = has_mask ? operand.substr(dot + 1) : "xyzw";
  const std::string_view name = has_mask ? operand.substr(0, dot) : operand;
  if (name.empty() || (mask.size() != count && count != 1)) return names;
  for (std::size_t k = 0; k < count; ++k)
    names.push_back(std::string(name) +
                    (count == 1 && mask.size() != 1 ? has_mask ? '.' + std::string(mask) : "" : '.' + std::string(1, mask[k])));
  return names;
}

std::optional<std::uint32_t> resource_accessed(const ir::Function& function, ir::Id id) {
  const auto operands = function.operands_of(id);
  if (operands.empty() || function.insts[operands[0]].op != Op::handle) return std::nullopt;
  return function.insts[operands[0]].extra;
}

Watch::Watch(const ir::Module& module, std::size_t number, const RunOptions& options, const Bindings* bindings)
    : module_(module), function_(module.functions[number]), options_(options), bindings_(bindings), used_(function_.insts.size()) {
  const ir::Function& function = function_;
  const auto instruction_of = [&](Id id) { return id < function.sources.size() ? function.sources[id].instruction : shader::kNone; };
  for (const ir::BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != shader::kNone; id = function.next[id]) {
      const ir::Inst& inst = function.insts[id];
      // what is handed on is still what the instruction writes
      if (has(ir::info(inst.op).effects, ir::Effects::ends) || inst.op == Op::output || inst.op == Op::phi || inst.op == Op::get ||
          inst.op == Op::bitcast)
        continue;
      for (Id operand : function.operands_of(id)) {
        unsigned member = 0;
        while (function.insts[operand].op == Op::get || function.insts[operand].op == Op::bitcast) {
          if (function.insts[operand].op == Op::get) member = function.insts[operand].extra;
          operand = function.operands_of(operand)[0];
        }
        if (instruction_of(operand) == instruction_of(id) && member < 32) used_[operand] |= 1U << member;
      }
    }
  }
}

vm::Observer Watch::observer() {
  vm::Observer made;
  made.profile = options_.profile;
  made.self = this;
  const auto on_step = [](void* self, const vm::TraceStep& one) { return static_cast<Watch*>(self)->step(one); };
  if (options_.trace != nullptr) (options_.breakpoints.empty() ? made.trace : made.hit) = on_step;
  for (const std::uint32_t instruction : options_.breakpoints) {
    if (instruction >= limits::kIrInstructions) continue;
    if (made.breakpoints.size() <= instruction) made.breakpoints.resize(instruction + std::size_t{1});
    made.breakpoints[instruction] = true;
  }
  if (options_.check) made.misuse = [](void* self, const vm::MisuseStep& step) { static_cast<Watch*>(self)->misuse(step); };
  if (options_.accesses != nullptr)
    made.accessed = [](void* self, ir::Id id, bool is_found) { static_cast<Watch*>(self)->note_access(id, is_found); };
  return made;
}

std::string_view Watch::line_of(std::uint32_t instruction) const {
  return options_.lines != nullptr && instruction < options_.lines->size() ? std::string_view((*options_.lines)[instruction])
                                                                           : std::string_view();
}

bool Watch::step(const vm::TraceStep& step) {
  if (step.source.instruction == shader::kNone) return true;
  // operations of one instruction follow each other
  const bool same = instruction_ == step.source.instruction && wave_ == step.wave && group_ == step.group && step.inst > last_;
  const bool goes_on = same || flush();
  instruction_ = step.source.instruction;
  group_ = step.group;
  wave_ = step.wave;
  active_ = step.active;
  last_ = step.inst;
  for (unsigned member = 0; member < step.results; ++member) {
    if (is_used_inside(step.inst, member)) continue;
    const std::uint64_t* const first = step.values + std::size_t{member} * vm::TraceStep::kStride;
    made_.push_back({ir::result_type(function_, step.inst, member), {first, first + vm::TraceStep::kStride}});
  }
  for (const vm::Printed& one : step.printed) printed_.emplace_back(one.lane - step.first_lane, vm::text_of(module_, one));
  // instructions go on in other blocks; what is to stop at one stops at the end of the first
  return goes_on && (options_.breakpoints.empty() || !step.completes || flush());
}

bool Watch::flush() {
  if (instruction_ == shader::kNone) return true;
  const std::string_view line = line_of(instruction_);
  Value made = Value::map();
  made.add("instruction", Value::integer(instruction_));
  if (!line.empty()) made.add("text", Value::text(trimmed(line)));
  made.add("group", list_of(group_));
  made.add("wave", Value::integer(wave_));
  made.add("active", Value::integer(count(active_)));
  std::erase_if(made_, [](const Made& one) { return one.type == ir::Type::void_ || one.type == ir::Type::handle; });
  const auto names = destination_names(line, made_.size());
  Value lanes = Value::list();
  std::size_t shown_lanes = 0;
  const auto is_shown = [&](unsigned lane) {
    return options_.trace_all_lanes       ? true
           : options_.trace_lanes.empty() ? shown_lanes < kTracedLanes
                                          : std::ranges::find(options_.trace_lanes, lane) != options_.trace_lanes.end();
  };
  for (unsigned lane = 0; lane < vm::TraceStep::kStride && !made_.empty(); ++lane) {
    if (!has(active_, lane) || !is_shown(lane)) continue;
    ++shown_lanes;
    Value one = Value::map();
    one.add("lane", Value::integer(lane));
    for (std::size_t k = 0; k < made_.size(); ++k)
      one.add(k < names.size() ? names[k] : "value" + (k == 0 ? std::string() : std::to_string(k)),
              shown(made_[k].type, true, made_[k].lanes[lane]));
    lanes.push(std::move(one));
  }
  made.add("lanes", std::move(lanes));
  made_.clear();
  if (!printed_.empty()) {
    Value messages = Value::list();
    shown_lanes = 0;
    for (auto& [lane, text] : printed_) {
      if (!is_shown(lane)) continue;
      ++shown_lanes;
      Value one = Value::map();
      one.add("lane", Value::integer(lane));
      one.add("text", Value::text(std::move(text)));
      messages.push(std::move(one));
    }
    made.add("messages", std::move(messages));
    printed_.clear();
  }
  const std::uint32_t instruction = std::exchange(instruction_, shader::kNone);
  if (options_.traced_active != nullptr) *options_.traced_active = active_;
  return options_.trace(options_.self, instruction, made);
}

std::string Watch::not_given(Id id) const {
  for (const Id operand : function_.operands_of(id)) {
    const ir::Inst& handle = function_.insts[operand];
    if (handle.op != Op::handle && handle.op != Op::handle_from_heap) continue;
    if (module_.resources[handle.extra].kind == dxcontainer::ResourceKind::sampler) continue;
    const Id index = function_.operands_of(operand)[0];
    std::optional<std::uint32_t> element;
    if (function_.insts[index].op == Op::constant) element = static_cast<std::uint32_t>(ir::constant_bits(function_, index));
    if (handle.op == Op::handle) return bindings_->not_given(handle.extra, element);
    return element ? bindings_->not_given_in_heap(*element) : std::string();
  }
  return {};
}

void Watch::note_access(ir::Id id, bool is_found) {
  if (resource_accessed(function_, id)) (*options_.accesses)[id] |= is_found;
}

void Watch::misuse(const vm::MisuseStep& step) {
  const std::string missing = bindings_ != nullptr && step.what == vm::Misuse::out_of_bounds ? not_given(step.inst) : std::string();
  Value& found = found_[{step.source.instruction, step.what, missing}];
  if (found.as_map() == nullptr) {
    unsigned lane = 0;
    while (!has(step.lanes, lane)) ++lane;
    found = Value::map();
    found.add("finding", Value::text(vm::id(step.what)));
    if (step.source.instruction != shader::kNone) found.add("instruction", Value::integer(step.source.instruction));
    if (const std::string_view line = line_of(step.source.instruction); !line.empty()) found.add("text", Value::text(trimmed(line)));
    if (!missing.empty()) found.add("not_given", Value::text(missing));
    found.add("group", list_of(step.group));
    found.add("wave", Value::integer(step.wave));
    found.add("lane", Value::integer(lane));
    found.add("count", Value::integer(0));
  }
  Value& times = found.as_map()->back().value;
  times = Value::integer(times.as_integer()->magnitude + count(step.lanes));
}

Value Watch::findings() const {
  Value all = Value::list();
  for (const auto& [key, found] : found_) all.push(found);
  return all;
}

}  // namespace unshade::run
