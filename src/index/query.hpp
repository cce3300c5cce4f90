// Rows of shaders, and what they are found by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/find/facts.hpp>
#include <unshade/find/sketch.hpp>

#include <unshade/index/search.hpp>

#include "index/schema.hpp"

namespace unshade::index {

/// The bytes that a name of a shader stands for, whatever its spelling: `0x5BA01B57`, `fs.7a74...`, `ac5d747a-ff0df274-...`. Nothing if
/// these are no digits, or fewer than eight.
std::optional<std::vector<std::byte>> identity_bytes(std::string_view text);

/// How like a shader is.
struct Likeness {
  std::int64_t id = 0;
  double similarity = 0;  ///< of the sketches, from 0 to 1
};
/// Of the shaders `among`, those that are as similar, the most similar first; of the same family alone.
std::vector<Likeness> like(Connection& database, const find::Sketch& sketch, shader::Family family, double threshold,
                           const std::vector<std::int64_t>& among);

/// Reads rows, one after the other.
class Rows {
 public:
  explicit Rows(Connection& database);
  FoundRow of(std::int64_t id);
  /// The bytes of a shader that the database keeps; nothing if it keeps none.
  std::optional<std::vector<std::byte>> bytes_of(const FoundRow& row);

 private:
  Statement shader_, places_;
  std::optional<Statement> bytes_;
};

}  // namespace unshade::index
