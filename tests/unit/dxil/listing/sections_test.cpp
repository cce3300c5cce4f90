#include "dxil/listing/sections.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/dxil/layout.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/rdat.hpp>

#include "dxil/listing/dxc_style.hpp"
#include "support/files.hpp"

namespace unshade::dxil {

namespace {

constexpr std::size_t kNoLimit = ~std::size_t{0};
constexpr listing::DxcStyle kNewest = listing::dxc_style({});

RdatSubobject subobject(SubobjectKind kind, std::string_view name) {
  RdatSubobject s;
  s.kind = kind;
  s.name.text = name;
  return s;
}

// As DXC does: whatever the metadata calls it.
TEST(ListingSections, SystemValuesHaveTheNamesOfHlsl) {
  ProgramMetadata metadata;
  metadata.kind = ShaderKind::vertex;
  auto& entry = metadata.entries.emplace_back();
  entry.outputs = {{.name = "SV_Coverage", .semantic = SemanticKind::position, .semantic_indexes = {0}},
                   {.name = "no_output", .semantic = SemanticKind::view_id, .semantic_indexes = {0}},
                   {.name = "sv_viewportarrayindex", .semantic = SemanticKind::viewport_array_index, .semantic_indexes = {0}},
                   {.name = "COLOR", .semantic = SemanticKind::arbitrary, .semantic_indexes = {2}},
                   {.name = "strange", .semantic = SemanticKind::invalid, .semantic_indexes = {0}}};
  Text text;
  listing::list_metadata_signatures(metadata, kNoLimit, text);
  const std::string listing(text.view());
  for (const std::string_view name : {"; SV_Position              0", "; SV_ViewportArrayIndex     0", "; COLOR                    2",
                                      "; strange                  0", "; no_output                0"})
    EXPECT_NE(listing.find(name), listing.npos) << name << '\n' << listing;
  EXPECT_EQ(listing.find("SV_Coverage"), listing.npos) << listing;
  EXPECT_EQ(dxc_text(SemanticKind::vertex_id), "SV_VertexID");
  EXPECT_EQ(dxc_text(SemanticKind::start_instance_location), "SV_StartInstanceLocation");
  EXPECT_EQ(dxc_text(SemanticKind::arbitrary), "");
  EXPECT_EQ(dxc_text(static_cast<SemanticKind>(999)), "");
}

// A name is no way out of a comment.
TEST(ListingSections, NamesStayOnTheirLine) {
  ProgramMetadata metadata;
  metadata.kind = ShaderKind::vertex;
  auto& entry = metadata.entries.emplace_back();
  entry.outputs = {{.name = "A\nret void\r", .semantic = SemanticKind::arbitrary, .semantic_indexes = {0}}};
  Text text;
  listing::list_metadata_signatures(metadata, kNoLimit, text);
  EXPECT_NE(text.view().find("; A\\nret void\\r "), std::string_view::npos) << text.view();
  EXPECT_EQ(text.view().find("\nret"), std::string_view::npos) << text.view();
}

TEST(ListingSections, SubobjectsOfRdat) {
  const auto arrays = test::from_hex("02000000 01000000 06000000");
  const auto strings = test::from_hex("00 \"main\" 00 \"miss\" 00");
  Rdat rdat;
  rdat.index_arrays = test::view_of(arrays);
  rdat.strings = test::view_of(strings);
  auto config = subobject(SubobjectKind::state_object_config, "config");
  config.flags = 0x14;
  auto signature = subobject(SubobjectKind::local_root_signature, "local");
  signature.root_signature = {0, 48};
  auto association = subobject(SubobjectKind::subobject_to_exports_association, "association");
  association.subobject.text = "local";
  association.exports_array = 0;
  auto shader = subobject(SubobjectKind::raytracing_shader_config, "shader");
  shader.max_payload_bytes = 16;
  shader.max_attribute_bytes = 8;
  auto group = subobject(SubobjectKind::hit_group, "group");
  group.hit_group = HitGroupType::procedural_primitive;
  group.closest_hit.text = "hit";
  auto pipeline = subobject(SubobjectKind::raytracing_pipeline_config1, "pipeline");
  pipeline.max_recursion_depth = 3;
  pipeline.flags = 0x300;
  rdat.subobjects.rows = {config, signature, association, shader, group, pipeline};
  Text text;
  listing::list_subobjects(rdat, kNewest, kNoLimit, text);
  EXPECT_EQ(text.view(), R"(;
; Subobjects:
;
;  StateObjectConfig config = { STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS | <invalid StateObjectFlag> };
;  LocalRootSignature local = { <48 bytes> };
;  SubobjectToExportsAssociation association = { "local", { "main", "miss" }  };
;  RaytracingShaderConfig shader = { MaxPayloadSizeInBytes = 16, MaxAttributeSizeInBytes = 8 };
;  HitGroup group = { HitGroupType = ProceduralPrimitive, Anyhit = "", Closesthit = "hit", Intersection = "" };
;  RaytracingPipelineConfig1 pipeline = { MaxTraceRecursionDepth = 3, Flags = RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES | RAYTRACING_PIPELINE_FLAG_SKIP_PROCEDURAL_PRIMITIVES };
;
)");
}

TEST(ListingSections, SubobjectsWithOneNameAreAnError) {
  Rdat rdat;
  rdat.subobjects.rows = {subobject(SubobjectKind::raytracing_pipeline_config, "a"),
                          subobject(SubobjectKind::raytracing_pipeline_config, "a")};
  Text text;
  listing::list_subobjects(rdat, kNewest, kNoLimit, text);
  EXPECT_EQ(text.view(), R"(; error occurred while loading Subobjects from RDAT.
;
; Subobjects:
;
;  RaytracingPipelineConfig a = { MaxTraceRecursionDepth = 0 };
;
)");
}

ProgramMetadata program(ShaderKind kind, std::vector<std::uint32_t> state, std::uint64_t flags) {
  ProgramMetadata metadata;
  metadata.kind = kind;
  metadata.entries.resize(1);
  metadata.entries[0].flags = flags;
  metadata.has_view_id_state = true;
  metadata.view_id_state = std::move(state);
  return metadata;
}

TEST(ListingSections, ViewIdStateOfAHullShader) {
  // 2 inputs, 3 outputs: of the view output 1; of input 0 outputs 0 and 2, of input 1 none. Then 1 patch constant, of the view and input 1.
  const auto metadata = program(ShaderKind::hull, {2, 3, 2, 5, 0, 1, 1, 0, 1}, shader_flag::kViewId);
  Text text;
  listing::list_view_id_state(metadata, text);
  EXPECT_EQ(text.view(), R"(;
; ViewId state:
;
; Number of inputs: 2, outputs: 3, patchconst: 1
; Outputs dependent on ViewId: { 1 }
; PCOutputs dependent on ViewId: { 0 }
; Inputs contributing to computation of Outputs:
;   output 0 depends on inputs: { 0 }
;   output 2 depends on inputs: { 0 }
; Inputs contributing to computation of PCOutputs:
;   output 0 depends on inputs: { 1 }
;
)");
}

TEST(ListingSections, ViewIdStateThatIsNoneIsLeftOut) {
  for (const std::vector<std::uint32_t>& words : {std::vector<std::uint32_t>{}, {2}, {2, 3, 5}, {0, 0xffff'ffff}, {0xffff'ffff, 1}}) {
    Text text;
    listing::list_view_id_state(program(ShaderKind::vertex, words, 0), text);
    EXPECT_EQ(text.view(), "") << words.size();
  }
}

TEST(ListingSections, ResourcesOfEveryClass) {
  ProgramMetadata metadata;
  ProgramResource resource;
  resource.resource_class = ResourceClass::cbuffer;
  resource.kind = ResourceKind::cbuffer;
  resource.name = "Frame";
  resource.count = 1;
  metadata.constant_buffers.push_back(resource);
  resource.resource_class = ResourceClass::srv;
  resource.kind = ResourceKind::texture2d_ms_array;
  resource.name = "a_name_that_is_longer_than_its_column";
  resource.component_type = static_cast<std::uint32_t>(ComponentType::unorm_f32);
  resource.sample_count = 4;
  resource.space = 7;
  resource.count = 0xffff'ffff;
  metadata.shader_resources.push_back(resource);
  resource.resource_class = ResourceClass::uav;
  resource.kind = ResourceKind::structured_buffer;
  resource.name = "sums";
  resource.has_counter = true;
  resource.space = 0;
  resource.count = 12;
  metadata.unordered_access.push_back(resource);
  Text text;
  listing::list_resource_bindings(metadata, kNewest, kNoLimit, text);
  EXPECT_EQ(text.view(), R"(;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; Frame                             cbuffer      NA          NA     CB0            cb0     1
; a_name_that_is_longer_than_its_column   textureunorm_f32  2darrayMS4      T0      t0,space7unbounded
; sums                                  UAV  struct     r/w+cnt      U0             u0    12
;
)");
}

TEST(TypeLayout, IsByTheDataLayout) {
  Module module;
  module.characters = "e-m:e-p:32:32-i1:32-i8:8-i16:16-i64:64-f16:16-n8:16:32:64";
  module.data_layout = {0, static_cast<std::uint32_t>(module.characters.size())};
  const auto add = [&](TypeKind kind, std::vector<std::uint32_t> parts, std::uint32_t number = 0, std::uint64_t count = 0) {
    Type type;
    type.kind = kind;
    type.number = number;
    type.count = count;
    type.parts = {static_cast<std::uint32_t>(module.type_parts.size()), static_cast<std::uint32_t>(parts.size())};
    module.type_parts.insert(module.type_parts.end(), parts.begin(), parts.end());
    module.types.push_back(type);
    return static_cast<std::uint32_t>(module.types.size() - 1);
  };
  const auto half = add(TypeKind::half, {}), real = add(TypeKind::float_, {}), wide = add(TypeKind::integer, {}, 64),
             odd = add(TypeKind::integer, {}, 24);
  const auto vector = add(TypeKind::vector, {real}, 0, 3), halves = add(TypeKind::vector, {half}, 0, 3);
  const auto pointer = add(TypeKind::pointer, {wide});
  const auto structure = add(TypeKind::structure, {half, vector, halves, wide, pointer});
  TypeLayout layout(module);
  EXPECT_EQ(layout.size_of(vector), 12U);
  EXPECT_EQ(layout.alignment_of(vector), 4U);
  EXPECT_EQ(layout.size_of(halves), 6U);
  EXPECT_EQ(layout.size_of(odd), 4U);
  EXPECT_EQ(layout.size_of(pointer), 4U);
  EXPECT_EQ(layout.offsets_of(structure), (std::vector<std::uint64_t>{0, 4, 16, 24, 32}));
  EXPECT_EQ(layout.size_of(structure), 40U);
}

}  // namespace

}  // namespace unshade::dxil
