// Instructions of the interpreter, and what executes them. Files of kernels include this and no other header of the interpreter.
#pragma once

#include <cstddef>
#include <cstdint>

#include <unshade/ir/types.hpp>

namespace unshade::vm {

/// Lanes of a kernel's step: slots hold a multiple of them. Waves of kNarrow lanes have kernels of their own, which take one such step.
inline constexpr unsigned kChunk = 16;
inline constexpr unsigned kNarrow = 4;

/// An instruction of the interpreter: 16 bytes. Slots are counted in lanes of 4 bytes; a value of 8 bytes takes two.
struct Code {
  std::uint16_t kernel = 0;
  std::uint16_t d = 0, a = 0, b = 0, c = 0;
  std::uint16_t more = 0;  ///< the fourth operand; of an operation that adds up, a set of kFromLast and kDropped
  std::uint32_t extra = 0;
};
static_assert(sizeof(Code) == 16);

/// Executes `count` instructions of one kernel, one after the other, each over all lanes of a wave.
using Kernel = void (*)(const Code* code, unsigned count, std::byte* slots, unsigned chunks);

/// A value that an edge between blocks copies from slot to slot.
struct Copy {
  std::uint16_t from = 0, to = 0;
  bool wide = false;
};

/// Whether an operation adds to its third operand, which often is the result of the instruction before: that stays in a register.
constexpr bool adds_up(ir::Op op) { return op == ir::Op::fmad || op == ir::Op::fmad_zero || op == ir::Op::ffma; }
inline constexpr std::uint16_t kFromLast = 1;  ///< the third operand is what the instruction before gave
inline constexpr std::uint16_t kDropped = 2;   ///< only the next instruction needs the result

/// While it lives, the processor flushes denormals of f32, or keeps them. Kernels for other processors than x86 do so themselves.
class FlushMode {
 public:
  static constexpr unsigned kBits = 0x8040;  ///< of MXCSR: results that are denormal are zero, and so are operands

#if defined(__SSE2__) && defined(__GNUC__)
  explicit FlushMode(bool flushes) : before_(__builtin_ia32_stmxcsr()) {
    __builtin_ia32_ldmxcsr((before_ & ~kBits) | (flushes ? kBits : 0U));
  }
  ~FlushMode() { __builtin_ia32_ldmxcsr(before_); }

 private:
  unsigned before_;

 public:
#else
  explicit FlushMode(bool) {}
#endif
  FlushMode(const FlushMode&) = delete;
  FlushMode& operator=(const FlushMode&) = delete;
};

}  // namespace unshade::vm
