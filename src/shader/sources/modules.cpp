// Sources in SPIR-V modules, alone and in VBC files.
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/shader/spirv_modules.hpp>
#include <unshade/spirv/edit.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/edit.hpp>

#include "shader/edit/edits.hpp"
#include "shader/sources/gathered.hpp"
#include "shader/sources/sources.hpp"

namespace unshade::shader::sources {

namespace {

std::vector<spirv::SourceText> texts_of(std::span<const dxil::SourceText> files) {
  std::vector<spirv::SourceText> texts;
  for (const dxil::SourceText& file : files) texts.push_back({file.name, file.content});
  return texts;
}

/// The sources of debug information. One that OpSource of the module, whose files begin at `begin`, has too is not there twice.
bool gather_debug_sources(const spirv::Module& module, const spirv::IdTable& ids, std::size_t begin, Gathered& gathered) {
  using Role = spirv::DebugSourceRole;
  std::vector<SourceFile>& files = gathered.sources.files;
  const std::size_t first = files.size();
  const auto string_at = [&](const spirv::Instruction& instruction, std::uint32_t word, std::string& buffer) {
    const auto text = word < instruction.word_count() ? ids.definition(instruction.word(word)) : std::nullopt;
    return text && text->opcode() == spirv::Opcode::string ? std::optional(spirv::literal_string(*text, 2, buffer)) : std::nullopt;
  };
  bool continues = false;
  std::string name;
  std::string text;
  for (const spirv::Instruction instruction : module) {
    if (instruction.opcode() == spirv::Opcode::function) break;
    const Role role = spirv::debug_source_role(instruction, ids);
    const auto content = string_at(instruction, role == Role::source ? spirv::kDebugSourceText : spirv::kDebugSourceFile, text);
    if (role == Role::continued && continues && content && !gathered.append(*content)) return false;
    if (role != Role::source) continue;
    continues = content.has_value();
    if (!gathered.add(string_at(instruction, spirv::kDebugSourceFile, name).value_or(std::string_view()),
                      content.value_or(std::string_view()), continues))
      return false;
  }
  const std::vector<SourceFile> debug(std::make_move_iterator(files.begin() + static_cast<std::ptrdiff_t>(first)),
                                      std::make_move_iterator(files.end()));
  files.resize(first);
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = begin; i < first; ++i) places.try_emplace(files[i].name, i);
  for (const SourceFile& file : debug) {
    const auto known = places.find(file.name);
    if (known == places.end()) {
      places.emplace(file.name, files.size());
      files.push_back(file);
    } else if (file.has_text && !files[known->second].has_text) {
      files[known->second] = file;
    } else if (file.has_text && files[known->second].text != file.text) {
      files.push_back(file);
    }
  }
  if (!debug.empty() && first == 0) gathered.sources.where = "DebugSource";
  return true;
}

}  // namespace

Result<Sources> in_modules(const Shader& shader, dxil::Inflate) {
  const auto modules = modules_of(shader);
  if (!modules) return modules.error();
  Gathered gathered("OpSource", shader.file.size());
  for (const ModuleBytes& bytes : *modules) {
    const auto module = spirv::parse(bytes.bytes);
    if (!module) return module.error();
    const spirv::IdTable ids(*module);
    const std::size_t begin = gathered.sources.files.size();
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
    if (!gather_debug_sources(*module, ids, begin, gathered)) return gathered.too_much(shader.file);
  }
  return or_missing(shader, std::move(gathered.sources));
}

Result<Edited> embed_in_spirv(const Shader& shader, std::span<const dxil::SourceText> files, dxil::Inflate, dxil::Deflate) {
  auto bytes = spirv::embed_sources(std::get<spirv::Module>(shader.content), texts_of(files));
  if (!bytes) return std::move(bytes).error();
  return edit::edited(shader, *std::move(bytes));
}

Result<Edited> embed_in_vbc(const Shader& shader, std::span<const dxil::SourceText> files, dxil::Inflate, dxil::Deflate) {
  vbc::File file = std::get<vbc::File>(shader.content);
  if (auto done = vbc::embed_sources(file, texts_of(files)); !done) return std::move(done).error();
  return edit::edited(shader, vbc::write(file));
}

}  // namespace unshade::shader::sources
