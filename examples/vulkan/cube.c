/* cube VERTEX PIXEL PICTURE.ppm: draws with two shaders of Direct3D 11 by Vulkan, which gets them as SPIR-V.
 *
 * The shaders are examples/scenes/lit.vs.asm and lit.ps.asm, assembled; the picture is that of `unshade draw examples/scenes/cube.toml`.
 * Exit status: 0, 1 for an error, 77 if there is no device of Vulkan 1.3.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unshade/unshade.h>
#include <vulkan/vulkan.h>

enum { SIZE = 128, VERTICES = 36 };

/* ---- errors ---- */

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}
static void check(VkResult result, const char *what) {
  char number[32];
  snprintf(number, sizeof number, "VkResult %d", (int)result);
  if (result != VK_SUCCESS) fail(what, number);
}

/* ---- shaders ---- */

/* The stages of a pipeline share descriptor sets in Vulkan, while in Direct3D each has registers of its own: b0 of the pixel shader is another
 * buffer than b0 of the vertex shader. So their registers begin at other bindings. */
enum { VERTEX_CONSTANTS = 0, PIXEL_CONSTANTS = 16 };

static VkShaderModule shader_of(VkDevice device, const char *path, unsigned constants, int is_flushing) {
  FILE *const file = fopen(path, "rb");
  static unsigned char bytes[1 << 20];
  const size_t size = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
  unshade_shader *shader = NULL;
  unshade_blob *module = NULL;
  unshade_error *error = NULL;
  char shifts[16];
  VkShaderModule made = VK_NULL_HANDLE;
  if (file == NULL) fail(path, "cannot be read");
  fclose(file);
  snprintf(shifts, sizeof shifts, "b=%u", constants);
  /* in Direct3D denormals are flushed to zero, which not every device can do */
  const unshade_translate_options options = {.struct_size = sizeof options, .shifts = shifts, .native = !is_flushing};
  if (unshade_open(bytes, size, &shader, &error) != UNSHADE_OK || unshade_translate(shader, &options, &module, NULL, &error) != UNSHADE_OK)
    fail(path, unshade_error_message(error));
  const VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, unshade_blob_size(module),
                                         (const uint32_t *)unshade_blob_data(module)};
  check(vkCreateShaderModule(device, &info, NULL, &made), path);
  unshade_blob_free(module);
  unshade_shader_free(shader);
  return made;
}

/* ---- what is drawn ---- */

typedef struct {
  float position[3], normal[3], texcoord[2];
} vertex; /* as the input signature has it: POSITION, NORMAL, TEXCOORD in v0, v1, v2, which are the locations 0, 1, 2 */

static void cube(vertex *to) {
  static const int corners[6][2] = {{-1, -1}, {-1, 1}, {1, 1}, {-1, -1}, {1, 1}, {1, -1}};
  for (int face = 0; face < 6; ++face) {
    for (int corner = 0; corner < 6; ++corner, ++to) {
      const int axis = face / 2, side = face % 2 == 0 ? -1 : 1;
      memset(to, 0, sizeof *to);
      to->normal[axis] = to->position[axis] = (float)side;
      to->position[(axis + 1) % 3] = (float)corners[corner][0];
      to->position[(axis + 2) % 3] = (float)corners[corner][1];
    }
  }
}

typedef struct {
  double of[4][4]; /* rows; a vector stands on the left */
} matrix;

static matrix product(matrix a, matrix b) {
  matrix made;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column) {
      made.of[row][column] = 0;
      for (int k = 0; k < 4; ++k) made.of[row][column] += a.of[row][k] * b.of[k][column];
    }
  return made;
}
/* HLSL has matrices in columns. */
static void store(matrix from, float to[4][4]) {
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column) to[column][row] = (float)from.of[row][column];
}

/* The constant buffers, as `unshade reflect` lists their members. */
typedef struct {
  float world_view_projection[4][4], world[4][4];
} frame;
typedef struct {
  float direction[3], ambient, color[4];
} light;

