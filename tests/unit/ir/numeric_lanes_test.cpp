// The numeric rules give the same bits for one lane and for sixteen, on each instruction set that the interpreter has.
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/types.hpp>

#include "unit/ir/flushing.hpp"
#include "unit/ir/numeric_results.hpp"

namespace unshade::ir::numeric {
namespace {

using Key = std::tuple<std::string, Type, std::uint32_t>;
using Record = std::map<Key, std::vector<std::uint64_t>>;

// Payloads of NaN are free.
std::uint64_t lane_word(const std::byte* from, std::size_t bytes, bool is_float) {
  if (bytes == 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, from, sizeof word);
    return is_float && (word & 0x7fff'ffff) > 0x7f80'0000 ? 0x7fc0'0000 : word;
  }
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return is_float && (word & ~(std::uint64_t{1} << 63)) > 0x7ff0'0000'0000'0000 ? 0x7ff8'0000'0000'0000 : word;
}

void take(void* self, const char* operation, Type type, std::uint32_t part, const void* values, std::size_t bytes, int lanes,
          bool is_float) {
  auto& words = (*static_cast<Record*>(self))[{operation, type, part}];
  for (std::size_t i = 0; i < static_cast<std::size_t>(lanes); ++i)
    words.push_back(lane_word(static_cast<const std::byte*>(values) + i * bytes, bytes, is_float));
}

Record record(RunAll run, const Inputs& inputs) {
  Record result;
  run(inputs, {&result, take});
  return result;
}

// Each special value with each of others, then random bits.
std::unique_ptr<Inputs> make_inputs() {
  auto inputs = std::make_unique<Inputs>();
  std::mt19937_64 random(7);
  const std::uint32_t specials32[] = {0,           0x8000'0000, 1,           0x8000'0001, 0x007f'ffff, 0x0080'0000,
                                      0x3f80'0000, 0xbf80'0000, 0x3f00'0000, 0xbf00'0000, 0x4b00'0000, 0x4f00'0000,
                                      0xcf00'0000, 0x7f7f'ffff, 0x7f80'0000, 0xff80'0000, 0x7fc0'0000, 0xffff'ffff,
                                      0x4120'0000, 0x3fc0'0000, 0xc020'0000, 0x5000'0000, 0x49c9'0fdb, 7};
  const std::uint64_t specials64[] = {0,
                                      0x8000'0000'0000'0000,
                                      1,
                                      0x000f'ffff'ffff'ffff,
                                      0x0010'0000'0000'0000,
                                      0x3ff0'0000'0000'0000,
                                      0xbff0'0000'0000'0000,
                                      0x3fe0'0000'0000'0000,
                                      0x7fef'ffff'ffff'ffff,
                                      0x7ff0'0000'0000'0000,
                                      0xfff0'0000'0000'0000,
                                      0x7ff8'0000'0000'0000,
                                      0xffff'ffff'ffff'ffff,
                                      0x41e0'0000'0000'0000,
                                      0x43e0'0000'0000'0000,
                                      0xc3e0'0000'0000'0000,
                                      0x43f0'0000'0000'0000,
                                      0x4024'0000'0000'0000,
                                      0x4197'd784'0000'0000,
                                      7};
  for (std::size_t operand = 0; operand < 4; ++operand) {
    for (std::size_t i = 0; i < kInputs; ++i) {
      const auto pick = operand == 0 ? i : i * 7 / 5 + operand * 11;
      const auto bits = random();
      auto& word32 = inputs->words32[operand][i];
      auto& word64 = inputs->words64[operand][i];
      word32 = i < 200 ? specials32[pick % std::size(specials32)] : static_cast<std::uint32_t>(bits);
      word64 = i < 200 ? specials64[pick % std::size(specials64)] : bits;
      if (i >= 200 && i < 250 && operand < 2) {  // products and quotients about 2^-126
        const std::uint32_t mantissa =
            i % 3 == 0 ? 0x7f'ffff - static_cast<std::uint32_t>(bits & 3) : static_cast<std::uint32_t>(bits & 0x7f'ffff);
        word32 = (operand == 0 ? static_cast<std::uint32_t>(0x0080'0000 * (62 + i % 3))
                  : i % 2 == 0 ? 0x0080'0000 * 1
                               : 0x3f80'0000) |
                 mantissa;
        if (operand == 0 && i % 2 == 1) word32 = 0x0080'0000 | mantissa;
      }
      if (i >= 350) {  // numbers of moderate size
        const double value = (static_cast<double>(bits >> 11) * 0x1p-52 - 1) * std::exp2(static_cast<double>(i % 12));
        word32 = std::bit_cast<std::uint32_t>(static_cast<float>(value));
        word64 = std::bit_cast<std::uint64_t>(value);
      }
    }
  }
  return inputs;
}

void expect_same(const Record& expected, const Record& actual) {
  ASSERT_EQ(expected.size(), actual.size());
  for (const auto& [key, words] : expected) {
    const auto found = actual.find(key);
    ASSERT_NE(found, actual.end());
    ASSERT_EQ(words.size(), found->second.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == found->second[i]) continue;
      ADD_FAILURE() << std::get<0>(key) << " " << text(std::get<Type>(key)) << " of input " << i << ": " << std::hex << found->second[i]
                    << ", expected " << words[i];
      break;
    }
  }
}

struct Machine {
  const char* name;
  RunAll run;
};
std::vector<Machine> machines() {
  std::vector<Machine> result{{"baseline", run_baseline}};
#if defined(UNSHADE_TEST_ISAS)
  if (__builtin_cpu_supports("avx2")) result.push_back({"avx2", run_avx2});
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    result.push_back({"avx512", run_avx512});
#endif
  return result;
}

TEST(IrNumericLanes, GiveTheSameBits) {
  const auto inputs = make_inputs();
  const Record expected = record(run_one_lane, *inputs);
  EXPECT_GT(expected.size(), 300U);
  for (const Machine& machine : machines()) {
    SCOPED_TRACE(machine.name);
    expect_same(expected, record(machine.run, *inputs));
  }
}

#if defined(UNSHADE_TEST_FLUSHING)
Record flushing_record(RunAll run, const Inputs& inputs) {
  const Flushing flushing;
  return record(run, inputs);
}

// FS 3.1.3: arithmetic flushes denormals of f32, of operands and of results.
TEST(IrNumericLanes, GiveTheSameBitsWhereDenormalsAreFlushed) {
  const auto inputs = make_inputs();
  const Record expected = flushing_record(run_one_lane, *inputs);
  for (const Machine& machine : machines()) {
    SCOPED_TRACE(machine.name);
    expect_same(expected, flushing_record(machine.run, *inputs));
  }
  {
    SCOPED_TRACE("rules that flush by themselves");
    // Those of f64 run with the processor's mode off.
    const auto of_f32 = [](Record all) {
      std::erase_if(all,
                    [](const auto& entry) { return std::get<Type>(entry.first) == Type::f64 && std::get<0>(entry.first) != "f_to_f"; });
      return all;
    };
    expect_same(of_f32(expected), of_f32(record(run_flushing, *inputs)));
  }
  for (const auto& [key, words] : expected) {
    const auto& [operation, type, part] = key;
    if (type != Type::f32 || operation == "bitcast" || operation == "select" || operation == "fneg" || operation == "fabs" ||
        operation == "memory_bits" || operation == "fclass" || (operation == "ffrexp" && part == 1))
      continue;
    for (const std::uint64_t word : words) {
      const auto size = word & 0x7fff'ffff;
      EXPECT_FALSE(size > 0 && size < 0x0080'0000) << operation << ": " << std::hex << word;
    }
  }
}
#endif

}  // namespace
}  // namespace unshade::ir::numeric
