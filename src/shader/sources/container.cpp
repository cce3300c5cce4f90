// Sources in containers and databases of Direct3D.
#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/rdat.hpp>

#include "shader/sources/gathered.hpp"
#include "shader/sources/sources.hpp"

namespace unshade::shader::sources {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

Result<Sources> from_source_info(const Part& part, dxil::Inflate inflate) {
  const auto info = dxil::parse_source_info(part, inflate);
  if (!info) return info.error();
  if (info->compression != dxil::Compression::none && info->contents.empty() && !info->names.empty() && !inflate)
    return Error{ErrorCode::unsupported, part.data.file_offset(), "SRCI/contents", "compressed, but no inflate function is given"};
  Sources sources;
  sources.where = "SRCI";
  for (std::size_t i = 0; i < info->names.size(); ++i) {
    SourceFile file;
    file.name = info->names[i].name;
    if (i < info->contents.size()) {
      file.text = info->contents[i].content;
      file.has_text = true;
    }
    sources.files.push_back(std::move(file));
  }
  for (const dxil::SourceArgument& argument : info->arguments)
    sources.arguments.push_back({std::string(argument.name), std::string(argument.value)});
  return sources;
}

Result<Sources> from_pdb_info(const Part& part, dxil::Inflate inflate) {
  const auto info = dxil::parse_pdb_info(part);
  if (!info) return info.error();
  const auto bytes = dxil::inflate_pdb_info(*info, inflate);
  if (!bytes) return bytes.error();
  const auto rdat = dxil::parse_rdat(View(*bytes), "PDBI");
  if (!rdat) {
    Error error = rdat.error();
    error.offset = part.data.file_offset();  // what was inflated has no bytes in the file
    return error;
  }
  Gathered gathered("PDBI", bytes->size());
  for (const dxil::RdatPdbSource& source : rdat->pdb_sources)
    if (!gathered.add(source.name.text, source.content.text, true)) return gathered.too_much(part.data);
  return std::move(gathered.sources);
}

Result<Sources> from_dxbc(const Part& part) {
  const auto info = dxbc::parse_debug_info(part);
  if (!info) return info.error();
  Gathered gathered(part.name(), part.data.size());
  for (const dxbc::SourceFile& file : info->files)
    if (!gathered.add(file.name, file.text, file.has_text)) return gathered.too_much(part.data);
  return std::move(gathered.sources);
}

/// Of the metadata of a module with debug information. `where`: its part, or empty for bitcode alone.
Result<Sources> from_metadata(const Shader& shader, View bitcode, std::string where) {
  const auto module = shader.module(bitcode);
  if (!module) return module.error();
  const dxil::ModuleSources found = dxil::read_sources(**module);
  Gathered gathered(where.empty() ? "metadata" : std::move(where), bitcode.size());
  bool has_main = found.main_file.empty();
  for (const auto& file : found.files) {
    if (!gathered.add(file.name, file.content, true)) return gathered.too_much(bitcode);
    has_main = has_main || file.name == found.main_file;
  }
  if (!has_main && !gathered.add(found.main_file, {}, false)) return gathered.too_much(bitcode);
  auto& arguments = gathered.sources.arguments;
  for (std::size_t i = 0; i < found.arguments.size(); ++i) {
    std::string_view name = found.arguments[i];
    if (!gathered.spend(sizeof(SourceArgument) + name.size())) return gathered.too_much(bitcode);
    const auto is_option = [](std::string_view text) { return text.size() > 1 && (text[0] == '-' || text[0] == '/'); };
    if (!is_option(name)) {
      // What follows an option is its value.
      if (!arguments.empty() && arguments.back().value.empty() && is_option(found.arguments[i - 1]))
        arguments.back().value = name;
      else
        arguments.push_back({{}, std::string(name)});
      continue;
    }
    name.remove_prefix(1);
    arguments.push_back({std::string(name), {}});
  }
  // They are among the arguments too, but not if an interface of the compiler was given them.
  std::unordered_set<std::string> defined;
  for (const SourceArgument& argument : arguments) {
    if (argument.name == "D") defined.insert(argument.value);
    if (argument.name.starts_with('D') && argument.value.empty()) defined.insert(argument.name.substr(1));
  }
  for (const std::string_view define : found.defines) {
    if (!gathered.spend(sizeof(SourceArgument) + define.size())) return gathered.too_much(bitcode);
    if (defined.insert(std::string(define)).second) arguments.push_back({"D", std::string(define)});
  }
  return std::move(gathered.sources);
}

}  // namespace

