// picasso's directives of constants: named ones, arrays of them, and values of registers.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pica/assemble/state.hpp"
#include "pica/characters.hpp"

namespace unshade::pica::assembler {

using namespace characters;

bool Assembler::values(UniformType type, Constant& constant) {
  for (std::uint32_t i = 0; i < 4; ++i) {
    blanks();
    const char* from = at_;
    if (type == UniformType::real) {
      constant.words[i] = real();
    } else {
      const std::int64_t value = decimal();
      if (at_ == from) warn(MessageKind::ignored_text, from, "expected a number, found " + found(from) + "; it counts as 0");
      if (value < -128 || value > 255)
        warn(MessageKind::constant_range, from,
             "expected a byte, found " + found(from) + "; it becomes " + std::to_string(static_cast<std::uint32_t>(value) & 0xff));
      constant.words[0] |= (static_cast<std::uint32_t>(value) & 0xff) << (8 * i);
    }
    skip_ignored(i < 3 ? "," : ")");
    if (at_end())
      return fail(i < 3 ? MessageKind::missing_parameter : MessageKind::syntax, at_, i < 3 ? "expected four numbers" : "expected )");
    ++at_;
  }
  skip_ignored("");
  constant.type = type == UniformType::real ? ConstantType::real : ConstantType::integer;
  return true;
}

bool Assembler::add_constant(const Constant& constant, const char* where) {
  auto& constants = unit().executable.constants.items;
  if (constants.size() >= kMostRecords && !exact_) return fail(MessageKind::too_many, where, "expected no more than 96 constants");
  constants.push_back(constant);
  return true;
}

bool Assembler::do_constant(UniformType type) {
  Unit& here = unit();
  const char* from = at_;
  if (at_end()) return fail(MessageKind::missing_parameter, at_, "expected a name");
  const std::string_view text = name();
  blanks();
  if (at_ == end_ || *at_ != '(')
    return at_end() ? fail(MessageKind::missing_parameter, at_, "expected four numbers in parentheses")
                    : fail(MessageKind::invalid_name, from, "expected a name, then (, found " + found(from));
  ++at_;
  Constant constant;
  if (!values(type, constant) || !fresh_name(text, from, "a name")) return false;
  Pool& pool = (here.shares_space ? vertex_pools_ : geometry_pools_).of[static_cast<std::size_t>(type)];
  const auto reg = pool.take_constant(1);
  if (!reg) return fail(MessageKind::no_room, from, "no register is left for the constant " + found(from));
  constant.register_index = static_cast<std::uint16_t>(*reg - (type == UniformType::real ? kFloat0 : kInteger0));
  return add_constant(constant, from) && add_alias(text, *reg, from);
}

bool Assembler::do_array() {
  if (!blocks_.empty() && blocks_.back().kind == Block::Kind::array) return do_array_element();
  const char* from = at_;
  if (at_end()) return fail(MessageKind::missing_parameter, at_, "expected a name");
  const std::string_view text = name();
  if (!is_name(text)) return fail(MessageKind::invalid_name, from, "expected a name, found " + found(from));
  blanks();
  if (at_ == end_ || *at_ != '[') return fail(MessageKind::syntax, at_, "expected [ after the name, found " + found(at_));
  ++at_;
  blanks();
  array_size_.reset();
  array_.clear();
  if (at_ != end_ && *at_ != ']') {
    const char* digits = at_;
    const std::int64_t size = decimal();
    skip_ignored("]");
    if (size <= 0 || size > 0xffff) return fail(MessageKind::uniform_size, digits, "expected a size of 1 or more, found " + found(digits));
    array_size_ = static_cast<std::uint32_t>(size);
  }
  if (at_ == end_ || *at_ != ']') return fail(MessageKind::syntax, at_, "expected ] after the size, found " + found(at_));
  ++at_;
  return no_more() && open(Block::Kind::array, from, text);
}

bool Assembler::do_array_element() {
  const char* from = at_;
  if (array_size_ && *array_size_ == array_.size())
    return fail(MessageKind::array_full, from, "expected .end: the array already has " + std::to_string(*array_size_) + " elements");
  if (at_end()) return fail(MessageKind::missing_parameter, at_, "expected four numbers in parentheses");
  if (*at_ != '(') return fail(MessageKind::array_element, at_, "expected (, found " + found(at_));
  ++at_;
  Constant constant;
  if (!values(UniformType::real, constant)) return false;
  if (array_.size() >= kMostRecords) return fail(MessageKind::no_room, from, "expected no more than 96 elements");
  array_.push_back(constant);
  return true;
}

bool Assembler::end_array() {
  Unit& here = unit();
  std::vector<Constant> elements = std::move(array_);
  array_.clear();
  const std::uint32_t size = array_size_.value_or(0);
  array_size_.reset();
  const char* where = line_start_;
  const std::string_view text = array_name_;
  if (aliases_.find(text) != nullptr)
    return fail(MessageKind::duplicate_name, where, "expected a new name for the array: `" + std::string(text) + "` is already defined");
  if (size > kFloatConstants) return fail(MessageKind::no_room, where, "expected no more than 96 elements");
  if (elements.size() < size) {
    Constant zero;
    zero.type = ConstantType::real;
    elements.resize(size, zero);
  }
  if (elements.empty()) return fail(MessageKind::empty_array, where, "expected an element in array `" + std::string(text) + '`');
  Pool& pool = (here.shares_space ? vertex_pools_ : geometry_pools_).of[static_cast<std::size_t>(UniformType::real)];
  const auto first = pool.take_constant(static_cast<std::uint32_t>(elements.size()));
  if (!first) return fail(MessageKind::no_room, where, "no registers are left for the array `" + std::string(text) + '`');
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i].register_index = static_cast<std::uint16_t>(*first - kFloat0 + i);
    if (!add_constant(elements[i], where)) return false;
  }
  return add_alias(text, *first, where);
}

bool Assembler::do_set(UniformType type) {
  unit();
  Operand reg;
  if (!bare_register(reg, "a register")) return false;
  blanks();
  if (at_ == end_ || *at_ != '(')
    return fail(at_end() ? MessageKind::missing_parameter : MessageKind::syntax, at_,
                "expected four numbers in parentheses, found " + found(at_));
  ++at_;
  Constant constant;
  if (!values(type, constant)) return false;
  const std::uint32_t first = type == UniformType::real ? kFloat0 : kInteger0;
  const std::uint32_t count = type == UniformType::real ? kFloatConstants : kIntConstants;
  if (reg.reg < first || reg.reg >= first + count)
    return fail(MessageKind::invalid_uniform, reg.at,
                std::string("expected ") + (type == UniformType::real ? "c0 to c95" : "i0 to i3") + ", found " + found(reg.at));
  constant.register_index = static_cast<std::uint16_t>(reg.reg - first);
  return add_constant(constant, reg.at);
}

bool Assembler::do_setb() {
  unit();
  const char* from = at_;
  std::uint32_t reg = 0;
  if (!boolean(reg)) return false;
  blanks();
  const char* at_value = at_;
  if (at_end()) return fail(MessageKind::missing_parameter, at_, "expected true or false");
  const std::string_view text = name();
  const bool yes = same(text, "true") || same(text, "on") || text == "1";
  if (!yes && !same(text, "false") && !same(text, "off") && text != "0")
    return fail(MessageKind::invalid_bool, at_value, "expected true, false, on, off, 1 or 0, found " + found(at_value));
  return no_more() && add_constant(Constant::make_boolean(reg, yes), from);
}

}  // namespace unshade::pica::assembler
