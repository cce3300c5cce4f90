// The C interface writes the JSON and YAML that the command prints.
#include <unshade/unshade.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/files.hpp"

namespace unshade::test {

namespace {

constexpr const char* kFiles[] = {"dxbc/textured_ps_5_0.dxbc", "dxbc/grid_cs_5_0.dxbc", "dxil/textured_ps_6_6.dxil",
                                  "pica/skin.v.shbin",         "spirv/odd.spv",         "vbc/textured.vbc"};

std::string path_of(const char* name) { return (source_dir() / "tests/data" / name).generic_string(); }

std::string taken_text(unshade_blob* blob) {
  const std::string text(static_cast<const char*>(unshade_blob_data(blob)), unshade_blob_size(blob));
  unshade_blob_free(blob);
  return text;
}

unshade_shader* opened_file(const std::string& path) {
  const auto bytes = read_bytes(path);
  unshade_shader* shader = nullptr;
  EXPECT_EQ(unshade_open(bytes.data(), bytes.size(), &shader, nullptr), UNSHADE_OK);
  return shader;
}

TEST(CInterface, WritesWhatTheCommandPrints) {
  struct Row {
    std::int32_t what;
    std::vector<std::string> words;
  };
  const Row rows[] = {
      {UNSHADE_JSON_INFO, {"info", "--json"}},
      {UNSHADE_JSON_REFLECTION, {"reflect", "--json"}},
      {UNSHADE_JSON_TREE, {"dump", "--json"}},
#ifdef UNSHADE_HAS_KHRONOS
      {UNSHADE_JSON_FINDINGS, {"validate", "--json", "--no-spirv-val"}},
#else
      {UNSHADE_JSON_FINDINGS, {"validate", "--json"}},
#endif
      {UNSHADE_JSON_DOCUMENT, {"dump", "--format", "json"}},
      {UNSHADE_JSON_DOCUMENT_WITHOUT_HINTS, {"dump", "--format", "json", "--no-hints"}},
      {UNSHADE_YAML_DOCUMENT, {"dump", "--yaml"}},
      {UNSHADE_YAML_DOCUMENT_WITHOUT_HINTS, {"dump", "--yaml", "--no-hints"}},
  };
  for (const char* name : kFiles) {
    const std::string path = path_of(name);
    const auto bytes = read_bytes(path);
    for (const Row& row : rows) {
      std::vector<std::string> words = row.words;
      words.push_back(path);
      unshade_blob* text = nullptr;
      ASSERT_EQ(unshade_json(bytes.data(), bytes.size(), path.c_str(), row.what, &text, nullptr), UNSHADE_OK) << name << ' ' << row.what;
      EXPECT_EQ(taken_text(text), run_command(words).out) << name << ' ' << row.what;
    }
  }
}

TEST(CInterface, WritesSourcesAsTheCommandDoes) {
  // Of a folder the command writes the list of files, too.
  const std::string folder = source_dir().generic_string() + "/tests/data/dxil";
  const std::string path = folder + "/control_ps_6_0_zi.dxil";
  const auto bytes = read_bytes(path);
  unshade_blob* text = nullptr;
  ASSERT_EQ(unshade_json(bytes.data(), bytes.size(), path.c_str(), UNSHADE_JSON_SOURCES, &text, nullptr), UNSHADE_OK);
  const std::string written = taken_text(text);
  const std::size_t from = written.find("\"file\"");
  const std::size_t to = written.rfind("  }");
  ASSERT_LT(from, to);
  EXPECT_NE(run_command({"source", "list", "--json", folder}).out.find(written.substr(from, to - from)), std::string::npos) << written;
}

TEST(CInterface, ComparesAsTheCommandDoes) {
  const std::string before = path_of("dxbc/textured_ps_4_0.dxbc");
  const std::string after = path_of("dxbc/textured_ps_5_0.dxbc");
  unshade_shader* const first = opened_file(before);
  unshade_shader* const second = opened_file(after);
  unshade_blob* json = nullptr;
  ASSERT_EQ(unshade_diff(first, before.c_str(), second, after.c_str(), 0, &json, nullptr), UNSHADE_OK);
  EXPECT_EQ(taken_text(json), run_command({"diff", "--json", before, after}).out);
  unshade_shader_free(first);
  unshade_shader_free(second);
}

}  // namespace

}  // namespace unshade::test
