// Which operands an instruction has: the letters of its row, with what its extra field adds.
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <unshade/ir/module.hpp>
#include <unshade/ir/texture_operands.hpp>

namespace unshade::ir {
namespace {

// Operations that have all operands of their rows, and no others.
constexpr auto kIsFixed = [] {
  std::array<bool, kOps> fixed{};
  for (std::size_t op = 0; op < kOps; ++op) {
    const bool is_own = static_cast<Op>(op) == Op::switch_ || static_cast<Op>(op) == Op::interpolate;
    fixed[op] = !is_own && info(static_cast<Op>(op)).operands.find_first_of("?*") == std::string_view::npos;
  }
  return fixed;
}();

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

// Letters of the operands of an operation on a texture; `count`: of all operands.
struct TextureLetters {
  std::string& letters;
  std::size_t count;

  template <class Values>
  void values(char letter, const Values&, unsigned some) {
    letters.append(some, letter);
  }
  void value(char letter, char, bool is_there) { letters.append(is_there ? 1 : 0, letter); }
  template <class Values>
  void rest(char letter, const Values&) {
    letters.append(count - std::min(count, letters.size()), letter);
  }
};

}  // namespace

bool operand_letters(const Inst& inst, std::string& letters) {
  const OpInfo& row = info(inst.op);
  const std::string_view shape = row.operands;
  const std::size_t count = inst.operand_count;
  if (kIsFixed[static_cast<std::size_t>(inst.op)]) {
    letters = shape;
    return letters.size() == count;
  }
  letters.clear();
  if (inst.op == Op::switch_) {
    for (std::size_t at = 0; at < count; ++at) letters += at % 2 == 0 ? 't' : '^';
    return count >= 2 && count % 2 == 0;
  }
  if (row.extra == Extra::texture && shape.find('*') != std::string_view::npos) {
    letters = shape.substr(0, texture_handles(inst.op));
    TextureLetters archive{letters, count};
    TextureOperands<char> none;
    describe(archive, inst.op, TextureExtra(inst.extra), none);
    return letters.size() == count && (inst.op != Op::texel_store || letters.back() == 't');
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
