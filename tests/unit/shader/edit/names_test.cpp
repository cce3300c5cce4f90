#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/dxbc/class_linkage.hpp>
#include <unshade/dxcontainer/edit.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/resource_definitions.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/validate.hpp>
#include <unshade/vbc/file.hpp>

#include "dxbc/parts/class_linkage_layout.hpp"
#include "support/files.hpp"
#include "support/open_first.hpp"

namespace unshade::shader {

namespace {

using What = Rename::What;
using test::view_of;

std::vector<std::byte> pica_sample(const char* name) { return test::read_bytes(test::source_dir() / "tests/data/pica" / name); }

Result<Edited> renamed(const std::vector<std::byte>& file, const std::vector<Rename>& renames) { return rename(view_of(file), renames); }
Result<Edited> rebound(const std::vector<std::byte>& file, const std::vector<Rebind>& rebinds) { return rebind(view_of(file), rebinds); }

Reflection reflection_of(const std::vector<std::byte>& file) {
  const auto shader = open(view_of(file));
  if (!shader) return ADD_FAILURE() << to_string(shader.error()), Reflection{};
  auto reflection = reflect(*shader);
  if (!reflection) return ADD_FAILURE() << to_string(reflection.error()), Reflection{};
  return *std::move(reflection);
}

std::string listing_of(const std::vector<std::byte>& file) {
  const auto shader = open(view_of(file));
  Text text;
  ListingOptions options;
  options.header = false;
  if (!shader || !disassemble(*shader, text, options)) return "not listed";
  return text.str();
}

/// `albedo=t0 linearWrap=s0`: what is bound, in its order.
std::string bindings_of(const std::vector<std::byte>& file) {
  std::string text;
  for (const Resource& r : reflection_of(file).resources) {
    text += (text.empty() ? "" : " ") + r.name + '=' + std::string(register_letters(r.kind)) + std::to_string(r.bind_point);
    if (r.space != 0) text += ",space" + std::to_string(r.space);
  }
  return text;
}

std::string fault(const Result<Edited>& result) {
  return result ? "none" : std::string(id(result.error().code)) + " at " + result.error().path;
}

std::vector<std::byte> assembled(const char* text) {
  Assembly made = assemble(Family::dxbc, text);
  EXPECT_TRUE(made.ok) << (made.messages.empty() ? "" : made.messages[0].text);
  return std::move(made.file);
}

constexpr const char* kRanges = R"(ps_5_1
dcl_constantbuffer CB0[0:0][2], immediateIndexed, space=1
dcl_sampler S0[2:2], mode_default, space=0
dcl_resource_texture2d (float,float,float,float) T0[0:3], space=0
dcl_resource_texture2d (float,float,float,float) T1[4:*], space=0
dcl_output o0.xyzw
dcl_temps 1
mov r0.x, CB0[0][1].x
sample_indexable(texture2d)(float,float,float,float) r0.xyzw, r0.xyxx, T0[r0.x + 0].xyzw, S0[2]
sample_indexable(texture2d)(float,float,float,float) r0.xyzw, r0.xyxx, T1[6].xyzw, S0[2]
mov o0.xyzw, r0.xyzw
ret
)";

// --- DXBC ------------------------------------------------------------------------------------------------------------------------------

TEST(RenameDxbc, GivesSemanticsAndDefinitionsOtherNames) {
  const auto file = test::sample("textured_ps_5_0.dxbc");
  const auto edited = renamed(file, {{What::input, "TEXCOORD0", "UV3"},
                                     {What::input, "color", "TINT"},
                                     {What::resource, "albedo", "base"},
                                     {What::resource, "Material", "Surface"},
                                     {What::variable, "Material.tint", "Surface_tint"}});
  ASSERT_TRUE(edited) << to_string(edited.error());
  EXPECT_TRUE(edited->changed);
  const Reflection now = reflection_of(edited->bytes);
  EXPECT_EQ(now.entry_points[0].inputs[1].semantic, "UV");
  EXPECT_EQ(now.entry_points[0].inputs[1].semantic_index, 3U);
  EXPECT_EQ(now.entry_points[0].inputs[3].semantic, "TINT");
  EXPECT_EQ(bindings_of(edited->bytes), "linearWrap=s0 pointClamp=s2 base=t0 detail=t3 Surface=cb1");
  ASSERT_EQ(now.buffers.size(), 1U);
  EXPECT_EQ(now.buffers[0].name, "Surface");
  EXPECT_EQ(now.buffers[0].variables[0].name, "Surface_tint");
  EXPECT_EQ(listing_of(edited->bytes), listing_of(file));
}

TEST(RenameDxbc, ChangesNoByteWhereTheNamesAreTheSame) {
  const auto file = test::sample("textured_ps_5_0.dxbc");
  const auto edited = renamed(file, {{What::input, "TEXCOORD0", "TEXCOORD0"}, {What::variable, "Material.tint", "Material.tint"}});
  ASSERT_TRUE(edited) << to_string(edited.error());
  EXPECT_FALSE(edited->changed);
  EXPECT_TRUE(edited->bytes == file);
}

TEST(RenameDxbc, LetsTwoChangeNames) {
  const auto file = test::sample("textured_ps_5_0.dxbc");
  const auto edited = renamed(file, {{What::resource, "albedo", "detail"},
                                     {What::resource, "detail", "albedo"},
                                     {What::input, "TEXCOORD0", "WORLD0"},
                                     {What::input, "WORLD0", "TEXCOORD0"}});
  ASSERT_TRUE(edited) << to_string(edited.error());
  EXPECT_EQ(bindings_of(edited->bytes), "linearWrap=s0 pointClamp=s2 detail=t0 albedo=t3 Material=cb1");
  EXPECT_EQ(reflection_of(edited->bytes).entry_points[0].inputs[1].semantic, "WORLD");
}

TEST(RenameDxbc, TellsWhatCannotBe) {
  const auto file = test::sample("textured_ps_5_0.dxbc");
  EXPECT_EQ(fault(renamed(file, {{What::input, "NORMAL0", "UV0"}})), "missing at signatures");
  EXPECT_EQ(fault(renamed(file, {{What::resource, "nothing", "base"}})), "missing at RDEF");
  EXPECT_EQ(fault(renamed(file, {{What::input, "SV_Position", "POSITION"}})), "bad-value at ISGN/elements[0]/semantic");
  EXPECT_EQ(fault(renamed(file, {{What::input, "WORLD0", "SV_Depth"}})), "bad-value at ISGN/elements[2]/semantic");
  EXPECT_EQ(fault(renamed(file, {{What::input, "WORLD0", "COLOR0"}})), "bad-value at ISGN/elements[3]/semantic");
  EXPECT_EQ(fault(renamed(file, {{What::input, "WORLD0", "A B"}})), "bad-value at ISGN/elements[2]/semantic");
  EXPECT_EQ(fault(renamed(file, {{What::resource, "albedo", "detail"}})), "bad-value at RDEF/bindings[3]/name");
  EXPECT_EQ(fault(renamed(file, {{What::resource, "albedo", "1"}})), "bad-value at RDEF/bindings[2]/name");
  EXPECT_EQ(fault(renamed(file, {{What::variable, "tint", "mode"}})), "bad-value at RDEF/constant_buffers[0]/name");
  EXPECT_EQ(fault(renamed(file, {{What::entry, "", "main"}})), "unsupported at entry");
  EXPECT_EQ(fault(renamed(file, {{What::node, "a", "b"}})), "unsupported at entry");
}

TEST(RenameDxbc, VariablesAndTexturesShareAScope) {
  const auto file = test::sample("textured_ps_5_0.dxbc");
  EXPECT_EQ(fault(renamed(file, {{What::variable, "tint", "albedo"}})), "bad-value at RDEF/bindings[2]/name");
  EXPECT_EQ(fault(renamed(file, {{What::resource, "albedo", "tint"}})), "bad-value at RDEF/bindings[2]/name");
  EXPECT_EQ(fault(renamed(file, {{What::resource, "albedo", "tint"}, {What::variable, "tint", "albedo"}})), "none");
}

TEST(RebindDxbc, MovesDeclarationsOperandsAndDefinitions) {
  const auto file = test::sample("textured_ps_5_0.dxbc");
  const auto edited = rebound(file, {{'t', 0, 0, 3, {}}, {'t', 3, 0, 0, {}}, {'b', 1, 0, 7, {}}, {'s', 2, 0, 1, {}}});
  ASSERT_TRUE(edited) << to_string(edited.error());
  EXPECT_EQ(bindings_of(edited->bytes), "linearWrap=s0 pointClamp=s1 albedo=t3 detail=t0 Material=cb7");
  // the whole program, by its text
  std::string wanted = listing_of(file);
  const auto swap = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = wanted.find(from); at != std::string::npos; at = wanted.find(from, at + to.size()))
      wanted.replace(at, from.size(), to);
  };
  for (const auto& [from, to] : {std::pair("t0", "t#"), {"t3", "t0"}, {"t#", "t3"}, {"cb1", "cb7"}, {"CB1", "CB7"}, {"s2", "s1"}})
    swap(from, to);
  EXPECT_EQ(listing_of(edited->bytes), wanted);
  const auto back = rebound(edited->bytes, {{'t', 0, 0, 3, {}}, {'t', 3, 0, 0, {}}, {'b', 7, 0, 1, {}}, {'s', 1, 0, 2, {}}});
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->bytes == file);
}

