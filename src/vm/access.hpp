// The state of a running wave, and the operations that are not kernels over lanes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/texel/memory.hpp>
#include <unshade/vm/machine.hpp>
#include <unshade/vm/resources.hpp>

#include "vm/messages/log.hpp"
#include "vm/program.hpp"
#include "vm/traffic.hpp"

namespace unshade::vm {

class Journal;
class SlicePages;
namespace sampling {
class Plans;
}  // namespace sampling

/// Memory that begins with a cache line, so that no chunk of lanes is in two.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  LineAllocator() = default;
  template <class Other>
  constexpr LineAllocator(LineAllocator<Other>) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kLine)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, kLine); }
  friend bool operator==(LineAllocator, LineAllocator) { return true; }
};

/// Where the texels are that lanes mean who all mean one level of one texture.
struct TexelPlaces {
  const texel::Descriptor* texture = nullptr;
  std::uint32_t level = 0;
  bool by_rows = false;  ///< false: there are no places, each lane is done alone
  Places places{};
};

struct Wave {
  std::vector<std::byte, LineAllocator<std::byte>> slots;
  std::vector<std::byte> private_memory;  ///< by words of 4 bytes, each of all lanes
  std::vector<LaneMask> pending;          ///< of each block
  std::vector<std::uint64_t> waiting;     ///< bit b: lanes wait at block b
  LaneMask lanes;                         ///< that began
  LaneMask helper;
  LaneMask ended;
  std::uint32_t index = 0;       ///< in its group, or of all lanes
  std::uint32_t first_lane = 0;  ///< of the group, or of all lanes
  std::uint32_t lane_count = 0;  ///< of `lanes`
  std::uint32_t barrier = 0;     ///< the block that ends with the one at which lanes wait
  bool finished = false;
  bool settled = false;  ///< no lanes wait at any block
  // of the watched build alone
  std::vector<LaneMask> undefined;  ///< of each slot
  std::uint32_t last_instruction = ir::kNone, last_code = 0;
};

/// What waves share while they run.
struct Run {
  const Program::Data& program;
  Resources& resources;
  const Limits limits;
  const Observer observer;
  std::vector<texel::Descriptor*> table;  ///< by handle: 0 is nothing
  std::vector<std::uint32_t> row_base;
  std::uint32_t heap_base = 0, sampler_heap_base = 0, addresses_base = 0;
  std::vector<std::byte> group_memory, payload;
  std::array<std::uint32_t, 3> group{}, groups{1, 1, 1};
  std::vector<std::uint32_t> threads;  ///< x of the lanes of a group and a row more, then y, then z; empty: not of a grid
  Lanes* alone = nullptr;
  std::vector<Lanes::Vertex>* emitted = nullptr;  ///< of Lanes, or of a slice
  Journal* journal = nullptr;                     ///< of a slice: changes of resources that wait; null: none waits
  SlicePages* pages = nullptr;                    ///< of a slice: memory that slices both read and write; null: there is none
  Groups* to = nullptr;                           ///< gets what groups make; null: it is dropped
  Groups::Group* made = nullptr;                  ///< by the group that runs
  std::uint64_t made_bytes = 0;                   ///< by those before
  Report report;
  messages::Log log;
  std::uint64_t operations = 0;            ///< executed
  std::uint64_t starts = 0;                ///< what it cost to begin waves and groups, in operations: the budget pays for both
  std::shared_ptr<sampling::Plans> plans;  ///< of textures that are sampled; null: none yet
  std::vector<TexelPlaces> texel_places;   ///< of each access, what was there last; empty: none yet
  texel::Descriptor nothing{};             ///< of invalid handles; whoever gets it may change it
  LaneMask missed;                         ///< lanes whose last accesses were out of bounds; cleared by the watched build
  std::unique_ptr<Traffic> traffic;        ///< of the last accesses, likewise; null: no profile is made

  Run(const Program::Data& data, Resources& bound, const Limits& bounds, const Observer& watched);
  /// Makes the table of the descriptors that are there now.
  void bind();
  void fault(std::string message) {
    if (report.stop != Stop::fault) report.fault = std::move(message);
    report.stop = Stop::fault;
  }
  bool is_over_budget() const { return operations > limits.operations || starts > limits.operations - operations; }
};

/// What a lane prints.
Printed printed_by(const Run& run, Wave& wave, const Access& access, unsigned lane);

