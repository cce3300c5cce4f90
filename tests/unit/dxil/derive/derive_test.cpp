#include <unshade/dxil/derive.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/listing.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/psv.hpp>

#include "support/files.hpp"

namespace unshade::dxil {

namespace {

using dxcontainer::fourcc;
using test::files_below;
using test::read_bytes;
using test::source_dir;
using test::view_of;
using Bytes = std::vector<std::byte>;

Bytes sample(const char* name) { return read_bytes(source_dir() / "tests/data/dxil" / name); }

dxcontainer::Container container_of(const Bytes& file) {
  auto container = dxcontainer::parse_container(view_of(file));
  EXPECT_TRUE(container);
  return container ? *std::move(container) : dxcontainer::Container{};
}

View bitcode_of(const dxcontainer::Container& container) {
  const auto* const part = container.find_any({fourcc("ILDB"), fourcc("DXIL")});
  if (part == nullptr) return {};
  const auto program = parse_program(*part);
  return program ? program->bitcode : View{};
}

View data_of(const dxcontainer::Container& container, const char (&code)[5]) {
  const auto* const part = container.find(fourcc(code));
  return part == nullptr ? View{} : part->data;
}

std::string text_of(View bitcode) {
  const auto module = parse_module(bitcode);
  ListingOptions options;
  options.sections = false;
  Text text;
  return module && list_module(*module, bitcode.size(), text, options) ? text.str() : std::string();
}

/// The container with the program of its text after `from` has become `to` everywhere.
Assembly edited(const Bytes& file, std::string_view from, std::string_view to) {
  const auto container = container_of(file);
  std::string text = text_of(bitcode_of(container));
  EXPECT_NE(text.find(from), std::string::npos) << from << '\n' << text;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return assemble_into(text, container);
}

TEST(DerivedParts, OfSamplesAreThoseThatDxcWrote) {
  std::size_t count = 0;
  for (const auto& path : files_below(source_dir() / "tests/data/dxil", ".dxil")) {
    const auto file = read_bytes(path);
    const auto container = container_of(file);
    const View bitcode = bitcode_of(container);
    if (bitcode.empty()) continue;
    const auto module = parse_module(bitcode);
    ASSERT_TRUE(module) << path;
    std::optional<Rdat> rdat;
    if (const auto* const part = container.find(fourcc("RDAT")))
      if (auto parsed = parse_rdat(*part)) rdat = *std::move(parsed);
    for (const DerivedPart& part : derive_parts(read_program_metadata(*module), rdat ? &*rdat : nullptr)) {
      const auto* const there = container.find(part.fourcc);
      if (there == nullptr) continue;  // taken out of some samples
      EXPECT_TRUE(std::ranges::equal(part.data, there->data.bytes())) << path << ' ' << there->name();
      ++count;
    }
  }
  EXPECT_GT(count, 40U);
}

TEST(DerivedParts, TellOfAViewIdStateOfOtherSignatures) {
  const Bytes file = sample("textured_ps_6_6.dxil");
  const Assembly moved = edited(file, "i8 3, i32 1, i8 2, i32 1, i8 0,", "i8 3, i32 1, i8 2, i32 7, i8 2,");
  ASSERT_TRUE(moved.ok) << to_string(moved.messages.front());
  EXPECT_TRUE(std::ranges::any_of(moved.notes, [](const std::string& note) { return note.find("!dx.viewIdState") != note.npos; }));
  const Assembly cleared = edited(file, "!dx.viewIdState =", "!not.viewIdState =");
  ASSERT_TRUE(cleared.ok) << to_string(cleared.messages.front());
  EXPECT_TRUE(std::ranges::any_of(cleared.notes, [](const std::string& note) { return note.find("!dx.viewIdState") != note.npos; }));
}

// The state has all words that the counts of components ask for, and no more.
TEST(DerivedParts, TellOfAViewIdStateOfAnotherLength) {
  const Bytes file = sample("tessellate_hs_6_5.dxil");
  const std::string text = text_of(bitcode_of(container_of(file)));
  const std::size_t begin = text.find("[15 x i32] [");
  ASSERT_NE(begin, text.npos) << text;
  const std::string state = text.substr(begin, text.find(']', begin + 12) + 1 - begin);
  const auto noted = [&](const std::string& now) {
    const Assembly made = edited(file, state, now);
    EXPECT_TRUE(made.ok) << (made.messages.empty() ? std::string() : to_string(made.messages.front()));
    return std::ranges::any_of(made.notes, [](const std::string& note) { return note.starts_with("!dx.viewIdState is not that of"); });
  };
  EXPECT_FALSE(noted(state));
  const std::string words = state.substr(state.find(" [") + 2);
  EXPECT_TRUE(noted("[16 x i32] [i32 0, " + words));
  EXPECT_TRUE(noted("[16 x i32] [" + words.substr(0, words.size() - 1) + ", i32 77]"));
  EXPECT_TRUE(noted("[14 x i32] [" + words.substr(0, words.rfind(',')) + ']'));
  EXPECT_TRUE(noted("[15 x i32] zeroinitializer"));
  EXPECT_TRUE(noted("[4000000000 x i32] zeroinitializer"));
}

TEST(DerivedParts, FollowAChangedText) {
  // Another semantic: in the signature and in PSV0.
  const Bytes file = sample("textured_ps_6_6.dxil");
  const Assembly renamed = edited(file, "!\"WORLD\"", "!\"PLACE\"");
  ASSERT_TRUE(renamed.ok) << to_string(renamed.messages.front());
  ASSERT_EQ(renamed.notes.size(), 1U);
  EXPECT_NE(renamed.notes[0].find("STAT is kept"), std::string::npos) << renamed.notes[0];
  EXPECT_NE(renamed.notes[0].find("'WORLD', but 'PLACE' in the program"), std::string::npos) << renamed.notes[0];
  const auto now = container_of(renamed.file);
  EXPECT_NE(data_of(now, "ISG1").text().find("PLACE"), std::string_view::npos);
  EXPECT_EQ(data_of(now, "ISG1").text().find("WORLD"), std::string_view::npos);
  EXPECT_NE(data_of(now, "PSV0").text().find("PLACE"), std::string_view::npos);
  EXPECT_TRUE(std::ranges::equal(data_of(now, "OSG1").bytes(), data_of(container_of(file), "OSG1").bytes()));
  // And back.
  const Assembly back = edited(renamed.file, "!\"PLACE\"", "!\"WORLD\"");
  ASSERT_TRUE(back.ok);
  EXPECT_TRUE(back.file == file);
  // The name of the entry, in the only place that has it.
  const Assembly entry = edited(file, "!\"main\"", "!\"shade\"");
  ASSERT_TRUE(entry.ok);
  EXPECT_NE(data_of(container_of(entry.file), "PSV0").text().find("shade"), std::string_view::npos);
}

TEST(DerivedParts, TellWhatAModuleForReflectionStatesOtherwise) {
  const auto note = [](const char* name, std::string_view from, std::string_view to) {
    const Assembly made = edited(sample(name), from, to);
    if (!made.ok) return to_string(made.messages.front());
    for (const std::string& text : made.notes)
      if (text.starts_with("STAT is kept")) return text.substr(text.find(": ") + 2);
    return std::string("none");
  };
  const std::string entry = "@main, !\"main\", !18, !4, ";
  EXPECT_EQ(note("textured_ps_6_6.dxil", entry + "null}", entry + "!99}\n!99 = !{i32 0, i64 8}"),
            "entry/flags: 0x0, but 0x8 in the program");
  const std::string undef = "i32 0, %\"class.RWStructuredBuffer<double>\"* undef, !\"\", i32 0, i32 0, i32 1, i32 12, i1 ";
  EXPECT_EQ(note("wide_cs_6_7.dxil", undef + "false, i1 false, i1 false", undef + "false, i1 true, i1 false"),
            "uav[0]/has_counter: false, but true in the program");
  EXPECT_EQ(note("inputs_ps_6_4.dxil", "= type { <4 x float> }", "= type { <2 x float> }"), "uav[0]/components: 4, but 2 in the program");
  EXPECT_EQ(note("wide_cs_6_7.dxil", undef + "false, i1 false, i1 false", undef + "true, i1 false, i1 true"),
            "uav[0]/globally_coherent: false, but true in the program; uav[0]/raster_ordered: false, but true in the program");
  EXPECT_EQ(
      note("graph_lib_6_8.dxil", "!25 = !{i32 1, i32 65, i32 2, !26, i32 3, i32 16}", "!25 = !{i32 1, i32 65, i32 2, !26, i32 3, i32 20}"),
      "entry 'gather'/node/inputs[0]/max_records: 16, but 20 in the program");
  EXPECT_EQ(note("graph_lib_6_8.dxil", "!26 = !{i32 0, i32 4,", "!26 = !{i32 0, i32 8,"),
            "entry 'gather'/node/inputs[0]/record_bytes: 4, but 8 in the program; "
            "entry 'split'/node/outputs[0]/record_bytes: 4, but 8 in the program");
}

TEST(DerivedParts, WhatWasTakenOutStaysOut) {
  const Bytes file = sample("textured_ps_6_6.dxil");
  const auto container = container_of(file);
  dxcontainer::ContainerEdit edit(container);
  edit.remove_all(fourcc("ISG1"));
  const auto without = edit.write();
  ASSERT_TRUE(without);
  const Assembly renamed = edited(*without, "!\"WORLD\"", "!\"PLACE\"");
  ASSERT_TRUE(renamed.ok);
  EXPECT_EQ(container_of(renamed.file).find(fourcc("ISG1")), nullptr);
  EXPECT_NE(data_of(container_of(renamed.file), "PSV0").text().find("PLACE"), std::string_view::npos);
}

TEST(DerivedParts, PartsThatOthersWroteAreToldOf) {
  const Bytes file = sample("textured_ps_6_6.dxil");
  const auto container = container_of(file);
  const auto psv = parse_psv(*container.find(fourcc("PSV0")));
  ASSERT_TRUE(psv);
  Psv other = *psv;
  other.info.min_wave_lanes = 4;
  dxcontainer::ContainerEdit edit(container);
  edit.put(fourcc("PSV0"), write_psv(other));
  const auto changed = edit.write();
  ASSERT_TRUE(changed);
  // An edit that does not concern it leaves it.
  const Assembly code = edited(*changed, "fmul fast float", "fadd fast float");
  ASSERT_TRUE(code.ok);
  EXPECT_TRUE(code.notes.empty());
  EXPECT_TRUE(std::ranges::equal(data_of(container_of(code.file), "PSV0").bytes(), data_of(container_of(*changed), "PSV0").bytes()));
  const Assembly renamed = edited(*changed, "!\"WORLD\"", "!\"PLACE\"");
  ASSERT_TRUE(renamed.ok);
  ASSERT_EQ(renamed.notes.size(), 2U);
  EXPECT_TRUE(renamed.notes[0].starts_with("PSV0 ")) << renamed.notes[0];
}

TEST(DerivedParts, OfLibrariesKeepTheirSubobjects) {
  const Bytes file = sample("rays_lib_6_7.dxil");
  const auto before = parse_rdat(*container_of(file).find(fourcc("RDAT")));
  ASSERT_TRUE(before);
  const Assembly made = edited(file, "sphere@@YAXXZ", "planet@@YAXXZ");
  ASSERT_TRUE(made.ok) << to_string(made.messages.front());
  const auto container = container_of(made.file);
  const auto rdat = parse_rdat(*container.find(fourcc("RDAT")));
  ASSERT_TRUE(rdat);
  EXPECT_EQ(rdat->subobjects.size(), before->subobjects.size());
  EXPECT_TRUE(std::ranges::any_of(rdat->functions.rows, [](const RdatFunction& f) { return f.unmangled_name.text == "planet"; }));
}

TEST(MakeContainer, GivesWhatDxcGave) {
  const Bytes file = sample("textured_ps_6_6.dxil");
  const auto before = container_of(file);
  const auto made = make_container(bitcode_of(before));
  ASSERT_TRUE(made) << to_string(made.error());
  const auto container = container_of(*made);
  EXPECT_EQ(dxcontainer::check_digest(container), dxcontainer::DigestState::valid);
  std::string names;
  for (const auto& part : container.parts) {
    names += std::string(part.name()) + ' ';
    const auto* const there = before.find(part.fourcc);
    ASSERT_NE(there, nullptr) << part.name();
    EXPECT_TRUE(std::ranges::equal(part.data.bytes(), there->data.bytes())) << part.name();
  }
  EXPECT_EQ(names, "SFI0 ISG1 OSG1 PSV0 HASH DXIL ");
}

TEST(MakeContainer, TakesDebugInformationOutOfTheProgram) {
  const Bytes file = sample("control_ps_6_0_zi.dxil");
  const auto made = make_container(bitcode_of(container_of(file)));
  ASSERT_TRUE(made) << to_string(made.error());
  const auto container = container_of(*made);
  ASSERT_NE(container.find(fourcc("ILDB")), nullptr);
  const auto plain = parse_program(*container.find(fourcc("DXIL")));
  ASSERT_TRUE(plain);
  const auto name = parse_debug_name(*container.find(fourcc("ILDN")));
  ASSERT_TRUE(name);
  EXPECT_TRUE(name->name.ends_with(".pdb"));
  const auto module = parse_module(plain->bitcode);
  ASSERT_TRUE(module);
  EXPECT_TRUE(module->locations.empty());
}

TEST(MakeContainer, NeedsAProgramOfDxil) {
  const Assembly plain = assemble("define i32 @f() {\n  ret i32 1\n}\n");
  ASSERT_TRUE(plain.ok);
  const auto made = make_container(View(plain.file));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::missing);
  EXPECT_FALSE(make_container(View(plain.file).clamped(0, 20)));
}

TEST(MakeContainer, CountsThatContradictEachOtherAreNoMatter) {
  // The state of another signature, and one that ends early: its tables stay empty.
  const Bytes file = sample("textured_ps_6_6.dxil");
  const std::string text = text_of(bitcode_of(container_of(file)));
  const std::size_t at = text.find("x i32] [i32 13, i32 8");
  ASSERT_NE(at, std::string::npos) << text;
  for (const std::string_view counts : {"x i32] [i32 -1, i32 8", "x i32] [i32 13, i32 -1", "x i32] [i32 1, i32 0"}) {
    std::string changed = text;
    changed.replace(at, counts.size() > 21 ? 21 : counts.size(), counts);
    const Assembly made = assemble(changed);
    if (!made.ok) continue;
    const auto container = make_container(View(made.file));
    ASSERT_TRUE(container);
    EXPECT_EQ(data_of(container_of(*container), "PSV0").size(), data_of(container_of(file), "PSV0").size());
  }
}

TEST(DxilDerive, ElementsBeyondTheirRegisterTakeItsFirstComponents) {
  MetadataElement element;
  element.columns = 3;
  element.usage_mask = 5;
  element.start_row = 0;
  element.start_column = 1;
  EXPECT_EQ(element.mask(), 0xe);
  EXPECT_EQ(element.used_mask(), 0xa);
  for (const int column : {-128, -1, 4, 33, 127}) {
    element.start_column = static_cast<std::int8_t>(column);
    EXPECT_EQ(element.mask(), 0x7) << column;
    EXPECT_EQ(element.used_mask(), 0x5) << column;
  }
}

}  // namespace

}  // namespace unshade::dxil
