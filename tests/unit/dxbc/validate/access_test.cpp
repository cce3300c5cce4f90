// Instructions against the resources that they access, their components, and what is written before it is read.
#include <gtest/gtest.h>

#include <set>
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

std::string compute_program(std::string_view body) {
  std::string text = R"(cs_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2dms(4) (float,float,float,float) t1
dcl_resource_buffer (float,float,float,float) t2
dcl_resource_texture3d (float,float,float,float) t3
dcl_resource_texturecube (float,float,float,float) t4
dcl_resource_raw t5
dcl_resource_structured t6, 16
dcl_resource_texture2darray (float,float,float,float) t7
dcl_uav_raw u0
dcl_uav_structured u1, 16
dcl_uav_typed_texture2d (float,float,float,float) u2
dcl_uav_typed_buffer (uint,uint,uint,uint) u3
dcl_uav_structured_opc u4, 16
dcl_input vThreadID.xyz
dcl_temps 8
dcl_indexableTemp x0[4], 4
dcl_tgsm_raw g0, 64
dcl_tgsm_structured g1, 16, 4
dcl_thread_group 4, 1, 1
mov r0.xyzw, l(0,0,0,0)
)";
  text += body;
  text += "\nret\n";
  return text;
}

namespace {

constexpr TextCase kCases[] = {
    // resources and their dimensions
    {"", "sample_l r1.xyzw, r0.xyxx, t0.xyzw, s0, l(0)"},
    {"", "sample_l(1,0,0) r1.xyzw, r0.xyzx, t3.xyzw, s0, r0.x"},
    {"register.dimension", "sample_l r1.xyzw, r0.xyxx, t1.xyzw, s0, l(0)"},
    {"register.dimension", "sample_l r1.xyzw, r0.xyxx, t2.xyzw, s0, l(0)"},
    {"register.kind", "sample_l r1.xyzw, r0.xyxx, t5.xyzw, s0, l(0)"},
    {"", "sample_c_lz r1.x, r0.xyzx, t4.xxxx, s1, l(0)"},
    {"register.dimension", "sample_c_lz r1.x, r0.xyzx, t3.xxxx, s1, l(0)"},
    {"", "ld r1.xyzw, r0.xyzw, t3.xyzw"},
    {"", "ld r1.xyzw, r0.xxxx, t2.xyzw"},
    {"register.dimension", "ld r1.xyzw, r0.xyzw, t1.xyzw"},
    {"register.dimension", "ld r1.xyzw, r0.xyzw, t4.xyzw"},
    {"", "ldms r1.xyzw, r0.xyzw, t1.xyzw, l(0)"},
    {"register.dimension", "ldms r1.xyzw, r0.xyzw, t0.xyzw, l(0)"},
    {"", "gather4 r1.xyzw, r0.xyzx, t4.xyzw, s0.x"},
    {"register.dimension", "gather4 r1.xyzw, r0.xyzx, t3.xyzw, s0.x"},
    {"", "gather4_po r1.xyzw, r0.xyzx, l(1,2,0,0), t7.xyzw, s0.x"},
    {"register.dimension", "gather4_po r1.xyzw, r0.xyzx, l(1,2,0,0), t4.xyzw, s0.x"},
    {"", "resinfo r1.xyzw, l(0), t1.xyzw"},
    {"", "resinfo r1.xyzw, l(0), u2.xyzw"},
    {"register.dimension", "resinfo r1.xyzw, l(0), t2.xyzw"},
    {"register.kind", "resinfo r1.xyzw, l(0), t6.xyzw"},
    {"", "bufinfo r1.x, t2.xyzw"},
    {"", "bufinfo r1.x, u1.xyzw"},
    {"register.dimension", "bufinfo r1.x, t0.xyzw"},
    {"", "sampleinfo r1.x, t1.xyzw"},
    {"register.dimension", "sampleinfo r1.x, t0.xyzw"},
    {"register.dimension", "samplepos r1.xy, t0.xyzw, l(0)"},
    {"register.kind", "ld_uav_typed r1.xyzw, r0.xyzw, u0.xyzw"},
    {"", "ld_uav_typed r1.xyzw, r0.xyzw, u2.xyzw"},
    {"register.kind", "ld_raw r1.x, r0.x, g1.xxxx"},
    {"register.kind", "store_structured g0.x, r0.x, l(0), r0.x"},
    {"register.kind", "imm_atomic_alloc r1.x, u0"},
    {"", "atomic_iadd u3, r0.xxxx, l(1)"},
    {"", "atomic_iadd g1, r0.xyxx, l(1)"},
    {"register.return-type", "atomic_iadd u2, r0.xyxx, l(1)"},
    // what the instruction states of the resource
    {"", "ld_indexable(texture2d)(float,float,float,float) r1.xyzw, r0.xyzw, t0.xyzw"},
    {"", "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r1.x, r0.x, l(0), t6.xxxx"},
    {"instruction.resource", "ld_indexable(texture3d)(float,float,float,float) r1.xyzw, r0.xyzw, t0.xyzw"},
    {"instruction.resource", "ld_indexable(texture2d)(uint,uint,uint,uint) r1.xyzw, r0.xyzw, t0.xyzw"},
    {"instruction.resource", "ld_structured_indexable(structured_buffer, stride=20)(mixed,mixed,mixed,mixed) r1.x, r0.x, l(0), t6.xxxx"},
    {"instruction.offsets", "sample_l(1,0,0) r1.xyzw, r0.xyzx, t4.xyzw, s0, l(0)"},
    {"instruction.offsets", "ld(1,0,0) r1.xyzw, r0.xyzw, t2.xyzw"},
    {"instruction.offsets", "gather4_po(1,0,0) r1.xyzw, r0.xyzx, l(1,2,0,0), t0.xyzw, s0.x"},
    {"instruction.offsets", "ld_uav_typed(1,0,0) r1.xyzw, r0.xyzw, u2.xyzw"},
    // components
    {"", "store_uav_typed u2.xyzw, r0.xyxx, r0.xyzw"},
    {"operand.mask", "store_uav_typed u2.x, r0.xyxx, r0.xyzw"},
    {"operand.mask", "store_uav_typed u2.xyz, r0.xyxx, r0.xyzw"},
    {"", "store_raw u0.xyz, r0.x, r0.xyzx"},
    {"operand.mask", "store_raw u0.xz, r0.x, r0.xyzx"},
    {"operand.mask", "store_raw u0.y, r0.x, r0.xyzx"},
    {"operand.mask", "store_structured u1.xw, r0.x, l(0), r0.xyzw"},
    {"operand.mask", "store_structured g1.yzw, r0.x, l(0), r0.xyzw"},
    {"", "imm_atomic_iadd r1.y, u0, l(0), l(1)"},
    {"operand.mask", "imm_atomic_iadd r1.xy, u0, l(0), l(1)"},
    {"operand.mask", "imm_atomic_cmp_exch r1.xyzw, u0, l(0), l(1), l(2)"},
    {"operand.mask", "imm_atomic_consume r1.xy, u4"},
    {"operand.scalar", "store_raw u0.x, r0.xyxx, l(1)"},
    {"operand.scalar", "store_raw u0.x, l(0,0,0,0), l(1)"},
    {"operand.scalar", "ld_structured r1.x, r0.xyxx, l(0), t6.xxxx"},
    {"operand.scalar", "sample_l r1.xyzw, r0.xyxx, t0.xyzw, s0, r0.xyxx"},
    {"operand.scalar", "ldms r1.xyzw, r0.xyzw, t1.xyzw, r0.xyzw"},
    {"operand.scalar", "atomic_iadd u0, r0.x, r0.xyzw"},
    {"operand.scalar", "if_nz r0.xyzw\nendif"},
    {"", "if_nz r0.xxxx\nendif"},
    {"", "gather4 r1.xyzw, r0.xyxx, t0.xyzw, s0.w"},
    {"", "gather4_c r1.xyzw, r0.xyxx, t0.xyzw, s1.x, r0.x"},
    {"", "gather4_po_c r1.xyzw, r0.xyxx, l(1,2,0,0), t0.xyzw, s1.x, r0.x"},
    {"operand.scalar", "gather4 r1.xyzw, r0.xyxx, t0.xyzw, s0"},
    {"operand.scalar", "gather4 r1.xyzw, r0.xyxx, t0.xyzw, s0.xy"},
    {"operand.scalar", "gather4 r1.xyzw, r0.xyxx, t0.xyzw, s0.xxxx"},
    {"operand.scalar", "gather4_c r1.xyzw, r0.xyxx, t0.xyzw, s1, r0.x"},
    {"operand.scalar", "gather4_po r1.xyzw, r0.xyxx, l(1,2,0,0), t0.xyzw, s0"},
    {"operand.scalar", "gather4_po_c r1.xyzw, r0.xyxx, l(1,2,0,0), t0.xyzw, s1, r0.x"},
    {"operand.scalar", "gather4_statusk r1.xyzw, r2.x, r0.xyxx, t0.xyzw, s0"},
    {"operand.scalar", "gather4_po_c_status r1.xyzw, r2.x, r0.xyxx, l(1,2,0,0), t0.xyzw, s1, r0.x"},
    // modifiers
    {"", "add r1.x, -|r0.y|, |r0.z|"},
    {"", "movc r1.x, r0.y, -r0.z, |r0.w|"},
    {"operand.modifier", "movc r1.x, -r0.y, r0.z, r0.w"},
    {"", "iadd r1.x, -r0.y, -r0.z"},
    {"operand.modifier", "iadd r1.x, |r0.y|, r0.z"},
    {"operand.modifier", "imul null, r1.x, -|r0.y|, r0.z"},
    {"operand.modifier", "umul null, r1.x, -r0.y, r0.z"},
    {"operand.modifier", "and r1.x, -r0.x, r0.y"},
    {"operand.modifier", "ishl r1.x, |r0.y|, r0.z"},
    {"", "itof r1.x, -r0.y"},
    {"operand.modifier", "itof r1.x, |r0.y|"},
    {"operand.modifier", "utof r1.x, -r0.y"},
    {"operand.modifier", "sample_l r1.xyzw, -r0.xyxx, t0.xyzw, s0, l(0)"},
    {"operand.modifier", "ld r1.xyzw, r0.xyzw, -t3.xyzw"},
    {"operand.modifier", "store_raw u0.x, r0.x, -r0.y"},
    {"operand.modifier", "if_nz -r0.x\nendif"},
    {"operand.modifier", "mov r1.x, x0[-r0.x].x"},
    // counters
    {"", "imm_atomic_alloc r1.x, u4\nimm_atomic_alloc r1.x, u4"},
    {"register.counter", "imm_atomic_alloc r1.x, u4\nimm_atomic_consume r1.x, u4"},
    // flow
    {"flow.break", "break"},
    {"flow.break", "switch r0.x\ndefault\ncontinue\nbreak\nendswitch"},
    {"flow.case", "case l(1)"},
    {"flow.case", "switch r0.x\ndefault\nbreak\ndefault\nbreak\nendswitch"},
    {"flow.case-duplicate", "switch r0.x\ncase l(7)\ncase l(8)\ncase l(7)\nbreak\nendswitch"},
    {"flow.mismatch", "endif"},
    {"flow.mismatch", "if_nz r0.x\nelse\nelse\nendif"},
    {"flow.switch-entry", "switch r0.x\nmov r1.x, r0.x\nendswitch"},
    {"flow.case-fallthrough", "switch r0.x\ncase l(0)\nmov r1.x, l(1)\ncase l(1)\nbreak\nendswitch"},
    {"flow.case-fallthrough", "switch r0.x\ncase l(0)\nif_nz r0.y\nbreak\nendif\ndefault\nbreak\nendswitch"},
    {"flow.case-fallthrough", "switch r0.x\ncase l(0)\nbreakc_nz r0.y\ndefault\nbreak\nendswitch"},
    {"", "switch r0.x\ncase l(0)\ncase l(1)\nmov r1.x, l(1)\nbreak\ndefault\nendswitch"},
    {"", "switch r0.x\ncase l(0)\nif_nz r0.y\nbreak\nelse\nret\nendif\ndefault\nbreak\nendswitch"},
    {"", "switch r0.x\ncase l(0)\nloop\nret\nendloop\ndefault\nbreak\nendswitch"},
    // what is written before it is read
    {"register.unwritten", "mov r2.x, r1.x"},
    {"register.unwritten", "mov r1.x, l(1)\nmov r2.xy, r1.xyxx"},
    {"register.unwritten", "mov r1.x, r1.x"},
    {"register.unwritten", "if_nz r0.x\nmov r1.x, l(1)\nelse\nmov r2.x, r1.x\nendif"},
    {"register.unwritten", "loop\nbreakc_nz r1.x\nmov r2.x, l(1)\nendloop"},
    {"register.unwritten", "mov x0[r1.x].x, l(1)"},
    {"register.unwritten", "dp3 r2.x, r1.xyzx, r0.xyzx"},
    {"register.unwritten", "mov r1.xy, l(0,0,0,0)\ndp3 r2.x, r1.xyzx, r0.xyzx"},
    {"register.unwritten", "mov r1.x, l(0)\nstore_raw u0.xy, l(0), r1.xyxx"},
    {"register.unwritten", "mov r1.x, l(0)\nld r2.x, r1.xyyy, t0.xyzw"},
    {"register.unwritten", "mov r1.xyz, l(0,0,0,0)\nld r2.x, r1.xyzw, t0.xyzw"},
    {"register.unwritten", "loop\nmov r1.x, l(1)\nbreak\nendloop\nloop\nmov r2.x, r3.x\nbreak\nendloop\nmov r3.x, l(1)"},
    {"register.unwritten", "switch r0.x\ncase l(0)\nmov r1.x, l(1)\nbreak\ndefault\nmov r2.x, r1.x\nbreak\nendswitch"},
    {"register.unwritten", "if_nz r0.x\nmov r1.x, l(1)\nret\nendif\nmov r2.x, r1.x"},
    {"register.unwritten", "call l0\nmov r2.x, r1.x\nret\nlabel l0\nmov r3.x, l(1)"},
    {"", "mov r1.x, l(0)\nsample_l r2.xyzw, r0.xyzw, t0.xyzw, s0, r1.x"},
    {"", "mov r1.xy, l(0,0,0,0)\nsample_l r2.xyzw, r1.xyzw, t0.xyzw, s0, l(0)"},
    {"", "mov r1.xy, l(0,0,0,0)\nldms r2.xyzw, r1.xyzw, t1.xyzw, l(0)"},
    {"", "mov r1.x, l(0)\nld r2.xyzw, r1.xyzw, t2.xyzw"},
    {"", "if_nz r0.x\nmov r1.x, l(1)\nendif\nmov r2.x, r1.x"},
    {"", "if_nz r0.x\nmov r1.x, l(1)\nelse\nret\nendif\nmov r2.x, r1.x"},
    {"", "loop\nif_nz r0.x\nmov r2.x, r1.x\nbreak\nendif\nmov r1.x, l(1)\nendloop"},
    {"", "loop\nloop\nbreakc_nz r1.x\nmov r0.x, l(1)\nendloop\nmov r1.x, l(1)\nbreakc_nz r0.x\nendloop"},
    {"", "ret\nmov r2.x, r1.x"},
    {"", "loop\nmov r1.x, l(1)\nbreak\nendloop\nmov r2.x, r1.x"},
    {"", "switch r0.x\ncase l(0)\nmov r1.x, l(1)\nbreak\nendswitch\nmov r2.x, r1.x"},
    {"", "call l0\nmov r2.x, r1.x\nret\nlabel l0\nmov r1.x, l(1)"},
    {"", "imul null, r1.x, r0.x, r0.y\nmov r2.x, r1.x"},
    {"", "mov r1.x, l(0)\nmov r2.xyzw, r1.xxxx"},
};

}  // namespace

