#include <gtest/gtest.h>

#include <string>

#include <unshade/pica/instruction.hpp>

#include "pica/descriptor_care.hpp"

namespace unshade::pica {

namespace {

TEST(Instruction, EveryWordComesBack) {
  std::uint32_t word = 0x12345;
  for (int i = 0; i < 2'000'000; ++i) {
    word = word * 1664525U + 1013904223U;
    ASSERT_EQ(encode(decode(word)), word) << std::hex << word;
  }
  for (std::uint32_t code = 0; code < 64; ++code)
    for (const std::uint32_t rest : {0U, 0x03ff'ffffU}) EXPECT_EQ(encode(decode(code << 26 | rest)), code << 26 | rest);
}

struct Vector {
  const char* text;
  std::uint32_t word;
  std::uint32_t descriptor;
};
// Words and descriptors that picasso 2.7.2 makes. src: docs/reference/formats/shbin.md
constexpr Vector kVectors[] = {
    {"add r0, c0, v0", 0x02020000, 0x0006C36F},
    {"add o1.xy, c95, r15", 0x0027FF80, 0x0006C36C},
    {"dp3 r1, v0, r2.zyxx", 0x06200900, 0x0024036F},
    {"dp4 o0.x, c1, v0", 0x08021000, 0x0006C368},
    {"dph r2, c3, v0", 0x0E423000, 0x0006C36F},
    {"dphi r2, v0, c3", 0x62401180, 0x0006C36F},
    {"dsti r2, r0, c3", 0x66441180, 0x0006C36F},
    {"mul r3.y, -c5.wwww, r0.xxxx", 0x22625800, 0x00001FF4},
    {"sgei r3, r0, c1", 0x6A641080, 0x0006C36F},
    {"slti r3, r0, c1", 0x6E641080, 0x0006C36F},
    {"ex2 r4.x, r0.wwww", 0x16810000, 0x00001FE8},
    {"lg2 r4, r0.yyyy", 0x1A810000, 0x00000AAF},
    {"litp r4, r0", 0x1E810000, 0x0000036F},
    {"flr r4, c0", 0x2E820000, 0x0000036F},
    {"rcp r4, r0.xxxx", 0x3A810000, 0x0000000F},
    {"rsq r4.zw, -r0.zzzz", 0x3E810000, 0x00001553},
    {"mova a0.x, r0.xxxx", 0x48010000, 0x00000008},
    {"mova a0.xy, r0.xyyy", 0x48010000, 0x000002AC},
    {"mov r5, c4[a0.x]", 0x4EAA4000, 0x0000036F},
    {"mov r5, c4[a0.y]", 0x4EB24000, 0x0000036F},
    {"mov r5, c7[aL]", 0x4EBA7000, 0x0000036F},
    {"cmp r0, lt, ge, r1", 0xBAA10880, 0x0006C360},
    {"cmp c4.xyyy, eq, ne, r1", 0xB8224880, 0x0006C2A0},
    {"mad r0, r1, c2, r3", 0xF0228A60, 0x0D86C36F},
    {"madi r0, r1, r2, c3", 0xD0232460, 0x0D86C36F},
    {"madi r0, v1, r2, c3[a0.y]", 0xD0832460, 0x0D86C36F},
    {"breakc cmp.x", 0x8F800000, 0},
    {"breakc !cmp.x && cmp.y", 0x8D400000, 0},
    {"breakc cmp.x || !cmp.y", 0x8E000000, 0},
    {"nop", 0x84000000, 0},
    {"end", 0x88000000, 0},
    {"emit", 0xA8000000, 0},
    {"break", 0x80000000, 0},
    {"setemit 0", 0xAC000000, 0},
    {"setemit 2, prim", 0xAE800000, 0},
    {"setemit 1, prim inv", 0xADC00000, 0},
    {"call 0x0:3", 0x90000003, 0},
    {"callc cmp.y, 0x0:3", 0x97C00003, 0},
    {"callu b3, 0x0:3", 0x98C00003, 0},
    {"jmpc cmp.y, 0x2", 0xB3C00800, 0},
    {"jmpu b1, 0x2", 0xB4400800, 0},
    {"jmpu !b15, 0x2", 0xB7C00801, 0},
    {".word 0x40000001", 0x40000001, 0},
};

TEST(Instruction, TextsOfWordsThatPicassoMakes) {
  for (const Vector& v : kVectors) {
    Text text;
    print_instruction(text, decode(v.word), &v.descriptor);
    EXPECT_EQ(text.view(), v.text);
  }
}

TEST(Instruction, TheTableIsFoundByCodeAndByText) {
  EXPECT_EQ(decode(0xffff'ffff).opcode, Opcode::mad);
  EXPECT_EQ(decode(0xd7ff'ffff).opcode, Opcode::madi);
  EXPECT_EQ(decode(0xbfff'ffff).opcode, Opcode::cmp);
  for (const std::uint32_t code : {0x10U, 0x11U, 0x14U, 0x17U, 0x1cU, 0x1fU}) EXPECT_EQ(decode(code << 26).opcode, Opcode::unknown);
  ASSERT_NE(find_opcode("for"), nullptr);
  EXPECT_EQ(find_opcode("for")->opcode, Opcode::for_);
  EXPECT_EQ(find_opcode("loop"), nullptr);
  EXPECT_EQ(twin(Opcode::mad), Opcode::madi);
  EXPECT_EQ(twin(Opcode::slti), Opcode::slt);
  EXPECT_EQ(twin(Opcode::add), Opcode::add);
}

// Words of a block, by what `flow` says of target and count.
TEST(Instruction, BlocksEndWhereTheirColumnsSay) {
  Instruction i;
  i.target = 9;
  i.count = 3;
  for (const Opcode branch : {Opcode::ifc, Opcode::ifu}) {
    i.opcode = branch;
    EXPECT_EQ(i.block_end(), 9U);
    EXPECT_EQ(i.whole_block_end(), 12U);
  }
  i.opcode = Opcode::for_;
  EXPECT_EQ(i.block_end(), 10U);
  EXPECT_EQ(i.whole_block_end(), 10U);
}

TEST(Instruction, ConditionsAndStagesAreColumns) {
  for (const Opcode opcode : {Opcode::breakc, Opcode::callc, Opcode::callu, Opcode::ifc, Opcode::ifu, Opcode::jmpc, Opcode::jmpu})
    EXPECT_TRUE(info(opcode).is_conditional()) << info(opcode).text;
  for (const Opcode opcode : {Opcode::break_, Opcode::call, Opcode::for_, Opcode::cmp})
    EXPECT_FALSE(info(opcode).is_conditional()) << info(opcode).text;
  for (const Opcode opcode : {Opcode::emit, Opcode::setemit}) EXPECT_EQ(info(opcode).stages, Stages::geometry);
  EXPECT_EQ(info(Opcode::mov).stages, Stages::any);
}

// Of mova the mask counts, but of two components alone.
TEST(Instruction, MovaReadsWhatItsMaskTakesOfTwoComponents) {
  Instruction i;
  i.opcode = Opcode::mova;
  const std::uint32_t all = descriptor::kMask.put(0, 0xf) | descriptor::kSelectors[0].put(0, descriptor::kIdentity);
  const std::uint32_t y = descriptor::kMask.put(0, 0x4) | descriptor::kSelectors[0].put(0, descriptor::kIdentity);
  EXPECT_EQ(operands_of(i, &all).sources[0].read.text(), "xy");
  EXPECT_EQ(operands_of(i, &y).sources[0].read.text(), "y");
  EXPECT_EQ(descriptor_care(Opcode::mova, y) & descriptor::kSelectors[0].put(0, 0xff), descriptor::kSelectors[0].put(0, 0x30));
}

// Section 11 of the facts: the count is 8 bits to some and 10 to others. All ten come back; only eight are ordinary.
TEST(Instruction, ACountHasTenBits) {
  EXPECT_EQ(decode(0x9000'03ff).count, 0x3ffU);
  EXPECT_EQ(decode(0x9000'03ff).rest, 0U);
}

// Early assemblers gave mad a first source of 7 bits; the hardware has 5.
TEST(Instruction, TheFirstSourceOfMadIsNarrow) {
  EXPECT_EQ(source_count(Format::f5), 3U);
  EXPECT_EQ(wide_source(Format::f5), 1);
  EXPECT_EQ(decode(0xF0228A60).source[0], 0x11);
}

// Conditions 6 and 7 of cmp are true to documents; they print by number.
TEST(Instruction, ComparisonsWithoutAMeaningPrint) {
  const std::uint32_t bits = 0x0006C360;
  Text text;
  print_instruction(text, decode((0xBAA10880 & ~0x07e0'0000U) | 6U << 24 | 7U << 21), &bits);
  EXPECT_EQ(text.view(), "cmp r0, always6, always7, r1");
}

}  // namespace

}  // namespace unshade::pica
