#include <unshade/system/path.hpp>

namespace unshade::system {

std::string text_of(const std::filesystem::path& path) { return path.string(); }

std::filesystem::path path_of(std::string_view text) { return text; }

}  // namespace unshade::system
