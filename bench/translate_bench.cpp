// SPIR-V of samples: of the DXBC file of median size, and of all of a family, from opened files on. Lowering and passes are a part of it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <unshade/shader/lower.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/write/translate.hpp>

#include "support/files.hpp"

namespace unshade {

namespace {

/// Files of a folder of samples that are translated, by size.
std::vector<std::vector<std::byte>> samples_in(const std::string& folder, const std::string& extension) {
  std::vector<std::vector<std::byte>> found;
  for (const auto& path : test::files_below(test::source_dir() / "tests/data" / folder, extension)) {
    auto bytes = test::read_bytes(path);
    const auto opened = shader::open(test::view_of(bytes));
    if (opened && write::to_spirv(*opened)) found.push_back(std::move(bytes));
  }
  std::ranges::sort(found, {}, &std::vector<std::byte>::size);
  return found;
}

void translate_files(benchmark::State& state, const std::vector<std::vector<std::byte>>& files) {
  std::vector<shader::Shader> shaders;
  std::size_t size = 0;
  for (const auto& bytes : files) {
    shaders.push_back(*shader::open(test::view_of(bytes)));
    size += bytes.size();
  }
  for (auto _ : state) {
    for (const auto& one : shaders) benchmark::DoNotOptimize(write::to_spirv(one));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(size));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(shaders.size()));
}

void translate_median(benchmark::State& state) {
  const auto files = samples_in("dxbc", ".dxbc");
  translate_files(state, {files[files.size() / 2]});
}
void translate_all(benchmark::State& state, const char* folder, const char* extension) {
  translate_files(state, samples_in(folder, extension));
}

BENCHMARK(translate_median)->Name("translate/dxbc/median")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(translate_all, dxbc, "dxbc", ".dxbc")->Name("translate/dxbc/all")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(translate_all, dxil, "dxil", ".dxil")->Name("translate/dxil/all")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(translate_all, pica, "pica", ".shbin")->Name("translate/pica/all")->Unit(benchmark::kMicrosecond);

}  // namespace

}  // namespace unshade
