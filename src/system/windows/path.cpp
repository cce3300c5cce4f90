#include <unshade/system/path.hpp>

#include <algorithm>

#include "system/windows/windows.hpp"

namespace unshade::system {

std::string text_of(const std::filesystem::path& path) {
  std::string text = windows::narrow(path.native());
  std::ranges::replace(text, '\\', '/');
  return text;
}

std::filesystem::path path_of(std::string_view text) { return windows::wide(text); }

}  // namespace unshade::system
