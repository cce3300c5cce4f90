#include <unshade/system/names.hpp>

namespace unshade::system {

bool is_separator(char letter) { return letter == '/'; }

std::string with_slashes(std::string name) { return name; }

std::size_t drive_letters(std::string_view) { return 0; }

}  // namespace unshade::system
