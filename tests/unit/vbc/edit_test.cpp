// Packing and editing.
#include <unshade/vbc/edit.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/pack.hpp>
#include <unshade/vbc/repair.hpp>
#include <unshade/vbc/validate.hpp>

#include "samples.hpp"

namespace unshade::vbc {

namespace {

using namespace test;

std::vector<View> modules_of(const File& file) {
  std::vector<View> views;
  for (const auto& code : file.stages)
    if (!code.empty()) views.push_back(view_of(code));
  return views;
}

TEST(VbcPack, MakesTheSamplesOfTheirStages) {
  for (const char* name : kSamples) {
    const File good = repair(sample(name)).file;
    const auto packed = pack(modules_of(good));
    ASSERT_TRUE(packed) << name << to_string(packed.error());
    EXPECT_EQ(packed->inputs, good.inputs) << name;
    EXPECT_EQ(packed->outputs, good.outputs) << name;
    EXPECT_EQ(packed->bindings, good.bindings) << name;
    EXPECT_EQ(packed->uniform, good.uniform) << name;
    EXPECT_EQ(packed->subpass_inputs, good.subpass_inputs) << name;
    EXPECT_EQ(write(*packed), write(good)) << name;
  }
}

TEST(VbcPack, OrderOfModulesDoesNotMatter) {
  const File good = sample("textured");
  auto modules = modules_of(good);
  std::swap(modules[0], modules[1]);
  const auto packed = pack(modules);
  ASSERT_TRUE(packed);
  EXPECT_EQ(write(*packed), write(good));
}

TEST(VbcPack, WhatIsGivenStandsFirst) {
  const File good = sample("textured");
  PackOptions options;
  Binding unused{9, BaseType::ro_texels, 0, {}, 0, Rank::buffer, TexelType::real, 4, 4};
  options.bindings = {unused, good.bindings[1]};
  options.bindings[1].stages = 0;
  options.inputs = {{7, BaseType::real, 1, 1, 1, {}}};
  options.uniform = good.uniform;
  options.uniform->members[0].name = "other";
  const auto packed = pack(modules_of(good), options);
  ASSERT_TRUE(packed) << to_string(packed.error());
  ASSERT_EQ(packed->bindings.size(), 3U);
  EXPECT_EQ(packed->bindings[0], unused);
  EXPECT_EQ(packed->bindings[1], good.bindings[1]);
  EXPECT_EQ(packed->bindings[2], good.bindings[0]);
  EXPECT_EQ(packed->inputs.back().location, 7);
  EXPECT_EQ(packed->uniform.members[0].name, "other");
}

TEST(VbcPack, ContradictionsAreErrors) {
  const File good = sample("textured");
  const auto modules = modules_of(good);
  const auto fault = [&](const PackOptions& options) {
    const auto packed = pack(modules, options);
    return packed ? std::string("none") : std::string(id(packed.error().code)) + ' ' + packed.error().path;
  };
  PackOptions options;
  options.bindings = good.bindings;
  options.bindings[1].struct_bytes = 4;
  EXPECT_EQ(fault(options), "bad-value bindings[1]");
  options = {};
  options.inputs = {{0, BaseType::real, 4, 1, 1, {}}};
  EXPECT_EQ(fault(options), "bad-value inputs[0]");
  options = {};
  options.tables = TableSizes{8192, 128, 4, 128, 128};
  EXPECT_EQ(fault(options), "bad-value table_sizes/buffers");
  options = {};
  options.uniform = good.uniform;
  options.uniform->members.pop_back();
  EXPECT_EQ(fault(options), "bad-value uniform");
}

TEST(VbcPack, BadModulesAreErrors) {
  const File good = sample("minimal");
  const View vertex = view_of(good.code(Stage::vertex));
  const auto fault = [](std::vector<View> modules) {
    const auto packed = pack(modules);
    return packed ? std::string("none") : std::string(id(packed.error().code)) + ' ' + packed.error().path.substr(0, 9);
  };
  EXPECT_EQ(fault({vertex, vertex}), "bad-value stages[1]");
  EXPECT_EQ(fault({vertex.clamped(0, 40)}), "truncated stages[0]");
  EXPECT_EQ(fault({vertex.clamped(0, 20)}), "bad-value stages[0]");
  const auto big = padded(good.code(Stage::vertex), 65536);
  EXPECT_EQ(fault({view_of(big)}), "limit stages[0]");
  auto swapped = good.code(Stage::vertex);
  for (std::size_t i = 0; i + 3 < swapped.size(); i += 4) {
    std::swap(swapped[i], swapped[i + 3]);
    std::swap(swapped[i + 1], swapped[i + 2]);
  }
  EXPECT_EQ(fault({view_of(swapped)}), "unsupported stages[0]");
}

TEST(VbcPack, TakesFromAnotherFileWhatModulesDoNotTell) {
  File other = sample("textured");
  other.tables.images = 77;
  const PackOptions options = options_like(other);
  EXPECT_EQ(options.tables, other.tables);
  EXPECT_EQ(options.inputs, other.inputs);
  EXPECT_EQ(options.bindings, other.bindings);
  EXPECT_FALSE(options_like(sample("minimal")).subpass_inputs.size() > 0);
  const auto subpass = options_like(sample("subpass")).subpass_inputs;
  ASSERT_FALSE(subpass.empty());
  for (const SubpassInput& one : subpass) EXPECT_FALSE(one.image) << "modules tell it";
}

TEST(VbcEdit, ReadsTheSizesOfTables) {
  TableSizes sizes;
  ASSERT_TRUE(parse_table_sizes("samplers=16,rw_texels=65535", sizes));
  EXPECT_EQ(sizes, (TableSizes{16, 128, 512, 128, 65535}));
  EXPECT_TRUE(parse_table_sizes("", sizes));
  for (const char* text : {"samplers", "textures=1", "images=65536", "images=-1", "images=1x", ",images=1"}) {
    const auto done = parse_table_sizes(text, sizes);
    ASSERT_FALSE(done) << text;
    EXPECT_EQ(done.error().code, ErrorCode::bad_value);
  }
}

TEST(VbcEdit, ReplacesAStage) {
  File file = sample("minimal");
  const File other = sample("textured");
  ASSERT_TRUE(replace_stage(file, Stage::fragment, view_of(other.code(Stage::fragment))));
  EXPECT_EQ(file.code(Stage::fragment), other.code(Stage::fragment));
  EXPECT_EQ(file.code(Stage::vertex), sample("minimal").code(Stage::vertex));
  const auto wrong = replace_stage(file, Stage::vertex, view_of(other.code(Stage::fragment)));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::bad_value);
  EXPECT_EQ(wrong.error().path, "vertex");
  EXPECT_EQ(file.code(Stage::vertex), sample("minimal").code(Stage::vertex));
}

TEST(VbcEdit, StripsNames) {
  File file = sample("textured");
  ASSERT_TRUE(strip(file, {.debug = true}));
  EXPECT_EQ(file.uniform, sample("textured").uniform);
  for (const Stage stage : {Stage::vertex, Stage::fragment}) {
    const auto module = spirv::parse(view_of(file.code(stage)));
    ASSERT_TRUE(module);
    for (const spirv::Instruction i : *module) {
      EXPECT_NE(i.opcode(), spirv::Opcode::name);
      EXPECT_NE(i.opcode(), spirv::Opcode::member_name);
      EXPECT_NE(i.opcode(), spirv::Opcode::source);
      EXPECT_NE(i.opcode(), spirv::Opcode::source_extension);
    }
  }
  const auto bytes = write(file);
  EXPECT_LT(bytes.size(), sample_bytes("textured").size());
  EXPECT_TRUE(check_file(view_of(bytes)).empty());
  ASSERT_TRUE(strip(file, {.debug = true, .names = true}));
  EXPECT_TRUE(file.uniform.members[0].name.empty());
  EXPECT_EQ(write(*parse(view_of(write(file)))), write(file));
}

TEST(VbcEdit, SizesOfTablesAreThoseOfTheArrays) {
  const TableSizes sizes{16, 8, 4, 128, 64};
  for (const char* name : {"minimal", "textured", "particles"}) {
    File file = sample(name);
    ASSERT_TRUE(set_table_sizes(file, sizes)) << name;
    EXPECT_EQ(file.tables, sizes);
    const auto bytes = write(file);
    for (const Diagnostic& d : check_file(view_of(bytes))) EXPECT_EQ(d.rule->id, "vbc.table-sizes") << name << to_string(d);
    // particles has ro_texels, images and rw_texels of the same length by one constant: the first is to stay
    const auto packed = pack(modules_of(file));
    ASSERT_TRUE(packed) << to_string(packed.error());
    EXPECT_EQ(packed->bindings, sample(name).bindings);
    ASSERT_TRUE(set_table_sizes(file, TableSizes{})) << name;
    EXPECT_EQ(file.tables, TableSizes{});
  }
}

TEST(VbcEdit, NoChangeNoByte) {
  for (const char* name : {"textured", "particles"}) {
    File file = sample(name);
    ASSERT_TRUE(set_table_sizes(file, file.tables));
    EXPECT_EQ(write(file), sample_bytes(name)) << name;
  }
}

TEST(VbcEdit, ATableOfNoSizeIsRefused) {
  File file = sample("textured");
  TableSizes sizes;
  sizes.images = 0;
  const auto done = set_table_sizes(file, sizes);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().path, "table_sizes/images");
  EXPECT_EQ(write(file), sample_bytes("textured"));
}

}  // namespace

}  // namespace unshade::vbc
