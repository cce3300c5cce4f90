#include "shader/sources/sources.hpp"

namespace unshade::shader::sources {

Result<void> list(const Shader& shader, Text& out, dxil::Inflate inflate) {
  const auto sources = sources_of(shader, inflate);
  if (!sources) return sources.error();
  for (const SourceFile& file : sources->files) {
    if (!file.has_text) continue;
    out << "// file " << file.name << '\n' << file.text;
    if (!file.text.ends_with('\n')) out << '\n';
  }
  return {};
}

}  // namespace unshade::shader::sources
