#include <unshade/system/names.hpp>

namespace unshade::system {

std::size_t last_part(std::string_view path) {
  const std::size_t drive = drive_letters(path);
  std::size_t at = path.size();
  while (at > drive && !is_separator(path[at - 1])) --at;
  return at;
}

bool is_absolute(std::string_view path) {
  const std::size_t drive = drive_letters(path);
  return path.size() > drive && is_separator(path[drive]);
}

}  // namespace unshade::system
