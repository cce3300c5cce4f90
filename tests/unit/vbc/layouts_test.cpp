// The writer's defects and the layouts it had before: files as it wrote them, recovered and mended.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include <unshade/vbc/file.hpp>
#include <unshade/vbc/repair.hpp>
#include <unshade/vbc/validate.hpp>

#include "samples.hpp"

namespace unshade::vbc {

namespace {

using namespace test;

std::set<std::string> errors_of(const std::vector<std::byte>& bytes) {
  std::set<std::string> ids;
  for (const Diagnostic& d : check_file(view_of(bytes)))
    if (d.rule->severity == Severity::error) ids.insert(std::string(d.rule->id));
  return ids;
}

/// Reads, writes back, mends; the mended file conforms and has no errors. Returns it as read again.
File mended(const std::vector<std::byte>& bytes, Layout layout) {
  const auto file = parse(view_of(bytes));
  EXPECT_TRUE(file) << to_string(file.error());
  if (!file) return {};
  EXPECT_EQ(file->form.layout, layout);
  EXPECT_FALSE(file->conforms());
  EXPECT_EQ(write(*file), bytes);
  Tree tree(view_of(bytes));
  record(view_of(bytes), tree, 0);
  EXPECT_TRUE(tree.errors().empty()) << to_string(tree.errors()[0]);
  EXPECT_EQ(tree.coverage().named + tree.coverage().padding, bytes.size());

  const Repair repaired = repair(*file);
  EXPECT_FALSE(repaired.notes.empty());
  EXPECT_TRUE(repaired.is_whole());
  const auto again_bytes = write(repaired.file);
  auto again = parse(view_of(again_bytes));
  EXPECT_TRUE(again) << to_string(again.error());
  if (!again) return {};
  EXPECT_TRUE(again->conforms());
  return *std::move(again);
}

// The tables of textured.vbc in the newer numbers, behind the header.
void new_tables(Bytes& b) {
  b.u32(4).variable(0, 4, 3, 1, 1).variable(1, 4, 3, 1, 1).variable(2, 4, 2, 1, 1).variable(3, 2, 1, 1, 1);
  b.u32(1).variable(0, 4, 4, 1, 1);
  b.u32(2).u8(0).u8(5).u16(16).u8(1).u8(2).u8(4).u8(4);
  b.u8(1).u8(7).u16(17).u16(80).u16(0);
  b.u16(96).u16(17).u32(5);
  b.u8(14).text("viewProjection").u16(0).u8(4).u8(4).u8(4).u8(1);
  b.u8(4).text("tint").u16(64).u8(4).u8(4).u8(1).u8(1);
  b.u8(6).text("scroll").u16(80).u8(4).u8(2).u8(1).u8(1);
  b.u8(4).text("time").u16(88).u8(4).u8(1).u8(1).u8(1);
  b.u8(4).text("mode").u16(92).u8(2).u8(1).u8(1).u8(1);
  b.u32(0);
}

void sizes(Bytes& b) { b.u16(8192).u16(128).u16(512).u16(128).u16(128); }
void counts(Bytes& b, const File& f) { b.u16(words(f.code(Stage::vertex))).u16(0).u16(0).u16(0).u16(words(f.code(Stage::fragment))); }
void code(Bytes& b, const File& f) { b.raw(f.code(Stage::vertex)).raw(f.code(Stage::fragment)); }

// What older layouts have of the same file, with their numbers.
void old_bindings(Bytes& b) {
  b.u32(2).u8(0).u8(5).u16(16).u8(2).u8(4).u8(0).u8(0);
  b.u8(1).u8(8).u16(17).u16(80).u16(0);
}
void old_variables(Bytes& b) {
  // vectors had 0 columns at first
  b.u32(4).variable(0, 4, 3, 0, 1).variable(1, 4, 3, 0, 1).variable(2, 4, 2, 1, 1).variable(3, 2, 1, 1, 1);
  b.u32(1).variable(0, 4, 4, 1, 1);
}
struct OldMember {
  const char* name;
  unsigned offset, type, components, columns;
};
constexpr OldMember kMembers[] = {
    {"viewProjection", 0, 4, 4, 4}, {"tint", 64, 4, 4, 1}, {"scroll", 80, 4, 2, 1}, {"time", 88, 4, 1, 1}, {"mode", 92, 2, 1, 1}};
void old_members(Bytes& b, bool typed) {
  b.u32(5);
  for (const OldMember& m : kMembers) {
    b.u32(m.offset);
    if (typed) b.u8(m.type).u8(m.components).u8(m.columns).u8(1);
    b.u32(std::string_view(m.name).size()).text(m.name);
  }
}

/// The mended file is the sample.
void expect_sample(const File& file, std::string_view name) { EXPECT_EQ(write(file), sample_bytes(name)); }

TEST(VbcLayouts, ImagesOfMemoryForSubpassInputs) {
  const auto bytes = sample_bytes("subpass");
  const auto file = parse(view_of(bytes));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->form.subpass_bytes, 48);
  ASSERT_EQ(file->subpass_inputs.size(), 2U);
  ASSERT_TRUE(file->subpass_inputs[0].image);
  EXPECT_EQ(file->subpass_inputs[0].image->name(), "base");
  EXPECT_EQ(file->subpass_inputs[1].image->name(), "ids");
  EXPECT_EQ(file->subpass_inputs[1].image->index, 1U);
  EXPECT_EQ(file->subpass_inputs[0].texel, TexelType::real);
  EXPECT_EQ(file->subpass_inputs[1].texel, TexelType::unsigned_int);
  EXPECT_EQ(errors_of(bytes), std::set<std::string>{"vbc.subpass-image"});

