#include <unshade/khronos/validate.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <spirv-tools/libspirv.hpp>

#include <unshade/spirv/module.hpp>

#include "khronos/cost.hpp"
#include "khronos/newer.hpp"

namespace unshade::khronos {

namespace {

constexpr Rule kError{"khronos.spirv-val", Severity::error, "A module must pass SPIRV-Tools, Khronos' validator, without errors."};
constexpr Rule kWarning{"khronos.spirv-val-warning", Severity::warning,
                        "A module must pass SPIRV-Tools, Khronos' validator, without warnings."};
constexpr const Rule* kRules[] = {&kLimit, &kNewer, &kError, &kWarning};

/// Where an instruction of what the validator got is in the module. It counts them from 1; 0 is the module as a whole.
struct Place {
  std::uint64_t offset = 0;
  std::string path = "module";
};
Place place_of(const spirv::Module& module, const Known& known, std::size_t position) {
  Place place{module.bytes().file_offset()};
  if (position == 0 || position > known.first_words.size()) return place;
  std::size_t index = 0;
  for (const spirv::Instruction instruction : module) {
    if (instruction.first_word() == known.first_words[position - 1]) {
      place.offset = module.file_offset(instruction);
      place.path = "instructions[" + std::to_string(index) + ']';
      return place;
    }
    ++index;
  }
  return place;
}

/// What is newer than SPIRV-Tools, in one finding.
Diagnostic newer_finding(const spirv::Module& module, const Known& known) {
  std::string message = "newer than SPIRV-Tools " + tools_version() + ", which validates here: ";
  bool is_first = true;
  const auto add = [&](std::string_view text) {
    if (!is_first) message += ", ";
    is_first = false;
    message += text;
  };
  for (const std::string& text : known.newer) add(text);
  for (const std::string& text : known.extensions) add(text);
  if (known.more != 0) message += " and " + std::to_string(known.more) + " more instructions";
  std::uint32_t index = 0;
  for (const spirv::Instruction instruction : module)
    if (index++ == known.first_newer)
      return {&kNewer, module.file_offset(instruction), "instructions[" + std::to_string(known.first_newer) + ']', std::move(message)};
  return {&kNewer, module.bytes().file_offset(), "module", std::move(message)};
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
  const Known known = known_part(*module, environment);
  if (!known.is_whole()) found.push_back(newer_finding(*module, known));
  // Without what is newer, the rest of a module that depends on it is not valid.
  if (!known.newer.empty()) return found;
  spvtools::SpirvTools checker(environment);
  checker.SetMessageConsumer([&](spv_message_level_t level, const char*, const spv_position_t& position, const char* message) {
    // An extension may allow what SPIRV-Tools refuses.
    const bool warns = !known.extensions.empty() || level == SPV_MSG_WARNING || level == SPV_MSG_INFO || level == SPV_MSG_DEBUG;
    std::string text(message);
    // What follows is the instruction once more.
    if (const auto end = text.find('\n'); end != std::string::npos) text.resize(end);
    Place place = place_of(*module, known, position.index);
    found.push_back({warns ? &kWarning : &kError, place.offset, std::move(place.path), std::move(text)});
  });
  spvtools::ValidatorOptions how;
  how.SetScalarBlockLayout(options.scalar_block_layout);
  how.SetRelaxBlockLayout(options.relax_block_layout);
  const bool valid = checker.Validate(known.words.data(), known.words.size(), how);
  if (!valid && found.empty()) found.push_back({&kError, bytes.file_offset(), "module", "not valid"});
  return found;
}

}  // namespace unshade::khronos
