#include <unshade/dxil/assemble.hpp>

#include <algorithm>

#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxil/hash.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/parts.hpp>

namespace unshade::dxil {

namespace {

Assembly failed(const Error& error) {
  Assembly result;
  result.messages.push_back({error.code, 0, 0, error.path.empty() ? error.message : error.path + ": " + error.message});
  return result;
}

/// Bitcode, or a message.
Assembly assemble_module(std::string_view text, Module& module) {
  AssemblerMessage message;
  Assembly result;
  if (!parse_module_text(text, module, message)) {
    result.messages.push_back(std::move(message));
    return result;
  }
  auto bitcode = write_module(module);
  if (!bitcode) return failed(bitcode.error());
  result.ok = true;
  result.file = *std::move(bitcode);
  return result;
}

bool has_debug_information(const Module& module) {
  return std::ranges::any_of(module.named_metadata, [&](const NamedMetadata& named) { return module.text(named.name) == "llvm.dbg.cu"; });
}

}  // namespace

Assembly assemble(std::string_view text) {
  Module module;
  return assemble_module(text, module);
}

Assembly assemble_into(std::string_view text, const dxcontainer::Container& container) {
  Module module;
  Assembly made = assemble_module(text, module);
  if (!made.ok) return made;
  using dxcontainer::fourcc;
  dxcontainer::ContainerEdit edit(container);
  auto place = has_debug_information(module) ? edit.find(fourcc("ILDB")) : std::nullopt;
  if (!place) place = edit.find(fourcc("DXIL"));
  if (!place) return failed({ErrorCode::missing, 0, "container", "there is no program to put another in place of"});
  auto program = parse_program(edit.part(*place));
  if (!program) return failed(program.error());
  const ProgramMetadata metadata = read_program_metadata(module);
  if (metadata.kind != ShaderKind::invalid) {
    std::uint32_t version = kProgramKind.put(program->program_version, static_cast<std::uint32_t>(metadata.kind));
    version = kProgramMajor.put(version, metadata.major);
    program->program_version = kProgramMinor.put(version, metadata.minor);
  }
  if (metadata.present) program->dxil_version = (metadata.dxil_major & 0xff) << 8 | (metadata.dxil_minor & 0xff);
  program->bitcode = View(made.file);
  program->size_dwords = 0;
  edit.replace(*place, write_program(*program));
  update_hash(container, edit);
  auto file = edit.write();
  if (!file) return failed(file.error());
  made.file = *std::move(file);
  return made;
}

}  // namespace unshade::dxil
