// Sources through the C interface, also those that a file holds compressed.
#include <unshade/unshade.h>

#include <gtest/gtest.h>

#include <span>
#include <string>

#include <unshade/shader/source_files.hpp>
#include <unshade/unpack/zlib.hpp>

#include "support/files.hpp"

namespace unshade {
namespace {

/// What the interface tells of the sources of a file.
std::string sources_of(std::span<const std::byte> file) {
  unshade_blob* json = nullptr;
  unshade_error* error = nullptr;
  EXPECT_EQ(unshade_json(file.data(), file.size(), nullptr, UNSHADE_JSON_SOURCES, &json, &error), UNSHADE_OK)
      << unshade_error_message(error);
  unshade_error_free(error);
  std::string text(static_cast<const char*>(unshade_blob_data(json)), unshade_blob_size(json));
  unshade_blob_free(json);
  return text;
}

TEST(CApiSources, ThatAreCompressedAreRead) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/dxil/control_ps_6_6_zi.pdb");
  const auto opened = shader::open(View(bytes));
  ASSERT_TRUE(opened);
  std::string text;
  for (int line = 0; line < 200; ++line) text += "float4 color" + std::to_string(line) + "; // many lines that are like each other\n";
  const dxil::SourceText file[] = {{"many.hlsl", text}};
  const auto plain = shader::embed_sources(*opened, file, unpack::zlib_inflate());
  const auto small = shader::embed_sources(*opened, file, unpack::zlib_inflate(), unpack::zlib_deflate());
  ASSERT_TRUE(plain && small);
  ASSERT_LT(small->bytes.size() + 1000, plain->bytes.size());
  const std::string told = sources_of(small->bytes);
  EXPECT_EQ(told, sources_of(plain->bytes));
  EXPECT_NE(told.find("float4 color199; // many lines"), std::string::npos);

  // embedding into it keeps what else there is
  unshade_shader* shader = nullptr;
  ASSERT_EQ(unshade_open(small->bytes.data(), small->bytes.size(), &shader, nullptr), UNSHADE_OK);
  const unshade_source_text item = {"one.hlsl", "float one;\n"};
  unshade_edit* edit = nullptr;
  EXPECT_EQ(unshade_embed_sources(shader, &item, 1, sizeof item, &edit, nullptr), UNSHADE_OK);
  const auto* const first = static_cast<const std::byte*>(unshade_edit_data(edit));
  EXPECT_NE(sources_of({first, unshade_edit_size(edit)}).find("float one;"), std::string::npos);
  unshade_edit_free(edit);
  unshade_shader_free(shader);
}

}  // namespace
}  // namespace unshade