Result<Sources> in_parts(const Shader& shader, dxil::Inflate inflate) {
  const auto& container = *shader.container();
  if (const Part* const part = container.find(fourcc("SRCI"))) return or_missing(shader, from_source_info(*part, inflate));
  if (const Part* const part = container.find(fourcc("PDBI"))) return or_missing(shader, from_pdb_info(*part, inflate));
  for (const Part& part : container.parts)
    if (dxbc::is_debug_part(part.fourcc)) return or_missing(shader, from_dxbc(part));
  return missing(shader);
}

Result<Sources> in_dxil(const Shader& shader, dxil::Inflate inflate) {
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content))
    return or_missing(shader, from_metadata(shader, bitcode->bytes, {}));
  const auto& container = *shader.container();
  const bool has_part = container.find_any({fourcc("SRCI"), fourcc("PDBI")}) != nullptr ||
                        std::ranges::any_of(container.parts, [](const Part& part) { return dxbc::is_debug_part(part.fourcc); });
  if (has_part) return in_parts(shader, inflate);
  for (const std::uint32_t kind : {fourcc("ILDB"), fourcc("DXIL")}) {
    const Part* const part = container.find(kind);
    const auto program = part == nullptr ? Result<dxil::Program>(dxil::Program()) : dxil::parse_program(*part);
    if (!program) return program.error();
    if (program->bitcode.empty()) continue;
    if (auto found = from_metadata(shader, program->bitcode, part->name()); !found || !found->files.empty()) return found;
  }
  return missing(shader);
}

Result<Edited> embed_in_dxil(const Shader& shader, std::span<const dxil::SourceText> files, dxil::Inflate inflate, dxil::Deflate deflate) {
  if (shader.container() == nullptr || shader.container()->parts.empty())
    return Error{ErrorCode::unsupported, shader.file.file_offset(), "file",
                 "bitcode without a container cannot contain sources: SRCI is a part of containers and databases"};
  const auto& container = *shader.container();
  std::vector<dxil::SourceArgument> arguments;
  Sources before;
  if (container.find(fourcc("SRCI")) != nullptr) {
    if (auto read = in_parts(shader, inflate)) before = *std::move(read);
    for (const SourceArgument& argument : before.arguments) arguments.push_back({argument.name, argument.value});
  }
  auto info = dxil::make_source_info(files, arguments, deflate);
  if (!info) return std::move(info).error();
  dxcontainer::ContainerEdit edit(container);
  edit.put(fourcc("SRCI"), *std::move(info));
  auto bytes = edit.write();
  if (!bytes) return std::move(bytes).error();
  Edited edited;
  edited.changed = edit.changed();
  if (container.find(fourcc("PDBI")) != nullptr)
    edited.notes.emplace_back("PDBI keeps the old sources: readers that support it prefer it to SRCI");
  if (shader.pdb() == nullptr) {
    // src: DXC lib/DxilValidation/DxilContainerValidation.cpp, ValidateDxilContainerParts: SRCI is a part of debug files
    if (container.find(fourcc("DXIL")) != nullptr)
      edited.notes.emplace_back("validators refuse sources next to a program (dxil.part-unexpected): ship them in its debug file instead");
    edited.bytes = *std::move(bytes);
    return edited;
  }
  const auto identity = dxcontainer::parse_pdb_identity(shader.pdb()->msf());
  if (!identity) return identity.error();
  auto pdb = dxcontainer::write_pdb(View(*bytes), *identity);
  if (!pdb) return std::move(pdb).error();
  edited.bytes = *std::move(pdb);
  return edited;
}

}  // namespace unshade::shader::sources
