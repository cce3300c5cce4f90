// Rules of level 9 programs: a program that breaks each of them, and the same one mended.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include <unshade/dxbc/level9/sm2_assemble.hpp>

#include "dxbc/validate/validate.hpp"

namespace unshade::dxbc {
namespace {

std::set<std::string> level9_findings(std::string_view text, std::uint32_t fourcc = dxcontainer::fourcc("Aon9")) {
  const auto bytes = sm2::assemble_program(text);
  EXPECT_TRUE(bytes) << text;
  if (!bytes) return {};
  Level9 level9;
  level9.program = View(*bytes);
  level9.version.token = level9.program.u32(0).value_or(0);
  const dxcontainer::Part part{fourcc, 0, level9.program};
  Findings findings(bytes->size());
  validate::check_level9(part, level9, findings);
  std::set<std::string> ids;
  for (const Diagnostic& finding : findings.take()) ids.emplace(finding.rule->id);
  return ids;
}

using Ids = std::set<std::string>;

struct Broken {
  std::string_view rule;
  std::string_view broken;
  std::string_view mended;
};

constexpr Broken kBroken[] = {
    {"level9.block", "ps_3_0\nif b0\nmov oC0, c0\n", "ps_3_0\nif b0\nmov oC0, c0\nendif\n"},
    {"level9.block", "ps_3_0\nelse\nif b0\nendif\n", "ps_3_0\nif b0\nelse\nendif\n"},
    {"level9.gradient", "ps_3_0\nmov r0, c0\nif_lt v0.x, c0.x\ndsx r1, r0\nendif\n",
     "ps_3_0\nmov r0, c0\ndsx r1, r0\nif_lt v0.x, c0.x\nendif\n"},
    {"level9.gradient", "ps_3_0\nmov r0, c0\nif_lt v0.x, c0.x\nelse\ntexld r1, r0, s0\nendif\n",
     "ps_3_0\nif_lt v0.x, c0.x\nelse\ntexld r1, v0, s0\nendif\n"},
    {"level9.gradient", "ps_3_0\nmov r0, c0\nif p0.x\ntexldp r1, r0, s0\nendif\n", "ps_3_0\nmov r0, c0\nif b0\ntexldp r1, r0, s0\nendif\n"},
    {"level9.gradient", "ps_3_0\nmov r0, c0\nif_lt v0.x, c0.x\ntexldb r1, r0, s0\nendif\n",
     "ps_3_0\nmov r0, c0\nif_lt v0.x, c0.x\ntexldl r1, r0, s0\nendif\n"},
    // Of the other stage, of a later model, of an earlier one.
    {"level9.model", "vs_2_0\ndp2add r0, c0, c0, c0.x\n", "ps_2_0\ndp2add r0, c0, c0, c0.x\n"},
    {"level9.model", "ps_2_0\nslt r0, c0, c1\n", "vs_2_0\nslt r0, c0, c1\n"},
    {"level9.model", "ps_2_0\ndsx r0, t0\n", "ps_2_x\ndsx r0, t0\n"},
    {"level9.model", "ps_2_0\nif b0\nendif\n", "ps_2_x\nif b0\nendif\n"},
    {"level9.model", "ps_2_0\ncnd r0, c0, c0, c1\n", "ps_1_4\ncnd r0, r0, c0, c1\n"},
    {"level9.model", "vs_2_0\nif_lt c0.x, c1.x\nendif\n", "vs_2_sw\nif_lt c0.x, c1.x\nendif\n"},
    {"level9.operand-count", "vs_2_0\ntokens 0x02000003 0x800f0000 0xa0e40000\n", "vs_2_0\nsub r0, c0, c1\n"},
    {"level9.operand-count", "vs_2_0\ntokens 0x03000001 0x800f0000 0xa0e40000 0xa0e40000\n", "vs_2_0\nmov r0, c0\n"},
    {"level9.operand-kind", "ps_2_0\ntexld r0, t0, c0\n", "ps_2_0\ntexld r0, t0, s0\n"},
    {"level9.operand-kind", "ps_2_0\nsincos r0.xy, c0.x, r1, c2\n", "ps_2_0\nsincos r0.xy, c0.x, c1, c2\n"},
    {"level9.operand-kind", "vs_2_0\nrep c0\nendrep\n", "vs_2_0\nrep i0\nendrep\n"},
    {"level9.operand-kind", "vs_2_0\nmova r0, c0\n", "vs_2_0\nmova a0, c0\n"},
    {"level9.operand-kind", "ps_2_0\nadd r0, s0, c0\n", "ps_2_0\nadd r0, t0, c0\n"},
    {"level9.operand-kind", "vs_2_0\nmov c0, c1\n", "vs_2_0\nmov oPos, c1\n"},
    {"level9.operand-kind", "vs_2_0\nsgn r0, c1, c2, r3\n", "vs_2_0\nsgn r0, c1, r2, r3\n"},
    {"level9.swizzle", "ps_2_0\nrcp r0, c0\n", "ps_2_0\nrcp r0, c0.w\n"},
    {"level9.swizzle", "ps_2_0\ndp2add r0, c0, c0, c0\n", "ps_2_0\ndp2add r0, c0, c0, c0.y\n"},
    {"level9.swizzle", "ps_2_x\nif_lt c0, c1.x\nendif\n", "ps_2_x\nif_lt c0.z, c1.x\nendif\n"},
    {"level9.unwritten", "ps_2_0\nmov r1.xy, c0\nadd r0, r1, c0\n", "ps_2_0\nmov r1, c0\nadd r0, r1, c0\n"},
    {"level9.unwritten", "ps_2_0\nmov r1.xy, c0\ndp3 r0, r1, c0\n", "ps_2_0\nmov r1.xyz, c0\ndp3 r0, r1, c0\n"},
    {"level9.unwritten", "ps_3_0\nrep i0\nmov r0, r1\nendrep\n", "ps_3_0\nrep i0\nmov r0, c0\nmov r1, r0\nendrep\nmov oC0, r1\n"},
    {"level9.unwritten", "ps_3_0\nif b0\nmov r1, c0\nelse\nmov oC0, r1\nendif\n", "ps_3_0\nif b0\nmov r1, c0\nendif\nmov oC0, r1\n"},
    {"level9.unwritten", "ps_2_0\ntexld r1, r0, s0\n", "ps_2_0\nmov r0.xy, c0\ntexld r1, r0, s0\n"},
};

TEST(Level9Validation, FindsWhatRowsOfTheTableForbid) {
  for (const Broken& program : kBroken) {
    SCOPED_TRACE(program.broken);
    EXPECT_EQ(level9_findings(program.broken), Ids{std::string(program.rule)});
    EXPECT_EQ(level9_findings(program.mended), Ids{});
  }
}

TEST(Level9Validation, EveryRuleHasAProgram) {
  Ids covered;
  for (const Broken& program : kBroken) covered.emplace(program.rule);
  for (const Rule* rule : validate::validation_rules()) {
    if (!rule->id.starts_with("level9.")) continue;
    EXPECT_TRUE(covered.contains(std::string(rule->id))) << rule->id;
  }
}

// The version of the part can be lower than that of the program, which counts. observed: in all 21 parts whose programs are of 2_x
TEST(Level9Validation, TakesTheVersionOfTheProgram) {
  const auto bytes = sm2::assemble_program("ps_2_x\ndsx r0, t0\n");
  ASSERT_TRUE(bytes);
  Level9 level9;
  level9.program = View(*bytes);
  level9.version.token = 0xffff'0200;
  Findings findings(bytes->size());
  validate::check_level9({dxcontainer::fourcc("Aon9"), 0, level9.program}, level9, findings);
  EXPECT_TRUE(findings.take().empty());
}

// fxc writes them so, where its program for level 9 reads an input.
TEST(Level9Validation, XnaPartsReadInputsFromTemporaries) {
  constexpr std::string_view kText = "ps_2_0\ndcl t0\nmov oC0, r0\n";
  EXPECT_EQ(level9_findings(kText), Ids{"level9.unwritten"});
  EXPECT_EQ(level9_findings(kText, dxcontainer::fourcc("XNAS")), Ids{});
}

// Optional operands: the constants of sincos in shader model 3, the coordinates and sampler of shader model 1.
TEST(Level9Validation, AcceptsOperandsThatModelsLeaveOut) {
  EXPECT_EQ(level9_findings("vs_3_0\nsincos r0.xy, c0.x\n"), Ids{});
  EXPECT_EQ(level9_findings("ps_1_4\ntexld r0, t0\n"), Ids{});
  EXPECT_EQ(level9_findings("ps_1_1\ntexld t0\n"), Ids{});
}

}  // namespace
}  // namespace unshade::dxbc