std::span<const TextCase> text_cases() { return kCases; }

}  // namespace unshade::test

namespace unshade::dxbc {
namespace {

std::vector<Diagnostic> findings_in(std::string_view text) {
  const auto made = assemble(text);
  for (const auto& message : made.messages) ADD_FAILURE() << to_string(message) << "\n" << text;
  const auto container = dxcontainer::parse_container(View(made.file));
  if (!container) return {};
  Findings findings(made.file.size());
  validate::check_parts(*container, false, findings);
  return findings.take();
}

std::set<std::string> broken_ids(const std::vector<Diagnostic>& findings) {
  std::set<std::string> found;
  for (const Diagnostic& d : findings) found.emplace(d.rule->id);
  return found;
}

TEST(DxbcAccessTest, EachProgramBreaksItsRuleAlone) {
  for (const test::TextCase& c : test::text_cases()) {
    std::set<std::string> expected;
    if (!c.id.empty()) expected.emplace(c.id);
    EXPECT_EQ(broken_ids(findings_in(test::compute_program(c.body))), expected) << c.body;
  }
}

TEST(DxbcAccessTest, CasesOfShaderModel4MayContinue) {
  EXPECT_TRUE(findings_in(R"(gs_4_0
dcl_inputprimitive point
dcl_outputtopology pointlist
dcl_maxout 1
dcl_temps 2
mov r0.x, l(0)
switch r0.x
case l(0)
mov r1.x, l(1)
case l(1)
break
endswitch
ret
)")
                  .empty());
}

std::string pixel_program(std::string_view body) {
  std::string text = R"(ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps_siv linear noperspective v0.xyzw, position
dcl_input_ps linear v1.xyzw
dcl_input_ps constant v2.xyzw
dcl_input vCoverage.x
dcl_output o0.xyzw
dcl_temps 2
mov r0.xyzw, l(0,0,0,0)
mov o0.xyzw, r0.xyzw
)";
  text += body;
  text += "\nret\n";
  return text;
}

// Programs without signatures: what is found in the program alone.
std::set<std::string> broken_in_program(std::string_view text) {
  std::set<std::string> found = broken_ids(findings_in(text));
  std::erase_if(found, [](const std::string& id) { return id.starts_with("signature."); });
  return found;
}

TEST(DxbcAccessTest, OnlyInputsAreEvaluatedElsewhere) {
  constexpr test::TextCase kEvaluations[] = {
      {"", "eval_centroid r1.xyzw, v1.wzyx"},
      {"", "eval_sample_index r1.x, v2.x, r0.x"},
      {"", "eval_snapped r1.xy, v1.xyxx, l(1,2,0,0)"},
      {"operand.kind", "eval_centroid r1.x, r0.x"},
      {"operand.kind", "eval_centroid r1.x, vCoverage.x"},
      {"operand.kind", "eval_sample_index r1.x, r0.x, l(0)"},
      {"operand.kind", "eval_snapped r1.x, l(1.0), l(0,0,0,0)"},
      {"operand.kind", "eval_snapped r1.x, v0.x, l(0,0,0,0)"},
      {"operand.modifier", "eval_centroid r1.x, -v1.x"},
      {"register.undeclared", "eval_centroid r1.x, v3.x"},
  };
  for (const test::TextCase& c : kEvaluations) {
    std::set<std::string> expected;
    if (!c.id.empty()) expected.emplace(c.id);
    EXPECT_EQ(broken_in_program(pixel_program(c.body)), expected) << c.body;
  }
}

TEST(DxbcAccessTest, ProgramsNameOnlyWhatTheirShaderModelHas) {
  constexpr std::string_view kTexture = "dcl_resource_texture2d (float,float,float,float) t0";
  constexpr std::string_view kSamples = "dcl_resource_texture2dms(4) (float,float,float,float) t0";
  constexpr std::string_view kGathered = "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0";
  struct ModelCase {
    std::string_view stage;
    std::string_view lacks;  ///< the last shader model without it
    std::string_view has;    ///< the first with it
    std::string_view id;
    std::string_view declarations;
    std::string_view code;
  };
  constexpr ModelCase kModels[] = {
      {"ps", "4_0", "4_1", "instruction.model", "dcl_resource_texturecubearray (float,float,float,float) t0", ""},
      {"ps", "4_0", "4_1", "instruction.model", "dcl_resource_texture2dms(0) (float,float,float,float) t0", ""},
      {"ps", "4_0", "4_1", "instruction.model", "dcl_input_ps linear sample v1.xyzw", ""},
      {"ps", "4_0", "4_1", "instruction.model", "dcl_input_ps_sgv constant v1.x, sampleIndex", ""},
      {"ps", "4_0", "4_1", "operand.model", "dcl_output oMask", ""},
      {"ps", "4_1", "5_0", "operand.model", "dcl_input vCoverage.x", ""},
      {"ps", "4_1", "5_0", "operand.model", "dcl_output oDepthGE", ""},
      {"gs", "4_1", "5_0", "instruction.model", "dcl_inputprimitive patch3", ""},
      {"ps", "4_0", "4_1", "instruction.model", kSamples, "ldms r0.xyzw, l(0,0,0,0), t0.xyzw, r0.x"},
      {"vs", "4_0", "4_1", "instruction.model", kSamples, "ldms r0.xyzw, l(0,0,0,0), t0.xyzw, l(0)"},
      {"ps", "4_1", "5_0", "instruction.model", kTexture, "ld_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,0), t0.xyzw"},
      {"ps", "4_1", "5_0", "instruction.model", kGathered, "gather4 r0.xyzw, l(0,0,0,0), t0.xyzw, s0.y"},
      {"ps", "4_1", "5_0", "instruction.model", "", "mul [precise(x)] r0.x, l(1.0), l(2.0)"},
      {"vs", "4_0", "4_1", "register.limit", "dcl_input v16.xyzw", ""},
      {"vs", "4_0", "4_1", "register.limit", "dcl_output o16.xyzw", ""},
      {"gs", "4_0", "4_1", "register.limit", "dcl_inputprimitive point\ndcl_input v[1][16].xyzw", ""},
  };
  for (const ModelCase& c : kModels) {
    const auto program = [&](std::string_view model) {
      std::string text = std::string(c.stage) + '_' + std::string(model) + '\n' + std::string(c.declarations) + '\n';
      if (c.stage == "gs") text += "dcl_maxout 1\n";
      return text + "dcl_temps 1\nmov r0.x, l(0)\n" + std::string(c.code) + "\nret\n";
    };
    EXPECT_EQ(broken_in_program(program(c.lacks)), std::set<std::string>{std::string(c.id)}) << program(c.lacks);
    EXPECT_EQ(broken_in_program(program(c.has)), std::set<std::string>{}) << program(c.has);
  }
}

TEST(DxbcAccessTest, UavsAreNotCubesOrMultisampled) {
  for (const std::string_view dimension : {"texturecube", "texture2dms", "texturecubearray"}) {
    const std::string text =
        "cs_5_0\ndcl_uav_typed_" + std::string(dimension) + " (float,float,float,float) u0\ndcl_thread_group 1, 1, 1\nret\n";
    EXPECT_EQ(broken_ids(findings_in(text)), std::set<std::string>{"register.dimension"}) << dimension;
  }
}

TEST(DxbcAccessTest, RangesOfShaderModel51AreOfTheirDeclaration) {
  const auto program = [](std::string_view instruction) {
    return "cs_5_1\ndcl_globalFlags refactoringAllowed\ndcl_resource_texture2d (float,float,float,float) T0[2:5], space=1\n"
           "dcl_resource_buffer (float,float,float,float) T1[0:*], space=2\ndcl_sampler S0[0:0], mode_default, space=0\n"
           "dcl_input vThreadID.xyz\ndcl_temps 2\ndcl_thread_group 4, 1, 1\nmov r0.xyzw, vThreadID.xyzz\n" +
           std::string(instruction) + "\nret\n";
  };
  EXPECT_TRUE(findings_in(program("sample_l r1.xyzw, r0.xyxx, T0[r0.x + 2].xyzw, S0[0], l(0)")).empty());
  EXPECT_TRUE(findings_in(program("ld r1.xyzw, r0.xxxx, T1[r0.y].xyzw")).empty());
  EXPECT_EQ(broken_ids(findings_in(program("sample_l r1.xyzw, r0.xyxx, T1[r0.x].xyzw, S0[0], l(0)"))),
            std::set<std::string>{"register.dimension"});
}

TEST(DxbcAccessTest, DoublesArePairs) {
  const auto program = [](std::string_view body) {
    return "cs_5_0\ndcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps\ndcl_temps 4\ndcl_thread_group 4, 1, 1\n"
           "mov r0.xyzw, l(0,0,0,0)\n" +
           std::string(body) + "\nret\n";
  };
  const auto broken = [&](std::string_view body) {
    auto found = broken_ids(findings_in(program(body)));
    found.erase("sfi0.feature-missing");
    return found;
  };
  using Ids = std::set<std::string>;
  EXPECT_EQ(broken("dadd r1.xy, r0.xyxy, r0.zwzw"), Ids{});
  EXPECT_EQ(broken("dadd r1.zw, r0.zwxy, d(1.0, 2.0)"), Ids{});
  EXPECT_EQ(broken("dlt r1.yw, r0.xyzw, r0.zwxy"), Ids{});
  EXPECT_EQ(broken("ftod r1.xyzw, r0.xyxx\ndtof r2.x, r1.zwzw"), Ids{});
  EXPECT_EQ(broken("dadd r1.x, r0.xyxy, r0.zwzw"), Ids{"operand.mask"});
  EXPECT_EQ(broken("dmul r1.yz, r0.xyxy, r0.zwzw"), Ids{"operand.mask"});
  EXPECT_EQ(broken("ftod r1.x, r0.x"), Ids{"operand.mask"});
  EXPECT_EQ(broken("dlt r1.xyz, r0.xyzw, r0.xyzw"), Ids{"operand.mask"});
  EXPECT_EQ(broken("dadd r1.xy, r0.yxyx, r0.zwzw"), Ids{"operand.selection"});
  EXPECT_EQ(broken("dtof r1.x, r0.yzxy"), Ids{"operand.selection"});
  EXPECT_EQ(broken("dmov r1.xy, r2.xyxy"), Ids{"register.unwritten"});
  EXPECT_EQ(broken("mov r1.xy, l(0,0,0,0)\ndtof r2.xy, r1.xyzw"), Ids{"register.unwritten"});
}

TEST(DxbcAccessTest, UnwrittenReadsAreLocated) {
  const auto findings = findings_in(test::compute_program("loop\nmov r2.x, r1.y\nbreakc_nz r2.x\nendloop"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].path, "SHEX/instructions[24]/operands[1]");
  EXPECT_EQ(findings[0].message, "mov: r1.y is not written before");
}

TEST(DxbcAccessTest, PhasesOfHullShadersHaveTempsOfTheirOwn) {
  const auto program = [](std::string_view second) {
    return "hs_5_0\nhs_decls\ndcl_input_control_point_count 1\ndcl_output_control_point_count 1\ndcl_tessellator_domain domain_isoline\n"
           "dcl_tessellator_partitioning partitioning_integer\ndcl_tessellator_output_primitive output_line\n"
           "dcl_globalFlags refactoringAllowed\nhs_fork_phase\ndcl_temps 1\nmov r0.x, l(0)\nret\nhs_fork_phase\ndcl_temps 1\n" +
           std::string(second) + "\nret\n";
  };
  EXPECT_FALSE(broken_ids(findings_in(program("mov r0.x, l(1)\nmov r0.y, r0.x"))).contains("register.unwritten"));
  EXPECT_TRUE(broken_ids(findings_in(program("mov r0.y, r0.x"))).contains("register.unwritten"));
}

}  // namespace
}  // namespace unshade::dxbc
