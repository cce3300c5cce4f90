// Listings compared line by line, numbers that mean nothing left out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/shader/diff.hpp>
#include <unshade/shader/listing.hpp>

namespace unshade::shader::diff {

/// How the lines of a listing are read.
enum class Syntax : std::uint8_t { fxc, llvm, pica, spirv };

/// How the instructions of a family are compared. A null `list`: they are not.
struct Code {
  Result<void> (*list)(const Shader& shader, Text& out, const ListingChecks& checks) = nullptr;
  Syntax syntax = Syntax::fxc;
  /// The same where the digits of literals do not count, which takes less time; null: `list`.
  Result<void> (*list_plainly)(const Shader& shader, Text& out, const ListingChecks& checks) = nullptr;
};

/// Fills `code`. If a listing cannot be had, or the families differ, it stays uncompared and a note tells why; two files without a
/// program are equal in it.
void compare_code(const Code& how, const Shader& before, const Shader& after, bool exact_text, CodeDifference& code,
                  std::vector<std::string>& notes);

/// The same of two listings.
void compare_listings(Syntax syntax, std::string before, std::string after, bool exact_text, CodeDifference& code);

}  // namespace unshade::shader::diff
