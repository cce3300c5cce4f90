#include <unshade/system/folder.hpp>

#include <unshade/core/text/paths.hpp>

namespace unshade::system {

bool is_folder(const std::string& path) {
  const auto status = status_of(path);
  return status && status->kind == FileKind::folder;
}

bool is_there(const std::string& path) { return status_of(path).has_value(); }

std::string path_in(const std::string& folder, const std::string& name) {
  const bool needs_one = folder.size() > paths::drive_letters(folder) && !paths::is_separator(folder.back());
  return paths::beside(folder + (needs_one ? "/" : ""), name);
}

bool is_below(const std::string& path, const std::string& folder) {
  const std::string above = path_in(folder, {});
  return path.size() > above.size() && path.starts_with(above);
}

bool is_same_file(const std::string& a, const std::string& b) {
  const auto one = status_of(a);
  const auto other = status_of(b);
  const bool have_ids = one && other && one->kind != FileKind::other && other->kind != FileKind::other;
  return have_ids ? one->id == other->id : real_path(a) == real_path(b);
}

}  // namespace unshade::system
