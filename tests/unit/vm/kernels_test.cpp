// All kernels, on random operands: each instruction set and each width gives the same bits.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>
#include <vector>

#include <unshade/ir/types.hpp>
#include <unshade/vm/machine.hpp>

#include "vm/access.hpp"
#include "vm/kernel_list.hpp"
#include "vm/program.hpp"

namespace unshade::vm {
namespace {

using ir::Type;

Type type_of(char letter, const KernelRow& row) {
  switch (letter) {
    case 'b': return Type::b1;
    case 'i': return Type::i32;
    case 'f': return Type::f32;
    case 'u': return row.from;
    default: return row.type;
  }
}

constexpr std::uint32_t kNans[] = {0x7fc0'0000, 0xffc0'0000, 0x7f80'2000, 0xff80'0080, 0x7fff'ff80, 0xffa3'4000};

bool is_nan(Type type, std::uint64_t lane) {
  return type == Type::f64 ? std::isnan(std::bit_cast<double>(lane))
                           : ir::is_float(type) && std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(lane)));
}

// As values stand in lanes; special ones often, among them signalling NaNs.
std::uint64_t random_lane(Type type, std::mt19937_64& random) {
  static constexpr double kSpecial[] = {0, -0.0, 1, -1, 0.5, 65504, 1e30, HUGE_VAL, -HUGE_VAL, NAN, 0x1p-20, 3};
  const std::uint64_t bits = random();
  const double special = kSpecial[bits % std::size(kSpecial)];
  const bool is_special = bits >> 60 < 6;
  if (bits >> 60 == 6 && ir::is_float(type)) {
    const std::uint64_t nan = kNans[bits % std::size(kNans)];
    // f16 has ten bits of payload, f64 those of f32 as its highest
    if (type == Type::f16) return texel::from_memory(type, texel::to_memory(type, nan));
    return type != Type::f64 ? nan : (nan & 0x8000'0000) << 32 | 0x7ff0'0000'0000'0000 | (nan & 0x7f'ffff) << 29;
  }
  switch (type) {
    case Type::f16: return lane_bits(type, bits & 0xffff);
    case Type::f24:
      return (is_special ? texel::f32_bits(special) : texel::f32_bits(static_cast<double>(static_cast<std::int32_t>(bits)) / 65536)) &
             ~0x7fU;
    case Type::f32: return is_special ? texel::f32_bits(special) : bits & 0xffff'ffff;
    case Type::f64: return is_special ? std::bit_cast<std::uint64_t>(special) : bits;
    case Type::i64: return is_special ? bits & 63 : bits;
    case Type::b1: return lane_bits(type, bits & 1);
    case Type::i8:
    case Type::i16: return lane_bits(type, bits);
    default: return is_special ? bits & 31 : bits & 0xffff'ffff;
  }
}

/// Slots of a wave of `lanes`, in each of which an operand or result has two.
class Slots {
 public:
  explicit Slots(unsigned lanes) : lanes_(lanes), bytes_(std::size_t{32} * lanes * 4) {}
  std::byte* data() { return bytes_.data(); }
  void put(unsigned slot, unsigned lane, Type type, std::uint64_t value) {
    std::memcpy(at(slot, lane, type), &value, ir::lane_bytes(type));
  }
  std::uint64_t get(unsigned slot, unsigned lane, Type type) {
    std::uint64_t value = 0;
    std::memcpy(&value, at(slot, lane, type), ir::lane_bytes(type));
    return value;
  }

 private:
  std::byte* at(unsigned slot, unsigned lane, Type type) {
    return bytes_.data() + (std::size_t{slot} * lanes_ * 4 + lane * std::size_t{ir::lane_bytes(type)});
  }
  unsigned lanes_;
  std::vector<std::byte> bytes_;
};

TEST(Kernels, AllGiveTheSameBits) {
  constexpr Code kCode{.d = 16, .a = 2, .b = 4, .c = 6, .more = 8, .extra = 0};
  constexpr Code kSum{.d = 16, .a = 2, .b = 4, .c = 6, .more = 0, .extra = 0};
  constexpr unsigned kSlots[] = {kCode.a, kCode.b, kCode.c, kCode.more, kCode.extra};
  std::mt19937_64 random(7);
  unsigned compared = 0;
  for (std::size_t number = 0; number < kKernelRows.size(); ++number) {
    const KernelRow& row = kKernelRows[number];
    const ir::OpInfo& info = ir::info(row.op);
    if (narrow_kernels()[number] == nullptr) continue;
    for (unsigned round = 0; round < 40; ++round) {
      Slots first(kChunk);
      for (std::size_t k = 0; k < info.operands.size(); ++k) {
        const Type type = type_of(info.operands[k], row);
        for (unsigned lane = 0; lane < kChunk; ++lane) first.put(kSlots[k], lane, type, random_lane(type, random));
      }
      const Code code = adds_up(row.op) ? kSum : kCode;
      const Slots operands = first;
      kernels_of(available_isas().front())[number](&code, 1, first.data(), 1);
      const auto compare = [&](Slots& other, unsigned from, unsigned lanes, std::string_view which) {
        unsigned slot = code.d;
        for (const char letter : info.results) {
          const Type type = type_of(letter, row);
          for (unsigned lane = 0; lane < lanes; ++lane) {
            const std::uint64_t made = other.get(slot, lane, type);
            ASSERT_EQ(made, first.get(slot, from + lane, type)) << info.text << ' ' << ir::text(row.type) << ' ' << which;
            if (!is_nan(type, made)) continue;
            const std::uint64_t canonical = type == Type::f64 ? 0x7ff8'0000'0000'0000 : 0x7fc0'0000;
            ASSERT_TRUE(info.nan == ir::Nan::moved || (info.nan == ir::Nan::computed && made == canonical))
                << info.text << ' ' << ir::text(row.type) << ' ' << which << ' ' << std::hex << made;
          }
          slot += ir::lane_bytes(type) / 4;
        }
        ++compared;
      };
      for (const Isa isa : available_isas()) {
        Slots other = operands;
        kernels_of(isa)[number](&code, 1, other.data(), 1);
        compare(other, 0, kChunk, id(isa));
      }
      for (unsigned from = 0; from < kChunk; from += kNarrow) {
        Slots few(kNarrow), all = operands;
        for (std::size_t k = 0; k < info.operands.size(); ++k) {
          const Type type = type_of(info.operands[k], row);
          for (unsigned lane = 0; lane < kNarrow; ++lane) {
            std::uint64_t value = 0;
            std::memcpy(&value, all.data() + kSlots[k] * std::size_t{kChunk * 4} + (from + lane) * std::size_t{ir::lane_bytes(type)},
                        ir::lane_bytes(type));
            few.put(kSlots[k], lane, type, value);
          }
        }
        narrow_kernels()[number](&code, 1, few.data(), 1);
        compare(few, from, kNarrow, "narrow");
      }
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(compared, 10000U);
}

// sum = a * b + c, and four of them in a row, of which the first three stay in a register.
TEST(Kernels, SumsInARowAreSumsOneByOne) {
  for (const bool narrow : {false, true}) {
    const unsigned lanes = narrow ? kNarrow : kChunk;
    const Kernel kernel =
        (narrow ? narrow_kernels() : kernels_of(available_isas().back()))[kernel_number(ir::Op::fmad, Type::f32, Type::f32)];
    Slots slots(lanes);
    for (unsigned slot = 0; slot < 6; ++slot) {
      for (unsigned lane = 0; lane < lanes; ++lane) slots.put(slot, lane, Type::f32, texel::f32_bits(slot * 10.0 + lane + 0.25));
    }
    Slots same = slots;
    const std::array<Code, 3> row{Code{.d = 6, .a = 0, .b = 1, .c = 2, .more = kDropped},
                                  Code{.d = 7, .a = 3, .b = 4, .c = 6, .more = kFromLast},
                                  Code{.d = 8, .a = 5, .b = 5, .c = 7, .more = kFromLast}};
    kernel(row.data(), 3, slots.data(), 1);
    for (Code one : row) {
      one.more = 0;
      kernel(&one, 1, same.data(), 1);
    }
    for (unsigned lane = 0; lane < lanes; ++lane) {
      EXPECT_EQ(slots.get(6, lane, Type::f32), 0U) << "nothing needs it";
      EXPECT_EQ(slots.get(7, lane, Type::f32), same.get(7, lane, Type::f32));
      EXPECT_EQ(slots.get(8, lane, Type::f32), same.get(8, lane, Type::f32));
    }
  }
}

// What the two operations of a pair give one after the other, denormals kept and flushed, in waves of each width.
TEST(Kernels, PairsAreTheirOperations) {
  constexpr Code kPair{.d = 16, .a = 2, .b = 4, .c = 6};
  std::mt19937_64 random(11);
  const auto compare = [&](const Kernel* kernels, const Pair& pair, unsigned lanes, unsigned chunks) {
    Slots slots(lanes);
    for (const unsigned slot : {kPair.a, kPair.b, kPair.c}) {
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const bool is_small = random() % 8 == 0;
        slots.put(slot, lane, Type::f32, is_small ? random() & 0x80ff'ffff : random_lane(Type::f32, random));
      }
    }
    Slots same = slots;
    kernels[pair_number(pair.first, pair.second, pair.on_right)](&kPair, 1, slots.data(), chunks);
    const Code first{.d = 8, .a = kPair.a, .b = kPair.b};
    const Code second{.d = kPair.d, .a = pair.on_right ? kPair.c : first.d, .b = pair.on_right ? first.d : kPair.c};
    kernels[kernel_number(pair.first, Type::f32, Type::f32)](&first, 1, same.data(), chunks);
    kernels[kernel_number(pair.second, Type::f32, Type::f32)](&second, 1, same.data(), chunks);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      ASSERT_EQ(slots.get(kPair.d, lane, Type::f32), same.get(kPair.d, lane, Type::f32))
          << ir::info(pair.first).text << ' ' << ir::info(pair.second).text << (pair.on_right ? " on its right" : "") << ", " << lanes
          << " lanes";
    }
  };
  for (const Pair& pair : kPairs) {
    for (const bool flushes : {false, true}) {
      const FlushMode mode(flushes);
      for (unsigned round = 0; round < 20; ++round) {
        for (const Isa isa : available_isas()) {
          for (const unsigned chunks : {1U, 2U, 4U}) compare(kernels_of(isa, flushes), pair, chunks * kChunk, chunks);
        }
        compare(narrow_kernels(flushes), pair, kNarrow, 1);
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace unshade::vm
