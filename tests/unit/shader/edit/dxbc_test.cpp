// Edits of DXBC that reach into parts beside the program: level 9, reflection, class linkage, effects.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/dxbc/class_linkage.hpp>
#include <unshade/dxbc/effect.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/level9/sm2_assemble.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxcontainer/edit.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/diff.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>

#include "dxbc/parts/class_linkage_layout.hpp"
#include "support/container.hpp"
#include "support/files.hpp"
#include "support/open_first.hpp"

namespace unshade::shader {

namespace {

using dxcontainer::fourcc;
using test::view_of;

std::vector<std::byte> assembled(std::string_view text) {
  Assembly made = assemble(Family::dxbc, text);
  EXPECT_TRUE(made.ok) << (made.messages.empty() ? "" : to_string(made.messages[0]));
  return std::move(made.file);
}

std::vector<std::byte> with_part(const std::vector<std::byte>& file, const char (&kind)[5], std::vector<std::byte> data) {
  const auto shader = open(view_of(file));
  EXPECT_TRUE(shader);
  dxcontainer::ContainerEdit edit(*shader->container());
  edit.put(fourcc(kind), std::move(data));
  auto made = edit.write();
  EXPECT_TRUE(made);
  return *std::move(made);
}

/// A container with code for level 9. As fxc does it, the part states 2_0 of all programs.
std::vector<std::byte> with_level9(std::string_view program) {
  const auto tokens = dxbc::sm2::assemble_program(program);
  EXPECT_TRUE(tokens) << to_string(tokens.error());
  dxbc::Level9 level9;
  level9.program = View(std::span<const std::byte>(*tokens), 0);
  level9.version.token = 0xffff'0200;
  return with_part(assembled("ps_4_0\nret\n"), "Aon9", dxbc::write_level9(level9));
}

TEST(Level9, ItsFeatureLevelIsThatOfTheProgram) {
  for (const auto& [profile, level] : {std::pair{"ps_2_0", FeatureLevel::level_9_1}, {"ps_2_x", FeatureLevel::level_9_3}}) {
    const auto file = with_level9(std::string(profile) + "\nmov oC0, c0\n");
    const auto shader = open(view_of(file));
    ASSERT_TRUE(shader);
    const auto reflection = reflect(*shader);
    ASSERT_TRUE(reflection);
    EXPECT_EQ(reflection->min_feature_level, level) << profile;
  }
}

TEST(StripDxbc, SaysWhatStaysInsideOfOtherParts) {
  const auto notes = [](const std::vector<std::byte>& file, const Strip& options) {
    const auto made = strip(view_of(file), options);
    if (!made) return to_string(made.error());
    std::string all;
    for (const std::string& note : made->notes) all += note + '\n';
    return all;
  };
  Strip debug;
  debug.debug = true;
  debug.reflection = false;
  Strip both = debug;
  both.reflection = true;
  const auto file = with_level9("ps_2_0\ncomment 4442554700000000\nmov oC0, c0\n");
  EXPECT_EQ(notes(file, debug), "Aon9 keeps its debug information, a comment in the level 9 program\n");
  const auto other = with_level9("ps_2_0\ncomment 4354414200000000\nmov oC0, c0\n");
  EXPECT_EQ(notes(other, debug), "");
  EXPECT_EQ(notes(other, both), "Aon9 keeps its constant table, a comment in the level 9 program\n");
  EXPECT_EQ(notes(with_level9("ps_2_0\nmov oC0, c0\n"), both), "");
}

TEST(StripDxbc, SaysWhatStaysInsideOfTheShadersOfAnEffect) {
  const auto notes = [](std::vector<std::byte> effect, const Strip& options) {
    const auto made = strip(view_of(test::container_of({{fourcc("FX10"), std::move(effect)}})), options);
    if (!made) return to_string(made.error());
    return made->notes.empty() ? std::string() : made->notes[0];
  };
  const auto effect_with = [](std::initializer_list<std::uint32_t> parts) {
    std::vector<test::LoosePart> list;
    for (const std::uint32_t part : parts) list.push_back({part, std::vector<std::byte>(4)});
    const auto inner = test::container_of(list);
    dxbc::Effect effect;
    effect.types.resize(1);
    effect.types[0].name.text = "PixelShader";
    effect.types[0].kind = dxbc::EffectTypeKind::object;
    effect.types[0].object = dxbc::EffectObject::pixel_shader;
    effect.objects.resize(1);
    effect.objects[0].name.text = "pixel";
    effect.objects[0].shaders.resize(1);
    if (parts.size() != 0) effect.objects[0].shaders[0].code.bytes = view_of(inner);
    return dxbc::write_effect(effect);
  };
  const Strip debug{.debug = true};
  const Strip both{.debug = true, .reflection = true};
  EXPECT_EQ(notes(effect_with({}), both), "");
  EXPECT_EQ(notes(effect_with({fourcc("PRIV")}), both), "");
  EXPECT_EQ(notes(effect_with({fourcc("RDEF")}), debug), "");
  EXPECT_EQ(notes(effect_with({fourcc("RDEF")}), both), "FX10 keeps the reflection of the shaders inside of the effect");
  EXPECT_EQ(notes(effect_with({fourcc("RDEF"), fourcc("SDBG")}), debug),
            "FX10 keeps the debug information of the shaders inside of the effect");
  EXPECT_EQ(notes(effect_with({fourcc("RDEF"), fourcc("SDBG")}), both),
            "FX10 keeps the debug information and reflection of the shaders inside of the effect");
  EXPECT_EQ(notes({std::byte{0}}, debug), "FX10 keeps the debug information of the shaders inside of the effect");
}

constexpr std::string_view kWhole = R"(// Buffer Definitions:
//
// cbuffer light
// {
//
//   struct Light
//   {
//
//       float4 color;                  // Offset:    0
//
//   } light;                           // Offset:    0 Size:    16
//
// }
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      ID      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- ------- -------------- ------
// light                             cbuffer      NA          NA     CB0            cb0      1
//
ps_5_1
dcl_constantbuffer CB0[0:0][1], immediateIndexed, space=0
dcl_output o0.xyzw
mov o0.xyzw, CB0[0][0].xyzw
ret
)";

/// `BINDING BUFFER.VARIABLE...`: the names of the definitions once they are renamed, or the fault.
std::string names_after(const std::vector<std::byte>& file, const std::vector<Rename>& renames) {
  const auto made = rename(view_of(file), renames);
  if (!made) return to_string(made.error());
  const auto shader = open(view_of(made->bytes));
  if (!shader) return "unreadable";
  const auto rdef = dxbc::parse_rdef(*shader->container()->find(fourcc("RDEF")));
  if (!rdef) return "unreadable";
  std::string names;
  for (const auto& binding : rdef->bindings) names += std::string(binding.name.text) + ' ';
  for (const auto& buffer : rdef->constant_buffers)
    for (const auto& variable : buffer.variables) names += std::string(buffer.name.text) + '.' + std::string(variable.name.text) + ' ';
  return names;
}

TEST(RenameDxbc, AConstantBufferThatIsOneVariableHasItsName) {
  using What = Rename::What;
  const auto file = assembled(kWhole);
  EXPECT_EQ(names_after(file, {{What::resource, "light", "sun"}}), "sun sun.sun ");
  EXPECT_EQ(names_after(file, {{What::variable, "light", "sun"}}), "sun sun.sun ");
  EXPECT_EQ(names_after(file, {{What::variable, "light.light", "light.sun"}}), "sun sun.sun ");
  EXPECT_EQ(names_after(file, {{What::variable, "light", "sun"}, {What::resource, "light", "sun"}}), "sun sun.sun ");
  EXPECT_EQ(names_after(file, {{What::resource, "light", "sun"}, {What::variable, "light", "sun"}}), "sun sun.sun ");
  for (const bool is_variable_first : {false, true}) {
    std::vector<Rename> both = {{What::resource, "light", "sun"}, {What::variable, "light", "moon"}};
    if (is_variable_first) std::swap(both[0], both[1]);
    EXPECT_NE(names_after(file, both).find("'light' is renamed twice"), std::string::npos);
  }
}

TEST(RenameDxbc, VariablesOfAllConstantBuffersShareAScope) {
  using What = Rename::What;
  const auto file = assembled(R"(// Buffer Definitions:
//
// cbuffer A
// {
//
//   float4 x;                          // Offset:    0 Size:    16
//   float4 twice;                      // Offset:   16 Size:    16
//
// }
//
// tbuffer B
// {
//
//   float4 y;                          // Offset:    0 Size:    16
//   float4 twice;                      // Offset:   16 Size:    16
//
// }
//
// Resource bind info for data
// {
//
//   float4 $Element;                   // Offset:    0 Size:    16
//
// }
//
// Resource bind info for more
// {
//
//   float4 element;                    // Offset:    0 Size:    16
//
// }
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// A                                 cbuffer      NA          NA            cb0      1
//
ps_5_0
ret
)");
  const auto after = [&](const char* from, const char* to) { return names_after(file, {{What::variable, from, to}}); };
  EXPECT_NE(after("x", "y").find("'y' is already in use"), std::string::npos) << after("x", "y");
  EXPECT_NE(after("y", "twice").find("'twice' is already in use"), std::string::npos) << after("y", "twice");
  EXPECT_EQ(after("x", "element"), "A A.element A.twice B.y B.twice data.$Element more.element ");
  EXPECT_EQ(after("x", "z"), "A A.z A.twice B.y B.twice data.$Element more.element ");
  EXPECT_EQ(after("B.twice", "once"), "A A.x A.twice B.y B.once data.$Element more.element ");
  EXPECT_EQ(names_after(file, {{What::variable, "x", "y"}, {What::variable, "y", "x"}}),
            "A A.y A.twice B.x B.twice data.$Element more.element ");
}

TEST(RenameDxbc, ResourcesInStructsHaveDottedNames) {
  using What = Rename::What;
  const auto file = assembled(R"(// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// s.a                               texture  float4          2d             t0      1
//
ps_5_0
ret
)");
  EXPECT_EQ(names_after(file, {{What::resource, "s.a", "s.c"}}), "s.c ");
  EXPECT_NE(names_after(file, {{What::resource, "s.a", "s..c"}}).find("'s..c' is not a valid name"), std::string::npos);
}

TEST(RebindDxbc, MovesTheFirstTextureOfAVariable) {
  auto file = assembled(R"(// Buffer Definitions:
//
// cbuffer wall
// {
//
//   float4 color;                      // Offset:    0 Size:    16
//
// }
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// paint                             texture  float4          2d             t3      1
// dirt                              texture  float4          2d             t4      1
// wall                              cbuffer      NA          NA            cb0      1
//
ps_5_0
dcl_constantbuffer CB0[1], immediateIndexed
dcl_resource_texture2d (float,float,float,float) t3
dcl_resource_texture2d (float,float,float,float) t4
ret
)");
  const auto before = open(view_of(file));
  ASSERT_TRUE(before);
  auto rdef = *dxbc::parse_rdef(*before->container()->find(fourcc("RDEF")));
  // The variable's first texture once the registers have moved, or the fault.
  const auto first_after = [&](std::uint32_t first, std::uint32_t count, const std::vector<Rebind>& rebinds) {
    rdef.constant_buffers[0].variables[0].start_texture = first;
    rdef.constant_buffers[0].variables[0].texture_count = count;
    const auto with_textures = with_part(file, "RDEF", dxbc::write_rdef(rdef));
    const auto made = rebind(view_of(with_textures), rebinds);
    if (!made) return std::string(id(made.error().code)) + " at " + made.error().path;
    const auto after = open(view_of(made->bytes));
    if (!after) return std::string("unreadable");
    return std::to_string(dxbc::parse_rdef(*after->container()->find(fourcc("RDEF")))->constant_buffers[0].variables[0].start_texture);
  };
  EXPECT_EQ(first_after(3, 1, {{'t', 3, 0, 9, {}}}), "9");
  EXPECT_EQ(first_after(3, 2, {{'t', 3, 0, 9, {}}, {'t', 4, 0, 10, {}}}), "9");
  const std::string parted = "unsupported at RDEF/constant_buffers[0]/variables[0]/start_texture";
  EXPECT_EQ(first_after(3, 2, {{'t', 3, 0, 9, {}}}), parted);
  EXPECT_EQ(first_after(3, 2, {{'t', 4, 0, 9, {}}}), parted);
  // Nothing is bound to t2 and t5.
  EXPECT_EQ(first_after(4, 2, {{'t', 4, 0, 9, {}}}), "9");
  EXPECT_EQ(first_after(2, 2, {{'t', 3, 0, 9, {}}}), "8");
  EXPECT_EQ(first_after(2, 2, {{'t', 3, 0, 0, {}}}), parted) << "it would begin below t0";
}

TEST(DiffDxbc, FunctionTablesOfInterfacesCount) {
  const auto with_tables = [](std::uint32_t first, std::uint32_t second) {
    dxbc::ClassLinkage linkage;
    linkage.types.items.resize(2);
    linkage.types[0].name.text = "Plain";
    linkage.types[1].name.text = "Fancy";
    linkage.slots.items.resize(1);
    linkage.slots[0].types.items = {{0}, {1}};
    linkage.slots[0].tables.items = {{first}, {second}};
    linkage.slot_count = 1;
    dxbc::place_as_fxc(linkage);
    return with_part(assembled("ps_5_0\nret\n"), "IFCE", dxbc::write_class_linkage(linkage));
  };
  const auto a = with_tables(0, 1);
  const auto b = with_tables(1, 0);
  const auto one = open(view_of(a));
  const auto other = open(view_of(b));
  ASSERT_TRUE(one && other);
  const auto difference = compare(*one, *other);
  EXPECT_FALSE(difference.same_meaning);
}

}  // namespace

}  // namespace unshade::shader
