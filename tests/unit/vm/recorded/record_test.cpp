// Recordings of all kernels: what they are, and that they compute what the kernels do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/ir/recorded/recording.hpp>
#include <unshade/ir/types.hpp>

#include "fuzz/properties.hpp"
#include "fuzz/recorded.hpp"
#include "support/files.hpp"
#include "vm/kernel_list.hpp"
#include "vm/program.hpp"
#include "vm/recorded/record.hpp"

namespace unshade::vm {
namespace {

using ir::Type;
using ir::recorded::Lane;
using ir::recorded::Node;
using ir::recorded::Primitive;
using ir::recorded::Recording;

std::vector<std::size_t> all_kernels() {
  std::vector<std::size_t> found;
  for (std::size_t number = 0; number < kKernelCount; ++number)
    if (narrow_kernels()[number] != nullptr) found.push_back(number);
  return found;
}

std::vector<std::uint32_t> extras_of(std::size_t number) {
  std::set<std::uint32_t> found;
  for (std::uint32_t choice = 0; choice < 96; ++choice) found.insert(extra_of_kernel(number, choice));
  return {found.begin(), found.end()};
}

Type type_of(char letter, const KernelRow& row) {
  switch (letter) {
    case 'b': return Type::b1;
    case 'i': return Type::i32;
    case 'f': return Type::f32;
    case 'u': return row.from;
    default: return row.type;
  }
}
KernelRow row_of(std::size_t number) {
  return number < kKernelRows.size() ? kKernelRows[number] : KernelRow{ir::Op::fmad, Type::f32, Type::f32};
}

// As they stand in memory: zeros, subnormal numbers and the least normal ones, halves of rounding and what is next to them, ends of
// integers, infinities, quiet NaNs and signalling ones.
std::vector<std::uint64_t> special_floats(Type type) {
  switch (type) {
    case Type::f16:
      return {0x0000, 0x0001, 0x0002, 0x01ff, 0x03ff, 0x0400, 0x0401, 0x1400, 0x2e66, 0x37ff, 0x3800,
              0x3801, 0x3bff, 0x3c00, 0x3c01, 0x3e00, 0x4000, 0x4100, 0x4248, 0x57ff, 0x5bff, 0x63ff,
              0x6400, 0x6401, 0x67ff, 0x6bff, 0x77ff, 0x7bff, 0x7c00, 0x7c01, 0x7dff, 0x7e00, 0x7fff};
    case Type::f24:
      return {0x00'0000, 0x00'0001, 0x00'ffff, 0x01'0000, 0x01'0001, 0x20'0000, 0x3d'ffff, 0x3e'0000,
              0x3e'ffff, 0x3f'0000, 0x3f'0001, 0x3f'8000, 0x40'0000, 0x40'9220, 0x4e'ffff, 0x4f'0000,
              0x4f'0001, 0x5e'0000, 0x5f'0000, 0x7e'ffff, 0x7f'0000, 0x7f'0001, 0x7f'8000, 0x7f'ffff};
    case Type::f32:
      return {0x0000'0000, 0x0000'0001, 0x0000'0002, 0x003f'ffff, 0x0040'0000, 0x007f'ffff, 0x0080'0000, 0x0080'0001, 0x00ff'ffff,
              0x0100'0000, 0x1f80'0000, 0x1fff'ffff, 0x2000'0000, 0x3300'0000, 0x3300'0001, 0x3380'0000, 0x3400'0000, 0x387f'e000,
              0x387f'ffff, 0x3880'0000, 0x3880'1000, 0x3dcc'cccd, 0x3eff'ffff, 0x3f00'0000, 0x3f00'0001, 0x3f7f'ffff, 0x3f80'0000,
              0x3f80'0001, 0x3f80'1000, 0x3f80'3000, 0x3fc0'0000, 0x3fc9'0fdb, 0x4020'0000, 0x4049'0fdb, 0x4300'0000, 0x437f'0000,
              0x4380'0000, 0x477f'e000, 0x477f'efff, 0x477f'f000, 0x4780'0000, 0x4700'0000, 0x46ff'fe00, 0x497f'ffff, 0x4980'0000,
              0x4a80'0001, 0x4aff'ffff, 0x4b00'0000, 0x4b7f'ffff, 0x4b80'0000, 0x4eff'ffff, 0x4f00'0000, 0x4f7f'ffff, 0x4f80'0000,
              0x5eff'ffff, 0x5f00'0000, 0x5f7f'ffff, 0x5f80'0000, 0x7149'f2ca, 0x7e96'7699, 0x7f00'0000, 0x7f7f'ffff, 0x7f80'0000,
              0x7f80'0001, 0x7f80'2000, 0x7fbf'ffff, 0x7fc0'0000, 0x7fff'ffff};
    default:
      return {0x0000'0000'0000'0000, 0x0000'0000'0000'0001, 0x000f'ffff'ffff'ffff, 0x0010'0000'0000'0000, 0x0010'0000'0000'0001,
              0x36a0'0000'0000'0000, 0x3690'0000'0000'0000, 0x3690'0000'0000'0001, 0x380f'ffff'c000'0000, 0x380f'ffff'e000'0000,
              0x380f'ffff'f000'0000, 0x3810'0000'0000'0000, 0x3e60'0000'0000'0000, 0x3e50'0000'0000'0000, 0x3f0f'ffff'0000'0000,
              0x3f10'0000'0000'0000, 0x3f50'624d'd2f1'a9fc, 0x3fdf'ffff'ffff'ffff, 0x3fe0'0000'0000'0000, 0x3fef'ffff'ffff'ffff,
              0x3ff0'0000'0000'0000, 0x3ff0'0000'0000'0001, 0x3ff0'0000'1000'0000, 0x3ff0'0000'1000'0001, 0x3ff0'0000'3000'0000,
              0x3ff0'0200'0000'0000, 0x3ff0'0200'0000'0001, 0x3ff8'0000'0000'0000, 0x3ff9'21fb'5444'2d18, 0x4009'21fb'5444'2d18,
              0x405f'c000'0000'0000, 0x40ef'fc00'0000'0000, 0x40ef'fdff'ffff'ffff, 0x40ef'fe00'0000'0000, 0x40f0'0000'0000'0000,
              0x4130'0000'0000'0000, 0x4160'0000'0000'0000, 0x41df'ffff'ffc0'0000, 0x41e0'0000'0000'0000, 0x41ef'ffff'ffe0'0000,
              0x41f0'0000'0000'0000, 0x4330'0000'0000'0000, 0x43df'ffff'ffff'ffff, 0x43e0'0000'0000'0000, 0x43ef'ffff'ffff'ffff,
              0x43f0'0000'0000'0000, 0x47ef'ffff'e000'0000, 0x47ef'ffff'efff'ffff, 0x47ef'ffff'f000'0000, 0x5fe0'0000'0000'0000,
              0x7fef'ffff'ffff'ffff, 0x7ff0'0000'0000'0000, 0x7ff0'0000'0000'0001, 0x7ff0'0000'2000'0000, 0x7ff8'0000'0000'0000,
              0x7fff'ffff'ffff'ffff};
  }
}
std::vector<std::uint64_t> special_words(Type type) {
  std::vector<std::uint64_t> words;
  if (ir::is_float(type)) {
    words = special_floats(type);
    const std::size_t count = words.size();
    for (std::size_t at = 0; at < count; ++at) words.push_back(words[at] | std::uint64_t{1} << (ir::bit_width(type) - 1));
    return words;
  }
  // integers: counts of shifts, and what is next to powers of 2
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (const std::uint64_t word : {power - 1, power, power + 1, 0 - power, ~power}) words.push_back(word);
  }
  for (const std::uint64_t word : {0x5555'5555'5555'5555U, 0xaaaa'aaaa'aaaa'aaaaU, 0x0180'ff7f'00ff'0100U}) words.push_back(word);
  for (std::uint64_t word = 5; word < 34; ++word) words.push_back(word);
  for (const std::uint64_t word : {24U, 31U, 33U, 63U, 64U, 65U}) words.push_back(word);
  return words;
}

/// Operands in rows of 16 lanes, of which each is compared; stops at the first fault.
class Comparison {
 public:
  Comparison(std::size_t number, std::uint32_t extra) : number_(number), extra_(extra), row_(row_of(number)) {
    for (const char letter : ir::info(row_.op).operands) types_.push_back(type_of(letter, row_));
    words_.resize(types_.size() * fuzz::kRecordedLanes);
  }
  std::span<const Type> types() const { return types_; }
  bool failed() const { return !fault_.empty(); }
  const std::string& fault() const { return fault_; }

  void add(std::span<const std::uint64_t> operands) {
    for (std::size_t k = 0; k < types_.size(); ++k) words_[k * fuzz::kRecordedLanes + lane_] = operands[k];
    if (++lane_ == fuzz::kRecordedLanes) flush();
  }
  void flush() {
    lane_ = 0;
    for (const bool flushes : {false, true})
      if (!failed()) fault_ = fuzz::fault_of_recording(number_, extra_, flushes, words_);
  }

 private:
  std::size_t number_;
  std::uint32_t extra_;
  KernelRow row_;
  std::vector<Type> types_;
  std::vector<std::uint64_t> words_;
  std::size_t lane_ = 0;
  std::string fault_;
};

TEST(Recordings, ThereIsOneForEachKernel) {
  std::set<std::string> names;
  for (std::size_t number = 0; number < kKernelCount; ++number) {
    const bool has_kernel = narrow_kernels()[number] != nullptr;
    for (const Flushing flushing : {Flushing::by_mode, Flushing::by_rules})
      EXPECT_EQ(record_kernel(number, 0, flushing).has_value(), has_kernel) << kernel_name(number);
    if (has_kernel) names.insert(kernel_name(number));
  }
  EXPECT_FALSE(record_kernel(kKernelCount, 0, Flushing::by_mode).has_value());
  EXPECT_EQ(names.size(), all_kernels().size()) << "names are unique";
  EXPECT_GT(names.size(), 500U);
}

TEST(Recordings, AreTyped) {
  for (const std::size_t number : all_kernels()) {
    const KernelRow row = row_of(number);
    const auto lane_of = [&](char letter) {
      const Type type = type_of(letter, row);
      const bool wide = ir::lane_bytes(type) == 8;
      return ir::is_float(type) ? (wide ? Lane::f64 : Lane::f32) : wide ? Lane::i64 : Lane::i32;
    };
    for (const Flushing flushing : {Flushing::by_mode, Flushing::by_rules}) {
      const auto made = record_kernel(number, 0, flushing);
      const Recording& recording = made->recording;
      const std::string fault = ir::recorded::fault_of(recording);
      EXPECT_EQ(fault, "") << kernel_name(number);
      const ir::OpInfo& info = ir::info(row.op);
      ASSERT_EQ(recording.operands.size(), info.operands.size()) << kernel_name(number);
      ASSERT_EQ(recording.results.size(), info.results.size()) << kernel_name(number);
      for (std::size_t k = 0; k < info.operands.size(); ++k) EXPECT_EQ(recording.operands[k], lane_of(info.operands[k]));
      for (std::size_t k = 0; k < info.results.size(); ++k) EXPECT_EQ(recording.nodes[recording.results[k]].type, lane_of(info.results[k]));
    }
  }
}

TEST(Recordings, GiveTheBitsOfKernelsOnSpecialLanes) {
  std::mt19937_64 random(3);
  for (const std::size_t number : all_kernels()) {
    const auto extras = extras_of(number);
    for (const std::uint32_t extra : extras) {
      Comparison comparison(number, extra);
      std::vector<std::vector<std::uint64_t>> words;
      for (const Type type : comparison.types()) words.push_back(special_words(type));
      std::vector<std::uint64_t> operands(words.size());
      if (words.size() == 1) {
        for (const std::uint64_t word : words[0]) comparison.add(std::span(&word, 1));
      } else {
        // each of the first with some of the others
        for (const std::uint64_t word : words[0]) {
          operands[0] = word;
          for (unsigned round = 0; round < (words.size() == 2 ? 24U : 16U); ++round) {
            for (std::size_t k = 1; k < words.size(); ++k) operands[k] = words[k][random() % words[k].size()];
            comparison.add(operands);
          }
        }
      }
      comparison.flush();
      ASSERT_EQ(comparison.fault(), "");
    }
  }
}

TEST(Recordings, GiveTheBitsOfKernelsOnRandomLanes) {
  std::mt19937_64 random(5);
  for (const std::size_t number : all_kernels()) {
    const auto extras = extras_of(number);
    for (const std::uint32_t extra : extras) {
      Comparison comparison(number, extra);
      std::vector<std::uint64_t> operands(comparison.types().size());
      for (unsigned lane = 0; lane < (extras.size() > 1 ? 64U : 320U); ++lane) {
        for (std::size_t k = 0; k < operands.size(); ++k) {
          const std::uint64_t word = random();
          // of floats often numbers near 1, whose results are neither infinite nor 0, and small ones
          const Type type = comparison.types()[k];
          operands[k] = word;
          if (type == Type::f32 && word >> 62 != 0)
            operands[k] = (word & 0x807f'ffff) | (word >> 62 == 1 ? 0x3f00'0000U : (word & 0x0380'0000) + 0x3e00'0000);
          if (type == Type::f32 && (word >> 56 & 7) == 0) operands[k] = word & 0x81ff'ffff;
          if (type == Type::f64 && (word & 3) != 0) operands[k] = (word & 0x800f'ffff'ffff'ffff) | (0x3fc0 + (word >> 56 & 0x70)) << 48;
        }
        comparison.add(operands);
      }
      ASSERT_EQ(comparison.fault(), "");
    }
  }
}

TEST(Recordings, HaveThePropertyThatFuzzingTries) {
  std::mt19937_64 random(9);
  std::vector<std::byte> bytes(500);
  for (unsigned round = 0; round < 1000; ++round) {
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    ASSERT_EQ(fuzz::recording(View(std::span(bytes).first(random() % bytes.size()))), "") << round;
  }
}

}  // namespace
}  // namespace unshade::vm
