// How fast DXIL is read: bytes of files per second, over the corpus where there is one, else over the bundled samples. One thread.
// Each benchmark does one pass over all files per iteration; `largest` takes the largest of them alone.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <utility>
#include <vector>

#include <unshade/dxil/module.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/annotate.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/validate.hpp>

#include "support/files.hpp"

namespace unshade {

namespace {

using dxcontainer::fourcc;

struct Files {
  std::vector<std::vector<std::byte>> bytes;  // only files that can be listed, the largest last
  std::vector<shader::Shader> shaders;
  std::size_t total = 0;
  std::vector<std::size_t> lowered;  // those that can be lowered
  std::size_t lowered_bytes = 0;

  Files() {
    const auto corpus = test::corpus_dir();
    const auto dir = corpus.empty() ? test::source_dir() / "tests/data/dxil" : corpus / "dxil";
    for (const auto& path : test::files_below(dir, ".dxil")) {
      auto file = test::read_bytes(path);
      const auto shader = shader::open(test::view_of(file));
      Text text;
      if (shader && shader::disassemble(*shader, text)) bytes.push_back(std::move(file));
    }
    std::stable_sort(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    for (const auto& file : bytes) {
      shader::Shader& shader = shaders.emplace_back(*shader::open(test::view_of(file)));
      shader.modules = nullptr;  // each iteration parses
      total += file.size();
      if (!shader::lower(shader)) continue;
      lowered.push_back(shaders.size() - 1);
      lowered_bytes += file.size();
    }
  }
};

const Files& files() {
  static const Files all;
  return all;
}

void finish(benchmark::State& state, std::size_t bytes, std::size_t count) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
  state.counters["files"] = static_cast<double>(count);
}

void parse(benchmark::State& state) {
  for (auto _ : state)
    for (const auto& shader : files().shaders)
      if (const auto* part = shader.container() == nullptr ? nullptr : shader.container()->find_any({fourcc("DXIL"), fourcc("ILDB")}))
        if (const auto program = dxil::parse_program(*part)) benchmark::DoNotOptimize(dxil::parse_module(program->bitcode));
  finish(state, files().total, files().shaders.size());
}

template <class F>
void over_all(benchmark::State& state, F&& f) {
  for (auto _ : state)
    for (std::size_t i = 0; i < files().shaders.size(); ++i) f(i);
  finish(state, files().total, files().shaders.size());
}

void list(benchmark::State& state) {
  Text text;
  over_all(state, [&](std::size_t i) {
    text.clear();
    if (!shader::disassemble(files().shaders[i], text)) state.SkipWithError("a file that was listed is not");
  });
}

void list_largest(benchmark::State& state) {
  Text text;
  const auto& shader = files().shaders.back();
  for (auto _ : state) {
    text.clear();
    if (!shader::disassemble(shader, text)) state.SkipWithError("a file that was listed is not");
  }
  finish(state, shader.file.size(), 1);
}

void reflect(benchmark::State& state) {
  over_all(state, [](std::size_t i) { benchmark::DoNotOptimize(shader::reflect(files().shaders[i])); });
}
void validate(benchmark::State& state) {
  over_all(state, [](std::size_t i) { benchmark::DoNotOptimize(shader::validate(files().shaders[i].file)); });
}
void annotate(benchmark::State& state) {
  over_all(state, [](std::size_t i) { benchmark::DoNotOptimize(shader::annotate(files().shaders[i].file)); });
}

/// What a page asks of a file, one after the other.
void ask(benchmark::State& state) {
  Text text;
  over_all(state, [&](std::size_t i) {
    const auto shader = shader::open(test::view_of(files().bytes[i]));
    benchmark::DoNotOptimize(shader::summarize(*shader));
    benchmark::DoNotOptimize(shader::reflect(*shader));
    benchmark::DoNotOptimize(shader::validate(*shader));
    text.clear();
    benchmark::DoNotOptimize(shader::disassemble(*shader, text));
  });
}

template <class F>
void over_lowered(benchmark::State& state, F&& f) {
  for (auto _ : state)
    for (const std::size_t i : files().lowered) f(*shader::open(test::view_of(files().bytes[i])));
  finish(state, files().lowered_bytes, files().lowered.size());
}

void lower(benchmark::State& state) {
  over_lowered(state, [](const shader::Shader& shader) { benchmark::DoNotOptimize(shader::lower(shader)); });
}
void lower_to_step(benchmark::State& state) {
  shader::LowerOptions options;
  options.keep_copies = true;
  over_lowered(state, [&](const shader::Shader& shader) { benchmark::DoNotOptimize(shader::lower(shader, options)); });
}
void prepare(benchmark::State& state) {
  over_lowered(state, [](const shader::Shader& shader) { benchmark::DoNotOptimize(run::prepare(shader)); });
}

BENCHMARK(parse)->Name("dxil/parse")->Unit(benchmark::kMillisecond);
BENCHMARK(list)->Name("dxil/list")->Unit(benchmark::kMillisecond);
BENCHMARK(list_largest)->Name("dxil/list largest")->Unit(benchmark::kMillisecond);
BENCHMARK(reflect)->Name("dxil/reflect")->Unit(benchmark::kMillisecond);
BENCHMARK(validate)->Name("dxil/validate")->Unit(benchmark::kMillisecond);
BENCHMARK(annotate)->Name("dxil/annotate")->Unit(benchmark::kMillisecond);
BENCHMARK(ask)->Name("dxil/open, info, reflect, validate, list")->Unit(benchmark::kMillisecond);
BENCHMARK(lower)->Name("dxil/lower")->Unit(benchmark::kMillisecond);
BENCHMARK(lower_to_step)->Name("dxil/lower to step")->Unit(benchmark::kMillisecond);
BENCHMARK(prepare)->Name("dxil/prepare")->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace unshade
