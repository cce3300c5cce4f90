#include <unshade/khronos/decompile.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <spirv_cross/spirv_cross_c.h>

#include <unshade/khronos/validate.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>

#include "khronos/cost.hpp"
#include "khronos/words.hpp"

namespace unshade::khronos {

namespace {

struct Backend {
  Language language;
  spvc_backend backend;
  spvc_compiler_option version;
  std::uint32_t newest;  ///< the version if none is asked for
};
constexpr Backend kBackends[] = {
    {Language::glsl, SPVC_BACKEND_GLSL, SPVC_COMPILER_OPTION_GLSL_VERSION, 450},
    {Language::hlsl, SPVC_BACKEND_HLSL, SPVC_COMPILER_OPTION_HLSL_SHADER_MODEL, 50},
    {Language::msl, SPVC_BACKEND_MSL, SPVC_COMPILER_OPTION_MSL_VERSION, 20100},
};
constexpr std::uint32_t kNewestEs = 310;

/// What OpSource says of GLSL; nothing of other languages.
struct Source {
  std::uint32_t version = 0;
  bool is_es = false;
};
Source source_of(const spirv::Module& module) {
  Source source;
  for (const spirv::Instruction instruction : module) {
    if (instruction.opcode() == spirv::Opcode::function) break;
    if (instruction.opcode() != spirv::Opcode::source) continue;
    const auto language = static_cast<spirv::SourceLanguage>(instruction.word(1));
    source = {};
    if (language == spirv::SourceLanguage::glsl || language == spirv::SourceLanguage::essl)
      source = {instruction.word(2), language == spirv::SourceLanguage::essl};
  }
  return source;
}

// What spirv-cross, the command, does around its library. src: SPIRV-Cross main.cpp, compile_iteration
bool flatten_uniforms(spvc_compiler compiler) {
  spvc_resources resources = nullptr;
  if (spvc_compiler_create_shader_resources(compiler, &resources) != SPVC_SUCCESS) return false;
  for (const spvc_resource_type type : {SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, SPVC_RESOURCE_TYPE_PUSH_CONSTANT}) {
    const spvc_reflected_resource* list = nullptr;
    std::size_t count = 0;
    if (spvc_resources_get_resource_list_for_type(resources, type, &list, &count) != SPVC_SUCCESS) return false;
    for (std::size_t i = 0; i < count; ++i)
      if (spvc_compiler_flatten_buffer_block(compiler, list[i].id) != SPVC_SUCCESS) return false;
  }
  return true;
}

/// Where textures are read without a sampler, which these languages do not know.
bool give_dummy_sampler(spvc_compiler compiler) {
  spvc_variable_id sampler = 0;
  if (spvc_compiler_build_dummy_sampler_for_combined_images(compiler, &sampler) != SPVC_SUCCESS) return false;
  if (sampler == 0) return true;
  spvc_compiler_set_decoration(compiler, sampler, SpvDecorationDescriptorSet, 0);
  spvc_compiler_set_decoration(compiler, sampler, SpvDecorationBinding, 0);
  return true;
}

bool combine_samplers(spvc_compiler compiler) {
  if (spvc_compiler_build_combined_image_samplers(compiler) != SPVC_SUCCESS) return false;
  const spvc_combined_image_sampler* list = nullptr;
  std::size_t count = 0;
  if (spvc_compiler_get_combined_image_samplers(compiler, &list, &count) != SPVC_SUCCESS) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = std::string("SPIRV_Cross_Combined") + spvc_compiler_get_name(compiler, list[i].image_id) +
                             spvc_compiler_get_name(compiler, list[i].sampler_id);
    spvc_compiler_set_name(compiler, list[i].combined_id, name.c_str());
  }
  return true;
}

struct Destroy {
  void operator()(spvc_context context) const { spvc_context_destroy(context); }
};

}  // namespace

