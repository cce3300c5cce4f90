// The two shaders whose interfaces are matched: their rows and what their code mentions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/suite/equivalence.hpp>

#include "suite/equivalence/interfaces.hpp"

namespace unshade::suite::equivalence {

/// What the code of a module mentions.
struct Mentioned {
  explicit Mentioned(const ir::Module& module);
  /// Bit i: column i of a row.
  unsigned columns_of(ir::SignatureKind kind, std::size_t element, std::uint32_t row) const;

  static constexpr std::uint32_t kAnyRow = ~std::uint32_t{0};  ///< that is computed
  std::set<std::uint32_t> resources;
  std::set<std::uint32_t> counters;  ///< resources whose counters the code changes
  std::set<std::uint32_t> accessed;  ///< those with which it does something else
  std::set<ir::Builtin> builtins;
  std::map<std::tuple<ir::SignatureKind, std::uint32_t, std::uint32_t>, unsigned> columns;  ///< by element and row
};

struct Side {
  const Subject& subject;
  Mentioned mentioned;
};
bool is_of_vulkan(const Side& side);
/// Whether exactly one is.
inline bool is_one_of_vulkan(const Side& a, const Side& b) { return is_of_vulkan(a) != is_of_vulkan(b); }

struct Found {
  Row row;
  std::string name;          ///< what rows that are matched by semantic have in common: `color`
  std::uint32_t number = 0;  ///< of the row
  unsigned columns = 0;      ///< that the code mentions: bit i is column i
  bool mentioned = false;
  bool taken = false;
};
std::vector<Found> rows_of(const Side& side, ir::SignatureKind kind);

std::string has_alone(const Side& has, const Side& lacks, std::string_view kind, std::string_view name);
std::string differ(const Side& a, const Side& b, std::string_view what, std::string_view of_a, std::string_view of_b);

/// Pairs system values that are elements of one shader and built-ins of the other: `rows`, those of the first, with what the second can
/// read.
void pair_built_ins(const Side& of_rows, const Side& other, std::vector<Found>& rows, std::vector<BuiltInPair>& pairs);
/// Pairs clip and cull distances and tessellation factors one by one, in their order: vectors in Direct3D, arrays of numbers in Vulkan.
void pair_flat(std::vector<Found>& of_a, std::vector<Found>& of_b, std::vector<RowPair>& pairs);
void pair_resources(const Side& a, const Side& b, Pairing& pairing);

}  // namespace unshade::suite::equivalence
