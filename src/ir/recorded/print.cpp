// The table of primitives, and printing recordings.
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/ir/recorded/recording.hpp>
#include <unshade/ir/types.hpp>

#include "ir/recorded/scalar.hpp"
#include "ir/text/literals.hpp"

namespace unshade::ir::recorded {
namespace {

namespace columns {
constexpr std::uint8_t set_of(Lane type) { return static_cast<std::uint8_t>(1U << static_cast<unsigned>(type)); }
constexpr std::uint8_t none = 0;
constexpr std::uint8_t i32 = set_of(Lane::i32);
constexpr std::uint8_t i64 = set_of(Lane::i64);
constexpr std::uint8_t I = i32 | i64;
constexpr std::uint8_t F = set_of(Lane::f32) | set_of(Lane::f64);
constexpr std::uint8_t FI = F | I;
constexpr PrimitiveInfo kPrimitives[] = {
#define PRIMITIVE(id, text, shape, types, from, meaning) {text, shape, types, from, meaning},
#include <unshade/ir/recorded/primitives.def>
#undef PRIMITIVE
};
}  // namespace columns

class NodePrinter {
 public:
  NodePrinter(const Recording& recording, Text& out) : recording_(recording), out_(out) {}

  void run(std::string_view name) {
    out_ << "recording " << name << " {\n";
    std::uint32_t next = 0;
    for (std::size_t at = 0; at < recording_.nodes.size(); ++at) {
      numbers_.push_back(next);
      const Node& node = recording_.nodes[at];
      if (node.primitive == Primitive::constant) continue;
      out_ << "  ";
      value(static_cast<std::uint32_t>(at));
      out_ << " = ";
      print(node);
      out_ << '\n';
      ++next;
    }
    out_ << "  return";
    for (const std::uint32_t result : recording_.results) {
      out_ << ' ';
      value(result);
    }
    out_ << "\n}\n";
  }

 private:
  void value(std::uint32_t at) {
    const Node& node = recording_.nodes[at];
    if (node.primitive != Primitive::constant) {
      out_ << '%';
      out_.dec(numbers_[at]);
    } else if (is_float(node.type)) {
      print_literal(out_, node.type == Lane::f32 ? Type::f32 : Type::f64, node.value);
    } else if (node.value < 10) {
      out_.dec(node.value);
    } else {
      out_ << "0x";
      out_.hex(node.value);
    }
  }

  void print(const Node& node) {
    const PrimitiveInfo& row = info(node.primitive);
    out_ << row.text;
    if (node.primitive == Primitive::call) out_ << '.' << text(node.function);
    const Lane from = node.operands[0] == kNoNode ? node.type : recording_.nodes[node.operands[0]].type;
    out_ << '.' << text(row.shape[0] == 'm' ? from : node.type);
    if (row.from != 0 && node.primitive != Primitive::second) out_ << '.' << text(from);
    if (node.primitive == Primitive::operand) {
      out_ << ' ';
      out_.dec(node.value);
    }
    if (node.masked) out_ << " where";
    for (const std::uint32_t operand : node.operands) {
      if (operand == kNoNode) continue;
      out_ << ' ';
      value(operand);
    }
  }

  const Recording& recording_;
  std::vector<std::uint32_t> numbers_;  // of nodes that are no constants
  Text& out_;
};

}  // namespace

const PrimitiveInfo& info(Primitive primitive) { return columns::kPrimitives[static_cast<std::size_t>(primitive)]; }

std::size_t operand_count(Primitive primitive) { return info(primitive).shape.size() - 2; }

std::string_view text(Lane type) {
  constexpr std::string_view kTexts[] = {"i32", "i64", "f32", "f64"};
  return kTexts[static_cast<std::size_t>(type)];
}

std::string_view text(numeric::Function function) {
  constexpr std::string_view kTexts[] = {"fma", "fmod", "idiv", "large_angle", "ldexp", "s_to_f", "u_to_f", "udiv"};
  static_assert(std::size(kTexts) == numeric::kFunctions);
  return kTexts[static_cast<std::size_t>(function)];
}

void print(const Recording& recording, std::string_view name, Text& out) { NodePrinter(recording, out).run(name); }
std::string print(const Recording& recording, std::string_view name) {
  Text out;
  print(recording, name, out);
  return out.str();
}

}  // namespace unshade::ir::recorded
