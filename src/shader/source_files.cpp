#include <unshade/shader/source_files.hpp>

#include "shader/family/family.hpp"
#include "shader/sources/gathered.hpp"

namespace unshade::shader {

Result<Sources> sources_of(const Shader& shader, dxil::Inflate inflate) {
  const family::FamilyRow& row = family::row_of(shader);
  return row.sources != nullptr ? row.sources(shader, inflate) : sources::missing(shader);
}

Result<Edited> embed_sources(const Shader& shader, std::span<const dxil::SourceText> files, dxil::Inflate inflate, dxil::Deflate deflate) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.embed_sources == nullptr) return Error{ErrorCode::unsupported, shader.file.file_offset(), "file", row.holds_no_sources};
  return row.embed_sources(shader, files, inflate, deflate);
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
