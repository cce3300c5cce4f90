#include "dxil/module/type_table.hpp"

#include <bit>

namespace unshade::dxil::module {

void TypeOrder::add(std::uint32_t root) {
  struct Frame {
    std::uint32_t type;
    std::size_t next;
  };
  if (number(root) || root >= numbers_.size()) return;
  std::vector<Frame> stack{{root, 0}};
  is_open_[root] = true;
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const auto parts = module_.parts_of(module_.types[frame.type]);
    if (frame.next < parts.size()) {
      const std::uint32_t part = parts[frame.next++];
      if (part >= numbers_.size() || numbers_[part] != kNone || is_open_[part]) continue;
      is_open_[part] = true;
      stack.push_back({part, 0});
      continue;
    }
    is_open_[frame.type] = false;
    numbers_[frame.type] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(frame.type);
    stack.pop_back();
  }
}

std::uint64_t TypeOrder::width_of(std::uint64_t types) { return static_cast<std::uint64_t>(std::bit_width(types)); }

std::size_t type_width_operand(std::uint64_t block, std::span<const AbbreviationOperand> layout) {
  struct Row {
    std::uint64_t block, code;
    std::size_t operand;
  };
  // src: DXC BitcodeWriter.cpp, WriteBlockInfo and WriteTypeTable
  constexpr Row kRows[] = {
      {bitcode::block_id::constants, bitcode::code::constants_set_type, 1},
      {bitcode::block_id::constants, bitcode::code::constants_cast, 2},
      {bitcode::block_id::function, bitcode::code::function_load, 2},
      {bitcode::block_id::function, bitcode::code::function_cast, 2},
      {bitcode::block_id::function, bitcode::code::function_getelementptr, 2},
      {bitcode::block_id::types, bitcode::code::types_pointer, 1},
      {bitcode::block_id::types, bitcode::code::types_function, 3},
      {bitcode::block_id::types, bitcode::code::types_literal_struct, 3},
      {bitcode::block_id::types, bitcode::code::types_named_struct, 3},
      {bitcode::block_id::types, bitcode::code::types_array, 2},
  };
  if (layout.empty() || layout[0].encoding != Encoding::literal) return 0;
  for (const Row& row : kRows)
    if (row.block == block && row.code == layout[0].value && row.operand < layout.size() && layout[row.operand].encoding == Encoding::fixed)
      return row.operand;
  return 0;
}

}  // namespace unshade::dxil::module