TEST(RebindDxbc, MovesRangesAndSpacesOf5_1) {
  const auto file = assembled(kRanges);
  const auto edited = rebound(file, {{'t', 0, 0, 0, 2}, {'b', 0, 1, 5, 0}, {'s', 2, 0, 0, {}}, {'t', 4, 0, 1, {}}});
  ASSERT_TRUE(edited) << to_string(edited.error());
  const std::string text = listing_of(edited->bytes);
  for (const char* line : {"CB0[5:5][2], immediateIndexed, space=0", "S0[0:0], mode_default, space=0", "T0[0:3], space=2",
                           "T1[1:*], space=0", "CB0[5][1].x", "T0[r0.x + 0].xyzw, S0[0]", "T1[3].xyzw, S0[0]"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

TEST(RebindDxbc, GivesAnIndexThatHadNoneANumber) {
  const auto file = assembled(kRanges);
  const auto edited = rebound(file, {{'t', 0, 0, 8, 1}});
  ASSERT_TRUE(edited) << to_string(edited.error());
  const std::string text = listing_of(edited->bytes);
  EXPECT_NE(text.find("T0[8:11], space=1"), std::string::npos) << text;
  EXPECT_NE(text.find("T0[r0.x + 8].xyzw"), std::string::npos) << text;
  const auto back = rebound(edited->bytes, {{'t', 8, 1, 0, 0}});
  ASSERT_TRUE(back);
  EXPECT_EQ(listing_of(back->bytes), listing_of(file));
}

constexpr const char* kClasses = R"(ps_5_0
dcl_constantbuffer cb0[2], immediateIndexed
dcl_constantbuffer cb1[2], immediateIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_function_body fb0
dcl_function_table ft0 = {fb0}
dcl_interface fp0[1][1] = {ft0}
dcl_output o0.xyzw
dcl_temps 2
fcall fp0[0][0]
mov o0.w, cb0[1].x
ret
label fb0
mov r0.xyzw, this[0].xyzw
sample_indexable(texture2d)(float,float,float,float) r1.xyzw, r1.xyxx, t[r0.z + 1].xyzw, s[r0.w + 0]
mov o0.xyz, cb[r0.x + 0][r0.y + 1].xyzx
ret
)";

/// A program with an instance of a class that has a buffer, two textures and a sampler.
std::vector<std::byte> linked_classes() {
  using dxcontainer::fourcc;
  dxbc::ClassLinkage linkage;
  linkage.types.items.resize(1);
  linkage.types[0].name.text = "Painted";
  linkage.types[0].constant_buffer_stride = 1;
  linkage.types[0].texture_count = 2;
  linkage.types[0].sampler_count = 1;
  linkage.instances.items.resize(1);
  linkage.instances[0].name.text = "wall";
  linkage.instances[0].constant_buffer = 1;
  linkage.instances[0].texture = 0;
  linkage.instances[0].sampler = 0;
  linkage.slots.items.resize(1);
  linkage.slots[0].types.items.resize(1);
  linkage.slots[0].tables.items.resize(1);
  linkage.slot_count = 1;
  dxbc::place_as_fxc(linkage);
  const auto file = assembled(kClasses);
  const auto shader = open(view_of(file));
  EXPECT_TRUE(shader);
  dxcontainer::ContainerEdit edit(*shader->container());
  edit.put(fourcc("IFCE"), dxbc::write_class_linkage(linkage));
  auto made = edit.write();
  EXPECT_TRUE(made);
  return *std::move(made);
}

TEST(RebindDxbc, MovesWhatClassInstancesAreBoundTo) {
  const auto file = linked_classes();
  const auto edited = rebound(file, {{'b', 0, 0, 1, {}}, {'b', 1, 0, 0, {}}, {'t', 0, 0, 6, {}}, {'t', 1, 0, 7, {}}, {'s', 0, 0, 3, {}}});
  ASSERT_TRUE(edited) << to_string(edited.error());
  const auto shader = open(view_of(edited->bytes));
  ASSERT_TRUE(shader);
  const auto linkage = dxbc::parse_class_linkage(*shader->container()->find(dxcontainer::fourcc("IFCE")));
  ASSERT_TRUE(linkage);
  EXPECT_EQ(linkage->instances[0].constant_buffer, 0);
  EXPECT_EQ(linkage->instances[0].texture, 6);
  EXPECT_EQ(linkage->instances[0].sampler, 3);
  // Code names what it uses itself, and counts what the instance has from its first.
  const std::string text = listing_of(edited->bytes);
  for (const char* line : {"t6\n", "t7\n", "s3, mode_default", "cb1[1].x", "t[r0.z + 1].xyzw, s[r0.w + 0]", "cb[r0.x + 0][r0.y + 1].xyzx"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  const auto back =
      rebound(edited->bytes, {{'b', 1, 0, 0, {}}, {'b', 0, 0, 1, {}}, {'t', 6, 0, 0, {}}, {'t', 7, 0, 1, {}}, {'s', 3, 0, 0, {}}});
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->bytes == file);
  EXPECT_EQ(fault(rebound(file, {{'t', 1, 0, 9, {}}})), "unsupported at IFCE/instances[0]/texture") << "its textures would part";
  EXPECT_EQ(fault(rebound(assembled(kClasses), {{'t', 1, 0, 9, {}}})), "unsupported at SHEX/instructions") << "nothing tells of instances";
}

TEST(RebindDxbc, TellsWhatCannotBe) {
  const auto file = test::sample("textured_ps_5_0.dxbc");
  EXPECT_EQ(fault(rebound(file, {{'t', 1, 0, 5, {}}})), "missing at rebind");
  EXPECT_EQ(fault(rebound(file, {{'t', 0, 0, 3, {}}})), "bad-value at rebind");
  EXPECT_EQ(fault(rebound(file, {{'t', 0, 0, 128, {}}})), "bad-value at rebind");
  EXPECT_EQ(fault(rebound(file, {{'t', 0, 0, 0, 1}})), "bad-value at rebind");
  EXPECT_EQ(fault(rebound(file, {{'x', 0, 0, 1, {}}})), "bad-value at rebind");
  EXPECT_EQ(fault(rebound(file, {{'t', 0, 0, 5, {}}, {'t', 0, 0, 6, {}}})), "bad-value at rebind");
  const auto ranges = assembled(kRanges);
  EXPECT_EQ(fault(rebound(ranges, {{'t', 1, 0, 9, 3}})), "missing at rebind") << "inside of a range";
  EXPECT_EQ(fault(rebound(ranges, {{'t', 0, 0, 9, {}}})), "bad-value at rebind") << "an unbounded range has all that follows";
}

TEST(RestoreDefinitions, PutsThemWhereTheyWere) {
  const auto file = test::sample("textured_ps_5_0.dxbc");
  const auto stripped = strip(view_of(file), {.reflection = true});
  ASSERT_TRUE(stripped && stripped->changed);
  const auto restored = restore_definitions(view_of(stripped->bytes), view_of(file));
  ASSERT_TRUE(restored) << to_string(restored.error());
  EXPECT_TRUE(restored->notes.empty());
  EXPECT_EQ(bindings_of(restored->bytes), bindings_of(file));
  const auto shader = open(view_of(restored->bytes));
  ASSERT_TRUE(shader);
  EXPECT_STREQ(shader->parts()[0].name(), "RDEF");
  // a bare part does as well
  const auto whole = open(view_of(file));
  ASSERT_TRUE(whole);
  const auto* const part = whole->container()->find(dxcontainer::fourcc("RDEF"));
  ASSERT_NE(part, nullptr);
  const auto again = restore_definitions(view_of(stripped->bytes), part->data);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->bytes == restored->bytes);
}

TEST(RestoreDefinitions, RefusesThoseOfAnotherProgram) {
  const auto stripped = strip(view_of(test::sample("textured_ps_5_0.dxbc")), {.reflection = true});
  ASSERT_TRUE(stripped);
  const auto refused = [&](const std::vector<std::byte>& from) {
    const auto result = restore_definitions(view_of(stripped->bytes), view_of(from));
    return result ? std::string("none") : std::string(id(result.error().code));
  };
  EXPECT_EQ(refused(test::sample("grid_cs_5_0.dxbc")), "bad-value");
  EXPECT_EQ(refused(test::sample("textured_ps_4_0.dxbc")), "bad-value");
  EXPECT_EQ(refused(test::sample("control_ps_5_0.dxbc")), "bad-value");
  EXPECT_EQ(refused(stripped->bytes), "missing");
}

TEST(MakeDefinitions, NamesRegisters) {
  const auto stripped = strip(view_of(test::sample("grid_cs_5_0.dxbc")), {.reflection = true});
  ASSERT_TRUE(stripped);
  const auto made = make_definitions(view_of(stripped->bytes));
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_TRUE(made->changed);
  EXPECT_EQ(bindings_of(made->bytes), "t0=t0 u0=u0 u1=u1 cb0=cb0");
  EXPECT_EQ(reflection_of(made->bytes).creator, "made from declarations");
  const auto again = make_definitions(view_of(made->bytes));
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->changed);
}

// --- PICA200 ---------------------------------------------------------------------------------------------------------------------------

std::string variables_of(const std::vector<std::byte>& file) {
  std::string text;
  for (const Buffer& buffer : reflection_of(file).buffers)
    for (const Variable& v : buffer.variables)
      text += (text.empty() ? "" : " ") + v.name + '=' + buffer.name + std::to_string(v.offset / 16);
  return text;
}

TEST(RenameDxil, RefusesProgramDatabasesFirst) {
  const auto file = test::read_bytes(test::source_dir() / "tests/data/dxil/control_ps_6_6_zi.pdb");
  EXPECT_EQ(fault(renamed(file, {{What::resource, "nothing has this name", "x"}})), "unsupported at pdb");
  EXPECT_EQ(fault(rebound(file, {{'t', 99, 99, 1, {}}})), "unsupported at pdb");
  EXPECT_EQ(fault(strip(view_of(file), {.debug = true})), "unsupported at pdb");
}

TEST(RenamePica, GivesUniformsAndInputsOtherNames) {
  const auto file = pica_sample("control.v.shbin");
  const auto edited = renamed(file, {{What::variable, "transform", "world"}, {What::input, "a0", "position"}});
  ASSERT_TRUE(edited) << to_string(edited.error());
  EXPECT_EQ(variables_of(edited->bytes), "world=c0 table=c4 c95=c95 outer=i0 inner=i1 i3=i3 fast=b0 flip=b1");
  EXPECT_EQ(reflection_of(edited->bytes).entry_points[0].inputs[0].semantic, "position");
  const auto back = renamed(edited->bytes, {{What::variable, "world", "transform"}, {What::input, "position0", "a"}});
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->bytes == file);
}

