#include <unshade/shader/diff.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/edit.hpp>
#include <unshade/dxil/psv.hpp>
#include <unshade/dxil/rdat.hpp>

#include "shader/diff/align.hpp"
#include "shader/diff/code.hpp"
#include "shader/diff/interface.hpp"
#include "shader/diff/plain.hpp"
#include "support/container.hpp"
#include "support/files.hpp"

namespace unshade::shader {
namespace {

using Sequence = std::vector<std::uint32_t>;

std::vector<diff::Match> align_all(const Sequence& a, const Sequence& b) {
  diff::AlignBudget budget{limits::kDiffSteps};
  return diff::align(a, b, budget);
}

/// Matches ascend on both sides and match what is equal.
void expect_sound(const Sequence& a, const Sequence& b, const std::vector<diff::Match>& matches) {
  for (std::size_t i = 0; i < matches.size(); ++i) {
    ASSERT_LT(matches[i].before, a.size());
    ASSERT_LT(matches[i].after, b.size());
    EXPECT_EQ(a[matches[i].before], b[matches[i].after]);
    if (i == 0) continue;
    EXPECT_LT(matches[i - 1].before, matches[i].before);
    EXPECT_LT(matches[i - 1].after, matches[i].after);
  }
}

std::size_t longest_common(const Sequence& a, const Sequence& b) {
  std::vector<std::size_t> row(b.size() + 1, 0);
  for (const std::uint32_t x : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = x == b[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return row.back();
}

TEST(Align, FindsTheLongestCommonSubsequenceWhereNoElementIsUnique) {
  // Two letters, each often: no fixed points, so that the search alone decides.
  std::uint32_t seed = 1;
  for (int round = 0; round < 200; ++round) {
    Sequence a{0, 0, 1, 1};
    Sequence b{1, 1, 0, 0};
    for (int i = 0; i < 12; ++i) {
      seed = seed * 1664525 + 1013904223;
      if ((seed >> 20 & 3) != 0) a.push_back(seed >> 24 & 1);
      if ((seed >> 22 & 3) != 0) b.push_back(seed >> 25 & 1);
    }
    const auto matches = align_all(a, b);
    expect_sound(a, b, matches);
    EXPECT_EQ(matches.size(), longest_common(a, b)) << round;
  }
}

TEST(Align, TakesUniqueElementsAsFixedPoints) {
  const Sequence a{1, 9, 2, 9, 3};
  const Sequence b{9, 1, 9, 9, 2, 3};
  const auto matches = align_all(a, b);
  expect_sound(a, b, matches);
  EXPECT_EQ(matches.size(), 4U);
}

TEST(Align, OfNothingIsNothing) {
  EXPECT_TRUE(align_all({}, {1, 2}).empty());
  EXPECT_TRUE(align_all({1, 2}, {}).empty());
  EXPECT_EQ(align_all({1, 2}, {1, 2}).size(), 2U);
}

TEST(Align, StaysWithinItsBounds) {
  // Nothing in common but numbers that repeat: more edits than are searched for.
  Sequence a, b;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    a.push_back(i % 7);
    b.push_back(i % 5 + (i % 2) * 100);
  }
  diff::AlignBudget budget{limits::kDiffSteps};
  const auto matches = diff::align(a, b, budget);
  expect_sound(a, b, matches);
  diff::AlignBudget none{0};
  EXPECT_LE(diff::align(a, b, none).size(), 2U);
}

CodeDifference compare_texts(diff::Syntax syntax, std::string a, std::string b, bool exact = false) {
  CodeDifference code;
  diff::compare_listings(syntax, std::move(a), std::move(b), exact, code);
  return code;
}

/// The lines of `before` with every hunk replaced by its lines of `after`.
std::vector<std::string> apply(const CodeDifference& code) {
  std::vector<std::string> lines;
  std::uint32_t at = 0;
  for (const Hunk& hunk : code.hunks) {
    for (; at < hunk.first_before; ++at) lines.emplace_back(code.before.line(at));
    EXPECT_EQ(lines.size(), hunk.first_after);
    for (std::uint32_t i = 0; i < hunk.count_after; ++i) lines.emplace_back(code.after.line(hunk.first_after + i));
    at += hunk.count_before;
  }
  for (; at < code.before.lines.size(); ++at) lines.emplace_back(code.before.line(at));
  return lines;
}

std::vector<std::string> lines_of(const DiffLines& text) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < text.lines.size(); ++i) lines.emplace_back(text.line(i));
  return lines;
}

TEST(CodeDiff, AppliedGivesTheOtherListing) {
  const auto code = compare_texts(diff::Syntax::fxc, "a\nb\nc\nd\ne\n", "a\nx\nc\ne\nf\ng\n");
  EXPECT_EQ(apply(code), lines_of(code.after));
  EXPECT_EQ(code.same, 3U);
  EXPECT_EQ(code.removed, 2U);
  EXPECT_EQ(code.added, 3U);
}

constexpr const char* kLlvm =
    "define void @main() {\n"
    "  %1 = call float @load(i32 0)\n"
    "  %2 = call float @load(i32 1)\n"
    "  %3 = fadd float %1, %2\n"
    "  br label %4\n"
    "; <label>:4                ; preds = %0\n"
    "  call void @store(float %3), !dbg !7  ; Store(value)\n"
    "  ret void\n"
    "}\n"
    "!7 = !DILocation(line: 3)\n";

TEST(CodeDiff, ValuesMayHaveOtherNumbersAndDebugInformationMayBeMissing) {
  const char* const renumbered =
      "define void @main() {\n"
      "  %a = call float @load(i32 0)\n"
      "  %9 = call float @load(i32 1)\n"
      "  %sum = fadd float %a, %9\n"
      "  br label %next\n"
      "next:                ; preds = %0\n"
      "  call void @store(float %sum)\n"
      "  ret void\n"
      "}\n";
  EXPECT_TRUE(compare_texts(diff::Syntax::llvm, kLlvm, renumbered).hunks.empty());
  EXPECT_FALSE(compare_texts(diff::Syntax::llvm, kLlvm, renumbered, true).hunks.empty());
}

TEST(CodeDiff, OtherOperandsDifferThoughOnlyTheirNumbersDo) {
  std::string swapped = kLlvm;
  swapped.replace(swapped.find("fadd float %1, %2"), 17, "fadd float %1, %1");
  const auto code = compare_texts(diff::Syntax::llvm, kLlvm, swapped);
  ASSERT_EQ(code.hunks.size(), 1U);
  EXPECT_EQ(code.before.line(code.hunks[0].first_before), "  %3 = fadd float %1, %2");
  EXPECT_EQ(code.hunks[0].count_before, 1U);
  EXPECT_EQ(code.hunks[0].count_after, 1U);
}

TEST(CodeDiff, AnInstructionBetweenDoesNotChangeThoseBehindIt) {
  std::string longer = kLlvm;
  longer.replace(longer.find("  %3 = fadd"), 0, "  %new = fmul float %1, %1\n");
  const auto code = compare_texts(diff::Syntax::llvm, kLlvm, longer);
  EXPECT_EQ(code.removed, 0U);
  EXPECT_EQ(code.added, 1U);
}

TEST(CodeDiff, TypesAreToldByTheirNames) {
  const auto code = compare_texts(diff::Syntax::llvm, "%A = type { i32 }\n%B = type { i32 }\ncall void @f(%A undef)\n",
                                  "%A = type { i32 }\n%B = type { i32 }\ncall void @f(%B undef)\n");
  EXPECT_EQ(code.hunks.size(), 1U);
}

TEST(CodeDiff, SpirvIdsAndNamesDoNotCountButLiteralsDo) {
  const char* const named =
      "OpName %main \"main\"\nOpSource HLSL 600 %1 \"two\nlines\"\n%float = OpTypeFloat 32\n%float_1 = OpConstant %float 1 ; one\n";
  const char* const plain = "   %3 = OpTypeFloat 32\n %5 = OpConstant %3 1\n";
  EXPECT_TRUE(compare_texts(diff::Syntax::spirv, named, plain).hunks.empty());
  EXPECT_FALSE(compare_texts(diff::Syntax::spirv, named, "%3 = OpTypeFloat 32\n%5 = OpConstant %3 2\n").hunks.empty());
}

TEST(PlainListing, LeavesOutMetadataThatNoLineRefersTo) {
  const char* const listing =
      "%0 = type { i32 }\n"
      "define void @main() {\n"
      "  %1 = call %0 @dx.op.sin(i32 13, float 2.0), !dx.precise !2\n"
      "  ret void\n"
      "}\n"
      "attributes #0 = { nounwind }\n"
      "!dx.entryPoints = !{!1}\n"
      "!dx.valver = !{!5}\n"
      "!0 = !{i32 7}\n"    // of no line
      "!1 = !{!3}\n"       // of a named one
      "!2 = !{i32 1}\n"    // of an instruction
      "!3 = !{!\"a7\"}\n"  // of !1
      "!4 = !{!0}\n"       // of none itself
      "!5 = !{i32 1}\n"    // of one that says nothing
      "!6 = !{!99999999999}\n";
  EXPECT_EQ(diff::plain_listing(diff::Syntax::llvm, listing),
            "% = type { i32 }\n"
            "define void @main() {\n"
            "  \x01 = call % @dx.op.sin(i32 13, float ), !dx.precise \x01\n"
            "  ret void\n"
            "}\n"
            "attributes \x01 = { nounwind }\n"
            "!dx.entryPoints = !{\x01}\n"
            "\x01 = !{\x01}\n"
            "\x01 = !{i32 }\n"
            "\x01 = !{!\"}\n");
}

TEST(PlainListing, OfNothingIsNothing) {
  for (const diff::Syntax syntax : {diff::Syntax::fxc, diff::Syntax::llvm, diff::Syntax::pica, diff::Syntax::spirv}) {
    EXPECT_EQ(diff::plain_listing(syntax, ""), "");
    EXPECT_EQ(diff::plain_listing(syntax, "\n  \n//\n"), syntax == diff::Syntax::fxc ? "" : "//\n");
  }
}

TEST(CodeDiff, PicaPlacesDoNotCount) {
  const char* const a = ".desc 0 0x1\n.proc proc_0x0\n\tmov o0, v0 {0}\n.end\n.proc main\n\tcall proc_0x0\n\tend\n.end\n";
  const char* const b = ".proc proc_0x4\n\tmov o0, v0 {3}\n.end\n.proc main\n\tcall proc_0x4\n\tend\n.end\n";
  EXPECT_TRUE(compare_texts(diff::Syntax::pica, a, b).hunks.empty());
  EXPECT_FALSE(compare_texts(diff::Syntax::pica, a, ".proc proc_0x4\n\tmov o0, v1 {3}\n.end\n.proc main\n\tcall proc_0x4\n\tend\n.end\n")
                   .hunks.empty());
}

const Change* find_change(const std::vector<Change>& changes, std::string_view what, std::string_view name) {
  for (const Change& change : changes)
    if (change.what == what && change.name == name) return &change;
  return nullptr;
}

Reflection small_reflection() {
  Reflection r;
  r.family = Family::dxbc;
  EntryPoint entry;
  entry.stage = Stage::pixel;
  SignatureElement element;
  element.semantic = "TEXCOORD";
  element.register_index = 1;
  element.mask = 3;
  entry.inputs.push_back(element);
  r.entry_points.push_back(entry);
  Resource resource;
  resource.name = "albedo";
  resource.kind = ResourceKind::texture;
  r.resources.push_back(resource);
  Type type;
  type.rows = 1;
  type.columns = 4;
  type.base = BaseType::float_;
  type.type_class = TypeClass::vector;
  r.types.push_back(type);
  Buffer buffer;
  buffer.name = "Frame";
  buffer.size = 16;
  Variable variable;
  variable.name = "tint";
  variable.type = 0;
  variable.size = 16;
  buffer.variables.push_back(variable);
  r.buffers.push_back(buffer);
  return r;
}

std::vector<Change> interface_changes(const Reflection& a, const Reflection& b) {
  std::vector<Change> changes;
  std::vector<std::string> notes;
  diff::compare_interfaces(a, b, changes, notes);
  return changes;
}

TEST(InterfaceDiff, TellsFieldsByBothValues) {
  const Reflection a = small_reflection();
  EXPECT_TRUE(interface_changes(a, a).empty());
  Reflection b = a;
  b.entry_points[0].inputs[0].mask = 7;
  b.buffers[0].variables[0].offset = 16;
  b.resources[0].name = "colour";
  const auto changes = interface_changes(a, b);
  ASSERT_EQ(changes.size(), 3U);
  const Change* const input = find_change(changes, "input", "TEXCOORD0");
  ASSERT_NE(input, nullptr);
  ASSERT_EQ(input->fields.size(), 1U);
  EXPECT_EQ(input->fields[0].field, "mask");
  EXPECT_EQ(input->fields[0].before, "xy");
  EXPECT_EQ(input->fields[0].after, "xyz");
  EXPECT_NE(find_change(changes, "variable", "Frame.tint"), nullptr);
  // The same register: renamed, not another.
  const Change* const resource = find_change(changes, "resource", "albedo");
  ASSERT_NE(resource, nullptr);
  EXPECT_EQ(resource->kind, ChangeKind::changed);
  EXPECT_TRUE(resource->meaning);
}

/// How the default value of these dwords, little-endian, is told of a variable of a type.
std::string default_text(const Type& type, const std::vector<std::uint32_t>& dwords) {
  Reflection a = small_reflection();
  a.types[0] = type;
  Reflection b = a;
  for (const std::uint32_t dword : dwords)
    for (unsigned i = 0; i < 4; ++i) b.buffers[0].variables[0].default_value.push_back(static_cast<std::byte>(dword >> (8 * i)));
  const auto changes = interface_changes(a, b);
  return changes.size() == 1 && changes[0].fields.size() == 1 ? changes[0].fields[0].after : std::string("no single change");
}

TEST(InterfaceDiff, DefaultValuesPrintAsTheirType) {
  Type type = small_reflection().types[0];
  EXPECT_EQ(default_text(type, {0x3e80'0000, 0x8000'0000, 0x4974'2400, 0}), "(0.25, -0.0, 1e+06, 0.0)");
  EXPECT_EQ(default_text(type, {0x7fc0'0001, 0x7fc0'0000, 0, 0}), "(0x7fc00001, 0x7fc00000, 0.0, 0.0)");
  EXPECT_EQ(default_text(type, {0, 0, 0, 0, 0x3f80'0000, 0, 0, 0}), "(0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)");
  type.columns = 3;
  EXPECT_EQ(default_text(type, {0, 0, 0, 0}), "(0.0, 0.0, 0.0)");
  EXPECT_EQ(default_text(type, {0, 0, 0, 0x3f80'0000}), "(0.0, 0.0, 0.0, 1.0)");
  type.base = BaseType::int_;
  EXPECT_EQ(default_text(type, {7, 0, 0xffff'ffff}), "(7, 0, -1)");
  type.base = BaseType::uint_;
  EXPECT_EQ(default_text(type, {7, 0, 0xffff'ffff}), "(7, 0, 4294967295)");
  type.base = BaseType::bool_;
  type.columns = 1;
  type.type_class = TypeClass::scalar;
  EXPECT_EQ(default_text(type, {1, 0, 0, 0}), "true");
  EXPECT_EQ(default_text(type, {0}), "false");
  EXPECT_EQ(default_text(type, {0xffff'ffff}), "0xffffffff");
  type.base = BaseType::double_;
  EXPECT_EQ(default_text(type, {0x1234'5678, 1}), "7856341201000000");
}

TEST(InterfaceDiff, WhatOneSideLacksIsRemovedOrAdded) {
  const Reflection a = small_reflection();
  Reflection b = a;
  b.resources.clear();
  ASSERT_EQ(interface_changes(a, b).size(), 1U);
  EXPECT_EQ(interface_changes(a, b)[0].kind, ChangeKind::removed);
  EXPECT_EQ(interface_changes(b, a)[0].kind, ChangeKind::added);
}

TEST(InterfaceDiff, InVulkanTheBindingCountsAndTheNameDoesNot) {
  Reflection a = small_reflection();
  a.family = Family::spirv;
  Reflection b = a;
  b.resources[0].name = "x";
  b.entry_points[0].inputs[0].semantic = "y";
  for (const Change& change : interface_changes(a, b)) EXPECT_FALSE(change.meaning) << change.what << ' ' << change.name;
  b.resources[0].bind_point = 3;
  const auto changes = interface_changes(a, b);
  EXPECT_TRUE(std::ranges::any_of(changes, [](const Change& change) { return change.meaning; }));
}

TEST(InterfaceDiff, TypesThatNestWithoutBoundEnd) {
  Reflection a = small_reflection();
  // Each type has the one before twice: 2^60 members.
  for (std::uint32_t i = 0; i < 60; ++i) {
    Type type;
    type.type_class = TypeClass::structure;
    for (const char* name : {"a", "b"}) type.members.push_back({name, i, 0});
    a.types.push_back(type);
  }
  a.buffers[0].variables[0].type = 60;
  std::vector<Change> changes;
  std::vector<std::string> notes;
  diff::compare_interfaces(a, a, changes, notes);
  EXPECT_TRUE(changes.empty());
  EXPECT_EQ(notes.size(), 1U);
}

Difference compare_bytes(const std::vector<std::byte>& a, const std::vector<std::byte>& b, const DiffOptions& options = {}) {
  const auto before = open(test::view_of(a));
  const auto after = open(test::view_of(b));
  EXPECT_TRUE(before && after);
  return before && after ? compare(*before, *after, options) : Difference{};
}

TEST(Diff, AFileIsTheSameAsItself) {
  for (const char* path :
       {"dxbc/lit_vs_4_0.dxbc", "dxil/textured_ps_6_6.dxil", "pica/skin_quad.shbin", "spirv/odd.spv", "vbc/textured.vbc"}) {
    const auto bytes = test::read_bytes(test::source_dir() / "tests/data" / path);
    const auto difference = compare_bytes(bytes, bytes);
    EXPECT_TRUE(difference.same_bytes) << path;
    EXPECT_TRUE(difference.same_meaning) << path;
    EXPECT_TRUE(difference.code.compared) << path;
    EXPECT_FALSE(difference.code.before.lines.empty()) << path;
    EXPECT_TRUE(difference.notes.empty()) << path;
  }
}

TEST(Diff, AnotherProfileIsAnotherMeaning) {
  const auto difference = compare_bytes(test::sample("lit_vs_4_0.dxbc"), test::sample("lit_vs_5_0.dxbc"));
  EXPECT_FALSE(difference.same_meaning);
  ASSERT_FALSE(difference.summary.empty());
  EXPECT_EQ(difference.summary[0].fields[0].field, "profile");
  EXPECT_EQ(difference.code.removed, 1U);
  EXPECT_EQ(difference.code.added, 1U);
}

TEST(Diff, FactsOfRuntimesCountThoughReflectionsDoNotReadThem) {
  const auto file = test::read_bytes(test::source_dir() / "tests/data/dxil/textured_ps_6_6.dxil");
  const auto container = dxcontainer::parse_container(test::view_of(file));
  ASSERT_TRUE(container);
  const auto* const part = container->find(dxcontainer::fourcc("PSV0"));
  ASSERT_NE(part, nullptr);
  const auto with_psv = [&](auto&& change) {
    auto psv = *dxil::parse_psv(*part);
    change(psv);
    auto parts = test::loose_parts(*container);
    for (auto& one : parts)
      if (one.fourcc == part->fourcc) one.data = dxil::write_psv(psv);
    return test::container_of(parts);
  };
  for (const bool parts : {false, true}) {
    const auto moved = compare_bytes(file, with_psv([](dxil::Psv& psv) { psv.resources[0].upper_bound += 3; }), {.parts = parts});
    EXPECT_FALSE(moved.same_meaning);
    const Change* const change = find_change(moved.interface, "runtime data", "PSV0");
    ASSERT_NE(change, nullptr);
    ASSERT_EQ(change->fields.size(), 1U);
    EXPECT_EQ(change->fields[0].field, "resources[0].upper_bound");
    const Change* const whole = find_change(moved.parts, "part", "PSV0");
    EXPECT_EQ(whole != nullptr && whole->meaning, parts);
  }
  EXPECT_FALSE(compare_bytes(file, with_psv([](dxil::Psv& psv) { psv.info.uses_view_id = 1; })).same_meaning);
  EXPECT_FALSE(
      compare_bytes(file, with_psv([](dxil::Psv& psv) { psv.inputs[0].interpolation = dxil::Interpolation::constant; })).same_meaning);
  // The version of DXIL in the program header.
  auto parts = test::loose_parts(*container);
  for (auto& one : parts)
    if (one.fourcc == dxcontainer::fourcc("DXIL")) one.data[12] ^= std::byte{1};
  EXPECT_FALSE(compare_bytes(file, test::container_of(parts)).same_meaning);
}

/// A sample of DXIL, and the same with parts of other data. No data: without the part.
class Runtime {
 public:
  explicit Runtime(std::string_view name) : file_(test::read_bytes(test::source_dir() / "tests/data/dxil" / name)) {}

  std::vector<std::byte> with(std::uint32_t code, const std::vector<std::byte>& data) const {
    auto parts = test::loose_parts(container());
    std::erase_if(parts, [&](const auto& part) { return part.fourcc == code && data.empty(); });
    for (auto& part : parts)
      if (part.fourcc == code) part.data = data;
    return test::container_of(parts);
  }
  template <class F>
  std::vector<std::byte> with_psv(F&& change) const {
    const auto container = this->container();
    auto psv = *dxil::parse_psv(*container.find(dxcontainer::fourcc("PSV0")));
    change(psv);
    return with(dxcontainer::fourcc("PSV0"), dxil::write_psv(psv));
  }
  template <class F>
  std::vector<std::byte> with_rdat(F&& change) const {
    const auto container = this->container();
    auto rdat = *dxil::parse_rdat(*container.find(dxcontainer::fourcc("RDAT")));
    change(rdat);
    return with(dxcontainer::fourcc("RDAT"), dxil::write_rdat(rdat));
  }
  /// The fields of a part by which another file differs; `same` or `other` if there is no such change.
  std::string fields(const std::vector<std::byte>& other, std::string_view part) const {
    const auto difference = compare_bytes(file_, other, {.parts = false});
    const Change* const change = find_change(difference.interface, "runtime data", part);
    if (change == nullptr) return difference.same_meaning ? "same" : "other";
    EXPECT_TRUE(change->meaning && !difference.same_meaning);
    std::string text(id(change->kind));
    for (const FieldChange& field : change->fields) text += "; " + field.field + ' ' + field.before + " -> " + field.after;
    for (const std::string& note : difference.notes) text += "; " + note;
    return text;
  }
  const std::vector<std::byte>& file() const { return file_; }
  dxcontainer::Container container() const { return *dxcontainer::parse_container(test::view_of(file_)); }

 private:
  std::vector<std::byte> file_;
};

TEST(Diff, ListsOfRuntimeDataThatOneSideLacksCount) {
  const Runtime hull("tessellate_hs_6_5.dxil");
  EXPECT_EQ(hull.fields(hull.with_psv([](dxil::Psv&) {}), "PSV0"), "same");
  EXPECT_EQ(hull.fields(hull.with_psv([](dxil::Psv& psv) { psv.resources.clear(); }), "PSV0"), "changed; resources count 1 -> 0");
  EXPECT_EQ(hull.fields(hull.with_psv([](dxil::Psv& psv) { psv.inputs.clear(); }), "PSV0"), "changed; inputs count 2 -> 0");
  EXPECT_EQ(hull.fields(hull.with_psv([](dxil::Psv& psv) { psv.outputs.clear(); }), "PSV0"), "changed; outputs count 2 -> 0");
  EXPECT_EQ(hull.fields(hull.with_psv([](dxil::Psv& psv) { psv.patch_or_primitives.clear(); }), "PSV0"),
            "changed; patch_or_primitives count 3 -> 0");
  const Runtime graph("graph_lib_6_8.dxil");
  EXPECT_EQ(graph.fields(graph.with_rdat([](dxil::Rdat&) {}), "RDAT"), "same");
  EXPECT_EQ(graph.fields(graph.with_rdat([](dxil::Rdat& r) { r.functions.rows[1].resources_array = dxil::kNullReference; }), "RDAT"),
            "changed; function_table[1].resources count 1 -> 0");
  EXPECT_EQ(graph.fields(graph.with_rdat([](dxil::Rdat& r) { r.functions.rows[1].shader_record = dxil::kNullReference; }), "RDAT"),
            "changed; function_table[1].shader_record 1 -> ");
  EXPECT_EQ(graph.fields(graph.with_rdat([](dxil::Rdat& r) { r.resources.rows.clear(); }), "RDAT"), "changed; resource_table count 1 -> 0");
  EXPECT_EQ(graph.fields(graph.with_rdat([](dxil::Rdat& r) { r.node_ids.rows.clear(); }), "RDAT").substr(0, 35),
            "changed; node_id_table count 3 -> 0");
  const auto many = graph.fields(graph.with_rdat([](dxil::Rdat& r) {
    for (auto& function : r.functions.rows) {
      ++function.payload_bytes;
      ++function.attribute_bytes;
      ++function.min_wave_lanes;
      ++function.max_wave_lanes;
    }
    for (auto& node : r.node_shaders.rows) node.group_shared_bytes += 4;
    for (auto& id : r.node_ids.rows) ++id.index;
    for (auto& resource : r.resources.rows) ++resource.id, ++resource.space, ++resource.lower_bound, ++resource.upper_bound;
  }),
                                 "RDAT");
  EXPECT_EQ(std::ranges::count(many, ';'), 21) << many;
  EXPECT_TRUE(many.ends_with("; of RDAT, 2 more fields differ than are listed")) << many;
}

TEST(Diff, FieldsThatAnotherVersionOfRuntimeDataLacksDoNotCount) {
  const Runtime pixel("textured_ps_6_6.dxil");
  for (const std::uint32_t size : {24U, 36U, 48U, 52U}) {
    const auto older = [&](auto&& change) {
      return pixel.with_psv([&](dxil::Psv& psv) {
        psv.info.size = size;
        if (size < 48) psv.resource_stride = 16;
        change(psv);
      });
    };
    EXPECT_EQ(pixel.fields(older([](dxil::Psv&) {}), "PSV0"), "same") << size;
    EXPECT_EQ(pixel.fields(older([](dxil::Psv& psv) { psv.resources.clear(); }), "PSV0"), "changed; resources count 7 -> 0") << size;
    const auto without_inputs = pixel.fields(older([](dxil::Psv& psv) { psv.inputs.clear(); }), "PSV0");
    EXPECT_EQ(without_inputs, size == 24 ? "same" : "changed; inputs count 5 -> 0") << size;
  }
}

TEST(Diff, PartsForRuntimesThatOneSideLacksCount) {
  using dxcontainer::fourcc;
  const Runtime graph("graph_lib_6_8.dxil");
  EXPECT_EQ(graph.fields(graph.with(fourcc("RDAT"), {}), "RDAT").substr(0, 7), "removed");
  const Runtime wide("wide_cs_6_7.dxil");
  EXPECT_EQ(wide.fields(wide.with(fourcc("PSV0"), {}), "PSV0").substr(0, 7), "removed");
  EXPECT_EQ(wide.fields(wide.with(fourcc("SFI0"), {}), "SFI0"), "removed; size 8 -> ");
  EXPECT_EQ(wide.fields(wide.with(fourcc("ISG1"), {}), "ISG1"), "same");  // has no elements
  EXPECT_EQ(wide.fields(wide.with(fourcc("VERS"), {}), "VERS"), "same");
  const Runtime vertex("transform_vs_6_8.dxil");
  EXPECT_EQ(vertex.fields(vertex.with(fourcc("SFI0"), {}), "SFI0"), "same");  // requires nothing
  const auto token = test::sample("lit_vs_5_0.dxbc");
  auto parts = test::loose_parts(*dxcontainer::parse_container(test::view_of(token)));
  parts.push_back({fourcc("SFI0"), {std::byte{1}, {}, {}, {}, {}, {}, {}, {}}});
  const auto with_features = compare_bytes(token, test::container_of(parts));
  EXPECT_FALSE(with_features.same_meaning);
}

TEST(Diff, RuntimeDataIsComparedBesideAChangedInterface) {
  const Runtime pixel("textured_ps_6_6.dxil");
  const auto renamed = [&](dxil::NameKind kind, const char* from, const char* to) {
    const dxil::Rename changes[] = {{kind, from, to}};
    const auto container = pixel.container();
    auto made = dxil::rename(container, changes);
    EXPECT_TRUE(made);
    auto parts = test::loose_parts(container);
    if (made)
      for (auto& part : made->parts) parts[part.index].data = std::move(part.data);
    return parts;
  };
  auto parts = renamed(dxil::NameKind::resource, "albedo", "colour");
  EXPECT_EQ(pixel.fields(test::container_of(parts), "PSV0"), "other");
  for (auto& part : parts) {
    if (part.fourcc != dxcontainer::fourcc("PSV0")) continue;
    auto psv = *dxil::parse_psv(*pixel.container().find(part.fourcc));
    psv.resources[1].upper_bound = 9;
    part.data = dxil::write_psv(psv);
  }
  EXPECT_EQ(pixel.fields(test::container_of(parts), "PSV0").find("resources[1].upper_bound"), 9U);
  // What follows from the program is told already.
  EXPECT_EQ(pixel.fields(test::container_of(renamed(dxil::NameKind::input, "TEXCOORD", "COORDINATE")), "PSV0"), "other");
}

TEST(Diff, PartsCountByWhatTheyHold) {
  const auto file = test::sample("lit_vs_5_0.dxbc");
  const auto container = dxcontainer::parse_container(test::view_of(file));
  ASSERT_TRUE(container);
  auto parts = test::loose_parts(*container);
  const auto whole = test::container_of(parts);
  parts.push_back({dxcontainer::fourcc("SPDB"), std::vector<std::byte>(16)});
  const auto hashed = [&](std::uint32_t fourcc) {
    parts.back().fourcc = fourcc;
    return compare_bytes(whole, test::container_of(parts), {.interface = false});
  };
  EXPECT_TRUE(hashed(dxcontainer::fourcc("HASH")).same_meaning);
  const auto unknown = hashed(dxcontainer::fourcc("ABCD"));
  EXPECT_FALSE(unknown.same_meaning);
  const Change* const part = find_change(unknown.parts, "part", "ABCD");
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(part->kind, ChangeKind::added);
  EXPECT_EQ(part->fields[0].after, "16");
}

TEST(Diff, WithoutItsResourceDefinitionsAShaderDoesTheSame) {
  const auto file = test::sample("lit_vs_5_0.dxbc");
  const auto container = dxcontainer::parse_container(test::view_of(file));
  ASSERT_TRUE(container);
  auto parts = test::loose_parts(*container);
  std::erase_if(parts, [](const test::LoosePart& part) { return part.fourcc == dxcontainer::fourcc("RDEF"); });
  const auto difference = compare_bytes(file, test::container_of(parts));
  for (const Change& change : difference.interface)
    EXPECT_FALSE(change.meaning) << change.what << ' ' << change.name << ' ' << (change.fields.empty() ? "" : change.fields[0].field);
  EXPECT_TRUE(difference.same_meaning);
  EXPECT_EQ(difference.notes.size(), 1U);
}

TEST(Diff, OfTwoFamiliesInstructionsAreNotCompared) {
  const auto difference =
      compare_bytes(test::sample("lit_vs_4_0.dxbc"), test::read_bytes(test::source_dir() / "tests/data/pica/skin.v.shbin"));
  EXPECT_FALSE(difference.same_meaning);
  EXPECT_FALSE(difference.code.compared);
  EXPECT_EQ(difference.notes.size(), 1U);
}

}  // namespace
}  // namespace unshade::shader
