// Random functions do what their text would do: expressions in each other, one variable for each web, assignments on edges.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/analysis/facts.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

#include "ir/analysis/minimum_cut.hpp"
#include "unit/ir/random_module.hpp"

namespace unshade::ir {
namespace {

/// Runs a function as its text would run.
class TextRun {
 public:
  explicit TextRun(const Function& function)
      : f_(function),
        uses_(uses_of(function)),
        writings_(writings_of(function, uses_)),
        webs_(phi_webs_of(function, writings_)),
        variables_(function.insts.size(), 0),
        web_variables_(webs_.members.size(), 0),
        spares_(webs_.members.size(), 0) {}

  test::Run run(std::size_t steps) {
    BlockId block = 0;
    while (steps-- != 0) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        const Inst& inst = f_.insts[id];
        if (inst.op == Op::phi || writings_.of[id] == Writing::inside || writings_.of[id] == Writing::repeated) continue;
        if (inst.op == Op::store) {
          result_.stored.push_back(read(f_.operands_of(id)[1]));
        } else if (id == f_.blocks[block].last) {
          break;
        } else if (writings_.of[id] == Writing::named) {
          variable(id) = compute(id);
        }
      }
      const Id last = f_.blocks[block].last;
      const auto operands = f_.operands_of(last);
      if (f_.insts[last].op != Op::jump && f_.insts[last].op != Op::branch) {
        result_.returned = true;
        return result_;
      }
      const BlockId next = f_.insts[last].op == Op::jump ? operands[0] : operands[read(operands[0]) != 0 ? 1 : 2];
      const auto origins = f_.predecessors_of(next);
      const auto at = static_cast<std::size_t>(std::ranges::find(origins, block) - origins.begin());
      for (const WebAssignment& one : webs_.on_edge(f_, next, at)) {
        if (one.kind == MoveStep::Kind::keep) {
          spares_[one.web] = read(one.value);
        } else {
          web_variables_[one.web] = one.kind == MoveStep::Kind::restore ? spares_[one.web] : read(one.value);
        }
      }
      block = next;
    }
    return result_;
  }

 private:
  std::uint32_t& variable(Id id) { return webs_.web[id] == kNone ? variables_[id] : web_variables_[webs_.web[id]]; }

  std::uint32_t read(Id id) {
    if (f_.block_of[id] == kNone) return static_cast<std::uint32_t>(constant_bits(f_, id));
    const Writing writing = writings_.of[id];
    return f_.insts[id].op != Op::phi && (writing == Writing::inside || writing == Writing::repeated) ? compute(id) : variable(id);
  }

  std::uint32_t compute(Id id) {
    const auto operands = f_.operands_of(id);
    const auto of = [&](std::size_t at) { return read(operands[at]); };
    switch (f_.insts[id].op) {
      case Op::iadd: return of(0) + of(1);
      case Op::isub: return of(0) - of(1);
      case Op::imul: return of(0) * of(1);
      case Op::ixor: return of(0) ^ of(1);
      case Op::iand: return of(0) & of(1);
      case Op::ishl: return of(0) << (of(1) & 31);
      case Op::ieq: return of(0) == of(1) ? 1 : 0;
      case Op::ine: return of(0) != of(1) ? 1 : 0;
      default: ADD_FAILURE() << info(f_.insts[id].op).text; return 0;
    }
  }

  const Function& f_;
  const Uses uses_;
  const Writings writings_;
  const PhiWebs webs_;
  std::vector<std::uint32_t> variables_, web_variables_, spares_;
  test::Run result_;
};

TEST(IrAnalysisRandom, TextDoesWhatTheFunctionDoes) {
  std::size_t joined = 0, inside = 0, kept = 0, irreducible = 0;
  for (std::uint32_t seed = 0; seed < 6000; ++seed) {
    Module module = test::random_module(seed, 4 + seed % 20, seed % 3 == 0);
    canonicalize(module);
    if (seed % 2 == 0) passes::fold_constants(module);
    if (seed % 4 == 0) passes::simplify_flow(module);
    ASSERT_TRUE(findings_of(module).empty()) << seed;
    const Function& function = module.functions[0];
    irreducible += function.irreducible ? 1 : 0;
    const Writings writings = writings_of(function, uses_of(function));
    const PhiWebs webs = phi_webs_of(function, writings);
    for (const auto& members : webs.members) joined += members.size() - 1;
    for (const Writing writing : writings.of) inside += writing == Writing::inside ? 1 : 0;
    for (const WebAssignment& one : webs.assignments) kept += one.kind == MoveStep::Kind::keep ? 1 : 0;
    constexpr std::size_t kSteps = 400;
    const test::Run expected = test::run(function, kSteps);
    const test::Run found = TextRun(function).run(kSteps);
    ASSERT_EQ(found.stored, expected.stored) << seed << '\n' << print(module);
    ASSERT_EQ(found.returned, expected.returned) << seed;
    // rows: any that a function without vectors has by chance
    bring_together(module.functions[0], vectors_of(function));
    ASSERT_TRUE(findings_of(module).empty()) << seed;
    ASSERT_EQ(test::run(function, kSteps).stored, expected.stored) << seed;
  }
  EXPECT_GT(joined, 1000U);
  EXPECT_GT(inside, 1000U);
  EXPECT_GT(kept, 10U);
  EXPECT_GT(irreducible, 10U);
}

