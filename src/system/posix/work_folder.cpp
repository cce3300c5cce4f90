#include <unshade/system/work_folder.hpp>

#include <cstdlib>
#include <string>
#include <system_error>

namespace unshade::system {

WorkFolder::WorkFolder() {
  std::error_code fault;
  const auto above = std::filesystem::temp_directory_path(fault);
  if (fault) return;
  std::string name = (above / "unshade-XXXXXX").string();
  if (::mkdtemp(name.data()) != nullptr) path_ = name;
}

WorkFolder::~WorkFolder() {
  std::error_code fault;
  if (!path_.empty()) std::filesystem::remove_all(path_, fault);
}

}  // namespace unshade::system