Result<std::string> decompile(View bytes, const DecompileOptions& options) {
  const auto module = spirv::parse(bytes);
  if (!module) return module.error();
  if (auto excess = find_excess(*module)) return *std::move(excess);
  for (const Diagnostic& d : options.validates ? validate_module(bytes, kDecompileValidation) : std::vector<Diagnostic>())
    if (d.rule->severity == Severity::error) return Error{ErrorCode::bad_value, d.offset, d.path, "not valid SPIR-V: " + d.message};

  const auto fault = [&](ErrorCode code, std::string message) { return Error{code, bytes.file_offset(), "module", std::move(message)}; };
  spvc_context made = nullptr;
  if (spvc_context_create(&made) != SPVC_SUCCESS) return fault(ErrorCode::limit, "out of memory for SPIRV-Cross");
  const std::unique_ptr<spvc_context_s, Destroy> context(made);
  const auto failed = [&](std::string_view what) {
    const char* const said = spvc_context_get_last_error_string(context.get());
    return fault(ErrorCode::unsupported, std::string(what) + ": " + (said != nullptr ? said : "SPIRV-Cross gives no reason"));
  };

  const std::vector<std::uint32_t> words = words_of(*module);
  spvc_parsed_ir ir = nullptr;
  if (spvc_context_parse_spirv(context.get(), words.data(), words.size(), &ir) != SPVC_SUCCESS)
    return failed("cannot be read by SPIRV-Cross");
  const Backend* backend = &kBackends[0];
  for (const Backend& b : kBackends)
    if (b.language == options.language) backend = &b;
  spvc_compiler compiler = nullptr;
  if (spvc_context_create_compiler(context.get(), backend->backend, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &compiler) != SPVC_SUCCESS)
    return failed("cannot be decompiled");

  if (!options.entry_point.empty()) {
    const spirv::Interface interface = spirv::interface_of(*module);
    const spirv::EntryPoint* wanted = nullptr;
    for (const spirv::EntryPoint& entry : interface.entry_points)
      if (wanted == nullptr && entry.name == options.entry_point) wanted = &entry;
    if (wanted == nullptr) return fault(ErrorCode::missing, "no entry point named " + std::string(options.entry_point));
    if (spvc_compiler_set_entry_point(compiler, wanted->name.c_str(), static_cast<SpvExecutionModel>(wanted->model)) != SPVC_SUCCESS)
      return failed("no such entry point");
  }

  spvc_compiler_options settings = nullptr;
  if (spvc_compiler_create_compiler_options(compiler, &settings) != SPVC_SUCCESS) return failed("cannot be decompiled");
  bool set = true;
  const auto choose = [&](spvc_compiler_option option, bool value) {
    set &= spvc_compiler_options_set_bool(settings, option, value ? SPVC_TRUE : SPVC_FALSE) == SPVC_SUCCESS;
  };
  const Source source = source_of(*module);
  const bool is_glsl = options.language == Language::glsl;
  const bool es = is_glsl && options.es.value_or(source.is_es);
  std::uint32_t version = options.version;
  if (version == 0)
    version = !is_glsl ? backend->newest : source.version != 0 && es == source.is_es ? source.version : es ? kNewestEs : backend->newest;
  const auto known = versions_of(options.language, es);
  if (options.version != 0 && std::ranges::find(known, version) == known.end()) {
    std::string message = "unknown version " + std::to_string(version) + " of " + std::string(id(backend->language)) +
                          (es ? " for OpenGL ES" : "") + ", expected one of";
    for (const std::uint32_t one : known) message += ' ' + std::to_string(one);
    return fault(ErrorCode::bad_value, std::move(message));
  }
  set &= spvc_compiler_options_set_uint(settings, backend->version, version) == SPVC_SUCCESS;
  const bool vulkan = is_glsl && options.vulkan;
  if (is_glsl) {
    choose(SPVC_COMPILER_OPTION_GLSL_ES, es);
    choose(SPVC_COMPILER_OPTION_GLSL_VULKAN_SEMANTICS, vulkan);
  }
  if (options.flip_vertex_y) choose(SPVC_COMPILER_OPTION_FLIP_VERTEX_Y, true);
  if (options.fixup_clip_space) choose(SPVC_COMPILER_OPTION_FIXUP_DEPTH_CONVENTION, true);
  if (options.language == Language::hlsl && options.hlsl_compatibility) {
    choose(SPVC_COMPILER_OPTION_HLSL_POINT_SIZE_COMPAT, true);
    choose(SPVC_COMPILER_OPTION_HLSL_POINT_COORD_COMPAT, true);
  }
  if (!set || spvc_compiler_install_compiler_options(compiler, settings) != SPVC_SUCCESS) return failed("cannot be decompiled");
  if (is_glsl && options.flatten_uniforms && !flatten_uniforms(compiler)) return failed("uniform buffers cannot be flattened");
  // Languages without textures and samplers of their own.
  const bool combines = (is_glsl && !vulkan) || (options.language == Language::hlsl && version <= 30);
  if (combines && !give_dummy_sampler(compiler)) return failed("cannot be decompiled");
  if (combines && !combine_samplers(compiler)) return failed("textures and samplers cannot be combined");
  const char* text = nullptr;
  if (spvc_compiler_compile(compiler, &text) != SPVC_SUCCESS || text == nullptr)
    return failed("cannot be translated to " + std::string(id(backend->language)));
  return std::string(text);
}

}  // namespace unshade::khronos
