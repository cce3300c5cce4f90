// Which operands an instruction has: the letters of its row, with what its extra field adds.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <unshade/ir/module.hpp>

namespace unshade::ir {
namespace {

// Whether the optional operand of this number is there; nothing if only the number of operands tells.
std::optional<bool> has_optional(const Inst& inst, unsigned number) {
  switch (inst.op) {
    case Op::atomic: return AtomicExtra(inst.extra).op == AtomicOp::compare_exchange;
    case Op::buffer_load:
    case Op::buffer_store:
    case Op::buffer_atomic: {
      const BufferExtra extra(inst.extra);
      return number == 0 ? extra.has_offset : extra.op == AtomicOp::compare_exchange;
    }
    case Op::query_size: return TextureExtra(inst.extra).has_lod;
    case Op::input:
    case Op::output:
    case Op::output_load: {
      const ElementExtra extra(inst.extra);
      return number == 0 ? extra.has_vertex : extra.has_row;
    }
    case Op::interpolate: return ElementExtra(inst.extra).has_row;
    default: return std::nullopt;
  }
}

// Operands after the handles of an operation on a texture, in the order that TextureExtra states.
void append_texture_letters(const Inst& inst, std::string& letters) {
  const TextureExtra extra(inst.extra);
  const bool on_texels = info(inst.op).operands[1] == 'i';
  const char number = on_texels ? 'i' : 'f';
  const unsigned dimensions = extra.dimension_count();
  letters.append(inst.op == Op::query_lod ? dimensions : extra.coordinate_count(), number);
  if (extra.has_bias) letters += 'f';
  if (extra.has_lod) letters += number;
  if (extra.has_gradient) letters.append(std::size_t{2} * dimensions, 'f');
  if (extra.has_offset) letters.append(std::size_t{extra.four_offsets ? 4U : 1U} * dimensions, 'i');
  if (extra.has_reference) letters += 'f';
  if (extra.has_min_lod) letters += 'f';
  if (extra.has_sample) letters += 'i';
  if (inst.op == Op::texel_atomic) letters.append(extra.op == AtomicOp::compare_exchange ? 2 : 1, 't');
}

}  // namespace

bool operand_letters(const Inst& inst, std::string& letters) {
  const OpInfo& row = info(inst.op);
  const std::string_view shape = row.operands;
  const std::size_t count = inst.operand_count;
  letters.clear();
  if (inst.op == Op::switch_) {
    for (std::size_t at = 0; at < count; ++at) letters += at % 2 == 0 ? 't' : '^';
    return count >= 2 && count % 2 == 0;
  }
  if (row.extra == Extra::texture && shape.find('*') != std::string_view::npos) {
    letters = shape.substr(0, shape.find_last_of('h') + 1);
    append_texture_letters(inst, letters);
    const bool stores = inst.op == Op::texel_store;
    if (stores && letters.size() < count) letters.append(count - letters.size(), 't');
    return letters.size() == count && (!stores || letters.back() == 't');
  }
  if (inst.op == Op::interpolate) {
    using enum ElementExtra::Place;
    const ElementExtra extra(inst.extra);
    if (extra.has_row) letters += 'i';
    letters.append(extra.place == sample ? 1 : extra.place == offset ? 2 : 0, 'u');
    return letters.size() == count;
  }
  const auto required = static_cast<std::size_t>(std::ranges::count_if(shape, [](char c) { return c != '?' && c != '*'; }) -
                                                 std::ranges::count_if(shape, [](char c) { return c == '?' || c == '*'; }));
  std::size_t spare = count > required ? count - required : 0;
  unsigned optionals = 0;
  for (std::size_t at = 0; at < shape.size(); ++at) {
    const char modifier = at + 1 < shape.size() ? shape[at + 1] : ' ';
    std::size_t times = 1;
    if (modifier == '?') {
      times = has_optional(inst, optionals++).value_or(spare != 0) ? 1 : 0;
    } else if (modifier == '*') {
      times = spare;
    }
    letters.append(times, shape[at]);
    if (modifier != '?' && modifier != '*') continue;
    spare -= std::min(spare, times);
    ++at;
  }
  return letters.size() == count;
}

Type letter_type(const Inst& inst, char letter) {
  switch (letter) {
    case 't': return inst.type;
    case 'b': return Type::b1;
    case 'i': return Type::i32;
    case 'f': return Type::f32;
    case 'h': return Type::handle;
    default: return Type::void_;
  }
}

}  // namespace unshade::ir
