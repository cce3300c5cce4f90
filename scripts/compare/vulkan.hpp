// Runs a job by Vulkan, on the device of lavapipe.
#pragma once

#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <unshade/texel/formats.hpp>

#include "job.hpp"
#include "vulkan_formats.hpp"

namespace compare {

constexpr const char* kViews[] = {"1d", "2d", "3d", "cube", "1d_array", "2d_array", "cube_array"};

inline void check(VkResult result, const char* what) {
  if (result < 0) fail("vulkan", std::string(what) + " " + std::to_string(result));
}

class Vulkan {
 public:
  explicit Vulkan(const Job& job) : job_(job) {
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO, nullptr, "compare", 0, nullptr, 0, VK_API_VERSION_1_3};
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
    check(vkCreateInstance(&info, nullptr, &instance_), "instance");
    std::uint32_t count = 8;
    VkPhysicalDevice devices[8];
    check(vkEnumeratePhysicalDevices(instance_, &count, devices), "devices");
    for (std::uint32_t at = 0; at < count; ++at) {
      VkPhysicalDeviceProperties properties;
      vkGetPhysicalDeviceProperties(devices[at], &properties);
      if (std::strstr(properties.deviceName, "llvmpipe") != nullptr) physical_ = devices[at];
    }
    if (physical_ == nullptr) fail("vulkan", "no lavapipe");
    VkPhysicalDeviceLineRasterizationFeaturesEXT lines{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT};
    VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, &lines};
    VkPhysicalDeviceRobustness2FeaturesEXT robust{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT, &feedback};
    VkPhysicalDeviceVulkan13Features v13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, &robust};
    VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &v13};
    VkPhysicalDeviceVulkan11Features v11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &v12};
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &v11};
    vkGetPhysicalDeviceFeatures2(physical_, &features);
    const float priority = 1;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, &priority};
    const char* extensions[] = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME, VK_EXT_ROBUSTNESS_2_EXTENSION_NAME,
                                VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME, VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME};
    VkDeviceCreateInfo device{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features};
    device.queueCreateInfoCount = 1;
    device.pQueueCreateInfos = &queue;
    device.enabledExtensionCount = 4;
    device.ppEnabledExtensionNames = extensions;
    check(vkCreateDevice(physical_, &device, nullptr, &device_), "device");
    vkGetDeviceQueue(device_, 0, 0, &queue_);
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    check(vkCreateCommandPool(device_, &pool, nullptr, &pool_), "pool");
    commands_ = begin_commands();
  }

  void run() {
    make_descriptors();
    if (job_.words.at("stage") == "compute") {
      compute();
    } else {
      draw(job_.words.at("stage") != "vertex");
    }
    for (auto& [image, made] : images_) {
      if (image->out != 0) made.out = copy_out(made.image, image->width, image->height, image->depth, image->layers, image->size);
    }
    barrier();
    submit(commands_);
    for (const auto& [buffer, made] : buffers_) {
      if (buffer->out != 0) print("vulkan", place(buffer->letter, buffer->reg, buffer->space), words_of(made.mapped, buffer->size));
    }
    for (const auto& [image, made] : images_) {
      if (image->out != 0) print("vulkan", place(image->letter, image->reg, image->space), words_of(made.out.mapped, image->size));
    }
    if (timed_ != nullptr) time();
    if (job_.words.at("stage") == "draw") return;
    for (std::size_t at = 0; at < targets_.size(); ++at) {
      print("vulkan", "target" + std::to_string(job_.targets[at].location), words_of(targets_[at].mapped, 16UL * job_.width * job_.height));
    }
    if (job_.xfb != 0) print("vulkan", "xfb", words_of(feedback_.mapped, std::size_t{job_.xfb} * job_.lanes));
  }

  /// Of a job of passes: makes what they need. Returns how long the shaders took to compile.
  Times make_passes() {
    make_descriptors();
    submit(commands_);
    const Times begun = Times::now();
    for (const std::string& path : job_.shaders) pipelines_.push_back(compute_pipeline(path, "main", 0));
    const Times compiled = Times::now().since(begun);
    const VkDescriptorSet swapped = swapped_set();
    timed_ = begin_commands();
    std::swap(timed_, commands_);
    for (const Pass& pass : job_.passes) {
      bind(VK_PIPELINE_BIND_POINT_COMPUTE, pipelines_[pass.shader]);
      if (pass.swapped) vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &swapped, 0, nullptr);
      if (!pass.push.empty())
        vkCmdPushConstants(commands_, layout_, VK_SHADER_STAGE_ALL, 0, static_cast<std::uint32_t>(4 * pass.push.size()), pass.push.data());
      vkCmdDispatch(commands_, pass.groups[0], pass.groups[1], pass.groups[2]);
      barrier();
    }
    std::swap(timed_, commands_);
    check(vkEndCommandBuffer(timed_), "end");
    return compiled;
  }
  /// Runs all passes with the buffers that the job gives.
  Times run_passes() {
    for (const auto& [buffer, made] : buffers_) std::memcpy(made.mapped, job_.blob.data() + buffer->at, buffer->size);
    return time_once();
  }
  /// What passes left in the buffers and images of the job, those after these.
  std::vector<Bytes> left() {
    commands_ = begin_commands();
    for (auto& [image, made] : images_)
      made.out = copy_out(made.image, image->width, image->height, image->depth, image->layers, image->size);
    barrier();
    submit(commands_);
    std::vector<Bytes> all;
    for (const auto& [buffer, made] : buffers_) all.emplace_back(made.mapped, made.mapped + buffer->size);
    for (const auto& [image, made] : images_) all.emplace_back(made.out.mapped, made.out.mapped + image->size);
    return all;
  }

  /// Lanes that it runs at once.
  unsigned subgroup() const {
    VkPhysicalDeviceSubgroupProperties of{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &of};
    vkGetPhysicalDeviceProperties2(physical_, &properties);
    return of.subgroupSize;
  }

  /// What a draw left in a target, in the order of Job::targets: its texels, of several samples as four floats each.
  const std::byte* target(std::size_t at) const { return targets_[at].mapped; }
  /// And in that of depth, of one sample.
  const std::byte* depth() const { return depth_.mapped; }
  /// Of each run.
  const std::vector<Times>& times() const { return times_; }

 private:
  struct Memory {
    VkBuffer buffer = nullptr;
    std::byte* mapped = nullptr;
  };
  struct Picture {
    VkImage image = nullptr;
    Memory out{};
  };

  VkCommandBuffer begin_commands() {
    VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool_, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    VkCommandBuffer made = nullptr;
    check(vkAllocateCommandBuffers(device_, &info, &made), "commands");
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkBeginCommandBuffer(made, &begin), "begin");
    return made;
  }
  // Ends and runs commands.
  void submit(VkCommandBuffer commands) {
    check(vkEndCommandBuffer(commands), "end");
    wait_for(commands);
  }
  void wait_for(VkCommandBuffer commands) {
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    check(vkQueueSubmit(queue_, 1, &info, nullptr), "submit");
    check(vkQueueWaitIdle(queue_), "wait");
  }

  VkDeviceMemory allocate(std::uint64_t size) {
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, size, 0};
    VkDeviceMemory memory = nullptr;
    check(vkAllocateMemory(device_, &info, nullptr, &memory), "memory");
    return memory;
  }

  Memory buffer(std::uint64_t size, const std::byte* from) {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = std::max<std::uint64_t>(size, 16);
    info.usage = 0x1ff | VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT;
    Memory made;
    check(vkCreateBuffer(device_, &info, nullptr, &made.buffer), "buffer");
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device_, made.buffer, &needs);
    const VkDeviceMemory memory = allocate(needs.size);
    check(vkBindBufferMemory(device_, made.buffer, memory, 0), "bind");
    void* mapped = nullptr;
    check(vkMapMemory(device_, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "map");
    made.mapped = static_cast<std::byte*>(mapped);
    std::memset(mapped, 0, needs.size);
    if (from != nullptr) std::memcpy(mapped, from, size);
    return made;
  }

  VkImage image(VkImageType type, VkFormat format, VkExtent3D extent, unsigned layers, unsigned levels, unsigned samples, bool cube,
                VkImageUsageFlags usage, VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT) {
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0U;
    info.imageType = type;
    info.format = format;
    info.extent = extent;
    info.mipLevels = levels;
    info.arrayLayers = layers;
    info.samples = static_cast<VkSampleCountFlagBits>(samples);
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.usage = usage;
    VkImage made = nullptr;
    check(vkCreateImage(device_, &info, nullptr, &made), "image");
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(device_, made, &needs);
    check(vkBindImageMemory(device_, made, allocate(needs.size), 0), "bind image");
    transition(made, aspect);
    return made;
  }

  void transition(VkImage image, VkImageAspectFlags aspect) {
    VkImageMemoryBarrier change{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    change.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    change.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    change.image = image;
    change.subresourceRange = {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
    vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                         &change);
  }

  void barrier() {
    VkMemoryBarrier all{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                        VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, nullptr, 0,
                         nullptr);
  }

  Memory copy_out(VkImage from, unsigned width, unsigned height, unsigned depth, unsigned layers, std::size_t size,
                  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT) {
    Memory made = buffer(size, nullptr);
    barrier();
    VkBufferImageCopy copy{0, 0, 0, {aspect, 0, 0, layers}, {}, {width, height, depth}};
    vkCmdCopyImageToBuffer(commands_, from, VK_IMAGE_LAYOUT_GENERAL, made.buffer, 1, &copy);
    return made;
  }

  VkImageView view(VkImage image, VkFormat format, unsigned kind, VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT) {
    VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    info.image = image;
    info.viewType = static_cast<VkImageViewType>(kind);
    info.format = format;
    info.subresourceRange = {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
    VkImageView made = nullptr;
    check(vkCreateImageView(device_, &info, nullptr, &made), "view");
    return made;
  }

  VkSampler sampler(const Sampler& from) {
    VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    info.minFilter = static_cast<VkFilter>(from.min);
    info.magFilter = static_cast<VkFilter>(from.mag);
    info.mipmapMode = static_cast<VkSamplerMipmapMode>(from.mip);
    static constexpr VkSamplerAddressMode kModes[] = {VK_SAMPLER_ADDRESS_MODE_REPEAT, VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
                                                      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                                      VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE};
    info.addressModeU = kModes[from.u];
    info.addressModeV = kModes[from.v];
    info.addressModeW = kModes[from.w];
    info.mipLodBias = from.bias;
    info.minLod = from.min_lod;
    info.maxLod = from.max_lod;
    info.maxAnisotropy = 1;
    info.compareEnable = from.comparison >= 0 ? VK_TRUE : VK_FALSE;
    info.compareOp = static_cast<VkCompareOp>(std::max(from.comparison, 0));
    info.borderColor = from.border == 0   ? VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK
                       : from.border == 1 ? VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK
                                          : VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
    VkSampler made = nullptr;
    check(vkCreateSampler(device_, &info, nullptr, &made), "sampler");
    return made;
  }

  VkDescriptorSet allocate_set(VkDescriptorSetLayout layout) {
    VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, descriptors_, 1, &layout};
    VkDescriptorSet made = nullptr;
    check(vkAllocateDescriptorSets(device_, &info, &made), "set");
    return made;
  }

  // Set 0 with storage buffers 0 and 1 in each other's place; null if there is something else.
  VkDescriptorSet swapped_set() {
    if (!images_.empty() || buffers_.size() != 2) return nullptr;
    VkDescriptorSet const made = allocate_set(layouts_[0]);
    for (const auto& [buffer, memory] : buffers_) {
      const VkDescriptorBufferInfo info{memory.buffer, 0, VK_WHOLE_SIZE};
      VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, made, 1 - buffer->binding, 0, 1,
                                 VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
      write.pBufferInfo = &info;
      vkUpdateDescriptorSets(device_, 1, &write, 0, nullptr);
    }
    return made;
  }

  void make_descriptors() {
    std::map<unsigned, std::vector<VkDescriptorSetLayoutBinding>> bindings;
    const auto add = [&](unsigned set, unsigned binding, VkDescriptorType type) {
      bindings[set].push_back({binding, type, 1, VK_SHADER_STAGE_ALL, nullptr});
    };
    const auto buffer_type = [](const std::string& kind) {
      return kind == "uniform"   ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
             : kind == "storage" ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
             : kind == "texel"   ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                 : VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    };
    const auto image_type = [](const std::string& kind) {
      return kind == "storage"    ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
             : kind == "combined" ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                                  : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    };
    const auto combined = [&](unsigned set, unsigned binding) {
      return std::ranges::any_of(job_.images, [&](const Image& i) { return i.set == set && i.binding == binding && i.kind == "combined"; });
    };
    for (const Buffer& b : job_.buffers) add(b.set, b.binding, buffer_type(b.kind));
    for (const Image& i : job_.images) add(i.set, i.binding, image_type(i.kind));
    for (const Sampler& s : job_.samplers) {
      if (!combined(s.set, s.binding)) add(s.set, s.binding, VK_DESCRIPTOR_TYPE_SAMPLER);
    }
    std::vector<VkDescriptorPoolSize> sizes;
    for (unsigned type = 0; type <= VK_DESCRIPTOR_TYPE_STORAGE_BUFFER; ++type) sizes.push_back({static_cast<VkDescriptorType>(type), 64});
    VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool.maxSets = 32;
    pool.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
    pool.pPoolSizes = sizes.data();
    check(vkCreateDescriptorPool(device_, &pool, nullptr, &descriptors_), "descriptor pool");
    const unsigned last = bindings.empty() ? 0 : bindings.rbegin()->first + 1;
    for (unsigned set = 0; set < last; ++set) {
      VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
      info.bindingCount = static_cast<std::uint32_t>(bindings[set].size());
      info.pBindings = bindings[set].data();
      VkDescriptorSetLayout layout = nullptr;
      check(vkCreateDescriptorSetLayout(device_, &info, nullptr, &layout), "set layout");
      layouts_.push_back(layout);
      sets_.push_back(allocate_set(layout));
    }
    const auto write = [&](unsigned set, unsigned binding, VkDescriptorType type, auto&& fill) {
      VkWriteDescriptorSet info{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, sets_[set], binding, 0, 1, type};
      fill(info);
      vkUpdateDescriptorSets(device_, 1, &info, 0, nullptr);
    };
    for (const Buffer& b : job_.buffers) {
      Memory made = buffer(b.size, job_.blob.data() + b.at);
      buffers_.emplace_back(&b, made);
      VkDescriptorBufferInfo info{made.buffer, 0, b.size};
      VkBufferView texels = nullptr;
      if (b.kind == "texel" || b.kind == "storage_texel") {
        VkBufferViewCreateInfo view_info{
            VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO, nullptr, 0, made.buffer, vk_format(b.format), 0, b.size};
        check(vkCreateBufferView(device_, &view_info, nullptr, &texels), "buffer view");
      }
      write(b.set, b.binding, buffer_type(b.kind),
            [&](VkWriteDescriptorSet& w) { texels != nullptr ? void(w.pTexelBufferView = &texels) : void(w.pBufferInfo = &info); });
    }
    std::map<std::pair<unsigned, unsigned>, VkSampler> samplers;
    for (const Sampler& s : job_.samplers) samplers[{s.set, s.binding}] = sampler(s);
    for (const Image& i : job_.images) {
      const auto kind = static_cast<unsigned>(std::ranges::find(kViews, i.view) - kViews);
      const VkImageType type = kind == 0 || kind == 4 ? VK_IMAGE_TYPE_1D : kind == 2 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
      const VkImage made =
          image(type, vk_format(i.format), {i.width, i.height, i.depth}, i.layers, i.levels, i.samples, kind == 3 || kind == 6,
                (i.kind == "storage" ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT) | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                    VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
      if (i.samples == 1) {
        const Memory staging = buffer(i.size, job_.blob.data() + i.at);
        const std::uint64_t texel = unshade::texel::find_format(i.format)->bytes();
        std::uint64_t at = 0;
        for (unsigned layer = 0; layer < i.layers; ++layer) {
          for (unsigned level = 0; level < i.levels; ++level) {
            const VkExtent3D extent{std::max(i.width >> level, 1U), std::max(i.height >> level, 1U), std::max(i.depth >> level, 1U)};
            VkBufferImageCopy copy{at, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, level, layer, 1}, {}, extent};
            vkCmdCopyBufferToImage(commands_, staging.buffer, made, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
            at += texel * extent.width * extent.height * extent.depth;
          }
        }
      }
      images_.emplace_back(&i, Picture{made, {}});
      const auto found = samplers.find({i.set, i.binding});
      VkDescriptorImageInfo info{found != samplers.end() ? found->second : nullptr, view(made, vk_format(i.format), kind),
                                 VK_IMAGE_LAYOUT_GENERAL};
      write(i.set, i.binding, image_type(i.kind), [&](VkWriteDescriptorSet& w) { w.pImageInfo = &info; });
    }
    for (const Sampler& s : job_.samplers) {
      if (combined(s.set, s.binding)) continue;
      VkDescriptorImageInfo info{samplers[{s.set, s.binding}], nullptr, VK_IMAGE_LAYOUT_UNDEFINED};
      write(s.set, s.binding, VK_DESCRIPTOR_TYPE_SAMPLER, [&](VkWriteDescriptorSet& w) { w.pImageInfo = &info; });
    }
    barrier();
    VkPushConstantRange range{VK_SHADER_STAGE_ALL, 0, static_cast<std::uint32_t>(job_.push_size)};
    VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout.setLayoutCount = static_cast<std::uint32_t>(layouts_.size());
    layout.pSetLayouts = layouts_.data();
    layout.pushConstantRangeCount = job_.push_size != 0 ? 1 : 0;
    layout.pPushConstantRanges = &range;
    check(vkCreatePipelineLayout(device_, &layout, nullptr, &layout_), "pipeline layout");
  }

  void bind(VkPipelineBindPoint point, VkPipeline pipeline) {
    vkCmdBindPipeline(commands_, point, pipeline);
    if (!sets_.empty())
      vkCmdBindDescriptorSets(commands_, point, layout_, 0, static_cast<std::uint32_t>(sets_.size()), sets_.data(), 0, nullptr);
    if (job_.push_size != 0) {
      vkCmdPushConstants(commands_, layout_, VK_SHADER_STAGE_ALL, 0, static_cast<std::uint32_t>(job_.push_size),
                         job_.blob.data() + job_.push_at);
    }
  }

  VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits which, const std::string& path, const char* entry) {
    const Bytes code = read(path);
    VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    info.codeSize = code.size();
    info.pCode = reinterpret_cast<const std::uint32_t*>(code.data());
    VkShaderModule made = nullptr;
    check(vkCreateShaderModule(device_, &info, nullptr, &made), "module");
    return {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, which, made, entry, nullptr};
  }

  VkPipeline compute_pipeline(const std::string& path, const char* entry, VkPipelineCreateFlags flags) {
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.flags = flags;
    info.stage = stage(VK_SHADER_STAGE_COMPUTE_BIT, path, entry);
    info.layout = layout_;
    VkPipeline made = nullptr;
    check(vkCreateComputePipelines(device_, nullptr, 1, &info, nullptr, &made), "pipeline");
    return made;
  }

  void compute() {
    const bool in_order = job_.words.contains("in_order");
    bind(VK_PIPELINE_BIND_POINT_COMPUTE,
         compute_pipeline(job_.words.at("vulkan"), job_.words.at("entry").c_str(), in_order ? VK_PIPELINE_CREATE_DISPATCH_BASE_BIT : 0));
    if (!in_order) return vkCmdDispatch(commands_, job_.groups[0], job_.groups[1], job_.groups[2]);
    for (unsigned z = 0; z < job_.groups[2]; ++z) {
      for (unsigned y = 0; y < job_.groups[1]; ++y) {
        for (unsigned x = 0; x < job_.groups[0]; ++x) {
          vkCmdDispatchBase(commands_, x, y, z, 1, 1, 1);
          barrier();
        }
      }
    }
  }

  void draw(bool fragment) {
    std::vector<VkPipelineShaderStageCreateInfo> stages;
    const bool whole = job_.words.at("stage") == "draw";
    const unsigned vertices = number(job_, "vertices", fragment ? 3 : job_.lanes);
    const char* entry = job_.words.at("entry").c_str();
    stages.push_back(fragment ? stage(VK_SHADER_STAGE_VERTEX_BIT, job_.words.at("vs"), whole ? job_.words.at("vs_entry").c_str() : "main")
                              : stage(VK_SHADER_STAGE_VERTEX_BIT, job_.words.at("vulkan"), entry));
    if (fragment) stages.push_back(stage(VK_SHADER_STAGE_FRAGMENT_BIT, job_.words.at("vulkan"), entry));
    std::vector<VkVertexInputBindingDescription> bindings;
    std::vector<VkVertexInputAttributeDescription> attributes;
    std::vector<VkBuffer> vertex_buffers;
    for (const Attribute& a : job_.attributes) {
      const auto at = static_cast<std::uint32_t>(bindings.size());
      bindings.push_back({at, 16, VK_VERTEX_INPUT_RATE_VERTEX});
      attributes.push_back({a.location, at, vk_format(a.format), 0});
      const Memory made = buffer(16UL * vertices, job_.blob.data() + a.at);
      vertex_buffers.push_back(made.buffer);
    }
    VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    input.vertexBindingDescriptionCount = static_cast<std::uint32_t>(bindings.size());
    input.pVertexBindingDescriptions = bindings.data();
    input.vertexAttributeDescriptionCount = static_cast<std::uint32_t>(attributes.size());
    input.pVertexAttributeDescriptions = attributes.data();
    VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    assembly.topology = whole      ? topology(job_.words.at("topology"))
                        : fragment ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
                                   : VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    const unsigned width = fragment ? job_.width : 4, height = fragment ? job_.height : 4;
    const unsigned sample_count = number(job_, "samples", 1);
    const auto ints = [](double value) { return static_cast<std::int32_t>(value); };
    const auto real = [](double value) { return static_cast<float>(value); };
    const auto of_view = numbers(job_, "viewport", {0, 0, static_cast<double>(width), static_cast<double>(height)});
    const auto of_scissor = numbers(job_, "scissor", {0, 0, static_cast<double>(width), static_cast<double>(height)});
    // a negative height: y points up in clip space, as in Direct3D
    const VkViewport area = whole ? VkViewport{real(of_view[0]), real(of_view[1] + of_view[3]), real(of_view[2]), real(-of_view[3]), 0, 1}
                                  : VkViewport{0, 0, static_cast<float>(width), static_cast<float>(height), 0, 1};
    const VkRect2D all{{0, 0}, {width, height}};
    const VkRect2D scissor{{ints(of_scissor[0]), ints(of_scissor[1])},
                           {static_cast<std::uint32_t>(of_scissor[2]), static_cast<std::uint32_t>(of_scissor[3])}};
    VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, nullptr, 0, 1, &area, 1, &scissor};
    VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    raster.rasterizerDiscardEnable = fragment ? VK_FALSE : VK_TRUE;
    raster.lineWidth = 1;
    raster.frontFace = VK_FRONT_FACE_CLOCKWISE;
    const auto bias = numbers(job_, "bias", {0, 0, 0});
    raster.depthBiasEnable = bias[0] != 0 || bias[1] != 0 ? VK_TRUE : VK_FALSE;
    raster.depthBiasConstantFactor = real(bias[0]);
    raster.depthBiasSlopeFactor = real(bias[1]);
    raster.depthBiasClamp = real(bias[2]);
    raster.depthClampEnable = job_.words.contains("unclipped") ? VK_TRUE : VK_FALSE;
    VkPipelineRasterizationLineStateCreateInfoEXT lines{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT};
    lines.lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT;
    if (whole) raster.pNext = &lines;
    VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    samples.rasterizationSamples = static_cast<VkSampleCountFlagBits>(sample_count);
    std::vector<VkPipelineColorBlendAttachmentState> blends;
    std::vector<VkFormat> formats;
    std::vector<VkRenderingAttachmentInfo> attachments;
    std::vector<VkImage> pictures;
    std::vector<VkImageView> views;
    const unsigned count = job_.targets.empty() ? 0 : job_.targets.back().location + 1;
    for (unsigned at = 0; at < count; ++at) {
      const auto found = std::ranges::find(job_.targets, at, &Target::location);
      blends.push_back({});
      formats.push_back(VK_FORMAT_UNDEFINED);
      attachments.push_back({VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO});
      if (found == job_.targets.end()) continue;
      blends.back().colorWriteMask = 15;
      const bool additive = job_.words.contains("additive");
      if (additive)
        blends.back() = {
            VK_TRUE, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD,
            15};
      formats.back() = vk_format(found->format);
      pictures.push_back(image(VK_IMAGE_TYPE_2D, formats.back(), {width, height, 1}, 1, 1, sample_count, false,
                               VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT));
      views.push_back(view(pictures.back(), formats.back(), VK_IMAGE_VIEW_TYPE_2D));
      attachments.back().imageView = views.back();
      attachments.back().imageLayout = VK_IMAGE_LAYOUT_GENERAL;
      attachments.back().loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      attachments.back().storeOp = VK_ATTACHMENT_STORE_OP_STORE;
      for (std::uint32_t& value : attachments.back().clearValue.color.uint32) value = additive ? 0 : 0x7fc0dead;
    }
    VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    blend.attachmentCount = count;
    blend.pAttachments = blends.data();
    VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    rendering.colorAttachmentCount = count;
    rendering.pColorAttachmentFormats = formats.data();
    VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    VkRenderingAttachmentInfo depth_attachment{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    VkImage depth_image = nullptr;
    if (job_.words.contains("depth")) {
      depth.depthTestEnable = depth.depthWriteEnable = VK_TRUE;
      depth.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
      rendering.depthAttachmentFormat = vk_format(job_.words.at("depth"));
      depth_image = image(VK_IMAGE_TYPE_2D, rendering.depthAttachmentFormat, {width, height, 1}, 1, 1, sample_count, false,
                          VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_IMAGE_ASPECT_DEPTH_BIT);
      depth_attachment.imageView = view(depth_image, rendering.depthAttachmentFormat, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_DEPTH_BIT);
      depth_attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
      depth_attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      depth_attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
      depth_attachment.clearValue.depthStencil.depth = 1;
    }
    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering};
    info.stageCount = static_cast<std::uint32_t>(stages.size());
    info.pStages = stages.data();
    info.pVertexInputState = &input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.layout = layout_;
    VkPipeline pipeline = nullptr;
    check(vkCreateGraphicsPipelines(device_, nullptr, 1, &info, nullptr, &pipeline), "pipeline");
    VkRenderingInfo begin{VK_STRUCTURE_TYPE_RENDERING_INFO};
    begin.renderArea = all;
    begin.layerCount = 1;
    begin.colorAttachmentCount = count;
    begin.pColorAttachments = attachments.data();
    if (depth_image != nullptr) begin.pDepthAttachment = &depth_attachment;
    if (job_.xfb != 0) feedback_ = buffer(std::uint64_t{job_.xfb} * job_.lanes, nullptr);
    const auto begin_draw = [&] {
      vkCmdBeginRendering(commands_, &begin);
      bind(VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      const VkDeviceSize zero = 0;
      for (std::uint32_t at = 0; at < vertex_buffers.size(); ++at) vkCmdBindVertexBuffers(commands_, at, 1, &vertex_buffers[at], &zero);
    };
    begin_draw();
    if (job_.xfb != 0) {
      const VkDeviceSize zero = 0, size = VkDeviceSize{job_.xfb} * job_.lanes;
      function<PFN_vkCmdBindTransformFeedbackBuffersEXT>("vkCmdBindTransformFeedbackBuffersEXT")(commands_, 0, 1, &feedback_.buffer, &zero,
                                                                                                 &size);
      function<PFN_vkCmdBeginTransformFeedbackEXT>("vkCmdBeginTransformFeedbackEXT")(commands_, 0, 0, nullptr, nullptr);
    }
    vkCmdDraw(commands_, vertices, 1, 0, 0);
    if (job_.xfb != 0) function<PFN_vkCmdEndTransformFeedbackEXT>("vkCmdEndTransformFeedbackEXT")(commands_, 0, 0, nullptr, nullptr);
    vkCmdEndRendering(commands_);
    for (std::size_t at = 0; at < pictures.size(); ++at) {
      targets_.push_back(sample_count == 1
                             ? copy_out(pictures[at], width, height, 1, 1,
                                        std::size_t{width} * height * unshade::texel::find_format(job_.targets[at].format)->bytes())
                             : samples_of(views[at], width, height, sample_count));
    }
    if (depth_image != nullptr && sample_count == 1)
      depth_ = copy_out(depth_image, width, height, 1, 1, 4UL * width * height, VK_IMAGE_ASPECT_DEPTH_BIT);
    if (!job_.words.contains("repeat")) return;
    timed_ = begin_commands();
    std::swap(timed_, commands_);
    begin_draw();
    vkCmdDraw(commands_, vertices, 1, 0, 0);
    vkCmdEndRendering(commands_);
    std::swap(timed_, commands_);
    check(vkEndCommandBuffer(timed_), "end");
  }

  static VkPrimitiveTopology topology(const std::string& name) {
    return name == "triangles"    ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
           : name == "strip"      ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP
           : name == "lines"      ? VK_PRIMITIVE_TOPOLOGY_LINE_LIST
           : name == "line_strip" ? VK_PRIMITIVE_TOPOLOGY_LINE_STRIP
                                  : VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  }

  // Copies of an image do not have its samples: a shader reads them.
  Memory samples_of(VkImageView from, unsigned width, unsigned height, unsigned samples) {
    Memory made = buffer(16UL * width * height * samples, nullptr);
    barrier();
    const VkDescriptorSetLayoutBinding bindings[] = {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, nullptr},
                                                     {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, nullptr}};
    VkDescriptorSetLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0, 2, bindings};
    VkDescriptorSetLayout set_layout = nullptr;
    check(vkCreateDescriptorSetLayout(device_, &layout_info, nullptr, &set_layout), "set layout");
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1}, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 2, sizes};
    VkDescriptorPool made_pool = nullptr;
    check(vkCreateDescriptorPool(device_, &pool, nullptr, &made_pool), "descriptor pool");
    VkDescriptorSetAllocateInfo allocate_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, made_pool, 1, &set_layout};
    VkDescriptorSet set = nullptr;
    check(vkAllocateDescriptorSets(device_, &allocate_info, &set), "set");
    Sampler plain{};
    plain.comparison = -1;
    const VkDescriptorImageInfo image_info{sampler(plain), from, VK_IMAGE_LAYOUT_GENERAL};
    const VkDescriptorBufferInfo buffer_info{made.buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet writes[] = {
        {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, 0, 0, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, &image_info},
        {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, 1, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, nullptr, &buffer_info}};
    vkUpdateDescriptorSets(device_, 2, writes, 0, nullptr);
    VkPipelineLayoutCreateInfo pipeline_layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1, &set_layout};
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage = stage(VK_SHADER_STAGE_COMPUTE_BIT, job_.words.at("readback"), "main");
    check(vkCreatePipelineLayout(device_, &pipeline_layout, nullptr, &info.layout), "pipeline layout");
    VkPipeline pipeline = nullptr;
    check(vkCreateComputePipelines(device_, nullptr, 1, &info, nullptr, &pipeline), "pipeline");
    vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, info.layout, 0, 1, &set, 0, nullptr);
    vkCmdDispatch(commands_, width, height, 1);
    return made;
  }

  Times time_once() {
    const Times begun = Times::now();
    wait_for(timed_);
    return Times::now().since(begun);
  }
  void time() {
    for (unsigned run = 0; run < number(job_, "repeat", 1); ++run) times_.push_back(time_once());
  }

  template <class F>
  F function(const char* name) {
    return reinterpret_cast<F>(vkGetDeviceProcAddr(device_, name));
  }

  const Job& job_;
  VkInstance instance_ = nullptr;
  VkPhysicalDevice physical_ = nullptr;
  VkDevice device_ = nullptr;
  VkQueue queue_ = nullptr;
  VkCommandPool pool_ = nullptr;
  VkCommandBuffer commands_ = nullptr;
  std::vector<VkDescriptorSetLayout> layouts_;
  std::vector<VkDescriptorSet> sets_;
  VkPipelineLayout layout_ = nullptr;
  std::vector<std::pair<const Buffer*, Memory>> buffers_;
  std::vector<std::pair<const Image*, Picture>> images_;
  std::vector<Memory> targets_;
  Memory feedback_, depth_;
  VkDescriptorPool descriptors_ = nullptr;
  std::vector<VkPipeline> pipelines_;  ///< of passes
  VkCommandBuffer timed_ = nullptr;    ///< the draw or the passes alone
  std::vector<Times> times_;
};

}  // namespace compare