TEST(RenamePica, KeepsTheLayoutForANameOfTheSameLength) {
  const auto file = pica_sample("control.v.shbin");
  const auto edited = renamed(file, {{What::variable, "outer", "upper"}});
  ASSERT_TRUE(edited);
  ASSERT_EQ(edited->bytes.size(), file.size());
  std::size_t differences = 0;
  for (std::size_t i = 0; i < file.size(); ++i) differences += edited->bytes[i] != file[i] ? 1 : 0;
  EXPECT_EQ(differences, 3U) << "out, upp";
}

TEST(RenamePica, TellsWhatCannotBe) {
  const auto file = pica_sample("control.v.shbin");
  EXPECT_EQ(fault(renamed(file, {{What::variable, "nothing", "x"}})), "missing at symbols");
  EXPECT_EQ(fault(renamed(file, {{What::variable, "outer", "inner"}})), "bad-value at symbols");
  EXPECT_EQ(fault(renamed(file, {{What::variable, "outer", ""}})), "bad-value at symbols");
  EXPECT_EQ(fault(renamed(file, {{What::output, "color0", "x"}})), "unsupported at outputs");
}

TEST(RebindPica, MovesUniformsWithTheirUses) {
  const auto file = pica_sample("control.v.shbin");
  const auto edited = rebound(file, {{'c', 0, 0, 32, {}}, {'c', 95, 0, 0, {}}, {'i', 0, 0, 1, {}}, {'i', 1, 0, 0, {}}, {'b', 0, 0, 9, {}}});
  ASSERT_TRUE(edited) << to_string(edited.error());
  EXPECT_EQ(variables_of(edited->bytes), "c0=c0 table=c4 transform=c32 inner=i0 outer=i1 i3=i3 flip=b1 fast=b9");
  const auto back =
      rebound(edited->bytes, {{'c', 32, 0, 0, {}}, {'c', 0, 0, 95, {}}, {'i', 0, 0, 1, {}}, {'i', 1, 0, 0, {}}, {'b', 9, 0, 0, {}}});
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->bytes == file);
}

