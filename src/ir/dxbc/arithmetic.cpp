// Instructions that work on registers alone.
#include <algorithm>

#include "ir/dxbc/lowering.hpp"

namespace unshade::ir::lower_dxbc {
namespace {

constexpr unsigned kIdentity[] = {1, 2, 3, 4, 5};
constexpr unsigned kSwapped[] = {2, 1};

unsigned sources_of(const Lanes& lanes) {
  unsigned which = 0;
  for (const Lane& lane : lanes) which |= 1U << lane.source;
  return which;
}

}  // namespace

// Of a vector instruction's component: whether the rounding of each operation is fixed, and which precision is enough.
Id Lowering::arithmetic(Op op, Type type, std::span<const std::uint32_t> operands, unsigned component) {
  Flags flags = Flags::none;
  if (is_float(type)) {
    if (declared_.strict || in_->precise().contains(component)) flags = flags | Flags::precise;
    if (in_->has_min_precision && operand(0).min_precision != 0) flags = flags | Flags::relaxed;
  }
  return b().inst(op, type, operands, {.flags = flags});
}

Id Lowering::arithmetic(Op op, Type type, std::initializer_list<std::uint32_t> operands, unsigned component) {
  return arithmetic(op, type, std::span<const std::uint32_t>(operands.begin(), operands.size()), component);
}

Type Lowering::letter_type(unsigned at) const {
  switch (in_->info->shape[at]) {
    case 'f': return Type::f32;
    case 'g': return Type::f64;
    case 'm': return kAnyType;
    default: return Type::i32;
  }
}

Values Lowering::source_by_letter(unsigned at, unsigned lanes) {
  const Type type = letter_type(at);
  return type == Type::f64 ? doubles(operand(at), lanes) : source(operand(at), lanes, type);
}

// `op` for each lane of the destination; its operands are those of the instruction in the order given.
void Lowering::each(Op op, std::span<const unsigned> order) {
  const bool is_wide = letter_type(1) == Type::f64;
  const Type type = is_wide ? Type::f64 : letter_type(1);
  const Lanes lanes = lanes_of(operand(0), is_wide && info(op).results == "t", is_wide);
  std::array<Values, 5> read{};
  for (std::size_t at = 0; at < order.size(); ++at) read[at] = source_by_letter(order[at], sources_of(lanes));
  std::array<Id, 4> made{};
  for (unsigned at = 0; at < lanes.count; ++at) {
    std::array<std::uint32_t, 5> operands{};
    for (std::size_t place = 0; place < order.size(); ++place) operands[place] = read[place][lanes.items[at].source];
    const auto scope = b().component(lanes.items[at].component);
    made[at] = arithmetic(op, type, std::span<const std::uint32_t>(operands.data(), order.size()), lanes.items[at].component);
  }
  write_lanes(operand(0), lanes, made);
}

void Lowering::componentwise(Op op) { each(op, {kIdentity, in_->operand_count - std::size_t{1}}); }
void Lowering::swapped(Op op) { each(op, kSwapped); }

void Lowering::by_component(ir::Meaning meaning) {
  const Lanes lanes = lanes_of(operand(0), false, false);
  std::array<Values, 3> read{};
  const std::size_t count = std::min<std::size_t>(in_->operand_count - 1U, read.size());
  for (std::size_t at = 0; at < count; ++at) read[at] = source_by_letter(static_cast<unsigned>(at) + 1, sources_of(lanes));
  std::array<Id, 4> made{};
  for (unsigned at = 0; at < lanes.count; ++at) {
    std::array<Id, 3> operands{};
    for (std::size_t place = 0; place < count; ++place) operands[place] = read[place][lanes.items[at].source];
    const auto scope = b().component(lanes.items[at].component);
    made[at] = lower_meaning(b(), meaning, letter_type(1), std::span(operands).first(count));
  }
  write_lanes(operand(0), lanes, made);
}

void Lowering::move(Op) {
  const bool is_wide = letter_type(1) == Type::f64;
  const Lanes lanes = lanes_of(operand(0), is_wide, is_wide);
  const Values read = source_by_letter(1, sources_of(lanes));
  std::array<Id, 4> made{};
  for (unsigned at = 0; at < lanes.count; ++at) {
    const auto scope = b().component(lanes.items[at].component);
    Id value = read[lanes.items[at].source];
    // shown as what they are when stepped through: registers have no types
    if (b().type_of(value) == Type::i32 && is_real_output(operand(0), lanes.items[at].component)) value = b().as(Type::f32, value);
    made[at] = b().copied(value);
  }
  write_lanes(operand(0), lanes, made);
}

Id Lowering::choose(Id condition, Id if_true, Id if_false) {
  const bool is_constant = b().function().insts[if_true].op == Op::constant;
  const Type type = b().type_of(is_constant ? if_false : if_true);
  return b().inst(Op::select, type, {condition, b().as(type, if_true), b().as(type, if_false)});
}

void Lowering::select(Op) {
  const bool is_wide = letter_type(2) == Type::f64;
  const Lanes lanes = lanes_of(operand(0), is_wide, is_wide);
  unsigned tested = 0;
  for (unsigned at = 0; at < lanes.count; ++at) tested |= 1U << (is_wide ? at : lanes.items[at].source);
  const Values conditions = source(operand(1), tested, Type::i32);
  const Values if_true = source_by_letter(2, sources_of(lanes));
  const Values if_false = source_by_letter(3, sources_of(lanes));
  std::array<Id, 4> made{};
  for (unsigned at = 0; at < lanes.count; ++at) {
    const auto scope = b().component(lanes.items[at].component);
    const unsigned lane = lanes.items[at].source;
    made[at] = choose(truth(conditions[is_wide ? at : lane]), if_true[lane], if_false[lane]);
  }
  write_lanes(operand(0), lanes, made);
}

void Lowering::swap_if(Op) {
  const unsigned which = mask(operand(0)) | mask(operand(1));
  const Values conditions = source(operand(2), which, Type::i32);
  const Values x = source(operand(3), which, kAnyType);
  const Values y = source(operand(4), which, kAnyType);
  Values first = kNoValues;
  Values second = kNoValues;
  for (unsigned lane = 0; lane < 4; ++lane) {
    if ((which >> lane & 1) == 0) continue;
    const auto scope = b().component(lane);
    const Id condition = truth(conditions[lane]);
    first[lane] = choose(condition, y[lane], x[lane]);
    second[lane] = choose(condition, x[lane], y[lane]);
  }
  write_all(operand(0), first);
  write_all(operand(1), second);
}

void Lowering::dot_product(unsigned count) {
  const Lanes lanes = lanes_of(operand(0), false, false);
  if (lanes.count == 0) return;
  const unsigned which = (1U << count) - 1U;
  const Values x = source(operand(1), which, Type::f32);
  const Values y = source(operand(2), which, Type::f32);
  const unsigned component = lanes.items[0].component;
  Id sum = arithmetic(Op::fmul, Type::f32, {x[0], y[0]}, component);
  for (unsigned lane = 1; lane < count; ++lane) sum = arithmetic(Op::fmad, Type::f32, {x[lane], y[lane], sum}, component);
  const std::array<Id, 4> made{sum, sum, sum, sum};
  write_lanes(operand(0), lanes, made);
}

// Two destinations, each of which may be null: `make` gives both values of a lane.
template <class Make>
void Lowering::pairs(Make make) {
  const Operand& first = operand(0);
  const Operand& second = operand(1);
  const bool has_first = first.type != OperandType::null;
  const bool has_second = second.type != OperandType::null;
  const unsigned which = (has_first ? mask(first) : 0U) | (has_second ? mask(second) : 0U);
  const Values x = source_by_letter(2, which);
  const Values y = in_->operand_count > 3 ? source_by_letter(3, which) : kNoValues;
  std::array<Values, 2> made{kNoValues, kNoValues};
  for (unsigned lane = 0; lane < 4; ++lane) {
    if ((which >> lane & 1) == 0) continue;
    const auto scope = b().component(lane);
    const bool in_first = has_first && (mask(first) >> lane & 1) != 0;
    const bool in_second = has_second && (mask(second) >> lane & 1) != 0;
    make(x[lane], y[lane], in_first ? &made[0][lane] : nullptr, in_second ? &made[1][lane] : nullptr, lane);
  }
  for (unsigned place = 0; place < 2; ++place) {
    if (!(place == 0 ? has_first : has_second)) continue;
    const Lanes lanes = lanes_of(operand(place), false, false);
    std::array<Id, 4> values{};
    for (unsigned at = 0; at < lanes.count; ++at) values[at] = made[place][lanes.items[at].component];
    write_lanes(operand(place), lanes, values);
  }
}

void Lowering::sine_cosine(Op) {
  pairs([&](Id x, Id, Id* sine, Id* cosine, unsigned lane) {
    if (sine != nullptr) *sine = arithmetic(Op::fsin, Type::f32, {x}, lane);
    if (cosine != nullptr) *cosine = arithmetic(Op::fcos, Type::f32, {x}, lane);
  });
}

void Lowering::wide_multiply(Op op) {
  pairs([&](Id x, Id y, Id* high, Id* low, unsigned) {
    if (high != nullptr) *high = i(op, {x, y});
    if (low != nullptr) *low = i(Op::imul, {x, y});
  });
}

void Lowering::divide(Op) {
  pairs([&](Id x, Id y, Id* quotient, Id* remainder, unsigned) {
    if (quotient != nullptr) *quotient = i(Op::udiv, {x, y});
    if (remainder != nullptr) *remainder = i(Op::urem, {x, y});
  });
}

void Lowering::two_results(Op op) {
  pairs([&](Id x, Id y, Id* value, Id* carry, unsigned) {
    const Id both = i(op, {x, y});
    if (value != nullptr) *value = b().get(both, Type::i32, 0);
    if (carry != nullptr) *carry = b().get(both, Type::i32, 1);
  });
}

void Lowering::convert_to(Op op, Type to) {
  const Lanes lanes = lanes_of(operand(0), to == Type::f64, letter_type(1) == Type::f64);
  const Values read = source_by_letter(1, sources_of(lanes));
  std::array<Id, 4> made{};
  for (unsigned at = 0; at < lanes.count; ++at) {
    const auto scope = b().component(lanes.items[at].component);
    made[at] = arithmetic(op, to, {read[lanes.items[at].source]}, lanes.items[at].component);
  }
  write_lanes(operand(0), lanes, made);
}

// Width, offset and value stand in that order.
void Lowering::bit_field(Op op) {
  constexpr unsigned kValueOffsetWidth[] = {3, 2, 1};
  each(op, kValueOffsetWidth);
}

void Lowering::insert_bits(Op op) {
  constexpr unsigned kValueBaseOffsetWidth[] = {3, 4, 2, 1};
  each(op, kValueBaseOffsetWidth);
}

}  // namespace unshade::ir::lower_dxbc
