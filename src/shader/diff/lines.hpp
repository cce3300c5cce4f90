// Listings as lines with their numbers taken out: what stays is the skeleton, what was taken out are names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <unshade/shader/diff.hpp>

#include "shader/diff/code.hpp"

namespace unshade::shader::diff {

inline constexpr std::uint32_t kNoLine = 0xffff'ffff;

/// Numbers for texts: equal texts have equal numbers.
class TextNumbers {
 public:
  std::uint32_t of(std::string_view text) {
    if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
    return numbers_.emplace(text, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

 private:
  struct Hash {
    using is_transparent = void;  // texts are looked up without a copy
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
};

/// What a line says besides the text that it prints.
struct ScannedLine {
  std::uint32_t skeleton = 0;    ///< by TextNumbers
  std::uint32_t first_name = 0;  ///< in ScannedListing::names
  std::uint32_t name_count = 0;
};

/// One side. A name is a number that may be another on the other side: a value, an id, a label made from its place.
struct ScannedListing {
  DiffLines text;
  std::vector<ScannedLine> lines;         ///< as many as text.lines
  std::vector<std::uint32_t> names;       ///< of all lines, in their order
  std::vector<std::uint32_t> defined_in;  ///< the line that defines each name, or kNoLine
};

/// Cuts a listing into lines; comments, debug information and what only places things are left out. With `exact_text`, only
/// empty lines are, and no name is taken out.
ScannedListing scan_listing(Syntax syntax, std::string listing, bool exact_text, TextNumbers& skeletons);

}  // namespace unshade::shader::diff