TEST(RebindPica, TellsWhatCannotBe) {
  const auto file = pica_sample("control.v.shbin");
  EXPECT_EQ(fault(rebound(file, {{'c', 40, 0, 50, {}}})), "missing at rebind");
  EXPECT_EQ(fault(rebound(file, {{'c', 1, 0, 50, {}}})), "missing at rebind") << "inside of a name's registers";
  EXPECT_EQ(fault(rebound(file, {{'c', 0, 0, 2, {}}})), "bad-value at rebind") << "overlaps table";
  EXPECT_EQ(fault(rebound(file, {{'c', 0, 0, 94, {}}})), "bad-value at rebind") << "beyond the last";
  EXPECT_EQ(fault(rebound(file, {{'t', 0, 0, 1, {}}})), "bad-value at rebind");
  EXPECT_EQ(fault(rebound(file, {{'c', 0, 1, 1, {}}})), "bad-value at rebind");
}

// --- VBC -------------------------------------------------------------------------------------------------------------------------------

/// Two things of one kind change names in one edit, and back.
TEST(Rename, TwoMayChangeNamesInAllFamilies) {
  struct Swap {
    const char* path;
    What what;
    const char* a;
    const char* b;
  };
  for (const Swap& swap :
       {Swap{"dxbc/textured_ps_5_0.dxbc", What::input, "WORLD0", "COLOR0"},
        Swap{"dxbc/textured_ps_5_0.dxbc", What::resource, "albedo", "detail"},
        Swap{"dxil/textured_ps_6_6.dxil", What::input, "TEXCOORD0", "WORLD0"},
        Swap{"dxil/textured_ps_6_6.dxil", What::resource, "albedo", "shadow"},
        Swap{"dxil/textured_ps_6_6.dxil", What::resource, "Material", "sky"},
        Swap{"dxil/textured_ps_6_6.dxil", What::variable, "tint", "layer"},
        Swap{"dxil/exported_lib_6_3.dxil", What::entry, "vertex_main", "pixel_main"},
        Swap{"dxil/rays_lib_6_7.dxil", What::entry, "hit", "sky"}, Swap{"dxil/graph_lib_6_8.dxil", What::entry, "done", "split"},
        Swap{"dxil/graph_lib_6_8.dxil", What::node, "gather", "split"}, Swap{"pica/control.v.shbin", What::variable, "outer", "inner"},
        Swap{"vbc/textured.vbc", What::variable, "uniform.tint", "uniform.mode"}}) {
    const auto file = test::read_bytes(test::source_dir() / "tests/data" / swap.path);
    const std::vector<Rename> both{{swap.what, swap.a, swap.b}, {swap.what, swap.b, swap.a}};
    const auto edited = renamed(file, both);
    ASSERT_TRUE(edited) << swap.path << ' ' << swap.a << ": " << to_string(edited.error());
    EXPECT_TRUE(edited->changed) << swap.path << ' ' << swap.a;
    EXPECT_NE(listing_of(edited->bytes), "not listed") << swap.path;
    const auto back = renamed(edited->bytes, both);
    ASSERT_TRUE(back) << swap.path << ' ' << swap.a << ": " << to_string(back.error());
    // Signatures and definitions of the DXBC samples are not laid out as fxc does: new names stand behind the rest there.
    if (std::string_view(swap.path).starts_with("dxbc"))
      EXPECT_EQ(bindings_of(back->bytes) + listing_of(back->bytes), bindings_of(file) + listing_of(file)) << swap.path << ' ' << swap.a;
    else
      EXPECT_TRUE(back->bytes == file) << swap.path << ' ' << swap.a;
  }
}

