#include <unshade/ir/builder.hpp>

#include <algorithm>
#include <bit>

#include <unshade/core/collections/small_vector.hpp>

#include "ir/operands.hpp"

namespace unshade::ir {
namespace {

std::uint64_t masked(Type type, std::uint64_t bits) {
  const unsigned width = type == Type::f24 ? 32 : bit_width(type);  // f24 as the f32 that its lanes hold
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

unsigned result_count(Op op, const InstOptions& options) {
  const auto letters = info(op).results;
  return letters.find('*') == std::string_view::npos ? static_cast<unsigned>(letters.size()) : options.results;
}

using TextureIds = SmallVector<std::uint32_t, 16>;

struct TextureAppender {
  TextureIds& to;

  void values(char, std::span<const Id> from, unsigned count) { to.append(from.first(count)); }
  void value(char, Id from, bool is_there) {
    if (is_there) to.push_back(from);
  }
  void rest(char, std::span<const Id> from) { to.append({from.begin(), std::ranges::find(from, kNone)}); }
};

}  // namespace

std::size_t Constants::Hash::operator()(const Key& key) const {
  const std::uint64_t mixed =
      (key.bits ^ (std::uint64_t{static_cast<std::uint8_t>(key.type)} << 56) ^ (key.defined ? 0 : 1)) * 0x9e37'79b9'7f4a'7c15;
  return static_cast<std::size_t>(mixed ^ (mixed >> 32));
}

Constants::Constants(Function& function) : function_(function) {
  for (Id id = 0; id < function.insts.size(); ++id) {
    const Inst& inst = function.insts[id];
    if (inst.op == Op::constant) ids_.try_emplace(Key{inst.type, true, constant_bits(function, id)}, id);
    if (inst.op == Op::undef && function.block_of[id] == kNone) ids_.try_emplace(Key{inst.type, false, 0}, id);
  }
}

Id Constants::get(Type type, std::uint64_t bits) { return add({type, true, masked(type, bits)}); }
Id Constants::undef(Type type) { return add({type, false, 0}); }

Id Constants::add(const Key& key) {
  if (const auto found = ids_.find(key); found != ids_.end()) return found->second;
  std::uint32_t extra = static_cast<std::uint32_t>(key.bits);
  if (key.defined && bit_width(key.type) > 32) {
    function_.constants.push_back(key.bits);
    extra = static_cast<std::uint32_t>(function_.constants.size() - 1);
  }
  const Id id = append(function_, key.defined ? Op::constant : Op::undef, key.type, {}, {.extra = extra});
  ids_.emplace(key, id);
  return id;
}

Id append(Function& function, Op op, Type type, std::span<const std::uint32_t> operands, const InstOptions& options) {
  const auto id = static_cast<Id>(function.insts.size());
  const bool has_type = info(op).types != 0 || op == Op::call;
  function.insts.push_back({.op = op,
                            .type = has_type ? type : Type::void_,
                            .results = static_cast<std::uint8_t>(result_count(op, options)),
                            .first_operand = static_cast<std::uint32_t>(function.operands.size()),
                            .operand_count = operand_count(operands.size()),
                            .flags = options.flags,
                            .extra = options.extra});
  function.operands.insert(function.operands.end(), operands.begin(), operands.end());
  function.next.push_back(kNone);
  function.previous.push_back(kNone);
  function.block_of.push_back(kNone);
  if (!function.sources.empty()) function.sources.emplace_back();
  return id;
}

void insert_at_end(Function& function, BlockId block, Id id) {
  Block& into = function.blocks[block];
  function.block_of[id] = block;
  function.previous[id] = into.last;
  function.next[id] = kNone;
  (into.last == kNone ? into.first : function.next[into.last]) = id;
  into.last = id;
}

void insert_before(Function& function, Id place, Id id) {
  const BlockId block = function.block_of[place];
  const Id before = function.previous[place];
  function.block_of[id] = block;
  function.previous[id] = before;
  function.next[id] = place;
  function.previous[place] = id;
  (before == kNone ? function.blocks[block].first : function.next[before]) = id;
}

void remove(Function& function, Id id) {
  Block& block = function.blocks[function.block_of[id]];
  const Id before = function.previous[id];
  const Id after = function.next[id];
  (before == kNone ? block.first : function.next[before]) = after;
  (after == kNone ? block.last : function.previous[after]) = before;
  function.block_of[id] = function.next[id] = function.previous[id] = kNone;
}

Builder::Builder(Function& function) : function_(function), constants_(function), predecessors_(function.blocks.size()) {
  for (const BlockId block : function.order) {
    block_ = block;
    for_each_successor(function, block, [&](BlockId to) { edge(to); });
  }
  block_ = kNone;
}

BlockId Builder::block() {
  const auto made = static_cast<BlockId>(function_.blocks.size());
  function_.blocks.emplace_back();
  function_.order.push_back(made);
  predecessors_.emplace_back();
  return made;
}

bool Builder::ended(BlockId block) const {
  const Id last = function_.blocks[block].last;
  return last != kNone && has(info(function_.insts[last].op).effects, Effects::ends);
}

Id Builder::f32(float value) { return constant(Type::f32, std::bit_cast<std::uint32_t>(value)); }
Id Builder::f64(double value) { return constant(Type::f64, std::bit_cast<std::uint64_t>(value)); }

Id Builder::inst(Op op, Type type, std::span<const std::uint32_t> operands, const InstOptions& options) {
  const Id id = append(function_, op, type, operands, options);
  if (source_.instruction != kNone) {
    function_.sources.resize(function_.insts.size());
    function_.sources[id] = source_;
  }
  if (block_ != kNone) insert_at_end(function_, block_, id);
  return id;
}

void Builder::name_component(Id value, std::size_t component) {
  if (value >= function_.sources.size() || component >= kNoComponent) return;
  Source& source = function_.sources[value];
  if (source.group == kNone || source.component != kNoComponent) return;
  if (source.instruction == source_.instruction && source.group == source_.group) source.component = static_cast<std::uint8_t>(component);
}

Id Builder::texture(Op op, Type type, std::span<const Id> handles, TextureExtra extra, const TextureOperands<Id>& operands,
                    const InstOptions& options) {
  extra.has_bias = operands.bias != kNone;
  extra.has_lod = operands.lod != kNone;
  extra.has_gradient = operands.ddx[0] != kNone;
  extra.has_offset = operands.offsets[0] != kNone;
  extra.four_offsets = operands.offsets[extra.dimension_count()] != kNone;
  extra.has_reference = operands.reference != kNone;
  extra.has_min_lod = operands.min_lod != kNone;
  extra.has_sample = operands.sample != kNone;
  TextureIds all(handles);
  TextureAppender archive{all};
  describe(archive, op, extra, operands);
  return inst(op, type, all, {.extra = extra.bits(), .flags = options.flags, .results = options.results + (extra.has_status ? 1U : 0U)});
}

Id Builder::get(Id tuple, Type type, unsigned member) {
  if (function_.insts[tuple].results == 1 && member == 0) return tuple;
  return inst(Op::get, type, {tuple}, {.extra = member});
}

Id Builder::as(Type type, Id value) {
  if (type_of(value) == type) return value;
  const Op op = function_.insts[value].op;
  if (op == Op::constant) return constant(type, constant_bits(function_, value));
  if (op == Op::undef) return undef(type);
  if (op == Op::bitcast) {
    value = function_.operands_of(value)[0];
    if (type_of(value) == type) return value;
  }
  if (function_.block_of[value] == kNone) return inst(Op::bitcast, type, {value});
  // after the value, so that it dominates all uses
  Id& cast = casts_.add(std::uint64_t{value} << 8 | static_cast<std::uint8_t>(type), kNone).first;
  if (cast != kNone) return cast;
  const std::uint32_t operand = value;
  cast = append(function_, Op::bitcast, type, {&operand, 1});
  if (!function_.sources.empty()) function_.sources[cast] = function_.sources[value];
  Id next = function_.next[value];
  while (next != kNone && function_.insts[next].op == Op::phi) next = function_.next[next];
  if (next == kNone) {
    insert_at_end(function_, function_.block_of[value], cast);
  } else {
    insert_before(function_, next, cast);
  }
  return cast;
}

// No pass sees it: what is stepped through is not optimized.
Id Builder::copied(Id value) {
  if (!keeps_copies_ || block_ == kNone || source_.instruction == kNone) return value;
  const Type type = type_of(value);
  if (type == Type::handle || type == Type::void_) return value;
  const bool is_made_here =
      function_.block_of[value] != kNone && value < function_.sources.size() && function_.sources[value].instruction == source_.instruction;
  return is_made_here ? value : inst(Op::select, type, {b1(true), value, value});
}

void Builder::edge(BlockId target) {
  if (block_ == kNone) return;
  auto& origins = predecessors_[target];
  if (origins.empty() || origins.back() != block_) origins.push_back(block_);  // edges of one terminator come one after the other
}

void Builder::jump(BlockId target) {
  inst(Op::jump, Type::void_, {target});
  edge(target);
}

void Builder::branch(Id condition, BlockId if_true, BlockId if_false) {
  inst(Op::branch, Type::void_, {condition, if_true, if_false});
  edge(if_true);
  edge(if_false);
}

void Builder::switch_on(Id value, BlockId otherwise, std::span<const std::uint32_t> cases) {
  std::vector<std::uint32_t> operands{value, otherwise};
  operands.insert(operands.end(), cases.begin(), cases.end());
  inst(Op::switch_, type_of(value), operands);
  edge(otherwise);
  for (std::size_t at = 1; at < cases.size(); at += 2) edge(cases[at]);
}

void Builder::return_values(std::span<const Id> values) { inst(Op::return_, Type::void_, values); }
void Builder::unreachable() { inst(Op::unreachable, Type::void_, {}); }

}  // namespace unshade::ir