/// Null for an operation that is a kernel over lanes.
AccessFunction access_function(ir::Op op);
/// The component of an input or output that may be a Transfer; kNone of any other instruction.
std::uint32_t transfer_component(const ir::Module& module, const ir::Inst& inst);
/// Inputs for all lanes of a wave; outputs of those that run.
void transfer_inputs(Run& run, Wave& wave, std::span<const Transfer> row, const LaneMask& exec);
void transfer_outputs(Run& run, Wave& wave, std::span<const Transfer> row, const LaneMask& exec);
AccessFunction variable_function(ir::Op op);
AccessFunction resource_function(ir::Op op);
AccessFunction buffer_function(ir::Op op);
AccessFunction texel_function(ir::Op op);
AccessFunction lane_function(ir::Op op);
AccessFunction sample_function(ir::Op op);

/// Access::texture of an access to a texture, from its operands.
TextureSlots texture_slots(const Access& access);

/// What a load that touches memory gives as its status.
inline constexpr std::uint32_t kMapped = 0xffff'ffff;
/// What a handle in a lane means; of an invalid one, a descriptor of nothing.
texel::Descriptor& descriptor(Run& run, Wave& wave, const Access& access, unsigned lane, std::size_t operand = 0);
/// The bits in a lane of a member of a texel. One of 64 bits is the first two components; the others are 0, 0, 1.
std::uint64_t typed_value(ir::Type type, const std::array<std::uint32_t, 4>& texel, unsigned member);

/// Bits of a value in a lane: f16 and f24 as f32, b1 as all ones, i8 and i16 sign-extended.
std::uint64_t lane_bits(ir::Type type, std::uint64_t value_bits);
/// The bits of a value from those of a lane.
std::uint64_t value_bits(ir::Type type, std::uint64_t lane);
/// Bytes of a value in memory.
constexpr unsigned memory_bytes(ir::Type type) {
  switch (type) {
    case ir::Type::i8:
    case ir::Type::b1: return 1;
    case ir::Type::i16:
    case ir::Type::f16: return 2;
    case ir::Type::i64:
    case ir::Type::f64: return 8;
    default: return 4;
  }
}
/// The value in memory after an atomic operation, of which `old` was there.
std::uint64_t atomic_result(ir::AtomicOp op, ir::Type type, std::uint64_t old, std::uint64_t value, std::uint64_t compare);

// A lane's place in a slot.
inline std::byte* lane_at(const Program::Data& program, Wave& wave, unsigned slot, unsigned lane, bool wide) {
  return wave.slots.data() + slot * program.slot_bytes + lane * (wide ? std::size_t{8} : std::size_t{4});
}
inline SlotRows rows_of(const Program::Data& program, Wave& wave) { return {wave.slots.data(), program.slot_bytes}; }
inline std::uint32_t get32(const Run& run, Wave& wave, unsigned slot, unsigned lane) {
  std::uint32_t value;
  std::memcpy(&value, lane_at(run.program, wave, slot, lane, false), 4);
  return value;
}
inline std::uint64_t get_bits(const Run& run, Wave& wave, unsigned slot, unsigned lane, bool wide) {
  if (!wide) return get32(run, wave, slot, lane);
  std::uint64_t value;
  std::memcpy(&value, lane_at(run.program, wave, slot, lane, true), 8);
  return value;
}
inline void set_bits(const Run& run, Wave& wave, unsigned slot, unsigned lane, bool wide, std::uint64_t value) {
  std::memcpy(lane_at(run.program, wave, slot, lane, wide), &value, wide ? 8 : 4);
}
inline bool is_wide(ir::Type type) { return ir::lane_bytes(type) == 8; }
/// Whether a lane holds the four bytes that memory has.
inline bool is_plain(ir::Type type) { return type == ir::Type::i32 || type == ir::Type::f32 || type == ir::Type::f24; }
/// The slot of a result of an access, all of one type.
inline unsigned result_slot(const Access& access, unsigned member) {
  return access.first_result + member * (is_wide(access.type) ? 2U : 1U);
}
inline void put(const Run& run, Wave& wave, const Access& access, unsigned lane, unsigned member, std::uint64_t value) {
  set_bits(run, wave, result_slot(access, member), lane, is_wide(access.type), value);
}

/// Puts a word into the lanes of a row that run.
inline void fill_row(const Run& run, Wave& wave, unsigned slot, std::uint32_t word, const LaneMask& exec) {
  std::array<std::uint32_t, kMostLanes> words;
  std::fill_n(words.begin(), run.program.width, word);
  run.program.rows->copy_row(lane_at(run.program, wave, slot, 0, false), reinterpret_cast<const std::byte*>(words.data()), exec.bits(),
                             run.program.width);
}

}  // namespace unshade::vm