  const File whole = mended(bytes, Layout::current);
  ASSERT_EQ(whole.subpass_inputs.size(), 2U);
  EXPECT_EQ(whole.subpass_inputs[1], (SubpassInput{TexelType::unsigned_int, 4, {}, {}}));
  EXPECT_EQ(write(whole).size(), bytes.size() - 2 * 44);
  EXPECT_TRUE(errors_of(write(whole)).empty());
}

TEST(VbcLayouts, ImagesOfOtherCompilers) {
  const File good = repair(sample("subpass")).file;
  struct Case {
    unsigned size;
    const char* name;
  };
  for (const Case& c : {Case{40, "base"}, Case{48, "base"}, Case{56, "base"}}) {
    Bytes b;
    b.text("VBC").u8(1).u8(1);
    counts(b, good);
    sizes(b);
    b.u32(1).variable(0, 4, 2, 1, 1).u32(1).variable(0, 4, 4, 1, 1).u32(0).u16(0).u32(2);
    for (unsigned i = 0; i < 2; ++i) {
      if (c.size == 40) b.u8(8).text(c.name).raw(std::vector<std::byte>(19));                           // libc++
      if (c.size == 48) b.text(c.name).raw(std::vector<std::byte>(12)).u64(4).u64(15);                  // MSVC
      if (c.size == 56) b.u64(0x7fff1234).text(c.name).raw(std::vector<std::byte>(12)).u64(4).u64(15);  // MSVC, debug
      b.u32(i).u32(0xcccccccc).u64(0x5566778899);
    }
    code(b, good);
    const auto bytes = b.take();
    const auto file = parse(view_of(bytes));
    ASSERT_TRUE(file) << c.size << to_string(file.error());
    EXPECT_EQ(file->form.subpass_bytes, c.size);
    EXPECT_EQ(file->subpass_inputs[0].image->name(), c.name) << c.size;
    EXPECT_EQ(file->subpass_inputs[1].image->index, 1U);
    EXPECT_EQ(write(mended(bytes, Layout::current)), write(good));
  }
}

TEST(VbcLayouts, WrappedWordCounts) {
  const File good = sample("minimal");
  for (const std::size_t count : {std::size_t{65536}, std::size_t{65536 + 300}, std::size_t{3 * 65536 + 1}}) {
    File big = good;
    big.code(Stage::vertex) = padded(big.code(Stage::vertex), count);
    const auto bytes = write(big);
    const auto file = parse(view_of(bytes));
    ASSERT_TRUE(file) << count << to_string(file.error());
    EXPECT_EQ(file->code(Stage::vertex).size(), 4 * count);
    EXPECT_EQ(file->code(Stage::fragment), good.code(Stage::fragment));
    EXPECT_TRUE(file->has_wrapped_counts());
    EXPECT_FALSE(file->conforms());
    EXPECT_EQ(write(*file), bytes);
    EXPECT_TRUE(errors_of(bytes).count("vbc.word-count"));
    const Repair repaired = repair(*file);
    EXPECT_FALSE(repaired.is_whole());
    ASSERT_EQ(repaired.notes.size(), 1U);
    EXPECT_FALSE(repaired.notes[0].is_done);
    EXPECT_EQ(repaired.notes[0].path, "vertex");
  }
}

// Code that cannot be followed: magic numbers, and zeros behind them.
TEST(VbcLayouts, WrappedWordCountsOfUnknownCode) {
  File big = sample("minimal");
  std::vector<std::byte> code(4 * (2 * 65536 + 9));
  for (std::size_t i = 0; i < 4; ++i) code[i] = big.code(Stage::vertex)[i];
  for (const bool both : {false, true}) {
    big.code(Stage::vertex) = code;
    if (both) big.code(Stage::fragment) = code;
    const auto bytes = write(big);
    const auto file = parse(view_of(bytes));
    ASSERT_TRUE(file) << to_string(file.error());
    EXPECT_EQ(file->code(Stage::vertex).size(), code.size());
    EXPECT_TRUE(file->trailing.empty());
    EXPECT_TRUE(file->has_wrapped_counts());
    EXPECT_EQ(write(*file), bytes);
  }
}

TEST(VbcLayouts, BytesBehindTheLastStageAreNoWrappedCount) {
  File file = sample("minimal");
  file.trailing.resize(4 * 65536);
  const auto bytes = write(file);
  const auto read = parse(view_of(bytes));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->trailing.size(), 4U * 65536);
  EXPECT_EQ(write(*read), bytes);
  EXPECT_EQ(write(repair(*read).file), sample_bytes("minimal"));
}

