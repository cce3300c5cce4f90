#include "shader/run/image_format.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <unshade/vm/formats.hpp>

namespace unshade::shader::runner {

std::string dxgi_name(std::string_view image_format) {
  constexpr std::pair<std::string_view, std::string_view> kPacked[] = {
      {"R11fG11fB10f", "R11G11B10_FLOAT"}, {"Rgb10A2", "R10G10B10A2_UNORM"}, {"Rgb10a2ui", "R10G10B10A2_UINT"}};
  for (const auto& [name, made] : kPacked)
    if (name == image_format) return std::string(made);
  constexpr std::pair<std::string_view, std::string_view> kEncodings[] = {
      {"", "_UNORM"}, {"Snorm", "_SNORM"}, {"f", "_FLOAT"}, {"i", "_SINT"}, {"ui", "_UINT"}};
  // channels, the width of each, the encoding
  const std::size_t width = image_format.find_first_of("0123456789");
  if (width == std::string_view::npos) return {};
  const std::size_t end = std::min(image_format.find_first_not_of("0123456789", width), image_format.size());
  const auto* const encoding =
      std::ranges::find(kEncodings, image_format.substr(end), &std::pair<std::string_view, std::string_view>::first);
  if (encoding == std::end(kEncodings)) return {};
  std::string made;
  for (const char channel : image_format.substr(0, width)) {
    made += static_cast<char>(std::toupper(static_cast<unsigned char>(channel)));
    made += image_format.substr(width, end - width);
  }
  made += encoding->second;
  return vm::find_format(made) ? made : std::string();
}

}  // namespace unshade::shader::runner
