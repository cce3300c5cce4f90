#include <unshade/dxbc/program.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include <unshade/dxbc/program/counts.hpp>

namespace unshade::dxbc {
namespace {

constexpr std::uint32_t kTemp = 0x0010'0002U | 0xfU << 4;     // r#.xyzw
constexpr std::uint32_t kSource = 0x0010'0006U | 0xe4U << 4;  // r#.xyzw

/// The only instruction of a program.
Instruction decoded(const std::vector<std::uint32_t>& tokens) {
  std::vector<std::byte> bytes;
  for (const std::uint32_t token : tokens)
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(token >> (8 * i)));
  Program program;
  program.major = 5;
  Instruction instruction;
  Decoder decoder(program, View(bytes));
  EXPECT_TRUE(decoder.next(instruction));
  instruction.bytes = {};
  return instruction;
}

std::uint32_t head(Opcode opcode, std::uint32_t length, std::uint32_t controls = 0) {
  return static_cast<std::uint32_t>(opcode) | length << 24 | controls;
}

TEST(DxbcInstruction, HasTheFieldsOfItsOpcodeToken) {
  const Instruction sync = decoded({head(Opcode::sync, 1, 1U << 11 | 1U << 14)});
  EXPECT_TRUE(sync.sync().threads);
  EXPECT_TRUE(sync.sync().uav_global);
  EXPECT_FALSE(sync.sync().group_memory);
  const Instruction add = decoded({head(Opcode::mov, 5, 1U << 13 | 5U << 19), kTemp, 0, kSource, 1});
  EXPECT_TRUE(add.saturates());
  EXPECT_EQ(add.precise().text(), "xz");
  EXPECT_EQ(add.used_tokens(), 5U);
  EXPECT_TRUE(decoded({head(Opcode::if_, 3, 1U << 18), kSource, 0}).tests_nonzero());
  EXPECT_TRUE(decoded({head(Opcode::if_, 3), kSource, 0}).precise().empty());
}

TEST(DxbcInstruction, OfShaderModel5IsCountedAmongArithmeticIfItDerives) {
  Statistics counted;
  program::ArithmeticCounts arithmetic;
  program::count_instruction(decoded({head(Opcode::deriv_rtx_fine, 5), kTemp, 0, kSource, 1}), counted, arithmetic);
  EXPECT_EQ(counted.float_instruction_count, 1U);
  program::count_instruction(decoded({head(Opcode::ddiv, 7), kTemp, 0, kSource, 1, kSource, 2}), counted, arithmetic);
  EXPECT_EQ(counted.float_instruction_count, 1U);
  EXPECT_EQ(counted.instruction_count, 2U);
}

}  // namespace
}  // namespace unshade::dxbc
