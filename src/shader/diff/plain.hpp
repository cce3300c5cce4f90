// Listings without all that may differ between two builds of one shader.
#pragma once

#include <string>
#include <string_view>

#include "shader/diff/code.hpp"

namespace unshade::shader::diff {

/// The lines that take part in a comparison, without names, constants and numbers. Each ends with a line end.
std::string plain_listing(Syntax syntax, std::string_view listing);

}  // namespace unshade::shader::diff
