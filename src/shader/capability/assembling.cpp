#include "shader/capability/assembling.hpp"

#include <charconv>
#include <string>
#include <utility>

#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxil/assemble.hpp>
#include <unshade/pica/assembler.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/vbc/listing.hpp>

#include "shader/family/family.hpp"

namespace unshade::shader::capability {

Assembly assembly_of(Result<std::vector<std::byte>> made) {
  Assembly result;
  if (made) {
    result.ok = true;
    result.file = *std::move(made);
    return result;
  }
  const Error& error = made.error();
  Message message{Severity::error, id(error.code), 0, 0, error.message};
  const char* const end = error.path.data() + error.path.size();
  const auto line = std::from_chars(error.path.data(), end, message.line);
  if (line.ptr != end && *line.ptr == ':') std::from_chars(line.ptr + 1, end, message.column);
  result.messages.push_back(std::move(message));
  return result;
}

namespace {

Assembly assemble_dxbc(std::string_view text, const AssembleOptions&) { return dxbc::assemble(text); }

Assembly assemble_dxil(std::string_view text, const AssembleOptions& options) {
  Assembly made;
  if (!options.into) {
    made = options.container ? dxil::assemble_container(text) : dxil::assemble(text);
  } else {
    const auto container = dxcontainer::parse_container(*options.into);
    if (!container) {
      Assembly failed;
      failed.messages.push_back({Severity::error, id(container.error().code), 0, 0, "the container: " + container.error().message});
      return failed;
    }
    made = dxil::assemble_into(text, *container);
  }
  for (std::string& note : made.notes) made.messages.push_back({Severity::note, "as", 0, 0, std::move(note)});
  made.notes.clear();
  return made;
}

Assembly assemble_pica(std::string_view text, const AssembleOptions&) {
  const pica::Source source{"", text};
  pica::Assembly made = pica::assemble({&source, 1});
  return {made.ok, made.ok ? pica::write_assembly(made) : std::vector<std::byte>{}, std::move(made.messages)};
}

Assembly assemble_spirv(std::string_view text, const AssembleOptions& options) {
  spirv::AssemblerOptions how;
  how.version = options.version;
  if (options.preserve_ids) how.numbering = spirv::Numbering::preserve;
  if (options.renumber_ids) how.numbering = spirv::Numbering::renumber;
  std::vector<ByteOrigin> origins;
  Assembly made = assembly_of(spirv::assemble(text, how, &origins));
  made.origins = std::move(origins);
  return made;
}

Assembly assemble_vbc(std::string_view text, const AssembleOptions&) {
  const auto made = vbc::assemble(text);
  if (!made) return assembly_of(made.error());
  return assembly_of(vbc::write(*made));
}

constexpr AssemblingRow kAssemblers[] = {
    {Family::dxbc, assemble_dxbc},   {Family::dxil, assemble_dxil}, {Family::pica, assemble_pica},
    {Family::spirv, assemble_spirv}, {Family::vbc, assemble_vbc},
};

}  // namespace

const AssemblingRow& assembling_row(Family family) { return family::find_row(kAssemblers, family); }

}  // namespace unshade::shader::capability
