// What numeric_results.inl gives, for each instruction set that it is compiled for.
#pragma once

#include <cstddef>
#include <cstdint>

#include <unshade/ir/types.hpp>

namespace unshade::ir::numeric {

inline constexpr int kInputs = 512;

/// Operands of the rules: those of 8, 16 and 24 bits are the highest of words32.
struct Inputs {
  std::uint32_t words32[4][kInputs];
  std::uint64_t words64[4][kInputs];
};

/// Takes `lanes` values of an operation of a type; `part` says which of its results or variants.
struct Results {
  void* self;
  void (*take)(void* self, const char* operation, Type type, std::uint32_t part, const void* values, std::size_t bytes, int lanes,
               bool is_float);
};

using RunAll = void (*)(const Inputs& inputs, const Results& results);
void run_one_lane(const Inputs& inputs, const Results& results);
void run_baseline(const Inputs& inputs, const Results& results);
void run_flushing(const Inputs& inputs, const Results& results);
void run_avx2(const Inputs& inputs, const Results& results);
void run_avx512(const Inputs& inputs, const Results& results);

}  // namespace unshade::ir::numeric
