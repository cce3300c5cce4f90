// What has to hold of scenes, and of the meshes that they name.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <unshade/picture/picture.hpp>
#include <unshade/scene/scene.hpp>

#include "fuzz/properties.hpp"
#include "scene/gltf.hpp"

#ifdef UNSHADE_HAS_COMMANDS
#include <unshade/document_text/document_text.hpp>

namespace unshade::fuzz {
namespace {

/// A vertex shader of a position and a color, a pixel shader of that color, and a compute shader that numbers the words of a buffer.
constexpr std::string_view kListings[] = {
    "// Input signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------- ------\n"
    "// POSITION                 0   xyz         0     NONE   float   xyz\n// COLOR                    0   xyzw        1     NONE   float  "
    " xyzw\n"
    "//\n//\n// Output signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------- ------\n"
    "// SV_Position              0   xyzw        0      POS   float   xyzw\n// COLOR                    0   xyzw        1     NONE   float "
    "  xyzw\n"
    "//\nvs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input v0.xyz\ndcl_input v1.xyzw\ndcl_output_siv o0.xyzw, position\n"
    "dcl_output o1.xyzw\nmov o0.xyz, v0.xyzx\nmov o0.w, l(1.0)\nmov o1.xyzw, v1.xyzw\nret\n",
    "// Input signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------- ------\n"
    "// SV_Position              0   xyzw        0      POS   float\n// COLOR                    0   xyzw        1     NONE   float   "
    "xyzw\n"
    "//\n//\n// Output signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------- ------\n"
    "// SV_Target                0   xyzw        0   TARGET   float   xyzw\n//\nps_5_0\ndcl_globalFlags refactoringAllowed\n"
    "dcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\nmov o0.xyzw, v1.xyzw\nret\n",
    "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 4, 1, 1\n"
    "ishl r0.x, vThreadID.x, l(2)\nstore_raw u0.x, r0.x, vThreadID.x\nret\n"};
constexpr std::string_view kNames = "vpc";

Result<std::vector<std::byte>> file_beside(void* self, std::string_view path) {
  const std::size_t shader = path.empty() ? std::string_view::npos : kNames.find(path.front());
  const auto bytes = shader == std::string_view::npos ? static_cast<View*>(self)->bytes() : std::as_bytes(std::span(kListings[shader]));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

// A draw of many vertices takes long, and shows nothing that one of few does not.
bool has_large_numbers(std::string_view text) {
  constexpr std::size_t kMostDigits = 3;
  std::size_t digits = 0;
  for (const char c : text) {
    digits = std::isdigit(static_cast<unsigned char>(c)) != 0 ? digits + 1 : 0;
    if (digits > kMostDigits || c == '^') return true;
  }
  return false;
}

}  // namespace

std::string gltf(View file) {
  const auto mesh = scene::read_gltf(file, {.read_document = document_text::read_by_name, .self = &file, .read_file = file_beside});
  if (!mesh)
    return mesh.error().offset <= file.size() && !mesh.error().message.empty() ? std::string() : "a file is refused without a place";
  for (const auto& one : mesh->attributes)
    if (one.numbers.size() != std::size_t{mesh->vertices} * one.components) return "an attribute does not have all vertices";
  const bool holds = std::ranges::all_of(mesh->indices, [&](std::uint32_t index) { return index < mesh->vertices; });
  return holds && mesh->indices.size() % 3 == 0 ? std::string() : "an index has no vertex";
}

std::string scene_text(View file) {
  const std::string_view text = file.text();
  scene::SceneOptions options;
  options.operations = 1 << 12;
  options.memory = 1 << 20;
  options.read_file = file_beside;
  options.read_document = document_text::read_by_name;
  options.self = &file;
  for (const std::string_view name : {"a.toml", "a.yaml"}) {
    const auto document = document_text::read_by_name(name, text);
    if (!document || has_large_numbers(text)) continue;
    scene::Wanted wanted;
    wanted.heat = draw::kHeatRows[text.size() % std::size(draw::kHeatRows)].kind;
    wanted.followed.emplace().place = {.x = 1, .y = 1, .sample = std::nullopt};
    const auto animation = scene::animation_of(*document);
    auto scene = animation ? scene::scene_at(*document, animation->frames - 1) : Result<Value>(*document);
    const auto drawn = scene ? scene::draw_scene(*scene, options, {}, wanted) : Result<scene::Drawn>(scene.error());
    if (!drawn) {
      if (drawn.error().message.empty() || drawn.error().offset > text.size()) return "a scene is refused without a place";
      continue;
    }
    for (const scene::Drawn::Target& target : drawn->targets) {
      const std::size_t pixels = std::size_t{target.picture.width} * target.picture.height;
      if (target.heat && target.heat->counts.size() != pixels) return "a heat map is not as large as its target";
      if (target.picture.bytes.size() != picture::picture_bytes(target.picture)) return "a picture lacks pixels";
    }
    for (const scene::Drawn::Pass& pass : drawn->passes) {
      if (pass.target && *pass.target >= drawn->targets.size()) return "a pass draws into no target";
      if (!pass.is_skipped && pass.heat.has_value() != (pass.target.has_value() && pass.statistics.compute_runs == 0))
        return "a pass has no heat map";
    }
  }
  return {};
}

}  // namespace unshade::fuzz
#endif
