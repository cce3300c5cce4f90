// Checks structure and meaning of a file by rules with stable ids.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/validated.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

/// Every rule of every family this build knows, in the order of their ids.
std::vector<const Rule*> all_rules();

/// All findings, in the order of their offsets. Never stops at the first: parts that cannot be read become findings themselves.
std::vector<Diagnostic> validate(View file);

/// The same of a file that is open; without errors among the findings, the shader comes back as a valid one. Borrows what `shader` does.
ValidationOutcome<Shader> validate(const Shader& shader);

/// How a file is judged that was made of others.
struct MadeRules {
  /// The files that it is made of. It may break a rule as often as these break it together.
  std::span<const View> sources{};
  /// Rules that it must not break even if the sources do.
  std::span<const std::string_view> always{};
  /// Rules whose warnings are reported too.
  std::span<const std::string_view> warnings{};
};

/// The errors of a file by the rules of its own format and the warnings asked for.
std::vector<Diagnostic> errors_of_made(View made, const MadeRules& rules = {});

}  // namespace unshade::shader
