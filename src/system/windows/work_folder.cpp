#include <unshade/system/work_folder.hpp>

#include <string>
#include <system_error>

#include "system/windows/windows.hpp"

namespace unshade::system {

WorkFolder::WorkFolder() {
  constexpr int kTries = 100;
  std::error_code fault;
  const auto above = std::filesystem::temp_directory_path(fault);
  for (int i = 0; i < kTries && !fault && path_.empty(); ++i)
    if (auto path = above / ("unshade-" + windows::random_letters()); std::filesystem::create_directory(path, fault))
      path_ = std::move(path);
}

WorkFolder::~WorkFolder() {
  std::error_code fault;
  if (!path_.empty()) std::filesystem::remove_all(path_, fault);
}

}  // namespace unshade::system
