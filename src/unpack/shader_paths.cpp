#include <unshade/unpack/shader_paths.hpp>

#include <algorithm>

#include <unshade/core/text/file_names.hpp>
#include <unshade/core/text/paths.hpp>
#include <unshade/find/names.hpp>

namespace unshade::unpack {

namespace {

constexpr std::string_view kPlaceFields[] = {"file", "offset", "size", "number", "member", "form"};

}  // namespace

std::span<const std::string_view> place_fields() { return kPlaceFields; }

std::string place_field(const SearchedFile& file, const FoundShader& shader, std::size_t number, std::span<const std::string> ids,
                        std::string_view field) {
  Text text;
  if (field == "file") return std::string(paths::name_of(file.name));
  if (field == "member") {
    const std::string member = shader.layers != nullptr ? shader.layers->back().member : std::string();
    return member.substr(member.find_last_of("/\\") + 1);  // archives are of any system
  }
  if (field == "offset") return text.hex(shader.hit.offset, 8).str();
  if (field == "size") return text.dec(shader.hit.size).str();
  if (field == "number") return text.dec(number).str();
  if (field == "form") return std::string(id(shader.hit.form));
  if (std::ranges::find(find::name_fields(), field) != find::name_fields().end())
    return find::name_field({shader.hit.family, shader.stage, shader.profile}, field);
  const auto at = static_cast<std::size_t>(std::ranges::find(ids, field) - ids.begin());
  return at < shader.identities.size() ? shader.identities[at] : std::string();
}

ShaderPaths::Place ShaderPaths::place(const std::string& name, View bytes) {
  const dxcontainer::Digest digest = dxcontainer::md5(bytes);
  std::string folder = folder_;
  if (folder.size() > paths::drive_letters(folder) && !paths::is_separator(folder.back())) folder += '/';
  std::string path = folder + name;
  for (std::size_t copy = 2;; ++copy) {
    const auto [taken, is_new] = taken_.try_emplace(folded_path(path), Written{path, digest});
    if (is_new) return {path};
    if (taken->second.digest == digest) return taken->second.is_there ? Place{taken->second.path, true} : Place{};
    const std::size_t dot = name.find('.', name.rfind('/') == std::string::npos ? 0 : name.rfind('/'));
    path = folder + name.substr(0, dot) + '-' + std::to_string(copy) + (dot == std::string::npos ? std::string() : name.substr(dot));
  }
}

void ShaderPaths::set_failed(const std::string& path) { taken_[folded_path(path)].is_there = false; }

}  // namespace unshade::unpack
