// Recording: what is there already, or is the same in a simpler way, is not appended again.
#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <unshade/ir/recorded/recording.hpp>

#include "ir/recorded/scalar.hpp"

namespace unshade::ir::recorded {
namespace {

std::uint64_t ones(Lane type) { return lane_bytes(type) == 4 ? 0xffff'ffff : ~std::uint64_t{0}; }

std::uint64_t sign_of(Lane type) { return type == Lane::f32 ? 0x8000'0000 : std::uint64_t{1} << 63; }
std::uint64_t size_of(Lane type, std::uint64_t bits) { return bits & ~sign_of(type); }
std::uint64_t infinity_of(Lane type) { return type == Lane::f32 ? 0x7f80'0000 : 0x7ff0'0000'0000'0000; }

/// Neither zero, infinite nor NaN, nor a denormal, which a mode may flush.
bool is_normal(Lane type, std::uint64_t bits) {
  const std::uint64_t size = size_of(type, bits);
  return size >= (type == Lane::f32 ? 0x80'0000 : 0x10'0000'0000'0000) && size < infinity_of(type);
}
/// A number that no mode flushes.
bool is_plain(Lane type, std::uint64_t bits) {
  const std::uint64_t size = size_of(type, bits);
  return !is_float(type) || size == 0 || size == infinity_of(type) || is_normal(type, bits);
}
bool is_power_of_2(Lane type, std::uint64_t bits) {
  return is_normal(type, bits) && (bits & (type == Lane::f32 ? 0x7f'ffff : 0xf'ffff'ffff'ffff)) == 0;
}

/// Whether the value of constants is the same in each mode and way of rounding: of floats, that of comparisons and moves, conversions that
/// are exact, and products with powers of 2.
bool is_exact(Primitive primitive, Lane type, std::span<const Value* const> operands, std::uint64_t made) {
  const Value& a = *operands[0];
  switch (primitive) {
    case Primitive::bits:
    case Primitive::select: return true;
    case Primitive::call:
    case Primitive::second: return false;
    case Primitive::f_to_f:
      return is_plain(a.type, a.number) && is_plain(type, made) && scalar_value(primitive, a.type, type, {made}) == a.number;
    case Primitive::s_to_f: return type == Lane::f64 || static_cast<std::uint32_t>(a.number + 0x100'0000) <= 0x200'0000;
    case Primitive::mul: {
      if (!is_float(type)) return true;
      const std::uint64_t right = operands[1]->number;
      return is_normal(type, a.number) && is_normal(type, right) && is_normal(type, made) &&
             (is_power_of_2(type, a.number) || is_power_of_2(type, right));
    }
    default: return !is_float(type) && std::ranges::all_of(operands, [](const Value* one) { return is_plain(one->type, one->number); });
  }
}

/// Of floats too: which NaN a sum or product is does not matter, see numeric/nan.hpp.
bool is_commutative(Primitive primitive) {
  switch (primitive) {
    case Primitive::add:
    case Primitive::mul:
    case Primitive::and_:
    case Primitive::or_:
    case Primitive::xor_:
    case Primitive::eq:
    case Primitive::ne: return true;
    default: return false;
  }
}

bool is_constant(const Value& value) { return value.recorder == nullptr; }
bool same(const Value& a, const Value& b) { return a.recorder == b.recorder && a.type == b.type && a.number == b.number; }

/// An operand that is the value, or a constant that is: rules of integers, which hold for all bits.
std::optional<Value> operand_that_is(Primitive primitive, Lane type, const Value& a, const Value& b, const Value& c) {
  const auto is = [](const Value& v, std::uint64_t bits) { return is_constant(v) && v.number == bits; };
  const Value zero{nullptr, type, 0};
  if (primitive == Primitive::select) {
    if (is(a, ones(a.type)) || same(b, c)) return b;
    if (is(a, 0)) return c;
  }
  if (primitive == Primitive::bits && a.type == type) return a;
  if (is_float(type)) return std::nullopt;
  switch (primitive) {
    case Primitive::and_:
      if (is(a, 0) || is(b, 0)) return zero;
      if (is(b, ones(type)) || same(a, b)) return a;
      if (is(a, ones(type))) return b;
      break;
    case Primitive::or_:
      if (is(a, ones(type)) || is(b, ones(type))) return Value{nullptr, type, ones(type)};
      if (is(b, 0) || same(a, b)) return a;
      if (is(a, 0)) return b;
      break;
    case Primitive::xor_:
      if (same(a, b)) return zero;
      if (is(a, 0)) return b;
      if (is(b, 0)) return a;
      break;
    case Primitive::add:
      if (is(a, 0)) return b;
      if (is(b, 0)) return a;
      break;
    case Primitive::sub:
      if (same(a, b)) return zero;
      if (is(b, 0)) return a;
      break;
    case Primitive::mul:
      if (is(a, 0) || is(b, 0)) return zero;
      if (is(a, 1)) return b;
      if (is(b, 1)) return a;
      break;
    case Primitive::shl:
    case Primitive::shr_s:
    case Primitive::shr_u:
      if (is(b, 0) || is(a, 0)) return a;
      break;
    default: break;
  }
  return std::nullopt;
}

}  // namespace

Value Recorder::operand(Lane type) {
  recording_.operands.push_back(type);
  return find_or_append({.primitive = Primitive::operand, .type = type, .value = recording_.operands.size() - 1});
}

Value Recorder::find_or_append(const Node& node) {
  std::vector<Node>& nodes = recording_.nodes;
  auto found = std::ranges::find(nodes, node);
  if (found == nodes.end() && is_commutative(node.primitive)) {
    Node other = node;
    std::swap(other.operands[0], other.operands[1]);
    found = std::ranges::find(nodes, other);
  }
  const auto number = static_cast<std::size_t>(found - nodes.begin());
  if (found == nodes.end()) nodes.push_back(node);
  return {this, node.type, number};
}

std::uint32_t Recorder::node_of(const Value& value) {
  const Value node = is_constant(value) ? find_or_append({.type = value.type, .value = value.number}) : value;
  return static_cast<std::uint32_t>(node.number);
}

std::optional<std::uint64_t> exact_value(Primitive primitive, Lane type, const Value& a, const Value& b, const Value& c) {
  const std::uint64_t made = scalar_value(primitive, type, a.type, {a.number, b.number, c.number});
  const Value* const operands[] = {&a, &b, &c};
  return is_exact(primitive, type, std::span(operands).first(operand_count(primitive)), made) ? std::optional(made) : std::nullopt;
}

Value record(Primitive primitive, Lane type, const Value& a, const Value& b, const Value& c) {
  const std::size_t count = operand_count(primitive);
  Recorder* recorder = a.recorder;
  if (recorder == nullptr && count > 1) recorder = b.recorder;
  if (recorder == nullptr && count > 2) recorder = c.recorder;
  if (recorder == nullptr) {
    const auto made = exact_value(primitive, type, a, b, c);
    assert(made && "a rule computes a constant, which the compiler should have");
    return {nullptr, type, made.value_or(0)};
  }
  if (const auto found = operand_that_is(primitive, type, a, b, c)) return *found;
  if (!is_constant(a)) {
    const Node& first = recorder->recording_.nodes[a.number];
    const auto operand = [&](std::size_t at) {
      return Value{recorder, recorder->recording_.nodes[first.operands[at]].type, first.operands[at]};
    };
    // the bits of bits, the complement of a complement, and the half of what was extended
    const bool is_inverse =
        (primitive == Primitive::not_ && first.primitive == Primitive::not_) ||
        (primitive == Primitive::truncate && (first.primitive == Primitive::extend_s || first.primitive == Primitive::extend_u));
    if (is_inverse) return operand(0);
    const bool is_plus_0 = primitive == Primitive::sub && is_float(type) && is_constant(b) && b.number == 0;
    if (is_plus_0 && computes(first.primitive, type)) return a;
    if (primitive == Primitive::bits && first.primitive == Primitive::bits) return record(primitive, type, operand(0));
    if (primitive == Primitive::select && first.primitive == Primitive::not_) return record(primitive, type, operand(0), c, b);
  }
  Node node{.primitive = primitive, .type = type};
  const Value* const values[] = {&a, &b, &c};
  for (std::size_t at = 0; at < count; ++at) node.operands[at] = recorder->node_of(*values[at]);
  if (is_commutative(primitive) && is_constant(a)) std::swap(node.operands[0], node.operands[1]);
  return recorder->find_or_append(node);
}

Value record_call(numeric::Function function, bool masked, Lane type, std::span<const Value> operands) {
  Node node{.primitive = Primitive::call, .type = type, .function = function, .masked = masked};
  Recorder* recorder = nullptr;
  for (const Value& one : operands)
    if (!is_constant(one)) recorder = one.recorder;
  assert(recorder != nullptr && "a rule calls a function of constants alone");
  for (std::size_t at = 0; at < operands.size(); ++at) node.operands[at] = recorder->node_of(operands[at]);
  return recorder->find_or_append(node);
}

namespace {

/// Puts nodes in an order that follows from the values alone: operands of the rule first, then each value after its operands, from left to
/// right. The order in which a rule records them is the compiler's, which evaluates the operands of a call in any order.
class Order {
 public:
  explicit Order(const std::vector<Node>& nodes) : nodes_(nodes), places_(nodes.size(), kNoNode) {}

  std::uint32_t place(std::uint32_t at) {
    if (places_[at] != kNoNode) return places_[at];
    Node node = nodes_[at];
    for (std::uint32_t& operand : node.operands)
      if (operand != kNoNode) operand = place(operand);
    ordered_.push_back(node);
    return places_[at] = static_cast<std::uint32_t>(ordered_.size() - 1);
  }
  std::vector<Node> take() && { return std::move(ordered_); }

 private:
  const std::vector<Node>& nodes_;
  std::vector<std::uint32_t> places_;
  std::vector<Node> ordered_;
};

}  // namespace

Recording Recorder::finish(std::span<const Value> results) {
  std::vector<std::uint32_t> ends;
  for (const Value& one : results) ends.push_back(node_of(one));
  const std::vector<Node>& nodes = recording_.nodes;
  std::vector<bool> needed(nodes.size());
  for (const std::uint32_t end : ends) needed[end] = true;
  for (std::size_t at = nodes.size(); at-- != 0;) {
    if (!needed[at]) continue;
    for (const std::uint32_t operand : nodes[at].operands)
      if (operand != kNoNode) needed[operand] = true;
  }
  Order order(nodes);
  for (std::uint32_t at = 0; at < nodes.size(); ++at)
    if (needed[at] && nodes[at].primitive == Primitive::operand) order.place(at);
  for (const std::uint32_t end : ends) recording_.results.push_back(order.place(end));
  recording_.nodes = std::move(order).take();
  return std::move(recording_);
}

}  // namespace unshade::ir::recorded
