// Lanes of a set of inputs: what is generated for signatures and built-ins.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include <unshade/core/value.hpp>
#include <unshade/run/inputs.hpp>

#include "suite/equivalence/interfaces.hpp"
#include "suite/equivalence/numbers.hpp"

namespace unshade::suite::equivalence {

class LaneGenerator {
 public:
  /// Borrows all of them.
  LaneGenerator(const Subject& a, const Subject& b, const Pairing& pairing, const Value& given);
  /// The lanes of a case for the first shader.
  Value make(Numbers& numbers) const;

 private:
  std::uint32_t vertices_of_lane() const;
  Value several(const std::vector<RowPair>& rows, const run::InputKeys& keys, std::uint32_t count, std::uint32_t lane,
                Numbers& numbers) const;
  void add_rows(const std::vector<RowPair>& rows, const run::InputKeys& keys, std::uint32_t lane, Value& to, Numbers& numbers) const;
  Value component(const ir::Element& element, std::uint32_t lane, Numbers& numbers) const;
  void add_built_ins(std::uint32_t lane, Value& to, Numbers& numbers) const;

  const ir::Module& module_;
  const Pairing& pairing_;
  const run::InputKeys inputs_, outputs_, patch_;
  const Value& given_;
  std::set<ir::Builtin> of_a_;      ///< that the code of the first mentions
  std::set<ir::Builtin> builtins_;  ///< that one of both mentions, or has as an element
  std::set<ir::Builtin> shadowed_;  ///< whose names inputs of the first have
};

}  // namespace unshade::suite::equivalence
