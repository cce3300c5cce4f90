#include <unshade/dxbc/program/declarations.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxbc/program/facts.hpp>
#include <unshade/dxbc/program/stage_declarations.hpp>

namespace unshade::dxbc::program {
namespace {

using dxcontainer::ResourceKind;

/// A program from text, and what it declares.
class Declared {
 public:
  explicit Declared(std::string_view text) {
    const auto assembly = assemble_program(text);
    EXPECT_TRUE(assembly.ok) << text;
    for (const std::uint32_t token : assembly.tokens)
      for (unsigned i = 0; i < 4; ++i) bytes_.push_back(static_cast<std::byte>(token >> (8 * i)));
    program_.tokens = View(bytes_);
    program_.stage = static_cast<Stage>(assembly.tokens[0] >> 16);
    program_.major = static_cast<std::uint8_t>(assembly.tokens[0] >> 4 & 0xf);
    program_.minor = static_cast<std::uint8_t>(assembly.tokens[0] & 0xf);
  }
  ProgramFacts facts() const { return collect_facts(program_); }
  /// What the last instruction declares.
  DeclaredBinding binding() const {
    Decoder decoder(program_);
    Instruction instruction;
    while (!decoder.at_end()) EXPECT_TRUE(decoder.next(instruction));
    return declared_binding(instruction, program_.is_5_1());
  }

