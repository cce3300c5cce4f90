#include <unshade/khronos/decompile.hpp>

#include <memory>
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
  std::string_view id;
  spvc_backend backend;
  spvc_compiler_option version;
  std::uint32_t newest;  ///< the version where none is asked for
};
constexpr Backend kBackends[] = {
    {Language::glsl, "glsl", SPVC_BACKEND_GLSL, SPVC_COMPILER_OPTION_GLSL_VERSION, 450},
    {Language::hlsl, "hlsl", SPVC_BACKEND_HLSL, SPVC_COMPILER_OPTION_HLSL_SHADER_MODEL, 50},
    {Language::msl, "msl", SPVC_BACKEND_MSL, SPVC_COMPILER_OPTION_MSL_VERSION, 20100},
};
constexpr std::uint32_t kNewestEs = 310;

struct Destroy {
  void operator()(spvc_context context) const { spvc_context_destroy(context); }
};

}  // namespace

std::string_view id(Language language) {
  for (const Backend& b : kBackends)
    if (b.language == language) return b.id;
  return {};
}

std::optional<Language> find_language(std::string_view text) {
  for (const Backend& b : kBackends)
    if (b.id == text) return b.language;
  return std::nullopt;
}

Result<std::string> decompile(View bytes, const DecompileOptions& options) {
  const auto module = spirv::parse(bytes);
  if (!module) return module.error();
  if (auto excess = find_excess(*module)) return *std::move(excess);
  ValidationOptions how;
  // Layouts are no matter here: the text states them, or says that it cannot.
  how.scalar_block_layout = true;
  for (const Diagnostic& d : validate_module(bytes, how))
    if (d.rule->severity == Severity::error) return Error{ErrorCode::bad_value, d.offset, d.path, "not valid SPIR-V: " + d.message};

  const auto fault = [&](ErrorCode code, std::string message) { return Error{code, bytes.file_offset(), "module", std::move(message)}; };
  spvc_context made = nullptr;
  if (spvc_context_create(&made) != SPVC_SUCCESS) return fault(ErrorCode::limit, "no memory for SPIRV-Cross");
  const std::unique_ptr<spvc_context_s, Destroy> context(made);
  const auto failed = [&](std::string_view what) {
    const char* const said = spvc_context_get_last_error_string(context.get());
    return fault(ErrorCode::unsupported, std::string(what) + ": " + (said != nullptr ? said : "SPIRV-Cross does not say why"));
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
    if (wanted == nullptr) return fault(ErrorCode::missing, "no entry point of the name " + std::string(options.entry_point));
    if (spvc_compiler_set_entry_point(compiler, wanted->name.c_str(), static_cast<SpvExecutionModel>(wanted->model)) != SPVC_SUCCESS)
      return failed("no such entry point");
  }

  spvc_compiler_options settings = nullptr;
  if (spvc_compiler_create_compiler_options(compiler, &settings) != SPVC_SUCCESS) return failed("cannot be decompiled");
  const bool es = options.language == Language::glsl && options.es;
  const std::uint32_t version = options.version != 0 ? options.version : es ? kNewestEs : backend->newest;
  bool set = spvc_compiler_options_set_uint(settings, backend->version, version) == SPVC_SUCCESS;
  if (options.language == Language::glsl) {
    set &= spvc_compiler_options_set_bool(settings, SPVC_COMPILER_OPTION_GLSL_ES, es ? SPVC_TRUE : SPVC_FALSE) == SPVC_SUCCESS;
    set &= spvc_compiler_options_set_bool(settings, SPVC_COMPILER_OPTION_GLSL_VULKAN_SEMANTICS,
                                          options.vulkan && !es ? SPVC_TRUE : SPVC_FALSE) == SPVC_SUCCESS;
  }
  if (!set || spvc_compiler_install_compiler_options(compiler, settings) != SPVC_SUCCESS) return failed("cannot be decompiled");
  const char* text = nullptr;
  if (spvc_compiler_compile(compiler, &text) != SPVC_SUCCESS || text == nullptr)
    return failed("cannot be said in " + std::string(backend->id));
  return std::string(text);
}

}  // namespace unshade::khronos
