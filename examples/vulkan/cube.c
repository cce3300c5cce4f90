/* cube VERTEX PIXEL PICTURE.ppm: draws with two shaders of Direct3D 11 by Vulkan, which gets them as SPIR-V.
 *
 * The shaders are tests/data/dxbc/lit_vs_5_0.dxbc and examples/scenes/letter.ps.asm, assembled; the picture is that of
 * `unshade draw examples/scenes/letter.toml`. Exit status: 0, 1 for an error, 77 if there is no device that can do it.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unshade/unshade.h>
#include <vulkan/vulkan.h>

enum { SIZE = 128, LETTER_SIZE = 8, VERTICES = 36, MOST_RESOURCES = 8 };

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

typedef struct {
  VkShaderModule module;
  unshade_reflection *reflection; /* of the SPIR-V: where it has its inputs and resources */
  VkShaderStageFlagBits stage;
} shader;

static void check_shader(unshade_code code, const char *path, unshade_error *const *error) {
  if (code == UNSHADE_OK) return;
  fprintf(stderr, "%s: error[%s]: %s: %s\n", path, unshade_code_name(code), unshade_error_path(*error), unshade_error_message(*error));
  exit(1);
}

/* The stages of a pipeline share descriptor sets in Vulkan, while in Direct3D each has registers of its own: b0 of the pixel shader is
 * another buffer than b0 of the vertex shader. So `shifts` makes the registers of one begin at other bindings. */
static shader shader_of(VkDevice device, const char *path, VkShaderStageFlagBits stage, const char *shifts, int is_flushing) {
  static unsigned char bytes[1 << 20];
  FILE *const file = fopen(path, "rb");
  const size_t size = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
  shader made = {.stage = stage};
  unshade_shader *source = NULL, *translated = NULL;
  unshade_blob *module = NULL;
  unshade_error *error = NULL;
  if (file == NULL) fail(path, "cannot be read");
  fclose(file);
  check_shader(unshade_open(bytes, size, &source, &error), path, &error);
  /* in Direct3D denormals are flushed to zero, which not every device can do */
  const unshade_translate_options options = {.struct_size = sizeof options, .shifts = shifts, .native = !is_flushing};
  check_shader(unshade_translate(source, &options, &module, NULL, &error), path, &error);
  check_shader(unshade_open(unshade_blob_data(module), unshade_blob_size(module), &translated, &error), path, &error);
  check_shader(unshade_reflect(translated, &made.reflection, &error), path, &error);
  const VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, unshade_blob_size(module),
                                         (const uint32_t *)unshade_blob_data(module)};
  check(vkCreateShaderModule(device, &info, NULL, &made.module), path);
  unshade_shader_free(translated);
  unshade_blob_free(module);
  unshade_shader_free(source);
  return made;
}

/* Where an input is, by its semantic: "TEXCOORD0". */
static uint32_t location_of(const shader *shader, const char *semantic) {
  unshade_element element = {.struct_size = sizeof element};
  for (uint32_t k = 0; unshade_element_at(shader->reflection, 0, UNSHADE_INPUTS, k, &element) == UNSHADE_OK; ++k) {
    if (strcmp(element.semantic, semantic) == 0) return element.register_index;
  }
  fail(semantic, "the vertex shader has no such input");
  return 0;
}

/* ---- what is drawn ---- */

static const char letter[LETTER_SIZE * LETTER_SIZE + 1] =
    "        "
    "  ####  "
    "  #     "
    "  #     "
    "  ###   "
    "  #     "
    "  #     "
    "        ";

typedef struct {
  float position[3], normal[3], texcoord[2], color[4];
} vertex;

