// In which order LLVM 3.7's writer meets types, attributes, constants and metadata. src: DXC ValueEnumerator.cpp
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/dxil/module.hpp>

#include "dxil/module/type_table.hpp"

namespace unshade::dxil::module {

/// `order[i]` is the i-th that is written, `ids` the place of each in that order or kNone if nothing leads to it.
struct Numbering {
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> ids;

  explicit Numbering(std::size_t count) : ids(count, kNone) {}
  bool has(std::uint32_t i) const { return ids[i] != kNone; }
  void add(std::uint32_t i) {
    ids[i] = static_cast<std::uint32_t>(order.size());
    order.push_back(i);
  }
};

struct WriteOrder {
  explicit WriteOrder(const Module& module)
      : types(module, module.types.size()),
        constants(module.constants.size()),
        metadata(module.metadata.size()),
        attribute_lists(module.attribute_lists.size()),
        attribute_groups(module.attribute_groups.size()) {}

  TypeOrder types;
  Numbering constants;  ///< all that anything leads to; ModuleEdit orders them
  Numbering metadata;
  Numbering attribute_lists;
  Numbering attribute_groups;
  bool has_string = false;
  bool has_location = false;
  bool has_generic = false;
};

/// Walks a module whose functions have no constants of their own.
WriteOrder find_write_order(const Module& module);

}  // namespace unshade::dxil::module