/// Two resources change registers in one edit, and back.
TEST(Rebind, TwoMayChangeRegistersInAllFamilies) {
  struct Swap {
    const char* path;
    char kind;
    std::uint32_t a;
    std::uint32_t b;
  };
  for (const Swap& swap : {Swap{"dxbc/textured_ps_5_0.dxbc", 't', 0, 3}, Swap{"dxil/textured_ps_6_6.dxil", 't', 0, 2},
                           Swap{"dxil/textured_ps_6_6.dxil", 's', 0, 1}, Swap{"pica/control.v.shbin", 'i', 0, 1}}) {
    const auto file = test::read_bytes(test::source_dir() / "tests/data" / swap.path);
    const std::vector<Rebind> both{{swap.kind, swap.a, 0, swap.b, {}}, {swap.kind, swap.b, 0, swap.a, {}}};
    const auto edited = rebound(file, both);
    ASSERT_TRUE(edited) << swap.path << ": " << to_string(edited.error());
    EXPECT_TRUE(edited->changed) << swap.path;
    const auto back = rebound(edited->bytes, both);
    ASSERT_TRUE(back) << swap.path << ": " << to_string(back.error());
    EXPECT_TRUE(back->bytes == file) << swap.path;
  }
}

TEST(Rename, NamesThatStayAreTakenStill) {
  const auto library = test::read_bytes(test::source_dir() / "tests/data/dxil/exported_lib_6_3.dxil");
  EXPECT_EQ(fault(renamed(library, {{What::entry, "vertex_main", "pixel_main"}})), "bad-value at STAT/dx.entryPoints");
  const auto textured = test::read_bytes(test::source_dir() / "tests/data/dxil/textured_ps_6_6.dxil");
  EXPECT_EQ(fault(renamed(textured, {{What::resource, "albedo", "sky"}})).substr(0, 9), "bad-value");
  EXPECT_EQ(fault(renamed(textured, {{What::resource, "albedo", "sky"}, {What::resource, "shadow", "sky"}})).substr(0, 9), "bad-value");
}

