// How fast DXBC is read: bytes of files per second, over the corpus where there is one, else over the bundled samples. One thread.
// Each benchmark does one pass over all files per iteration.
#include <benchmark/benchmark.h>

#include <vector>

#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/ir/lower_dxbc.hpp>
#include <unshade/shader/annotate.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/validate.hpp>

#include "support/files.hpp"

namespace unshade {

namespace {

using dxcontainer::fourcc;

struct Files {
  std::vector<std::vector<std::byte>> bytes;  // only files that can be listed
  std::vector<shader::Shader> shaders;
  std::size_t total = 0;

  Files() {
    const auto corpus = test::corpus_dir();
    const auto dir = corpus.empty() ? test::source_dir() / "tests/data/dxbc" : corpus / "dxbc";
    for (const auto& path : test::files_below(dir, ".dxbc")) {
      auto file = test::read_bytes(path);
      const auto shader = shader::open(test::view_of(file));
      Text text;
      if (shader && shader::disassemble(*shader, text)) bytes.push_back(std::move(file));
    }
    for (const auto& file : bytes) {
      shaders.push_back(*shader::open(test::view_of(file)));
      total += file.size();
    }
  }
};

const Files& files() {
  static const Files all;
  return all;
}

void finish(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * files().total));
  state.counters["files"] = static_cast<double>(files().bytes.size());
}

void open(benchmark::State& state) {
  for (auto _ : state)
    for (const auto& bytes : files().bytes) benchmark::DoNotOptimize(shader::open(test::view_of(bytes)));
  finish(state);
}

void summarize(benchmark::State& state) {
  for (auto _ : state)
    for (const auto& shader : files().shaders) benchmark::DoNotOptimize(shader::summarize(shader));
  finish(state);
}

void decode(benchmark::State& state) {
  std::size_t instructions = 0;
  for (auto _ : state) {
    instructions = 0;
    for (const auto& shader : files().shaders) {
      const auto* part = shader.container()->find_any({fourcc("SHEX"), fourcc("SHDR")});
      if (part == nullptr) continue;
      const auto program = dxbc::parse_program(*part);
      if (!program) continue;
      dxbc::Decoder decoder(*program);
      dxbc::Instruction instruction;
      while (!decoder.at_end() && decoder.next(instruction)) ++instructions;
    }
  }
  finish(state);
  state.counters["instructions"] = benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsIterationInvariantRate);
}

// The whole of it: open the file, read its parts, print its listing.
void listing(benchmark::State& state) {
  std::size_t characters = 0;
  for (auto _ : state) {
    characters = 0;
    for (const auto& bytes : files().bytes) {
      const auto shader = shader::open(test::view_of(bytes));
      Text text;
      benchmark::DoNotOptimize(shader::disassemble(*shader, text));
      characters += text.size();
    }
  }
  finish(state);
  state.counters["text"] =
      benchmark::Counter(static_cast<double>(characters), benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1024);
}

void annotate(benchmark::State& state) {
  for (auto _ : state)
    for (const auto& bytes : files().bytes) benchmark::DoNotOptimize(shader::annotate(test::view_of(bytes)));
  finish(state);
}

void reflect(benchmark::State& state) {
  for (auto _ : state)
    for (const auto& shader : files().shaders) benchmark::DoNotOptimize(shader::reflect(shader));
  finish(state);
}

void validate(benchmark::State& state) {
  for (auto _ : state)
    for (const auto& bytes : files().bytes) benchmark::DoNotOptimize(shader::validate(test::view_of(bytes)));
  finish(state);
}

// Into the IR, before passes.
void lower(benchmark::State& state) {
  std::size_t instructions = 0;
  for (auto _ : state) {
    instructions = 0;
    for (const auto& shader : files().shaders) {
      const auto module = ir::lower_token_program(*shader.container());
      if (!module) continue;
      for (const auto& function : module->functions) instructions += function.insts.size();
    }
  }
  state.counters["instructions"] = static_cast<double>(instructions);
  finish(state);
}

BENCHMARK(open)->Unit(benchmark::kMillisecond);
BENCHMARK(summarize)->Unit(benchmark::kMillisecond);
BENCHMARK(decode)->Unit(benchmark::kMillisecond);
BENCHMARK(listing)->Unit(benchmark::kMillisecond);
BENCHMARK(annotate)->Unit(benchmark::kMillisecond);
BENCHMARK(reflect)->Unit(benchmark::kMillisecond);
BENCHMARK(validate)->Unit(benchmark::kMillisecond);
BENCHMARK(lower)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace unshade
