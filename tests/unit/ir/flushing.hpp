// Denormals flushed by the processor, as the interpreter has it for programs that flush those of f32.
#pragma once

#if defined(__SSE2__)
#define UNSHADE_TEST_FLUSHING

namespace unshade::ir::numeric {

/// Sets FTZ and DAZ as long as it lives.
class Flushing {
 public:
  Flushing() : before_(__builtin_ia32_stmxcsr()) { __builtin_ia32_ldmxcsr(before_ | 0x8040); }
  ~Flushing() { __builtin_ia32_ldmxcsr(before_); }
  Flushing(const Flushing&) = delete;
  Flushing& operator=(const Flushing&) = delete;

 private:
  unsigned before_;
};

}  // namespace unshade::ir::numeric
#endif
