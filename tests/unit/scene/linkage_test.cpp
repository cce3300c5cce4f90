#include "scene/linkage.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>

namespace unshade::scene {
namespace {

ir::Module module_of(std::string_view stage, std::string_view rows) {
  std::string text = "stage ";
  text.append(stage).append("\n").append(rows).append("\nfunction @main {\n^0:\n  return\n}\n");
  auto module = ir::parse(text);
  EXPECT_TRUE(module) << to_string(module.error());
  return module ? *std::move(module) : ir::Module();
}

constexpr std::string_view kPosition = "output \"SV_Position\" system_value position type f32 register 0\n";

std::vector<std::string> faults(std::string_view outputs, std::string_view inputs) {
  return linkage_faults(module_of("vertex", std::string(kPosition) + std::string(outputs)), module_of("pixel", inputs));
}
using Texts = std::vector<std::string>;

TEST(Linkage, OfStagesThatFit) {
  EXPECT_EQ(faults("output \"UV\" type f32 register 1 columns 3\n",
                   "input \"SV_Position\" system_value position type f32 register 0\ninput \"uv\" type f32 register 1 columns 2\n"),
            Texts());
  // rows of an array, of which the next stage reads one
  EXPECT_EQ(faults("output \"UV\" type f32 register 1 rows 4\n", "input \"UV\" index 2 type f32 register 3\n"), Texts());
  // what the rasterizer makes
  EXPECT_EQ(faults("", "input \"SV_IsFrontFace\" system_value is_front_face type i32 register 1 columns 1\n"), Texts());
}

TEST(Linkage, SaysWhatDirect3dRefuses) {
  EXPECT_EQ(faults("", "input \"COLOR\" type f32 register 1\n"),
            Texts{"the pixel shader reads `COLOR`, which the vertex shader does not write"});
  EXPECT_EQ(faults("output \"UV\" type f32 register 1 columns 2\n", "input \"UV\" type f32 register 2 columns 2\n"),
            Texts{"`UV` is in register 1 of the outputs of the vertex shader, in 2 of the inputs of the pixel shader"});
  EXPECT_EQ(faults("output \"UV\" type f32 register 1 columns 2\n", "input \"UV\" type f32 register 1\n"),
            Texts{"the pixel shader reads `UV`.xyzw, of which the vertex shader writes .xy"});
  EXPECT_EQ(faults("output \"UV\" type f32 register 1\n", "input \"UV\" index 1 type f32 register 1\n"),
            Texts{"the pixel shader reads `UV1`, which the vertex shader does not write"});
  // the second stream is not drawn
  const auto geometry = module_of("geometry",
                                  "info input_primitive point streams 2 point_list point_list max_vertices 1\n"
                                  "output \"A\" type f32 register 0\noutput \"B\" type f32 register 0 stream 1\n");
  EXPECT_EQ(linkage_faults(geometry, module_of("pixel", "input \"A\" type f32 register 0\ninput \"B\" type f32 register 0\n")),
            Texts{"the pixel shader reads `B`, which the geometry shader does not write"});
}

TEST(Linkage, ComponentTypesMustBeTheSame) {
  EXPECT_EQ(faults("output \"ID\" type f32 register 1 columns 1\n", "input \"ID\" type i32 register 1 columns 1\n"),
            Texts{"the pixel shader reads `ID` as uint, but the vertex shader writes float"});
  EXPECT_EQ(faults("output \"ID\" type f16 register 1 columns 1\n", "input \"ID\" type f32 register 1 columns 1\n"),
            Texts{"the pixel shader reads `ID` as float, but the vertex shader writes float16_t"});
  const std::string output = std::string(kPosition) + "output \"ID\" type i32 register 1 columns 1\n";
  auto vertex = module_of("vertex", output);
  auto pixel = module_of("pixel", "input \"ID\" type i32 register 1 columns 1\n");
  EXPECT_EQ(linkage_faults(vertex, pixel), Texts());
  vertex.signatures.output[1].is_signed = true;
  EXPECT_EQ(linkage_faults(vertex, pixel), Texts{"the pixel shader reads `ID` as uint, but the vertex shader writes int"});
}

shader::EntryPoint entry_of(Stage stage, std::vector<shader::SignatureElement> inputs, std::vector<shader::SignatureElement> outputs) {
  shader::EntryPoint entry;
  entry.stage = stage;
  entry.inputs = std::move(inputs);
  entry.outputs = std::move(outputs);
  return entry;
}

// Direct3D 12 message 665
TEST(Linkage, MinimumPrecisionsMustBeTheSame) {
  shader::SignatureElement full, half;
  full.semantic = "UV";
  full.semantic_index = half.semantic_index = 2;
  half.semantic = "uv";
  half.min_precision = dxcontainer::MinPrecision::float16;
  EXPECT_EQ(precision_faults(entry_of(Stage::vertex, {}, {half}), entry_of(Stage::pixel, {full}, {})),
            Texts{"the pixel shader reads `UV2` in full precision, but the vertex shader writes it in the minimum precision min16float"});
  EXPECT_EQ(precision_faults(entry_of(Stage::vertex, {}, {half}), entry_of(Stage::pixel, {half}, {})), Texts());
  full.semantic_index = 1;
  EXPECT_EQ(precision_faults(entry_of(Stage::vertex, {}, {half}), entry_of(Stage::pixel, {full}, {})), Texts());
}

TEST(Linkage, OfPatchConstantsAndMeshes) {
  const auto hull = module_of("hull", "output \"P\" type f32 register 0\npatch \"SHADE\" type f32 register 2 columns 1\n");
  EXPECT_EQ(linkage_faults(hull, module_of("domain",
                                           "info input_points 1 domain isoline\ninput \"P\" type f32 register 0\n"
                                           "patch \"SHADE\" type f32 register 2 columns 1\n")),
            Texts());
  EXPECT_EQ(
      linkage_faults(hull, module_of("domain", "info input_points 1 domain isoline\npatch \"LIGHT\" type f32 register 2 columns 1\n")),
      Texts{"the domain shader reads `LIGHT`, which the hull shader does not write"});
  const auto mesh = module_of("mesh",
                              "info max_vertices 3 max_primitives 1 mesh_topology line\noutput \"UV\" type f32 register 0\n"
                              "patch \"ID\" type i32 register 0 columns 1 per_primitive\n");
  EXPECT_EQ(linkage_faults(mesh, module_of("pixel", "input \"UV\" type f32 register 0\ninput \"ID\" type i32 register 1 columns 1\n")),
            Texts());
  EXPECT_EQ(linkage_faults(mesh, module_of("pixel", "input \"N\" type f32 register 0\n")).size(), 1U);
}

TEST(Linkage, OfTheStreamThatIsRasterized) {
  auto geometry = module_of("geometry",
                            "info input_primitive point streams 2 point_list point_list max_vertices 1\n"
                            "output \"A\" type f32 register 0 columns 1\noutput \"B\" type f32 register 1 columns 1\n");
  geometry.signatures.output[1].stream = 1;
  const auto pixel = module_of("pixel", "input \"B\" type f32 register 1 columns 1\n");
  EXPECT_EQ(linkage_faults(geometry, pixel), Texts{"the pixel shader reads `B`, which the geometry shader does not write"});
  EXPECT_EQ(linkage_faults(geometry, pixel, 1), Texts());
  shader::SignatureElement full, half;
  full.semantic = half.semantic = "B";
  half.min_precision = dxcontainer::MinPrecision::float16;
  half.stream = 1;
  const auto from = entry_of(Stage::geometry, {}, {half}), to = entry_of(Stage::pixel, {full}, {});
  EXPECT_EQ(precision_faults(from, to), Texts());
  EXPECT_EQ(precision_faults(from, to, 1).size(), 1U);
}

}  // namespace
}  // namespace unshade::scene
