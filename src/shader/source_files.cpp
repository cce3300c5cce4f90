#include <unshade/shader/source_files.hpp>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/rdat.hpp>
#include <unshade/shader/spirv_modules.hpp>
#include <unshade/spirv/edit.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/edit.hpp>

#include "shader/family/source_files.hpp"

namespace unshade::shader {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

Error missing(const Shader& shader) { return {ErrorCode::missing, shader.file.file_offset(), "sources", "the file holds no sources"}; }

/// Names and texts may be shared in the file and are copied here: together they may be so many times its size, and kTextBase more.
constexpr std::size_t kTextPerByte = 16;
constexpr std::size_t kTextBase = std::size_t{1} << 16;

class Gathered {
 public:
  explicit Gathered(std::string where, std::size_t bytes) : left_(bytes * kTextPerByte + kTextBase) { sources.where = std::move(where); }

  Sources sources;

  /// False if it would be too much.
  bool add(std::string_view name, std::string_view text, bool has_text) {
    if (!take(sizeof(SourceFile) + name.size() + text.size())) return false;
    sources.files.push_back({std::string(name), std::string(text), has_text});
    return true;
  }
  bool append(std::string_view text) {
    if (!take(text.size())) return false;
    sources.files.back().text += text;
    return true;
  }
  /// For what is kept beside the files.
  bool spend(std::size_t bytes) { return take(bytes); }
  Error too_much(View file) const { return {ErrorCode::limit, file.file_offset(), "sources", "texts that are shared expand to too much"}; }

