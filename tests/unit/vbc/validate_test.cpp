#include <unshade/vbc/validate.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/listing.hpp>
#include <unshade/vbc/repair.hpp>

#include "samples.hpp"

namespace unshade::vbc {

namespace {

using namespace test;

std::set<std::string> ids_of(const std::vector<Diagnostic>& found) {
  std::set<std::string> ids;
  for (const Diagnostic& d : found) ids.insert(std::string(d.rule->id));
  return ids;
}

std::set<std::string> findings_of(const File& file) {
  const auto bytes = write(file);
  return ids_of(check_file(view_of(bytes)));
}

/// A stage with a text replaced in its assembly; every place where it stands.
void change(File& file, Stage stage, std::string_view from, std::string_view to) {
  const auto module = spirv::parse(view_of(file.code(stage)));
  ASSERT_TRUE(module);
  Text text;
  spirv::ListingOptions options;
  options.friendly_names = false;
  options.exact = true;
  spirv::list_module(*module, text, options);
  std::string changed = text.str();
  std::size_t count = 0;
  for (std::size_t at = 0; (at = changed.find(from, at)) != std::string::npos; at += to.size(), ++count)
    changed.replace(at, from.size(), to);
  ASSERT_NE(count, 0U) << from << '\n' << changed;
  auto code = spirv::assemble(changed);
  ASSERT_TRUE(code) << to_string(code.error());
  file.code(stage) = *std::move(code);
}

TEST(VbcValidate, SamplesAreClean) {
  for (const char* name : {"minimal", "textured", "particles"}) {
    const auto bytes = sample_bytes(name);
    const auto found = check_file(view_of(bytes));
    EXPECT_TRUE(found.empty()) << name << to_string(found[0]);
  }
  const auto found = findings_of(repair(sample("subpass")).file);
  EXPECT_TRUE(found.empty());
}

struct Case {
  const char* id;
  const char* sample;
  std::function<void(File&)> change;
};

TEST(VbcValidate, EachRuleHasItsFault) {
  const auto vertex = Stage::vertex;
  const auto fragment = Stage::fragment;
  const Case cases[] = {
      {"vbc.array-size", "particles", [](File& f) { f.inputs[1].array_size = 65; }},
      {"vbc.array-size", "particles", [](File& f) { f.inputs[1].array_size = 0; }},
      {"vbc.binding-access", "textured", [](File& f) { f.bindings[1].type = BaseType::rw_buffer; }},
      {"vbc.binding-limit", "minimal", [](File& f) { f.bindings.assign(33, {0, BaseType::ro_buffer, 0, {}, 16, {}, {}, {}, {}}); }},
      {"vbc.binding-mismatch", "textured", [](File& f) { f.bindings[0].rank = Rank::d3; }},
      {"vbc.binding-mismatch", "textured", [](File& f) { f.bindings[0].texel = TexelType::unsigned_int; }},
      {"vbc.binding-mismatch", "particles", [](File& f) { f.bindings[1].components = 2; }},
      {"vbc.binding-stages", "textured", [](File& f) { f.bindings[0].stages = 0; }},
      {"vbc.binding-stride", "textured", [](File& f) { f.bindings[1].struct_bytes = 96; }},
      {"vbc.binding-type", "textured", [](File& f) { f.bindings[0].type = BaseType::structure; }},
      {"vbc.binding-undeclared", "textured", [](File& f) { f.bindings.pop_back(); }},
      {"vbc.binding-unused", "textured", [](File& f) { f.bindings[0].stages = 17; }},
      {"vbc.boolean", "minimal", [](File& f) { f.inputs[0].type = BaseType::boolean; }},
      {"vbc.descriptor-set", "textured", [&](File& f) { change(f, vertex, "DescriptorSet 1", "DescriptorSet 3"); }},
      {"vbc.dimensions", "minimal", [](File& f) { f.inputs[0].components = 5; }},
      {"vbc.dimensions", "textured", [](File& f) { f.uniform.members[4].columns = 2; }},
      {"vbc.entry-point", "minimal", [&](File& f) { f.code(vertex) = f.code(fragment); }},
      {"vbc.entry-point-name", "minimal", [&](File& f) { change(f, vertex, "\"main\" %", "\"mein\" %"); }},
      {"vbc.input-mismatch", "minimal", [](File& f) { f.inputs[0].components = 3; }},
      {"vbc.input-undeclared", "minimal", [](File& f) { f.inputs[0].location = 5; }},
      {"vbc.input-unused", "minimal", [](File& f) { f.inputs.push_back({5, BaseType::real, 4, 1, 1, {}}); }},
      {"vbc.layout", "minimal", [](File& f) { f.form.layout = Layout::uncounted; }},
      {"vbc.location-limit", "minimal", [](File& f) { f.outputs[0].location = 8; }},
      {"vbc.location-order", "textured", [](File& f) { std::swap(f.inputs[0], f.inputs[1]); }},
      {"vbc.location-order", "particles", [](File& f) { f.inputs[2].location = 3; }},
      {"vbc.member-layout", "textured", [](File& f) { f.uniform.members[1].offset = 68; }},
      {"vbc.member-layout", "textured", [](File& f) { f.uniform.size = 100; }},
      {"vbc.member-name", "textured", [](File& f) { f.uniform.members[1].name = std::string(33, 'a'); }},
      {"vbc.member-name", "textured", [](File& f) { f.uniform.members[1].name = "time"; }},
      {"vbc.member-name", "textured", [](File& f) { f.uniform.members[1].name = "9"; }},
      {"vbc.module", "minimal", [&](File& f) { f.code(vertex)[4 * 5 + 2] = std::byte{0}; }},
      {"vbc.output-mismatch", "minimal", [](File& f) { f.outputs[0].type = BaseType::unsigned_int; }},
      {"vbc.output-shape", "minimal", [](File& f) { f.outputs[0].components = 3; }},
      {"vbc.output-undeclared", "particles", [](File& f) { f.outputs.pop_back(); }},
      {"vbc.output-unused", "minimal", [](File& f) { f.outputs.push_back({1, BaseType::real, 4, 1, 1, {}}); }},
      {"vbc.padding", "minimal", [](File& f) { f.inputs[0].padding[2] = 1; }},
      {"vbc.padding", "textured", [](File& f) { f.bindings[1].padding[3] = 1; }},
      {"vbc.push-constants", "textured", [](File& f) { f.bindings.push_back({2, BaseType::ro_buffer, 0, {}, 16, {}, {}, {}, {}}); }},
      {"vbc.rank", "textured", [](File& f) { f.bindings[0].rank = Rank::buffer; }},
      {"vbc.rank", "particles", [](File& f) { f.bindings[1].rank = Rank::cube; }},
      {"vbc.rank", "particles", [](File& f) { f.bindings[2].rank = static_cast<Rank>(7); }},
      {"vbc.reader-stages", "minimal", [&](File& f) { f.code(fragment).clear(); }},
      {"vbc.slot-range", "textured", [](File& f) { f.bindings[0].slot = 32; }},
      {"vbc.slot-twice", "textured", [](File& f) { f.bindings[0].slot = 1; }},
      {"vbc.stage-link", "textured", [&](File& f) { change(f, fragment, "OpDecorate %52 Location 0", "OpDecorate %52 Location 7"); }},
      {"vbc.stage-link", "textured", [&](File& f) { change(f, vertex, "OpDecorate %78 Location 1", "OpDecorate %78 Location 0"); }},
      {"vbc.stage-mask", "textured", [](File& f) { f.bindings[0].stages = 24; }},
      {"vbc.struct-size", "textured", [](File& f) { f.bindings[1].struct_bytes = 1028; }},
      {"vbc.struct-size", "textured", [](File& f) { f.uniform.size = 98; }},
      {"vbc.subpass-format", "subpass", [](File& f) { f.subpass_inputs[0].components = 3; }},
      {"vbc.subpass-limit", "subpass", [](File& f) { f.subpass_inputs.resize(5); }},
      {"vbc.subpass-mismatch", "subpass", [](File& f) { f.subpass_inputs[0].texel = TexelType::signed_int; }},
      {"vbc.subpass-undeclared", "subpass", [](File& f) { f.subpass_inputs.pop_back(); }},
      {"vbc.subpass-unused", "subpass", [](File& f) { f.subpass_inputs.resize(3); }},
      {"vbc.table-kind", "textured", [&](File& f) { change(f, fragment, "OpDecorate %45 Binding 0", "OpDecorate %45 Binding 2"); }},
      {"vbc.table-length", "textured", [](File& f) { f.tables.buffers = 511; }},
      {"vbc.table-sizes", "minimal", [](File& f) { f.tables.buffers = 511; }},
      {"vbc.texel-format", "textured", [](File& f) { f.bindings[0].components = 2; }},
      {"vbc.texel-format", "particles", [](File& f) { f.bindings[1].texel = TexelType::unorm; }},
      {"vbc.trailing-bytes", "minimal", [](File& f) { f.trailing.resize(3); }},
      {"vbc.uniform-mismatch", "textured", [](File& f) { f.uniform.members[4].type = BaseType::unsigned_int; }},
      {"vbc.uniform-mismatch", "textured", [](File& f) { f.uniform.members.pop_back(); }},
      {"vbc.uniform-names", "textured", [](File& f) { f.uniform.members[4].name = "other"; }},
      {"vbc.uniform-stages", "textured", [](File& f) { f.uniform.stages = 1; }},
      {"vbc.uniform-undeclared", "textured", [](File& f) { f.uniform = {}; }},
      {"vbc.uniform-unused", "minimal", [](File& f) { f.uniform = {4, 1, {{"a", 0, BaseType::real, 1, 1, 1}}}; }},
      {"vbc.value-type", "minimal", [](File& f) { f.inputs[0].type = BaseType::sampler; }},
      {"vbc.word-count", "minimal", [&](File& f) { f.code(vertex) = padded(f.code(vertex), 65540); }},
  };
  std::set<std::string> tested{"vbc.unreadable", "vbc.subpass-image"};  // below, and in layouts_test.cpp
  for (const Case& c : cases) {
    File file = repair(sample(c.sample)).file;
    ASSERT_FALSE(findings_of(file).count(c.id)) << c.id;
    c.change(file);
    const auto found = findings_of(file);
    std::string all;
    for (const auto& id : found) all += id + ' ';
    EXPECT_TRUE(found.count(c.id)) << c.id << "; found: " << all;
    tested.insert(c.id);
  }
  for (const Rule* rule : validation_rules()) EXPECT_TRUE(tested.count(std::string(rule->id))) << rule->id;
}

TEST(VbcValidate, WhatCannotBeRead) {
  auto bytes = sample_bytes("minimal");
  bytes.resize(bytes.size() - 4);
  const auto found = check_file(view_of(bytes));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule->id, "vbc.unreadable");
  EXPECT_EQ(found[0].path, "VBC/fragment");
}

TEST(VbcValidate, FindingsSayWhere) {
  File file = sample("textured");
  file.bindings[1].struct_bytes = 96;
  const auto bytes = write(file);
  const auto found = check_file(view_of(bytes));
  const auto stride = std::find_if(found.begin(), found.end(), [](const Diagnostic& d) { return d.rule->id == "vbc.binding-stride"; });
  ASSERT_NE(stride, found.end());
  EXPECT_EQ(stride->path, "bindings[1]");
  EXPECT_EQ(stride->offset, 0x4dU + 8 + 4);
}

TEST(VbcValidate, RulesAreInOrder) {
  const auto rules = validation_rules();
  EXPECT_TRUE(std::is_sorted(rules.begin(), rules.end(), [](const Rule* a, const Rule* b) { return a->id < b->id; }));
}

// Optimisers put the slot's half straight into the access, and may use one instruction for it.
TEST(VbcValidate, SlotsAreFollowedHoweverTheyAreTaken) {
  File file = sample("textured");
  change(file, Stage::vertex, "%42 = OpLoad %6 %8", "%42 = OpCopyObject %6 %18");
  EXPECT_TRUE(findings_of(file).empty());
  change(file, Stage::vertex, "OpShiftRightLogical %6 %16 %17", "OpBitFieldUExtract %6 %16 %17 %17");
  EXPECT_TRUE(findings_of(file).empty());
  change(file, Stage::vertex, "%42 = OpCopyObject %6 %18", "%42 = OpIAdd %6 %18 %18");
  EXPECT_TRUE(findings_of(file).empty());  // an index of another kind: nothing is known, nothing is said
}

}  // namespace

}  // namespace unshade::vbc