static frame frame_of_scene(void) {
  const double radians = 3.14159265358979323846 / 180, turn = 35 * radians, distance = sqrt(2.2 * 2.2 + 4 * 4);
  const double forward_y = -2.2 / distance, forward_z = 4 / distance; /* from (0, 2.2, -4) to the origin */
  const double y = 1 / tan(45 * radians / 2), near = 1, far = 10;
  const matrix world = {{{cos(turn), 0, -sin(turn), 0}, {0, 1, 0, 0}, {sin(turn), 0, cos(turn), 0}, {0, 0, 0, 1}}};
  const matrix look = {{{1, 0, 0, 0}, {0, forward_z, forward_y, 0}, {0, -forward_y, forward_z, 0}, {0, 0, distance, 1}}};
  const matrix perspective = {{{y, 0, 0, 0}, {0, y, 0, 0}, {0, 0, far / (far - near), 1}, {0, 0, -near * far / (far - near), 0}}};
  frame made;
  store(product(product(world, look), perspective), made.world_view_projection);
  store(world, made.world);
  return made;
}

/* ---- Vulkan ---- */

typedef struct {
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  int is_flushing;
} gpu;

static gpu find_gpu(void) {
  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
  const float priority = 1;
  VkInstance instance;
  VkPhysicalDevice found[16];
  uint32_t count = 16;
  gpu made = {0};
  if (vkCreateInstance(&info, NULL, &instance) != VK_SUCCESS || vkEnumeratePhysicalDevices(instance, &count, found) < 0) count = 0;
  for (uint32_t k = 0; k < count && made.physical == NULL; ++k) {
    VkPhysicalDeviceVulkan12Properties floats = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &floats};
    vkGetPhysicalDeviceProperties2(found[k], &properties);
    if (properties.properties.apiVersion < VK_API_VERSION_1_3) continue;
    made.physical = found[k];
    made.is_flushing = floats.shaderDenormFlushToZeroFloat32 == VK_TRUE;
  }
  if (made.physical == NULL) {
    fprintf(stderr, "skipped: no device of Vulkan 1.3\n");
    exit(77);
  }
  /* the first family can draw, or the device has no graphics */
  const VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, 0, 1, &priority};
  const VkPhysicalDeviceVulkan13Features features = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .synchronization2 = VK_TRUE, .dynamicRendering = VK_TRUE};
  /* the names of semantics, which unshade keeps */
  const char *const extensions[] = {"VK_GOOGLE_hlsl_functionality1"};
  const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = extensions};
  check(vkCreateDevice(made.physical, &device, NULL, &made.device), "vkCreateDevice");
  vkGetDeviceQueue(made.device, 0, 0, &made.queue);
  return made;
}

static VkDeviceMemory allocate(const gpu *gpu, VkMemoryRequirements needs, VkMemoryPropertyFlags wanted) {
  VkPhysicalDeviceMemoryProperties memory;
  VkDeviceMemory made;
  uint32_t type = 0;
  vkGetPhysicalDeviceMemoryProperties(gpu->physical, &memory);
  while (type < memory.memoryTypeCount &&
         ((needs.memoryTypeBits >> type & 1) == 0 || (memory.memoryTypes[type].propertyFlags & wanted) != wanted))
    ++type;
  if (type == memory.memoryTypeCount) fail("memory", "the device has none of the kind that is needed");
  const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, needs.size, type};
  check(vkAllocateMemory(gpu->device, &info, NULL, &made), "vkAllocateMemory");
  return made;
}

/* A buffer that the program sees too: with `bytes`, or empty. */
static VkBuffer buffer_of(const gpu *gpu, VkBufferUsageFlags usage, size_t size, const void *bytes, void **mapped) {
  const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
  VkMemoryRequirements needs;
  VkBuffer made;
  void *memory;
  check(vkCreateBuffer(gpu->device, &info, NULL, &made), "vkCreateBuffer");
  vkGetBufferMemoryRequirements(gpu->device, made, &needs);
  const VkDeviceMemory own = allocate(gpu, needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  check(vkBindBufferMemory(gpu->device, made, own, 0), "vkBindBufferMemory");
  check(vkMapMemory(gpu->device, own, 0, VK_WHOLE_SIZE, 0, &memory), "vkMapMemory");
  if (bytes != NULL) memcpy(memory, bytes, size);
  if (mapped != NULL) *mapped = memory;
  return made;
}

static VkImageView image_of(const gpu *gpu, VkFormat format, VkImageUsageFlags usage, VkImageAspectFlags aspect, VkImage *image) {
  const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                  .imageType = VK_IMAGE_TYPE_2D,
                                  .format = format,
                                  .extent = {SIZE, SIZE, 1},
                                  .mipLevels = 1,
                                  .arrayLayers = 1,
                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                  .usage = usage};
  VkMemoryRequirements needs;
  VkImageView made;
  check(vkCreateImage(gpu->device, &info, NULL, image), "vkCreateImage");
  vkGetImageMemoryRequirements(gpu->device, *image, &needs);
  check(vkBindImageMemory(gpu->device, *image, allocate(gpu, needs, 0), 0), "vkBindImageMemory");
  const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                      .image = *image,
                                      .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                      .format = format,
                                      .subresourceRange = {aspect, 0, 1, 0, 1}};
  check(vkCreateImageView(gpu->device, &view, NULL, &made), "vkCreateImageView");
  return made;
}

