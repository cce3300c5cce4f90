// Sources in SPIR-V modules, alone and in VBC files.
#include <string>
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

}  // namespace

Result<Sources> in_modules(const Shader& shader, dxil::Inflate) {
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
