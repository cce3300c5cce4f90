// What a stage gives a program and takes of it: vertices, control points, single registers, limits.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/findings.hpp>
#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxcontainer/container.hpp>

#include "dxbc/validate/validate.hpp"
#include "unit/dxbc/validate/text_cases.hpp"

namespace unshade::test {
namespace {

constexpr TextCase kPrograms[] = {
    // vertices of inputs
    {"", "gs_4_0\ndcl_input v[2][0].xyzw\ndcl_inputprimitive line\ndcl_maxout 1\nret\n"},
    {"register.vertices", "gs_4_0\ndcl_input v[3][0].xyzw\ndcl_inputprimitive line\ndcl_maxout 1\nret\n"},
    {"", "gs_4_0\ndcl_input v[3][0].xyzw\ndcl_inputprimitive triangle\ndcl_maxout 1\nret\n"},
    {"register.vertices", "gs_4_0\ndcl_input v[4][0].xyzw\ndcl_inputprimitive triangle\ndcl_maxout 1\nret\n"},
    {"", "gs_4_0\ndcl_inputprimitive triangleadj\ndcl_input v[6][0].xyzw\ndcl_maxout 1\nret\n"},
    {"register.vertices", "gs_4_0\ndcl_inputprimitive triangleadj\ndcl_input v[7][0].xyzw\ndcl_maxout 1\nret\n"},
    {"", "gs_5_0\ndcl_input v[5][0].xyzw\ndcl_inputprimitive patch5\ndcl_maxout 1\nret\n"},
    {"register.vertices", "gs_5_0\ndcl_input v[6][0].xyzw\ndcl_inputprimitive patch5\ndcl_maxout 1\nret\n"},
    {"", "ds_5_0\ndcl_input_control_point_count 4\ndcl_tessellator_domain domain_quad\ndcl_input vicp[4][0].xyzw\nret\n"},
    {"register.vertices", "ds_5_0\ndcl_input_control_point_count 4\ndcl_tessellator_domain domain_quad\ndcl_input vicp[5][0].xyzw\nret\n"},
    // the vertices that are emitted, and their components
    {"", "gs_4_0\ndcl_inputprimitive point\ndcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_maxout 256\nret\n"},
    {"program.limit", "gs_4_0\ndcl_inputprimitive point\ndcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_maxout 257\nret\n"},
    {"", "gs_4_0\ndcl_inputprimitive point\ndcl_maxout 1024\ndcl_output o0.x\nret\n"},
    {"program.limit", "gs_4_0\ndcl_inputprimitive point\ndcl_maxout 1024\ndcl_output o0.x\ndcl_output o1.w\nret\n"},
    {"",
     "gs_5_0\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_stream m1\n"
     "dcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_maxout 256\nret\n"},
    {"geometry.streams",
     "gs_5_0\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_stream m1\n"
     "dcl_outputtopology linestrip\ndcl_output o0.xyzw\ndcl_maxout 4\nret\n"},
    {"geometry.streams",
     "gs_5_0\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology trianglestrip\ndcl_output o0.xyzw\ndcl_stream m3\n"
     "dcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_maxout 4\nret\n"},
    {"", "gs_5_0\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology trianglestrip\ndcl_output o0.xyzw\ndcl_maxout 4\nret\n"},
    {"", "gs_5_0\ndcl_inputprimitive point\ndcl_stream m2\ndcl_outputtopology linestrip\ndcl_output o0.xyzw\ndcl_maxout 4\nret\n"},
    // primitives of a domain
    {"hull.output-primitive",
     "hs_5_0\nhs_decls\ndcl_input_control_point_count 2\ndcl_output_control_point_count 3\ndcl_tessellator_output_primitive output_line\n"
     "dcl_tessellator_partitioning partitioning_integer\ndcl_tessellator_domain domain_tri\nhs_fork_phase\nret\n"},
    // the depth
    {"", "ps_5_0\ndcl_output oDepth\nmov oDepth, l(0)\nret\n"},
    {"register.depth", "ps_5_0\ndcl_output oDepth\ndcl_output oDepthGE\nmov oDepth, l(0)\nret\n"},
    {"register.depth", "ps_5_0\ndcl_output oDepthLE\ndcl_output oDepthGE\nret\n"},
    {"register.redeclared", "ps_5_0\ndcl_output oDepthLE\ndcl_output oDepthLE\nret\n"},
    {"", "ps_5_0\ndcl_output oDepthLE\ndcl_output oMask\nret\n"},
    // components of single registers
    {"register.components", "cs_5_0\ndcl_input vThreadID.xyzw\ndcl_thread_group 4, 1, 1\nret\n"},
    {"register.components", "cs_5_0\ndcl_input vThreadGroupID.w\ndcl_thread_group 4, 1, 1\nret\n"},
    {"register.components", "cs_5_0\ndcl_input vThreadIDInGroup.zw\ndcl_thread_group 4, 1, 1\nret\n"},
    {"", "cs_5_0\ndcl_input vThreadID.xyz\ndcl_temps 1\ndcl_thread_group 4, 1, 1\nmov r0.xyz, vThreadID.xyzw\nret\n"},
    {"register.components", "cs_5_0\ndcl_input vThreadID.xyz\ndcl_temps 1\ndcl_thread_group 4, 1, 1\nmov r0.x, vThreadID.w\nret\n"},
    {"register.components", "cs_5_0\ndcl_input vThreadID.xy\ndcl_temps 1\ndcl_thread_group 4, 1, 1\nmov r0.x, vThreadID.z\nret\n"},
    {"",
     "cs_5_0\ndcl_input vThreadIDInGroupFlattened\ndcl_temps 1\ndcl_thread_group 4, 1, 1\nmov r0.x, vThreadIDInGroupFlattened.x\nret\n"},
    {"register.components",
     "cs_5_0\ndcl_input vThreadIDInGroupFlattened\ndcl_temps 1\ndcl_thread_group 4, 1, 1\nmov r0.x, vThreadIDInGroupFlattened.y\nret\n"},
    {"", "gs_5_0\ndcl_input vGSInstanceID\ndcl_temps 1\ndcl_inputprimitive point\ndcl_maxout 1\nmov r0.x, vGSInstanceID.x\nret\n"},
    {"register.components",
     "gs_5_0\ndcl_input vGSInstanceID\ndcl_temps 1\ndcl_inputprimitive point\ndcl_maxout 1\nmov r0.xy, vGSInstanceID.xyxx\nret\n"},
    {"register.components", "ps_5_0\ndcl_input vCoverage.xy\nret\n"},
    {"", "ds_5_0\ndcl_input_control_point_count 3\ndcl_tessellator_domain domain_tri\ndcl_input vDomain.xyz\nret\n"},
    {"register.components", "ds_5_0\ndcl_input_control_point_count 3\ndcl_tessellator_domain domain_quad\ndcl_input vDomain.xyz\nret\n"},
    {"", "ds_5_0\ndcl_input_control_point_count 3\ndcl_tessellator_domain domain_quad\ndcl_input vDomain.xy\nret\n"},
    // what compute shaders of shader model 4 have less of
    {"", "cs_4_0\ndcl_globalFlags enableRawAndStructuredBuffers\ndcl_uav_raw u0\ndcl_thread_group 768, 1, 1\nret\n"},
    {"register.limit", "cs_4_1\ndcl_globalFlags enableRawAndStructuredBuffers\ndcl_uav_raw u1\ndcl_thread_group 4, 1, 1\nret\n"},
    {"", "cs_5_0\ndcl_uav_raw u1\ndcl_thread_group 4, 1, 64\nret\n"},
    {"program.limit", "cs_5_0\ndcl_thread_group 4, 1, 65\nret\n"},
    {"", "cs_4_0\ndcl_thread_group 1, 1, 2\nret\n"},
    {"program.limit", "cs_4_1\ndcl_thread_group 769, 1, 1\nret\n"},
};

}  // namespace

std::span<const TextCase> program_cases() { return kPrograms; }

}  // namespace unshade::test