static VkDescriptorSet descriptors(const gpu *gpu, VkBuffer of_vertex, VkBuffer of_pixel, VkDescriptorSetLayout *layout) {
  const VkDescriptorSetLayoutBinding bindings[] = {
      {VERTEX_CONSTANTS, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
      {PIXEL_CONSTANTS, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
  };
  const VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 2, bindings};
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2};
  const VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 1, &size};
  VkDescriptorPool pool;
  VkDescriptorSet made;
  check(vkCreateDescriptorSetLayout(gpu->device, &info, NULL, layout), "vkCreateDescriptorSetLayout");
  check(vkCreateDescriptorPool(gpu->device, &pool_info, NULL, &pool), "vkCreateDescriptorPool");
  const VkDescriptorSetAllocateInfo allocation = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, pool, 1, layout};
  check(vkAllocateDescriptorSets(gpu->device, &allocation, &made), "vkAllocateDescriptorSets");
  const VkDescriptorBufferInfo buffers[] = {{of_vertex, 0, VK_WHOLE_SIZE}, {of_pixel, 0, VK_WHOLE_SIZE}};
  for (int k = 0; k < 2; ++k) {
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = made,
                                        .dstBinding = bindings[k].binding,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                        .pBufferInfo = &buffers[k]};
    vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
  }
  return made;
}

static VkPipeline pipeline_of(const gpu *gpu, VkShaderModule of_vertex, VkShaderModule of_pixel, VkPipelineLayout layout) {
  const VkPipelineShaderStageCreateInfo stages[] = {
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0, VK_SHADER_STAGE_VERTEX_BIT, of_vertex, "main", NULL},
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0, VK_SHADER_STAGE_FRAGMENT_BIT, of_pixel, "main", NULL},
  };
  const VkVertexInputBindingDescription binding = {0, sizeof(vertex), VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attributes[] = {
      {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(vertex, position)},
      {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(vertex, normal)},
      {2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(vertex, texcoord)},
  };
  const VkPipelineVertexInputStateCreateInfo input = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, NULL, 0, 1, &binding, 3, attributes};
  const VkPipelineInputAssemblyStateCreateInfo assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                           .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  /* y points up in the clip space of Direct3D: the viewport begins below, and has a negative height */
  const VkViewport viewport = {0, SIZE, SIZE, -SIZE, 0, 1};
  const VkRect2D scissor = {{0, 0}, {SIZE, SIZE}};
  const VkPipelineViewportStateCreateInfo view = {
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, NULL, 0, 1, &viewport, 1, &scissor};
  const VkPipelineRasterizationStateCreateInfo raster = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                         .lineWidth = 1};
  const VkPipelineMultisampleStateCreateInfo samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkPipelineDepthStencilStateCreateInfo depth = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                       .depthTestEnable = VK_TRUE,
                                                       .depthWriteEnable = VK_TRUE,
                                                       .depthCompareOp = VK_COMPARE_OP_LESS};
  const VkPipelineColorBlendAttachmentState writes_all = {.colorWriteMask = 0xf};
  const VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1, .pAttachments = &writes_all};
  const VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
  const VkPipelineRenderingCreateInfo targets = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                 .colorAttachmentCount = 1,
                                                 .pColorAttachmentFormats = &format,
                                                 .depthAttachmentFormat = VK_FORMAT_D32_SFLOAT};
  const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                             .pNext = &targets,
                                             .stageCount = 2,
                                             .pStages = stages,
                                             .pVertexInputState = &input,
                                             .pInputAssemblyState = &assembly,
                                             .pViewportState = &view,
                                             .pRasterizationState = &raster,
                                             .pMultisampleState = &samples,
                                             .pDepthStencilState = &depth,
                                             .pColorBlendState = &blend,
                                             .layout = layout};
  VkPipeline made;
  check(vkCreateGraphicsPipelines(gpu->device, VK_NULL_HANDLE, 1, &info, NULL, &made), "vkCreateGraphicsPipelines");
  return made;
}

