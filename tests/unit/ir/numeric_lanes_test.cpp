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

#include "ir/passes/evaluate.hpp"
#include "unit/ir/flushing.hpp"
#include "unit/ir/numeric_results.hpp"

namespace unshade::ir::numeric {
namespace {

using Key = std::tuple<std::string, Type, std::uint32_t>;
struct Lanes {
  bool is_float = false;
  std::size_t bytes = 0;  // of a lane
  std::vector<std::uint64_t> words;
};
using Record = std::map<Key, Lanes>;

bool is_nan(std::uint64_t word, std::size_t bytes) {
  return bytes == 4 ? (word & 0x7fff'ffff) > 0x7f80'0000 : (word & 0x7fff'ffff'ffff'ffff) > 0x7ff0'0000'0000'0000;
}

void take(void* self, const char* operation, Type type, std::uint32_t part, const void* values, std::size_t bytes, int lanes,
          bool is_float) {
  Lanes& made = (*static_cast<Record*>(self))[{operation, type, part}];
  made.is_float = is_float;
  made.bytes = bytes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(lanes); ++i) {
    std::uint64_t& word = made.words.emplace_back(0);
    std::memcpy(&word, static_cast<const std::byte*>(values) + i * bytes, bytes);
  }
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
  for (const auto& [key, lanes] : expected) {
    const auto found = actual.find(key);
    ASSERT_NE(found, actual.end());
    const auto &words = lanes.words, &others = found->second.words;
    ASSERT_EQ(words.size(), others.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == others[i]) continue;
      ADD_FAILURE() << std::get<0>(key) << " " << text(std::get<Type>(key)) << " of input " << i << ": " << std::hex << others[i]
                    << ", expected " << words[i];
      break;
    }
  }
}

// Each pair of NaNs, infinities, zeros and some numbers: of f32 and f64, and in the highest bits of f16 and f24.
std::unique_ptr<Inputs> make_nan_inputs() {
  constexpr std::uint32_t kWords32[] = {0x7fc0'0000, 0xffc0'0000, 0x7f80'0001, 0xff80'0001, 0x7fff'ffff, 0xffa3'4567,
                                        0x7f80'0000, 0xff80'0000, 0,           0x8000'0000, 0x3f80'0000, 0xbf80'0000,
                                        0x4120'0000, 0x7f7f'ffff, 0x7c01'0000, 0xfe00'0000, 0xfc00'0000, 0x7f00'0100,
                                        0xff12'3400, 0x7f00'0000, 0xbc00'0000, 0x3f00'0000};
  constexpr std::size_t kCount = std::size(kWords32);
  static_assert(kCount * kCount <= kInputs);
  auto inputs = std::make_unique<Inputs>();
  for (std::size_t i = 0; i < kInputs; ++i) {
    const std::size_t picks[] = {i / kCount, i, i * 7 + 3, i * 5 + i / kCount};
    for (std::size_t operand = 0; operand < 4; ++operand) {
      const std::uint32_t word = kWords32[picks[operand] % kCount];
      inputs->words32[operand][i] = word;
      // as f64: the same sign, exponent and payload, from the lowest bit on
      const std::uint64_t exponent = (word >> 23 & 0xff) == 0xff ? 0x7ff : (word >> 23 & 0xff) == 0 ? 0 : (word >> 23 & 0xff) + 1023 - 127;
      const std::uint64_t payload = std::uint64_t{word & 0x40'0000} << 29 | (word & 0x3f'ffff);
      inputs->words64[operand][i] = std::uint64_t{word >> 31} << 63 | exponent << 52 | payload;
    }
  }
  return inputs;
}

// What the operation has for operand `k` of input `i`, in types that lanes and memory hold alike.
std::uint64_t operand_word(const Inputs& inputs, char letter, Type type, std::size_t k, std::size_t i) {
  if (letter == 'b') return inputs.words32[k][i] & 1;
  return letter == 't' && type == Type::f64 ? inputs.words64[k][i] : inputs.words32[k][i];
}

// Whether the bits are those of a NaN among the operands; fneg and fabs change the sign.
bool is_of_operand(const Inputs& inputs, Type type, std::size_t i, std::uint64_t word) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * lane_bytes(type) - 1);
  for (std::size_t k = 0; k < 4; ++k)
    if (((operand_word(inputs, 't', type, k, i) ^ word) & ~sign) == 0) return true;
  return false;
}

