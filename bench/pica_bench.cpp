// Assembling and listing a program of 500 instructions, the size that a full vertex shader has.
#include <benchmark/benchmark.h>

#include <string>

#include <unshade/core/text.hpp>
#include <unshade/pica/assembler.hpp>
#include <unshade/pica/listing.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade {

namespace {

/// Such instructions as vertex shaders are made of, over names and registers.
const std::string& source() {
  static const std::string text = [] {
    constexpr std::string_view kLines[] = {"\tdp4 r2.x, projection[0], r7\n",  "\tdp4 r2.y, projection[1], r7\n",
                                           "\tmul r6, k.xxxx, r8 ; scale\n",   "\tmov r5.xyz, position\n",
                                           "\tmad r1, r2, light, r3\n",        "\trsq r4.x, r2.x\n",
                                           "\tadd colour.xyz, light.xyz, r3\n"};
    std::string out = ".fvec projection[4], light\n.constf k(0, 1, 2, 3)\n.in position\n.out at position\n.out colour color\n.proc main\n";
    for (std::size_t i = 0; i < 499; ++i) out += kLines[i % std::size(kLines)];
    return out + "\tend\n.end\n";
  }();
  return text;
}

void assemble(benchmark::State& state) {
  const pica::Source file{"bench.pica", source()};
  for (auto _ : state) {
    const auto assembly = pica::assemble({&file, 1});
    if (!assembly.ok) state.SkipWithError("the source has errors");
    benchmark::DoNotOptimize(pica::write_shbin(assembly.shbin));
  }
  state.counters["instructions"] = benchmark::Counter(500, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(assemble)->Name("pica/assemble");

void list(benchmark::State& state) {
  const pica::Source file{"bench.pica", source()};
  const auto assembly = pica::assemble({&file, 1});
  Text text;
  for (auto _ : state) {
    text.clear();
    pica::list_shbin(assembly.shbin, text, {});
    benchmark::DoNotOptimize(text.view().data());
  }
  state.counters["instructions"] = benchmark::Counter(500, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(list)->Name("pica/list");

}  // namespace

}  // namespace unshade