TEST(Rename, AThingHasOneNewNameInAllFamilies) {
  struct Twice {
    const char* path;
    What what;
    const char* one;
    const char* other;  // the same, called otherwise
  };
  for (const Twice& twice : {Twice{"dxbc/textured_ps_5_0.dxbc", What::resource, "albedo", "albedo"},
                             Twice{"dxbc/textured_ps_5_0.dxbc", What::variable, "Material.tint", "tint"},
                             Twice{"dxbc/textured_ps_5_0.dxbc", What::input, "TEXCOORD0", "texcoord"},
                             Twice{"dxil/textured_ps_6_6.dxil", What::resource, "albedo", "albedo"},
                             Twice{"dxil/textured_ps_6_6.dxil", What::variable, "tint", "Material.tint"},
                             Twice{"dxil/textured_ps_6_6.dxil", What::input, "TEXCOORD0", "TEXCOORD0"},
                             Twice{"dxil/textured_ps_6_6.dxil", What::input, "TEXCOORD0", "texcoord"},
                             Twice{"pica/control.v.shbin", What::variable, "outer", "outer"},
                             Twice{"vbc/textured.vbc", What::variable, "uniform.tint", "uniform.tint"},
                             Twice{"vbc/textured.vbc", What::variable, "uniform.tint", "tint"}}) {
    const auto file = test::read_bytes(test::source_dir() / "tests/data" / twice.path);
    ASSERT_TRUE(renamed(file, {{twice.what, twice.one, "zq"}})) << twice.path << ' ' << twice.one;
    ASSERT_TRUE(renamed(file, {{twice.what, twice.other, "zq"}})) << twice.path << ' ' << twice.other;
    const auto edited = renamed(file, {{twice.what, twice.one, "zq"}, {twice.what, twice.other, "zr"}});
    ASSERT_FALSE(edited) << twice.path << ' ' << twice.one << ' ' << twice.other;
    EXPECT_EQ(edited.error().code, ErrorCode::bad_value) << twice.path << ' ' << to_string(edited.error());
    EXPECT_NE(edited.error().message.find("renamed twice"), std::string::npos) << twice.path << ' ' << to_string(edited.error());
    // the same name twice is no contradiction
    const auto once = renamed(file, {{twice.what, twice.one, "zq"}});
    for (const char* const again : {twice.one, twice.other}) {
      const auto same = renamed(file, {{twice.what, twice.one, "zq"}, {twice.what, again, "zq"}});
      ASSERT_TRUE(same) << twice.path << ' ' << twice.one << ' ' << again << ' ' << to_string(same.error());
      EXPECT_EQ(same->bytes, once->bytes) << twice.path << ' ' << twice.one << ' ' << again;
    }
  }
}

