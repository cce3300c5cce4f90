// What has to hold of the translation of any shader to SPIR-V, and to source.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <variant>

#include <unshade/shader/lower.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/validate.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/file.hpp>
#include <unshade/write/source.hpp>
#include <unshade/write/translate.hpp>
#ifdef UNSHADE_HAS_KHRONOS
#include <unshade/khronos/validate.hpp>
#endif

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

namespace {

/// What SPIRV-Tools finds in a module for Vulkan; empty where it is not built. Blocks are as scalar block layout allows.
std::string invalid(View module) {
#ifdef UNSHADE_HAS_KHRONOS
  for (const Diagnostic& finding : khronos::validate_module(module, {.environment = "vulkan1.3", .scalar_block_layout = true}))
    if (finding.rule->severity == Severity::error && finding.rule != &khronos::kLimit) return to_string(finding);
#else
  static_cast<void>(module);
#endif
  return {};
}

/// Whether a file keeps the rules of its format: of SPIR-V, those of SPIRV-Tools too.
bool is_valid(View file, const shader::Shader& opened) {
  if (has_errors(shader::validate(file))) return false;
  if (std::holds_alternative<spirv::Module>(opened.content)) return invalid(file).empty();
  const auto* const vbc = std::get_if<vbc::File>(&opened.content);
  return vbc == nullptr ||
         std::ranges::all_of(vbc->stages, [](const auto& stage) { return stage.empty() || invalid(View(stage)).empty(); });
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
  if (!is_valid(file, *opened)) return {};
  const std::string fault = invalid(module);
  return fault.empty() ? fault : "the translation is not valid: " + fault;
}

std::string source(View file) {
  const auto opened = shader::open(file);
  if (!opened) return {};
  // each file with one setting: all three would take most of the time that all properties take
  constexpr write::Setting kSettings[] = {write::Setting::exact, write::Setting::readable, write::Setting::native};
  write::SourceOptions options;
  unsigned sum = 0;
  for (const std::byte byte : file.bytes()) sum += std::to_integer<unsigned>(byte);
  options.setting = kSettings[sum % std::size(kSettings)];
  auto made = write::to_source(*opened, options);
  if (!made) {
    if (made.error().message.empty()) return "an error without a message";
    return made.error().offset <= file.size() ? std::string() : "an error beyond the file: " + to_string(made.error());
  }
  if (made->text.size() > kTextPerByte * file.size() + kTextBase)
    return "a text of " + std::to_string(made->text.size()) + " bytes from " + std::to_string(file.size());
  if (static_cast<std::size_t>(std::ranges::count(made->text, '\n')) != made->lines.size()) return "lines that nothing is said of";
  write::find_in_listing(*opened, *made);
  for (const write::SourceLine& line : made->lines)
    if (line.instruction == ir::kNone ? line.listing_line != 0 : line.function >= made->functions.size()) return "a line of no function";
  const auto again = write::to_source(*opened, options);
  return again && again->text == made->text ? std::string() : "another text of the same shader";
}

}  // namespace unshade::fuzz