static void change_layout(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect, VkImageLayout from, VkImageLayout to) {
  const VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                         .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                         .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
                                         .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                         .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
                                         .oldLayout = from,
                                         .newLayout = to,
                                         .image = image,
                                         .subresourceRange = {aspect, 0, 1, 0, 1}};
  const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
  vkCmdPipelineBarrier2(commands, &info);
}

static void write_picture(const char *path, const unsigned char *pixels) {
  FILE *const file = fopen(path, "wb");
  if (file == NULL) fail(path, "cannot be written");
  fprintf(file, "P6\n%d %d\n255\n", SIZE, SIZE);
  for (int k = 0; k < SIZE * SIZE; ++k) fwrite(pixels + 4 * k, 1, 3, file);
  if (fclose(file) != 0) fail(path, "cannot be written");
}

int main(int count, char **arguments) {
  if (count != 4) fail("usage", "cube VERTEX PIXEL PICTURE.ppm");
  const gpu gpu = find_gpu();
  const VkShaderModule of_vertex = shader_of(gpu.device, arguments[1], VERTEX_CONSTANTS, gpu.is_flushing);
  const VkShaderModule of_pixel = shader_of(gpu.device, arguments[2], PIXEL_CONSTANTS, gpu.is_flushing);

  vertex vertices[VERTICES];
  void *pixels;
  const frame frame = frame_of_scene();
  const light light = {{-0.45F, -0.8F, 0.4F}, 0.1F, {1, 0.35F, 0.1F, 1}};
  cube(vertices);
  const VkBuffer mesh = buffer_of(&gpu, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, sizeof vertices, vertices, NULL);
  const VkBuffer frames = buffer_of(&gpu, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, sizeof frame, &frame, NULL);
  const VkBuffer lights = buffer_of(&gpu, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, sizeof light, &light, NULL);
  const VkBuffer copy = buffer_of(&gpu, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 4 * SIZE * SIZE, NULL, &pixels);

  VkImage color, depth;
  const VkImageView color_view = image_of(&gpu, VK_FORMAT_R8G8B8A8_SRGB, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                          VK_IMAGE_ASPECT_COLOR_BIT, &color);
  const VkImageView depth_view =
      image_of(&gpu, VK_FORMAT_D32_SFLOAT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_IMAGE_ASPECT_DEPTH_BIT, &depth);

  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  const VkDescriptorSet set = descriptors(&gpu, frames, lights, &set_layout);
  const VkPipelineLayoutCreateInfo layout_info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout};
  check(vkCreatePipelineLayout(gpu.device, &layout_info, NULL, &layout), "vkCreatePipelineLayout");
  const VkPipeline pipeline = pipeline_of(&gpu, of_vertex, of_pixel, layout);

  VkCommandPool pool;
  VkCommandBuffer commands;
  const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  check(vkCreateCommandPool(gpu.device, &pool_info, NULL, &pool), "vkCreateCommandPool");
  const VkCommandBufferAllocateInfo allocation = {
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  check(vkAllocateCommandBuffers(gpu.device, &allocation, &commands), "vkAllocateCommandBuffers");
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  change_layout(commands, color, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
  change_layout(commands, depth, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
  const VkRenderingAttachmentInfo color_target = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                  .imageView = color_view,
                                                  .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                  .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                  .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                  .clearValue = {.color = {{0.01F, 0.01F, 0.02F, 1}}}};
  const VkRenderingAttachmentInfo depth_target = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                  .imageView = depth_view,
                                                  .imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                                                  .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                  .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                                  .clearValue = {.depthStencil = {1, 0}}};
  const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                     .renderArea = {{0, 0}, {SIZE, SIZE}},
                                     .layerCount = 1,
                                     .colorAttachmentCount = 1,
                                     .pColorAttachments = &color_target,
                                     .pDepthAttachment = &depth_target};
  const VkDeviceSize start = 0;
  vkCmdBeginRendering(commands, &rendering);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
  vkCmdBindVertexBuffers(commands, 0, 1, &mesh, &start);
  vkCmdDraw(commands, VERTICES, 1, 0, 0);
  vkCmdEndRendering(commands);
  change_layout(commands, color, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
  vkCmdCopyImageToBuffer(commands, color, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, copy, 1, &region);
  check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  check(vkQueueSubmit(gpu.queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  check(vkQueueWaitIdle(gpu.queue), "vkQueueWaitIdle");
  write_picture(arguments[3], pixels);
  return 0;
}
