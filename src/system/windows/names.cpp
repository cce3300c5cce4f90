#include <unshade/system/names.hpp>

#include <algorithm>

namespace unshade::system {

bool is_separator(char letter) { return letter == '/' || letter == '\\'; }

std::string with_slashes(std::string name) {
  if (!name.starts_with("\\\\?\\") && !name.starts_with("\\\\.\\")) std::ranges::replace(name, '\\', '/');
  return name;
}

std::size_t drive_letters(std::string_view path) {
  const auto is_letter = [](char letter) { return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z'); };
  return path.size() >= 2 && path[1] == ':' && is_letter(path[0]) ? 2 : 0;
}

}  // namespace unshade::system
