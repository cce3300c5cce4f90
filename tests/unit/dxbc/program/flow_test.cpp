#include <unshade/dxbc/program/flow.hpp>

#include <string>

#include <gtest/gtest.h>

#include <unshade/dxbc/level9/sm2_flow.hpp>

namespace unshade::dxbc::program {
namespace {

Flow flow_of_code(Opcode opcode) {
  Instruction instruction;
  instruction.code = static_cast<std::uint32_t>(opcode);
  return flow_of(instruction);
}

TEST(Flow, IsThatOfTheTable) {
  EXPECT_EQ(flow_of_code(Opcode::add), Flow::plain);
  EXPECT_EQ(flow_of_code(Opcode::breakc), Flow::break_if);
  EXPECT_EQ(flow_of_code(Opcode::retc), Flow::return_if);
  EXPECT_EQ(flow_of_code(Opcode::hs_join_phase), Flow::body);
  EXPECT_EQ(flow_of_code(Opcode::hs_decls), Flow::declaration);
  EXPECT_EQ(flow_of_code(Opcode::dcl_temps), Flow::declaration);
  EXPECT_EQ(flow_of_code(Opcode::loop), Flow::loop);
  EXPECT_EQ(flow_of_code(static_cast<Opcode>(0x7ff)), Flow::plain) << "no opcode";
}

// What bounds an indented block of a listing bounds a construct.
TEST(Flow, OfDirect3D9BoundsConstructsWhereItsListingIsIndented) {
  unsigned bounds = 0;
  for (std::uint32_t code = 0; code < 0x100; ++code) {
    const sm2::OpcodeInfo* const row = sm2::find_opcode(code);
    if (row == nullptr) continue;
    EXPECT_EQ(bounds_construct(sm2::flow_of(*row)), row->block != sm2::Block::inside) << row->text;
    bounds += bounds_construct(sm2::flow_of(*row)) ? 1U : 0U;
  }
  EXPECT_EQ(bounds, 8U);
  EXPECT_EQ(sm2::flow_of(*sm2::find_opcode(0x1e)), Flow::body) << "label";
  EXPECT_EQ(sm2::flow_of(*sm2::find_opcode(0x1f)), Flow::declaration) << "dcl";
  EXPECT_EQ(sm2::flow_of(*sm2::find_opcode(0x26)), Flow::counted_loop) << "rep";
}

struct Name {
  std::string name;
};
using Named = Constructs<Name>;

std::string owner(Named& open, Flow flow) {
  const auto* const found = open.owner_of(flow);
  return found != nullptr ? found->name : "";
}

TEST(Constructs, OwnWhatStandsInThem) {
  Named open;
  for (const Flow flow :
       {Flow::else_, Flow::end_if, Flow::end_loop, Flow::case_, Flow::default_, Flow::end_switch, Flow::break_, Flow::continue_})
    EXPECT_EQ(owner(open, flow), "");
  open.open(Flow::counted_loop, {"loop"});
  open.open(Flow::switch_, {"switch"});
  EXPECT_EQ(owner(open, Flow::case_), "switch");
  EXPECT_EQ(owner(open, Flow::end_loop), "") << "the switch is open";
  open.open(Flow::if_, {"if"});
  EXPECT_EQ(owner(open, Flow::case_), "") << "not directly in the switch";
  EXPECT_EQ(owner(open, Flow::break_if), "switch");
  EXPECT_EQ(owner(open, Flow::continue_if), "loop");
  EXPECT_EQ(owner(open, Flow::else_), "if");
  open.back().has_else = true;
  EXPECT_EQ(owner(open, Flow::else_), "") << "a second one";
  EXPECT_EQ(owner(open, Flow::end_if), "if");
  EXPECT_EQ(open.close().name, "if");
  EXPECT_EQ(owner(open, Flow::end_switch), "switch");
  EXPECT_EQ(open.close().kind, Flow::switch_);
  EXPECT_EQ(owner(open, Flow::break_), "loop");
  EXPECT_EQ(open.close().kind, Flow::loop);
}

TEST(Constructs, BelowTheFloorBelongToACaller) {
  Named open;
  open.open(Flow::loop, {"loop"});
  open.open(Flow::if_, {"if"});
  open.set_floor(open.depth());
  EXPECT_TRUE(open.empty());
  for (const Flow flow : {Flow::else_, Flow::end_if, Flow::break_, Flow::continue_}) EXPECT_EQ(owner(open, flow), "");
  open.open(Flow::if_, {"inner if"});
  EXPECT_EQ(owner(open, Flow::break_), "") << "the loop is a caller's";
  open.open(Flow::loop, {"inner"});
  EXPECT_EQ(owner(open, Flow::break_), "inner");
}

}  // namespace
}  // namespace unshade::dxbc::program
