#include <unshade/vbc/listing.hpp>

#include <gtest/gtest.h>

#include <string>

#include <unshade/spirv/assembler.hpp>
#include <unshade/vbc/repair.hpp>
#include <unshade/vbc/validate.hpp>

#include "samples.hpp"

namespace unshade::vbc {

namespace {

using namespace test;

std::string listing_of(const File& file, ListingOptions options = {}) {
  options.assembles_to = spirv::assembles_to;
  Text text;
  list_file(file, text, options);
  return text.str();
}

void expect_same(const File& file, const std::string& what) {
  for (const bool friendly : {false, true}) {
    ListingOptions options;
    options.spirv.friendly_names = friendly;
    const std::string text = listing_of(file, options);
    const auto again = assemble(text);
    ASSERT_TRUE(again) << what << ' ' << to_string(again.error()) << '\n' << text.substr(0, 4000);
    EXPECT_EQ(write(*again), write(file)) << what << '\n' << text.substr(0, 2000);
  }
}

TEST(VbcListing, TablesAreDirectives) {
  ListingOptions options;
  options.stages = 0;
  EXPECT_EQ(listing_of(sample("textured"), options),
            ".vbc 1 graphics\n"
            ".tables samplers 8192 images 128 buffers 512 ro_texels 128 rw_texels 128\n"
            ".input 0 float3\n"
            ".input 1 float3\n"
            ".input 2 float2\n"
            ".input 3 int\n"
            ".output 0 float4\n"
            ".binding 0 sampler fragment 2d float 4 4\n"
            ".binding 1 ro_buffer vertex|fragment 80\n"
            ".uniform 96 vertex|fragment\n"
            ".member 0 float4x4 viewProjection\n"
            ".member 64 float4 tint\n"
            ".member 80 float2 scroll\n"
            ".member 88 float time\n"
            ".member 92 int mode\n");
}

TEST(VbcListing, WhatIsListedIsAssembled) {
  for (const char* name : kSamples) expect_same(sample(name), name);
}

TEST(VbcListing, OddThingsAreSaid) {
  File file = sample("particles");
  file.inputs[0].padding = {1, 0, 255};
  file.inputs[1].array_size = 0;
  file.inputs[2].type = static_cast<BaseType>(200);
  file.outputs[0].columns = 9;
  file.bindings[0].padding[2] = 7;
  file.bindings[1].type = static_cast<BaseType>(77);
  file.bindings[1].stages = 0xffff;
  file.bindings[2].rank = static_cast<Rank>(99);
  file.bindings[3].texel = static_cast<TexelType>(50);
  file.uniform = {
      12, 0x8000, {{"", 0, BaseType::real, 1, 1, 1}, {"a b\n;\"", 77, BaseType::boolean, 4, 1, 2}, {"hex", 8, BaseType::real, 2, 3, 1}}};
  file.subpass_inputs = {{TexelType::unorm, 3, {0x12, 0x34}, {}}, {static_cast<TexelType>(9), 0, {}, {}}};
  file.trailing.assign(100, std::byte{0xaa});
  expect_same(file, "odd");
}

TEST(VbcListing, AllLayoutsAreSaid) {
  for (std::size_t i = 0; i < kLayouts; ++i) {
    File file = sample("textured");
    file.form.layout = static_cast<Layout>(i);
    const auto bytes = write(file);
    const auto read = parse(View(bytes));
    ASSERT_TRUE(read) << id(file.form.layout) << to_string(read.error());
    const auto again = assemble(listing_of(*read));
    ASSERT_TRUE(again) << id(file.form.layout) << to_string(again.error());
    EXPECT_EQ(again->form, read->form);
    EXPECT_EQ(write(*again), bytes) << id(file.form.layout);
  }
}

TEST(VbcListing, StagesThatTheLayoutHasNoPlaceForAreRefused) {
  File file = sample("textured");
  file.form.layout = Layout::reflection;
  const auto again = assemble(listing_of(file));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::bad_value);
}

TEST(VbcListing, CodeThatIsNoModuleIsBytes) {
  File file = sample("minimal");
  file.code(Stage::vertex)[4 * 5 + 2] = std::byte{0};
  EXPECT_NE(listing_of(file).find(".stage vertex bytes"), std::string::npos);
  expect_same(file, "bytes");
}

TEST(VbcListing, EditedTextMakesAnEditedFile) {
  std::string text = listing_of(sample("minimal"));
  text.replace(text.find(".input 0 float2"), 15, ".input 3 int4  ; changed");
  const auto file = assemble(text);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->inputs[0], (Variable{3, BaseType::signed_int, 4, 1, 1, {}}));
}

