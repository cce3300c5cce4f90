#include <unshade/shader/flow.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include <unshade/shader/assemble.hpp>

#include "support/files.hpp"

namespace unshade::shader {
namespace {

struct Flowed {
  std::vector<std::byte> bytes;
  Text listing;
  Result<Flow> flow = Flow();

  void read() {
    const auto opened = open(View(bytes));
    ASSERT_TRUE(opened) << to_string(opened.error());
    flow = control_flow(*opened, listing);
  }
  /// `0>1 true, 0>2 false`
  std::string edges(std::size_t function = 0) const {
    std::string text;
    for (const FlowEdge& edge : flow->functions.at(function).edges) {
      text += (text.empty() ? "" : ", ") + std::to_string(edge.from) + '>' + std::to_string(edge.to);
      if (edge.kind != FlowKind::next) text += ' ' + std::string(id(edge.kind));
      if (!edge.label.empty()) text += ' ' + edge.label;
    }
    return text;
  }
  std::string line(std::uint32_t number) const {
    std::string_view text = listing.view();
    while (--number > 0) text.remove_prefix(text.find('\n') + 1);
    text = text.substr(0, text.find('\n'));
    text = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
    return std::string(text.substr(0, text.find_last_not_of(' ') + 1));
  }
  std::string first_line(std::uint32_t block, std::size_t function = 0) const {
    return line(flow->functions.at(function).blocks.at(block).line);
  }
};

Flowed assembled(Family family, std::string_view text) {
  Flowed made;
  const Assembly assembly = assemble(family, text, {});
  EXPECT_TRUE(assembly.ok) << (assembly.messages.empty() ? "" : assembly.messages[0].text);
  made.bytes = assembly.file;
  made.read();
  return made;
}

Flowed of_sample(const char* name) {
  Flowed made;
  made.bytes = test::read_bytes(test::source_dir() / "tests/data" / name);
  made.read();
  return made;
}

TEST(ControlFlow, IfAndElse) {
  const Flowed made = assembled(Family::dxbc,
                                "ps_4_0\ndcl_temps 1\nmov r0.x, l(1.0)\nif_nz r0.x\n  mov r0.y, l(2.0)\nelse\n  mov r0.y, l(3.0)\nendif\n"
                                "if_z r0.y\n  mov r0.z, l(0.0)\nendif\nret\n");
  ASSERT_TRUE(made.flow);
  EXPECT_EQ(made.edges(), "0>1 true, 0>2 false, 1>3, 2>3, 3>4 true, 3>5 false, 4>5");
  EXPECT_EQ(made.first_line(0), "mov r0.x, l(1.000000)");
  EXPECT_EQ(made.first_line(2), "else");
  EXPECT_EQ(made.first_line(3), "endif");
  EXPECT_EQ(made.flow->functions[0].blocks[5].end, FlowEnd::return_);
  EXPECT_EQ(made.flow->functions[0].name, "main");
}

TEST(ControlFlow, LoopsWithBreakAndContinue) {
  const Flowed made =
      assembled(Family::dxbc,
                "ps_4_0\ndcl_temps 1\nmov r0.x, l(0)\nloop\n  breakc_nz r0.x\n  if_nz r0.y\n    continue\n  endif\n  continuec_z r0.z\n"
                "  mov r0.x, l(1)\nendloop\nretc_nz r0.x\nret\n");
  ASSERT_TRUE(made.flow);
  // 0 before, 1 loop and breakc, 2 if, 3 continue, 4 endif and continuec, 5 the rest, 6 retc, 7 where it goes, 8 ret
  EXPECT_EQ(made.edges(), "0>1, 1>6 true, 1>2 false, 2>3 true, 2>4 false, 3>1, 4>1 true, 4>5 false, 5>1, 6>7 true, 6>8 false");
  EXPECT_EQ(made.first_line(1), "loop");
  EXPECT_EQ(made.flow->functions[0].blocks[7].lines, 0U);
  EXPECT_EQ(made.flow->functions[0].blocks[7].end, FlowEnd::return_);
}

TEST(ControlFlow, SwitchesWithLabelsThatShareABlock) {
  const Flowed made =
      assembled(Family::dxbc,
                "ps_4_0\ndcl_temps 1\nmov r0.x, l(0)\nswitch r0.x\n  case l(1)\n  case l(2)\n    mov r0.y, l(1)\n    break\n"
                "  case l(3)\n    mov r0.y, l(3)\n    break\nendswitch\nret\n");
  ASSERT_TRUE(made.flow);
  EXPECT_EQ(made.edges(), "0>1 case 1, 2, 0>2 case 3, 0>3 default, 1>3, 2>3");
}

TEST(ControlFlow, EndsThatMeetAreOneBlock) {
  const Flowed made =
      assembled(Family::dxbc, "ps_4_0\ndcl_temps 1\nmov r0.x, l(0)\nif_nz r0.x\n  if_nz r0.y\n    mov r0.x, l(1)\n  endif\nendif\nret\n");
  ASSERT_TRUE(made.flow);
  EXPECT_EQ(made.edges(), "0>1 true, 0>3 false, 1>2 true, 1>3 false, 2>3");
}

TEST(ControlFlow, FunctionsBeginAtLabels) {
  const Flowed made = assembled(Family::dxbc, "ps_4_0\ndcl_temps 1\nmov r0.x, l(0)\ncall l0\nret\nlabel l0\nmov r0.y, l(1)\nret\n");
  ASSERT_TRUE(made.flow);
  ASSERT_EQ(made.flow->functions.size(), 2U);
  EXPECT_TRUE(made.flow->functions[1].name.starts_with("label ")) << made.flow->functions[1].name;
  EXPECT_EQ(made.flow->functions[0].blocks.size(), 1U);
}

TEST(ControlFlow, OfPicaLoopsAndBranches) {
  const Flowed made =
      assembled(Family::pica,
                ".proc main\n  ifc cmp.x\n    mov r0, r1\n  .else\n    mov r0, r2\n  .end\n  for i0\n    breakc cmp.y\n    mov r1, r0\n"
                "  .end\n  end\n.end\n");
  ASSERT_TRUE(made.flow);
  EXPECT_EQ(made.edges(), "0>1 true, 0>2 false, 1>3, 2>3, 3>4, 4>6 true, 4>5 false, 5>4 true, 5>6 false");
  EXPECT_EQ(made.first_line(0), ".proc main");
  EXPECT_EQ(made.first_line(2), ".else");
}

TEST(ControlFlow, OfDxilHasTheLabelsOfTheListing) {
  const Flowed made = of_sample("dxil/bitonic_cs_6_0.dxil");
  ASSERT_TRUE(made.flow) << to_string(made.flow.error());
  ASSERT_EQ(made.flow->functions.size(), 1U);
  const FlowFunction& f = made.flow->functions[0];
  EXPECT_EQ(f.name, "main");
  EXPECT_TRUE(f.blocks[1].name.starts_with("%")) << f.blocks[1].name;
  for (std::size_t b = 1; b < f.blocks.size(); ++b)
    EXPECT_TRUE(made.line(f.blocks[b].line).starts_with("; <label>:" + f.blocks[b].name.substr(1)));
}

TEST(ControlFlow, OfEveryStageOfAVbc) {
  const Flowed made = of_sample("vbc/textured.vbc");
  ASSERT_TRUE(made.flow) << to_string(made.flow.error());
  std::vector<std::string> stages;
  for (const FlowFunction& function : made.flow->functions) {
    if (stages.empty() || stages.back() != function.stage) stages.push_back(function.stage);
    EXPECT_TRUE(function.name.starts_with("%")) << function.name;
    EXPECT_NE(made.line(function.blocks[0].line).find("= OpLabel"), std::string::npos);
  }
  EXPECT_EQ(stages, (std::vector<std::string>{"vertex", "fragment"}));
}

TEST(ControlFlow, RefusesWhatHasNone) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/dxil/rootsig_only.dxil");
  const auto opened = open(View(bytes));
  ASSERT_TRUE(opened);
  Text text;
  const auto flow = control_flow(*opened, text);
  ASSERT_FALSE(flow);
  EXPECT_EQ(flow.error().code, ErrorCode::missing);
}

TEST(ControlFlow, RefusesBlocksThatDoNotFit) {
  Flowed made = assembled(Family::dxbc, "ps_4_0\ndcl_temps 1\nmov r0.x, l(0)\nif_nz r0.x\nendif\nret\n");
  // if becomes endif: a block ends that was not begun
  const auto opened = open(View(made.bytes));
  ASSERT_TRUE(opened);
  const auto block = made.flow->functions[0].blocks[0];
  const std::size_t at = static_cast<std::size_t>(block.offset + block.size) - 12;
  ASSERT_EQ(std::to_integer<unsigned>(made.bytes[at]), 31U);
  made.bytes[at] = std::byte{21};
  Text text;
  const auto broken = open(View(made.bytes));
  ASSERT_TRUE(broken);
  const auto flow = control_flow(*broken, text);
  ASSERT_FALSE(flow);
  EXPECT_EQ(flow.error().code, ErrorCode::bad_value);
  EXPECT_EQ(flow.error().offset, at);
}

// Of a file with several stages, those of the stage that the function is of.
TEST(LinesInListing, AreThoseOfTheStage) {
  const auto made = of_sample("vbc/textured.vbc");
  ASSERT_TRUE(made.flow);
  const auto opened = open(View(made.bytes));
  ASSERT_TRUE(opened);
  std::uint32_t last = 0;
  for (const char* const stage : {"main:vertex", "main:pixel"}) {
    const auto module = lower(*opened, {.entry = stage, .keep_copies = true});
    ASSERT_TRUE(module) << to_string(module.error());
    const auto stepped = stepped_lines(*opened, (*module)->functions.front().name);
    ASSERT_TRUE(stepped) << to_string(stepped.error());
    const auto lines = lines_in_listing(opened->family, made.listing.view(), *made.flow, *stepped);
    ASSERT_EQ(lines.size(), stepped->lines.size());
    EXPECT_GT(lines.front(), last) << stage;
    for (std::size_t k = 0; k < lines.size(); ++k) EXPECT_TRUE(made.line(lines[k]).starts_with(stepped->lines[k])) << stage;
    last = lines.back();
  }
}

}  // namespace
}  // namespace unshade::shader