TEST(RenameMembers, HaveNamesWithoutDots) {
  for (const char* const path : {"dxbc/textured_ps_5_0.dxbc", "dxil/textured_ps_6_6.dxil"}) {
    const auto file = test::read_bytes(test::source_dir() / "tests/data" / path);
    const auto whole = renamed(file, {{What::variable, "Material.tint", "Material.zq"}});
    ASSERT_TRUE(whole) << path << ' ' << to_string(whole.error());
    EXPECT_EQ(whole->bytes, renamed(file, {{What::variable, "Material.tint", "zq"}})->bytes) << path;
    const auto twice = renamed(file, {{What::variable, "Material.tint", "Material.zq"}, {What::variable, "tint", "zq"}});
    ASSERT_TRUE(twice) << path << ' ' << to_string(twice.error());
    EXPECT_EQ(whole->bytes, twice->bytes) << path;
    // one name in two spellings, for one spelling of the old one too
    const auto again = renamed(file, {{What::variable, "Material.tint", "Material.zq"}, {What::variable, "Material.tint", "zq"}});
    ASSERT_TRUE(again) << path << ' ' << to_string(again.error());
    EXPECT_EQ(whole->bytes, again->bytes) << path;
    const auto semantic = renamed(file, {{What::input, "TEXCOORD0", "UV"}, {What::input, "TEXCOORD0", "UV0"}});
    ASSERT_TRUE(semantic) << path << ' ' << to_string(semantic.error());
    EXPECT_EQ(semantic->bytes, renamed(file, {{What::input, "TEXCOORD0", "UV0"}})->bytes) << path;
    for (const char* const name : {"Other.zq", "zq[2]", "Material."})
      EXPECT_FALSE(renamed(file, {{What::variable, "Material.tint", name}})) << path << ' ' << name;
  }
}

