// Random modules, and a machine of one lane that runs them: what passes have to keep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::ir::test {

/// A function of i32 variables that are assigned in random blocks, with any edges. Stores show what it does. `exchanges`: variables are
/// also exchanged with each other.
inline Module random_module(std::uint32_t seed, unsigned blocks, bool exchanges = false) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t count) { return static_cast<std::uint32_t>(random() % count); };
  Module module;
  module.stage = Stage::compute;
  module.variables.push_back({"out", Space::group, 0, 4, {}});
  Function& function = module.functions.emplace_back();
  function.name = "main";
  Builder builder(function);
  SsaVariables variables(builder);
  constexpr unsigned kVariables = 4;
  for (unsigned i = 0; i < kVariables; ++i) variables.declare(Type::i32);
  for (unsigned i = 0; i < blocks; ++i) builder.block();
  // edges back are rarer, so that programs end
  const auto target = [&](unsigned from) {
    return below(4) == 0 ? 1 + below(blocks - 1) : from + 1 + below(std::min(4U, blocks - from - 1));
  };
  for (unsigned block = 0; block < blocks; ++block) {
    builder.at(block);
    if (block == 0) {
      for (unsigned i = 0; i < kVariables; ++i) variables.write(i, builder.i32(i * 7 + 1));
    }
    for (unsigned n = below(3); n != 0; --n) {
      constexpr Op kOperations[] = {Op::iadd, Op::isub, Op::imul, Op::ixor, Op::ishl};
      const Id a = variables.read(below(kVariables));
      const Id b = below(3) == 0 ? builder.i32(below(9)) : variables.read(below(kVariables));
      variables.write(below(kVariables), builder.inst(kOperations[below(5)], Type::i32, {a, b}));
    }
    if (exchanges && below(2) == 0) {
      const std::uint32_t one = below(kVariables), other = below(kVariables);
      const Id before = variables.read(one);
      variables.write(one, variables.read(other));
      variables.write(other, before);
    }
    if (below(3) == 0) builder.inst(Op::store, Type::i32, {builder.i32(0), variables.read(below(kVariables))}, {.extra = 0});
    if (block + 1 == blocks || below(16) == 0) {
      builder.return_values();
    } else if (below(3) == 0) {
      builder.jump(target(block));
    } else {
      const Id even = builder.inst(Op::iand, Type::i32, {variables.read(below(kVariables)), builder.i32(1U << below(3))});
      const Id condition = builder.inst(Op::ieq, Type::i32, {even, builder.i32(0)});
      const auto a = target(block);
      const auto b = target(block);
      builder.branch(condition, a, b);
    }
  }
  variables.finish();
  return module;
}

/// What a function stored, and whether it returned within the steps allowed.
struct Run {
  std::vector<std::uint32_t> stored;
  bool returned = false;
};

/// Runs a function of such a module.
inline Run run(const Function& function, std::size_t steps) {
  Run result;
  std::vector<std::uint32_t> value(function.insts.size());
  for (Id id = 0; id < value.size(); ++id) {
    if (function.insts[id].op == Op::constant) value[id] = static_cast<std::uint32_t>(constant_bits(function, id));
  }
  BlockId from = kNone;
  BlockId block = 0;
  std::vector<std::pair<Id, std::uint32_t>> phis;
  while (steps-- != 0) {
    phis.clear();
    BlockId next = kNone;
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) {
      const auto operands = function.operands_of(id);
      const auto of = [&](std::size_t at) { return value[operands[at]]; };
      if (function.insts[id].op != Op::phi) {
        for (const auto& [phi, now] : phis) value[phi] = now;
        phis.clear();
      }
      switch (function.insts[id].op) {
        case Op::phi: {
          const auto origins = function.predecessors_of(block);
          for (std::size_t at = 0; at < origins.size(); ++at) {
            if (origins[at] == from) phis.emplace_back(id, of(at));
          }
          break;
        }
        case Op::iadd: value[id] = of(0) + of(1); break;
        case Op::isub: value[id] = of(0) - of(1); break;
        case Op::imul: value[id] = of(0) * of(1); break;
        case Op::ixor: value[id] = of(0) ^ of(1); break;
        case Op::iand: value[id] = of(0) & of(1); break;
        case Op::ishl: value[id] = of(0) << (of(1) & 31); break;
        case Op::ieq: value[id] = of(0) == of(1) ? 1 : 0; break;
        case Op::ine: value[id] = of(0) != of(1) ? 1 : 0; break;
        case Op::inot: value[id] = function.insts[id].type == Type::b1 ? of(0) ^ 1 : ~of(0); break;
        case Op::select: value[id] = of(0) != 0 ? of(1) : of(2); break;
        case Op::store: result.stored.push_back(of(1)); break;
        case Op::jump: next = operands[0]; break;
        case Op::switch_:
          next = operands[1];
          for (std::size_t at = 2; at + 1 < operands.size(); at += 2)
            if (of(at) == of(0)) next = operands[at + 1];
          break;
        case Op::branch: next = operands[of(0) != 0 ? 1 : 2]; break;
        default: result.returned = true; return result;
      }
    }
    from = std::exchange(block, next);
  }
  return result;
}

/// Whether two runs that may have been cut off at different places do the same.
inline bool agree(const Run& a, const Run& b) {
  const std::size_t common = std::min(a.stored.size(), b.stored.size());
  if (!std::equal(a.stored.begin(), a.stored.begin() + static_cast<std::ptrdiff_t>(common), b.stored.begin())) return false;
  return !(a.returned && b.returned) || a.stored.size() == b.stored.size();
}

}  // namespace unshade::ir::test