 private:
  std::vector<std::byte> bytes_;
  Program program_;
};

TEST(DxbcStageDeclarations, OfAGeometryShader) {
  const ProgramFacts facts = Declared(
                                 "gs_5_0\ndcl_globalFlags refactoringAllowed | allResourcesBound\ndcl_inputprimitive lineadj\n"
                                 "dcl_stream m0\ndcl_outputtopology linestrip\ndcl_stream m1\ndcl_outputtopology pointlist\n"
                                 "dcl_maxout 6\ndcl_gsinstances 2\nret\n")
                                 .facts();
  EXPECT_EQ(facts.stage.global_flags, 0x101U);
  EXPECT_EQ(facts.stage.input_primitive, dxcontainer::InputPrimitive::line_adjacency);
  EXPECT_EQ(facts.stage.last_topology, dxcontainer::OutputTopology::point_list);
  EXPECT_EQ(facts.stage.topologies.size(), 2U);
  EXPECT_EQ(facts.stage.streams, 3U);
  EXPECT_EQ(facts.stage.max_vertices, 6U);
  EXPECT_EQ(facts.stage.instances, 2U);
  EXPECT_FALSE(facts.stage.thread_group || facts.stage.input_points || facts.stage.max_tess_factor);
  // STAT has the topology of the first stream
  EXPECT_EQ(facts.counted.output_topology, dxcontainer::OutputTopology::line_strip);
  EXPECT_EQ(facts.counted.input_primitive, dxcontainer::InputPrimitive::line_adjacency);
  EXPECT_EQ(facts.counted.max_output_vertex_count, 6U);
  EXPECT_EQ(facts.counted.instance_count, 2U);
}

TEST(DxbcStageDeclarations, OfTessellation) {
  const std::string text =
      "dcl_input_control_point_count 3\ndcl_output_control_point_count 4\ndcl_tessellator_domain domain_quad\n"
      "dcl_tessellator_partitioning partitioning_pow2\ndcl_tessellator_output_primitive output_line\ndcl_hs_max_tessfactor l(16.0)\nret\n";
  const ProgramFacts hull = Declared("hs_5_0\n" + text).facts();
  EXPECT_EQ(hull.stage.input_points, 3U);
  EXPECT_EQ(hull.stage.output_points, 4U);
  EXPECT_EQ(hull.stage.domain, dxcontainer::TessellatorDomain::quad);
  EXPECT_EQ(hull.stage.partitioning, dxcontainer::TessellatorPartitioning::power_of_two);
  EXPECT_EQ(hull.stage.tessellator_output, dxcontainer::TessellatorOutput::line);
  EXPECT_EQ(hull.stage.max_tess_factor, 16.0F);
  EXPECT_EQ(static_cast<unsigned>(hull.counted.input_primitive), 10U);  // a patch of three points
  EXPECT_EQ(hull.counted.control_point_count, 4U);
  const ProgramFacts domain = Declared("ds_5_0\n" + text).facts();
  EXPECT_EQ(domain.counted.control_point_count, 3U);
  EXPECT_EQ(domain.counted.input_primitive, dxcontainer::InputPrimitive::undefined);
}

TEST(DxbcStageDeclarations, OfAComputeShader) {
  const auto group = Declared("cs_5_0\ndcl_thread_group 8, 4, 2\nret\n").facts().stage.thread_group;
  EXPECT_EQ(group, (std::array<std::uint32_t, 3>{8, 4, 2}));
}

TEST(DxbcDeclaredBinding, HasTheKindOfItsOpcode) {
  struct Case {
    std::string_view text;
    ResourceKind kind;
  };
  constexpr Case kCases[] = {
      {"dcl_constantbuffer CB2[4], immediateIndexed", ResourceKind::cbuffer},
      {"dcl_sampler s2, mode_default", ResourceKind::sampler},
      {"dcl_resource_texture2d (float,float,float,float) t2", ResourceKind::texture},
      {"dcl_resource_raw t2", ResourceKind::byte_address},
      {"dcl_resource_structured t2, 16", ResourceKind::structured},
      {"dcl_uav_typed_texture2d (float,float,float,float) u2", ResourceKind::uav_typed},
      {"dcl_uav_raw u2", ResourceKind::uav_byte_address},
      {"dcl_uav_structured u2, 16", ResourceKind::uav_structured},
      {"dcl_uav_structured_opc u2, 16", ResourceKind::uav_structured_with_counter},
  };
  for (const Case& one : kCases) {
    const DeclaredBinding binding = Declared("ps_5_0\n" + std::string(one.text) + '\n').binding();
    EXPECT_EQ(binding.kind(), one.kind) << one.text;
    EXPECT_EQ(binding.id, 2U) << one.text;
    EXPECT_EQ(binding.lower, 2U) << one.text;
    EXPECT_EQ(binding.upper, 2U) << one.text;
  }
}

TEST(DxbcDeclaredBinding, HasWhatIsStated) {
  const DeclaredBinding texture = Declared("ps_5_1\ndcl_resource_texture2dms(4) (uint,uint,uint,uint) T1[3:*], space=2\n").binding();
  EXPECT_EQ(texture.id, 1U);
  EXPECT_EQ(texture.lower, 3U);
  EXPECT_EQ(texture.upper, 0xffff'ffffU);
  EXPECT_EQ(texture.space, 2U);
  EXPECT_EQ(texture.sample_count, 4U);
  EXPECT_TRUE(texture.is_integer());
  EXPECT_FALSE(texture.is_coherent);  // the bit is one of the sample count's
  const DeclaredBinding uav = Declared("ps_5_0\ndcl_uav_typed_buffer_glc_rov (float,float,float,float) u0\n").binding();
  EXPECT_TRUE(uav.is_coherent && uav.is_rasterizer_ordered);
  EXPECT_EQ(uav.sample_count, 0U);
  const DeclaredBinding buffer = Declared("ps_5_1\ndcl_constantbuffer CB0[1:1][7], immediateIndexed, space=5\n").binding();
  EXPECT_EQ(buffer.size, 7U);
  EXPECT_EQ(buffer.space, 5U);
  const DeclaredBinding memory = Declared("cs_5_0\ndcl_tgsm_structured g1, 8, 32\n").binding();
  EXPECT_EQ(memory.type, OperandType::thread_group_shared_memory);
  EXPECT_EQ(memory.size, 8U);
  EXPECT_EQ(memory.count, 32U);
  const DeclaredBinding raw = Declared("cs_5_0\ndcl_tgsm_raw g1, 64\n").binding();
  EXPECT_EQ(raw.layout, Layout::raw);
  EXPECT_EQ(raw.size, 0U);
  EXPECT_EQ(raw.count, 64U);
}

TEST(DxbcDeclaredBinding, HasNoIndexOfTheInstructionBefore) {
  EXPECT_EQ(Declared("cs_5_0\ndcl_uav_raw u7\n.tokens 0x0300009f, 0x0001f000, 64\n").binding().id, 0U);
  const DeclaredBinding sampler =
      Declared("ps_5_1\ndcl_sampler S7[8:9], mode_default, space=1\n.tokens 0x0400005a, 0x00106000, 5, 0\n").binding();
  EXPECT_EQ(sampler.id, 5U);
  EXPECT_EQ(sampler.lower, 0U);
  EXPECT_EQ(sampler.upper, 0U);
}

}  // namespace
}  // namespace unshade::dxbc::program