/* Squares around the origin, clockwise from outside. */
static void cube(vertex *to) {
  static const float faces[6][3][3] = {/* normal, to the right, up */
                                       {{0, 0, -1}, {1, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
                                       {{0, 0, 1}, {-1, 0, 0}, {0, 1, 0}}, {{-1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
                                       {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},  {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}}};
  static const float corners[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
  for (int face = 0; face < 6; ++face) {
    for (int corner = 0; corner < 6; ++corner, ++to) {
      const float u = corners[corner][0], v = corners[corner][1];
      *to = (vertex){.texcoord = {u, v}, .color = {1, 1, 1, 1}};
      for (int k = 0; k < 3; ++k) {
        to->normal[k] = faces[face][0][k];
        to->position[k] = faces[face][0][k] + faces[face][1][k] * (2 * u - 1) + faces[face][2][k] * (1 - 2 * v);
      }
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
/* As the shader has it: mul(matrix, vector) wants it transposed, and HLSL keeps matrices column by column: the same 16 numbers. */
static void store(matrix from, float to[4][4]) {
  for (int k = 0; k < 16; ++k) to[k / 4][k % 4] = (float)from.of[k / 4][k % 4];
}

/* The constant buffers, as `unshade reflect` lists their members. */
typedef struct {
  float view_projection[4][4], world[4][4];
  float eye[3], time;
  float lights[4][4];
  int32_t light_count, padding[3];
} frame;
typedef struct {
  float paper[4], ink[4];
} material;

static frame frame_of_scene(void) {
  const double radians = 3.14159265358979323846 / 180, turn = 35 * radians, distance = sqrt(2.2 * 2.2 + 4 * 4);
  const double forward_y = -2.2 / distance, forward_z = 4 / distance; /* from (0, 2.2, -4) to the origin */
  const double y = 1 / tan(45 * radians / 2), near = 1, far = 10;
  const matrix world = {{{cos(turn), 0, -sin(turn), 0}, {0, 1, 0, 0}, {sin(turn), 0, cos(turn), 0}, {0, 0, 0, 1}}};
  const matrix look = {{{1, 0, 0, 0}, {0, forward_z, forward_y, 0}, {0, -forward_y, forward_z, 0}, {0, 0, distance, 1}}};
  const matrix perspective = {{{y, 0, 0, 0}, {0, y, 0, 0}, {0, 0, far / (far - near), 1}, {0, 0, -near * far / (far - near), 0}}};
  frame made = {.eye = {0, 2.2F, -4}, .lights = {{0.4F, 0.8F, -0.45F, 0.7F}, {-0.9F, 0.1F, -0.4F, 0.2F}}, .light_count = 2};
  store(product(look, perspective), made.view_projection);
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

/* The names of semantics, which unshade keeps, are of this extension. Drivers of desktops have it. */
static const char *const names_of_semantics = "VK_GOOGLE_hlsl_functionality1";

static int can_draw(VkPhysicalDevice device) {
  VkPhysicalDeviceProperties properties;
  static VkExtensionProperties extensions[512];
  VkQueueFamilyProperties family; /* the first one, which is used: it can draw on all common devices */
  uint32_t count = 512, one = 1;
  vkGetPhysicalDeviceProperties(device, &properties);
  vkGetPhysicalDeviceQueueFamilyProperties(device, &one, &family);
  if (properties.apiVersion < VK_API_VERSION_1_3 || one == 0 || (family.queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0) return 0;
  if (vkEnumerateDeviceExtensionProperties(device, NULL, &count, extensions) < 0) return 0;
  while (count > 0 && strcmp(extensions[count - 1].extensionName, names_of_semantics) != 0) --count;
  return count > 0;
}

static gpu find_gpu(void) {
  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
  const float priority = 1;
  VkInstance instance;
  VkPhysicalDevice found[16];
  uint32_t count = 16, at = 0;
  gpu made = {0};
  if (vkCreateInstance(&info, NULL, &instance) != VK_SUCCESS || vkEnumeratePhysicalDevices(instance, &count, found) < 0) count = 0;
  while (at < count && !can_draw(found[at])) ++at;
  if (at == count) {
    fprintf(stderr, "skipped: no device of Vulkan 1.3 with %s\n", names_of_semantics);
    exit(77);
  }
  made.physical = found[at];
  VkPhysicalDeviceVulkan12Properties floats = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &floats};
  vkGetPhysicalDeviceProperties2(made.physical, &properties);
  made.is_flushing = floats.shaderDenormFlushToZeroFloat32 == VK_TRUE;
  printf("device: %s\n", properties.properties.deviceName);
  const VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, 0, 1, &priority};
  const VkPhysicalDeviceVulkan13Features features = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .synchronization2 = VK_TRUE, .dynamicRendering = VK_TRUE};
  const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = &names_of_semantics};
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

static VkImageView image_of(const gpu *gpu, uint32_t size, VkFormat format, VkImageUsageFlags usage, VkImageAspectFlags aspect,
                            VkImage *image) {
  const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                  .imageType = VK_IMAGE_TYPE_2D,
                                  .format = format,
                                  .extent = {size, size, 1},
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

static VkSampler sampler_of(const gpu *gpu) {
  const VkSamplerCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .magFilter = VK_FILTER_LINEAR, .minFilter = VK_FILTER_LINEAR};
  VkSampler made;
  check(vkCreateSampler(gpu->device, &info, NULL, &made), "vkCreateSampler");
  return made;
}

/* What a shader finds by the name that its source has for it. */
typedef struct {
  const char *name;
  VkDescriptorType type;
  VkDescriptorBufferInfo buffer;
  VkDescriptorImageInfo image;
} resource;

/* One set with the resources of all shaders, each at the binding that its module has. */
static VkDescriptorSet descriptors(const gpu *gpu, const shader *shaders, const resource *given, uint32_t given_count,
                                   VkDescriptorSetLayout *layout) {
  VkDescriptorSetLayoutBinding bindings[MOST_RESOURCES];
  VkWriteDescriptorSet writes[MOST_RESOURCES];
  VkDescriptorPoolSize sizes[MOST_RESOURCES];
  VkDescriptorSet made;
  uint32_t count = 0;
  for (const shader *shader = shaders; shader < shaders + 2; ++shader) {
    unshade_resource wanted = {.struct_size = sizeof wanted};
    for (uint32_t k = 0; unshade_resource_at(shader->reflection, k, &wanted) == UNSHADE_OK; ++k, ++count) {
      uint32_t at = 0;
      while (at < given_count && strcmp(given[at].name, wanted.name) != 0) ++at;
      if (at == given_count || count == MOST_RESOURCES || wanted.space != 0)
        fail(wanted.name, "a resource that this program does not have");
      bindings[count] = (VkDescriptorSetLayoutBinding){wanted.bind_point, given[at].type, 1, shader->stage, NULL};
      sizes[count] = (VkDescriptorPoolSize){given[at].type, 1};
      writes[count] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                             .dstBinding = wanted.bind_point,
                                             .descriptorCount = 1,
                                             .descriptorType = given[at].type,
                                             .pImageInfo = &given[at].image,
                                             .pBufferInfo = &given[at].buffer};
      printf("%s: binding %u\n", wanted.name, wanted.bind_point);
    }
  }
  const VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, count, bindings};
  const VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, count, sizes};
  VkDescriptorPool pool;
  check(vkCreateDescriptorSetLayout(gpu->device, &info, NULL, layout), "vkCreateDescriptorSetLayout");
  check(vkCreateDescriptorPool(gpu->device, &pool_info, NULL, &pool), "vkCreateDescriptorPool");
  const VkDescriptorSetAllocateInfo allocation = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, pool, 1, layout};
  check(vkAllocateDescriptorSets(gpu->device, &allocation, &made), "vkAllocateDescriptorSets");
  for (uint32_t k = 0; k < count; ++k) writes[k].dstSet = made;
  vkUpdateDescriptorSets(gpu->device, count, writes, 0, NULL);
  return made;
}

static VkPipeline pipeline_of(const gpu *gpu, const shader *shaders, VkPipelineLayout layout) {
  const VkPipelineShaderStageCreateInfo stages[] = {
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0, shaders[0].stage, shaders[0].module, "main", NULL},
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0, shaders[1].stage, shaders[1].module, "main", NULL},
  };
  const VkVertexInputBindingDescription binding = {0, sizeof(vertex), VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attributes[] = {
      {location_of(&shaders[0], "POSITION0"), 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(vertex, position)},
      {location_of(&shaders[0], "NORMAL0"), 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(vertex, normal)},
      {location_of(&shaders[0], "TEXCOORD0"), 0, VK_FORMAT_R32G32_SFLOAT, offsetof(vertex, texcoord)},
      {location_of(&shaders[0], "COLOR0"), 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(vertex, color)},
  };
  const VkPipelineVertexInputStateCreateInfo input = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, NULL, 0, 1, &binding, 4, attributes};
  const VkPipelineInputAssemblyStateCreateInfo assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                           .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  /* y points up in the clip space of Direct3D: the viewport begins below, and has a negative height */
  const VkViewport viewport = {0, SIZE, SIZE, -SIZE, 0, 1};
  const VkRect2D scissor = {{0, 0}, {SIZE, SIZE}};
  const VkPipelineViewportStateCreateInfo view = {
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, NULL, 0, 1, &viewport, 1, &scissor};
  const VkPipelineRasterizationStateCreateInfo raster = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                         .cullMode = VK_CULL_MODE_BACK_BIT,
                                                         .frontFace = VK_FRONT_FACE_CLOCKWISE, /* as Direct3D does by default */
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
  const VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
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
  const shader shaders[] = {
      shader_of(gpu.device, arguments[1], VK_SHADER_STAGE_VERTEX_BIT, NULL, gpu.is_flushing), /* t0 at 0, s0 at 128, b0 at 256 */
      shader_of(gpu.device, arguments[2], VK_SHADER_STAGE_FRAGMENT_BIT, "t=16,s=144,b=272", gpu.is_flushing),
  };

  vertex vertices[VERTICES];
  unsigned char texels[LETTER_SIZE * LETTER_SIZE];
  void *pixels;
  const frame frame = frame_of_scene();
  const material material = {{1, 0.75F, 0.4F, 1}, {0.5F, 0.05F, 0.02F, 1}};
  cube(vertices);
  for (size_t k = 0; k < sizeof texels; ++k) texels[k] = letter[k] == '#' ? 255 : 0;
  const VkBuffer mesh = buffer_of(&gpu, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, sizeof vertices, vertices, NULL);
  const VkBuffer frames = buffer_of(&gpu, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, sizeof frame, &frame, NULL);
  const VkBuffer materials = buffer_of(&gpu, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, sizeof material, &material, NULL);
  const VkBuffer upload = buffer_of(&gpu, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, sizeof texels, texels, NULL);
  const VkBuffer copy = buffer_of(&gpu, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 4 * SIZE * SIZE, NULL, &pixels);

  VkImage color, depth, texture;
  const VkImageView color_view =
      image_of(&gpu, SIZE, VK_FORMAT_R8G8B8A8_SRGB, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
               VK_IMAGE_ASPECT_COLOR_BIT, &color);
  const VkImageView depth_view =
      image_of(&gpu, SIZE, VK_FORMAT_D32_SFLOAT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_IMAGE_ASPECT_DEPTH_BIT, &depth);
  const VkImageView texture_view =
      image_of(&gpu, LETTER_SIZE, VK_FORMAT_R8_UNORM, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
               VK_IMAGE_ASPECT_COLOR_BIT, &texture);
  const resource resources[] = {
      {.name = "Frame", .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .buffer = {frames, 0, VK_WHOLE_SIZE}},
      {.name = "Material", .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .buffer = {materials, 0, VK_WHOLE_SIZE}},
      {.name = "letter", .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, .image = {NULL, texture_view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL}},
      {.name = "linearWrap", .type = VK_DESCRIPTOR_TYPE_SAMPLER, .image = {.sampler = sampler_of(&gpu)}},
  };

  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  const VkDescriptorSet set = descriptors(&gpu, shaders, resources, 4, &set_layout);
  const VkPipelineLayoutCreateInfo layout_info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout};
  check(vkCreatePipelineLayout(gpu.device, &layout_info, NULL, &layout), "vkCreatePipelineLayout");
  const VkPipeline pipeline = pipeline_of(&gpu, shaders, layout);

  VkCommandPool pool;
  VkCommandBuffer commands;
  const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  check(vkCreateCommandPool(gpu.device, &pool_info, NULL, &pool), "vkCreateCommandPool");
  const VkCommandBufferAllocateInfo allocation = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, pool,
                                                  VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  check(vkAllocateCommandBuffers(gpu.device, &allocation, &commands), "vkAllocateCommandBuffers");
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  const VkBufferImageCopy texel_region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                          .imageExtent = {LETTER_SIZE, LETTER_SIZE, 1}};
  change_layout(commands, texture, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  vkCmdCopyBufferToImage(commands, upload, texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &texel_region);
  change_layout(commands, texture, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
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
  /* so that the program sees what was copied */
  const VkMemoryBarrier2 to_host = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, NULL,
                                    VK_PIPELINE_STAGE_2_COPY_BIT,       VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                    VK_PIPELINE_STAGE_2_HOST_BIT,       VK_ACCESS_2_HOST_READ_BIT};
  const VkDependencyInfo host_info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &to_host};
  vkCmdPipelineBarrier2(commands, &host_info);
  check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  check(vkQueueSubmit(gpu.queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  check(vkQueueWaitIdle(gpu.queue), "vkQueueWaitIdle");
  write_picture(arguments[3], pixels);
  return 0;
}
