// What has to hold of the translation of any shader to SPIR-V.
#include <string>

#include <unshade/shader/lower.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/validate.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/write/translate.hpp>
#ifdef UNSHADE_HAS_KHRONOS
#include <unshade/khronos/validate.hpp>
#endif

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

namespace {

/// What SPIRV-Tools finds in the translation of a valid file; empty where it is not built.
std::string invalid(View module) {
#ifdef UNSHADE_HAS_KHRONOS
  for (const Diagnostic& finding : khronos::validate_module(module, {.environment = "vulkan1.3"}))
    if (finding.rule->severity == Severity::error && finding.rule != &khronos::kLimit)
      return "the translation is not valid: " + to_string(finding);
#else
  static_cast<void>(module);
#endif
  return {};
}

}  // namespace

std::string translation(View file) {
  const auto opened = shader::open(file);
  if (!opened) return {};
  const auto made = write::to_spirv(*opened);
  if (!made) {
    if (made.error().message.empty()) return "an error without a message";
    return made.error().offset <= file.size() ? std::string() : "an error beyond the file: " + to_string(made.error());
  }
  if (made->bytes.size() > kTextPerByte * file.size() + kTextBase)
    return "a module of " + std::to_string(made->bytes.size()) + " bytes from " + std::to_string(file.size());
  const View module({made->bytes.data(), made->bytes.size()});
  if (const auto parsed = spirv::parse(module); !parsed) return "the translation is not read: " + to_string(parsed.error());
  const auto read = shader::open(module);
  if (!read) return "the translation does not open: " + to_string(read.error());
  if (const auto lowered = shader::lower(*read); !lowered) return "the translation is not lowered: " + to_string(lowered.error());
  return has_errors(shader::validate(file)) ? std::string() : invalid(module);
}

}  // namespace unshade::fuzz
