// The inputs of a shader in a case: which of a signature a key names, and a key for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::shader::runner {

/// What a lane of a domain shader has beside its inputs: a map of patch constants, of which some may have the name of an input.
inline constexpr std::string_view kPatchConstants = "patch_constants";

/// A row of an element that a key names.
struct NamedInput {
  std::size_t element = 0;    ///< number in the signature
  std::uint32_t row = 0;      ///< of the element
  std::size_t place = 0;      ///< of the row among those of all elements
  std::uint32_t skipped = 0;  ///< numbers of the key's value that come before its own: those of a register begin at x
  bool is_whole = false;      ///< all rows from this one on, which is the first
};

/// What a key names: an element in the first of the ways of NameKind, or all that is packed into a register, `v1`. A semantic may look
/// like a register: `v10` is the semantic `v10` before it is that of `v1`. A name of SPIR-V, or an alias, that several elements have names
/// none.
std::vector<NamedInput> inputs_named(const std::vector<ir::Element>& elements, std::string_view key);
/// What is wrong with a key that names none because several have the name: a sentence with the keys that they have alone. Else empty.
std::string several_named(const std::vector<ir::Element>& elements, std::string_view key);

/// Numbers that a value gives to a row.
struct GivenRow {
  std::size_t element = 0;  ///< number in the signature
  std::uint32_t row = 0;
  std::size_t place = 0;                ///< as NamedInput::place
  std::vector<const Value*> numbers{};  ///< up to four, of which the shader may read fewer
};
/// What a value gives to the inputs that its key names. A list of numbers is a row if there are up to four; of more, and of all that the
/// name of an array or a matrix of SPIR-V gets, those that a row has no room for go on in the next one. Lists in a list are a row each.
/// Errors: bad_value, at what is too much, also if nothing is left for the row of a register.
Result<std::vector<GivenRow>> rows_given(const std::vector<ir::Element>& elements, std::span<const NamedInput> named, const Value& value);

/// Keys by which all rows of a signature can be given together: semantics, and registers where a semantic has several rows.
class InputKeys {
 public:
  explicit InputKeys(const std::vector<ir::Element>& elements);

  /// Adds numbers for the row at a place to a map of inputs. A row without a register, whose semantic one before it has, gets none.
  void add(std::size_t place, std::span<const Value* const> numbers, Value& to) const;

 private:
  struct Key {
    std::string key;          ///< empty: none
    std::size_t first = 0;    ///< number of the key's value that is the row's first
    std::size_t columns = 4;  ///< numbers that it may have
  };
  std::vector<Key> keys_;  ///< by place
};

}  // namespace unshade::shader::runner
