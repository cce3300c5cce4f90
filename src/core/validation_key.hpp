// For validators: what <unshade/core/validated.hpp> asks of those who call something valid.
#pragma once

#include <unshade/core/validated.hpp>

namespace unshade {

class ValidationKey {};

}  // namespace unshade
