#include <unshade/shader/summary.hpp>

#include <unshade/core/text.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::shader {

using dxcontainer::fourcc;

namespace {

// Every structure is a part; the stage is that of all executables, or both.
void summarize_pica(const Shader& shader, Summary& summary) {
  const auto part = [&](std::string name, std::uint64_t offset, std::uint64_t size) {
    summary.parts.push_back(
        {std::move(name), static_cast<std::uint32_t>(shader.file.file_offset() + offset), static_cast<std::uint32_t>(size)});
  };
  const auto add_stage = [&](pica::Stage stage) {
    const std::string_view name = pica::id(stage);
    const std::string_view prefix = stage == pica::Stage::geometry ? "gs" : "vs";
    if (summary.profile.find(prefix) == std::string::npos) summary.profile += (summary.profile.empty() ? "" : "+") + std::string(prefix);
    if (summary.stage.find(name) == std::string::npos) summary.stage += (summary.stage.empty() ? "" : "+") + std::string(name);
  };
  if (const auto object = pica::parse_object(shader.file)) {
    add_stage(object->stage);
    summary.instruction_count = static_cast<std::uint32_t>(object->code.size());
    part("DVOJ", 0, shader.file.size());
  } else if (const auto shbin = pica::parse_shbin(shader.file)) {
    summary.instruction_count = static_cast<std::uint32_t>(shbin->program.code.size());
    const std::uint64_t program = 8 + 4 * std::uint64_t{shbin->executables.size()};
    part("DVLP", program, shbin->program.header_bytes + 4 * shbin->program.code.size() + 8 * shbin->program.descriptors.size());
    for (const pica::Executable& e : shbin->executables) {
      add_stage(e.stage);
      part("DVLE", e.offset,
           pica::Executable::kHeaderBytes + 20 * e.constants.size() + 16 * e.labels.size() + 8 * e.outputs.size() + 8 * e.uniforms.size() +
               e.symbols.size());
    }
  }
}

}  // namespace

Summary summarize(const Shader& shader) {
  Summary summary;
  summary.family = shader.family;
  summary.size = shader.file.size();
  if (shader.family == Family::pica) summarize_pica(shader, summary);
  if (shader.family != Family::dxbc && shader.family != Family::dxil) return summary;

  const auto& container = shader.container;
  summary.trailing = static_cast<std::uint32_t>(shader.file.size() - container.size);
  summary.digest = dxcontainer::check_digest(container);
  for (const auto& part : container.parts)
    summary.parts.push_back({fourcc_text(part.fourcc), static_cast<std::uint32_t>(shader.file.file_offset() + part.offset),
                             static_cast<std::uint32_t>(part.data.size())});

  // The version token has the same layout in token programs and, as the first dword of the part, in DXIL's program header.
  if (const auto* code = container.find_any({fourcc("SHEX"), fourcc("SHDR")})) {
    if (const auto program = dxbc::parse_program(*code)) {
      summary.stage = id(program->stage);
      Text profile;
      profile << dxbc::profile_prefix(program->stage) << '_';
      profile.dec(program->major) << '_';
      profile.dec(program->minor);
      summary.profile = profile.str();
    }
  } else if (const auto* bitcode = container.find_any({fourcc("DXIL"), fourcc("ILDB")})) {
    dxcontainer::Part head = *bitcode;
    if (const auto version = head.data.u32(0)) {
      // src: DXC DxilConstants.h, ShaderKind
      constexpr std::string_view kStages[] = {"pixel",    "vertex",         "geometry",      "hull",    "domain",      "compute",
                                              "library",  "ray generation", "intersection",  "any hit", "closest hit", "miss",
                                              "callable", "mesh",           "amplification", "node"};
      constexpr std::string_view kPrefixes[] = {"ps",  "vs",  "gs",  "hs",  "ds",  "cs", "lib", "lib",
                                                "lib", "lib", "lib", "lib", "lib", "ms", "as",  "lib"};
      const std::uint32_t kind = *version >> 16;
      if (kind < std::size(kStages)) {
        summary.stage = kStages[kind];
        Text profile;
        profile << kPrefixes[kind] << '_';
        profile.dec(*version >> 4 & 15) << '_';
        profile.dec(*version & 15);
        summary.profile = profile.str();
      }
    }
  }
  if (shader.family != Family::dxbc) return summary;
  if (const auto* part = container.find(fourcc("RDEF"))) {
    if (const auto rdef = dxbc::parse_rdef(*part)) summary.creator = rdef->creator.text;
  }
  if (const auto* part = container.find(fourcc("STAT"))) {
    if (const auto statistics = dxbc::parse_statistics(*part)) summary.instruction_count = statistics->instruction_count;
  }
  return summary;
}

}  // namespace unshade::shader
