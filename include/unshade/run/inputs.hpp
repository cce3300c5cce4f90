// The inputs of a shader in a case: which of a signature a key names, and a key for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/vm/machine.hpp>

namespace unshade::run {

/// What a lane of a domain shader has beside its inputs: a map of patch constants, of which some may have the name of an input.
inline constexpr std::string_view kPatchConstants = "patch_constants";
/// What a lane has beside its inputs: a map of built-ins, of which some may have the name of an input.
inline constexpr std::string_view kBuiltIns = "built_ins";

/// A row of an element that a key names.
struct NamedInput {
  std::size_t element = 0;    ///< number in the signature
  std::uint32_t row = 0;      ///< of the element
  std::size_t place = 0;      ///< of the row among those of all elements
  std::uint32_t skipped = 0;  ///< numbers of the key's value that come before its own: those of a register begin at x
  bool is_whole = false;      ///< all rows from this one on, which is the first
};

/// What a key names: an element in the first of the ways of NameKind, or all that is packed into a register, `v1`. A semantic may look
/// like a register: `v10` is the semantic `v10` before it is that of `v1`. A name that several elements have names none.
std::vector<NamedInput> inputs_named(const std::vector<ir::Element>& elements, std::string_view key);
/// Why a key that several elements have names none, with the keys that each of them has alone; empty: it is no such key.
std::string several_inputs(const std::vector<ir::Element>& elements, std::string_view key);
/// Whether elements have a name, or several have it.
bool is_input(const std::vector<ir::Element>& elements, std::string_view key);
/// Whether a member of a lane is no input even if one has its name: inputs are numbers and lists of them, what a lane has beside its inputs
/// are maps, lists of maps, and `helper`.
bool is_beside_inputs(const Value::Member& member);
/// Members of a lane that are named as built-ins: those that are no inputs, and those of `built_ins`.
std::vector<const Value::Member*> built_ins_of(const Value& lane, const std::vector<ir::Element>& inputs);

/// Numbers that a value gives to a row.
struct GivenRow {
  std::size_t element = 0;  ///< number in the signature
  std::uint32_t row = 0;
  std::size_t place = 0;                ///< as NamedInput::place
  std::vector<const Value*> numbers{};  ///< up to four, of which the shader may read fewer
};
/// What a value gives to the inputs that its key names. A list of numbers is a row if there are up to four; of more, and of all that the
/// name of an array or a matrix of SPIR-V gets, those that a row has no room for go on in the next one. Lists in a list are a row each; of
/// arrays of arrays they may be nested as the type is.
/// Errors: bad_value, at what is too much, also if nothing is left for the row of a register.
Result<std::vector<GivenRow>> rows_given(const std::vector<ir::Element>& elements, std::span<const NamedInput> named, const Value& value);

/// Keys by which all rows of a signature can be given together: semantics, and registers where several rows have one.
class InputKeys {
 public:
  explicit InputKeys(const std::vector<ir::Element>& elements);

  /// Adds numbers for the row at a place, from a column of it on, to a map of inputs. A row without a register, whose semantic another has,
  /// gets none.
  void add(std::size_t place, std::span<const Value* const> numbers, Value& to, std::size_t column = 0) const;

 private:
  struct Key {
    std::string key;          ///< empty: none
    std::size_t first = 0;    ///< number of the key's value that is the row's first
    std::size_t columns = 4;  ///< numbers that it may have
  };
  std::vector<Key> keys_;  ///< by place
};

/// The names that the lanes of a case have.
struct InputNames {
  const shader::Reflection* reflection = nullptr;
  bool is_file = false;                          ///< of vertices, which may have more than the shader reads
  std::set<std::string, std::less<>> unknown{};  ///< each is looked at where it is first: lanes may be many
  std::set<std::string, std::less<>> known{};    ///< those of built-ins, which are no inputs
};

/// Makes room for the inputs of all vertices of all lanes. `rows`: the lanes of the case; may be null.
Result<void> make_room(const ir::Module& module, const Value* rows, const RunOptions& options, vm::Lanes& lanes);
/// Inputs of a lane by semantic, and what it knows of itself by the names of builtins.def.
Result<void> give_lane(const ir::Module& module, const Value& given, std::uint32_t lane, vm::Lanes& lanes, InputNames& names);
/// Numbers that count up, by lane, vertex and component.
void make_up_inputs(const ir::Module& module, vm::Lanes& lanes);

}  // namespace unshade::run
