// Whether results depend on the order in which lanes reach memory: atomic operations whose values are used, counters of appended elements,
// and accesses to one place that all lanes share.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/texture_operands.hpp>

#include "ir/flow.hpp"

namespace unshade::ir {
namespace {

bool asks_for_wave(Builtin builtin) {
  return builtin == Builtin::wave_size || builtin == Builtin::lane || builtin == Builtin::wave_index || builtin == Builtin::wave_count;
}

// Whether memory has the same value after two of them, whichever was first.
bool commutes(AtomicOp op) {
  switch (op) {
    case AtomicOp::exchange:
    case AtomicOp::compare_exchange:
    case AtomicOp::fadd:
    case AtomicOp::inc_wrap:
    case AtomicOp::dec_wrap: return false;
    default: return true;
  }
}

/// SharedMemory that accesses have in common: a variable, the resources of a row of the module, or the hidden counters of these.
struct SharedMemory {
  enum class Kind : std::uint8_t { variable, resources, counters, outputs, any };
  Kind kind = Kind::any;
  std::uint32_t number = 0;
  auto operator<=>(const SharedMemory&) const = default;
};

/// What a function does with one of them.
struct SharedUses {
  unsigned atomics = 0, loads = 0;
  bool in_loop = false;     ///< an atomic operation, or a load
  bool has_order = false;   ///< an atomic operation gives a value that is used, or does not commute
  std::uint32_t kinds = 0;  ///< bit n: AtomicOp n
};

/// An address that all lanes share: operands as they are, constants by their bits.
struct SharedPlace {
  SharedMemory memory;
  std::vector<std::tuple<bool, std::uint64_t>> operands;
  auto operator<=>(const SharedPlace&) const = default;
};
struct SharedPlaceUses {
  std::vector<BlockId> stores;  ///< blocks, each once
  bool loaded = false, in_loop = false;
};

class LaneOrderFinder {
 public:
  LaneOrderFinder(const Module& module, const Function& function)
      : module_(module), f_(function), flow_(function), used_(used_values(function)), divergence_(find_divergence(module, function)) {}

  Together run() {
    for (const BlockId block : f_.order) {
      if (divergence_.divergent_exit[block]) diverges_ = true;
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) visit(block, id);
    }
    if (waves_ || !depends()) return Together::wave;
    return quads_ ? Together::quad : Together::lane;
  }

 private:
  void visit(BlockId block, Id id) {
    const Inst& inst = f_.insts[id];
    const Effects effects = info(inst.op).effects;
    if (inst.op == Op::barrier) {
      barriers_ = barriers_ || (inst.extra & kSyncGroup) != 0;
      return;
    }
    waves_ = waves_ || has(effects, Effects::wave) || (inst.op == Op::builtin && asks_for_wave(BuiltinExtra(inst.extra).builtin));
    quads_ = quads_ || has(effects, Effects::quad);
    switch (inst.op) {
      case Op::atomic:
        return atomic(block, id, {SharedMemory::Kind::variable, AtomicExtra(inst.extra).variable}, AtomicExtra(inst.extra).op);
      case Op::buffer_atomic: return atomic(block, id, resources_of(id, SharedMemory::Kind::resources), BufferExtra(inst.extra).op);
      case Op::texel_atomic: return atomic(block, id, resources_of(id, SharedMemory::Kind::resources), TextureExtra(inst.extra).op);
      case Op::counter: return atomic(block, id, resources_of(id, SharedMemory::Kind::counters), AtomicOp::add);
      case Op::load:
        if (is_shared(module_.variables[inst.extra].space)) load(block, id, {SharedMemory::Kind::variable, inst.extra}, 0, 1);
        return;
      case Op::store:
        if (is_shared(module_.variables[inst.extra].space)) store(block, id, {SharedMemory::Kind::variable, inst.extra}, 0, 1);
        return;
      case Op::buffer_load: return load(block, id, resources_of(id, SharedMemory::Kind::resources), 1, f_.operands_of(id).size());
      case Op::texel_load: return load(block, id, resources_of(id, SharedMemory::Kind::resources), 1, coordinates(inst));
      case Op::buffer_store:
        return store(block, id, resources_of(id, SharedMemory::Kind::resources), 1, BufferExtra(inst.extra).has_offset ? 3 : 2);
      case Op::texel_store: return store(block, id, resources_of(id, SharedMemory::Kind::resources), 1, coordinates(inst));
      case Op::output:
        if (module_.stage == Stage::mesh) store(block, id, {SharedMemory::Kind::outputs, inst.extra}, 0, f_.operands_of(id).size() - 1);
        return;
      default: return;
    }
  }