 private:
  bool take(std::size_t bytes) {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }
  std::size_t left_;
};

Result<Sources> from_source_info(const Part& part, dxil::Inflate inflate) {
  const auto info = dxil::parse_source_info(part, inflate);
  if (!info) return info.error();
  if (info->compression != dxil::Compression::none && info->contents.empty() && !info->names.empty() && !inflate)
    return Error{ErrorCode::unsupported, part.data.file_offset(), "SRCI/contents", "compressed, and there is no way to inflate it"};
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
Result<Sources> from_metadata(View bitcode, std::string where) {
  const auto module = dxil::parse_module(bitcode);
  if (!module) return module.error();
  const dxil::ModuleSources found = dxil::read_sources(*module);
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

/// OpSource of every module: a module may have several, one a file.
Result<Sources> from_spirv(const Shader& shader) {
  const auto modules = modules_of(shader);
  if (!modules) return modules.error();
  Gathered gathered("OpSource", shader.file.size());
  for (const ModuleBytes& bytes : *modules) {
    const auto module = spirv::parse(bytes.bytes);
    if (!module) return module.error();
    const spirv::IdTable ids(*module);
    bool continues = false;  // an OpSource with a text goes on in what follows it
    std::string name;
    std::string text;
    for (const spirv::Instruction instruction : *module) {
      const std::string_view op = instruction.info() != nullptr ? instruction.info()->text : std::string_view();
      if (op == "SourceContinued" && continues) {
        if (!gathered.append(spirv::literal_string(instruction, 1, text))) return gathered.too_much(shader.file);
        continue;
      }
      continues = false;
      if (op == "Function") break;
      if (op != "Source" || instruction.word_count() < 4) continue;
      const auto definition = ids.definition(instruction.word(3));
      const bool is_named = definition && definition->info() != nullptr && definition->info()->text == "String";
      const bool has_text = instruction.word_count() > 4;
      continues = has_text;
      if (!gathered.add(is_named ? spirv::literal_string(*definition, 2, name) : std::string_view(),
                        has_text ? spirv::literal_string(instruction, 4, text) : std::string_view(), has_text))
        return gathered.too_much(shader.file);
    }
  }
  return std::move(gathered.sources);
}

}  // namespace

Result<Sources> sources_of(const Shader& shader, dxil::Inflate inflate) {
  const auto or_missing = [&](Result<Sources> found) -> Result<Sources> {
    if (found && found->files.empty()) return missing(shader);
    return found;
  };
  if (shader.family == Family::spirv || shader.family == Family::vbc) return or_missing(from_spirv(shader));
  const auto& container = shader.container;
  if (const Part* const part = container.find(fourcc("SRCI"))) return or_missing(from_source_info(*part, inflate));
  if (const Part* const part = container.find(fourcc("PDBI"))) return or_missing(from_pdb_info(*part, inflate));
  for (const Part& part : container.parts)
    if (dxbc::is_debug_part(part.fourcc)) return or_missing(from_dxbc(part));
  if (shader.family != Family::dxil) return missing(shader);
  if (container.file.empty()) return or_missing(from_metadata(shader.file, {}));
  for (const std::uint32_t kind : {fourcc("ILDB"), fourcc("DXIL")}) {
    const Part* const part = container.find(kind);
    const auto program = part == nullptr ? Result<dxil::Program>(dxil::Program()) : dxil::parse_program(*part);
    if (!program) return program.error();
    if (program->bitcode.empty()) continue;
    if (auto found = from_metadata(program->bitcode, part->name()); !found || !found->files.empty()) return found;
  }
  return missing(shader);
}

Result<void> family::list_carried_sources(const Shader& shader, Text& out, dxil::Inflate inflate) {
  const auto sources = sources_of(shader, inflate);
  if (!sources) return sources.error();
  for (const SourceFile& file : sources->files) {
    if (!file.has_text) continue;
    out << "// file " << file.name << '\n' << file.text;
    if (!file.text.ends_with('\n')) out << '\n';
  }
  return {};
}

namespace {

/// Lines keep to the files that they are of.
Result<Edited> embed_in_modules(const Shader& shader, std::span<const dxil::SourceText> files) {
  std::vector<spirv::SourceText> sources;
  for (const dxil::SourceText& file : files) sources.push_back({file.name, file.content});
  Edited edited;
  if (shader.family == Family::vbc) {
    auto file = vbc::parse(shader.file);
    if (!file) return std::move(file).error();
    if (auto done = vbc::embed_sources(*file, sources); !done) return std::move(done).error();
    edited.bytes = vbc::write(*file);
  } else {
    const auto module = spirv::parse(shader.file);
    if (!module) return module.error();
    auto bytes = spirv::embed_sources(*module, sources);
    if (!bytes) return std::move(bytes).error();
    edited.bytes = *std::move(bytes);
  }
  edited.changed = !std::ranges::equal(edited.bytes, shader.file.bytes());
  return edited;
}

Error holds_no_sources(const Shader& shader) {
  const auto fault = [&](const char* message) { return Error{ErrorCode::unsupported, shader.file.file_offset(), "file", message}; };
  switch (shader.family) {
    case Family::dxbc:
      return fault(
          "DXBC has sources in SPDB or SDBG alone, among tables of lines and symbols that belong to them: the compiler makes those (/Zi)");
    case Family::dxil: return fault("bitcode without a container has no part for sources: SRCI stands in containers and databases");
    case Family::pica: return fault("SHBIN and objects have no place for sources: their line tables name files");
    default: return fault("this file has no place for sources");
  }
}

}  // namespace

Result<Edited> embed_sources(View file, std::span<const dxil::SourceText> files, dxil::Inflate inflate, dxil::Deflate deflate) {
  const auto shader = open(file);
  if (!shader) return shader.error();
  if (shader->family == Family::spirv || shader->family == Family::vbc) return embed_in_modules(*shader, files);
  if (shader->family != Family::dxil || shader->container.parts.empty()) return holds_no_sources(*shader);
  std::vector<dxil::SourceArgument> arguments;
  Sources before;
  if (shader->container.find(fourcc("SRCI")) != nullptr) {
    if (auto read = sources_of(*shader, inflate)) before = *std::move(read);
    for (const SourceArgument& argument : before.arguments) arguments.push_back({argument.name, argument.value});
  }
  auto info = dxil::make_source_info(files, arguments, deflate);
  if (!info) return std::move(info).error();
  dxcontainer::ContainerEdit edit(shader->container);
  edit.put(fourcc("SRCI"), *std::move(info));
  auto bytes = edit.write();
  if (!bytes) return std::move(bytes).error();
  Edited edited;
  edited.changed = edit.changed();
  if (shader->container.find(fourcc("PDBI")) != nullptr)
    edited.notes.emplace_back("PDBI keeps the sources that it had: readers that know it prefer it to SRCI");
  if (shader->pdb == nullptr) {
    // src: DXC lib/DxilValidation/DxilContainerValidation.cpp, ValidateDxilContainerParts: SRCI is a part of debug files
    if (shader->container.find(fourcc("DXIL")) != nullptr)
      edited.notes.emplace_back(
          "validators refuse sources beside a program (dxil.part-unexpected): put them into its debug file to ship it");
    edited.bytes = *std::move(bytes);
    return edited;
  }
  const auto identity = dxcontainer::parse_pdb_identity(shader->pdb->msf());
  if (!identity) return identity.error();
  auto pdb = dxcontainer::write_pdb(View(*bytes), *identity);
  if (!pdb) return std::move(pdb).error();
  edited.bytes = *std::move(pdb);
  return edited;
}

std::string safe_file_name(std::string_view name) {
  std::string safe;
  const auto take = [&](std::string_view piece) {
    while (!piece.empty() && (piece.back() == ' ' || piece.back() == '.')) piece.remove_suffix(1);  // Windows drops these: `.. ` is `..`
    if (piece.empty()) return;
    if (!safe.empty()) safe += '/';
    for (const char c : piece) {
      const auto byte = static_cast<unsigned char>(c);
      safe += byte < 0x20 || byte == 0x7f || std::string_view("<>:\"|?*").find(c) != std::string_view::npos ? '_' : c;
    }
  };
  // A drive is no folder.
  if (name.size() >= 2 && name[1] == ':') name.remove_prefix(2);
  while (!name.empty()) {
    const auto end = name.find_first_of("/\\");
    take(name.substr(0, end));
    if (end == std::string_view::npos) break;
    name.remove_prefix(end + 1);
  }
  return safe.empty() ? "source" : safe;
}

}  // namespace unshade::shader
