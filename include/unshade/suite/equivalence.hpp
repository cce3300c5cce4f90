// Whether two shaders compute the same: both run on the same inputs. docs/howto/compare-two-shaders.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/run/run.hpp>

namespace unshade::suite {

/// Sets that find about 99 of 100 changed instructions of the corpus, of those that 608 find. src: docs/internals/agreement.md
inline constexpr unsigned kDefaultRandom = 96;
inline constexpr unsigned kMostRandom = 1'000'000;
/// Operations that a shader may execute on a generated set of inputs, by which a loop may never end.
inline constexpr std::uint64_t kMostOfSet = std::uint64_t{1} << 20;

/// What is added to registers of Direct3D to make bindings of Vulkan, by the kind of resource. The set is the space.
struct SourceBindings {
  std::uint32_t textures = 0, samplers = 0, constants = 0, uavs = 0;
};

struct EquivalenceOptions {
  run::RunOptions run;  ///< `operations`, if it has none: kMostOfSet for generated sets, run::kMostOperations for the case
  // How far two numbers may be from each other: within one of these.
  double ulp = 0;
  double absolute = 0;
  double relative = 0;               ///< of the number of the second shader
  unsigned random = kDefaultRandom;  ///< sets of inputs to generate, at most kMostRandom
  std::uint64_t seed = 1;            ///< of these
  /// The second is source code of the first that was compiled for Vulkan: denormals, of which the language says nothing, are treated as in
  /// the first, and resources of Direct3D are found by these bindings.
  std::optional<SourceBindings> source;
  bool covers = false;  ///< count the ways that branches of the first shader went, which takes longer
};

/// An output that differs, and the inputs for which it does.
struct Difference {
  std::optional<unsigned> random;  ///< the generated set of inputs; none: the case
  Value place;                     ///< `lane`, `vertex`, `primitive` or `group`, `output`, `component`; or `resource` and `byte`
  std::string what;                ///< the same as a text: `lane 3: COLOR.y`
  std::string values[2];           ///< of the first and the second shader
  std::optional<double> ulps;      ///< between them, if they are finite floats
  Value inputs;                    ///< a case for the first shader
};

struct Equivalence {
  std::vector<std::string> mismatches;  ///< of the interfaces, in sentences; if there are any, nothing ran
  unsigned sets = 0;                    ///< of inputs that were compared
  unsigned unfinished = 0;              ///< generated sets on which a shader used up `budget`
  bool unfinished_case = false;         ///< it did so on the case
  std::uint64_t budget = 0;             ///< operations that a shader could execute on a generated set
  std::uint64_t values = 0;             ///< that were compared, in all sets
  std::uint64_t differing = 0;          ///< of the set with the first difference, at which the comparison ends
  double largest_ulps = 0;              ///< between floats that count as equal
  std::size_t ways = 0;                 ///< that branches of the first shader can go, with EquivalenceOptions::covers
  std::size_t taken = 0;                ///< of these, in all sets
  std::optional<Difference> difference;
  std::vector<std::string> without_data;  ///< if nothing differs: resources of which an access found no data in any set, in sentences

  bool equal() const { return mismatches.empty() && !difference && sets != 0; }
};

/// A shader and its name in messages.
struct Subject {
  std::string name;
  const run::Runnable& shader;
};

/// Runs both shaders on the case, if it is a map with members, and on generated sets of inputs. Inputs and outputs are matched by
/// semantic, resources by name, else by binding. The case is for the first shader; of generated sets it gives sizes, formats and the grid.
/// A shader that allows any treatment of f32 denormals has that which the other states.
/// Errors: those of run::execute().
Result<Equivalence> compare(const Subject& a, const Subject& b, const Value& given, const EquivalenceOptions& options = {});

}  // namespace unshade::suite
