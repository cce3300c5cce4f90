// Checks structure and meaning of a file by rules with stable ids.
#pragma once

#include <span>
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

}  // namespace unshade::shader
