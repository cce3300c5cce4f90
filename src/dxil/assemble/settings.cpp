// What a text cannot say, from the module that it is about.
#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

#include "dxil/assemble/parser.hpp"

namespace unshade::dxil::assembler {

namespace {

bool is_fast(const Instruction& i) { return (i.flags & flag::kFast) != 0; }

/// The flags that most have.
std::uint16_t usual_flags(std::span<const Instruction> instructions) {
  std::map<std::uint16_t, std::size_t> counts;
  for (const Instruction& i : instructions)
    if (is_fast(i)) ++counts[static_cast<std::uint16_t>(i.flags & flag::kFastMath)];
  if (counts.empty()) return flag::kFastMath;
  return std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; })->first;
}

std::span<const Instruction> instructions_of(const Module& module, const Body& body) {
  return std::span(module.instructions).subspan(body.instructions.first, body.instructions.count);
}

}  // namespace

void take_fast_flags(Module& m, const std::vector<bool>& stated, const Module& like) {
  std::unordered_map<std::string_view, const Body*> bodies;
  for (const Body& body : like.bodies) bodies.emplace(like.text(like.values[like.functions[body.function].value].name), &body);
  const std::uint16_t usual_of_module = usual_flags(like.instructions);
  const auto is_same = [](const Instruction& a, const Instruction& b) { return a.opcode == b.opcode && is_fast(a) == is_fast(b); };
  for (const Body& body : m.bodies) {
    const std::span now = std::span(m.instructions).subspan(body.instructions.first, body.instructions.count);
    const auto found = bodies.find(m.text(m.values[m.functions[body.function].value].name));
    const auto before = found == bodies.end() ? std::span<const Instruction>() : instructions_of(like, *found->second);
    const auto front = static_cast<std::size_t>(std::ranges::mismatch(now, before, is_same).in1 - now.begin());
    const std::size_t most = std::min(now.size(), before.size()) - front;
    std::size_t back = 0;
    while (back < most && is_same(now[now.size() - 1 - back], before[before.size() - 1 - back])) ++back;
    const std::uint16_t usual = std::ranges::any_of(before, is_fast) ? usual_flags(before) : usual_of_module;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const std::size_t number = body.instructions.first + i;
      if (!is_fast(now[i]) || (number < stated.size() && stated[number])) continue;
      std::uint16_t flags = usual;
      if (i < front)
        flags = before[i].flags;
      else if (i >= now.size() - back)
        flags = before[before.size() - (now.size() - i)].flags;
      now[i].flags = static_cast<std::uint16_t>((now[i].flags & ~flag::kFastMath) | (flags & flag::kFastMath));
    }
  }
}

}  // namespace unshade::dxil::assembler
