#include "shader/capability/sources.hpp"

#include <unshade/dxbc/debug_info.hpp>

#include "shader/family/family.hpp"
#include "shader/sources/lines.hpp"
#include "shader/sources/sources.hpp"

namespace unshade::shader::capability {

using dxcontainer::Part;

namespace {

const Part* find_debug_part(const dxcontainer::Container& container) {
  for (const Part& part : container.parts)
    if (dxbc::is_debug_part(part.fourcc)) return &part;
  return nullptr;
}

Result<void> list_dxbc_sources(const Shader& shader, Text& out, dxil::Inflate) {
  const Part* const part = find_debug_part(*shader.container());
  if (part == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the file has no debug part"};
  const auto debug = dxbc::parse_debug_info(*part);
  if (!debug) return debug.error();
  dxbc::append_sources(out, *debug);
  return {};
}

constexpr SourcesRow kSources[] = {
    {Family::dxbc, sources::in_parts, list_dxbc_sources, sources::listed_in_dxbc},
    {Family::dxil, sources::in_dxil, sources::list, sources::listed_in_dxil},
    {Family::pica, nullptr, nullptr, sources::listed_in_shbin},
    {Family::spirv, sources::in_modules, sources::list, sources::listed_in_modules},
    {Family::vbc, sources::in_modules, sources::list, sources::listed_in_modules},
};

}  // namespace

const SourcesRow& sources_row(Family family) { return family::find_row(kSources, family); }

}  // namespace unshade::shader::capability
