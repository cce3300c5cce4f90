// The code of the interpreter: what prepare() makes and run() reads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/mutex.hpp>
#include <unshade/core/result.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/ir/texture_operands.hpp>
#include <unshade/vm/machine.hpp>

#include "vm/code.hpp"
#include "vm/row_functions.hpp"

namespace unshade::vm {

inline constexpr unsigned kMostLanes = 128;

/// A set of lanes.
struct LaneMask {
  std::array<std::uint64_t, 2> words{};

  static LaneMask first(unsigned count) {
    LaneMask mask;
    for (unsigned word = 0; word < 2; ++word) {
      const unsigned here = count > 64 * word ? std::min(64U, count - 64 * word) : 0;
      mask.words[word] = here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
    }
    return mask;
  }
  unsigned lowest() const {
    return words[0] != 0 ? static_cast<unsigned>(__builtin_ctzll(words[0])) : 64 + static_cast<unsigned>(__builtin_ctzll(words[1]));
  }
  /// For RowFunctions.
  LaneBits& bits() { return *reinterpret_cast<LaneBits*>(words.data()); }
  const LaneBits& bits() const { return *reinterpret_cast<const LaneBits*>(words.data()); }
  bool any() const { return (words[0] | words[1]) != 0; }
  bool has(unsigned lane) const { return (words[lane / 64] >> (lane % 64) & 1) != 0; }
  /// Those before the lanes, and those behind them.
  LaneMask before() const { return {{words[0] >> 1 | words[1] << 63, words[1] >> 1}}; }
  LaneMask behind() const { return {{words[0] << 1, words[1] << 1 | words[0] >> 63}}; }
  void add(unsigned lane) { words[lane / 64] |= std::uint64_t{1} << (lane % 64); }
  void remove(unsigned lane) { words[lane / 64] &= ~(std::uint64_t{1} << (lane % 64)); }
  unsigned count() const { return static_cast<unsigned>(__builtin_popcountll(words[0]) + __builtin_popcountll(words[1])); }
  /// Whether there are two lanes or more; faster than to count them.
  bool is_several() const { return (words[0] != 0 && words[1] != 0) || ((words[0] & (words[0] - 1)) | (words[1] & (words[1] - 1))) != 0; }
  friend LaneMask operator&(const LaneMask& a, const LaneMask& b) { return {{a.words[0] & b.words[0], a.words[1] & b.words[1]}}; }
  friend LaneMask operator|(const LaneMask& a, const LaneMask& b) { return {{a.words[0] | b.words[0], a.words[1] | b.words[1]}}; }
  friend LaneMask operator~(const LaneMask& a) { return {{~a.words[0], ~a.words[1]}}; }
  friend bool operator==(const LaneMask& a, const LaneMask& b) { return a.words[0] == b.words[0] && a.words[1] == b.words[1]; }
};

/// Calls `visit` with each lane of a mask, ascending.
template <class Visit>
void for_each_lane(const LaneMask& mask, Visit&& visit) {
  for (unsigned word = 0; word < 2; ++word) {
    for (std::uint64_t rest = mask.words[word]; rest != 0; rest &= rest - 1)
      visit(64 * word + static_cast<unsigned>(__builtin_ctzll(rest)));
  }
}

struct Access;
struct Run;
struct Wave;
/// Does an access for the lanes that run.
using AccessFunction = void (*)(Run& run, Wave& wave, const Access& access, const LaneMask& exec);

/// The slots of the operands of an access to a texture, by what they are.
using TextureSlots = ir::TextureOperands<std::uint16_t>;

/// The operands of an operation that is not a kernel over lanes: memory, resources, inputs, lanes of others.
struct Access {
  ir::Id inst = ir::kNone;
  ir::Op op{};
  ir::Type type{};
  std::uint8_t results = 0;
  ir::Flags flags{};
  std::uint32_t extra = 0;
  std::uint16_t first_result = 0;       ///< slot
  std::vector<std::uint16_t> operands;  ///< slots
  TextureSlots texture{};               ///< the same, of an access to a texture
  std::uint32_t dies = 0;               ///< bit k: nothing reads operand k afterwards; of the first 32
  bool uniform = false;                 ///< the first operand, if there is one, is the same in all lanes that run together
  bool once = false;                    ///< so is the result: one lane does it for all
  AccessFunction function = nullptr;
};

/// An edge between blocks: copies into its phis, one after the other, then the block.
struct Edge {
  std::uint32_t block = 0;
  std::uint32_t first_copy = 0, copy_count = 0;
};

struct BlockCode {
  enum class End : std::uint8_t { jump, branch, switch_, stop, unreachable };
  std::uint32_t operations = 0;                  ///< of the IR, those of the preamble too: what it takes of a run's budget
  std::uint32_t first = 0, count = 0;            ///< in Data::code
  std::uint32_t first_step = 0, step_count = 0;  ///< in Data::steps
  End end = End::stop;
  bool wide = false;             ///< of a switch: its value is i64
  std::uint16_t condition = 0;   ///< slot
  std::uint32_t first_edge = 0;  ///< in Data::edges: of a branch the one for true, then for false; of a switch the default, then cases
  std::uint32_t edge_count = 0;
  std::uint32_t first_case = 0;  ///< in Data::cases: the values, one for each edge after the default
  bool waits = false;            ///< ends with a barrier that synchronizes the group
};

/// An input or output of 32 bits whose component is known.
struct Transfer {
  std::uint32_t component = 0;  ///< among all of its signature
  std::uint16_t slot = 0;
  std::uint32_t access = 0;  ///< the same in Data::accesses
};

/// Instructions of one kernel in a row, inputs or outputs in a row, or an access.
struct Step {
  enum class Kind : std::uint8_t { kernel, inputs, outputs, access };
  Kernel kernel = nullptr;  ///< of that kind
  Kind kind = Kind::kernel;
  std::uint32_t first = 0;  ///< in Data::code, Data::transfers or Data::accesses
  std::uint32_t count = 0;
};

/// What does not depend on the order of operations.
struct ProgramBase {
  ir::Module module;
  const ir::Function* function = nullptr;  ///< of `module`
  unsigned wave = 32;                      ///< lanes that run together
  unsigned width = 32;                     ///< lanes that slots have room for
  unsigned chunks = 2;
  std::size_t slot_bytes = 0;
  const Kernel* kernels = nullptr;
  const RowFunctions* rows = nullptr;
  Isa isa{};                                         ///< of the kernels and of these
  std::uint32_t inputs = 0, outputs = 0, patch = 0;  ///< components of the signatures
  std::uint32_t private_bytes = 0, group_bytes = 0, payload_bytes = 0;
  std::vector<std::byte> constant_bytes;
  std::vector<std::byte> private_initial;
  bool flushes = false;  ///< denormals of f32
};

struct Program::Data : ProgramBase {
  explicit Data(ProgramBase base) : ProgramBase(std::move(base)) {}

