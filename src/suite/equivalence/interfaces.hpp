// What two shaders take in and give out, matched with each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/value.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/run/run.hpp>
#include <unshade/suite/equivalence.hpp>

namespace unshade::suite::equivalence {

/// A row of an element of a signature.
struct Row {
  const ir::Element* element = nullptr;
  std::size_t place = 0;  ///< among the rows of all elements
  std::string key;        ///< as cases or results name it: `TEXCOORD1`
};
/// Rows that have `columns` numbers in common: those from `first_a` on of the one, from `first_b` on of the other. None: a row that the
/// second shader does not have.
struct RowPair {
  Row a, b;
  std::uint32_t first_a = 0, first_b = 0;
  std::uint32_t columns = 4;
};
/// A system value that is an element of one shader and a built-in of the other.
struct BuiltInPair {
  Row row;
  ir::Builtin builtin = ir::Builtin::thread_id;
};
struct ResourcePair {
  const ir::Resource* a = nullptr;
  const ir::Resource* b = nullptr;
  bool by_bytes = false;     ///< a constant buffer of which both know no variable by one name
  bool has_counter = false;  ///< which is a buffer of its own in one of both alone
  bool counts = false;       ///< the first only counts, and the second is the buffer that counts for it
};

/// Pairs of rows are by rising place in the first shader. In Vulkan a row may be in several.
struct Pairing {
  std::vector<RowPair> inputs;
  std::vector<RowPair> outputs;
  std::vector<RowPair> patch;  ///< constants that a domain shader reads, or a hull shader gives; of a mesh shader, what primitives have
  std::vector<BuiltInPair> elements_of_a;  ///< system values that the second reads as built-ins
  std::vector<BuiltInPair> elements_of_b;  ///< those that the first reads as built-ins
  std::vector<ResourcePair> resources;
  std::vector<std::string> mismatches;
  bool is_vulkan = false;                ///< both are of Vulkan, where names are debug information
  std::optional<SourceBindings> source;  ///< the second is source of the first, so that its constants are where the first has them
};
/// `source`: EquivalenceOptions::source.
Pairing pair_interfaces(const Subject& a, const Subject& b, const std::optional<SourceBindings>& source = {});

/// A case for the first shader whose resources and samplers have the bindings that results have, however it names them: `t0` for
/// `t0,space0` and `maps[0]`. In Vulkan its constants are bytes of their buffers. Errors: those of the case.
Result<Value> by_bindings(const Value& given, const Subject& a, const Pairing& pairing, const run::RunOptions& options);
/// A case for the first shader, by_bindings(), as the second names its inputs.
Value renamed(const Value& given, const Subject& a, const Subject& b, const Pairing& pairing);
/// The key of a resource in the results of the second shader.
std::string renamed_resource(std::string_view key, const Pairing& pairing);

}  // namespace unshade::suite::equivalence
