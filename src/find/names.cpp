#include <unshade/find/names.hpp>

#include <algorithm>
#include <iterator>

#include <unshade/shader/traits.hpp>

namespace unshade::find {

namespace {

// src: bo3b/3Dmigoto, DirectX11/HackerDevice.cpp, ExportOrigBinary(): "%016llx-%ls.bin"; crosire/reshade, examples, shader dump: "0x%08X"
// and .cso or .spv; clshortfuse/renodx, src/utils/shader_dump.hpp, DumpShader(); HansKristian-Work/vkd3d-proton, vkd3d_shader_main.c,
// vkd3d_shader_dump_blob(): "%016" PRIx64 and .dxbc or .dxil
constexpr NamePreset kPresets[] = {
    {"3dmigoto", "{3dmigoto}-{short_stage}.bin"},
    {"reshade", "{crc32}.{cso}"},
    {"renodx", "{crc32}.{target}.{cso}"},
    {"vkd3d-proton", "{fnv1}.{ext}"},
};

constexpr std::string_view kFields[] = {"family", "stage", "short_stage", "profile", "target", "ext", "cso"};

/// Direct3D's prefixes of profiles, and the endings by which glslang knows the stage of a source.
struct StageWords {
  std::string_view stage;
  std::string_view prefix;
  std::string_view ending;
};
constexpr StageWords kStages[] = {
    {"pixel", "ps", "frag"},
    {"vertex", "vs", "vert"},
    {"geometry", "gs", "geom"},
    {"hull", "hs", "tesc"},
    {"domain", "ds", "tese"},
    {"compute", "cs", "comp"},
    {"library", "lib", "lib"},
    {"mesh", "ms", "mesh"},
    {"amplification", "as", "task"},
    {"miss", "miss", "rmiss"},
    {"ray_generation", "rgen", "rgen"},
    {"intersection", "rint", "rint"},
    {"any_hit", "rahit", "rahit"},
    {"closest_hit", "rchit", "rchit"},
    {"callable", "rcall", "rcall"},
};

const StageWords* words_of(std::string_view stage) {
  const auto* const row = std::ranges::find(kStages, stage, &StageWords::stage);
  return row != std::end(kStages) ? row : nullptr;
}

std::string ending_of(shader::Family family) { return std::string(shader::traits_of(family).file_suffix.substr(1)); }

bool is_direct3d(shader::Family family) { return family == shader::Family::dxbc || family == shader::Family::dxil; }

}  // namespace

std::span<const NamePreset> name_presets() { return kPresets; }

std::string_view name_template(std::string_view text) {
  const auto* const row = std::ranges::find(kPresets, text, &NamePreset::id);
  return row != std::end(kPresets) ? row->text : text;
}

std::span<const std::string_view> name_fields() { return kFields; }

std::string name_field(const NameFacts& facts, std::string_view field) {
  const StageWords* const words = words_of(facts.stage);
  if (field == "family") return std::string(shader::id(facts.family));
  if (field == "stage") return facts.stage;
  if (field == "short_stage") return words != nullptr ? std::string(words->prefix) : facts.stage;
  if (field == "profile") return facts.profile.empty() ? std::string(shader::id(facts.family)) : facts.profile;
  if (field == "target") {
    if (is_direct3d(facts.family) && !facts.profile.empty()) return facts.profile;
    return words != nullptr ? std::string(words->ending) : std::string(shader::id(facts.family));
  }
  if (field == "ext") return ending_of(facts.family);
  if (field == "cso") return is_direct3d(facts.family) ? "cso" : ending_of(facts.family);
  return {};
}

}  // namespace unshade::find
