// The shaders of a file, taken out and replaced one by one.
#include <unshade/unpack/contents.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/files.hpp"

namespace unshade::test {
namespace {

std::vector<std::byte> data(const std::string& name) { return read_bytes(source_dir() / "tests/data" / name); }

/// Zeros with a shader at an offset.
std::vector<std::byte> with_shader(std::size_t size, std::size_t offset, const std::vector<std::byte>& shader) {
  std::vector<std::byte> file(size);
  std::copy(shader.begin(), shader.end(), file.begin() + static_cast<std::ptrdiff_t>(offset));
  return file;
}

TEST(Contents, OfAVbcAreItsStages) {
  const auto file = data("vbc/textured.vbc");
  EXPECT_TRUE(unpack::has_own_contents(View(file)));
  const auto contents = unpack::own_contents(View(file));
  ASSERT_TRUE(contents);
  ASSERT_EQ(contents->size(), 2U);
  EXPECT_EQ((*contents)[0].at.name, "vertex");
  EXPECT_EQ((*contents)[1].at.name, "fragment");
  const unpack::Content& old = (*contents)[1];
  const View same = View(file).clamped(static_cast<std::size_t>(old.at.offset), old.at.bytes);
  const auto replaced = unpack::replace_content(View(file), 1, old, same);
  ASSERT_TRUE(replaced) << replaced.error().message;
  EXPECT_EQ(*replaced, file);
}

TEST(Contents, OfOtherFilesAreWhatASearchFinds) {
  const auto shader = data("pica/skin.v.shbin");
  const auto file = with_shader(4096, 1024, shader);
  EXPECT_FALSE(unpack::has_own_contents(View(file)));
  const auto contents = unpack::contents_of(unpack::search_bytes("x", View(file), {}), pica::find_embedded(View(file)));
  ASSERT_EQ(contents.size(), 1U);
  EXPECT_EQ(contents[0].at.offset, 1024U);
  EXPECT_EQ(contents[0].family, shader::Family::pica);
  const auto replaced = unpack::replace_content(View(file), 0, contents[0], View(shader));
  ASSERT_TRUE(replaced) << replaced.error().message;
  EXPECT_EQ(*replaced, file);
}

TEST(Contents, WhatWasUnpackedCannotBeReplaced) {
  unpack::Content content;
  content.layers = std::make_shared<const unpack::Layers>();
  EXPECT_EQ(unpack::check_replaceable(content).error().code, ErrorCode::unsupported);
  content = {};
  content.family = shader::Family::dxbc;
  EXPECT_EQ(unpack::replace_content({}, 0, content, {}).error().code, ErrorCode::unsupported);
  content.family = shader::Family::pica;
  EXPECT_TRUE(unpack::check_replaceable(content));
}

// Pieces that overlap by what the search asks for give what the whole file gives.
TEST(EmbeddedSearch, FindsInPiecesWhatLiesAcrossThem) {
  const auto shader = data("pica/skin.v.shbin");
  constexpr std::size_t kPiece = unpack::EmbeddedSearch::kLookAhead + (std::size_t{1} << 20);
  const auto file = with_shader(kPiece + 8192, kPiece - 64, shader);
  unpack::EmbeddedSearch search;
  const std::size_t again = search.add(View(file).clamped(0, kPiece), false);
  EXPECT_TRUE(search.found.empty());
  EXPECT_GE(again, 64U);
  EXPECT_EQ(search.add(View(file).clamped(kPiece - again, file.size()), true), 0U);
  ASSERT_EQ(search.found.size(), 1U);
  EXPECT_EQ(search.found[0].offset, kPiece - 64);
}

TEST(EmbeddedPatch, ChangesWhatLiesInAPiece) {
  const std::vector<std::byte> file(100, std::byte{1});
  const std::vector<std::byte> shader(4, std::byte{7});
  const auto patch = unpack::EmbeddedPatch::of({.offset = 48, .bytes = 8, .name = {}, .reference = 10}, View(shader));
  ASSERT_TRUE(patch);
  std::vector<std::byte> made = patch->applied(View(file).clamped(0, 50));
  const auto rest = patch->applied(View(file).clamped(50, 50));
  made.insert(made.end(), rest.begin(), rest.end());
  std::vector<std::byte> expected = file;
  std::fill_n(expected.begin() + 48, 4, std::byte{7});
  std::fill_n(expected.begin() + 52, 4, std::byte{0});
  expected[10] = std::byte{4};
  std::fill_n(expected.begin() + 11, 3, std::byte{0});
  EXPECT_EQ(made, expected);
  const std::vector<std::byte> longer(9);
  EXPECT_EQ(unpack::EmbeddedPatch::of({.offset = 48, .bytes = 8, .name = {}, .reference = 0}, View(longer)).error().offset, 48U);
}

}  // namespace
}  // namespace unshade::test
