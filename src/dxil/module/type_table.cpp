#include "dxil/module/type_table.hpp"

#include <bit>

#include "dxil/module/record_operands.hpp"

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
  // Of globals it is the largest type that they have. src: DXC BitcodeWriter.cpp, WriteBlockInfo and WriteTypeTable
  const bool has_types = block == bitcode::block_id::constants || block == bitcode::block_id::function || block == bitcode::block_id::types;
  if (!has_types || layout.empty() || layout[0].encoding != Encoding::literal) return 0;
  OperandLetters letters(bitcode::record_operands(static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(layout[0].value)));
  for (std::size_t i = 1; i < layout.size(); ++i) {
    if (layout[i].encoding == Encoding::array && ++i == layout.size()) return 0;
    if (is_type(letters.next())) return layout[i].encoding == Encoding::fixed ? i : 0;
  }
  return 0;
}

}  // namespace unshade::dxil::module
