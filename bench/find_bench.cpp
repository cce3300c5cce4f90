// How fast shaders are named: bytes of files per second, over the corpus where there is one, else over the bundled samples. One thread.
#include <benchmark/benchmark.h>

#include <vector>

#include <unshade/find/checksums.hpp>
#include <unshade/find/identity.hpp>
#include <unshade/shader/shader.hpp>

#include "support/files.hpp"

namespace unshade {

namespace {

struct NamedFiles {
  std::vector<std::vector<std::byte>> bytes;  // only files that open
  std::vector<shader::Shader> shaders;
  std::size_t total = 0;

  NamedFiles() {
    const auto corpus = test::corpus_dir();
    for (const auto& path : test::files_below(corpus.empty() ? test::source_dir() / "tests/data" : corpus, "")) {
      auto file = test::read_bytes(path);
      if (shader::open(test::view_of(file))) bytes.push_back(std::move(file));
    }
    for (const auto& file : bytes) {
      shaders.push_back(*shader::open(test::view_of(file)));
      total += file.size();
    }
  }
};

const NamedFiles& named_files() {
  static const NamedFiles all;
  return all;
}

template <class Work>
void over_named_files(benchmark::State& state, Work work) {
  for (auto _ : state)
    for (const shader::Shader& shader : named_files().shaders) benchmark::DoNotOptimize(work(shader));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * named_files().total));
  state.counters["files"] = static_cast<double>(named_files().shaders.size());
}

void crc32(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::crc32(find::named_bytes(shader)); });
}
void fnv1(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::fnv1_64(find::named_bytes(shader)); });
}
void name_of_code(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::identity(shader, "code"); });
}
void plain_name(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::identity(shader, "plain"); });
}
void sketch(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::sketch_of(shader); });
}
void all_names(benchmark::State& state) {
  over_named_files(state, [](const shader::Shader& shader) { return find::identities(shader); });
}

BENCHMARK(crc32)->Unit(benchmark::kMillisecond);
BENCHMARK(fnv1)->Unit(benchmark::kMillisecond);
BENCHMARK(name_of_code)->Unit(benchmark::kMillisecond);
BENCHMARK(plain_name)->Unit(benchmark::kMillisecond);
BENCHMARK(sketch)->Unit(benchmark::kMillisecond);
BENCHMARK(all_names)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace unshade
