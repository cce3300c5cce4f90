// Modules of the IR of several sizes: parsing, printing, verifying, and each pass. Time must be in proportion to the size.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>

#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

namespace unshade {

namespace {

// Loops one after the other, each with a branch inside and a value that is used behind it: 14 instructions each.
std::string text_of(std::size_t loops) {
  std::string text =
      "stage compute\nvariable @x private bytes 16\nvariable @g group bytes 16\nfunction @main {\n^0:\n  %n = load i32 @g 0\n  jump ^1\n";
  const auto id = [](std::size_t number) { return std::to_string(number); };
  for (std::size_t loop = 0; loop < loops; ++loop) {
    const std::size_t block = 1 + 4 * loop;
    const std::string before = loop == 0 ? "%n" : "%s" + id(loop - 1);
    const std::string l = id(loop);
    const std::string from = id(loop == 0 ? 0 : block - 1);
    text += '^' + id(block) + ":\n  %i" + l + " = phi i32 ^" + from + " 0 ^" + id(block + 2) + " %j" + l + "\n  %c" + l + " = ilt i32 %i" +
            l + ' ' + before + "\n  branch %c" + l + " ^" + id(block + 1) + " ^" + id(block + 2) + "\n^" + id(block + 1) + ":\n  %a" + l +
            " = load f32 @x 4\n  %b" + l + " = fmad f32 %a" + l + " 2.0 1.5\n  store f32 @x 4 %b" + l + "\n  jump ^" + id(block + 2) +
            "\n^" + id(block + 2) + ":\n  %j" + l + " = iadd i32 %i" + l + " 1\n  %d" + l + " = ilt i32 %j" + l + " 100\n  branch %d" + l +
            " ^" + id(block) + " ^" + id(block + 3) + "\n^" + id(block + 3) + ":\n  %s" + l + " = iadd i32 %j" + l + " %n\n  jump ^" +
            id(block + 4) + '\n';
  }
  const std::string last = id(1 + 4 * loops);
  return text + '^' + last + ":\n  %z = load f32 @x 4\n  store f32 @g 4 %z\n  return\n}\n";
}

ir::Module module_of(std::size_t loops) {
  auto module = ir::parse(text_of(loops));
  if (!module) return {};
  ir::canonicalize(*module);
  return *std::move(module);
}

std::size_t size_of(const ir::Module& module) { return module.functions.empty() ? 0 : module.functions[0].insts.size(); }

void parse(benchmark::State& state) {
  const std::string text = text_of(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(ir::parse(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void print(benchmark::State& state) {
  const ir::Module module = module_of(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(ir::print(module));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(size_of(module)));
}

void verify(benchmark::State& state) {
  const ir::Module module = module_of(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(ir::findings_of(module));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(size_of(module)));
}

// A pass over a module that the passes before it have been over; what is measured includes a copy of the module.
void run_pass(benchmark::State& state, std::size_t at) {
  ir::Module module = module_of(static_cast<std::size_t>(state.range(0)));
  for (std::size_t before = 0; before < at; ++before) (void)ir::optimizing_passes()[before]->run(module);
  for (auto _ : state) {
    ir::Module copy = module;
    benchmark::DoNotOptimize(ir::optimizing_passes()[at]->run(copy));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(size_of(module)));
}

const bool kRegistered = [] {
  const auto sizes = [](benchmark::internal::Benchmark* one) {
    one->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);
  };
  sizes(benchmark::RegisterBenchmark("ir/parse", parse));
  sizes(benchmark::RegisterBenchmark("ir/print", print));
  sizes(benchmark::RegisterBenchmark("ir/verify", verify));
  for (std::size_t at = 0; at < ir::optimizing_passes().size(); ++at) {
    const std::string name = "ir/" + std::to_string(at) + '_' + std::string(ir::optimizing_passes()[at]->name);
    sizes(benchmark::RegisterBenchmark(name.c_str(), [at](benchmark::State& state) { run_pass(state, at); }));
  }
  return true;
}();

}  // namespace

}  // namespace unshade
