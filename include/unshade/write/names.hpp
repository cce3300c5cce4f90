// Names of the user's choice in source that is written, and the names that a text has.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text/identifiers.hpp>

namespace unshade::write {

/// New names by those that a text has without them. What has a name as its new one keeps its own: a list of all names changes nothing.
struct NewNames {
  using Table = std::map<std::string, std::string, std::less<>>;
  /// Of what is known everywhere: resources, buffers and their members, structures, variables of functions, in GLSL inputs and outputs.
  Table names;
  /// Of members, by the name of their buffer or structure without new names. They count more than `names`.
  std::map<std::string, Table, std::less<>> members;
};

/// A name of a text that NewNames can replace.
struct SourceName {
  enum class Kind : std::uint8_t {
    resource,   ///< a texture, sampler, buffer; also what is declared beside it
    structure,  ///< of the elements of a buffer
    constant,   ///< a member of a buffer that is known by its name alone: in both tables of NewNames
    member,     ///< of a structure, or behind the name of a buffer
    interface,  ///< GLSL: an input or output
    variable,   ///< of all functions: shared memory, a table
    local,      ///< a variable of a function
  };
  Kind kind = Kind::local;
  std::string within;     ///< of members the buffer or structure, by its name without new names; else empty
  std::string name;       ///< without new names
  std::string shown;      ///< in the text
  bool is_given = false;  ///< by NewNames; else `shown` differs where it is made of a name that has a new one
};

/// Whether all new names can be names of a language. Errors: bad_value, path `names/t3` or `members/cb0/data`.
Result<void> check_names(const NewNames& names, ShadingLanguage language);

/// The entries of NewNames that none of the names fits, in its order: `names/t3`, `members/cb0/data`. Without those that change nothing.
std::vector<std::string> unused_names(const NewNames& names, std::span<const SourceName> all);

}  // namespace unshade::write
