#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/edit.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/reflection.hpp>

#include "support/files.hpp"
#include "unit/support/dxil_samples.hpp"

namespace unshade::shader {

namespace {

Result<Reflection> reflect_bytes(const test::Bytes& bytes) {
  const auto shader = open(test::view_of(bytes));
  if (!shader) return shader.error();
  return reflect(*shader);
}

Reflection sample(std::string_view name) {
  auto model = reflect_bytes(test::dxil_sample(name));
  EXPECT_TRUE(model) << name;
  return model ? *std::move(model) : Reflection{};
}

/// The file without the parts of these kinds.
test::Bytes without(const test::Bytes& file, std::initializer_list<std::string_view> kinds) {
  auto parts = test::loose_parts(*dxcontainer::parse_container(test::view_of(file)));
  std::erase_if(parts, [&](const auto& part) {
    return std::ranges::any_of(kinds, [&](std::string_view kind) {
      std::uint32_t code = 0;
      for (unsigned i = 0; i < 4; ++i) code |= static_cast<std::uint32_t>(static_cast<unsigned char>(kind[i])) << (8 * i);
      return part.fourcc == code;
    });
  });
  return test::container_of(parts);
}

const EntryPoint* find_entry(const Reflection& model, std::string_view unmangled) {
  const auto found = std::ranges::find(model.entry_points, unmangled, &EntryPoint::unmangled_name);
  return found == model.entry_points.end() ? nullptr : &*found;
}

using Replacements = std::vector<std::pair<std::string_view, std::string_view>>;

/// A sample whose program was replaced by its listing with texts for others, everywhere. STAT is that of the old program.
test::Bytes with_program(const std::string& name, const Replacements& replacements) {
  const auto file = test::dxil_sample(name + ".dxil");
  std::string text = test::read_text(test::source_dir() / "tests/data/dxil" / (name + ".ll"));
  for (const auto& [from, to] : replacements) {
    auto at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    for (; at != text.npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  }
  const auto made = dxil::assemble_into(text, *dxcontainer::parse_container(test::view_of(file)));
  EXPECT_TRUE(made.ok);
  return made.file;
}
test::Bytes with_program(const std::string& name, std::string_view from, std::string_view to) {
  return with_program(name, Replacements{{from, to}});
}

TEST(ReflectDxil, TheProgramWinsOverAModuleForReflectionThatLagsBehind) {
  const auto grouped = reflect_bytes(with_program("atomics_cs_6_6", "{i32 8, i32 8, i32 1}", "{i32 4, i32 2, i32 1}"));
  ASSERT_TRUE(grouped) << to_string(grouped.error());
  const std::array<std::uint32_t, 3> group{4, 2, 1};
  EXPECT_EQ(grouped->entry_points[0].thread_group, group);
  const Reflection before = sample("atomics_cs_6_6.dxil");
  EXPECT_TRUE(grouped->entry_points[0].statistics);
  ASSERT_EQ(grouped->resources.size(), before.resources.size());
  for (std::size_t i = 0; i < before.resources.size(); ++i) {
    EXPECT_EQ(grouped->resources[i].name, before.resources[i].name);
    EXPECT_EQ(grouped->resources[i].bind_point, before.resources[i].bind_point);
  }
  // Of a renamed element, interpolation is found by its name.
  const auto renamed = reflect_bytes(with_program("textured_ps_6_6", "!\"TEXCOORD\"", "!\"COORDINATE\""));
  ASSERT_TRUE(renamed) << to_string(renamed.error());
  const auto& inputs = renamed->entry_points[0].inputs;
  const auto element = std::ranges::find(inputs, "COORDINATE", &SignatureElement::semantic);
  ASSERT_NE(element, inputs.end());
  EXPECT_EQ(element->interpolation, Interpolation::linear_centroid);
  // A register: names stay those of STAT.
  const auto file = test::dxil_sample("textured_ps_6_6.dxil");
  const auto container = dxcontainer::parse_container(test::view_of(file));
  const dxil::BindingChange moved[] = {{dxil::ResourceClass::srv, 2, 0, 7, 0}};
  auto made = dxil::rebind(*container, moved);
  ASSERT_TRUE(made) << to_string(made.error());
  auto parts = test::loose_parts(*container);
  for (auto& part : made->parts)
    if (parts[part.index].fourcc != dxcontainer::fourcc("STAT")) parts[part.index].data = std::move(part.data);
  const auto rebound = reflect_bytes(test::container_of(parts));
  ASSERT_TRUE(rebound) << to_string(rebound.error());
  const auto sky = std::ranges::find(rebound->resources, "sky", &Resource::name);
  ASSERT_NE(sky, rebound->resources.end());
  EXPECT_EQ(sky->bind_point, 7U);
}

TEST(ReflectDxil, WhatNoPartButTheProgramStatesIsThatOfTheProgram) {
  const auto early = reflect_bytes(
      with_program("textured_ps_6_6", "@main, !\"main\", !18, !4, null}", "@main, !\"main\", !18, !4, !99}\n!99 = !{i32 0, i64 8}"));
  ASSERT_TRUE(early) << to_string(early.error());
  EXPECT_TRUE(early->entry_points[0].pixel->early_depth_stencil);
  EXPECT_EQ(early->resources.size(), sample("textured_ps_6_6.dxil").resources.size());
  const auto instances =
      reflect_bytes(with_program("expand_gs_6_0", "!{i32 1, i32 4, i32 1, i32 5, i32 2}", "!{i32 1, i32 4, i32 1, i32 5, i32 3}"));
  ASSERT_TRUE(instances) << to_string(instances.error());
  EXPECT_EQ(instances->entry_points[0].geometry->instance_count, 3U);
  const auto hull = reflect_bytes(
      with_program("tessellate_hs_6_5", "i32 4, i32 4, i32 3, i32 3, i32 3, float 3.2", "i32 4, i32 4, i32 3, i32 4, i32 3, float 1.6"));
  ASSERT_TRUE(hull) << to_string(hull.error());
  EXPECT_EQ(hull->entry_points[0].tessellation->partitioning, TessellatorPartitioning::fractional_even);
  EXPECT_EQ(hull->entry_points[0].tessellation->max_tess_factor, 16.0F);
  const auto image = reflect_bytes(with_program("rays_lib_6_7", "!\"image\", i32 0, i32 0,", "!\"image\", i32 3, i32 7,"));
  ASSERT_TRUE(image) << to_string(image.error());
  const auto moved = std::ranges::find(image->resources, "image", &Resource::name);
  ASSERT_NE(moved, image->resources.end());
  EXPECT_EQ(moved->space, 3U);
  EXPECT_EQ(moved->bind_point, 7U);
}

TEST(ReflectDxil, ResourcesAreThoseOfTheProgramWithNamesOfTheModuleForReflection) {
  const auto resources = [](std::string_view from, std::string_view to) {
    const auto model = reflect_bytes(with_program("wide_cs_6_7", from, to));
    if (!model) return to_string(model.error());
    EXPECT_FALSE(model->rebuilt);
    std::string text;
    for (const Resource& r : model->resources) {
      EXPECT_LT(r.buffer, model->buffers.size());
      text += r.name + ' ' + std::string(id(r.kind)) + ' ' + std::to_string(r.bind_point) + ' ' + std::to_string(r.space) + ' ' +
              std::to_string(r.stride) + (r.globally_coherent ? " coherent" : "") + (r.rasterizer_ordered ? " ordered" : "") + "; ";
    }
    return text;
  };
  const std::string rest = "longs uav_structured 1 0 8; halves uav_structured 2 0 8; shorts uav_structured 3 0 4; ";
  const std::string undef = "i32 0, %\"class.RWStructuredBuffer<double>\"* undef, !\"\", i32 0, i32 0, i32 1, i32 12, i1 ";
  EXPECT_EQ(resources(undef, undef), "doubles uav_structured 0 0 8; " + rest);
  EXPECT_EQ(resources(undef + "false, i1 false, i1 false", undef + "true, i1 true, i1 true"),
            "doubles uav_structured_with_counter 0 0 8 coherent ordered; " + rest);
  EXPECT_EQ(resources("!7 = !{i32 1, i32 8}", "!7 = !{i32 1, i32 16}"),
            "doubles uav_structured 0 0 16; longs uav_structured 1 0 16; halves uav_structured 2 0 16; shorts uav_structured 3 0 4; ");
  EXPECT_EQ(
      resources("!5 = !{!6, !8, !9, !10}",
                "!5 = !{!6, !8, !9, !10, !99}\n!99 = !{i32 4, %\"class.RWStructuredBuffer<double>\"* undef, !\"\", i32 9, i32 0, i32 1, "
                "i32 12, i1 false, i1 false, i1 false, !7}"),
      "doubles uav_structured 0 0 8; " + rest + "u0_space9 uav_structured 0 9 8; ");
  EXPECT_EQ(resources("!5 = !{!6, !8, !9, !10}", "!5 = !{!8, !9, !10}"), rest);
}

TEST(ReflectDxil, AResourceThatTheProgramLostTakesItsNameAlong) {
  const auto resources = [](const Replacements& replacements) {
    const auto model = reflect_bytes(with_program("textured_ps_6_6", replacements));
    if (!model) return to_string(model.error());
    std::string text;
    for (const Resource& r : model->resources)
      if (r.kind == ResourceKind::texture)
        text +=
            r.name + ' ' + std::string(id(r.dimension)) + ' ' + std::to_string(r.bind_point) + ' ' + std::to_string(r.components) + "; ";
    return text;
  };
  EXPECT_EQ(resources({{"!5 = !{!6, !8, !9, !10}", "!5 = !{!8, !9, !10}"},
                       {"!8 = !{i32 1,", "!8 = !{i32 0,"},
                       {"!9 = !{i32 2,", "!9 = !{i32 1,"},
                       {"!10 = !{i32 3,", "!10 = !{i32 2,"}}),
            "shadow texture2d_array 1 1; sky texture_cube 2 3; resolved texture2d_ms 3 4; ");
  // as many, of other kinds
  EXPECT_EQ(resources({{"!5 = !{!6, !8, !9, !10}", "!5 = !{!8, !9, !10, !6}"},
                       {"!8 = !{i32 1,", "!8 = !{i32 0,"},
                       {"!9 = !{i32 2,", "!9 = !{i32 1,"},
                       {"!10 = !{i32 3,", "!10 = !{i32 2,"},
                       {"!6 = !{i32 0,", "!6 = !{i32 3,"}}),
            "shadow texture2d_array 1 1; sky texture_cube 2 3; resolved texture2d_ms 3 4; albedo texture2d 0 4; ");
  // of another kind
  EXPECT_EQ(resources({{"undef, !\"\", i32 0, i32 0, i32 1, i32 2, i32 0, !7}", "undef, !\"\", i32 0, i32 0, i32 1, i32 7, i32 0, !7}"},
                       {"i32 0, i32 1, i32 1, i32 7,", "i32 0, i32 9, i32 1, i32 7,"}}),
            "albedo texture2d_array 0 4; shadow texture2d_array 9 1; sky texture_cube 2 3; resolved texture2d_ms 3 4; ");
  // moved to another register
  EXPECT_EQ(resources({{"i32 0, i32 1, i32 1, i32 7,", "i32 0, i32 9, i32 1, i32 7,"}}),
            "albedo texture2d 0 4; shadow texture2d_array 9 1; sky texture_cube 2 3; resolved texture2d_ms 3 4; ");
}

TEST(ReflectDxil, ResourcesOfOneKindAreToldApartByTheNamesOfTheirTypes) {
  // The first is lost, and another came: as many of the same kind.
  const auto model =
      reflect_bytes(with_program("wide_cs_6_7", {{"!5 = !{!6, !8, !9, !10}", "!5 = !{!8, !9, !10, !6}"},
                                                 {"!6 = !{i32 0,", "!6 = !{i32 3,"},
                                                 {"undef, !\"\", i32 0, i32 0, i32 1, i32 12", "undef, !\"\", i32 0, i32 4, i32 1, i32 12"},
                                                 {"!8 = !{i32 1,", "!8 = !{i32 0,"},
                                                 {"!9 = !{i32 2,", "!9 = !{i32 1,"},
                                                 {"!10 = !{i32 3,", "!10 = !{i32 2,"}}));
  ASSERT_TRUE(model) << to_string(model.error());
  std::string text;
  for (const Resource& r : model->resources) {
    Text type;
    print_type_name(model->types.at(model->buffers.at(r.buffer).variables.at(0).type), type);
    text += r.name + ' ' + std::to_string(r.bind_point) + ' ' + std::string(type.view()) + "; ";
  }
  EXPECT_EQ(text, "longs 1 uint64_t; halves 2 float16_t4; shorts 3 int16_t2; u4 4 double; ");
}

TEST(ReflectDxil, TypesOfTheProgramHaveItsComponentsAndLayoutsFitIntoItsSizes) {
  const std::string_view old = "RasterizerOrderedTexture2D<vector<float, 4> >";
  const auto format = [](const test::Bytes& file) {
    const auto model = reflect_bytes(file);
    return model ? std::string(id(model->resources[0].return_type)) + std::to_string(model->resources[0].components)
                 : to_string(model.error());
  };
  EXPECT_EQ(format(with_program("inputs_ps_6_4", {{old, old}})), "float4");
  EXPECT_EQ(format(with_program("inputs_ps_6_4", {{old, "RasterizerOrderedTexture2D<vector<float, 2> >"},
                                                  {"= type { <4 x float> }", "= type { <2 x float> }"}})),
            "float2");
  EXPECT_EQ(format(with_program("inputs_ps_6_4", {{old, "RasterizerOrderedTexture2D<vector<int, 4> >"},
                                                  {"= type { <4 x float> }", "= type { <4 x i32> }"},
                                                  {"!7 = !{i32 0, i32 9}", "!7 = !{i32 0, i32 4}"}})),
            "sint4");
  const auto shrunk =
      reflect_bytes(with_program("transform_vs_6_8", "i32 0, i32 0, i32 1, i32 256, null}", "i32 0, i32 0, i32 1, i32 64, null}"));
  ASSERT_TRUE(shrunk) << to_string(shrunk.error());
  ASSERT_EQ(shrunk->buffers.size(), 1U);
  EXPECT_EQ(shrunk->buffers[0].name, "Frame");
  EXPECT_EQ(shrunk->buffers[0].size, 64U);
  ASSERT_EQ(shrunk->buffers[0].variables.size(), 1U);
  EXPECT_EQ(shrunk->buffers[0].variables[0].size, 64U);
}

TEST(ReflectDxil, BitcodeAloneSaysWhatItsContainerDoes) {
  const auto file = test::dxil_sample("transform_vs_6_8.dxil");
  const auto container = dxcontainer::parse_container(test::view_of(file));
  ASSERT_TRUE(container);
  for (const std::uint32_t kind : {dxcontainer::fourcc("DXIL"), dxcontainer::fourcc("STAT")}) {
    const auto program = dxil::parse_program(*container->find(kind));
    ASSERT_TRUE(program);
    const auto shader = open(View(program->bitcode.bytes()));
    ASSERT_TRUE(shader);
    EXPECT_EQ(summarize(*shader).profile, "vs_6_8");
    const auto alone = reflect(*shader);
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->profile, "vs_6_8");
    const Reflection whole = sample("transform_vs_6_8.dxil");
    ASSERT_EQ(alone->entry_points.size(), 1U);
    EXPECT_EQ(alone->entry_points[0].name, whole.entry_points[0].name);
    ASSERT_EQ(alone->entry_points[0].inputs.size(), whole.entry_points[0].inputs.size());
    for (std::size_t i = 0; i < whole.entry_points[0].inputs.size(); ++i) {
      EXPECT_EQ(alone->entry_points[0].inputs[i].semantic, whole.entry_points[0].inputs[i].semantic);
      EXPECT_EQ(alone->entry_points[0].inputs[i].used_mask, whole.entry_points[0].inputs[i].used_mask);
    }
    EXPECT_EQ(alone->buffers.size(), whole.buffers.size());
    EXPECT_EQ(alone->resources.size(), whole.resources.size());
  }
}

TEST(ReflectDxil, AVertexShaderFromStat) {
  const Reflection model = sample("transform_vs_6_8.dxil");
  EXPECT_EQ(model.profile, "vs_6_8");
  EXPECT_FALSE(model.rebuilt);
  EXPECT_EQ(model.min_feature_level, FeatureLevel::level_12_0);
  ASSERT_EQ(model.entry_points.size(), 1U);
  EXPECT_EQ(model.entry_points[0].name, "main");
  EXPECT_FALSE(model.entry_points[0].inputs.empty());
  ASSERT_FALSE(model.buffers.empty());
  EXPECT_EQ(model.buffers[0].size % 16, 0U);
  ASSERT_FALSE(model.buffers[0].variables.empty());
  ASSERT_LT(model.buffers[0].variables[0].type, model.types.size());
}

TEST(ReflectDxil, NamesAreMadeUpWhereTheyWereStripped) {
  const Reflection full = sample("transform_vs_6_8.dxil");
  const Reflection model = sample("transform_vs_6_0_stripped.dxil");
  EXPECT_TRUE(model.rebuilt);
  ASSERT_EQ(model.resources.size(), full.resources.size());
  EXPECT_EQ(model.resources[0].name, "cb0");
  ASSERT_LT(model.resources[0].buffer, model.buffers.size());
  const Buffer& buffer = model.buffers[model.resources[0].buffer];
  EXPECT_EQ(buffer.size, full.buffers[full.resources[0].buffer].size);
  ASSERT_EQ(buffer.variables.size(), 1U);
  EXPECT_EQ(buffer.variables[0].name, "cb0_data");
  EXPECT_EQ(model.types[buffer.variables[0].type].elements, buffer.size / 16);
}

TEST(ReflectDxil, PsvAloneTellsStagePlacesAndSignatures) {
  const auto file = test::dxil_sample("transform_vs_6_8.dxil");
  const auto full = reflect_bytes(file);
  const auto model = reflect_bytes(without(file, {"STAT", "DXIL", "ISG1", "OSG1"}));
  ASSERT_TRUE(full);
  ASSERT_TRUE(model);
  EXPECT_TRUE(model->rebuilt);
  ASSERT_EQ(model->entry_points.size(), 1U);
  EXPECT_EQ(model->entry_points[0].stage, Stage::vertex);
  EXPECT_EQ(model->entry_points[0].name, "main");
  ASSERT_EQ(model->resources.size(), full->resources.size());
  for (std::size_t i = 0; i < model->resources.size(); ++i) {
    EXPECT_EQ(model->resources[i].kind, full->resources[i].kind);
    EXPECT_EQ(model->resources[i].bind_point, full->resources[i].bind_point);
    EXPECT_EQ(model->resources[i].space, full->resources[i].space);
  }
  const auto& inputs = model->entry_points[0].inputs;
  ASSERT_EQ(inputs.size(), full->entry_points[0].inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_EQ(inputs[i].register_index, full->entry_points[0].inputs[i].register_index);
    EXPECT_EQ(inputs[i].mask, full->entry_points[0].inputs[i].mask);
  }
}

TEST(ReflectDxil, MetadataAloneTellsSignatures) {
  const auto file = test::dxil_sample("tessellate_hs_6_5.dxil");
  const auto full = reflect_bytes(file);
  const auto model = reflect_bytes(without(file, {"PSV0", "ISG1", "OSG1", "PSG1", "SFI0"}));
  ASSERT_TRUE(full);
  ASSERT_TRUE(model);
  const auto find = [](const std::vector<SignatureElement>& list, const SignatureElement& element) {
    return std::ranges::find_if(
        list, [&](const SignatureElement& e) { return e.semantic == element.semantic && e.semantic_index == element.semantic_index; });
  };
  // The parts stand in another order.
  ASSERT_EQ(model->entry_points[0].patch_constants.size(), full->entry_points[0].patch_constants.size());
  for (const SignatureElement& element : full->entry_points[0].patch_constants) {
    const auto found = find(model->entry_points[0].patch_constants, element);
    ASSERT_NE(found, model->entry_points[0].patch_constants.end()) << element.semantic << element.semantic_index;
    EXPECT_EQ(found->register_index, element.register_index);
    EXPECT_EQ(found->mask, element.mask);
    EXPECT_EQ(found->used_mask, element.used_mask);
    EXPECT_EQ(found->system_value, element.system_value);
    EXPECT_EQ(found->component_type, element.component_type);
  }
}

TEST(ReflectDxil, Stages) {
  const Reflection hull = sample("tessellate_hs_6_5.dxil");
  ASSERT_TRUE(hull.entry_points.at(0).tessellation);
  EXPECT_EQ(hull.entry_points[0].tessellation->domain, TessellatorDomain::quad);
  EXPECT_EQ(hull.entry_points[0].tessellation->output_control_points, 4U);
  EXPECT_NE(hull.entry_points[0].tessellation->partitioning, TessellatorPartitioning::undefined);

  const Reflection mesh = sample("mesh_ms_6_5.dxil");
  ASSERT_TRUE(mesh.entry_points.at(0).mesh);
  EXPECT_EQ(mesh.entry_points[0].mesh->topology, MeshTopology::triangle);
  EXPECT_EQ(mesh.entry_points[0].thread_group, (std::array<std::uint32_t, 3>{64, 1, 1}));
  EXPECT_EQ(mesh.entry_points[0].patch_constants.size(), 2U);

  const Reflection amplification = sample("mesh_as_6_5.dxil");
  EXPECT_EQ(amplification.entry_points.at(0).group_shared_bytes, 128U);
  EXPECT_EQ(amplification.entry_points[0].thread_group, (std::array<std::uint32_t, 3>{32, 1, 1}));

  const Reflection geometry = sample("expand_gs_6_0.dxil");
  ASSERT_TRUE(geometry.entry_points.at(0).geometry);
  EXPECT_EQ(geometry.entry_points[0].geometry->input_primitive, InputPrimitive::point);
  EXPECT_EQ(geometry.entry_points[0].geometry->output_topology, OutputTopology::triangle_strip);
  EXPECT_EQ(geometry.entry_points[0].geometry->streams, 1U);
}

TEST(ReflectDxil, ALibraryHasAnEntryForEachFunction) {
  const Reflection model = sample("rays_lib_6_7.dxil");
  EXPECT_EQ(model.profile, "lib_6_7");
  EXPECT_TRUE(std::ranges::is_sorted(model.entry_points, {}, &EntryPoint::name));
  const auto hit = std::ranges::find(model.entry_points, Stage::closest_hit, &EntryPoint::stage);
  ASSERT_NE(hit, model.entry_points.end());
  EXPECT_TRUE(hit->payload_bytes && *hit->payload_bytes != 0);
  EXPECT_TRUE(hit->attribute_bytes && *hit->attribute_bytes != 0);
  const auto generation = std::ranges::find(model.entry_points, Stage::ray_generation, &EntryPoint::stage);
  ASSERT_NE(generation, model.entry_points.end());
  ASSERT_FALSE(generation->resources.empty());
  for (const std::uint32_t index : generation->resources) EXPECT_LT(index, model.resources.size());

  // Without RDAT the metadata has the functions, but not what each uses.
  const auto other = reflect_bytes(without(test::dxil_sample("rays_lib_6_7.dxil"), {"RDAT"}));
  ASSERT_TRUE(other);
  ASSERT_EQ(other->entry_points.size(), model.entry_points.size());
  for (std::size_t i = 0; i < model.entry_points.size(); ++i) {
    EXPECT_EQ(other->entry_points[i].name, model.entry_points[i].name);
    EXPECT_EQ(other->entry_points[i].stage, model.entry_points[i].stage);
    EXPECT_EQ(other->entry_points[i].payload_bytes, model.entry_points[i].payload_bytes);
  }

  // And RDAT alone has names and places.
  const auto bare = reflect_bytes(without(test::dxil_sample("rays_lib_6_7.dxil"), {"STAT", "DXIL"}));
  ASSERT_TRUE(bare);
  EXPECT_TRUE(bare->rebuilt);
  ASSERT_EQ(bare->resources.size(), model.resources.size());
  ASSERT_EQ(bare->entry_points.size(), model.entry_points.size());
  for (std::size_t i = 0; i < model.resources.size(); ++i) EXPECT_EQ(bare->resources[i].kind, model.resources[i].kind);
}

TEST(ReflectDxil, NodesOfAWorkGraph) {
  const Reflection model = sample("graph_lib_6_8.dxil");
  const EntryPoint* const split = find_entry(model, "split");
  ASSERT_NE(split, nullptr);
  EXPECT_EQ(split->stage, Stage::node);
  EXPECT_EQ(split->thread_group, (std::array<std::uint32_t, 3>{32, 1, 1}));
  ASSERT_TRUE(split->node);
  EXPECT_EQ(split->node->launch, NodeLaunch::broadcasting);
  EXPECT_TRUE(split->node->is_program_entry);
  ASSERT_EQ(split->node->inputs.size(), 1U);
  EXPECT_EQ(split->node->inputs[0].records, NodeRecords::dispatch);
  EXPECT_EQ(split->node->inputs[0].record_bytes, 16U);
  EXPECT_EQ(split->node->inputs[0].grid_components, 3U);
  ASSERT_EQ(split->node->outputs.size(), 1U);
  ASSERT_TRUE(split->node->outputs[0].id);
  EXPECT_EQ(split->node->outputs[0].id->name, "gather");
  EXPECT_EQ(split->node->outputs[0].max_records, 32U);
}

TEST(ReflectDxil, ARootSignatureAloneHasNoEntryPoint) {
  const Reflection model = sample("rootsig_only.dxil");
  EXPECT_TRUE(model.has_root_signature);
  EXPECT_TRUE(model.entry_points.empty());
}

TEST(ReflectDxil, AProgramDatabase) {
  const Reflection model = sample("control_ps_6_6_zi.pdb");
  ASSERT_EQ(model.entry_points.size(), 1U);
  EXPECT_EQ(model.entry_points[0].stage, Stage::pixel);
  EXPECT_FALSE(model.resources.empty());
}

TEST(ReflectDxil, IndexesAreInRangeWhateverTheFileSays) {
  for (const std::string_view name : {"graph_lib_6_8.dxil", "rays_lib_6_7.dxil", "tessellate_hs_6_5.dxil"}) {
    test::for_damaged(test::dxil_sample(name), 200, [&](const test::Bytes& damaged) {
      const auto model = reflect_bytes(damaged);
      if (!model) return;
      for (const Resource& resource : model->resources) {
        EXPECT_TRUE(resource.buffer == kNone || resource.buffer < model->buffers.size());
      }
      for (const Buffer& buffer : model->buffers)
        for (const Variable& variable : buffer.variables) EXPECT_LT(variable.type, model->types.size());
      for (std::size_t i = 0; i < model->types.size(); ++i)
        for (const Member& member : model->types[i].members) EXPECT_LT(member.type, i);
      for (const EntryPoint& entry : model->entry_points)
        for (const std::uint32_t index : entry.resources) EXPECT_LT(index, model->resources.size());
    });
  }
}

}  // namespace

}  // namespace unshade::shader
