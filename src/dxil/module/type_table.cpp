#include "dxil/module/type_table.hpp"

#include <bit>

namespace unshade::dxil::module {

void TypeOrder::add(std::uint32_t root) {
  struct Frame {
    std::uint32_t type;
    std::size_t next;
  };
  std::vector<Frame> stack;
  const auto push = [&](std::uint32_t type) {
    if (type >= numbers_.size() || numbers_[type] != kNone || is_open_[type]) return;
    const Type& entered = module_.types[type];
    is_open_[type] = entered.kind == TypeKind::structure && !entered.literal;
    stack.push_back({type, 0});
  };
  push(root);
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const auto parts = module_.parts_of(module_.types[frame.type]);
    if (frame.next < parts.size()) {
      push(parts[frame.next++]);
      continue;
    }
    // Types that lead to themselves may have been met again meanwhile.
    if (std::uint32_t& number = numbers_[frame.type]; number == kNone) {
      number = static_cast<std::uint32_t>(order_.size());
      order_.push_back(frame.type);
    }
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
