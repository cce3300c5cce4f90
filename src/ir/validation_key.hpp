// For the verifier and the passes: what <unshade/core/validated.hpp> asks of those who call a module valid.
#pragma once

#include <unshade/core/validated.hpp>
#include <unshade/ir/module.hpp>

namespace unshade {

template <>
class ValidationKey<ir::Module> {};

}  // namespace unshade