// Stages without an entry point: a header alone.
TEST(VbcLayouts, ModulesThatDoNotSayTheirStage) {
  File file = sample("minimal");
  file.code(Stage::vertex).resize(20);
  file.code(Stage::fragment).resize(20);
  file.form.layout = Layout::uncounted;
  const auto bytes = write(file);
  const auto read = parse(view_of(bytes));
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->form.layout, Layout::uncounted);
  EXPECT_EQ(read->code(Stage::fragment), file.code(Stage::fragment));
}

TEST(VbcLayouts, Uncounted) {
  const File good = sample("textured");
  Bytes b;
  b.text("VBC").u8(1).u8(1);
  sizes(b);
  new_tables(b);
  code(b, good);
  const auto bytes = b.take();
  EXPECT_EQ(errors_of(bytes), std::set<std::string>{"vbc.layout"});
  expect_sample(mended(bytes, Layout::uncounted), "textured");
}

TEST(VbcLayouts, UncountedWithImages) {
  const File raw = sample("subpass");
  File odd = raw;
  odd.form.layout = Layout::uncounted;
  const auto bytes = write(odd);
  const File whole = mended(bytes, Layout::uncounted);
  EXPECT_EQ(write(whole), write(repair(raw).file));
}

TEST(VbcLayouts, ReflectionAlone) {
  Bytes b;
  b.text("VBC").u8(1).u8(1);
  sizes(b);
  new_tables(b);
  const auto bytes = b.take();
  const File whole = mended(bytes, Layout::reflection);
  EXPECT_EQ(whole.uniform, sample("textured").uniform);
  EXPECT_EQ(whole.stage_mask(), 0);
}

TEST(VbcLayouts, Wide) {
  const File good = sample("textured");
  Bytes b;
  b.text("VBC").u8(1).u8(1);
  counts(b, good);
  sizes(b);
  old_variables(b);
  old_bindings(b);
  b.u32(96).u16(17);
  old_members(b, true);
  b.u32(0);
  code(b, good);
  const auto bytes = b.take();
  EXPECT_EQ(errors_of(bytes), std::set<std::string>{"vbc.layout"});
  expect_sample(mended(bytes, Layout::wide), "textured");
}

TEST(VbcLayouts, WideWithoutAUniform) {
  const File good = sample("minimal");
  for (const bool full : {false, true}) {
    Bytes b;
    b.text("VBC").u8(1).u8(1);
    counts(b, good);
    sizes(b);
    b.u32(1).variable(0, 4, 2, 1, 1).u32(1).variable(0, 4, 4, 1, 1).u32(0).u32(0);
    if (full) b.u16(0).u32(0);
    b.u32(0);
    code(b, good);
    expect_sample(mended(b.take(), full ? Layout::wide_full : Layout::wide), "minimal");
  }
}

