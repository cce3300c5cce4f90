// Paths as text: UTF-8, with `/` between folders wherever this program puts names together.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace unshade::system {

/// The text of a path that was put together here: on Windows with `/` only.
std::string text_of(const std::filesystem::path& path);
/// The path of a text in UTF-8.
std::filesystem::path path_of(std::string_view text);
/// What a fault of std::filesystem says: in the words of std::strerror(), not in Windows' own.
std::string message_of(const std::error_code& fault);

}  // namespace unshade::system
