// Random programs whose lanes go different ways, and a machine of one lane that says what each lane must do.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::vm::test {

/// Lanes of the programs, and words that each lane stores at its end.
inline constexpr unsigned kLanes = 8;
inline constexpr unsigned kResults = 8;

/// How random programs are made.
struct RandomShape {
  bool loops_of_many_entries = false;  ///< edges back to any block
  unsigned impure = 40;                ///< percent of operations that change private memory, which running twice shows
};

/// A compute shader that ends: edges back are taken in the first rounds only.
inline ir::Module random_waves(std::uint32_t seed, const RandomShape& shape) {
  using ir::Id;
  using ir::Op;
  using ir::Type;
  std::mt19937 random(seed);
  const auto below = [&](std::size_t count) { return static_cast<std::uint32_t>(random() % count); };
  ir::Module module;
  module.stage = Stage::compute;
  module.info.group_size = {kLanes, 1, 1};
  module.variables.push_back({"memory", ir::Space::private_, 0, 16, {}});
  ir::Resource results;
  results.name = "results";
  results.kind = dxcontainer::ResourceKind::uav_byte_address;
  results.dimension = dxcontainer::ResourceDimension::raw_buffer;
  module.resources.push_back(results);
  ir::Function& function = module.functions.emplace_back();
  function.name = "main";
  ir::Builder b(function);
  ir::SsaVariables variables(b);
  constexpr unsigned kVariables = 4;
  for (unsigned i = 0; i <= kVariables; ++i) variables.declare(Type::i32);  // the last counts rounds
  const unsigned blocks = 4 + below(15);
  for (unsigned i = 0; i < blocks; ++i) b.block();
  const auto binary = [&](Op op, Id x, Id y) { return b.inst(op, Type::i32, {x, y}); };
  const auto any_variable = [&] { return variables.read(below(kVariables)); };
  Id lane = ir::kNone;
  // The headers of loops, of which the innermost open one is last; a block in a loop may go back to it.
  std::vector<std::pair<unsigned, unsigned>> loops;
  for (unsigned first = 1; first + 2 < blocks; ++first)
    if (below(3) == 0) loops.emplace_back(first, std::min(blocks - 2, first + 1 + below(6)));
  for (unsigned block = 0; block < blocks; ++block) {
    b.at(block);
    if (block == 0) {
      lane = b.inst(Op::builtin, Type::i32, {}, {.extra = ir::BuiltinExtra(ir::Builtin::local_index, 0).bits()});
      for (unsigned i = 0; i < kVariables; ++i)
        variables.write(i, binary(Op::imul, binary(Op::iadd, lane, b.i32(i * 13 + 1)), b.i32(0x9e37'79b1U + 2 * i)));
      variables.write(kVariables, b.i32(0));
    }
    for (unsigned n = below(4); n != 0; --n) {
      if (below(100) < shape.impure) {
        const Id offset = b.i32(4 * below(4));
        const Id old = b.inst(Op::load, Type::i32, {offset}, {.extra = 0});
        const Id now = binary(Op::iadd, binary(Op::imul, old, b.i32(0x85eb'ca6bU)), any_variable());
        b.inst(Op::store, Type::i32, {offset, now}, {.extra = 0});
        variables.write(below(kVariables), below(2) == 0 ? old : now);
      } else {
        constexpr Op kOperations[] = {Op::iadd, Op::isub, Op::imul, Op::ixor};
        const Id x = any_variable();
        const Id y = below(3) == 0 ? b.i32(static_cast<std::uint32_t>(random())) : any_variable();
        variables.write(below(kVariables), binary(kOperations[below(4)], x, y));
      }
    }
    // Some return early.
    if (block + 1 == blocks || (block > 2 && below(16) == 0)) {
      const Id buffer = b.inst(Op::handle, Type::void_, {b.i32(0)}, {.extra = 0});
      for (unsigned i = 0; i < kResults; ++i) {
        const Id value = i < 4 ? variables.read(i) : b.inst(Op::load, Type::i32, {b.i32(4 * (i - 4))}, {.extra = 0});
        const Id first = binary(Op::imul, lane, b.i32(4 * kResults));
        b.inst(Op::buffer_store, Type::i32, {buffer, binary(Op::iadd, first, b.i32(4 * i)), value});
      }
      b.return_values();
      continue;
    }
    const Id round = binary(Op::iadd, variables.read(kVariables), b.i32(1));
    variables.write(kVariables, round);
    // Forward edges enter loops at their headers, unless any edge may be there.
    const auto forward = [&] {
      std::vector<unsigned> targets;
      for (unsigned to = block + 1; to < blocks && to <= block + 4; ++to) {
        const bool enters = std::ranges::any_of(loops, [&](const auto& loop) {
          return loop.first < to && to <= loop.second && !(loop.first <= block && block <= loop.second);
        });
        if (!enters || shape.loops_of_many_entries) targets.push_back(to);
      }
      return targets.empty() ? block + 1 : targets[below(targets.size())];
    };
    std::vector<unsigned> back;
    for (const auto& [first, last] : loops)
      if (first <= block && block <= last) back.push_back(first);
    if (shape.loops_of_many_entries && block > 1) back.push_back(1 + below(block));
    const bool goes_back = !back.empty() && below(2) == 0;
    if (!goes_back && below(3) == 0) {
      b.jump(forward());
      continue;
    }
    const Id shifted = binary(Op::ushr, any_variable(), b.i32(7));
    const Id bits = binary(Op::iand, binary(Op::ixor, any_variable(), shifted), b.i32(3));
    if (!goes_back && below(4) == 0) {
      const unsigned otherwise = forward();
      std::vector<std::uint32_t> cases;
      for (std::uint32_t label = 0; label < 3; ++label) {
        const Id constant = b.i32(label);
        cases.insert(cases.end(), {constant, forward()});
      }
      b.switch_on(bits, otherwise, cases);
      continue;
    }
    Id condition = binary(Op::ieq, bits, b.i32(below(4)));
    if (goes_back) condition = b.inst(Op::iand, Type::b1, {b.inst(Op::inot, Type::b1, {condition}), binary(Op::ult, round, b.i32(40))});
    const unsigned taken = goes_back ? back[below(back.size())] : forward();
    b.branch(condition, taken, forward());
  }
  variables.finish();
  return module;
}

/// What a lane stores, by a machine that knows one lane. Nothing if it takes too long.
inline std::optional<std::array<std::uint32_t, kResults>> run_lane(const ir::Module& module, unsigned lane) {
  using ir::Id;
  using ir::Op;
  const ir::Function& function = module.functions[0];
  std::vector<std::uint32_t> value(function.insts.size());
  for (Id id = 0; id < value.size(); ++id)
    if (function.insts[id].op == Op::constant) value[id] = static_cast<std::uint32_t>(ir::constant_bits(function, id));
  std::array<std::uint32_t, 4> memory{};
  std::array<std::uint32_t, kResults> results{};
  ir::BlockId from = ir::kNone;
  ir::BlockId block = 0;
  std::vector<std::pair<Id, std::uint32_t>> phis;
  for (unsigned steps = 0; steps < 5000; ++steps) {
    ir::BlockId next = ir::kNone;
    phis.clear();
    for (Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) {
      const auto operands = function.operands_of(id);
      const auto of = [&](std::size_t at) { return value[operands[at]]; };
      if (function.insts[id].op != Op::phi) {
        for (const auto& [phi, now] : phis) value[phi] = now;
        phis.clear();
      }
      switch (function.insts[id].op) {
        case Op::phi: {
          const auto origins = function.predecessors_of(block);
          phis.emplace_back(id, of(static_cast<std::size_t>(std::ranges::find(origins, from) - origins.begin())));
          break;
        }
        case Op::builtin: value[id] = lane; break;
        case Op::iadd: value[id] = of(0) + of(1); break;
        case Op::isub: value[id] = of(0) - of(1); break;
        case Op::imul: value[id] = of(0) * of(1); break;
        case Op::ixor: value[id] = of(0) ^ of(1); break;
        case Op::iand: value[id] = of(0) & of(1); break;
        case Op::ushr: value[id] = of(0) >> (of(1) & 31); break;
        case Op::ieq: value[id] = of(0) == of(1) ? 1 : 0; break;
        case Op::ult: value[id] = of(0) < of(1) ? 1 : 0; break;
        case Op::inot: value[id] = of(0) ^ 1; break;
        case Op::load: value[id] = memory[of(0) / 4]; break;
        case Op::store: memory[of(0) / 4] = of(1); break;
        case Op::buffer_store: results[of(1) / 4 % kResults] = of(2); break;
        case Op::jump: next = operands[0]; break;
        case Op::branch: next = operands[of(0) != 0 ? 1 : 2]; break;
        case Op::switch_:
          next = operands[1];
          for (std::size_t at = 2; at < operands.size(); at += 2)
            if (of(at) == of(0)) next = operands[at + 1];
          break;
        case Op::return_: return results;
        default: break;
      }
    }
    from = std::exchange(block, next);
  }
  return std::nullopt;
}

}  // namespace unshade::vm::test
