#include <unshade/run/image_format.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <span>
#include <utility>

#include <unshade/texel/formats.hpp>

namespace unshade::run {

std::string dxgi_name(std::string_view image_format) {
  constexpr std::pair<std::string_view, std::string_view> kPacked[] = {{"R11fG11fB10f", "R11G11B10_FLOAT"},
                                                                       {"Rgb10A2", "R10G10B10A2_UNORM"},
                                                                       {"Rgb10a2ui", "R10G10B10A2_UINT"},
                                                                       {"R64i", "R32G32_SINT"},
                                                                       {"R64ui", "R32G32_UINT"}};
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
  return texel::find_format(made) ? made : std::string();
}

std::string format_without_case(const ir::Resource& resource, const shader::Resource* row) {
  using dxcontainer::ReturnType;
  if (row != nullptr) {
    if (std::string stated = dxgi_name(row->format); !stated.empty()) return stated;
  }
  const std::size_t components = row == nullptr || row->components == 0 ? 4 : std::min(row->components, 4U);
  constexpr std::string_view kChannels32[] = {"R32", "R32G32", "R32G32B32", "R32G32B32A32"};
  constexpr std::string_view kChannels8[] = {"R8", "R8G8", "R8G8B8A8", "R8G8B8A8"};  // DXGI has none of three
  const auto of = [&](std::span<const std::string_view, 4> channels, std::string_view encoding) {
    return std::string(channels[components - 1]).append(encoding);
  };
  switch (resource.return_type) {
    case shader::ReturnType::uint: return of(kChannels32, "_UINT");
    case shader::ReturnType::sint: return of(kChannels32, "_SINT");
    case shader::ReturnType::unorm: return of(kChannels8, "_UNORM");
    case shader::ReturnType::snorm: return of(kChannels8, "_SNORM");
    default: return of(kChannels32, "_FLOAT");
  }
}

}  // namespace unshade::run
