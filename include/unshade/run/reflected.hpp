// The resources and constants of a program by what reflection says of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <unshade/ir/module.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::run {

/// The rows of a reflection by where they are bound, and those that are bound to the same by their names.
class ResourceRows {
 public:
  ResourceRows() = default;
  /// Borrows the reflection.
  explicit ResourceRows(const shader::Reflection& reflection);
  /// That of a resource; null if it has none.
  const shader::Resource* find(const ir::Resource& resource) const;

 private:
  std::map<std::tuple<char, std::uint32_t, std::uint32_t>, std::vector<const shader::Resource*>> rows_;
};
/// The reflection's row of a resource; null if it has none.
const shader::Resource* row_of(const ir::Resource& resource, const shader::Reflection& reflection);

/// A resource of a reflection as modules have them, whether or not the program has it. A combined image sampler is one of both.
ir::Resource as_declared(const shader::Resource& row, const shader::Reflection& reflection, bool is_sampler);

/// Where the variables of a buffer of reflection are in the memory of a resource.
struct ConstantPlace {
  std::uint32_t base = 0;     ///< bytes
  std::uint32_t packed = 1;   ///< divides offsets
  std::uint32_t stride = 16;  ///< bytes of which elements of arrays take a multiple
  std::uint32_t most = 0;     ///< the largest number that a register holds, from 0 on; 0: what the type holds
};
/// Nothing if they are not in it. `row`: the reflection's row of the resource, or null.
std::optional<ConstantPlace> constants_in(const ir::Resource& resource, const shader::Resource* row, const shader::Buffer& buffer,
                                          const shader::Reflection& reflection);

}  // namespace unshade::run
