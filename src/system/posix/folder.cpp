#include <unshade/system/folder.hpp>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace unshade::system {

namespace {

namespace fs = std::filesystem;

bool is_done(const std::error_code& fault) {
  if (fault) errno = fault.default_error_condition().value();
  return !fault;
}

FileKind kind_of(fs::file_type type) {
  return type == fs::file_type::directory ? FileKind::folder : type == fs::file_type::regular ? FileKind::regular : FileKind::other;
}

}  // namespace

bool list_folder(const std::string& path, std::vector<FolderEntry>& into) {
  std::error_code fault;
  for (fs::directory_iterator at(path, fault), end; !fault && at != end; at.increment(fault)) {
    std::error_code unknown;
    const fs::file_type type = at->symlink_status(unknown).type();
    // what cannot be looked at is a file: reading it tells why
    const FileKind kind = type == fs::file_type::none ? FileKind::regular : kind_of(type);
    into.push_back({at->path().filename().string(), kind, type == fs::file_type::symlink});
  }
  return is_done(fault);
}

bool make_folders(const std::string& path) {
  std::error_code fault;
  fs::create_directories(path, fault);
  return is_done(fault);
}

std::string whole_path(const std::string& path) {
  std::error_code ignored;
  std::string made = fs::absolute(path, ignored).lexically_normal().string();
  if (made.size() > 1 && made.ends_with('/')) made.pop_back();
  return made;
}

std::string real_path(const std::string& path) {
  // of a relative path that does not exist, weakly_canonical() keeps `./`
  std::error_code fault;
  const fs::path made = fs::weakly_canonical(fs::absolute(path, fault), fault);
  return is_done(fault) ? whole_path(made.string()) : whole_path(path);
}

}  // namespace unshade::system
