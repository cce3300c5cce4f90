// Formats of Vulkan by their names in Direct3D.
#pragma once

#include <vulkan/vulkan.h>

#include <string>

namespace compare {

struct FormatRow {
  const char* name;
  VkFormat format;
};
constexpr FormatRow kFormats[] = {
    {"R32_FLOAT", VK_FORMAT_R32_SFLOAT},
    {"R32_UINT", VK_FORMAT_R32_UINT},
    {"R32_SINT", VK_FORMAT_R32_SINT},
    {"R32G32_FLOAT", VK_FORMAT_R32G32_SFLOAT},
    {"R32G32_UINT", VK_FORMAT_R32G32_UINT},
    {"R32G32B32A32_FLOAT", VK_FORMAT_R32G32B32A32_SFLOAT},
    {"R32G32B32A32_UINT", VK_FORMAT_R32G32B32A32_UINT},
    {"R32G32B32A32_SINT", VK_FORMAT_R32G32B32A32_SINT},
    {"R16G16B16A16_FLOAT", VK_FORMAT_R16G16B16A16_SFLOAT},
    {"R8G8B8A8_UNORM", VK_FORMAT_R8G8B8A8_UNORM},
    {"R8G8B8A8_UNORM_SRGB", VK_FORMAT_R8G8B8A8_SRGB},
    {"R8G8B8A8_SNORM", VK_FORMAT_R8G8B8A8_SNORM},
    {"R8_UNORM", VK_FORMAT_R8_UNORM},
    {"D32_FLOAT", VK_FORMAT_D32_SFLOAT},
    {"D16_UNORM", VK_FORMAT_D16_UNORM},
};
inline VkFormat vk_format(const std::string& name) {
  for (const FormatRow& row : kFormats) {
    if (name == row.name) return row.format;
  }
  return VK_FORMAT_UNDEFINED;
}

}  // namespace compare
