// Shaders as source, through the C interface.
#include <unshade/unshade.h>

#include <gtest/gtest.h>

#include <string>

#include "support/capi.hpp"

namespace unshade {
namespace {

using test::OpenedSample;
using test::taken;

unshade_decompile_options defaults() {
  unshade_decompile_options options{};
  options.struct_size = sizeof options;
  return options;
}

TEST(CApiDecompile, GivesTextAndWhatItsLinesAreWrittenOf) {
  const OpenedSample sample("dxbc/textured_ps_5_0.dxbc");
  unshade_blob* text = nullptr;
  unshade_blob* document = nullptr;
  auto options = defaults();
  options.file = "textured";
  ASSERT_EQ(unshade_decompile(sample.get(), &options, &text, &document, nullptr), UNSHADE_OK);
  EXPECT_TRUE(taken(text).starts_with("// ps_5_0\n"));
  const std::string json = taken(document);
  EXPECT_TRUE(json.starts_with(R"({"schema":"unshade.decompile/1","files":[{"file":"textured","stage":"","language":"hlsl","text":)"))
      << json;
  EXPECT_NE(json.find(R"("lines":[{"line":)"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("function":"main","instruction":)"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("listing_line":)"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("score":{"instructions":)"), std::string::npos) << json;
}

TEST(CApiDecompile, TakesNoOptionsAndChoosesTheUsualLanguage) {
  unshade_blob* text = nullptr;
  ASSERT_EQ(unshade_decompile(OpenedSample("pica/skin.v.shbin").get(), nullptr, &text, nullptr, nullptr), UNSHADE_OK);
  EXPECT_NE(taken(text).find("Output main("), std::string::npos);
  ASSERT_EQ(unshade_decompile(OpenedSample("vbc/minimal.vbc").get(), nullptr, &text, nullptr, nullptr), UNSHADE_OK);
  EXPECT_TRUE(taken(text).starts_with("#version 460\n"));
}

TEST(CApiDecompile, WritesForOpenGlAndExactly) {
  const OpenedSample sample("dxbc/textured_ps_5_0.dxbc");
  unshade_blob* text = nullptr;
  auto options = defaults();
  options.language = "glsl";
  options.environment = "opengl";
  options.version = 330;
  ASSERT_EQ(unshade_decompile(sample.get(), &options, &text, nullptr, nullptr), UNSHADE_OK);
  const std::string readable = taken(text);
  EXPECT_TRUE(readable.starts_with("#version 330 core\n")) << readable;
  options.setting = "exact";
  ASSERT_EQ(unshade_decompile(sample.get(), &options, &text, nullptr, nullptr), UNSHADE_OK);
  EXPECT_NE(taken(text), readable);
  const OpenedSample vertex("dxbc/lit_vs_5_0.dxbc");
  options = defaults();
  options.language = "glsl";
  ASSERT_EQ(unshade_decompile(vertex.get(), &options, &text, nullptr, nullptr), UNSHADE_OK);
  const std::string plain = taken(text);
  options.flip_y = 1;
  ASSERT_EQ(unshade_decompile(vertex.get(), &options, &text, nullptr, nullptr), UNSHADE_OK);
  EXPECT_NE(taken(text), plain);
}

TEST(CApiDecompile, RefusesBadArgumentsAndWhatIsNotWritten) {
  const OpenedSample sample("dxbc/textured_ps_5_0.dxbc");
  unshade_blob* text = nullptr;
  unshade_blob* document = nullptr;
  const auto outcome = [&](const unshade_decompile_options& options) {
    return unshade_decompile(sample.get(), &options, &text, &document, nullptr);
  };
  EXPECT_EQ(unshade_decompile(nullptr, nullptr, &text, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_decompile(sample.get(), nullptr, nullptr, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  auto options = defaults();
  options.struct_size = 8;
  EXPECT_EQ(outcome(options), UNSHADE_INVALID_ARGUMENT);
  options = defaults();
  options.language = "msl";
  EXPECT_EQ(outcome(options), UNSHADE_INVALID_ARGUMENT);
  options = defaults();
  options.setting = "pretty";
  EXPECT_EQ(outcome(options), UNSHADE_INVALID_ARGUMENT);
  options = defaults();
  options.version = 330;  // of GLSL, and this is HLSL
  EXPECT_EQ(outcome(options), UNSHADE_INVALID_ARGUMENT);
  options.language = "glsl";
  options.version = 123;
  EXPECT_EQ(outcome(options), UNSHADE_INVALID_ARGUMENT);
  options.version = 310;  // of OpenGL ES alone
  EXPECT_EQ(outcome(options), UNSHADE_INVALID_ARGUMENT);
  options.environment = "es";
  EXPECT_EQ(outcome(options), UNSHADE_OK);
  unshade_blob_free(text);
  unshade_blob_free(document);
  options = defaults();
  options.entry = "2";
  EXPECT_EQ(unshade_decompile(OpenedSample("pica/skin_quad.shbin").get(), &options, &text, nullptr, nullptr), UNSHADE_MISSING);
  unshade_error* error = nullptr;
  EXPECT_EQ(unshade_decompile(OpenedSample("dxil/graph_lib_6_8.dxil").get(), nullptr, &text, &document, &error), UNSHADE_UNSUPPORTED);
  EXPECT_NE(std::string(unshade_error_message(error)), "");
  unshade_error_free(error);
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(document, nullptr);
}

}  // namespace
}  // namespace unshade
