// Checks structure and meaning of a file by rules with stable ids.
#pragma once

#include <span>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

/// Every rule of every family this build knows, in the order of their ids.
std::vector<const Rule*> all_rules();

/// All findings, in the order of their offsets. Never stops at the first: parts that cannot be read become findings themselves.
std::vector<Diagnostic> validate(View file);

}  // namespace unshade::shader
