#include <unshade/system/path.hpp>

#include <unshade/core/text/paths.hpp>

#include "system/windows/windows.hpp"

namespace unshade::system {

std::string text_of(const std::filesystem::path& path) { return paths::with_slashes(windows::narrow(path.native())); }

std::filesystem::path path_of(std::string_view text) { return windows::wide(text); }

}  // namespace unshade::system
