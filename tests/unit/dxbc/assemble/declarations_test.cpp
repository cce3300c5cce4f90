// Each declaration as the listing spells it, read and listed again.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/program.hpp>

namespace unshade::dxbc {
namespace {

struct Spelled {
  std::string_view profile;
  std::string_view text;
};
constexpr Spelled kSpelled[] = {
    {"ps_5_0", "dcl_resource_texture2d (float,float,float,float) t0"},
    {"ps_5_0", "dcl_resource_texture2dms(4) (uint,uint,uint,uint) t1"},
    {"ps_5_1", "dcl_resource_texture3d (unorm,unorm,unorm,unorm) T0[2:*], space=3"},
    {"ps_5_0", "dcl_constantbuffer CB0[4], immediateIndexed"},
    {"ps_5_1", "dcl_constantbuffer CB0[1:2][4], dynamicIndexed, space=3"},
    {"ps_5_0", "dcl_sampler s0, mode_comparison"},
    {"ps_5_1", "dcl_sampler S0[1:1], mode_default, space=0"},
    {"ps_5_0", "dcl_indexrange v1.xyzw 3"},
    {"gs_5_0", "dcl_outputtopology trianglestrip "},
    {"gs_5_0", "dcl_inputprimitive triangleadj "},
    {"gs_5_0", "dcl_maxout 7"},
    {"vs_5_0", "dcl_input v0.xyz"},
    {"vs_5_0", "dcl_input_sgv v1.x, vertex_id"},
    {"ds_5_0", "dcl_input_siv vpc0.x, finalTriUeq0EdgeTessFactor"},
    {"ps_5_0", "dcl_input_ps linear noperspective v1.xy"},
    {"ps_5_0", "dcl_input_ps linear v2.xy {min16f}"},
    {"ps_5_0", "dcl_input_ps_sgv constant v3.x, primitive_id"},
    {"ps_5_0", "dcl_input_ps_siv linear noperspective v0.xy, position"},
    {"ps_5_0", "dcl_output o0.xyzw"},
    {"vs_5_0", "dcl_output_sgv o1.x, unknown(77)"},
    {"vs_5_0", "dcl_output_siv o0.xyzw, position"},
    {"ps_5_0", "dcl_temps 3"},
    {"ps_5_0", "dcl_indexableTemp x1[8], 4"},
    {"ps_5_0", "dcl_globalFlags refactoringAllowed | allResourcesBound | unknown(4096)"},
    {"ps_5_0", "dcl_globalFlags"},
    {"gs_5_0", "dcl_stream m1"},
    {"ps_5_0", "dcl_function_body fb3"},
    {"ps_5_0", "dcl_function_table ft1 = {fb0, fb2}"},
    {"ps_5_0", "dcl_interface fp0[1][2] = {}"},
    {"ps_5_0", "dcl_interface_dynamicindexed fp2[3][1] = {ft0, ft1}"},
    {"hs_5_0", "dcl_input_control_point_count 3"},
    {"hs_5_0", "dcl_output_control_point_count 4"},
    {"hs_5_0", "dcl_tessellator_domain domain_tri"},
    {"hs_5_0", "dcl_tessellator_partitioning partitioning_fractional_odd"},
    {"hs_5_0", "dcl_tessellator_output_primitive output_triangle_cw"},
    {"hs_5_0", "dcl_hs_max_tessfactor l(64.000000)"},
    {"hs_5_0", "dcl_hs_fork_phase_instance_count 3"},
    {"hs_5_0", "dcl_hs_join_phase_instance_count 2"},
    {"cs_5_0", "dcl_thread_group 8, 4, 1"},
    {"cs_5_0", "dcl_uav_typed_buffer_glc_rov (sint,sint,sint,sint) u1"},
    {"cs_5_0", "dcl_uav_raw_glc u0"},
    {"cs_5_1", "dcl_uav_structured_opc U0[0:3], 16, space=1"},
    {"cs_5_0", "dcl_tgsm_raw g0, 64"},
    {"cs_5_0", "dcl_tgsm_structured g1, 4, 32"},
    {"ps_5_1", "dcl_resource_raw T1[1:1], space=2"},
    {"ps_5_1", "dcl_resource_structured T1[1:1], 48, space=2"},
    {"ps_5_0", "dcl_resource_structured t1, 48"},
    {"gs_5_0", "dcl_gsinstances 2"},
};

TEST(DxbcDeclarations, AreListedAsTheyAreRead) {
  std::set<std::uint32_t> seen;
  for (const Spelled& spelled : kSpelled) {
    const auto assembly = assemble_program(std::string(spelled.profile) + '\n' + std::string(spelled.text) + '\n');
    ASSERT_TRUE(assembly.ok) << spelled.text << ": " << to_string(assembly.messages[0]);
    std::vector<std::byte> bytes;
    for (const std::uint32_t token : assembly.tokens)
      for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(token >> (8 * i)));
    Program program;
    program.tokens = View(bytes);
    program.major = 5;
    program.minor = static_cast<std::uint8_t>(assembly.tokens[0] & 0xf);
    Decoder decoder(program);
    Instruction instruction;
    ASSERT_TRUE(decoder.next(instruction)) << spelled.text;
    Text out;
    list_instruction(instruction, program, out);
    EXPECT_EQ(out.str(), spelled.text);
    EXPECT_TRUE(decoder.at_end());
    seen.insert(instruction.code);
  }
  for (std::uint32_t code = 0; code < opcode_table().size(); ++code)
    EXPECT_EQ(seen.contains(code), opcode_table()[code].counted == Counted::dcl) << opcode_table()[code].text;
}

TEST(DxbcDeclarations, SayWhatTheyExpect) {
  const auto message = [](std::string_view statement, std::string_view profile) {
    const auto assembly = assemble_program(std::string(profile) + '\n' + std::string(statement) + '\n');
    return assembly.messages.empty() ? std::string() : to_string(assembly.messages[0]);
  };
  const auto has = [&](std::string_view statement, std::string_view expected, std::string_view profile = "ps_5_1") {
    const std::string said = message(statement, profile);
    EXPECT_NE(said.find(expected), std::string::npos) << statement << ": " << said;
  };
  has("dcl_indexableTemp x1[y], 4", "a number of registers");
  has("dcl_indexableTemp x1[8], y", "a number of components");
  has("dcl_uav_structured U0[0:0], y", "a stride in bytes");
  has("dcl_constantbuffer CB0[0:0][y], immediateIndexed", "a size in registers");
  has("dcl_constantbuffer CB0[0:0][1], neverIndexed", "immediateIndexed or dynamicIndexed");
  has("dcl_temps y", "a number");
  has("dcl_input_control_point_count 64", "a number of control points of at most 63", "hs_5_0");
  has("dcl_tessellator_output_primitive y", "an output primitive", "hs_5_0");
  has("dcl_tessellator_domain y", "a domain", "hs_5_0");
  has("dcl_interface fp0[65536][1] = {}", "the length of an array of at most 65535");
  has("dcl_uav_raw_new U0[0:0]", "no more suffix");
}

}  // namespace
}  // namespace unshade::dxbc