struct Fault {
  const char* text;
  const char* place;
};

TEST(VbcAssembler, FaultsHaveLineAndColumn) {
  const Fault faults[] = {
      {"", "1:1"},
      {".input 0 float\n", "1:1"},
      {".vbc 2 graphics\n", "1:6"},
      {".vbc 1 compute\n", "1:8"},
      {".vbc 1 graphics\n.inputs\n", "2:1"},
      {".vbc 1 graphics\n.input 256 float\n", "2:8"},
      {".vbc 1 graphics\n.input 0 float5\n", "2:10"},
      {".vbc 1 graphics\n.input 0 type(1,2)\n", "2:10"},
      {".vbc 1 graphics\n.input 0 float 4\n", "2:16"},
      {".vbc 1 graphics\n.tables sampler 4\n", "2:9"},
      {".vbc 1 graphics\n.binding 0 sampler vertex|pixel 2d float 4 4\n", "2:20"},
      {".vbc 1 graphics\n.binding 0 sampler vertex 4d float 4 4\n", "2:27"},
      {".vbc 1 graphics\n.member 0 float a\n", "2:1"},
      {".vbc 1 graphics\n.subpass float 4 padding 123\n", "2:26"},
      {".vbc 1 graphics\n.stage pixel\n", "2:8"},
      {".vbc 1 graphics\n.stage vertex\nOpNop\n", "3:1"},
      {".vbc 1 graphics\n.stage vertex\nOpNop\nOpNope\n.end\n", "4:1"},
      {".vbc 1 graphics\n.stage vertex bytes\nabc\n.end\n", "3:1"},
      {".vbc 1 graphics\n.layout 9\n", "1:1"},
      {".vbc 1 graphics\n.subpass_bytes 44\n", "1:1"},
  };
  for (const Fault& fault : faults) {
    const auto file = assemble(fault.text);
    ASSERT_FALSE(file) << fault.text;
    EXPECT_EQ(file.error().path, fault.place) << fault.text << to_string(file.error());
  }
}

TEST(VbcAssembler, EndInATextIsNoEnd) {
  const auto file = assemble(".vbc 1 graphics\n.stage vertex\nOpSourceExtension \"a\n.end \\\" b\" ; .end\n  .end\n");
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_FALSE(file->code(Stage::vertex).empty());
}

// Whatever can be read can be listed, mended and checked, and its listing says all of it.
TEST(VbcListing, DamagedFilesAreSaid) {
  std::uint32_t state = 3;
  const auto random = [&] { return state = state * 1664525 + 1013904223, state >> 8; };
  std::size_t read = 0;
  for (const char* name : kSamples) {
    const auto good = sample_bytes(name);
    for (int round = 0; round < 150; ++round) {
      auto bytes = good;
      for (unsigned n = 1 + random() % 4; n != 0; --n)
        bytes[(round % 2 == 0 ? 0x19 + random() % 0x90 : random()) % bytes.size()] = static_cast<std::byte>(random());
      static_cast<void>(check_file(view_of(bytes)));
      const auto file = parse(view_of(bytes));
      if (!file) continue;
      ++read;
      static_cast<void>(write(repair(*file).file));
      const auto again = assemble(listing_of(*file));
      ASSERT_TRUE(again) << name << ' ' << round << ' ' << to_string(again.error());
      ASSERT_EQ(write(*again), bytes) << name << ' ' << round;
    }
  }
  EXPECT_GT(read, 200U);
}

TEST(VbcAssembler, MutationsDoNoHarm) {
  const std::string good = listing_of(sample("textured"));
  std::uint32_t state = 7;
  const auto random = [&] { return state = state * 1664525 + 1013904223, state >> 8; };
  for (int round = 0; round < 300; ++round) {
    std::string text = good;
    const std::size_t within = round % 2 == 0 ? 500 : text.size();
    for (int n = 0; n < 3; ++n) text[random() % within] = static_cast<char>(random());
    const auto file = assemble(text);
    if (file) static_cast<void>(write(*file));
  }
}

}  // namespace

}  // namespace unshade::vbc