  // in the order of execution: what the preamble executes, then each block
  std::vector<Code> code;          ///< of an access its number as `extra`
  std::vector<ir::Id> origin;      ///< of each of `code`: the instruction of the IR that makes its result
  std::vector<std::uint8_t> dies;  ///< of each of `code` that is no access. Bit k: nothing reads operand k afterwards
  std::vector<Step> steps;
  std::uint32_t preamble_steps = 0;
  std::vector<Transfer> transfers;
  std::vector<Access> accesses;
  std::vector<Edge> edges;
  std::vector<Copy> copies;
  std::vector<std::uint64_t> cases;
  std::vector<BlockCode> blocks;  ///< in their order
  std::uint32_t slots = 0;
  struct Constant {
    std::uint16_t slot;
    bool wide;
    bool undefined;
    std::uint64_t bits;
  };
  std::vector<Constant> constants;
  bool waits = false;  ///< a block has a barrier: the waves of a group, or of lanes alone, take turns

  mutable Mutex watching;                                        ///< guards `watched`
  mutable std::optional<Result<std::unique_ptr<Data>>> watched;  ///< see watched_data()
};

/// The program that runs execute which somebody watches: each operation of the IR by itself, in the order of the IR, without a preamble.
/// It is made when it is first asked for. Errors: limit.
Result<const Program::Data*> watched_data(const Program::Data& data);

/// The number of a kernel, or kNoKernel. `from`: the type of the operand of a conversion, else that of the operation.
inline constexpr std::uint16_t kNoKernel = 0xffff;
/// The number of an operation that is an Access: Code::extra is its index.
inline constexpr std::uint16_t kAccess = 0xfffe;
/// `other_rounding`: f_to_f toward zero, operations in f24 to nearest.
std::uint16_t kernel_number(ir::Op op, ir::Type type, ir::Type from, bool other_rounding = false);
/// The kernels of an instruction set by kernel_number(), for programs that flush denormals of f32 or not; null if the build or the machine
/// has none.
const Kernel* kernels_of(Isa isa, bool flushes = false);
/// Those of waves of kNarrow lanes: the least instruction set has registers of as many.
const Kernel* narrow_kernels(bool flushes = false);

}  // namespace unshade::vm
