// Listings compared line by line, numbers that mean nothing left out.
#pragma once

#include <string>
#include <vector>

#include <unshade/shader/diff.hpp>

namespace unshade::shader::diff {

/// Fills `code`. If a listing cannot be had, or the families differ, it stays uncompared and a note tells why; two files without a
/// program are equal in it.
void compare_code(const Shader& before, const Shader& after, bool exact_text, CodeDifference& code, std::vector<std::string>& notes);

/// The same of two listings of a family.
void compare_listings(Family family, std::string before, std::string after, bool exact_text, CodeDifference& code);

}  // namespace unshade::shader::diff
