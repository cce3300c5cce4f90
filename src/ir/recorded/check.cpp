// What a recording must be.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/ir/recorded/recording.hpp>

namespace unshade::ir::recorded {
namespace {

bool contains(std::uint8_t set, Lane type) { return (set >> static_cast<unsigned>(type) & 1) != 0; }

/// What is wrong with a node's types; empty if nothing is. Calls have the types of their functions.
std::string_view type_fault(const Node& node, const std::vector<Node>& nodes) {
  const PrimitiveInfo& row = info(node.primitive);
  const std::string_view operands = row.shape.substr(2);
  std::size_t count = 0;
  while (count < node.operands.size() && node.operands[count] != kNoNode) ++count;
  if (node.primitive == Primitive::call) return count == 0 ? "a call without operands" : "";
  if (count != operands.size()) return "a wrong number of operands";
  // of a comparison the operands have the type, and its bits are the result's
  const bool makes_mask = row.shape[0] == 'm';
  const Lane type = makes_mask ? nodes[node.operands[0]].type : node.type;
  if (!contains(row.types, type)) return "a type that the primitive does not have";
  if (makes_mask && node.type != bits_of(type)) return "a mask of another width";
  for (std::size_t at = 0; at < count; ++at) {
    const Node& operand = nodes[node.operands[at]];
    if (operands[at] == 't' && operand.type != type) return "an operand of another type";
    if (operands[at] == 'm' && operand.type != bits_of(type)) return "an operand that is no mask";
    if (operands[at] == 'u' && !contains(row.from, operand.type)) return "an operand of a type that is not converted";
  }
  if (node.primitive == Primitive::bits && lane_bytes(node.type) != lane_bytes(nodes[node.operands[0]].type))
    return "bits of another width";
  if (node.primitive == Primitive::f_to_f && node.type == nodes[node.operands[0]].type) return "a conversion to the same type";
  if (node.primitive == Primitive::second && nodes[node.operands[0]].primitive != Primitive::call) return "a second result of no call";
  return "";
}

}  // namespace

std::string fault_of(const Recording& recording) {
  const std::vector<Node>& nodes = recording.nodes;
  const auto fault = [](std::size_t at, std::string_view what) {
    Text text;
    text << "node ";
    text.dec(at) << ": " << what;
    return text.str();
  };
  std::vector<bool> needed(nodes.size());
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    for (const std::uint32_t operand : nodes[at].operands) {
      if (operand == kNoNode) continue;
      if (operand >= at) return fault(at, "an operand that is no node before it");
      needed[operand] = true;
    }
    if (const std::string_view what = type_fault(nodes[at], nodes); !what.empty()) return fault(at, what);
    const auto here = nodes.begin() + static_cast<std::ptrdiff_t>(at);
    if (std::find(nodes.begin(), here, nodes[at]) != here) return fault(at, "is there twice");
    if (nodes[at].primitive == Primitive::operand &&
        (nodes[at].value >= recording.operands.size() || recording.operands[nodes[at].value] != nodes[at].type))
      return fault(at, "an operand that the rule does not have");
  }
  for (const std::uint32_t result : recording.results) {
    if (result >= nodes.size()) return "a result that is no node";
    needed[result] = true;
  }
  const auto idle = std::find(needed.begin(), needed.end(), false);
  return idle == needed.end() ? std::string() : fault(static_cast<std::size_t>(idle - needed.begin()), "is not needed");
}

}  // namespace unshade::ir::recorded
