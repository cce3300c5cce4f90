#include <unshade/shader/source_files.hpp>

#include <unshade/core/text/file_names.hpp>
#include <unshade/shader/listing.hpp>

#include "shader/capability/sources.hpp"
#include "shader/sources/gathered.hpp"

namespace unshade::shader {

Result<Sources> sources_of(const Shader& shader, dxil::Inflate inflate) {
  const capability::SourcesRow& row = capability::sources_row(shader.family);
  return row.sources != nullptr ? row.sources(shader, inflate) : sources::missing(shader);
}

Result<void> list_sources(const Shader& shader, Text& out, dxil::Inflate inflate) {
  const capability::SourcesRow& row = capability::sources_row(shader.family);
  if (row.list == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the file has no debug part"};
  return row.list(shader, out, inflate);
}

std::string safe_file_name(std::string_view name) {
  std::string safe;
  const auto take = [&](std::string_view piece) {
    while (!piece.empty() && (piece.back() == ' ' || piece.back() == '.')) piece.remove_suffix(1);  // Windows drops these: `.. ` is `..`
    if (piece.empty()) return;
    if (!safe.empty()) safe += '/';
    safe += portable_file_name(piece);
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