void expect_nans_by_table(const Inputs& inputs, const Record& record) {
  for (const auto& [key, lanes] : record) {
    const auto& [operation, type, part] = key;
    const auto op = op_of(operation == "f_to_f toward zero" ? "f_to_f" : operation);
    if (!op || !lanes.is_float) continue;
    const std::uint64_t canonical = lanes.bytes == 4 ? 0x7fc0'0000 : 0x7ff8'0000'0000'0000;
    const Nan nan = info(*op).nan;
    // lanes of these have the operands' type, and their bits
    const bool is_plain = (type == Type::f32 || type == Type::f64) && info(*op).from == 0 && *op != Op::pack64;
    unsigned found = 0;
    for (std::size_t at = 0; at < lanes.words.size(); ++at) {
      const std::uint64_t word = lanes.words[at];
      if (!numeric::is_nan(word, lanes.bytes)) continue;
      ++found;
      const bool fits = nan == Nan::computed ? word == canonical
                        : nan == Nan::moved  ? !is_plain || is_of_operand(inputs, type, at % kInputs, word)
                                             : false;
      ASSERT_TRUE(fits) << operation << ' ' << text(type) << " of input " << at << ": " << std::hex << word;
    }
    EXPECT_EQ(found != 0, nan != Nan::none) << operation << ' ' << text(type);
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

// Which NaN a result is is one of the bits that are the same: the column `nan` of ops.def.
TEST(IrNumericLanes, GiveTheNanOfTheTable) {
  const auto inputs = make_nan_inputs();
  const Record expected = record(run_one_lane, *inputs);
  {
    SCOPED_TRACE("one lane");
    expect_nans_by_table(*inputs, expected);
  }
  for (const Machine& machine : machines()) {
    SCOPED_TRACE(machine.name);
    const Record made = record(machine.run, *inputs);
    expect_same(expected, made);
    expect_nans_by_table(*inputs, made);
  }
  // none is left out: what computes has a rule, but for what lanes do together and what looks at textures
  for (std::size_t number = 0; number < kOps; ++number) {
    const OpInfo& row = kOpInfos[number];
    if (row.nan != Nan::computed || row.effects != Effects::pure) continue;
    for (std::size_t type = 0; type < kTypes; ++type) {
      const auto own = static_cast<Type>(type);
      if (!is_float(own) || !contains(row.types, own)) continue;
      EXPECT_TRUE(expected.contains({std::string(row.text), own, 0})) << row.text << ' ' << text(own);
    }
  }
}

TEST(IrNumericLanes, AreWhatFoldingGives) {
  const auto inputs = make_nan_inputs();
  unsigned compared = 0;
  for (const auto& [key, lanes] : record(run_one_lane, *inputs)) {
    const auto& [operation, type, part] = key;
    const auto op = op_of(operation);
    if (!op || !lanes.is_float || (type != Type::f32 && type != Type::f64) || info(*op).from != 0) continue;
    for (std::size_t i = 0; i < kInputs; ++i) {
      std::vector<std::uint64_t> operands;
      for (std::size_t k = 0; k < info(*op).operands.size(); ++k)
        operands.push_back(operand_word(*inputs, info(*op).operands[k], type, k, i));
      const auto folded = passes::evaluate(*op, type, operands);
      if (!folded) continue;
      ASSERT_EQ(*folded, lanes.words[i]) << operation << ' ' << text(type) << " of input " << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 10000U);
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
  for (const auto& [key, lanes] : expected) {
    const auto& [operation, type, part] = key;
    if (type != Type::f32 || operation == "bitcast" || operation == "select" || operation == "fneg" || operation == "fabs" ||
        operation == "memory_bits" || operation == "fclass" || (operation == "ffrexp" && part == 1))
      continue;
    for (const std::uint64_t word : lanes.words) {
      const auto size = word & 0x7fff'ffff;
      EXPECT_FALSE(size > 0 && size < 0x0080'0000) << operation << ": " << std::hex << word;
    }
  }
}
#endif

}  // namespace
}  // namespace unshade::ir::numeric
