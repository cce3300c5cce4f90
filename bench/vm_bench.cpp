// The machine: one operation over the lanes of a wave. docs/internals/ir.md has the estimates; items are operations of the machine.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <benchmark/benchmark.h>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/vm/machine.hpp>

namespace {

using namespace unshade;
using ir::Op;
using ir::Type;

constexpr std::uint32_t kOperations = 64;
constexpr std::uint32_t kRounds = 4096;

// A loop of kRounds over kOperations of one kind, each on the result of the one before.
ir::Module loop_of(Op op, Type type, std::uint32_t lanes) {
  ir::Module module;
  module.stage = Stage::compute;
  module.info.group_size = {lanes, 1, 1};
  module.variables.push_back({"kept", ir::Space::private_, 0, 8, {}});
  ir::Function& function = module.functions.emplace_back();
  function.name = "main";
  ir::Builder b(function);
  ir::SsaVariables v(b);
  const auto value = v.declare(type), round = v.declare(Type::i32);
  const ir::BlockId entry = b.block(), body = b.block(), exit = b.block();
  const ir::Id one = b.constant(type, type == Type::f32 ? 0x3f80'0000 : 3);
  b.at(entry);
  v.write(value, one);
  v.write(round, b.i32(0));
  b.jump(body);
  b.at(body);
  ir::Id sum = v.read(value);
  for (std::uint32_t i = 0; i < kOperations; ++i) sum = b.inst(op, type, {sum, one});
  v.write(value, sum);
  const ir::Id next = b.inst(Op::iadd, Type::i32, {v.read(round), b.i32(1)});
  v.write(round, next);
  b.branch(b.inst(Op::ult, Type::i32, {next, b.i32(kRounds)}), body, exit);
  b.at(exit);
  b.inst(Op::store, type, {b.i32(0), v.read(value)}, {.extra = 0});
  b.return_values();
  v.finish();
  ir::canonicalize(module);
  return module;
}

void run(benchmark::State& state, Op op, Type type) {
  const auto lanes = static_cast<std::uint32_t>(state.range(0));
  const auto verified = ir::verify(loop_of(op, type, lanes));
  const auto program = vm::prepare(*verified.valid(), {.wave = lanes < 4 ? 4 : lanes});
  vm::Resources resources = vm::empty_resources(program->module());
  std::uint64_t operations = 0;
  for (auto _ : state) operations += vm::dispatch(*program, resources, {1, 1, 1})->operations;
  state.SetItemsProcessed(static_cast<std::int64_t>(operations));
  state.counters["ns_per_op"] =
      benchmark::Counter(static_cast<double>(operations) * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
void BM_VmAddF32(benchmark::State& state) { run(state, Op::fadd, Type::f32); }
void BM_VmAddI32(benchmark::State& state) { run(state, Op::iadd, Type::i32); }
void BM_VmAddF24(benchmark::State& state) { run(state, Op::fadd, Type::f24); }
BENCHMARK(BM_VmAddF32)->Arg(1)->Arg(8)->Arg(32)->Arg(128);
BENCHMARK(BM_VmAddI32)->Arg(32);
BENCHMARK(BM_VmAddF24)->Arg(32);

}  // namespace
