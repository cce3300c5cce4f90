#include <unshade/khronos/validate.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <spirv-tools/libspirv.hpp>

#include <unshade/spirv/module.hpp>

#include "khronos/cost.hpp"
#include "khronos/words.hpp"

namespace unshade::khronos {

namespace {

constexpr Rule kError{"khronos.spirv-val", Severity::error, "A module must pass SPIRV-Tools, Khronos' validator, without errors."};
constexpr Rule kWarning{"khronos.spirv-val-warning", Severity::warning,
                        "A module must pass SPIRV-Tools, Khronos' validator, without warnings."};
constexpr const Rule* kRules[] = {&kLimit, &kError, &kWarning};

/// The validator counts instructions from 1; 0 is the module as a whole.
std::uint64_t offset_of(const spirv::Module& module, std::size_t position) {
  std::size_t count = 0;
  for (const spirv::Instruction instruction : module)
    if (++count == position) return module.file_offset(instruction);
  return module.bytes().file_offset();
}

}  // namespace

std::span<const Rule* const> validation_rules() { return kRules; }

bool is_environment(std::string_view name) {
  spv_target_env environment = SPV_ENV_UNIVERSAL_1_0;
  return spvParseTargetEnv(std::string(name).c_str(), &environment);
}

std::vector<Diagnostic> validate_module(View bytes, const ValidationOptions& options) {
  std::vector<Diagnostic> found;
  const auto module = spirv::parse(bytes);
  if (!module) {
    found.push_back({&kError, module.error().offset, module.error().path, module.error().message});
    return found;
  }
  if (auto excess = find_excess(*module)) {
    found.push_back({&kLimit, excess->offset, std::move(excess->path), std::move(excess->message)});
    return found;
  }
  spv_target_env environment = SPV_ENV_UNIVERSAL_1_6;
  spvParseTargetEnv(std::string(options.environment).c_str(), &environment);
  const spvtools::SpirvTools tools(environment);
  if (!tools.IsValid()) {
    found.push_back({&kError, bytes.file_offset(), {}, "SPIRV-Tools has no target environment " + std::string(options.environment)});
    return found;
  }
  spvtools::SpirvTools checker(environment);
  checker.SetMessageConsumer([&](spv_message_level_t level, const char*, const spv_position_t& position, const char* message) {
    const bool warns = level == SPV_MSG_WARNING || level == SPV_MSG_INFO || level == SPV_MSG_DEBUG;
    std::string text(message);
    // What follows is the instruction once more.
    if (const auto end = text.find('\n'); end != std::string::npos) text.resize(end);
    const std::string path = position.index == 0 ? "module" : "instructions[" + std::to_string(position.index - 1) + ']';
    found.push_back({warns ? &kWarning : &kError, offset_of(*module, position.index), path, std::move(text)});
  });
  spvtools::ValidatorOptions how;
  how.SetScalarBlockLayout(options.scalar_block_layout);
  how.SetRelaxBlockLayout(options.relax_block_layout);
  const std::vector<std::uint32_t> words = words_of(*module);
  const bool valid = checker.Validate(words.data(), words.size(), how);
  if (!valid && !has_errors(found)) found.push_back({&kError, bytes.file_offset(), "module", "not valid"});
  return found;
}

}  // namespace unshade::khronos
