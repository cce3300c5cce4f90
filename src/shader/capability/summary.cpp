#include "shader/capability/summary.hpp"

#include <string>
#include <utility>
#include <variant>

#include <unshade/core/text.hpp>
#include <unshade/dxbc/effect.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/file.hpp>

#include "shader/family/family.hpp"
#include "shader/reflect/spirv.hpp"

namespace unshade::shader::capability {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

/// Parts and trailing bytes.
void summarize_container(const dxcontainer::Container& container, Summary& summary) {
  summary.trailing = static_cast<std::uint32_t>(container.file.size() - container.size);
  for (const Part& part : container.parts)
    summary.parts.push_back({fourcc_text(part.fourcc), static_cast<std::uint32_t>(container.file.file_offset() + part.offset),
                             static_cast<std::uint32_t>(part.data.size())});
}

void summarize_dxbc(const Shader& shader, Summary& summary) {
  const dxcontainer::Container& container = *shader.container();
  summarize_container(container, summary);
  if (const auto* code = container.find(dxcontainer::PartRole::tokens)) {
    if (const auto program = dxbc::parse_program(*code)) {
      summary.stage = id(program->stage);
      Text profile;
      profile << dxbc::profile_prefix(program->stage) << '_';
      profile.dec(program->major) << '_';
      profile.dec(program->minor);
      summary.profile = profile.str();
    }
  }
  if (const auto* part = container.find(fourcc("FX10"))) {
    if (const auto effect = dxbc::parse_effect(*part)) {
      summary.stage = "effect";
      summary.profile = dxbc::field_type(effect->version).names->find(static_cast<std::uint32_t>(effect->version));
    }
  }
  if (const auto* part = container.find(fourcc("RDEF"))) {
    if (const auto rdef = dxbc::parse_rdef(*part)) summary.creator = rdef->creator.text;
  }
}

/// What the module states of the compiler.
void set_compiler(const dxil::Module& module, Summary& summary) { summary.creator = dxil::creator_of(module); }

void summarize_dxil(const Shader& shader, Summary& summary) {
  const auto set_profile = [&](dxil::ShaderKind kind, std::uint32_t major, std::uint32_t minor) {
    if (dxil::profile_prefix(kind).empty()) return;
    summary.stage = dxil::id(kind);
    Text profile;
    profile << dxil::profile_prefix(kind) << '_';
    profile.dec(major) << '_';
    profile.dec(minor);
    summary.profile = profile.str();
  };
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) {
    const auto module = shader.module(bitcode->bytes);
    if (!module) return;
    const auto metadata = dxil::read_program_metadata(**module);
    if (metadata.present) set_profile(metadata.kind, metadata.major, metadata.minor);
    set_compiler(**module, summary);
    return;
  }
  const Container& container = *shader.container();
  summarize_container(container, summary);
  const Part* const part = container.find_any({fourcc("DXIL"), fourcc("ILDB")});
  const auto program = part == nullptr ? Result<dxil::Program>(dxil::Program()) : dxil::parse_program(*part);
  if (part != nullptr && program) set_profile(program->kind(), program->major(), program->minor());
  // Reflection's module says the same without the code.
  const Part* const statistics = container.find(fourcc("STAT"));
  const auto reflection = statistics == nullptr ? Result<dxil::Program>(dxil::Program()) : dxil::parse_program(*statistics);
  const View bitcode = reflection && !reflection->bitcode.empty() ? reflection->bitcode : program ? program->bitcode : View();
  if (bitcode.empty()) return;
  if (const auto module = shader.module(bitcode)) set_compiler(**module, summary);
}

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
  if (const auto* const object = std::get_if<pica::Object>(&shader.content)) {
    add_stage(object->stage);
    part("DVOJ", 0, shader.file.size());
  } else if (const auto* const shbin = std::get_if<pica::Shbin>(&shader.content)) {
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

void summarize_spirv(const Shader& shader, Summary& summary) {
  const auto& module = std::get<spirv::Module>(shader.content);
  summary.profile = "SPIR-V " + std::to_string(module.header().major()) + '.' + std::to_string(module.header().minor());
  summary.creator = reflection::generator_name(module.header());
  for (const spirv::Instruction instruction : module) {
    // Entry points are before all code.
    if (instruction.opcode() == spirv::Opcode::function) break;
    if (instruction.opcode() != spirv::Opcode::entry_point) continue;
    const std::string_view stage = id(spirv::stage_of(static_cast<spirv::ExecutionModel>(instruction.word(1))));
    if (summary.stage.find(stage) == std::string::npos) (summary.stage += summary.stage.empty() ? "" : "+") += stage;
  }
}

void summarize_vbc(const Shader& shader, Summary& summary) {
  const auto& file = std::get<vbc::File>(shader.content);
  summary.profile = file.form.layout == vbc::Layout::current ? "VBC 1" : "VBC 1 (" + std::string(id(file.form.layout)) + ')';
  for (std::size_t i = 0; i < vbc::kStages; ++i) {
    if (file.stages[i].empty()) continue;
    const std::string_view stage = id(static_cast<vbc::Stage>(i));
    summary.parts.push_back({std::string(stage), static_cast<std::uint32_t>(shader.file.file_offset() + file.places.stages[i]),
                             static_cast<std::uint32_t>(file.stages[i].size())});
    (summary.stage += summary.stage.empty() ? "" : "+") += stage;
  }
}

constexpr SummaryRow kSummaries[] = {
    {Family::dxbc, summarize_dxbc},   {Family::dxil, summarize_dxil}, {Family::pica, summarize_pica},
    {Family::spirv, summarize_spirv}, {Family::vbc, summarize_vbc},
};

}  // namespace

const SummaryRow& summary_row(Family family) { return family::find_row(kSummaries, family); }

}  // namespace unshade::shader::capability