TEST(RenameVbc, RenamesInTablesAndStages) {
  const auto file = test::read_bytes(test::source_dir() / "tests/data/vbc/textured.vbc");
  const auto edited = renamed(file, {{What::variable, "uniform.tint", "shade"}, {What::input, "position", "place"}});
  ASSERT_TRUE(edited) << to_string(edited.error());
  const Reflection now = reflection_of(edited->bytes);
  EXPECT_EQ(now.buffers[0].variables[1].name, "shade");
  EXPECT_EQ(now.entry_points[0].inputs[0].semantic, "place");
  EXPECT_EQ(fault(renamed(file, {{What::variable, "tint", "mode"}})), "bad-value at uniform/members[4]/name");
  EXPECT_EQ(fault(renamed(file, {{What::variable, "nothing", "mode"}})), "missing at names");
  EXPECT_EQ(fault(renamed(file, {{What::entry, "main", "other"}})), "unsupported at entry");
}

TEST(RebindVbc, MovesSlotsInTableAndCode) {
  const auto file = test::read_bytes(test::source_dir() / "tests/data/vbc/textured.vbc");
  const auto check = [&](const std::vector<std::byte>& edited, std::uint8_t sampler, std::uint8_t buffer) {
    const auto made = vbc::parse(view_of(edited));
    ASSERT_TRUE(made);
    ASSERT_EQ(made->bindings.size(), 2U);
    EXPECT_EQ(made->bindings[0].slot, sampler);
    EXPECT_EQ(made->bindings[1].slot, buffer);
    const auto shader = open(view_of(edited));
    ASSERT_TRUE(shader);
    std::string errors;
    const auto outcome = validate(*shader);
    for (const Diagnostic& d : outcome.diagnostics())
      if (d.rule->severity != Severity::note) errors += std::string(d.rule->id) + ' ' + d.path + ": " + d.message + '\n';
    EXPECT_EQ(errors, "");
  };
  // The neighbour's half of the same word, and words that were not there.
  const auto swapped = rebound(file, {{0, 0, 0, 1, {}}, {0, 1, 0, 0, {}}});
  ASSERT_TRUE(swapped) << to_string(swapped.error());
  check(swapped->bytes, 1, 0);
  const auto moved = rebound(file, {{0, 0, 0, 31, {}}, {0, 1, 0, 6, {}}});
  ASSERT_TRUE(moved) << to_string(moved.error());
  check(moved->bytes, 31, 6);
  const auto back = rebound(moved->bytes, {{0, 31, 0, 0, {}}, {0, 6, 0, 1, {}}});
  ASSERT_TRUE(back) << to_string(back.error());
  check(back->bytes, 0, 1);
  EXPECT_LT(back->bytes.size(), file.size() + 600);
  const auto same = rebound(file, {{0, 0, 0, 0, {}}});
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->bytes == file);
  EXPECT_EQ(fault(rebound(file, {{0, 5, 0, 6, {}}})), "missing at bindings");
  EXPECT_EQ(fault(rebound(file, {{0, 0, 0, 1, {}}})), "bad-value at bindings");
  EXPECT_EQ(fault(rebound(file, {{0, 0, 0, 32, {}}})), "bad-value at bindings");
  EXPECT_EQ(fault(rebound(file, {{'t', 0, 0, 1, {}}})), "bad-value at bindings");
}

// Damaged files may state any number as the kind of a resource, those of Vulkan's kinds too.
TEST(EditRegisters, KindsThatDirect3dLacksHaveNoRegisters) {
  const auto file = test::read_bytes(test::source_dir() / "tests/data/dxbc/textured_ps_5_0.dxbc");
  const auto container = dxcontainer::parse_container(view_of(file));
  ASSERT_TRUE(container);
  const auto* const part = container->find(dxcontainer::fourcc("RDEF"));
  ASSERT_NE(part, nullptr);
  const auto bindings = part->data.u32(12);
  ASSERT_TRUE(bindings);
  for (const std::byte high : {std::byte{1}, std::byte{8}}) {
    auto damaged = file;
    damaged.at(part->data.file_offset() + *bindings + 5) = high;  // bits 15:8 of the first binding's kind
    EXPECT_TRUE(open(view_of(damaged)));
    const auto moved = rebound(damaged, {{'t', 0, 0, 9, {}}});
    if (moved) reflection_of(moved->bytes);
    reflection_of(damaged);
    EXPECT_NE(listing_of(damaged), "");
  }
}

}  // namespace

}  // namespace unshade::shader