  static bool is_shared(Space space) { return space == Space::group || space == Space::payload; }

  static std::size_t coordinates(const Inst& inst) { return texture_handles(inst.op) + TextureExtra(inst.extra).coordinate_count(); }

  SharedMemory resources_of(Id id, SharedMemory::Kind kind) const {
    const Inst& handle = f_.insts[f_.operands_of(id)[0]];
    return handle.op == Op::handle ? SharedMemory{kind, handle.extra} : SharedMemory{};
  }

  bool is_in_loop(BlockId block) const { return f_.irreducible || flow_.range[block] != kNone; }

  void atomic(BlockId block, Id id, const SharedMemory& memory, AtomicOp op) {
    SharedUses& uses = uses_[memory];
    ++uses.atomics;
    uses.in_loop = uses.in_loop || is_in_loop(block);
    uses.has_order = uses.has_order || used_[id] || !commutes(op);
    uses.kinds |= std::uint32_t{1} << static_cast<unsigned>(op);
  }

  void load(BlockId block, Id id, const SharedMemory& memory, std::size_t first, std::size_t end) {
    SharedUses& uses = uses_[memory];
    ++uses.loads;
    if (const auto place = shared_place(id, memory, first, end)) {
      places_[*place].loaded = true;
      places_[*place].in_loop = places_[*place].in_loop || is_in_loop(block);
    }
  }

  void store(BlockId block, Id id, const SharedMemory& memory, std::size_t first, std::size_t end) {
    const auto place = shared_place(id, memory, first, end);
    if (!place) return;
    SharedPlaceUses& uses = places_[*place];
    if (std::ranges::find(uses.stores, block) == uses.stores.end()) uses.stores.push_back(block);
    uses.in_loop = uses.in_loop || is_in_loop(block);
  }

  // Nothing if lanes may have different addresses.
  std::optional<SharedPlace> shared_place(Id id, const SharedMemory& memory, std::size_t first, std::size_t end) const {
    SharedPlace place{memory, {}};
    const auto operands = f_.operands_of(id);
    if (memory.kind == SharedMemory::Kind::any || (first != 0 && divergence_.divergent[operands[0]])) return std::nullopt;
    const std::size_t index = first;  // of the first that is part of the address; a handle before it counts by its index
    if (index != 0) place.operands.push_back(operand(f_.operands_of(operands[0])[0]));
    for (std::size_t at = index; at < end && at < operands.size(); ++at) {
      if (divergence_.divergent[operands[at]]) return std::nullopt;
      place.operands.push_back(operand(operands[at]));
    }
    return place;
  }
  std::tuple<bool, std::uint64_t> operand(Id id) const {
    if (f_.insts[id].op == Op::constant) return {true, constant_bits(f_, id)};
    return {false, id};
  }

  bool depends() const {
    // what handles of a heap mean is known only when it runs
    bool any_order = false;
    unsigned all = 0;
    for (const auto& [memory, uses] : uses_) {
      if (uses.atomics == 0) continue;
      const bool mixed = (uses.kinds & (uses.kinds - 1)) != 0;
      const bool is_read = uses.loads != 0 && !barriers_;
      const bool has_order = uses.has_order || mixed || is_read;
      any_order = any_order || has_order;
      all += uses.atomics;
      // one operation that each lane does once is done in the order of lanes as it is
      if (has_order && (uses.atomics > 1 || uses.in_loop || is_read)) return true;
    }
    if (uses_.contains(SharedMemory{}) && any_order && all > 1) return true;
    if (barriers_) return false;  // that is how lanes take turns
    return std::ranges::any_of(places_, [&](const auto& entry) {
      const SharedPlaceUses& uses = entry.second;
      return !uses.stores.empty() && (uses.loaded || uses.stores.size() > 1 || (uses.in_loop && diverges_));
    });
  }

  const Module& module_;
  const Function& f_;
  const Flow flow_;
  const std::vector<bool> used_;
  const Divergence divergence_;
  std::map<SharedMemory, SharedUses> uses_;
  std::map<SharedPlace, SharedPlaceUses> places_;
  bool waves_ = false, quads_ = false, barriers_ = false, diverges_ = false;
};

}  // namespace

Together find_together(const Module& module, const Function& function) { return LaneOrderFinder(module, function).run(); }

}  // namespace unshade::ir