namespace unshade::dxbc {
namespace {

std::vector<Diagnostic> stage_findings(std::string_view text) {
  const auto made = assemble(text);
  for (const auto& message : made.messages) ADD_FAILURE() << to_string(message) << "\n" << text;
  const auto container = dxcontainer::parse_container(View(made.file));
  if (!container) return {};
  Findings findings(made.file.size());
  validate::check_parts(*container, false, findings);
  return findings.take();
}

std::set<std::string> stage_ids(std::string_view text, bool with_signatures) {
  std::set<std::string> found;
  for (const Diagnostic& d : stage_findings(text))
    if (with_signatures || !d.rule->id.starts_with("signature.")) found.emplace(d.rule->id);
  return found;
}

using Ids = std::set<std::string>;

TEST(DxbcStageTest, EachProgramBreaksItsRuleAlone) {
  for (const test::TextCase& c : test::program_cases()) {
    Ids expected;
    if (!c.id.empty()) expected.emplace(c.id);
    EXPECT_EQ(stage_ids(c.body, false), expected) << c.body;
  }
}

TEST(DxbcStageTest, FindingsAtTheEndAreAtTheirDeclaration) {
  const auto vertices = stage_findings("gs_4_0\ndcl_temps 1\ndcl_inputprimitive point\ndcl_input v[2][0].xyzw\ndcl_maxout 1\nret\n");
  const auto found = std::ranges::find(vertices, "register.vertices", [](const Diagnostic& d) { return d.rule->id; });
  ASSERT_NE(found, vertices.end());
  EXPECT_EQ(found->path, "SHDR/instructions[2]/operands[0]");
  const auto limits = stage_findings("gs_4_0\ndcl_inputprimitive point\ndcl_maxout 1024\ndcl_output o0.xy\ndcl_temps 1\nret\n");
  const auto limit = std::ranges::find(limits, "program.limit", [](const Diagnostic& d) { return d.rule->id; });
  ASSERT_NE(limit, limits.end());
  EXPECT_EQ(limit->path, "SHDR/instructions[1]");
}

TEST(DxbcStageTest, DomainsGiveTheirOwnPrimitives) {
  const auto broken = [](std::string_view domain, std::string_view output) {
    return stage_ids("hs_5_0\nhs_decls\ndcl_input_control_point_count 2\ndcl_output_control_point_count 3\ndcl_tessellator_domain domain_" +
                         std::string(domain) +
                         "\ndcl_tessellator_partitioning partitioning_integer\ndcl_tessellator_output_primitive output_" +
                         std::string(output) + "\nhs_fork_phase\nret\n",
                     false);
  };
  const Ids none, wrong{"hull.output-primitive"};
  EXPECT_EQ(broken("isoline", "point"), none);
  EXPECT_EQ(broken("isoline", "line"), none);
  EXPECT_EQ(broken("isoline", "triangle_cw"), wrong);
  EXPECT_EQ(broken("isoline", "triangle_ccw"), wrong);
  for (const std::string_view domain : {"tri", "quad"}) {
    EXPECT_EQ(broken(domain, "point"), none);
    EXPECT_EQ(broken(domain, "line"), wrong);
    EXPECT_EQ(broken(domain, "triangle_cw"), none);
    EXPECT_EQ(broken(domain, "triangle_ccw"), none);
  }
}

TEST(DxbcStageTest, PatchesHaveTheDeclaredControlPoints) {
  const auto broken = [](std::string_view declaration) {
    return stage_ids(
        "hs_5_0\nhs_decls\ndcl_input_control_point_count 2\ndcl_output_control_point_count 3\ndcl_tessellator_domain domain_tri\n"
        "dcl_tessellator_partitioning partitioning_integer\ndcl_tessellator_output_primitive output_point\nhs_fork_phase\n" +
            std::string(declaration) + "\nret\n",
        false);
  };
  const Ids none, wrong{"register.vertices"};
  EXPECT_EQ(broken("dcl_input vicp[2][0].xyzw"), none);
  EXPECT_EQ(broken("dcl_input vicp[3][0].xyzw"), wrong);
  EXPECT_EQ(broken("dcl_input vocp[3][0].xyzw"), none);
  EXPECT_EQ(broken("dcl_input vocp[4][0].xyzw"), wrong);
}

TEST(DxbcStageTest, OutputsWithoutRegistersHaveTheirElement) {
  struct Output {
    std::string_view reg, semantic, value;
  };
  constexpr Output kOutputs[] = {
      {"oDepth", "SV_Depth", "DEPTH"},      {"oDepthGE", "SV_DepthGreaterEqual", "DEPTHGE"}, {"oDepthLE", "SV_DepthLessEqual", "DEPTHLE"},
      {"oMask", "SV_Coverage", "COVERAGE"}, {"oStencilRef", "SV_StencilRef", "STENCILREF"},
  };
  for (const Output& declared : kOutputs) {
    const std::string code = "ps_5_0\ndcl_output " + std::string(declared.reg) + "\nmov " + std::string(declared.reg) + ", l(0)\nret\n";
    EXPECT_EQ(stage_ids(code, true).count("signature.missing"), 1U) << declared.reg;
    for (const Output& given : kOutputs) {
      const std::string text =
          "// Output signature:\n//\n// Name Index Mask Register SysValue Format Used\n// ---- ----- ---- -------- -------- ------ "
          "----\n// " +
          std::string(given.semantic) + " 0 N/A " + std::string(given.reg) + " " + std::string(given.value) + " float YES\n//\n" + code;
      EXPECT_EQ(stage_ids(text, true).count("signature.element-missing"), declared.reg == given.reg ? 0U : 1U) << text;
    }
  }
}

}  // namespace
}  // namespace unshade::dxbc
