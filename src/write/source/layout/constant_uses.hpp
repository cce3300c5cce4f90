// Members of constant buffers of which nothing is known: what is read at once, is multiplied as a matrix, has a type.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <unshade/core/text/identifiers.hpp>
#include <unshade/ir/analysis/types.hpp>
#include <unshade/ir/analysis/vectors.hpp>
#include <unshade/ir/module.hpp>

#include "write/source/layout/layout.hpp"

namespace unshade::write::source {

/// How a module reads its constant buffers.
class ConstantUses {
 public:
  ConstantUses(const ir::Module& module, const ir::DeclaredTypes& types, ShadingLanguage language);

  /// A structure of `bytes` bytes with what is read as its members, which have what follows the buffer in their names: the register, `_3`,
  /// and components of it, `_4_zw`. Nothing if a register is computed, or numbers are not of 32 bits.
  std::optional<ByteLayout> layout_of(std::uint32_t resource, std::uint32_t bytes) const;

 private:
  /// A scalar of a buffer.
  struct Read {
    std::uint32_t resource = ir::kNone, word = 0;
    std::uint32_t at() const { return word / 4; }         ///< its register
    std::uint32_t component() const { return word % 4; }  ///< in that
    bool operator==(const Read&) const = default;
  };
  /// Registers that are multiplied with a vector, each by a component of it or for a component of the product.
  struct Matrix {
    std::uint32_t first = 0, count = 0, across = 0;
    auto operator<=>(const Matrix&) const = default;
  };
  struct Register {
    std::array<bool, 4> is_used{};
    std::array<std::uint8_t, 4> joined{0, 1, 2, 3};       ///< by component: the first of those that it is read with
    std::array<std::array<std::uint32_t, 3>, 4> votes{};  ///< by component: uses as a real, signed and unsigned number
  };
  struct Buffer {
    bool is_known = true;  ///< each register that is read
    std::map<std::uint32_t, Register> registers;
    std::map<Matrix, std::uint32_t> matrices;  ///< how often each is multiplied
  };
  using Ids = std::span<const ir::Id>;

  void look_at(std::size_t function);
  void record(std::size_t function, ir::Id value, std::uint32_t times);
  std::optional<Read> begin_of(const ir::Function& f, ir::Id load) const;
  std::optional<Read> read_of(const ir::Function& f, ir::Id id, bool through_signs) const;
  void join(const ir::Function& f, Ids list);
  void find_dots(const ir::Function& f, const ir::Vectors& vectors, Ids list);
  void find_sum(const ir::Function& f, Ids list);
  /// The register that values are components of, from its first on.
  std::optional<Read> row_of(const ir::Function& f, Ids list) const;
  std::vector<Matrix> matrices_of(const Buffer& buffer) const;

  const ir::Module& module_;
  const ir::DeclaredTypes& types_;
  const ShadingLanguage language_;
  std::map<std::uint32_t, Buffer> buffers_;  ///< by resource
  std::vector<std::optional<Read>> begins_;  ///< of loads, by id in the function that is looked at
};

}  // namespace unshade::write::source