TEST(VbcLayouts, WideSubpassInputs) {
  const File good = repair(sample("subpass")).file;
  Bytes b;
  b.text("VBC").u8(1).u8(1);
  counts(b, good);
  sizes(b);
  b.u32(1).variable(0, 4, 2, 1, 1).u32(1).variable(0, 4, 4, 1, 1).u32(0).u32(0);
  b.u32(2).u8(4).u8(4).u16(0).u8(3).u8(4).u16(0);
  code(b, good);
  EXPECT_EQ(write(mended(b.take(), Layout::wide)), write(good));
}

TEST(VbcLayouts, WideUntyped) {
  const File good = sample("textured");
  Bytes b;
  b.text("VBC").u8(1).u8(1);
  counts(b, good);
  sizes(b);
  old_variables(b);
  old_bindings(b);
  b.u32(96).u16(17);
  old_members(b, false);
  b.u32(0);
  code(b, good);
  expect_sample(mended(b.take(), Layout::wide_untyped), "textured");
}

TEST(VbcLayouts, First) {
  const File good = sample("textured");
  Bytes b;
  b.text("VBC").u8(1);
  counts(b, good);
  sizes(b);
  b.u8(4).variable(0, 4, 3, 0, 1).variable(1, 4, 3, 0, 1).variable(2, 4, 2, 1, 1).variable(3, 2, 1, 1, 1);
  b.u8(1).variable(0, 4, 4, 1, 1);
  b.u8(2).u8(0).u8(5).u8(2).u8(0).u8(0).u8(0).u16(0);  // no texel type at all
  b.u8(1).u8(8).u8(0).u16(80).u8(0).u16(0);
  b.u32(96);
  old_members(b, false);
  b.u32(0);
  code(b, good);
  expect_sample(mended(b.take(), Layout::first), "textured");
}

// Texel buffers were written without rank, type and format at first.
TEST(VbcLayouts, FirstWithoutRanks) {
  const File good = sample("particles");
  Bytes b;
  b.text("VBC").u8(1);
  counts(b, good);
  sizes(b);
  b.u8(3).variable(0, 4, 4, 1, 1).variable(1, 3, 1, 1, 3).variable(4, 2, 1, 1, 1);
  b.u8(2).variable(0, 4, 4, 1, 1).variable(1, 3, 1, 1, 1);
  b.u8(6).u8(0).u8(9).u8(0).u16(32).u8(0).u16(0);
  b.u8(1).u8(6).u8(2).u8(4).u8(4).u8(4).u16(0);
  b.u8(2).u8(10).u32(0).u16(0);
  b.u8(3).u8(11).u8(7).u8(3).u8(4).u8(4).u16(0);
  b.u8(4).u8(5).u8(2).u8(0).u8(0).u8(0).u16(0);
  b.u8(7).u8(5).u8(6).u8(0).u8(0).u8(0).u16(0);
  b.u32(0).u32(0).u32(0);
  code(b, good);
  expect_sample(mended(b.take(), Layout::first), "particles");
}

TEST(VbcLayouts, WhatCannotBeFoundAgainIsSaid) {
  File file = sample("minimal");
  file.form.layout = Layout::wide_untyped;
  file.uniform = {8, 1, {{"a", 0, BaseType::void_, 1, 1, 1}}};
  const Repair repaired = repair(file);
  EXPECT_TRUE(
      std::any_of(repaired.notes.begin(), repaired.notes.end(), [](const RepairNote& n) { return !n.is_done && n.path == "uniform"; }));
}

TEST(VbcLayouts, TruncatedOlderFilesAreErrors) {
  for (const Layout layout : {Layout::uncounted, Layout::wide, Layout::wide_full, Layout::wide_untyped, Layout::first}) {
    File file = sample("textured");
    file.form.layout = layout;
    const auto bytes = write(file);
    ASSERT_TRUE(parse(view_of(bytes))) << id(layout);
    for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 64) {
      const auto cut = parse(view_of(bytes).clamped(0, size));
      // uncounted: what is left after whole stages is a file of fewer stages or of none
      EXPECT_TRUE(!cut || layout == Layout::uncounted) << id(layout) << ' ' << size;
    }
  }
}

}  // namespace

}  // namespace unshade::vbc
