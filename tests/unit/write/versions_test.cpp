// What later versions of SPIR-V have in their core is an extension before, or refused.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/ir/text.hpp>

#include "unit/write/translated.hpp"

namespace unshade::write {
namespace {

constexpr std::uint32_t k10 = 0x0001'0000, k13 = 0x0001'0300, k15 = 0x0001'0500, k16 = 0x0001'0600;

Result<std::vector<std::byte>> translated(std::string_view text, std::uint32_t version) {
  auto module = ir::parse(text);
  if (!module) return module.error();
  SpirvOptions options;
  options.version = version;
  return test::translated(*std::move(module), options);
}

/// Whether the translation names an extension.
bool names(std::string_view text, std::uint32_t version, std::string_view extension) {
  const auto bytes = translated(text, version);
  if (!bytes) {
    ADD_FAILURE() << to_string(bytes.error());
    return false;
  }
  EXPECT_EQ(test::invalid(View(*bytes)), "");
  return std::string_view(reinterpret_cast<const char*>(bytes->data()), bytes->size()).find(extension) != std::string_view::npos;
}

std::string refused(std::string_view text, std::uint32_t version) {
  const auto bytes = translated(text, version);
  return bytes ? "" : bytes.error().message;
}

TEST(TranslatedVersions, CapabilitiesOfLaterOnesAreExtensions) {
  constexpr std::string_view kNumbered = R"(stage vertex
output "A" type f32 register 0

function @main {
^0:
  %id = builtin i32 base_vertex
  %value = u_to_f f32 %id
  output f32 out0.x %value
  return
}
)";
  EXPECT_TRUE(names(kNumbered, k10, "SPV_KHR_shader_draw_parameters"));
  EXPECT_FALSE(names(kNumbered, k13, "SPV_KHR_shader_draw_parameters"));
  constexpr std::string_view kLayered = R"(stage vertex
output "SV_RenderTargetArrayIndex" system_value render_target_array_index type i32 register 0 columns 1

function @main {
^0:
  output i32 out0.x 1
  return
}
)";
  EXPECT_TRUE(names(kLayered, k13, "SPV_EXT_shader_viewport_index_layer"));
  EXPECT_FALSE(names(kLayered, k15, "SPV_EXT_shader_viewport_index_layer"));
}

TEST(TranslatedVersions, HelperLanesAreAnExtensionBefore16) {
  const auto pixel = [](std::string_view block) {
    std::string text = R"(stage pixel
output "SV_Target" system_value target type f32 register 0

function @main {
^0:
)";
    return (text += block) + "  return\n}\n";
  };
  constexpr std::string_view kExtension = "SPV_EXT_demote_to_helper_invocation";
  const std::string demotes = pixel("  demote\n  output f32 out0.x 1.0\n");
  EXPECT_TRUE(names(demotes, k15, kExtension));
  EXPECT_FALSE(names(demotes, k16, kExtension));
  // whether a lane is one is no instruction of 1.6
  const std::string asks = pixel("  %helper = builtin b1 is_helper\n  %value = select f32 %helper 1.0 2.0\n  output f32 out0.x %value\n");
  EXPECT_TRUE(names(asks, k15, kExtension));
  EXPECT_TRUE(names(asks, k16, kExtension));
}

TEST(TranslatedVersions, WhatNoExtensionHasIsRefused) {
  constexpr std::string_view kWaves = R"(stage compute
info group_size 8 1 1
resource @u0 uav_byte_address dimension buffer register 0

function @main {
^0:
  %out = handle @u0 0
  %lane = builtin i32 lane
  %sum = wave_reduce i32 iadd %lane
  buffer_store i32 raw %out 0 %sum
  return
}
)";
  EXPECT_EQ(refused(kWaves, k10), "wave and quad operations in Vulkan 1.0");
  EXPECT_EQ(refused(kWaves, k13), "");
  constexpr std::string_view kMesh = R"(stage mesh
info group_size 8 1 1 max_vertices 3 max_primitives 1 mesh_topology triangle

function @main {
^0:
  return
}
)";
  EXPECT_EQ(refused(kMesh, k13), "mesh and amplification shaders for a Vulkan before 1.2");
  EXPECT_EQ(refused(kMesh, k15), "");
}

}  // namespace
}  // namespace unshade::write
