#include "dxil/module/record_operands.hpp"

#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/dxil/query.hpp>

namespace unshade::dxil::module {
namespace {

namespace code = bitcode::code;

/// The letters of a record of a function and the places of its operands in the model; values of 100 come later.
std::string operands_of(std::uint32_t code, std::initializer_list<std::uint64_t> record) {
  std::string result;
  const std::vector<std::uint64_t> operands(record);
  for_each_operand(bitcode::record_operands(bitcode::block_id::function, code), operands,
                   [&](char letter, std::size_t i, std::size_t place) {
                     result += letter;
                     if (has_place(letter)) result += std::to_string(place);
                     return has_place(letter) && operands[i] == 100;
                   });
  return result;
}

TEST(RecordOperands, EachHasALetter) {
  EXPECT_EQ(operands_of(code::function_binary, {1, 2, 0}), "v0=1k");
  EXPECT_EQ(operands_of(code::function_binary, {1, 2, 0, 3}), "v0=1kf");
  EXPECT_EQ(operands_of(code::function_cast, {1, 7, 0}), "v0tk");
  EXPECT_EQ(operands_of(code::function_select, {1, 2, 3}), "v1=2v0");
  EXPECT_EQ(operands_of(code::function_br, {0}), "b0");
  EXPECT_EQ(operands_of(code::function_br, {0, 1, 2}), "b0b1?2");
  EXPECT_EQ(operands_of(code::function_phi, {7, 2, 0, 4, 1}), "ts0b1s2b3");
  EXPECT_EQ(operands_of(code::function_switch_, {7, 1, 0, 9, 1, 8, 2}), "pu0b1a2b3a4b5");
  EXPECT_EQ(operands_of(code::function_alloca_, {7, 1, 5, 64}), "pqa0Y");
}

TEST(RecordOperands, TypesFollowValuesThatComeLater) {
  EXPECT_EQ(operands_of(code::function_cast, {100, 6, 7, 0}), "v0ttk");
  EXPECT_EQ(operands_of(code::function_store, {1, 100, 6, 3, 0}), "V0v1tyw");
  EXPECT_EQ(operands_of(code::function_getelementptr, {1, 7, 4, 100, 6, 2}), "ipv0v1tv2");
}

TEST(RecordOperands, SomeAreThereAtTimes) {
  EXPECT_EQ(operands_of(code::function_load, {1, 7, 3, 0}), "v0Tyw");
  EXPECT_EQ(operands_of(code::function_load, {1, 3, 0}), "v0yw");
  EXPECT_EQ(operands_of(code::function_load_atomic, {1, 7, 3, 0, 2, 1}), "v0Tywrc");
  EXPECT_EQ(operands_of(code::function_call, {0, kCallTyped, 7, 1, 2, 3}), "ghPV0e1e2");
  EXPECT_EQ(operands_of(code::function_call, {0, 0, 1, 2, 3}), "ghV0e1e2");
  EXPECT_EQ(operands_of(code::function_invoke, {0, kInvokeTyped, 4, 5, 7, 1, 2}), "gHb1b2PV0e3");
}

/// As the comment of Instruction says.
TEST(RecordOperands, InstructionsOfTheModelFollow) {
  const auto layout = [](Opcode opcode) {
    std::string result;
    for (std::size_t i = 0; i < 6; ++i) result += "vbna"[static_cast<std::size_t>(operand_layout(opcode).kind(i))];
    return result + (operand_layout(opcode).first_is_last ? " first is last" : "");
  };
  EXPECT_EQ(layout(Opcode::ret), "vvvvvv");
  EXPECT_EQ(layout(Opcode::br).substr(0, 3), "bbv");
  EXPECT_EQ(layout(Opcode::switch_), "vbvbvb");
  EXPECT_EQ(layout(Opcode::phi), "vbvbvb");
  EXPECT_EQ(layout(Opcode::indirectbr), "vbbbbb");
  EXPECT_EQ(layout(Opcode::call), "vaaaaa first is last");
  EXPECT_EQ(layout(Opcode::invoke), "vbbaaa first is last");
  EXPECT_EQ(layout(Opcode::extractvalue), "vnnnnn");
  EXPECT_EQ(layout(Opcode::insertvalue), "vvnnnn");
  EXPECT_EQ(layout(Opcode::landingpad), "nvnvnv");
  EXPECT_EQ(layout(Opcode::store).substr(2 + 4), " first is last");
}

TEST(RecordOperands, InstructionsHaveCodes) {
  Instruction load;
  load.opcode = Opcode::load;
  EXPECT_EQ(record_code(load), code::function_load);
  load.flags = flag::kAtomic;
  EXPECT_EQ(record_code(load), code::function_load_atomic);
  Instruction add;
  add.opcode = Opcode::fadd;
  EXPECT_EQ(record_code(add), code::function_binary);
  Instruction compare;
  compare.opcode = Opcode::icmp;
  EXPECT_EQ(record_code(compare), code::function_compare);
}

}  // namespace
}  // namespace unshade::dxil::module