// Against all ways to part a small graph.
TEST(IrAnalysisRandom, CutsAreTheSmallest) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 2000; ++round) {
    struct Pull {
      std::uint32_t node;
      bool to_first;
    };
    const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
    const std::uint32_t count = 1 + below(9);
    MinimumCut cut;
    for (std::uint32_t node = 0; node < count; ++node) EXPECT_EQ(cut.add_node(), node);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> joins;
    std::vector<Pull> pulls;
    for (unsigned n = below(16); n != 0; --n) joins.emplace_back(below(count), below(count));
    for (unsigned n = below(10); n != 0; --n) pulls.push_back({below(count), below(2) == 0});
    for (const auto& [a, b] : joins) cut.join(a, b);
    for (const Pull& pull : pulls) cut.pull(pull.node, pull.to_first);
    const auto cost = [&](auto is_first) {
      std::size_t sum = 0;
      for (const auto& [a, b] : joins) sum += is_first(a) != is_first(b) ? 1 : 0;
      for (const Pull& pull : pulls) sum += is_first(pull.node) != pull.to_first ? 1 : 0;
      return sum;
    };
    std::size_t best = ~std::size_t{0};
    for (std::uint32_t ways = 0; ways < 1U << count; ++ways)
      best = std::min(best, cost([&](std::uint32_t node) { return (ways >> node & 1) != 0; }));
    const std::vector<bool> found = cut.solve(1U << 20);
    EXPECT_EQ(cost([&](std::uint32_t node) { return bool{found[node]}; }), best) << round;
  }
}

// Nothing recurses, and no depth takes more than its share of time.
TEST(IrAnalysisRandom, TakesAnyDepth) {
  Module module;
  module.stage = Stage::compute;
  module.variables.push_back({"out", Space::group, 0, 4, {}});
  Function& function = module.functions.emplace_back();
  function.name = "f";
  Builder builder(function);
  SsaVariables variables(builder);
  const auto x = variables.declare(Type::i32);
  constexpr unsigned kDepth = 20'000;
  builder.at(builder.block());
  variables.write(x, builder.inst(Op::load, Type::i32, {builder.i32(0)}, {.extra = 0}));
  std::vector<BlockId> merges;
  for (unsigned depth = 0; depth < kDepth; ++depth) {
    const Id is_odd = builder.inst(Op::ine, Type::i32, {variables.read(x), builder.i32(depth)});
    const BlockId then = builder.block();
    merges.push_back(builder.block());
    builder.branch(is_odd, then, merges.back());
    builder.at(then);
    variables.write(x, builder.inst(Op::iadd, Type::i32, {variables.read(x), builder.i32(1)}));
  }
  for (; !merges.empty(); merges.pop_back()) {
    builder.jump(merges.back());
    builder.at(merges.back());
  }
  builder.inst(Op::store, Type::i32, {builder.i32(0), variables.read(x)}, {.extra = 0});
  builder.return_values();
  variables.finish();
  canonicalize(module);
  auto valid = verified(std::move(module));
  ASSERT_TRUE(valid) << to_string(valid.error());
  const auto made = structured(*std::move(valid));
  ASSERT_TRUE(made) << to_string(made.error());
  const Facts facts(*made);
  EXPECT_FALSE(print(facts).empty());
}

// Casts of casts, an instruction with very many operands, a large block before many small ones.
TEST(IrAnalysisRandom, TakesAnyShape) {
  Module module;
  module.stage = Stage::compute;
  module.variables.push_back({"out", Space::group, 0, 4, {}});
  Function& function = module.functions.emplace_back();
  function.name = "f";
  Builder builder(function);
  constexpr unsigned kCount = 20'000;
  builder.at(builder.block());
  Id value = builder.inst(Op::load, Type::i32, {builder.i32(0)}, {.extra = 0});
  std::vector<Id> all;
  for (unsigned at = 0; at < kCount; ++at) {
    value = builder.inst(Op::bitcast, at % 2 == 0 ? Type::f32 : Type::i32, {value});
    builder.inst(Op::store, at % 2 == 0 ? Type::f32 : Type::i32, {builder.i32(0), value}, {.extra = 0});
    all.push_back(builder.inst(Op::iadd, Type::i32, {builder.i32(at), builder.i32(1)}));
  }
  const BlockId last = builder.block();
  std::vector<std::uint32_t> cases;
  for (unsigned at = 0; at < kCount; ++at) cases.insert(cases.end(), {builder.i32(at), builder.block()});
  builder.switch_on(all[0], last, cases);
  std::vector<std::uint32_t> operands(kCount + 1, all[1]);
  for (unsigned at = 0; at < kCount; ++at) {
    builder.at(cases[2 * std::size_t{at} + 1]);
    operands[at + std::size_t{1}] = all[at];
    builder.jump(last);
  }
  builder.at(last);
  const Id phi = builder.inst(Op::phi, Type::i32, operands);
  builder.inst(Op::store, Type::i32, {builder.i32(0), phi}, {.extra = 0});
  builder.return_values();
  link_predecessors(function);
  canonicalize(module);
  auto valid = verified(std::move(module));
  ASSERT_TRUE(valid) << to_string(valid.error());
  const auto made = structured(*std::move(valid));
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_FALSE(print(Facts(*made)).empty());
}

}  // namespace
}  // namespace unshade::ir
