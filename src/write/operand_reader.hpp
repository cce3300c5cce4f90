// Operands of texture operations, which ir::visit_operands() hands out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include <unshade/ir/module.hpp>

namespace unshade::write {

/// Takes the operands of an instruction one after the other, those that are left.
struct OperandReader {
  std::span<const ir::Id> left;

  void values(char, std::span<ir::Id> to, unsigned count) {
    std::ranges::copy(left.first(std::min<std::size_t>(count, left.size())), to.begin());
    left = left.subspan(std::min<std::size_t>(count, left.size()));
  }
  void value(char letter, ir::Id& to, bool is_there) { values(letter, {&to, 1}, is_there ? 1 : 0); }
  void rest(char letter, std::span<ir::Id> to) { values(letter, to, static_cast<unsigned>(std::min(to.size(), left.size()))); }
};

}  // namespace unshade::write
