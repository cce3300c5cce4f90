// Shaders as SPIR-V, through the C interface.
#include <unshade/unshade.h>

#include <gtest/gtest.h>

#include <string>

#include "support/capi.hpp"

namespace unshade {
namespace {

using test::OpenedSample;
using test::taken;

TEST(CApiTranslate, GivesAModuleAndItsBindings) {
  const OpenedSample sample("dxbc/textured_ps_5_0.dxbc");
  unshade_blob* module = nullptr;
  unshade_blob* bindings = nullptr;
  unshade_translate_options options{};
  options.struct_size = sizeof options;
  options.file = "textured";
  options.shifts = "t=10";
  options.target_env = "vulkan1.1";
  ASSERT_EQ(unshade_translate(sample.get(), &options, &module, &bindings, nullptr), UNSHADE_OK);
  const std::string bytes = taken(module), document = taken(bindings);
  EXPECT_TRUE(document.starts_with(R"({"schema":"unshade.translate/1","files":[{"file":"textured","stage":"pixel")")) << document;
  EXPECT_NE(document.find(R"("name":"albedo","kind":"texture","space":0,"register":0,"count":1,"set":0,"binding":10)"), std::string::npos)
      << document;
  unshade_shader* made = nullptr;
  ASSERT_EQ(unshade_open(bytes.data(), bytes.size(), &made, nullptr), UNSHADE_OK);
  unshade_summary summary{};
  summary.struct_size = sizeof summary;
  ASSERT_EQ(unshade_summarize(made, &summary), UNSHADE_OK);
  EXPECT_STREQ(summary.stage, "pixel");
  EXPECT_STREQ(summary.profile, "SPIR-V 1.3");
  unshade_shader_free(made);
}

TEST(CApiTranslate, TakesNoOptionsAndNoBindings) {
  const OpenedSample sample("dxil/bitonic_cs_6_0.dxil");
  unshade_blob* module = nullptr;
  ASSERT_EQ(unshade_translate(sample.get(), nullptr, &module, nullptr, nullptr), UNSHADE_OK);
  const std::string exact = taken(module);
  unshade_translate_options options{};
  options.struct_size = sizeof options;
  options.native = 1;
  ASSERT_EQ(unshade_translate(sample.get(), &options, &module, nullptr, nullptr), UNSHADE_OK);
  EXPECT_LT(taken(module).size(), exact.size());
}

TEST(CApiTranslate, BindsByModelsAndSaysLines) {
  const OpenedSample sample("dxil/bindless_ps_6_6.dxil");
  unshade_blob* module = nullptr;
  unshade_blob* bindings = nullptr;
  unshade_translate_options options{};
  options.struct_size = sizeof options;
  options.file = "bindless";
  options.binding_model = "vkd3d";
  options.debug_info = "source";
  options.has_heap_set = 1;
  options.heap_set = 5;
  ASSERT_EQ(unshade_translate(sample.get(), &options, &module, &bindings, nullptr), UNSHADE_OK);
  EXPECT_NE(taken(module).find("bindless.ll"), std::string::npos);
  const std::string document = taken(bindings);
  EXPECT_NE(document.find(R"("name":"samplers","kind":"sampler","space":2,"register":0,"count":4,"set":0,"binding":1)"), std::string::npos)
      << document;
  EXPECT_NE(document.find(R"("name":"SamplerDescriptorHeap","kind":"sampler","space":0,"register":0,"count":0,"set":5,"binding":1)"),
            std::string::npos)
      << document;
}

TEST(CApiTranslate, SetsBeginWhereItIsSaid) {
  const OpenedSample sample("dxbc/textured_ps_5_0.dxbc");
  unshade_blob* module = nullptr;
  unshade_blob* bindings = nullptr;
  unshade_translate_options options{};
  options.struct_size = sizeof options;
  options.first_set = 2;
  ASSERT_EQ(unshade_translate(sample.get(), &options, &module, &bindings, nullptr), UNSHADE_OK);
  unshade_blob_free(module);
  const std::string document = taken(bindings);
  EXPECT_NE(document.find(R"("name":"albedo","kind":"texture","space":0,"register":0,"count":1,"set":2,"binding":0)"), std::string::npos)
      << document;
  options.binding_model = "sdl-gpu";
  EXPECT_EQ(unshade_translate(sample.get(), &options, &module, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  options.binding_model = nullptr;
  options.first_set = 65536;
  EXPECT_EQ(unshade_translate(sample.get(), &options, &module, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
}

TEST(CApiTranslate, RefusesBadArgumentsAndWhatIsNotTranslated) {
  const OpenedSample sample("dxbc/textured_ps_5_0.dxbc");
  unshade_blob* module = nullptr;
  unshade_blob* bindings = nullptr;
  EXPECT_EQ(unshade_translate(nullptr, nullptr, &module, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_translate(sample.get(), nullptr, nullptr, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  unshade_translate_options options{};
  options.struct_size = 8;
  EXPECT_EQ(unshade_translate(sample.get(), &options, &module, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  options.struct_size = sizeof options;
  options.target_env = "vulkan7";
  EXPECT_EQ(unshade_translate(sample.get(), &options, &module, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  options.target_env = nullptr;
  options.binding_model = "metal";
  EXPECT_EQ(unshade_translate(sample.get(), &options, &module, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  options.binding_model = nullptr;
  options.debug_info = "all";
  EXPECT_EQ(unshade_translate(sample.get(), &options, &module, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  options.debug_info = nullptr;
  options.shifts = "t";
  EXPECT_EQ(unshade_translate(sample.get(), &options, &module, nullptr, nullptr), UNSHADE_BAD_VALUE);
  options.shifts = nullptr;
  options.entry = "2";
  const OpenedSample pair("pica/skin_quad.shbin");
  EXPECT_EQ(unshade_translate(pair.get(), &options, &module, nullptr, nullptr), UNSHADE_MISSING);
  const OpenedSample library("dxil/graph_lib_6_8.dxil");
  unshade_error* error = nullptr;
  EXPECT_EQ(unshade_translate(library.get(), nullptr, &module, &bindings, &error), UNSHADE_UNSUPPORTED);
  EXPECT_NE(std::string(unshade_error_message(error)), "");
  unshade_error_free(error);
  EXPECT_EQ(module, nullptr);
  EXPECT_EQ(bindings, nullptr);
}

}  // namespace
}  // namespace unshade
