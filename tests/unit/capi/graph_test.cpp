// Control flow, parts, root signatures, and files put together, through the C interface.
#include <unshade/unshade.h>

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/files.hpp"

namespace unshade {
namespace {

class Sample {
 public:
  explicit Sample(const char* name) : bytes(test::read_bytes(test::source_dir() / "tests/data" / name)) {
    EXPECT_EQ(unshade_open(bytes.data(), bytes.size(), &shader, nullptr), UNSHADE_OK) << name;
  }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;
  ~Sample() { unshade_shader_free(shader); }
  std::vector<std::byte> bytes;
  unshade_shader* shader = nullptr;
};

std::string text_and_free(unshade_blob* blob) {
  std::string text(static_cast<const char*>(unshade_blob_data(blob)), unshade_blob_size(blob));
  unshade_blob_free(blob);
  return text;
}

std::string graph_of(const Sample& sample, std::int32_t form, const unshade_graph_options* options = nullptr) {
  unshade_blob* text = nullptr;
  EXPECT_EQ(unshade_graph(sample.shader, form, options, &text, nullptr), UNSHADE_OK);
  return text_and_free(text);
}

TEST(CApiGraph, InEveryForm) {
  for (const char* name :
       {"dxbc/control_ps_4_0.dxbc", "dxil/bitonic_cs_6_0.dxil", "pica/control.v.shbin", "spirv/odd.spv", "vbc/textured.vbc"}) {
    const Sample sample(name);
    EXPECT_TRUE(graph_of(sample, UNSHADE_GRAPH_JSON).starts_with("{\"schema\":\"unshade.graph/1\""))
        << graph_of(sample, UNSHADE_GRAPH_JSON).substr(0, 80);
    EXPECT_TRUE(graph_of(sample, UNSHADE_GRAPH_SVG).starts_with("<svg ")) << name;
    EXPECT_TRUE(graph_of(sample, UNSHADE_GRAPH_DOT).starts_with("digraph ")) << name;
    EXPECT_NE(graph_of(sample, UNSHADE_GRAPH_TEXT).find("B0"), std::string::npos) << name;
  }
}

TEST(CApiGraph, TakesOptions) {
  const Sample sample("pica/control.v.shbin");
  unshade_graph_options options{};
  options.struct_size = sizeof options;
  options.function = "main";
  const std::string whole = graph_of(sample, UNSHADE_GRAPH_TEXT, &options);
  const std::uint32_t folded[] = {0};
  options.folded = folded;
  options.folded_count = 1;
  unshade_blob* text = nullptr;
  unshade_error* error = nullptr;
  // a loop's header can be folded, a block that only goes on cannot
  bool has_folded = false;
  std::uint32_t block = 0;
  for (; block < 16 && !has_folded; ++block) {
    const std::uint32_t one[] = {block};
    options.folded = one;
    const unshade_code code = unshade_graph(sample.shader, UNSHADE_GRAPH_TEXT, &options, &text, &error);
    if (code == UNSHADE_OK) {
      const std::string shorter = text_and_free(text);
      EXPECT_LT(shorter.size(), whole.size());
      has_folded = true;
    } else {
      EXPECT_EQ(code, UNSHADE_MISSING);
      EXPECT_EQ(text, nullptr);
      unshade_error_free(error);
    }
  }
  EXPECT_TRUE(has_folded);
  options.folded_count = 0;
  options.function = "nothing";
  EXPECT_EQ(unshade_graph(sample.shader, UNSHADE_GRAPH_TEXT, &options, &text, nullptr), UNSHADE_MISSING);
}

TEST(CApiGraph, RefusesBadArguments) {
  const Sample sample("pica/control.v.shbin");
  unshade_blob* text = nullptr;
  EXPECT_EQ(unshade_graph(nullptr, UNSHADE_GRAPH_SVG, nullptr, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_graph(sample.shader, UNSHADE_GRAPH_SVG, nullptr, nullptr, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_graph(sample.shader, 4, nullptr, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
  unshade_graph_options small{};
  small.struct_size = 8;
  EXPECT_EQ(unshade_graph(sample.shader, 0, &small, &text, nullptr), UNSHADE_INVALID_ARGUMENT);
  const Sample empty("dxil/rootsig_only.dxil");
  EXPECT_EQ(unshade_graph(empty.shader, 0, nullptr, &text, nullptr), UNSHADE_MISSING);
}

TEST(CApiParts, AreReadByIndex) {
  const Sample sample("dxbc/textured_ps_5_0.dxbc");
  unshade_part part{};
  part.struct_size = sizeof part;
  std::uint32_t count = 0;
  for (; unshade_part_at(sample.shader, count, &part) == UNSHADE_OK; ++count) {
    unshade_blob* data = nullptr;
    ASSERT_EQ(unshade_part_data(sample.shader, count, &data, nullptr), UNSHADE_OK);
    ASSERT_EQ(unshade_blob_size(data), part.size);
    EXPECT_EQ(std::memcmp(unshade_blob_data(data), sample.bytes.data() + part.offset + 8, part.size), 0) << part.name;
    unshade_blob_free(data);
  }
  EXPECT_GT(count, 3U);
  unshade_blob* data = nullptr;
  EXPECT_EQ(unshade_part_data(sample.shader, count, &data, nullptr), UNSHADE_MISSING);
  const Sample module("spirv/odd.spv");
  EXPECT_EQ(unshade_part_data(module.shader, 0, &data, nullptr), UNSHADE_UNSUPPORTED);
}

TEST(CApiRootSignature, ThereAndBack) {
  const std::string_view text = "CBV(b0), DescriptorTable(SRV(t0, numDescriptors = 2))";
  unshade_blob* part = nullptr;
  unshade_messages* messages = nullptr;
  ASSERT_EQ(unshade_root_signature_make(text.data(), text.size(), &part, &messages, nullptr), UNSHADE_OK);
  EXPECT_EQ(unshade_has_errors(messages), 0);
  unshade_messages_free(messages);
  unshade_blob* printed = nullptr;
  ASSERT_EQ(unshade_root_signature_text(unshade_blob_data(part), unshade_blob_size(part), &printed, nullptr), UNSHADE_OK);
  EXPECT_NE(text_and_free(printed).find("CBV(b0)"), std::string::npos);

  const Sample sample("dxil/textured_ps_6_6.dxil");
  unshade_edit* edit = nullptr;
  ASSERT_EQ(unshade_root_signature_attach(sample.shader, unshade_blob_data(part), unshade_blob_size(part), &edit, nullptr), UNSHADE_OK);
  EXPECT_EQ(unshade_edit_changed(edit), 1);
  EXPECT_GT(unshade_edit_note_count(edit), 0U);  // it does not bind all that the shader uses
  unshade_shader* attached = nullptr;
  ASSERT_EQ(unshade_open(unshade_edit_data(edit), unshade_edit_size(edit), &attached, nullptr), UNSHADE_OK);
  unshade_edit_free(edit);
  ASSERT_EQ(unshade_root_signature_attach(attached, nullptr, 0, &edit, nullptr), UNSHADE_OK);
  unshade_edit_free(edit);
  unshade_shader_free(attached);
  unshade_blob_free(part);
  EXPECT_EQ(unshade_root_signature_attach(sample.shader, nullptr, 0, &edit, nullptr), UNSHADE_MISSING);

  const std::string_view wrong = "CBV(b0";
  EXPECT_EQ(unshade_root_signature_make(wrong.data(), wrong.size(), &part, &messages, nullptr), UNSHADE_BAD_VALUE);
  EXPECT_EQ(part, nullptr);
  EXPECT_EQ(unshade_has_errors(messages), 1);
  unshade_messages_free(messages);
}

TEST(CApiMake, PacksTheStagesOfAVbc) {
  const Sample file("vbc/textured.vbc");
  unshade_part part{};
  part.struct_size = sizeof part;
  std::vector<unshade_shader*> modules;
  for (std::uint32_t i = 0; unshade_part_at(file.shader, i, &part) == UNSHADE_OK; ++i) {
    unshade_shader* module = nullptr;
    ASSERT_EQ(unshade_open(file.bytes.data() + part.offset, part.size, &module, nullptr), UNSHADE_OK);
    modules.push_back(module);
  }
  ASSERT_EQ(modules.size(), 2U);
  unshade_blob* packed = nullptr;
  ASSERT_EQ(unshade_pack(modules.data(), modules.size(), file.shader, &packed, nullptr), UNSHADE_OK);
  EXPECT_EQ(unshade_identify(unshade_blob_data(packed), unshade_blob_size(packed)), UNSHADE_VBC);
  unshade_blob_free(packed);
  const unshade_shader* const twice[] = {modules[0], modules[0]};
  unshade_error* error = nullptr;
  EXPECT_EQ(unshade_pack(twice, 2, nullptr, &packed, &error), UNSHADE_BAD_VALUE);
  unshade_error_free(error);
  EXPECT_EQ(unshade_pack(&file.shader, 1, nullptr, &packed, nullptr), UNSHADE_INVALID_ARGUMENT);
  for (unshade_shader* module : modules) unshade_shader_free(module);
}

TEST(CApiMake, LinksPrograms) {
  const Sample vertex("pica/skin.v.shbin"), geometry("pica/quad.g.shbin"), other("spirv/odd.spv");
  const unshade_shader* const files[] = {vertex.shader, geometry.shader};
  unshade_blob* linked = nullptr;
  ASSERT_EQ(unshade_link(files, 2, &linked, nullptr), UNSHADE_OK);
  const auto expected = test::read_bytes(test::source_dir() / "tests/data/pica/skin_quad.shbin");
  ASSERT_EQ(unshade_blob_size(linked), expected.size());
  EXPECT_EQ(std::memcmp(unshade_blob_data(linked), expected.data(), expected.size()), 0);
  unshade_blob_free(linked);
  EXPECT_EQ(unshade_link(&other.shader, 1, &linked, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(unshade_link(nullptr, 0, &linked, nullptr), UNSHADE_INVALID_ARGUMENT);
}

TEST(CApiSources, AreEmbedded) {
  const Sample sample("dxil/textured_ps_6_6.dxil");
  const unshade_source_text items[] = {{"a.hlsl", "float4 main() : SV_Target { return 0; }\n"}};
  unshade_edit* edit = nullptr;
  ASSERT_EQ(unshade_embed_sources(sample.shader, items, 1, sizeof items[0], &edit, nullptr), UNSHADE_OK);
  unshade_blob* json = nullptr;
  ASSERT_EQ(unshade_json(unshade_edit_data(edit), unshade_edit_size(edit), nullptr, UNSHADE_JSON_SOURCES, &json, nullptr), UNSHADE_OK);
  EXPECT_NE(text_and_free(json).find("a.hlsl"), std::string::npos);
  unshade_edit_free(edit);
  const Sample dxbc("dxbc/textured_ps_5_0.dxbc");
  EXPECT_EQ(unshade_embed_sources(dxbc.shader, items, 1, sizeof items[0], &edit, nullptr), UNSHADE_UNSUPPORTED);
}

}  // namespace
}  // namespace unshade
